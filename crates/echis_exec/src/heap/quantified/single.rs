//! One location of a quantified resource.

use crate::heap::Memory;
use crate::heap::single::{Amount, Demand, Needed};
use crate::limits::CHUNKS_ASKED;
use crate::state::{Chunk, Cx, Location, Quantified, Resource, Shape, State, Step};
use crate::tree::keys::{Keys, singleton};
use crate::tree::recover::Obliged;
use echis_proof::{Because, Bound, NodeId, Part, Premise, Question, Rule};
use echis_term::{Made, TermId};
use std::rc::Rc;

/// One location of a chunk, given by its index.
#[derive(Clone, Copy)]
struct At<'a> {
    keys: &'a Keys,
    args: &'a [TermId],
    index: usize,
}

/// Adding.
impl Memory<'_> {
    pub fn quantified_add_single(&mut self, st: &mut State, added: &Chunk, cx: &Cx) -> Step<()> {
        let (location, &Chunk { perm, value, grant, .. }) = (&added.location(), added);
        if self.writer.tree.terms.is_zero(perm) {
            return Ok(());
        }
        let chunks = self.writer.chunks_of(st.running_heap(), location.resource);
        let plain: Vec<Chunk> = chunks.iter().map(|(_, chunk)| chunk.clone()).collect();
        // Wands with the same arguments are still different wands.
        let same = match location.resource {
            Resource::Wand(_) => None,
            _ => self.same_singleton(&plain, &location.args),
        };
        let others: Vec<Chunk> =
            (0..plain.len()).filter(|place| Some(*place) != same).map(|place| plain[place].clone()).collect();
        let (total, grant) = match same {
            Some(place) if self.writer.is_of_recovery(&plain[place]) => {
                let found = self.single(location, perm, value, grant);
                self.find_missing(st, &plain[place], perm, value, cx)?;
                st.running_heap_mut().chunks_mut()[chunks[place].0] = found;
                (perm, grant)
            }
            Some(place) => {
                let (index, old) = &chunks[place];
                let old_perm = self.writer.perm_at(old, &location.args);
                let premises = [Premise::Fact(old.grant), Premise::Fact(grant)];
                let (total, merged) =
                    self.merge_values(st, (old_perm, old.value), (perm, value), location.resource, &premises, cx)?;
                let total = self.at_most_whole(location.resource, old, total);
                let new = self.single(location, perm, value, grant);
                let grant = self.grant(st, location.resource, Because::Rule(Rule::Merge), &premises, cx);
                let chunk = self.single(location, total, merged, grant);
                self.writer.note_merge(grant, chunk.perm, old, &new);
                st.running_heap_mut().chunks_mut()[*index] = chunk;
                (total, grant)
            }
            None => {
                let chunk = self.single(location, perm, value, grant);
                st.running_heap_mut().push(chunk);
                (perm, grant)
            }
        };
        self.assume_instance(st, location, total, grant, cx)?;
        self.bound_at(st, location, cx)?;
        let added = self.single(location, perm, value, grant);
        self.agree_around(st, &added, &others, cx)
    }
    /// States that a part of a location has the value that other chunks have for it. Reading the location consults
    /// one chunk only, and either chunk may be removed.
    pub fn agree_around(&mut self, st: &mut State, added: &Chunk, others: &[Chunk], cx: &Cx) -> Step<()> {
        let Some(args) = singleton(added) else { return Ok(()) };
        let perm = self.writer.perm_at(added, &args);
        if matches!(added.resource, Resource::Wand(_)) || self.is_everything(added.resource, perm) {
            return Ok(());
        }
        for other in others {
            let there = self.writer.perm_at(other, &args);
            let there = super::perms::is_some(self.writer.terms(), there);
            let known = self.writer.value_at(other, &args);
            let fact = self.agree(perm, Some(there), added.value, known);
            if !self.writer.tree.terms.is_true(fact) {
                self.assume_of(st, fact, Rule::Merge, [added, other], Part::Value, cx)?;
            }
        }
        Ok(())
    }
    /// A singleton chunk in quantified form.
    pub fn single(&mut self, location: &Location, amount: TermId, value: TermId, grant: NodeId) -> Chunk {
        let keys = self.writer.keys(location.resource, &location.args);
        let perm = self.only_at(&keys, &location.args, amount);
        let truth = self.writer.terms().truth();
        let hints = self.writer.hints(&location.args, truth, &[]);
        let many = Quantified { singleton: Some(location.args.clone()), produced: None, hints };
        Chunk { resource: location.resource, shape: Shape::Many(Rc::new(many)), perm, value, grant, left: None }
    }
    /// An amount at one location, and zero elsewhere.
    pub fn only_at(&mut self, keys: &Keys, args: &[TermId], amount: TermId) -> TermId {
        let here = self.writer.is_location(keys, args);
        let zero = self.writer.terms().no_perm();
        self.writer.terms().ite(here, amount, zero)
    }
}

