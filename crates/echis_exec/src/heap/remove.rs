//! Removing permission to one location: from the chunk that definitely is the location, or from all that may be it.

use crate::heap::branch::Guard;
use crate::heap::missing::Lacking;
use crate::heap::single::{Amount, Demand};
use crate::heap::{Layer, Memory};
use crate::state::{Chunk, Cx, State, Step};
use crate::tree::recover::Obliged;
use echis_proof::{Bound, CheckId, Question, Rule};
use echis_term::{Made, TermId};

/// The result of a removal.
pub(crate) struct Removed {
    /// Its value, or `unit` where the amount is zero.
    pub snapshot: TermId,
    /// The check that permission was held, if one was needed.
    pub check: Option<CheckId>,
}

/// The value found by a removal, and its check.
struct Taken {
    value: TermId,
    check: Option<CheckId>,
}

impl Memory<'_> {
    /// Removes permission that must be there.
    pub fn remove(&mut self, st: &mut State, demand: &Demand, cx: &Cx) -> Step<Removed> {
        let Demand { location, amount, .. } = demand;
        if !self.context.amounts_matter() {
            let snapshot = self.read_amount(st, demand, cx)?;
            return Ok(Removed { snapshot, check: None });
        }
        if !st.levels.is_empty() {
            self.transfer(st, location, *amount, cx)?;
        }
        if self.writer.is_quantified(location.resource) {
            let snapshot = self.quantified_remove_single(st, demand, cx)?;
            return Ok(Removed { snapshot, check: None });
        }
        let before = st.is_dead().then(|| st.running_heap().clone());
        let Taken { value, check } = match *amount {
            Amount::Exact(amount) => self.remove_exact(st, demand, amount, cx)?,
            Amount::Wildcard(amount) => self.remove_wildcard(st, demand, amount, cx)?,
        };
        if let Some(before) = before
            && before.of(location.resource).next().is_some()
            && check.is_some_and(|check| self.writer.is_vacuous(check))
        {
            *st.running_heap_mut() = before;
        }
        Ok(Removed { snapshot: self.taken_snapshot(value, *amount), check })
    }
    /// The snapshot of a location with a given value from which an amount is taken.
    pub fn taken_snapshot(&mut self, value: TermId, amount: Amount) -> TermId {
        let snapshot = self.writer.terms().wrap(value);
        match amount {
            Amount::Wildcard(_) => snapshot,
            Amount::Exact(amount) => {
                let positive = self.writer.terms().positive(amount);
                let unit = self.writer.terms().unit();
                self.writer.terms().ite(positive, snapshot, unit)
            }
        }
    }
    /// Reads a demand in a function, where nothing is removed: the location must be readable if the amount is
    /// positive.
    fn read_amount(&mut self, st: &mut State, demand: &Demand, cx: &Cx) -> Step<TermId> {
        let amount = demand.amount.term();
        let positive = self.writer.terms().positive(amount);
        let unit = self.writer.terms().unit();
        let value = self.under(st, Guard::of(positive, demand.obligation.property.offending), cx, |executor, st| {
            executor.lookup(st, &demand.location, demand.obligation, cx)
        })?;
        Ok(match value {
            Some(value) => {
                let value = self.writer.terms().wrap(value);
                self.writer.terms().ite(positive, value, unit)
            }
            None => unit,
        })
    }
    fn remove_exact(&mut self, st: &mut State, demand: &Demand, amount: TermId, cx: &Cx) -> Step<Taken> {
        let chunks = st.running_heap().chunks.clone();
        if let Some(index) = self.find(st, &chunks, &demand.location, cx) {
            let chunk = chunks[index].clone();
            let enough = self.writer.tree.terms.le(amount, chunk.perm);
            if self.writer.probe(st, enough, Question::Other, Bound::Quick, cx) {
                self.writer.use_chunk(st, &chunk, None, Some(amount), cx);
                self.separate(st, &chunks, index, cx)?;
                if amount == chunk.perm {
                    self.keep_agreement(st, &chunks, index, cx)?;
                }
                self.take_from(st, index, amount, cx)?;
                return Ok(Taken { value: chunk.value, check: None });
            }
        }
        self.remove_from_all(st, demand, amount, cx)
    }
    /// Reduces the amount of a chunk, dropping it when nothing is left.
    pub fn take_from(&mut self, st: &mut State, index: usize, amount: TermId, cx: &Cx) -> Step<()> {
        let chunk = st.running_heap().chunks[index].clone();
        let left = self.writer.tree.terms.sub(chunk.perm, amount);
        let zero = self.writer.terms().no_perm();
        let depleted = self.writer.terms().eq(left, zero);
        if self.writer.probe_empty(st, depleted, chunk.resource, Bound::Quick, cx) {
            self.writer.leave(st.at, st.running_heap_mut(), index, None, cx);
            return Ok(());
        }
        // Large amounts get a name, so that a chain of removals stays linear.
        let left = self.named_amount(st, Made::Left, left, chunk.grant, cx);
        self.leaves_nonnegative(st, left, cx)?;
        self.writer.leave(st.at, st.running_heap_mut(), index, Some(left), cx);
        Ok(())
    }
    /// Removes the amount from all chunks that may be the location.
    fn remove_from_all(&mut self, st: &mut State, demand: &Demand, amount: TermId, cx: &Cx) -> Step<Taken> {
        let Demand { location, obligation, .. } = demand;
        let chunks = st.running_heap().chunks.clone();
        let candidates = self.candidates(&chunks, location);
        let zero = self.writer.terms().no_perm();
        let held: Vec<Chunk> = candidates.iter().map(|candidate| chunks[candidate.index].clone()).collect();
        // The sum is checked first: it is a single question, and its failure is the error.
        let sum = self.permission_sum(&held, location);
        let goal = self.writer.terms().le(amount, sum);
        let obliged = self.hold(st, &held, *obligation, cx, |executor, chunks| {
            let sum = executor.permission_sum(chunks, location);
            executor.writer.terms().le(amount, sum)
        })?;
        // Removals after a failure are marked as such: permission missing later may be missing because of them.
        let name = if matches!(obliged, Obliged::Holds(_)) { Made::Taken } else { Made::Recovered };
        let check = Some(obliged.check());
        let value = match obliged {
            Obliged::Holds(_) => self.summary(st, &candidates, location.resource, cx)?,
            Obliged::Failed(lack) => {
                let lacking = Lacking { amount, available: sum, candidates: &candidates, lack };
                if self.recover_through_aliases(st, goal, &lacking, cx)? {
                    self.summary(st, &candidates, location.resource, cx)?
                } else if self.assume_apart(st, &candidates, lack, cx) {
                    let lacking = Lacking { amount, available: zero, candidates: &[], lack };
                    let value = self.recover_removal(st, location, &lacking, cx)?;
                    return Ok(Taken { value, check });
                } else {
                    self.recover_removal(st, location, &lacking, cx)?
                }
            }
        };
        let mut needed = amount;
        for candidate in candidates.iter().rev() {
            let most = self.writer.terms().min(candidate.perm, needed);
            let taken = self.writer.terms().ite(candidate.equal, most, zero);
            let taken = self.named_amount(st, name, taken, candidate.grant, cx);
            self.separate(st, &chunks, candidate.index, cx)?;
            self.take_from(st, candidate.index, taken, cx)?;
            needed = self.writer.terms().sub(needed, taken);
        }
        Ok(Taken { value, check })
    }
    fn remove_wildcard(&mut self, st: &mut State, demand: &Demand, amount: TermId, cx: &Cx) -> Step<Taken> {
        let Demand { location, obligation, .. } = demand;
        let chunks = st.running_heap().chunks.clone();
        if let Some(index) = self.find(st, &chunks, &demand.location, cx) {
            let chunk = chunks[index].clone();
            let positive = self.writer.tree.terms.positive(chunk.perm);
            if self.writer.probe(st, positive, Question::Positive, Bound::Quick, cx) {
                self.writer.use_chunk(st, &chunk, None, None, cx);
                let smaller = self.writer.tree.terms.lt(amount, chunk.perm);
                self.writer.assume_presuming(st, smaller, positive, Rule::Wildcard, cx)?;
                self.separate(st, &chunks, index, cx)?;
                let left = self.writer.tree.terms.sub(chunk.perm, amount);
                self.writer.leave(st.at, st.running_heap_mut(), index, Some(left), cx);
                return Ok(Taken { value: chunk.value, check: None });
            }
        }
        let candidates = self.candidates(&chunks, location);
        let obliged = self.oblige_some(st, &chunks, &candidates, location, *obligation, cx)?;
        let check = Some(obliged.check());
        if let Obliged::Failed(lack) = obliged {
            let value = self.recover_wildcard(st, location, amount, &candidates, lack, cx)?;
            return Ok(Taken { value, check });
        }
        let value = self.summary(st, &candidates, location.resource, cx)?;
        let zero = self.writer.terms().no_perm();
        let sort = self.writer.terms().perm_sort();
        let mut parts = Vec::new();
        for candidate in &candidates {
            // Some but not all is taken from each chunk that is the location.
            let part = self.writer.fresh(st, Made::Wildcard, sort);
            let some = self.writer.terms().positive(part);
            let rest = self.writer.terms().lt(part, candidate.perm);
            let within = self.writer.terms().and([some, rest]);
            let positive = self.writer.terms().positive(candidate.perm);
            let guard = self.writer.terms().and([candidate.equal, positive]);
            let none = self.writer.terms().eq(part, zero);
            let fact = self.writer.terms().ite(guard, within, none);
            self.writer.assume_rule(st, fact, Rule::Wildcard, cx)?;
            let left = self.writer.tree.terms.sub(candidate.perm, part);
            self.writer.leave(st.at, st.running_heap_mut(), candidate.index, Some(left), cx);
            parts.push(part);
        }
        self.takes_in_parts(st, amount, parts, cx)?;
        Ok(Taken { value, check })
    }
    /// States that removing an amount that was proved to be there leaves a nonnegative amount. Explanations use the
    /// proof that it was there instead.
    pub fn leaves_nonnegative(&mut self, st: &mut State, left: TermId, cx: &Cx) -> Step<()> {
        let zero = self.writer.terms().no_perm();
        let nonnegative = self.writer.terms().le(zero, left);
        self.writer.assume_presuming(st, nonnegative, nonnegative, Rule::PermissionBound, cx)
    }
    /// States that a wildcard amount consists of these parts, given that some of them are positive.
    pub fn takes_in_parts(&mut self, st: &mut State, amount: TermId, parts: Vec<TermId>, cx: &Cx) -> Step<()> {
        let total = self.writer.terms().sum(parts);
        let some = self.writer.terms().positive(total);
        let equal = self.writer.terms().eq(amount, total);
        self.writer.assume_presuming(st, equal, some, Rule::Wildcard, cx)
    }
}
