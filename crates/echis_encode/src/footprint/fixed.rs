//! Determines which values are the same for all left sides.

use super::Run;
use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result, keys};
use crate::resource::Resource;
use crate::write::and;
use echis_boogie::build::{Expr, no, yes};
use echis_program::program::{BinaryOp, ExprId, ExprKind, OldState};

impl Encoder<'_> {
    /// Whether an expression has the same value for all left sides, as a proposition.
    pub(super) fn is_fixed(&mut self, expr: ExprId, cx: &ExprContext, run: &mut Run) -> Result<Expr> {
        let fixed = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.fixed_kind(expr, cx, run))?;
        run.unsure |= !fixed.is_true();
        Ok(fixed)
    }
    pub(super) fn all_fixed(&mut self, exprs: &[ExprId], cx: &ExprContext, run: &mut Run) -> Result<Expr> {
        let parts: Result<Vec<Expr>> = exprs.iter().map(|expr| self.is_fixed(*expr, cx, run)).collect();
        Ok(and(parts?))
    }
    pub(super) fn fixed_kind(&mut self, expr: ExprId, cx: &ExprContext, run: &mut Run) -> Result<Expr> {
        let program = self.program;
        if cx.settled.contains_key(&expr) {
            return Ok(yes());
        }
        match program.kind(expr) {
            ExprKind::Local(local) => Ok(run.locals.get(local).cloned().unwrap_or_else(yes)),
            ExprKind::Field { receiver, field } => {
                let located = self.is_fixed(*receiver, cx, run)?;
                let receiver = self.expr(*receiver, cx)?;
                let place = ResourceInstance { resource: Resource::Field(*field), args: vec![receiver] };
                Ok(and([located, self.value_fixed(&place, run)]))
            }
            ExprKind::FunctionApp { function, args, .. } => {
                let mut parts = vec![self.all_fixed(args, cx, run)?];
                let declared = &program.functions[*function];
                for (param, arg) in declared.params.iter().zip(args) {
                    let fixed = self.is_fixed(*arg, cx, run)?;
                    run.locals.insert(*param, fixed);
                }
                let values = self.exprs(args, cx)?;
                let inner = cx.with(declared.params.iter().copied().zip(values));
                for clause in &declared.pre {
                    parts.push(self.contents_fixed(*clause, &inner, run)?);
                }
                Ok(and(parts))
            }
            ExprKind::Unfolding { access, .. } => {
                let located = self.all_fixed(&access.args, cx, run)?;
                let args = self.exprs(&access.args, cx)?;
                let place = ResourceInstance { resource: Resource::Predicate(access.predicate), args: keys(args) };
                Ok(and([located, self.value_fixed(&place, run)]))
            }
            ExprKind::Old { state: OldState::Pre, .. } => Ok(yes()),
            ExprKind::Old { state: OldState::Label(label), .. } if run.passed.contains(label) => Ok(yes()),
            ExprKind::Old { body, .. } => self.is_fixed(*body, cx, run),
            ExprKind::Asserting { body, .. } => self.is_fixed(*body, cx, run),
            ExprKind::Quantified { .. } | ExprKind::Let { .. } if !self.looks(expr) => Ok(yes()),
            ExprKind::Quantified { .. }
            | ExprKind::Let { .. }
            | ExprKind::PermOf(_)
            | ExprKind::ForPerm { .. }
            | ExprKind::PredicateInstance { .. }
            | ExprKind::Applying { .. } => Ok(no()),
            kind => self.all_fixed(&kind.children(), cx, run),
        }
    }
    /// Whether all that an assertion gives access to is fixed.
    pub(super) fn contents_fixed(&mut self, expr: ExprId, cx: &ExprContext, run: &mut Run) -> Result<Expr> {
        let program = self.program;
        if program.is_pure(expr) {
            return Ok(yes());
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                Ok(and([self.contents_fixed(*left, cx, run)?, self.contents_fixed(*right, cx, run)?]))
            }
            ExprKind::Acc { location, .. } => {
                let located = self.all_fixed(&location.parts(), cx, run)?;
                let place = self.place(location, cx)?;
                Ok(and([located, self.value_fixed(&place, run)]))
            }
            _ => Ok(no()),
        }
    }
    pub(super) fn value_fixed(&mut self, place: &ResourceInstance, run: &Run) -> Expr {
        self.fixed_var(run, place.resource).at(&place.args)
    }
    /// Whether the value depends on the state.
    pub(super) fn looks(&self, expr: ExprId) -> bool {
        self.program.any(expr, |kind| match kind {
            ExprKind::Field { .. }
            | ExprKind::Unfolding { .. }
            | ExprKind::Applying { .. }
            | ExprKind::PredicateInstance { .. }
            | ExprKind::PermOf(_)
            | ExprKind::ForPerm { .. } => true,
            ExprKind::FunctionApp { function, .. } => !self.behind.functions[*function].is_empty(),
            _ => false,
        })
    }
}
