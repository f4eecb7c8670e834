//! Inhale and exhale.

use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result, St};
use crate::resource::{Resource, Resources};
use crate::write::Blame;
use echis_base::SyntaxId;
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
    /// Adds the permissions of an assertion to the state of the context and assumes its propositions. With an origin,
    /// definedness is checked; otherwise it is known. Amounts are multiplied by the scale.
    pub fn inhale(&mut self, expr: ExprId, cx: &ExprContext, scale: Option<&str>, blame: Option<Blame>) -> Result<()> {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.inhale_kind(expr, cx, scale, blame))
    }
    fn inhale_kind(&mut self, expr: ExprId, cx: &ExprContext, scale: Option<&str>, blame: Option<Blame>) -> Result<()> {
        let program = self.program;
        if let ExprKind::Binary(BinaryOp::And, left, right) = program.kind(expr) {
            self.inhale(*left, cx, scale, blame)?;
            return self.inhale(*right, cx, scale, blame);
        }
        if program.is_pure(expr) {
            let cx = &self.prepared(expr, cx, blame)?;
            self.known(expr, cx, blame)?;
            let text = self.expr(expr, cx)?;
            self.body.assume(&text);
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
                    // Evaluated before the mask changes, since amounts may depend on it.
                    let positive = if is_positive(&amount) { String::new() } else { format!("{amount} > 0.0 ==> ") };
                    self.body.assume(&format!("{positive}{} != null", place.args[0]));
                }
                self.body.line(format!("{held} := {held} + {amount};"));
                if is_field && !cx.any {
                    self.body.assume(&format!("{held} <= 1.0"));
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
                self.body.assume(&facts);
                Ok(())
            }
        }
    }
    /// An inhaled amount. If amounts do not matter, it is just positive or zero.
    fn given(&mut self, amount: ExprId, cx: &ExprContext, scale: Option<&str>, blame: Option<Blame>) -> Result<String> {
        if matches!(self.program.kind(amount), ExprKind::Wildcard) {
            if cx.any {
                return Ok("1.0".into());
            }
            let some = self.fresh("part", "real");
            self.body.assume(&format!("0.0 < {some}"));
            return Ok(some);
        }
        self.known(amount, cx, blame)?;
        let text = self.expr(amount, cx)?;
        if let (Some(blame), false) = (blame.or(cx.amounts), is_literal(&text)) {
            let property = blame.property(Reason::NegativePermission, self.id(amount));
            self.body.assert(&format!("{text} >= 0.0"), property);
        }
        Ok(match (cx.any, &*text) {
            (true, "1.0") => text,
            (true, _) => format!("(if {text} > 0.0 then 1.0 else 0.0)"),
            (false, _) => scaled(&text, scale),
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
    pub fn take(&mut self, expr: ExprId, cx: &ExprContext, scale: Option<&str>, how: &mut Exhaling) -> Result<()> {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.take_kind(expr, cx, scale, how))
    }
    fn take_kind(&mut self, expr: ExprId, cx: &ExprContext, scale: Option<&str>, how: &mut Exhaling) -> Result<()> {
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
        scale: Option<&str>,
        how: &mut Exhaling,
    ) -> Result<()> {
        let held = self.amount_at(&how.from.mask, place);
        let lacking = how.blame.property(Reason::InsufficientPermission, location_id);
        let wildcard = matches!(self.program.kind(amount), ExprKind::Wildcard);
        if wildcard {
            self.body.assert(&format!("{held} > 0.0"), lacking);
            if cx.any {
                return Ok(());
            }
            let part = self.fresh("part", "real");
            self.body.assume(&format!("0.0 < {part} && {part} < {held}"));
            self.body.line(format!("{held} := {held} - {part};"));
            return Ok(());
        }
        self.known(amount, cx, how.defined.then_some(how.blame))?;
        let text = self.expr(amount, cx)?;
        if !is_literal(&text) {
            let property = how.blame.property(Reason::NegativePermission, self.id(amount));
            self.body.assert(&format!("{text} >= 0.0"), property);
        }
        if cx.any {
            let positive = if is_positive(&text) { String::new() } else { format!("{text} > 0.0 ==> ") };
            self.body.assert(&format!("{positive}{held} > 0.0"), lacking);
            return Ok(());
        }
        let amount = scaled(&text, scale);
        if is_open(scale) {
            // Any fraction of nothing is nothing.
            let positive = if is_positive(&text) { String::new() } else { format!("{text} > 0.0 ==> ") };
            self.body.assert(&format!("{positive}{held} > 0.0"), lacking);
            self.body.assume(&format!("{positive}{amount} < {held}"));
        } else {
            self.body.assert(&format!("{held} >= {amount}"), lacking);
        }
        self.body.line(format!("{held} := {held} - {amount};"));
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
        self.body.line(format!("{value} := (if {held} > 0.0 then {value} else {other});"));
    }
    /// Havocs the values of resources where no permission is held.
    pub fn forget_inside(&mut self, st: &St, lost: &Resources) {
        for resource in lost.clone() {
            let (heap, mask) = (self.heap_var(st, resource), self.mask_var(&st.mask, resource));
            let ty = self.map_types(resource).0;
            let other = self.fresh("lost", &ty);
            let (binders, keys) = self.key_binders(resource);
            let same = format!("{mask}[{keys}] > 0.0 ==> {other}[{keys}] == {heap}[{keys}]");
            self.body.assume(&format!("(forall {binders} :: {{{other}[{keys}]}} {same})"));
            self.body.line(format!("{heap} := {other};"));
        }
    }
    /// `k0: Ref, k1: int` and `k0, k1`
    pub fn key_binders(&mut self, resource: Resource) -> (String, String) {
        let types = self.key_types(resource);
        let binders: Vec<String> = types.iter().enumerate().map(|(index, ty)| format!("k{index}': {ty}")).collect();
        let keys: Vec<String> = (0..types.len()).map(|index| format!("k{index}'")).collect();
        (binders.join(", "), keys.join(", "))
    }
}

pub fn scaled(amount: &str, scale: Option<&str>) -> String {
    match scale {
        None | Some("1.0") => amount.to_string(),
        Some(scale) if amount == "1.0" => scale.to_string(),
        Some(scale) => format!("({scale} * {amount})"),
    }
}
/// Whether the scale may be chosen arbitrarily small.
pub fn is_open(scale: Option<&str>) -> bool {
    scale.is_some_and(|scale| scale.starts_with("open~"))
}
/// Amounts that are written as such are nonnegative.
pub fn is_literal(amount: &str) -> bool {
    matches!(amount, "1.0" | "0.0")
}
pub fn is_positive(amount: &str) -> bool {
    amount == "1.0" || amount.starts_with("part~")
}
