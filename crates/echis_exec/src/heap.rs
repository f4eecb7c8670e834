//! Chunks of single locations: finding, reading, adding, removing, and the facts that follow from several at once.
//!
//! A location may be covered by several chunks whose receivers are not known to be equal or different. The meaning is
//! always the sum over all of them; a single chunk that certainly is the location is only the fast path.

use crate::executor::Executor;
use crate::recover::Obliged;
use crate::state::{Chunk, Cx, Resource, Shape, State, Step};
use echis_proof::{Because, Bound, NodeId, Part, Premise, Property, Question, Rule};
use echis_term::{Rational, TermId};
use std::rc::Rc;

/// How much to remove.
#[derive(Clone, Copy)]
pub(crate) enum Amount {
    Exact(TermId),
    /// A fresh positive amount that may be chosen as small as needed.
    Wildcard(TermId),
}

/// Above this many chunks of one resource, facts about pairs would be too many.
const MANY_CHUNKS: usize = 24;

/// Finding.
impl Executor<'_> {
    /// The chunk whose arguments are the same terms, looking through definitions.
    pub fn find_same(&mut self, chunks: &[Chunk], resource: Resource, args: &[TermId]) -> Option<usize> {
        let resolved: Vec<TermId> = args.iter().map(|arg| self.peek(*arg)).collect();
        let index = chunks.iter().position(|chunk| {
            chunk.resource == resource
                && matches!(chunk.shape, Shape::Single(_))
                && chunk.args().iter().zip(&resolved).all(|(have, want)| self.peek(*have) == *want)
        })?;
        for (have, want) in chunks[index].args().to_vec().into_iter().zip(args) {
            if have != *want {
                self.resolve(have);
                self.resolve(*want);
            }
        }
        Some(index)
    }
    /// The chunk that certainly is the location: syntactically, or by a quick proof.
    pub fn find(
        &mut self,
        st: &State,
        chunks: &[Chunk],
        resource: Resource,
        args: &[TermId],
        cx: &Cx,
    ) -> Option<usize> {
        if let Some(index) = self.find_same(chunks, resource, args) {
            return Some(index);
        }
        for (index, chunk) in chunks.iter().enumerate() {
            if chunk.resource == resource && matches!(chunk.shape, Shape::Single(_)) {
                let equal = self.tree.terms.eq_all(chunk.args(), args);
                if self.probe(st, equal, Question::Alias, Bound::Quick, cx) {
                    return Some(index);
                }
            }
        }
        None
    }
    /// For each chunk of the resource: its index, whether it is the location, its amount and value.
    pub fn candidates(&mut self, chunks: &[Chunk], resource: Resource, args: &[TermId]) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (index, chunk) in chunks.iter().enumerate() {
            if chunk.resource == resource {
                let equal = self.tree.terms.eq_all(chunk.args(), args);
                if !self.tree.terms.is_false(equal) {
                    let Chunk { perm, value, grant, .. } = *chunk;
                    candidates.push(Candidate { index, equal, perm, value, grant });
                }
            }
        }
        candidates
    }
    /// The permission to a location over all chunks that may be it.
    pub fn permission_sum(&mut self, chunks: &[Chunk], resource: Resource, args: &[TermId]) -> TermId {
        let candidates = self.candidates(chunks, resource, args);
        let zero = self.terms().no_perm();
        let parts: Vec<TermId> =
            candidates.iter().map(|candidate| self.terms().ite(candidate.equal, candidate.perm, zero)).collect();
        self.terms().sum(parts)
    }
    /// A value that agrees with every candidate that has permission and is the location.
    fn summary(&mut self, st: &mut State, candidates: &[Candidate], resource: Resource, cx: &Cx) -> Step<TermId> {
        if let [only] = candidates {
            return Ok(only.value);
        }
        let sort = self.value_sort(resource);
        let value = self.fresh(st, "value", sort);
        self.agree_with(st, value, candidates, resource, cx)?;
        Ok(value)
    }
    /// A value is that of every candidate that has permission and is the location. Wands of the same shape and arguments
    /// may still be different ones.
    pub fn agree_with(
        &mut self,
        st: &mut State,
        value: TermId,
        candidates: &[Candidate],
        resource: Resource,
        cx: &Cx,
    ) -> Step<()> {
        if matches!(resource, Resource::Wand(_)) {
            return Ok(());
        }
        for candidate in candidates {
            let positive = self.terms().positive(candidate.perm);
            let guard = self.terms().and([candidate.equal, positive]);
            let equal = self.terms().eq(value, candidate.value);
            let fact = self.terms().implies(guard, equal);
            let premise = Premise::Fact(candidate.grant);
            self.assume(st, fact, Because::Rule(Rule::Merge), &[premise], cx.origin(Part::Value))?;
        }
        Ok(())
    }
    pub fn value_sort(&mut self, resource: Resource) -> echis_term::SortId {
        match resource {
            Resource::Field(field) => self.field_sort(field),
            Resource::Predicate(_) => self.terms().snap_sort(),
            Resource::Wand(_) => self.terms().sort(echis_term::Sort::WandMap),
        }
    }
}

