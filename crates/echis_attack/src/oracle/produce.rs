//! Inhaling: adds permissions, chooses arbitrary values for new locations, and abandons executions in which the
//! assertion is false.

use super::eval::Amount;
use super::machine::{Fresh, Machine};
use super::state::{Checked, Mask, Resource, Run, Stop, View, held, known};
use super::value::{Ratio, Value};
use echis_program::program::{BinaryOp, ExprId, ExprKind, FieldId, Location, PredicateId};
use std::collections::BTreeSet;

/// Number of attempts to draw arbitrary values that satisfy an assertion.
const ATTEMPTS: usize = 24;
/// Maximum nesting of predicates.
const NESTED: usize = 12;

impl Machine<'_> {
    /// Inhales assertions, drawing arbitrary values until they hold.
    pub fn inhale(&mut self, assertions: &[ExprId], checked: Checked) -> Run<()> {
        let owned = self.owned()?;
        self.inhale_beside(owned, assertions, checked)
    }

    /// Inhales assertions, keeping the values of owned locations.
    pub fn inhale_beside(
        &mut self,
        owned: BTreeSet<(u32, FieldId)>,
        assertions: &[ExprId],
        checked: Checked,
    ) -> Run<()> {
        let before = self.state.clone();
        for _ in 0..ATTEMPTS {
            self.fresh = Some(Fresh { owned: owned.clone(), touched: BTreeSet::new() });
            let one = Ratio::ONE;
            let result = assertions.iter().try_for_each(|assertion| self.produce(*assertion, one, checked));
            let touched = self.fresh.take().is_some_and(|fresh| !fresh.touched.is_empty());
            match result.and_then(|()| self.settle()) {
                Err(Stop::Infeasible) if touched => self.state = before.clone(),
                result => return result,
            }
        }
        Err(Stop::Infeasible)
    }

    pub fn produce(&mut self, assertion: ExprId, scale: Ratio, checked: Checked) -> Run<()> {
        self.nested(|machine| machine.produce_kind(assertion, scale, checked))
    }

    fn produce_kind(&mut self, assertion: ExprId, scale: Ratio, checked: Checked) -> Run<()> {
        let view = View::of(&self.state, checked);
        match self.program.kind(assertion) {
            ExprKind::InhaleExhale(assumed, _) => self.produce(*assumed, scale, checked),
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.produce(*left, scale, checked)?;
                self.produce(*right, scale, checked)
            }
            _ if self.program.is_pure(assertion) && !self.is_one_sided(assertion) => {
                if self.truth(assertion, &view)? {
                    Ok(())
                } else {
                    Err(Stop::Infeasible)
                }
            }
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                if self.truth(*left, &view)? {
                    self.produce(*right, scale, checked)
                } else {
                    Ok(())
                }
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if self.truth(*condition, &view)? { *then } else { *otherwise };
                self.produce(chosen, scale, checked)
            }
            ExprKind::Let { var, value, body } => {
                let value = self.eval(*value, &view)?;
                self.frame.store.insert(*var, value);
                self.produce(*body, scale, checked)
            }
            ExprKind::Acc { location, amount, .. } => {
                let resource = self.resource(location, &view)?;
                let amount = self.amount(*amount, &view)?;
                self.gain(resource, amount, scale, assertion)
            }
            ExprKind::ForallAcc { vars, condition, location, amount, .. } => {
                let (location, amount) = (location.clone(), *amount);
                for (resource, amount) in self.each_instance(vars, *condition, &location, amount, assertion, &view)? {
                    self.gain(resource, amount, scale, assertion)?;
                }
                Ok(())
            }
            ExprKind::Wand { .. } => {
                let resource = Resource::Wand(self.shape(assertion, &view)?);
                let sum = known(self.state.held(&resource).add(Ratio::ONE))?;
                self.state.set_held(resource, sum);
                Ok(())
            }
            _ => Err(Stop::Unknown("an assertion of this form")),
        }
    }

    /// The instances of a quantified permission. Checks that their locations are distinct.
    pub fn each_instance(
        &mut self,
        vars: &[echis_program::program::LocalId],
        condition: ExprId,
        location: &Location,
        amount: ExprId,
        assertion: ExprId,
        view: &View,
    ) -> Run<Vec<(Resource, Amount)>> {
        let mut instances = Vec::new();
        let mut seen = BTreeSet::new();
        for store in self.instances(vars, condition, view)? {
            let (resource, amount) = self
                .with_store(store, |machine| Ok((machine.resource(location, view)?, machine.amount(amount, view)?)))?;
            if amount.is_positive() && !seen.insert(resource.clone()) {
                return match view.checked {
                    Checked::Yes => self.violated("two instances are one location", self.program.expr(assertion).id),
                    Checked::No => Err(Stop::Infeasible),
                };
            }
            instances.push((resource, amount));
        }
        Ok(instances)
    }

    fn gain(&mut self, resource: Resource, amount: Amount, scale: Ratio, at: ExprId) -> Run<()> {
        let have = self.state.held(&resource);
        let is_wildcard = matches!(amount, Amount::Wildcard);
        let amount = match amount {
            Amount::Exactly(amount) if amount.is_negative() => {
                return self.violated("an amount is negative", self.program.expr(at).id);
            }
            Amount::Exactly(amount) => known(amount.mul(scale))?,
            Amount::Wildcard => {
                let room =
                    if matches!(resource, Resource::Field(..)) { known(Ratio::ONE.sub(have))? } else { Ratio::ONE };
                let part = *self.random.pick(&[2, 3, 10]);
                known(known(room.mul(scale))?.mul(known(Ratio::new(1, part))?))?
            }
        };
        if !amount.is_positive() {
            // No permission is added. A wildcard is infeasible if the full permission is already held.
            return if is_wildcard { Err(Stop::Infeasible) } else { Ok(()) };
        }
        let sum = known(have.add(amount))?;
        if let Resource::Field(object, field) = resource {
            if object == 0 || sum > Ratio::ONE {
                return Err(Stop::Infeasible);
            }
            self.forget(object, field)?;
        }
        self.state.set_held(resource.clone(), sum);
        if let (Resource::Predicate(predicate, args), Some(_)) = (&resource, &self.fresh) {
            self.fill(*predicate, args, NESTED)?;
        }
        Ok(())
    }

    /// Assigns an arbitrary value, possibly the old one, to a location that is not owned.
    fn forget(&mut self, object: u32, field: FieldId) -> Run<()> {
        let Some(fresh) = &mut self.fresh else { return Ok(()) };
        if fresh.owned.contains(&(object, field)) || !fresh.touched.insert((object, field)) {
            return Ok(());
        }
        if self.random.once_in(3) {
            return Ok(());
        }
        let value = self.arbitrary(&self.program.fields[field].ty)?;
        self.state.write(object, field, value);
        Ok(())
    }

    /// Assigns arbitrary values to the locations owned by a predicate, except those owned before.
    fn fill(&mut self, predicate: PredicateId, args: &[Value], depth: usize) -> Run<()> {
        let Some(body) = self.program.predicates[predicate].body else { return Ok(()) };
        if depth == 0 {
            return Err(Stop::Infeasible);
        }
        let store = self.predicate_store(predicate, args);
        self.with_store(store, |machine| machine.fill_body(body, depth))
    }

    fn fill_body(&mut self, assertion: ExprId, depth: usize) -> Run<()> {
        if self.program.is_pure(assertion) {
            return Ok(());
        }
        let view = View::of(&self.state, Checked::No);
        match self.program.kind(assertion) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.fill_body(*left, depth)?;
                self.fill_body(*right, depth)
            }
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                if self.truth(*left, &view)? {
                    self.fill_body(*right, depth)
                } else {
                    Ok(())
                }
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if self.truth(*condition, &view)? { *then } else { *otherwise };
                self.fill_body(chosen, depth)
            }
            ExprKind::Acc { location, amount, .. } => {
                let amount = self.amount(*amount, &view)?;
                let resource = self.resource(location, &view)?;
                self.fill_resource(resource, amount, depth)
            }
            ExprKind::ForallAcc { vars, condition, location, amount, .. } => {
                let (location, amount) = (location.clone(), *amount);
                for (resource, amount) in self.each_instance(vars, *condition, &location, amount, assertion, &view)? {
                    self.fill_resource(resource, amount, depth)?;
                }
                Ok(())
            }
            _ => Err(Stop::Unknown("a predicate's body of this form")),
        }
    }

    fn fill_resource(&mut self, resource: Resource, amount: Amount, depth: usize) -> Run<()> {
        match resource {
            _ if !amount.is_positive() => Ok(()),
            Resource::Field(object, field) if object != 0 => self.forget(object, field),
            Resource::Predicate(predicate, args) => self.fill(predicate, &args, depth - 1),
            _ => Err(Stop::Infeasible),
        }
    }

    /// Adds the body of an unfolded predicate.
    pub fn produce_body(&mut self, predicate: PredicateId, args: &[Value], scale: Ratio) -> Run<()> {
        let Some(body) = self.program.predicates[predicate].body else {
            return Err(Stop::Unknown("a predicate without a body"));
        };
        let store = self.predicate_store(predicate, args);
        self.with_store(store, |machine| machine.produce(body, scale, Checked::No))
    }

    /// Checks that the state can occur in an execution: no location is owned more than once, whether directly or
    /// through predicates and wands, and predicate bodies hold. Other states say nothing about soundness.
    pub fn settle(&mut self) -> Run<()> {
        let total = self.total()?;
        let fields = total.iter().filter(|(resource, _)| matches!(resource, Resource::Field(..)));
        if fields.into_iter().any(|(_, amount)| *amount > Ratio::ONE) { Err(Stop::Infeasible) } else { Ok(()) }
    }

    pub fn owned(&mut self) -> Run<BTreeSet<(u32, FieldId)>> {
        let total = self.total()?;
        let fields = total.into_keys().filter_map(|resource| match resource {
            Resource::Field(object, field) => Some((object, field)),
            _ => None,
        });
        Ok(fields.collect())
    }

    /// All permissions owned, with predicates expanded to their bodies and wands to their footprints.
    fn total(&mut self) -> Run<Mask> {
        let kept = (self.state.clone(), self.fresh.take());
        let result = self.expand();
        let total = std::mem::replace(&mut self.state, kept.0).mask;
        self.fresh = kept.1;
        result.map(|()| (*total).clone())
    }

    fn expand(&mut self) -> Run<()> {
        let footprints: Vec<Mask> =
            self.state.wands.values().flatten().map(|closure| closure.footprint.clone()).collect();
        for footprint in &footprints {
            known(self.state.add_all(footprint))?;
        }
        for _ in 0..NESTED {
            let program = self.program;
            let has_body = |resource: &Resource| match resource {
                Resource::Predicate(predicate, _) => program.predicates[*predicate].body.is_some(),
                _ => false,
            };
            let folded: Vec<Resource> = self.state.mask.keys().filter(|resource| has_body(resource)).cloned().collect();
            if folded.is_empty() {
                return Ok(());
            }
            for resource in folded {
                let amount = held(&self.state.mask, &resource);
                self.state.set_held(resource.clone(), Ratio::ZERO);
                if let Resource::Predicate(predicate, args) = resource {
                    self.produce_body(predicate, &args, amount)?;
                }
            }
        }
        Err(Stop::Infeasible)
    }
}
