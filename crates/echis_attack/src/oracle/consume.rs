//! Exhaling: checks the assertion and removes its permissions.

use super::eval::Amount;
use super::machine::Machine;
use super::state::{Checked, Resource, Run, State, Stop, View, held, known};
use super::value::{Ratio, Value};
use echis_program::program::{BinaryOp, ExprId, ExprKind, PredicateId};

impl Machine<'_> {
    /// Exhales assertions, reading values in the state before.
    pub fn exhale(&mut self, assertions: &[ExprId]) -> Run<()> {
        let before = View::of(&self.state, Checked::Yes);
        assertions.iter().try_for_each(|assertion| self.consume(*assertion, Ratio::ONE, &before))
    }

    /// Checks an assertion in a state that is discarded afterwards.
    pub fn assert_in(&mut self, assertion: ExprId, view: &View) -> Run<()> {
        let kept = self.state.clone();
        let around = self.around.clone();
        self.state = State { heap: view.heap.clone(), mask: view.perms.clone(), wands: kept.wands.clone() };
        let result = self.consume(assertion, Ratio::ONE, view);
        // In a package, permissions taken from an outer state remain taken.
        if self.around.is_empty() {
            self.state = kept;
            self.around = around;
            return result;
        }
        self.state = kept;
        let taken = self.taken(&around);
        known(self.state.add_all(&known(taken)?))?;
        result
    }

    fn taken(&self, before: &[State]) -> Option<super::state::Mask> {
        let mut taken = super::state::Mask::new();
        for (now, before) in self.around.iter().zip(before) {
            for (resource, amount) in now.given_since(&before.mask)? {
                let sum = super::state::held(&taken, &resource).add(amount)?;
                taken.insert(resource, sum);
            }
        }
        Some(taken)
    }

    /// Removes the permissions of an assertion from the current state. Values are read in `before`.
    pub fn consume(&mut self, assertion: ExprId, scale: Ratio, before: &View) -> Run<()> {
        self.nested(|machine| machine.consume_kind(assertion, scale, before))
    }

    fn consume_kind(&mut self, assertion: ExprId, scale: Ratio, before: &View) -> Run<()> {
        let at = self.program.expr(assertion).id;
        let mut view = View { perms: self.copy_mask(), ..before.clone() };
        if !self.around.is_empty() {
            // Permissions taken from outer states may be read as well.
            view.reads = std::rc::Rc::new(joined(&before.reads, &self.state.mask));
        }
        match self.program.kind(assertion) {
            ExprKind::InhaleExhale(_, checked) => self.consume(*checked, scale, before),
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.consume(*left, scale, before)?;
                self.consume(*right, scale, before)
            }
            _ if self.program.is_pure(assertion) && !self.is_one_sided(assertion) => {
                if self.truth(assertion, &view)? {
                    Ok(())
                } else {
                    self.violated("an assertion does not hold", at)
                }
            }
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                if self.truth(*left, &view)? {
                    self.consume(*right, scale, before)
                } else {
                    Ok(())
                }
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if self.truth(*condition, &view)? { *then } else { *otherwise };
                self.consume(chosen, scale, before)
            }
            ExprKind::Let { var, value, body } => {
                let value = self.eval(*value, &view)?;
                self.frame.store.insert(*var, value);
                self.consume(*body, scale, before)
            }
            ExprKind::Acc { location, amount, .. } => {
                let resource = self.resource(location, &view)?;
                let amount = self.amount(*amount, &view)?;
                self.lose(resource, amount, scale, assertion)
            }
            ExprKind::ForallAcc { vars, condition, location, amount, .. } => {
                let (location, amount) = (location.clone(), *amount);
                for (resource, amount) in self.each_instance(vars, *condition, &location, amount, assertion, &view)? {
                    self.lose(resource, amount, scale, assertion)?;
                }
                Ok(())
            }
            ExprKind::Wand { .. } => {
                let resource = Resource::Wand(self.shape(assertion, &view)?);
                self.lose(resource, Amount::Exactly(Ratio::ONE), Ratio::ONE, assertion)
            }
            _ => Err(Stop::Unknown("an assertion of this form")),
        }
    }

    pub fn lose(&mut self, resource: Resource, amount: Amount, scale: Ratio, assertion: ExprId) -> Run<()> {
        let at = self.program.expr(assertion).id;
        let have = self.state.held(&resource);
        let amount = match amount {
            Amount::Exactly(amount) if amount.is_negative() => return self.violated("an amount is negative", at),
            Amount::Exactly(amount) => known(amount.mul(scale))?,
            Amount::Wildcard if have.is_positive() => {
                let part = *self.random.pick(&[2, 3, 10]);
                known(have.mul(known(Ratio::new(1, part))?))?
            }
            Amount::Wildcard if !self.around.is_empty() => return Err(Stop::Unknown("a wildcard inside a package")),
            Amount::Wildcard => return self.violated("permission is missing", at),
        };
        let have = self.pull(&resource, have, amount)?;
        if have < amount {
            return self.violated("permission is missing", at);
        }
        if let Resource::Wand(shape) = &resource
            && let wands = std::rc::Rc::make_mut(&mut self.state.wands)
            && let Some(closures) = wands.get_mut(shape)
        {
            closures.pop();
        }
        let left = known(have.sub(amount))?;
        self.state.set_held(resource, left);
        Ok(())
    }

    /// In a package, takes missing permissions from the outer states, innermost first.
    fn pull(&mut self, resource: &Resource, have: Ratio, wanted: Ratio) -> Run<Ratio> {
        let mut have = have;
        for index in (0..self.around.len()).rev() {
            let missing = known(wanted.sub(have))?;
            if !missing.is_positive() {
                break;
            }
            if matches!(resource, Resource::Wand(_)) {
                return Err(Stop::Unknown("a wand that is taken from around"));
            }
            let there = self.around[index].held(resource);
            let taken = there.min(missing);
            if !taken.is_positive() {
                continue;
            }
            if let Resource::Field(object, field) = resource
                && self.around[index].heap.get(&(*object, *field)) != self.state.heap.get(&(*object, *field))
            {
                // The left-hand side and the outer state disagree on the value, so they cannot both be owned.
                return Err(Stop::Infeasible);
            }
            // The whole amount taken is owned together with the left-hand side, even if part of it was given away
            // since.
            let all = known(held(&self.taken, resource).add(taken))?;
            let left = self.frame.lhs.as_ref().map_or(Ratio::ZERO, |lhs| lhs.held(resource));
            if matches!(resource, Resource::Field(..)) && known(left.add(all))? > Ratio::ONE {
                return Err(Stop::Infeasible);
            }
            self.taken.insert(resource.clone(), all);
            let sum = known(have.add(taken))?;
            let left = known(there.sub(taken))?;
            self.around[index].set_held(resource.clone(), left);
            have = sum;
            self.state.set_held(resource.clone(), have);
        }
        Ok(have)
    }

    /// Removes the body of a predicate.
    pub fn consume_body(&mut self, predicate: PredicateId, args: &[Value], scale: Ratio) -> Run<()> {
        let Some(body) = self.program.predicates[predicate].body else {
            return Err(Stop::Unknown("a predicate without a body"));
        };
        let store = self.predicate_store(predicate, args);
        let before = View::of(&self.state, Checked::Yes);
        self.with_store(store, |machine| machine.consume(body, scale, &before))
    }
}

fn joined(left: &super::state::Mask, right: &super::state::Mask) -> super::state::Mask {
    let mut joined = left.clone();
    for (resource, amount) in right {
        let entry = joined.entry(resource.clone()).or_insert(*amount);
        *entry = (*entry).max(*amount);
    }
    joined
}
