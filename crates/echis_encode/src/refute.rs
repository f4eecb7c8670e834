//! `refute`: an error if the assertion follows. Undefined expressions do not hold, so permission to read,
//! preconditions and the conditions of `asserting` have to follow as well; only then are facts about applications
//! known.

use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result, let_in};
use crate::resource::Resource;
use crate::write::{Blame, and, implies, zero};
use echis_boogie::build::{Expr, forall, no, yes};
use echis_program::program::{BinaryOp, ExprId, ExprKind};
use echis_proof::{ErrorKind, Reason};

impl Encoder<'_> {
    pub fn refute(&mut self, assertion: ExprId, cx: &ExprContext) -> Result<()> {
        let id = self.id(assertion);
        if !self.program.is_pure(assertion) {
            return self.unknown(id, "`refute` of permission is not supported by verification conditions");
        }
        let blame = Blame { error: ErrorKind::Refute, at: id };
        let cx = &ExprContext { assumed: false, doubts: true, ..cx.clone() };
        let (facts, demanded) = (self.facts(assertion, cx)?, self.demanded(assertion, cx)?);
        let holds = and([demanded.clone(), self.expr(assertion, cx)?]);
        self.body.begin_aside();
        self.body.assume(implies(&demanded, &facts));
        self.body.refute(holds, blame.property(Reason::RefutationTrue, id));
        self.body.assume(no());
        self.body.end();
        Ok(())
    }
    /// A `refute` that no execution reaches.
    pub fn refute_nowhere(&mut self, assertion: ExprId) {
        let id = self.id(assertion);
        let property = Blame { error: ErrorKind::Refute, at: id }.property(Reason::RefutationTrue, id);
        self.body.begin_aside();
        self.body.assume(no());
        self.body.refute(no(), property);
        self.body.end();
    }
    /// What the expression demands where it is evaluated.
    fn demanded(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Expr> {
        let said = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.demanded_kind(expr, cx))?;
        self.bounded(expr, said)
    }
    fn demanded_kind(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Expr> {
        let program = self.program;
        match program.kind(expr) {
            ExprKind::Asserting { assertion, body } => {
                Ok(and([self.demanded(*assertion, cx)?, self.holds(*assertion, cx)?, self.demanded(*body, cx)?]))
            }
            ExprKind::Field { receiver, field } => {
                let first = self.demanded(*receiver, cx)?;
                let receiver = self.expr(*receiver, cx)?;
                let place = ResourceInstance { resource: Resource::Field(*field), args: vec![receiver] };
                Ok(and([first, self.amount_at(&cx.now.mask, &place).greater(zero())]))
            }
            ExprKind::FunctionApp { function, args, .. } => {
                let declared = &program.functions[*function];
                let mut parts = Vec::new();
                for arg in args {
                    parts.push(self.demanded(*arg, cx)?);
                }
                let values = self.exprs(args, cx)?;
                let inner = cx.foreign().with(declared.params.iter().copied().zip(values));
                for clause in &declared.pre {
                    parts.push(self.holds(*clause, &ExprContext { any: true, ..inner.clone() })?);
                }
                Ok(and(parts))
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Implies | BinaryOp::Or), left, right) => {
                let (first, second) = (self.demanded(*left, cx)?, self.demanded(*right, cx)?);
                let left = self.expr(*left, cx)?;
                let guard = if *op == BinaryOp::Or { left.not() } else { left };
                Ok(and([first, implies(&guard, &second)]))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let first = self.demanded(*condition, cx)?;
                let (then, otherwise) = (self.demanded(*then, cx)?, self.demanded(*otherwise, cx)?);
                let condition = self.expr(*condition, cx)?;
                Ok(and([first, implies(&condition, &then), implies(&condition.not(), &otherwise)]))
            }
            ExprKind::Let { var, value, body } => {
                let first = self.demanded(*value, cx)?;
                let value = self.expr(*value, cx)?;
                let (name, inner) = self.bind_let(*var, &value, cx);
                let body = self.demanded(*body, &inner)?;
                Ok(and([first, let_in(name, &value, body)]))
            }
            ExprKind::Quantified { vars, triggers, body, .. } => {
                let (binders, inner) = self.bound(vars, cx);
                let triggers = self.triggers(vars, triggers, &inner)?;
                Ok(forall(&binders, triggers, self.demanded(*body, &inner)?))
            }
            ExprKind::Old { state, body } => {
                let st = self.old_state(*state, self.id(expr), cx)?;
                self.demanded(*body, &cx.at(&st))
            }
            ExprKind::Unfolding { .. } | ExprKind::ForPerm { .. } | ExprKind::Applying { .. }
                if !program.any(expr, |kind| matches!(kind, ExprKind::Asserting { .. })) =>
            {
                Ok(yes())
            }
            ExprKind::Unfolding { .. } | ExprKind::ForPerm { .. } | ExprKind::Applying { .. } => {
                self.unknown(self.id(expr), "`refute` of `asserting` is not supported here by verification conditions")
            }
            kind => {
                let parts: Result<Vec<Expr>> =
                    kind.children().into_iter().map(|child| self.demanded(child, cx)).collect();
                Ok(and(parts?))
            }
        }
    }
    /// Whether an assertion holds that asks for permission to one location at most, or where amounts do not matter.
    fn holds(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Expr> {
        let program = self.program;
        if program.is_pure(expr) {
            return self.expr(expr, cx);
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right)
                if cx.any || program.is_pure(*left) || program.is_pure(*right) =>
            {
                Ok(and([self.holds(*left, cx)?, self.holds(*right, cx)?]))
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                let body = self.holds(*body, cx)?;
                Ok(implies(&self.expr(*condition, cx)?, &body))
            }
            ExprKind::Acc { location, amount, .. } => {
                let place = self.place(location, cx)?;
                let held = self.amount_at(&cx.now.mask, &place);
                Ok(match program.kind(*amount) {
                    ExprKind::Wildcard => held.greater(zero()),
                    ExprKind::Write if cx.any => held.greater(zero()),
                    _ if cx.any => self.expr(*amount, cx)?.greater(zero()).implies(held.greater(zero())),
                    _ => held.at_least(self.expr(*amount, cx)?),
                })
            }
            ExprKind::ForallAcc { vars, triggers, condition, location, .. } if cx.any => {
                let (binders, inner) = self.bound(vars, cx);
                let triggers = self.triggers(vars, triggers, &inner)?;
                let place = self.place(location, &inner)?;
                let held = self.amount_at(&cx.now.mask, &place);
                let said = implies(&self.expr(*condition, &inner)?, &held.greater(zero()));
                Ok(forall(&binders, triggers, said))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let (then, otherwise) = (self.holds(*then, cx)?, self.holds(*otherwise, cx)?);
                let condition = self.expr(*condition, cx)?;
                Ok(and([implies(&condition, &then), implies(&condition.not(), &otherwise)]))
            }
            _ => {
                self.unknown(self.id(expr), "`refute` of `asserting` is not supported here by verification conditions")
            }
        }
    }
}