pub(crate) struct Candidate {
    pub index: usize,
    pub equal: TermId,
    pub perm: TermId,
    pub value: TermId,
    pub grant: NodeId,
}

/// Reading.
impl Executor<'_> {
    /// The value at a location that must be readable.
    pub fn lookup(
        &mut self,
        st: &mut State,
        resource: Resource,
        args: &[TermId],
        property: Property,
        cx: &Cx,
    ) -> Step<TermId> {
        if self.is_quantified(resource) {
            return self.quantified_lookup(st, resource, args, property, cx);
        }
        let chunks = st.heap.chunks.clone();
        if let Some(index) = self.find_same(&chunks, resource, args) {
            let chunk = &chunks[index];
            let positive = self.tree.terms.positive(chunk.perm);
            if self.probe(st, positive, Question::Positive, Bound::Quick, cx) {
                self.use_chunk(st, chunk, None, None, cx);
                return Ok(chunk.value);
            }
        }
        let candidates = self.candidates(&chunks, resource, args);
        if candidates.len() > 1
            && let Some(index) = self.find(st, &chunks, resource, args, cx)
        {
            let chunk = &chunks[index];
            let positive = self.tree.terms.positive(chunk.perm);
            if self.probe(st, positive, Question::Positive, Bound::Quick, cx) {
                self.use_chunk(st, chunk, None, None, cx);
                return Ok(chunk.value);
            }
        }
        self.use_together(candidates.iter().map(|candidate| &chunks[candidate.index]));
        let sum = self.permission_sum(&chunks, resource, args);
        let goal = self.terms().positive(sum);
        let obliged = self.oblige(st, goal, property, cx)?;
        if let Some(labelled) = self.labelled_sum(&chunks, resource, args) {
            let labelled = self.tree.terms.positive(labelled);
            self.label_goal(labelled);
        }
        match obliged {
            Obliged::Holds => self.summary(st, &candidates, resource, cx),
            Obliged::Failed(lack) => self.recover_read(st, resource, args, &candidates, lack, cx),
        }
    }
}

