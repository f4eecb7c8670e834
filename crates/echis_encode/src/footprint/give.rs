//! Giving permission to the state of a dry run.

use super::{Giving, Run};
use crate::assertion::scaled;
use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result};
use crate::resource::Resource;
use crate::write::{and, one};
use echis_boogie::build::{Expr, no, yes};
use echis_program::program::{BinaryOp, ExprId, ExprKind, UnaryOp};

impl Encoder<'_> {
    pub(super) fn give(&mut self, expr: ExprId, cx: &ExprContext, how: Giving<'_>, run: &mut Run) -> Result<()> {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.give_kind(expr, cx, how, run))
    }
    pub(super) fn give_kind(&mut self, expr: ExprId, cx: &ExprContext, how: Giving<'_>, run: &mut Run) -> Result<()> {
        let program = self.program;
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.give(*left, cx, how, run)?;
                self.give(*right, cx, how, run)
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) if !program.is_pure(*body) || how.tells => {
                self.cases(*condition, cx, run, |encoder, taken, run| match taken {
                    true => encoder.give(*body, cx, how, run),
                    false => Ok(()),
                })
            }
            ExprKind::Conditional(condition, then, otherwise) if !program.is_pure(expr) || how.tells => {
                self.cases(*condition, cx, run, |encoder, taken, run| {
                    encoder.give(if taken { *then } else { *otherwise }, cx, how, run)
                })
            }
            ExprKind::InhaleExhale(assumed, checked) => {
                self.give(if cx.assumed { *assumed } else { *checked }, cx, how, run)
            }
            _ if program.is_pure(expr) => match how.tells {
                true => self.tell(expr, cx, run),
                false => Ok(()),
            },
            ExprKind::Let { var, value, body } => {
                let fixed = self.is_fixed(*value, cx, run)?;
                run.locals.insert(*var, fixed);
                let inner = self.bind(*var, *value, cx)?;
                self.give(*body, &inner, how, run)
            }
            ExprKind::Acc { location, amount, .. } => {
                let located = self.all_fixed(&location.parts(), cx, run)?;
                let place = self.place(location, cx)?;
                let amount = self.amount(*amount, false, cx, run)?;
                self.put(&place, &scaled(&amount, how.scale), &located, how.fixed, run);
                Ok(())
            }
            ExprKind::Wand { .. } => {
                let holes = self.wand(expr).holes.clone();
                let located = self.all_fixed(&holes, cx, run)?;
                let place = self.wand_place(expr, cx)?;
                self.put(&place, &one(), &located, how.fixed, run);
                Ok(())
            }
            ExprKind::ForallAcc { .. } => self.put_all(expr, cx, how, run),
            _ => Ok(()),
        }
    }
    /// Records the values that a left side determines.
    pub(super) fn tell(&mut self, expr: ExprId, cx: &ExprContext, run: &mut Run) -> Result<()> {
        match self.program.kind(expr) {
            ExprKind::Field { .. } => self.tell_value(expr, None, &yes(), &yes(), cx, run),
            ExprKind::Unary(UnaryOp::Not, inner) => self.tell_value(*inner, None, &yes(), &no(), cx, run),
            ExprKind::Binary(BinaryOp::Eq, left, right) => {
                for (one, two) in [(*left, *right), (*right, *left)] {
                    let fixed = self.is_fixed(two, cx, run)?;
                    let value = self.expr(two, cx)?;
                    self.tell_value(one, Some(two), &fixed, &value, cx, run)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
    pub(super) fn tell_value(
        &mut self,
        location: ExprId,
        from: Option<ExprId>,
        fixed: &Expr,
        value: &Expr,
        cx: &ExprContext,
        run: &mut Run,
    ) -> Result<()> {
        let ExprKind::Field { receiver, field } = self.program.kind(location) else { return Ok(()) };
        if from == Some(location) {
            return Ok(());
        }
        let located = self.is_fixed(*receiver, cx, run)?;
        let place = ResourceInstance { resource: Resource::Field(*field), args: vec![self.expr(*receiver, cx)?] };
        let (target, known) = (self.value_at(&run.st, &place), self.value_fixed(&place, run));
        run.changed.insert(place.resource);
        self.body.begin(and([located, fixed.clone(), known.not()]));
        self.body.assign(&target, value);
        self.body.assign(&known, yes());
        self.body.end();
        Ok(())
    }
    pub(super) fn put(&mut self, place: &ResourceInstance, amount: &Expr, located: &Expr, fixed: &Expr, run: &mut Run) {
        run.changed.insert(place.resource);
        let held = self.amount_at(&run.st.mask, place);
        let known = self.value_fixed(place, run);
        let vague = self.amount_at(&run.vague, place);
        if !located.is_true() {
            self.body.begin(located.not());
            self.body.assign(&vague, vague.plus(amount));
            self.body.otherwise();
        }
        self.body.assign(&held, held.plus(amount));
        if !fixed.is_false() {
            self.body.assign(&known, known.or(fixed));
        }
        if !located.is_true() {
            self.body.end();
        }
    }
}
