//! `applying (A --* B) in e`: the value of `e` in a copy of the state with the wand applied.
//!
//! Expressions are evaluated in named states, so the copies are made before. Where an expression stands under
//! variables that it binds, or behind something that changes what is held, there is no copy, and it is refused.

use crate::encoder::{Encoder, ExprContext, Result, St};
use crate::write::{Blame, and};
use echis_base::mutation;
use echis_boogie::build::Expr;
use echis_program::program::{BinaryOp, ExprId, ExprKind};
use echis_proof::{ErrorKind, Property, Reason};
use std::collections::BTreeMap;

struct Preparing {
    blame: Option<Blame>,
    /// Whether the wand's prophecy may be assumed.
    really: bool,
    guards: Vec<Expr>,
    made: BTreeMap<ExprId, St>,
}

impl Encoder<'_> {
    fn applications(&self, expr: ExprId) -> usize {
        let mut count = 0;
        self.program.visit(expr, |part| {
            count += usize::from(matches!(self.program.kind(part), ExprKind::Applying { .. }));
            true
        });
        count
    }
    /// The context for evaluating an expression that applies wands. With an origin, their applicability is checked;
    /// otherwise it is known.
    pub fn prepared(&mut self, expr: ExprId, cx: &ExprContext, blame: Option<Blame>) -> Result<ExprContext> {
        self.prepare_for(expr, cx, blame, false)
    }
    fn prepare_for(
        &mut self,
        expr: ExprId,
        cx: &ExprContext,
        blame: Option<Blame>,
        really: bool,
    ) -> Result<ExprContext> {
        if self.applications(expr) == 0 {
            return Ok(cx.clone());
        }
        let mut preparing = Preparing { blame, really, guards: Vec::new(), made: cx.applied.clone() };
        self.prepare(expr, cx, &mut preparing)?;
        Ok(ExprContext { applied: preparing.made, ..cx.clone() })
    }
    fn prepare(&mut self, expr: ExprId, cx: &ExprContext, preparing: &mut Preparing) -> Result<()> {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.prepare_kind(expr, cx, preparing))
    }
    fn prepare_kind(&mut self, expr: ExprId, cx: &ExprContext, preparing: &mut Preparing) -> Result<()> {
        let program = self.program;
        if self.applications(expr) == 0 {
            return Ok(());
        }
        match program.kind(expr) {
            ExprKind::Applying { wand, body } => {
                let st = St::named(&format!("applied{}.", self.number()));
                self.copy(&cx.now, &st);
                self.forget_unheld(&st);
                let inner = cx.at(&st);
                let guard = and(preparing.guards.iter().cloned());
                let trusting = preparing.blame.is_none();
                // No errors are reported here for properties proved elsewhere.
                let unreported = Blame { error: ErrorKind::Internal, at: self.id(expr) };
                let blame = preparing.blame.unwrap_or(unreported);
                let really = preparing.really;
                let before = self.body.trust(trusting);
                let applied = self.under(&guard, |encoder| encoder.apply_wand(*wand, &inner, blame, really));
                self.body.trust(before);
                applied?;
                preparing.made.insert(expr, st);
                self.prepare(*body, &inner, preparing)
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Implies | BinaryOp::Or), left, right) => {
                self.prepare(*left, cx, preparing)?;
                let left = self.expr(*left, &ExprContext { applied: preparing.made.clone(), ..cx.clone() })?;
                let guard = if *op == BinaryOp::Or { left.not() } else { left };
                self.prepare_under(guard, *right, cx, preparing)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.prepare(*condition, cx, preparing)?;
                let holds = self.expr(*condition, &ExprContext { applied: preparing.made.clone(), ..cx.clone() })?;
                self.prepare_under(holds.clone(), *then, cx, preparing)?;
                self.prepare_under(holds.not(), *otherwise, cx, preparing)
            }
            ExprKind::Old { state, body } => {
                let st = self.old_state(*state, self.id(expr), cx)?;
                // An instance from an earlier state may have been applied since.
                let really = std::mem::replace(&mut preparing.really, false);
                self.prepare(*body, &cx.at(&st), preparing)?;
                preparing.really = really;
                Ok(())
            }
            ExprKind::Let { .. }
            | ExprKind::Quantified { .. }
            | ExprKind::ForPerm { .. }
            | ExprKind::Unfolding { .. } => {
                self.unknown(self.id(expr), "`applying` is not supported here by verification conditions")
            }
            kind => kind.children().into_iter().try_for_each(|child| self.prepare(child, cx, preparing)),
        }
    }
    /// Havocs what is not held in a copy. The right side gives permission to some of it, whose values depend on the
    /// left side; they are not those of another copy, nor those that the state itself gets when it gains permission.
    fn forget_unheld(&mut self, st: &St) {
        let all = self.resources.clone();
        if !mutation::is_removed() {
            self.forget_inside(st, &all);
        }
    }
    fn prepare_under(&mut self, guard: Expr, expr: ExprId, cx: &ExprContext, preparing: &mut Preparing) -> Result<()> {
        preparing.guards.push(guard);
        let prepared = self.prepare(expr, cx, preparing);
        preparing.guards.pop();
        prepared
    }
    /// Asserts a proposition that may apply wands.
    pub fn demand_pure(&mut self, expr: ExprId, cx: &ExprContext, blame: Blame, defined: bool) -> Result<()> {
        let property = blame.property(Reason::AssertionFalse, self.id(expr));
        let checked = defined.then_some(blame);
        let applications = self.applications(expr);
        if applications > 0 {
            return self.demand_applied(expr, cx, checked, applications == 1, property);
        }
        self.known(expr, cx, checked)?;
        let said = self.expr(expr, cx)?;
        self.body.assert(said, property);
        Ok(())
    }
    /// Applies one instance in a copy of the state, where its prophecy is fulfilled. Afterwards, only the proposition
    /// is known.
    fn demand_applied(
        &mut self,
        expr: ExprId,
        cx: &ExprContext,
        blame: Option<Blame>,
        really: bool,
        property: Property,
    ) -> Result<()> {
        self.aside(|encoder| {
            let cx = &encoder.prepare_for(expr, cx, blame, really)?;
            encoder.known(expr, cx, blame)?;
            let said = encoder.expr(expr, cx)?;
            encoder.body.assert(said, property);
            Ok(())
        })?;
        let cx = &self.prepared(expr, cx, None)?;
        self.known(expr, cx, None)?;
        let said = self.expr(expr, cx)?;
        self.body.assume(said);
        Ok(())
    }
}