/// Removing.
impl Memory<'_> {
    /// Removes permission that must be there and returns the snapshot of the location.
    pub fn quantified_remove_single(&mut self, st: &mut State, demand: &Demand, cx: &Cx) -> Step<TermId> {
        let Demand { location, amount, .. } = demand;
        let keys = self.writer.keys(location.resource, &location.args);
        let chunks: Vec<Chunk> = st.running_heap().of(location.resource).map(|(_, chunk)| chunk.clone()).collect();
        let seen = self.seen_in(location.resource, &chunks, &location.args);
        self.writer.assume_rule(st, seen, Rule::Mark, cx)?;
        let value = match *amount {
            Amount::Exact(amount) => self.remove_amount(st, demand, &keys, amount, cx)?,
            Amount::Wildcard(amount) => self.remove_wildcard_at(st, demand, &keys, amount, cx)?,
        };
        Ok(self.taken_snapshot(value, *amount))
    }
    fn remove_amount(&mut self, st: &mut State, demand: &Demand, keys: &Keys, amount: TermId, cx: &Cx) -> Step<TermId> {
        let Demand { location, obligation, .. } = demand;
        let (resource, args) = (location.resource, &location.args[..]);
        let chunks = self.writer.chunks_of(st.running_heap(), resource);
        if let Some(place) = self.sufficient(st, &chunks, args, amount, cx) {
            let (index, chunk) = chunks[place].clone();
            self.writer.use_chunk(st, &chunk, Some(args), Some(amount), cx);
            self.bound_at(st, location, cx)?;
            let have = self.writer.perm_at(&chunk, args);
            self.leave_at(st, At { keys, args, index }, have, amount, cx)?;
            return Ok(self.writer.value_at(&chunk, args));
        }
        let needed = Needed { location, amount: Some(amount), obligation: *obligation };
        let (_, value) = self.oblige_amount(st, &needed, &chunks, cx)?;
        self.bound_at(st, location, cx)?;
        let everything = self.is_everything(resource, amount);
        let mut needed = amount;
        let mut changes = Vec::new();
        for (index, chunk) in &chunks {
            let have = self.writer.perm_at(chunk, args);
            if self.has_none(st, have, resource, cx) {
                continue;
            }
            let taken = if everything {
                have
            } else {
                let taken = super::perms::minimum(self.writer.terms(), have, needed);
                self.named_amount(st, Made::Taken, taken, chunk.grant, cx)
            };
            changes.push((*index, have, taken));
            needed = super::perms::rest(self.writer.terms(), needed, taken);
        }
        // In reverse, so that indices stay valid while chunks are dropped.
        for (index, have, taken) in changes.into_iter().rev() {
            self.leave_at(st, At { keys, args, index }, have, taken, cx)?;
        }
        Ok(value)
    }
    /// Whether removing the amount leaves nothing at the location in any chunk: fields have at most the whole.
    pub fn is_everything(&self, resource: Resource, amount: TermId) -> bool {
        matches!(resource, Resource::Field(_)) && self.writer.tree.terms.is_one(amount)
    }
    fn has_none(&mut self, st: &State, perm: TermId, resource: Resource, cx: &Cx) -> bool {
        let none = super::perms::is_none(self.writer.terms(), perm);
        self.writer.probe_empty(st, none, resource, Bound::Quick, cx)
    }
    /// A chunk that has enough by itself.
    fn sufficient(
        &mut self,
        st: &State,
        chunks: &[(usize, Chunk)],
        args: &[TermId],
        amount: TermId,
        cx: &Cx,
    ) -> Option<usize> {
        let plain: Vec<Chunk> = chunks.iter().map(|(_, chunk)| chunk.clone()).collect();
        if let Some(place) = self.same_singleton(&plain, args) {
            let have = self.writer.perm_at(&plain[place], args);
            let enough = self.writer.tree.terms.le(amount, have);
            if self.writer.probe(st, enough, Question::Other, Bound::Quick, cx) {
                return Some(place);
            }
        }
        if chunks.len() < 2 {
            return None;
        }
        let truth = self.writer.terms().truth();
        let hints = self.writer.hints(args, truth, &[]);
        let numbered: Vec<(usize, Chunk)> = plain.into_iter().enumerate().collect();
        for (place, chunk) in self.writer.ordered(numbered, &hints).into_iter().take(CHUNKS_ASKED) {
            let have = self.writer.perm_at(&chunk, args);
            let enough = super::perms::suffice(self.writer.terms(), &[have], amount);
            let seen = self.seen_in(chunk.resource, std::slice::from_ref(&chunk), args);
            let enough = self.writer.terms().implies(seen, enough);
            if self.writer.probe(st, enough, Question::Other, Bound::Quick, cx) {
                return Some(place);
            }
        }
        None
    }
    /// Proves that the chunks together hold the needed amount. Returns whether they do, and the value.
    fn oblige_amount(
        &mut self,
        st: &mut State,
        needed: &Needed,
        chunks: &[(usize, Chunk)],
        cx: &Cx,
    ) -> Step<(bool, TermId)> {
        let location = needed.location;
        let plain: Vec<Chunk> = chunks.iter().map(|(_, chunk)| chunk.clone()).collect();
        if let Obliged::Failed(lack) = self.hold_at(st, needed, &plain, cx)? {
            let value = self.recover_removal_at(st, needed, &plain, lack, cx)?;
            return Ok((false, value));
        }
        let value = match chunks {
            [(_, only)] => self.writer.value_at(only, &location.args),
            _ => {
                let map = self.summarise(st, location, &plain, cx)?;
                self.writer.look_up(location.resource, map, &location.args)
            }
        };
        Ok((true, value))
    }
    /// Removes an amount at one location from a chunk that has `have` there.
    fn leave_at(&mut self, st: &mut State, at: At<'_>, have: TermId, taken: TermId, cx: &Cx) -> Step<()> {
        let chunk = st.running_heap().chunks[at.index].clone();
        let left = if self.is_everything(chunk.resource, taken) {
            self.writer.terms().no_perm()
        } else {
            super::perms::rest(self.writer.terms(), have, taken)
        };
        let plain = super::perms::is_plain(&self.writer.tree.terms, left);
        let left = self.named_amount(st, Made::Left, left, chunk.grant, cx);
        if !plain {
            self.leaves_nonnegative(st, left, cx)?;
        }
        self.set_amount_at(st, at, left, cx)
    }
    /// Changes the amount of a chunk at one location, dropping the chunk if nothing remains.
    fn set_amount_at(&mut self, st: &mut State, at: At<'_>, left: TermId, cx: &Cx) -> Step<()> {
        let At { keys, args, index } = at;
        let chunk = st.running_heap().chunks[index].clone();
        let here = self.writer.is_location(keys, args);
        let perm = match singleton(&chunk) {
            Some(own) => {
                let same = self.writer.tree.terms.eq_all(&own, args);
                let old = self.writer.perm_at(&chunk, &own);
                let amount = self.writer.terms().ite(same, left, old);
                if self.has_none(st, amount, chunk.resource, cx) {
                    self.writer.leave(st.at, st.running_heap_mut(), index, None, cx);
                    return Ok(());
                }
                let amount = self.named_amount(st, Made::Left, amount, chunk.grant, cx);
                self.only_at(keys, &own, amount)
            }
            None => {
                let perm = self.writer.terms().ite(here, left, chunk.perm);
                self.settle_amount(st, keys, perm, chunk.grant, cx)?
            }
        };
        self.writer.leave(st.at, st.running_heap_mut(), index, Some(perm), cx);
        Ok(())
    }
    fn remove_wildcard_at(
        &mut self,
        st: &mut State,
        demand: &Demand,
        keys: &Keys,
        amount: TermId,
        cx: &Cx,
    ) -> Step<TermId> {
        let Demand { location, obligation, .. } = demand;
        let (resource, args) = (location.resource, &location.args[..]);
        let chunks = self.writer.chunks_of(st.running_heap(), resource);
        let needed = Needed { location, amount: None, obligation: *obligation };
        let (granted, value) = self.oblige_amount(st, &needed, &chunks, cx)?;
        let sort = self.writer.terms().perm_sort();
        let mut parts = Vec::new();
        for (index, chunk) in chunks.iter().rev() {
            let have = self.writer.perm_at(chunk, args);
            if self.has_none(st, have, resource, cx) {
                continue;
            }
            // Some but not all is taken from each chunk that has some.
            let left = self.writer.fresh(st, Made::Left, sort);
            let fact = self.some_left(have, left);
            self.writer.assume_rule(st, fact, Rule::Wildcard, cx)?;
            parts.push(self.writer.terms().sub(have, left));
            self.set_amount_at(st, At { keys, args, index: *index }, left, cx)?;
        }
        if !granted {
            return Ok(value);
        }
        self.takes_in_parts(st, amount, parts, cx)?;
        Ok(value)
    }
    /// `have > 0 ? 0 < left < have : left == have`
    pub fn some_left(&mut self, have: TermId, left: TermId) -> TermId {
        let terms = self.writer.terms();
        let positive = super::perms::is_some(terms, have);
        let some = terms.positive(left);
        let less = terms.lt(left, have);
        let within = terms.and([some, less]);
        let same = terms.eq(left, have);
        terms.ite(positive, within, same)
    }
}