/// Adding.
impl Executor<'_> {
    /// The fact that permission was granted, for chunks to point at.
    pub fn grant(&mut self, st: &mut State, because: Because, premises: &[Premise], cx: &Cx) -> NodeId {
        let truth = self.terms().truth();
        st.at = self.tree.assume(st.at, truth, because, premises, cx.origin(Part::Permission));
        st.at
    }
    /// Adds permission to one location. A chunk for the same arguments absorbs it.
    #[allow(clippy::too_many_arguments)]
    pub fn add_chunk(
        &mut self,
        st: &mut State,
        resource: Resource,
        args: &[TermId],
        perm: TermId,
        value: TermId,
        grant: NodeId,
        cx: &Cx,
    ) -> Step<()> {
        if self.is_quantified(resource) {
            return self.quantified_add_single(st, resource, args, perm, value, grant, cx);
        }
        if self.tree.terms.is_zero(perm) {
            return Ok(());
        }
        let chunks = st.running_heap().chunks.clone();
        // Wands with the same arguments are still different wands.
        let same = match resource {
            Resource::Wand(_) => None,
            _ => self.find_same(&chunks, resource, args),
        };
        let (perm, grant) = match same {
            Some(index) => {
                let old = chunks[index].clone();
                let premises = [Premise::Fact(old.grant), Premise::Fact(grant)];
                let (total, merged) =
                    self.merge_values(st, (old.perm, old.value), (perm, value), resource, &premises, cx)?;
                let new = Chunk { perm, value, grant, ..old.clone() };
                let grant = self.grant(st, Because::Rule(Rule::Merge), &premises, cx);
                self.note_merge(grant, total, &old, &new);
                st.running_heap_mut().chunks_mut()[index] = Chunk { perm: total, value: merged, grant, ..old };
                (total, grant)
            }
            None => {
                st.running_heap_mut().push(Chunk { resource, shape: Shape::Single(args.into()), perm, value, grant });
                (perm, grant)
            }
        };
        self.assume_instance(st, resource, args, perm, grant, cx)
    }
    /// Both chunks are the same location: the amounts add up, and values with permission agree.
    pub fn merge_values(
        &mut self,
        st: &mut State,
        (perm, value): (TermId, TermId),
        (other_perm, other): (TermId, TermId),
        resource: Resource,
        premises: &[Premise],
        cx: &Cx,
    ) -> Step<(TermId, TermId)> {
        let total = self.terms().add(perm, other_perm);
        if value == other {
            return Ok((total, value));
        }
        let positive = self.terms().positive(perm);
        let other_positive = self.terms().positive(other_perm);
        // Where one amount is certainly positive its value is the value; reusing it otherwise would be unsound.
        let merged = if self.tree.terms.is_true(positive) {
            value
        } else if self.tree.terms.is_true(other_positive) {
            other
        } else {
            let sort = self.value_sort(resource);
            self.fresh(st, "merged", sort)
        };
        for (guard, value) in [(positive, value), (other_positive, other)] {
            let equal = self.terms().eq(merged, value);
            let fact = self.terms().implies(guard, equal);
            self.assume(st, fact, Because::Rule(Rule::Merge), premises, cx.origin(Part::Value))?;
        }
        Ok((total, merged))
    }
    /// Fields: at most the whole permission, and only at references that exist.
    pub fn assume_instance(
        &mut self,
        st: &mut State,
        resource: Resource,
        args: &[TermId],
        perm: TermId,
        grant: NodeId,
        cx: &Cx,
    ) -> Step<()> {
        if !matches!(resource, Resource::Field(_)) {
            return Ok(());
        }
        let because = Because::Rule(Rule::PermissionBound);
        let origin = cx.origin(Part::Permission);
        if self.amounts_matter() {
            let write = self.terms().write();
            let bounded = self.terms().le(perm, write);
            self.assume(st, bounded, because.clone(), &[Premise::Fact(grant)], origin)?;
        }
        let null = self.terms().null();
        let nonnull = self.terms().ne(args[0], null);
        let positive = self.terms().positive(perm);
        let fact = self.terms().implies(positive, nonnull);
        self.assume(st, fact, because, &[Premise::Fact(grant)], origin)
    }
}

