//! Facts about the applications in a defined expression, and about the contents of predicates.

use crate::encoder::{Encoder, ExprContext, Induction, ResourceInstance, Result, keys, let_in};
use crate::resource::Resource;
use crate::write::{and, implies, zero};
use echis_boogie::build::{Expr, forall, var, yes};
use echis_program::program::{BinaryOp, ExprId, ExprKind, FunctionId, Location, PredicateId, Quantifier};

impl Encoder<'_> {
    /// A proposition that holds where the expression is defined.
    pub fn facts(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Expr> {
        let said = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.facts_kind(expr, cx))?;
        self.bounded(expr, said)
    }
    fn all_facts(&mut self, exprs: &[ExprId], cx: &ExprContext) -> Result<Expr> {
        let mut parts = Vec::new();
        for expr in exprs {
            parts.push(self.facts(*expr, cx)?);
        }
        Ok(and(parts))
    }
    fn facts_kind(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Expr> {
        let program = self.program;
        if cx.settled.contains_key(&expr) {
            return Ok(yes());
        }
        match program.kind(expr) {
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Implies | BinaryOp::Or), left, right) => {
                let (first, second) = (self.facts(*left, cx)?, self.facts(*right, cx)?);
                if second.is_true() {
                    return Ok(first);
                }
                let left = if program.is_pure(*left) { self.expr(*left, cx)? } else { self.pure(*left, cx)? };
                let guard = if *op == BinaryOp::Or { left.not() } else { left };
                Ok(and([first, implies(&guard, &second)]))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let facts = self.facts(*condition, cx)?;
                let (then, otherwise) = (self.facts(*then, cx)?, self.facts(*otherwise, cx)?);
                if then.is_true() && otherwise.is_true() {
                    return Ok(facts);
                }
                let condition = self.expr(*condition, cx)?;
                Ok(and([facts, implies(&condition, &then), implies(&condition.not(), &otherwise)]))
            }
            ExprKind::Let { var, value, body } => {
                let facts = self.facts(*value, cx)?;
                let value = self.expr(*value, cx)?;
                let (name, inner) = self.bind_let(*var, &value, cx);
                let body = self.facts(*body, &inner)?;
                Ok(and([facts, let_in(name, &value, body)]))
            }
            ExprKind::Quantified {
                quantifier: Quantifier::Forall | Quantifier::Exists, vars, triggers, body, ..
            } => {
                let (binders, inner) = self.bound(vars, cx);
                let facts = self.facts(*body, &inner)?;
                if facts.is_true() {
                    return Ok(facts);
                }
                let triggers = self.triggers(vars, triggers, &inner)?;
                Ok(forall(&binders, triggers, facts))
            }
            ExprKind::FunctionApp { function, args, .. } => {
                let facts = self.all_facts(args, cx)?;
                let args = self.exprs(args, cx)?;
                Ok(and([facts, self.applied(*function, &args, cx)]))
            }
            ExprKind::Old { state, body } => {
                let st = self.old_state(*state, self.id(expr), cx)?;
                self.facts(*body, &cx.at(&st))
            }
            ExprKind::Unfolding { access, body } => {
                let facts = self.all_facts(&access.args, &cx.unevaluated())?;
                let args = self.exprs(&access.args, cx)?;
                let inside = self.inside(access.predicate, &args, cx)?;
                Ok(and([facts, inside, self.facts(*body, cx)?]))
            }
            ExprKind::InhaleExhale(assumed, checked) => self.facts(if cx.assumed { *assumed } else { *checked }, cx),
            ExprKind::Asserting { body, .. } if cx.doubts => self.facts(*body, cx),
            ExprKind::Asserting { assertion, body } => {
                let (said, inner) = (self.pure(*assertion, &cx.unevaluated())?, self.facts(*body, cx)?);
                Ok(and([said, inner]))
            }
            ExprKind::ForallAcc { vars, triggers, condition, location, amount, .. } => {
                let (binders, inner) = self.bound(vars, cx);
                let facts = self.extent_facts(*condition, location, *amount, &inner)?;
                if facts.is_true() {
                    return Ok(facts);
                }
                let triggers = self.triggers(vars, triggers, &inner)?;
                Ok(forall(&binders, triggers, facts))
            }
            ExprKind::Applying { body, .. } => match cx.applied.get(&expr).cloned() {
                Some(st) => self.facts(*body, &cx.at(&st)),
                None => Ok(yes()),
            },
            ExprKind::Wand { .. } => {
                let holes = self.wand(expr).holes.clone();
                self.all_facts(&holes, cx)
            }
            // What holds for what is held is not needed elsewhere.
            ExprKind::ForPerm { .. } => Ok(yes()),
            kind => self.all_facts(&kind.children(), cx),
        }
    }
    /// The facts about a quantified access for values of its variables.
    pub fn extent_facts(
        &mut self,
        condition: ExprId,
        location: &Location,
        amount: ExprId,
        cx: &ExprContext,
    ) -> Result<Expr> {
        let facts = self.facts(condition, cx)?;
        let behind = and([self.all_facts(&location.parts(), cx)?, self.facts(amount, cx)?]);
        let behind = match behind.is_true() {
            true => behind,
            false => implies(&self.expr(condition, cx)?, &behind),
        };
        Ok(and([facts, behind]))
    }
    /// That the precondition of an application was shown, and whether its postcondition may be used where the functions of
    /// its component are verified.
    pub fn applied(&mut self, function: FunctionId, args: &[Expr], cx: &ExprContext) -> Expr {
        let callee = self.program.functions[function].height;
        if cx.unknown == Some(callee) {
            return yes();
        }
        let applied = self.application(function, "#pre", args, cx);
        match cx.induction {
            Induction::Calls(own) | Induction::Measured(own) if own == callee => {
                and([applied, self.application(function, "#called", args, cx)])
            }
            _ => applied,
        }
    }
    /// What is known of the values inside of a predicate instance that is held.
    pub fn inside(&mut self, predicate: PredicateId, args: &[Expr], cx: &ExprContext) -> Result<Expr> {
        let program = self.program;
        let declared = &program.predicates[predicate];
        let Some(body) = declared.body else { return Ok(yes()) };
        if cx.opened.contains(&predicate) {
            return Ok(yes());
        }
        let mut inner = cx.foreign().with(declared.params.iter().copied().zip(args.iter().cloned()));
        inner.opened.push(predicate);
        let resource = Resource::Predicate(predicate);
        let place = ResourceInstance { resource, args: keys(args.to_vec()) };
        let value = self.value_at(&cx.now, &place);
        let snapshot = self.snapshot(body, &inner)?;
        let opened = self.opened(resource, &value, &place.args);
        Ok(and([value.equals(snapshot), opened, self.pure(body, &inner)?]))
    }
    /// What an assertion says besides permission.
    pub fn pure(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Expr> {
        let said = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.pure_kind(expr, cx))?;
        self.bounded(expr, said)
    }
    fn pure_kind(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Expr> {
        let program = self.program;
        if program.is_pure(expr) {
            let (facts, value) = (self.facts(expr, cx)?, self.expr(expr, cx)?);
            return Ok(and([facts, value]));
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => Ok(and([self.pure(*left, cx)?, self.pure(*right, cx)?])),
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                let (facts, body) = (self.facts(*condition, cx)?, self.pure(*body, cx)?);
                let condition = self.expr(*condition, cx)?;
                Ok(and([facts, implies(&condition, &body)]))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let facts = self.facts(*condition, cx)?;
                let (then, otherwise) = (self.pure(*then, cx)?, self.pure(*otherwise, cx)?);
                let condition = self.expr(*condition, cx)?;
                Ok(and([facts, implies(&condition, &then), implies(&condition.not(), &otherwise)]))
            }
            ExprKind::Let { var, value, body } => {
                let facts = self.facts(*value, cx)?;
                let value = self.expr(*value, cx)?;
                let (name, inner) = self.bind_let(*var, &value, cx);
                let body = self.pure(*body, &inner)?;
                Ok(and([facts, let_in(name, &value, body)]))
            }
            ExprKind::Acc { location: Location::Field { receiver, .. }, amount, .. } => {
                let facts = self.facts(*receiver, cx)?;
                let receiver = self.expr(*receiver, cx)?;
                let positive = match program.kind(*amount) {
                    ExprKind::Wildcard | ExprKind::Write => yes(),
                    _ => self.expr(*amount, cx)?.greater(zero()),
                };
                Ok(and([facts, implies(&positive, &receiver.differs(var("null")))]))
            }
            ExprKind::Acc { location: Location::Predicate { args, .. }, .. } => self.all_facts(args, cx),
            ExprKind::InhaleExhale(assumed, checked) => self.pure(if cx.assumed { *assumed } else { *checked }, cx),
            ExprKind::Wand { .. } => self.facts(expr, cx),
            _ => Ok(yes()),
        }
    }
}
