//! Inhale and exhale.

use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result, St};
use crate::resource::{Resource, Resources};
use crate::write::{Blame, one, zero};
use echis_base::SyntaxId;
use echis_boogie::build::{Binder, Expr, conditional, forall, var};
use echis_program::program::{BinaryOp, ExprId, ExprKind, Location};
use echis_proof::Reason;

/// How an assertion is exhaled.
pub struct Exhaling {
    pub blame: Blame,
    /// Whether definedness is checked; otherwise it is known.
    pub defined: bool,
    /// The state to take permission from. Expressions are evaluated in the context's state.
    pub from: St,
    /// Whether values are forgotten with their permission.
    pub forget: bool,
    /// The contents of instances that were given away.
    pub lost: Resources,
}

impl Encoder<'_> {
    /// Adds what an assertion gives to the state of the context and assumes what it says. With an origin it is
    /// checked to be defined; else it is known to be. Amounts are multiplied by the scale.
    pub fn inhale(&mut self, expr: ExprId, cx: &ExprContext, scale: Option<&Expr>, blame: Option<Blame>) -> Result<()> {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.inhale_kind(expr, cx, scale, blame))
    }
    fn inhale_kind(
        &mut self,
        expr: ExprId,
        cx: &ExprContext,
        scale: Option<&Expr>,
        blame: Option<Blame>,
    ) -> Result<()> {
        let program = self.program;
        if let ExprKind::Binary(BinaryOp::And, left, right) = program.kind(expr) {
            self.inhale(*left, cx, scale, blame)?;
            return self.inhale(*right, cx, scale, blame);
        }
        if program.is_pure(expr) {
            let cx = &self.prepared(expr, cx, blame)?;
            self.known(expr, cx, blame)?;
            let value = self.expr(expr, cx)?;
            self.body.assume(value);
            return Ok(());
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                self.known(*condition, cx, blame)?;
                let condition = self.expr(*condition, cx)?;
                self.under(&condition, |encoder| encoder.inhale(*body, cx, scale, blame))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.known(*condition, cx, blame)?;
                let condition = self.expr(*condition, cx)?;
                self.branch(&condition, |encoder, taken| {
                    encoder.inhale(if taken { *then } else { *otherwise }, cx, scale, blame)
                })
            }
            ExprKind::Let { var, value, body } => {
                self.known(*value, cx, blame)?;
                let inner = self.bind(*var, *value, cx)?;
                self.inhale(*body, &inner, scale, blame)
            }
            ExprKind::InhaleExhale(assumed, checked) => {
                self.inhale(if cx.assumed { *assumed } else { *checked }, cx, scale, blame)
            }
            ExprKind::Acc { location, amount, .. } => {
                for part in location.parts() {
                    self.known(part, cx, blame)?;
                }
                let place = self.place(location, cx)?;
                let amount = self.given(*amount, cx, scale, blame)?;
                let held = self.amount_at(&cx.now.mask, &place);
                let is_field = matches!(place.resource, Resource::Field(_));
                if is_field {
                    // Before the mask changes, which amounts may look at.
                    let exists = self.where_positive(&amount, place.args[0].differs(var("null")));
                    self.body.assume(exists);
                }
                self.body.assign(&held, held.plus(amount));
                if is_field && !cx.any {
                    self.body.assume(held.at_most(one()));
                }
                Ok(())
            }
            ExprKind::ForallAcc { .. } => self.inhale_all(expr, cx, scale, blame),
            ExprKind::Wand { .. } => self.inhale_wand(expr, cx, blame),
            _ => self.unknown(self.id(expr), "this assertion is not supported by verification conditions"),
        }
    }
    /// Checks that an expression is defined, or assumes the facts that follow from definedness.
    pub fn known(&mut self, expr: ExprId, cx: &ExprContext, blame: Option<Blame>) -> Result<()> {
        match blame {
            Some(blame) => self.defined(expr, cx, blame),
            None => {
                let facts = self.facts(expr, cx)?;
                self.body.assume(facts);
                Ok(())
            }
        }
    }
    /// An amount that is given. Where amounts do not matter it is just positive or not.
    fn given(&mut self, amount: ExprId, cx: &ExprContext, scale: Option<&Expr>, blame: Option<Blame>) -> Result<Expr> {
        if matches!(self.program.kind(amount), ExprKind::Wildcard) {
            if cx.any {
                return Ok(one());
            }
            let some = self.fresh_part();
            self.body.assume(zero().less(&some));
            return Ok(some);
        }
        self.known(amount, cx, blame)?;
        let value = self.expr(amount, cx)?;
        if let (Some(blame), false) = (blame.or(cx.amounts), is_literal(&value)) {
            let property = blame.property(Reason::NegativePermission, self.id(amount));
            self.body.assert(value.at_least(zero()), property);
        }
        Ok(match cx.any {
            true if value.is_one() => value,
            true => conditional(value.greater(zero()), one(), zero()),
            false => scaled(&value, scale),
        })
    }

    /// Asserts the propositions of assertions and takes their permissions. Values are those from before.
    pub fn exhale(&mut self, clauses: &[(ExprId, Blame)], cx: &ExprContext, forget: bool, defined: bool) -> Result<()> {
        let before = St::named(&format!("at{}.", self.number()));
        self.copy(&cx.now, &before);
        self.exhale_from(clauses, cx, &before, forget, defined)
    }
    /// Exhales from a copy of the state.
    pub fn exhale_from(
        &mut self,
        clauses: &[(ExprId, Blame)],
        cx: &ExprContext,
        before: &St,
        forget: bool,
        defined: bool,
    ) -> Result<()> {
        let inner = ExprContext { now: before.clone(), left: cx.now.mask.clone(), assumed: false, ..cx.clone() };
        let mut lost = Resources::new();
        for (clause, blame) in clauses {
            let (blame, from) = (*blame, cx.now.clone());
            let mut exhaling = Exhaling { blame, defined, from, forget, lost: Resources::new() };
            self.take(*clause, &inner, None, &mut exhaling)?;
            lost.extend(exhaling.lost);
        }
        if forget {
            self.forget_inside(&cx.now, &lost);
        }
        Ok(())
    }
    /// Checks assertions without taking permission.
    pub fn check(&mut self, clauses: &[ExprId], cx: &ExprContext, blame: Blame, defined: bool) -> Result<()> {
        let impure = clauses.iter().any(|clause| !self.program.is_pure(*clause));
        let left = if impure && !cx.any {
            let copy = format!("chk{}.M.", self.number());
            self.copy_masks(&cx.now.mask, &copy);
            copy
        } else {
            cx.now.mask.clone()
        };
        let from = St { heap: cx.now.heap.clone(), mask: left.clone() };
        let inner = ExprContext { left, assumed: false, ..cx.clone() };
        for clause in clauses {
            let from = from.clone();
            let mut exhaling = Exhaling { blame, defined, from, forget: false, lost: Resources::new() };
            self.take(*clause, &inner, None, &mut exhaling)?;
        }
        Ok(())
    }
    pub fn take(&mut self, expr: ExprId, cx: &ExprContext, scale: Option<&Expr>, how: &mut Exhaling) -> Result<()> {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.take_kind(expr, cx, scale, how))
    }
    fn take_kind(&mut self, expr: ExprId, cx: &ExprContext, scale: Option<&Expr>, how: &mut Exhaling) -> Result<()> {
        let program = self.program;
        let id = self.id(expr);
        let blame = how.defined.then_some(how.blame);
        if let ExprKind::Binary(BinaryOp::And, left, right) = program.kind(expr) {
            self.take(*left, cx, scale, how)?;
            return self.take(*right, cx, scale, how);
        }
        if program.is_pure(expr) && !matches!(program.kind(expr), ExprKind::InhaleExhale(..)) {
            return self.demand_pure(expr, cx, how.blame, how.defined);
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                self.known(*condition, cx, blame)?;
                let condition = self.expr(*condition, cx)?;
                self.under(&condition, |encoder| encoder.take(*body, cx, scale, how))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.known(*condition, cx, blame)?;
                let condition = self.expr(*condition, cx)?;
                self.branch(&condition, |encoder, taken| {
                    encoder.take(if taken { *then } else { *otherwise }, cx, scale, how)
                })
            }
            ExprKind::Let { var, value, body } => {
                self.known(*value, cx, blame)?;
                let inner = self.bind(*var, *value, cx)?;
                self.take(*body, &inner, scale, how)
            }
            ExprKind::InhaleExhale(assumed, checked) => {
                self.take(if cx.assumed { *assumed } else { *checked }, cx, scale, how)
            }
            ExprKind::Acc { location, location_id, amount } => {
                for part in location.parts() {
                    self.known(part, cx, blame)?;
                }
                let place = self.place(location, cx)?;
                self.take_one(&place, *location_id, *amount, cx, scale, how)?;
                self.lose(location, how);
                Ok(())
            }
            ExprKind::ForallAcc { .. } => self.take_all(expr, cx, scale, how),
            ExprKind::Wand { .. } => self.take_wand(expr, cx, how),
            _ => self.unknown(id, "this assertion is not supported by verification conditions"),
        }
    }
    pub fn lose(&self, location: &Location, how: &mut Exhaling) {
        if let Location::Predicate { predicate, .. } = location {
            how.lost.extend(&self.behind.predicates[*predicate]);
        }
    }
    fn take_one(
        &mut self,
        place: &ResourceInstance,
        location_id: SyntaxId,
        amount: ExprId,
        cx: &ExprContext,
        scale: Option<&Expr>,
        how: &mut Exhaling,
    ) -> Result<()> {
        let held = self.amount_at(&how.from.mask, place);
        let lacking = how.blame.property(Reason::InsufficientPermission, location_id);
        let wildcard = matches!(self.program.kind(amount), ExprKind::Wildcard);
        if wildcard {
            self.body.assert(held.greater(zero()), lacking);
            if cx.any {
                return Ok(());
            }
            let part = self.fresh_part();
            self.body.assume(zero().less(&part).and(part.less(&held)));
            self.body.assign(&held, held.minus(part));
            return Ok(());
        }
        self.known(amount, cx, how.defined.then_some(how.blame))?;
        let written = self.expr(amount, cx)?;
        if !is_literal(&written) {
            let property = how.blame.property(Reason::NegativePermission, self.id(amount));
            self.body.assert(written.at_least(zero()), property);
        }
        if cx.any {
            let some = self.where_positive(&written, held.greater(zero()));
            self.body.assert(some, lacking);
            return Ok(());
        }
        let amount = scaled(&written, scale);
        if self.is_open(scale) {
            // However small a fraction is chosen, of nothing it is nothing.
            let some = self.where_positive(&written, held.greater(zero()));
            self.body.assert(some, lacking);
            let small = self.where_positive(&written, amount.less(&held));
            self.body.assume(small);
        } else {
            self.body.assert(held.at_least(&amount), lacking);
        }
        self.body.assign(&held, held.minus(amount));
        if how.forget {
            self.forget_one(place, &how.from);
        }
        Ok(())
    }
    /// Havocs a value whose permission is gone.
    pub fn forget_one(&mut self, place: &ResourceInstance, st: &St) {
        let ty = self.value_type(place.resource);
        let other = self.fresh("lost", &ty);
        let (value, held) = (self.value_at(st, place), self.amount_at(&st.mask, place));
        self.body.assign(&value, conditional(held.greater(zero()), &value, other));
    }
    /// Havocs the values of resources where no permission is held.
    pub fn forget_inside(&mut self, st: &St, lost: &Resources) {
        for resource in lost.clone() {
            let (heap, mask) = (self.heap_var(st, resource), self.mask_var(&st.mask, resource));
            let ty = self.map_types(resource).0;
            let other = self.fresh("lost", &ty);
            let (binders, keys) = self.key_binders(resource);
            let [held, value, kept] = [&mask, &heap, &other].map(|map| map.at(&keys));
            let same = held.greater(zero()).implies(kept.equals(value));
            self.body.assume(forall(&binders, vec![vec![kept]], same));
            self.body.assign(&heap, other);
        }
    }
    /// Variables for what locates an instance, as they are bound and as they are used.
    pub fn key_binders(&mut self, resource: Resource) -> (Vec<Binder>, Vec<Expr>) {
        let types = self.key_types(resource).into_iter().enumerate();
        let binders: Vec<Binder> = types.map(|(index, ty)| Binder::new(format!("k{index}'"), ty)).collect();
        let keys = binders.iter().map(Binder::var).collect();
        (binders, keys)
    }
    /// A proposition that need not hold where there is nothing.
    fn where_positive(&self, amount: &Expr, said: Expr) -> Expr {
        if self.is_positive(amount) { said } else { amount.greater(zero()).implies(said) }
    }
}

pub fn scaled(amount: &Expr, scale: Option<&Expr>) -> Expr {
    match scale {
        None => amount.clone(),
        Some(scale) if scale.is_one() => amount.clone(),
        Some(scale) if amount.is_one() => scale.clone(),
        Some(scale) => scale.times(amount),
    }
}
/// Amounts that are written as such are not negative.
pub fn is_literal(amount: &Expr) -> bool {
    amount.is_one() || amount.is_zero()
}