/// Removing.
impl Executor<'_> {
    /// Removes permission that must be there and returns the snapshot of the location: its value, or `unit` where the
    /// amount is zero.
    pub fn remove(
        &mut self,
        st: &mut State,
        resource: Resource,
        args: &[TermId],
        amount: Amount,
        property: Property,
        cx: &Cx,
    ) -> Step<TermId> {
        if !self.amounts_matter() {
            return self.read_amount(st, resource, args, amount, property, cx);
        }
        if !st.levels.is_empty() {
            self.transfer(st, resource, args, amount, cx)?;
        }
        if self.is_quantified(resource) {
            return self.quantified_remove_single(st, resource, args, amount, property, cx);
        }
        let before = st.dead.then(|| st.running_heap().clone());
        let value = match amount {
            Amount::Exact(amount) => self.remove_exact(st, resource, args, amount, property, cx)?,
            Amount::Wildcard(amount) => self.remove_wildcard(st, resource, args, amount, property, cx)?,
        };
        if let Some(before) = before.filter(|before| before.of(resource).next().is_some() && self.is_unheld()) {
            *st.running_heap_mut() = before;
        }
        let snapshot = self.terms().wrap(value);
        match amount {
            Amount::Wildcard(_) => Ok(snapshot),
            Amount::Exact(amount) => {
                let positive = self.terms().positive(amount);
                let unit = self.terms().unit();
                Ok(self.terms().ite(positive, snapshot, unit))
            }
        }
    }
    /// In functions nothing is removed: the location must be readable if the amount is positive.
    fn read_amount(
        &mut self,
        st: &mut State,
        resource: Resource,
        args: &[TermId],
        amount: Amount,
        property: Property,
        cx: &Cx,
    ) -> Step<TermId> {
        let (Amount::Exact(amount) | Amount::Wildcard(amount)) = amount;
        let positive = self.terms().positive(amount);
        let unit = self.terms().unit();
        let value = self.under(st, positive, false, property.offending, cx, |executor, st| {
            executor.lookup(st, resource, args, property, cx)
        })?;
        Ok(match value {
            Some(value) => {
                let value = self.terms().wrap(value);
                self.terms().ite(positive, value, unit)
            }
            None => unit,
        })
    }
    fn remove_exact(
        &mut self,
        st: &mut State,
        resource: Resource,
        args: &[TermId],
        amount: TermId,
        property: Property,
        cx: &Cx,
    ) -> Step<TermId> {
        let chunks = st.running_heap().chunks.clone();
        if let Some(index) = self.find(st, &chunks, resource, args, cx) {
            let chunk = chunks[index].clone();
            let enough = self.tree.terms.le(amount, chunk.perm);
            if self.probe(st, enough, Question::Other, Bound::Quick, cx) {
                self.use_chunk(st, &chunk, None, Some(amount), cx);
                self.separate(st, &chunks, index, cx)?;
                if amount == chunk.perm {
                    self.keep_agreement(st, &chunks, index, cx)?;
                }
                self.take_from(st, index, amount, cx)?;
                return Ok(chunk.value);
            }
        }
        self.remove_from_all(st, resource, args, amount, property, cx)
    }
    /// Lowers the amount of a chunk and drops it when nothing is left.
    pub fn take_from(&mut self, st: &mut State, index: usize, amount: TermId, cx: &Cx) -> Step<()> {
        let chunk = st.running_heap().chunks[index].clone();
        let left = self.tree.terms.sub(chunk.perm, amount);
        let zero = self.terms().no_perm();
        let depleted = self.terms().eq(left, zero);
        if self.probe_empty(st, depleted, chunk.resource, Bound::Quick, cx) {
            st.running_heap_mut().chunks_mut().remove(index);
            return Ok(());
        }
        // Large amounts get a name, so that a chain of removals stays linear.
        let left = match self.tree.terms.as_perm(left) {
            Some(_) => left,
            None => {
                let origin = cx.origin(Part::Permission);
                self.define(st, "left", left, Because::Rule(Rule::Definition), &[Premise::Fact(chunk.grant)], origin)
            }
        };
        let nonnegative = self.terms().le(zero, left);
        self.assume_rule(st, nonnegative, Rule::PermissionBound, cx)?;
        st.running_heap_mut().chunks_mut()[index].perm = left;
        Ok(())
    }
    /// Takes what is needed from every chunk that may be the location.
    fn remove_from_all(
        &mut self,
        st: &mut State,
        resource: Resource,
        args: &[TermId],
        amount: TermId,
        property: Property,
        cx: &Cx,
    ) -> Step<TermId> {
        let chunks = st.running_heap().chunks.clone();
        let candidates = self.candidates(&chunks, resource, args);
        let zero = self.terms().no_perm();
        self.use_together(candidates.iter().map(|candidate| &chunks[candidate.index]));
        // The sum is asked first: it is one question, and its failure is the error.
        let sum = self.permission_sum(&chunks, resource, args);
        let goal = self.terms().le(amount, sum);
        let goal = if candidates.is_empty() { self.terms().le(amount, zero) } else { goal };
        let obliged = self.oblige(st, goal, property, cx)?;
        if let Some(labelled) = self.labelled_sum(&chunks, resource, args) {
            let labelled = self.tree.terms.le(amount, labelled);
            self.label_goal(labelled);
        }
        // What is taken after a failure is marked as such: permission that lacks later may lack because of it.
        let name = if matches!(obliged, Obliged::Holds) { "taken" } else { "recovered" };
        let value = match obliged {
            Obliged::Holds => self.summary(st, &candidates, resource, cx)?,
            Obliged::Failed(lack) => match self.recover_through_aliases(st, goal, amount, &candidates, lack, cx)? {
                true => self.summary(st, &candidates, resource, cx)?,
                false => self.recover_removal(st, resource, args, amount, sum, &candidates, lack, cx)?,
            },
        };
        let mut needed = amount;
        for candidate in candidates.iter().rev() {
            let most = self.terms().min(candidate.perm, needed);
            let taken = self.terms().ite(candidate.equal, most, zero);
            let origin = cx.origin(Part::Permission);
            let premise = [Premise::Fact(candidate.grant)];
            let taken = if self.tree.terms.as_perm(taken).is_some() {
                taken
            } else {
                self.define(st, name, taken, Because::Rule(Rule::Definition), &premise, origin)
            };
            self.separate(st, &chunks, candidate.index, cx)?;
            self.take_from(st, candidate.index, taken, cx)?;
            needed = self.terms().sub(needed, taken);
        }
        Ok(value)
    }
    fn remove_wildcard(
        &mut self,
        st: &mut State,
        resource: Resource,
        args: &[TermId],
        amount: TermId,
        property: Property,
        cx: &Cx,
    ) -> Step<TermId> {
        let chunks = st.running_heap().chunks.clone();
        if let Some(index) = self.find(st, &chunks, resource, args, cx) {
            let chunk = chunks[index].clone();
            let positive = self.tree.terms.positive(chunk.perm);
            if self.probe(st, positive, Question::Positive, Bound::Quick, cx) {
                self.use_chunk(st, &chunk, None, None, cx);
                let smaller = self.tree.terms.lt(amount, chunk.perm);
                self.assume_rule(st, smaller, Rule::Wildcard, cx)?;
                self.separate(st, &chunks, index, cx)?;
                let left = self.tree.terms.sub(chunk.perm, amount);
                st.running_heap_mut().chunks_mut()[index].perm = left;
                return Ok(chunk.value);
            }
        }
        let candidates = self.candidates(&chunks, resource, args);
        self.use_together(candidates.iter().map(|candidate| &chunks[candidate.index]));
        let sum = self.permission_sum(&chunks, resource, args);
        let goal = self.terms().positive(sum);
        let obliged = self.oblige(st, goal, property, cx)?;
        if let Some(labelled) = self.labelled_sum(&chunks, resource, args) {
            let labelled = self.tree.terms.positive(labelled);
            self.label_goal(labelled);
        }
        if let Obliged::Failed(lack) = obliged {
            return self.recover_wildcard(st, resource, args, amount, &candidates, lack, cx);
        }
        let value = self.summary(st, &candidates, resource, cx)?;
        let zero = self.terms().no_perm();
        let sort = self.terms().perm_sort();
        let mut parts = Vec::new();
        for candidate in &candidates {
            // From each chunk that is the location: something, but not everything.
            let part = self.fresh(st, "wildcard", sort);
            let some = self.terms().positive(part);
            let rest = self.terms().lt(part, candidate.perm);
            let within = self.terms().and([some, rest]);
            let positive = self.terms().positive(candidate.perm);
            let guard = self.terms().and([candidate.equal, positive]);
            let none = self.terms().eq(part, zero);
            let fact = self.terms().ite(guard, within, none);
            self.assume_rule(st, fact, Rule::Wildcard, cx)?;
            let left = self.tree.terms.sub(candidate.perm, part);
            st.running_heap_mut().chunks_mut()[candidate.index].perm = left;
            parts.push(part);
        }
        let total = self.terms().sum(parts);
        let equal = self.terms().eq(amount, total);
        self.assume_rule(st, equal, Rule::Wildcard, cx)?;
        Ok(value)
    }
}

