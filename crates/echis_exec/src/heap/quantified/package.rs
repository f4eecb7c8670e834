//! Quantified permissions while a wand is packaged: missing permission is taken from the surrounding heaps, for one
//! location or for all locations of an access at once. Amounts taken from a chunk are functions of the canonical
//! variables, like the chunk's own amount, and never exceed it, even on infeasible paths.

use super::access::QuantifiedAccess;
use super::inverse::Inverse;
use crate::heap::Memory;
use crate::heap::single::Amount;
use crate::state::{Chunk, Cx, Location, Resource, State, Step};
use crate::tree::keys::{Keys, singleton};
use echis_proof::{Bound, Premise, Question};
use echis_term::{QuantifierRole, Rational, TermId};

impl Memory<'_> {
    /// Before permission to one location is removed: takes what is missing, as far as available.
    pub fn transfer_location(&mut self, st: &mut State, location: &Location, amount: Amount, cx: &Cx) -> Step<()> {
        let keys = self.writer.keys(location.resource, &location.args);
        let chunks = self.writer.chunks_of(st.running_heap(), location.resource);
        let perms: Vec<TermId> = chunks.iter().map(|(_, chunk)| self.writer.perm_at(chunk, &location.args)).collect();
        let have = perms
            .iter()
            .fold(self.writer.tree.terms.no_perm(), |sum, perm| super::perms::total(self.writer.terms(), sum, *perm));
        let (mut missing, wildcard) = match amount {
            Amount::Exact(amount) => {
                let enough = super::perms::suffice(self.writer.terms(), &perms, amount);
                if self.writer.probe(st, enough, Question::Other, Bound::Quick, cx) {
                    return Ok(());
                }
                (self.shortfall(amount, have), false)
            }
            Amount::Wildcard(amount) => {
                let some = super::perms::any_some(self.writer.terms(), &perms);
                if self.writer.probe(st, some, Question::Positive, Bound::Quick, cx) {
                    return Ok(());
                }
                (amount, true)
            }
        };
        for level in (0..st.levels.len()).rev() {
            for (index, chunk) in self.writer.chunks_of(&st.levels[level].heap, location.resource) {
                let available = self.still_there(st, level, index);
                let here = self.writer.at_location(&keys, available, &location.args);
                let none = super::perms::is_none(self.writer.terms(), here);
                if self.writer.probe_empty(st, none, location.resource, Bound::Quick, cx) {
                    continue;
                }
                let taken = if wildcard { self.half(here) } else { self.least(here, missing) };
                let value = self.writer.value_at(&chunk, &location.args);
                let grant = {
                    let taken = self.only_at(&keys, &location.args, taken);
                    self.note_taking_many(st, level, index, taken, cx)
                };
                let received = self.single(location, taken, value, grant);
                self.receive_many(st, received);
                self.assume_instance(st, location, taken, grant, cx)?;
                self.bound_at(st, location, cx)?;
                let done = if wildcard {
                    super::perms::is_some(self.writer.terms(), here)
                } else {
                    missing = self.still_missing(missing, here);
                    super::perms::is_none(self.writer.terms(), missing)
                };
                if self.writer.probe(st, done, Question::Other, Bound::Quick, cx) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
    /// Before a quantified access is removed: takes what is missing of it.
    pub fn transfer_extent(
        &mut self,
        st: &mut State,
        extent: &QuantifiedAccess,
        inverse: &Inverse,
        cx: &Cx,
    ) -> Step<()> {
        let keys = extent.keys.clone();
        let zero = self.writer.terms().no_perm();
        let running: Vec<Chunk> =
            st.running_heap().of(extent.location.resource).map(|(_, chunk)| chunk.clone()).collect();
        if self.has_extent(st, extent, &running, cx) {
            return Ok(());
        }
        let have = running.iter().fold(zero, |sum, chunk| super::perms::total(self.writer.terms(), sum, chunk.perm));
        let amount = self.at_values(extent, inverse, extent.amount);
        let missing = self.shortfall(amount, have);
        let mut missing = self.writer.terms().ite(inverse.image, missing, zero);
        for level in (0..st.levels.len()).rev() {
            for (index, chunk) in self.writer.chunks_of(&st.levels[level].heap, extent.location.resource) {
                let available = self.still_there(st, level, index);
                let there = Chunk { perm: available, ..chunk.clone() };
                let taken = match singleton(&there) {
                    Some(location) => {
                        let here = self.writer.perm_at(&there, &location);
                        let wanted = self.writer.at_location(&keys, missing, &location);
                        let covered = self.writer.at_location(&keys, inverse.image, &location);
                        let part = self.part(extent, covered, here, wanted);
                        self.only_at(&keys, &location, part)
                    }
                    None => self.part(extent, inverse.image, available, missing),
                };
                if self.writer.tree.terms.is_zero(taken) || self.is_nowhere(st, &keys, taken, chunk.resource, cx) {
                    continue;
                }
                let grant = self.note_taking_many(st, level, index, taken, cx);
                self.receive_many(st, Chunk { perm: taken, grant, left: None, ..chunk });
                if !extent.wildcard {
                    missing = super::perms::rest(self.writer.terms(), missing, taken);
                }
                let running: Vec<Chunk> =
                    st.running_heap().of(extent.location.resource).map(|(_, chunk)| chunk.clone()).collect();
                if self.has_extent(st, extent, &running, cx) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
    /// The amount to take where the access covers: half for a wildcard, otherwise up to the wanted amount.
    fn part(&mut self, extent: &QuantifiedAccess, covered: TermId, available: TermId, wanted: TermId) -> TermId {
        if extent.wildcard {
            let zero = self.writer.terms().no_perm();
            let half = self.half(available);
            return self.writer.terms().ite(covered, half, zero);
        }
        super::perms::minimum(self.writer.terms(), available, wanted)
    }
    fn has_extent(&mut self, st: &State, extent: &QuantifiedAccess, chunks: &[Chunk], cx: &Cx) -> bool {
        if chunks.is_empty() {
            return false;
        }
        let goal = if extent.wildcard { self.readable(extent, chunks) } else { self.enough(extent, chunks) };
        self.writer.probe(st, goal, Question::Other, Bound::Quick, cx)
    }
    fn is_nowhere(&mut self, st: &State, keys: &Keys, perm: TermId, resource: Resource, cx: &Cx) -> bool {
        let none = super::perms::is_none(self.writer.terms(), perm);
        let nowhere = self.writer.terms().forall(&keys.vars, Vec::new(), none, QuantifierRole::Nothing);
        self.writer.probe_empty(st, nowhere, resource, Bound::Quick, cx)
    }
    /// Half of an amount: some but not all.
    fn half(&mut self, perm: TermId) -> TermId {
        let half = self.writer.terms().perm(Rational::ONE / Rational::from(2));
        self.writer.terms().mul(perm, half)
    }
    /// The remaining amount of a chunk of a surrounding heap, over the canonical variables.
    fn still_there(&mut self, st: &State, level: usize, index: usize) -> TermId {
        let level = &st.levels[level];
        super::perms::rest(&mut self.writer.tree.terms, level.heap.chunks[index].perm, level.taken[index])
    }
    fn note_taking_many(
        &mut self,
        st: &mut State,
        level: usize,
        index: usize,
        taken: TermId,
        cx: &Cx,
    ) -> echis_proof::NodeId {
        self.writer.use_grants([&st.levels[level].heap.chunks[index]]);
        self.note_taken(st, level, index, taken, cx)
    }
    /// Adds a chunk to the heap that expressions read and to the remainder.
    fn receive_many(&mut self, st: &mut State, chunk: Chunk) {
        st.heap.push(chunk.clone());
        if let Some(rest) = st.phase.rest_mut() {
            rest.push(chunk);
        }
    }

    /// Moves permission from a chunk of a surrounding heap into the state. Returns the new chunk.
    pub fn move_many_in(&mut self, st: &mut State, level: usize, index: usize, taken: TermId, cx: &Cx) -> Chunk {
        let chunk = st.levels[level].heap.chunks[index].clone();
        let grant = self.note_taking_many(st, level, index, taken, cx);
        let received = Chunk { perm: taken, grant, left: None, ..chunk };
        self.receive_many(st, received.clone());
        received
    }
    /// Removes from a chunk an amount over the canonical variables, which it has.
    pub fn leave_many(&mut self, st: &mut State, index: usize, taken: TermId, cx: &Cx) -> Step<()> {
        let chunk = st.heap.chunks[index].clone();
        let Some(keys) = self.writer.met_keys(chunk.resource) else { return Ok(()) };
        self.quantified_consolidate(st, chunk.resource, cx)?;
        let left = super::perms::rest(self.writer.terms(), chunk.perm, taken);
        let none = super::perms::is_none(self.writer.terms(), left);
        let depleted = self.writer.terms().forall(&keys.vars, Vec::new(), none, QuantifierRole::Depleted);
        if self.writer.probe_empty(st, depleted, chunk.resource, Bound::Patient, cx) {
            self.writer.leave(st.at, &mut st.heap, index, None, cx);
            return Ok(());
        }
        let left = self.settle_amount(st, &keys, left, chunk.grant, cx)?;
        self.writer.leave(st.at, &mut st.heap, index, Some(left), cx);
        Ok(())
    }
    /// Whether axioms of inverse functions that were stated under other assumptions hold here too, that is, whether
    /// the access is injective here.
    pub fn inverse_holds(&mut self, st: &State, premises: &[Premise], cx: &Cx) -> bool {
        let goals: Vec<TermId> = premises
            .iter()
            .filter_map(|premise| match premise {
                Premise::Check(check) => Some(self.writer.tree.checks[*check].goal),
                Premise::Fact(_) => None,
            })
            .collect();
        !goals.is_empty()
            && goals.into_iter().all(|goal| self.writer.probe(st, goal, Question::Other, Bound::Patient, cx))
    }
}