/// Facts about several chunks.
impl Executor<'_> {
    /// Before a chunk of a field loses permission: receivers whose permissions exceed the whole differ.
    pub fn separate(&mut self, st: &mut State, chunks: &[Chunk], index: usize, cx: &Cx) -> Step<()> {
        let chunk = &chunks[index];
        let others = chunks.iter().filter(|other| other.resource == chunk.resource).count();
        if !matches!(chunk.resource, Resource::Field(_)) || !self.amounts_matter() || others > MANY_CHUNKS {
            return Ok(());
        }
        for (at, other) in chunks.iter().enumerate() {
            if at != index && other.resource == chunk.resource {
                self.separate_pair(st, chunk, other, cx)?;
            }
        }
        Ok(())
    }
    fn separate_pair(&mut self, st: &mut State, chunk: &Chunk, other: &Chunk, cx: &Cx) -> Step<()> {
        let (a, b) = (chunk.args()[0], other.args()[0]);
        let sum = self.tree.terms.add(chunk.perm, other.perm);
        let one = self.terms().write();
        let too_much = self.terms().lt(one, sum);
        if self.tree.terms.is_false(too_much) {
            return Ok(());
        }
        let pair = (a.min(b), a.max(b));
        if self.tree.terms.is_true(too_much) && !Rc::make_mut(&mut st.separated).insert(pair) {
            return Ok(());
        }
        let differ = self.terms().ne(a, b);
        let fact = self.terms().implies(too_much, differ);
        let premises = [Premise::Fact(chunk.grant), Premise::Fact(other.grant)];
        self.assume(st, fact, Because::Rule(Rule::NonAliasing), &premises, cx.origin(Part::Permission))
    }
    /// Before a chunk of a field goes away: where another part of the same location stays, it has the same value.
    fn keep_agreement(&mut self, st: &mut State, chunks: &[Chunk], index: usize, cx: &Cx) -> Step<()> {
        let chunk = &chunks[index];
        let one = self.terms().write();
        let others: Vec<&Chunk> = chunks
            .iter()
            .enumerate()
            .filter(|(at, other)| *at != index && other.resource == chunk.resource)
            .map(|(_, other)| other)
            .collect();
        if !matches!(chunk.resource, Resource::Field(_)) || others.len() >= MANY_CHUNKS {
            return Ok(());
        }
        for other in others {
            let sum = self.tree.terms.add(chunk.perm, other.perm);
            let together = self.terms().le(sum, one);
            if !self.tree.terms.is_false(together) {
                self.agree_pair(st, chunk, other, cx)?;
            }
        }
        Ok(())
    }
    /// Chunks of one location have the same value.
    fn agree_pair(&mut self, st: &mut State, chunk: &Chunk, other: &Chunk, cx: &Cx) -> Step<()> {
        let equal = self.tree.terms.eq_all(chunk.args(), other.args());
        if self.tree.terms.is_false(equal) {
            return Ok(());
        }
        let same = self.tree.terms.eq(chunk.value, other.value);
        let positive = self.terms().positive(chunk.perm);
        let other_positive = self.terms().positive(other.perm);
        let guard = self.terms().and([equal, positive, other_positive]);
        let fact = self.terms().implies(guard, same);
        let premises = [Premise::Fact(chunk.grant), Premise::Fact(other.grant)];
        self.assume(st, fact, Because::Rule(Rule::Merge), &premises, cx.origin(Part::Value))
    }
    /// States what follows from pairs of chunks. Returns whether anything new was stated.
    pub fn consolidate(&mut self, st: &mut State, cx: &Cx) -> Step<bool> {
        if st.consolidated == Some(st.heap.version) {
            return Ok(false);
        }
        st.consolidated = Some(st.heap.version);
        let before = st.at;
        let chunks = st.heap.chunks.clone();
        let mut resources: Vec<Resource> = chunks.iter().map(|chunk| chunk.resource).collect();
        resources.sort();
        resources.dedup();
        for resource in resources {
            if self.is_quantified(resource) {
                self.quantified_consolidate(st, resource, cx)?;
                continue;
            }
            let group: Vec<Chunk> = chunks.iter().filter(|chunk| chunk.resource == resource).cloned().collect();
            if group.len() <= MANY_CHUNKS {
                self.consolidate_pairs(st, &group, cx)?;
            } else {
                self.consolidate_many(st, &group, cx)?;
            }
        }
        Ok(st.at != before)
    }
    fn consolidate_pairs(&mut self, st: &mut State, group: &[Chunk], cx: &Cx) -> Step<()> {
        let is_field = matches!(group.first().map(|chunk| chunk.resource), Some(Resource::Field(_)));
        let is_wand = matches!(group.first().map(|chunk| chunk.resource), Some(Resource::Wand(_)));
        for (index, chunk) in group.iter().enumerate() {
            for other in &group[index + 1..] {
                if is_field && self.amounts_matter() {
                    self.separate_pair(st, chunk, other, cx)?;
                }
                if !is_wand {
                    self.agree_pair(st, chunk, other, cx)?;
                }
            }
        }
        if is_field && self.amounts_matter() && group.len() > 2 {
            let one = self.terms().write();
            let premises: Vec<Premise> = group.iter().map(|chunk| Premise::Fact(chunk.grant)).collect();
            for chunk in group {
                let sum = self.permission_sum(group, chunk.resource, chunk.args());
                let bounded = self.terms().le(sum, one);
                let because = Because::Rule(Rule::PermissionBound);
                let before = st.at;
                self.assume(st, bounded, because, &premises, cx.origin(Part::Permission))?;
                if let Some(labelled) = self.labelled_sum(group, chunk.resource, chunk.args()) {
                    let labelled = self.tree.terms.le(labelled, one);
                    self.label_fact(st, before, labelled);
                }
            }
        }
        Ok(())
    }
    /// With many chunks of a field: each holder of more than half has a slot of its own, so receivers differ by
    /// congruence. The function is fresh: in another heap the slots are other ones.
    fn consolidate_many(&mut self, st: &mut State, group: &[Chunk], cx: &Cx) -> Step<()> {
        if !matches!(group[0].resource, Resource::Field(_)) || !self.amounts_matter() {
            return Ok(());
        }
        let int = self.terms().int_sort();
        let reference = self.terms().ref_sort();
        let slot = self.terms().fresh_symbol("slot", [reference], int, echis_term::SymbolKind::Function);
        let half = self.terms().perm(Rational::ONE / Rational::from(2));
        for (index, chunk) in group.iter().enumerate() {
            let more = self.terms().lt(half, chunk.perm);
            let at = self.terms().app(slot, [chunk.args()[0]]);
            let number = self.terms().int(index as u32);
            let mine = self.terms().eq(at, number);
            let fact = self.terms().implies(more, mine);
            let premises = [Premise::Fact(chunk.grant)];
            self.assume(st, fact, Because::Rule(Rule::NonAliasing), &premises, cx.origin(Part::Permission))?;
        }
        Ok(())
    }
}
