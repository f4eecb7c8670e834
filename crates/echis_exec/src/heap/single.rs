//! Chunks of single locations: finding, reading, adding, removing, and the facts that follow from several at once.
//!
//! A location may be covered by several chunks whose receivers are not known to be equal or different. The meaning is
//! always the sum over all of them; using a single chunk that definitely is the location is only a fast path.

use crate::heap::Memory;
use crate::state::{Chunk, Cx, Heap, Location, Obligation, Resource, Shape, State, Step};
use crate::tree::recover::Obliged;
use echis_proof::{Because, Bound, NodeId, Part, Premise, Question, Rule};
use echis_term::{Made, TermId};

/// An amount to remove. The clause being consumed decides whether it is open, never the term: an amount that was once
/// chosen for a `wildcard` is exact from then on.
#[derive(Clone, Copy)]
pub(crate) enum Amount {
    Exact(TermId),
    /// An unconstrained positive amount: it may be as small as needed.
    Wildcard(TermId),
}

impl Amount {
    pub fn term(self) -> TermId {
        match self {
            Amount::Exact(term) | Amount::Wildcard(term) => term,
        }
    }
    pub fn is_open(self) -> bool {
        matches!(self, Amount::Wildcard(_))
    }
}

/// Permission to a location that must be held.
pub(crate) struct Demand {
    pub location: Location,
    pub amount: Amount,
    /// The error if it is not held.
    pub obligation: Obligation,
}

/// An amount that must be held at a location.
pub(crate) struct Needed<'l> {
    pub location: &'l Location,
    /// `None`: any positive amount.
    pub amount: Option<TermId>,
    pub obligation: Obligation,
}

/// Finding.
impl Memory<'_> {
    /// The chunk whose arguments are the same terms, looking through definitions.
    pub fn find_same(&mut self, chunks: &[Chunk], location: &Location) -> Option<usize> {
        let resolved: Vec<TermId> = location.args.iter().map(|arg| self.writer.peek(*arg)).collect();
        let index = chunks.iter().position(|chunk| {
            chunk.resource == location.resource
                && matches!(chunk.shape, Shape::Single(_))
                && chunk.args().iter().zip(&resolved).all(|(have, want)| self.writer.peek(*have) == *want)
        })?;
        for (have, want) in chunks[index].args().to_vec().into_iter().zip(location.args.iter()) {
            if have != *want {
                self.writer.resolve(have);
                self.writer.resolve(*want);
            }
        }
        Some(index)
    }
    /// The chunk that definitely is the location: syntactically, or by a quick proof.
    pub fn find(&mut self, st: &State, chunks: &[Chunk], location: &Location, cx: &Cx) -> Option<usize> {
        if let Some(index) = self.find_same(chunks, location) {
            return Some(index);
        }
        for (index, chunk) in chunks.iter().enumerate() {
            if chunk.resource == location.resource && matches!(chunk.shape, Shape::Single(_)) {
                let equal = self.writer.tree.terms.eq_all(chunk.args(), &location.args);
                if self.writer.probe(st, equal, Question::Alias, Bound::Quick, cx) {
                    return Some(index);
                }
            }
        }
        None
    }
    /// For each chunk of the resource: its index, whether it is the location, its amount and its value.
    pub fn candidates(&mut self, chunks: &[Chunk], location: &Location) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (index, chunk) in chunks.iter().enumerate() {
            if chunk.resource == location.resource {
                let equal = self.writer.tree.terms.eq_all(chunk.args(), &location.args);
                if !self.writer.tree.terms.is_false(equal) {
                    let Chunk { perm, value, grant, .. } = *chunk;
                    candidates.push(Candidate { index, equal, perm, value, grant });
                }
            }
        }
        candidates
    }
    /// The sum of permission to a location over all chunks that may be it.
    pub fn permission_sum(&mut self, chunks: &[Chunk], location: &Location) -> TermId {
        let candidates = self.candidates(chunks, location);
        let zero = self.writer.terms().no_perm();
        let parts: Vec<TermId> =
            candidates.iter().map(|candidate| self.writer.terms().ite(candidate.equal, candidate.perm, zero)).collect();
        self.writer.terms().sum(parts)
    }
    /// A value that agrees with every candidate that is the location and has permission.
    pub fn summary(&mut self, st: &mut State, candidates: &[Candidate], resource: Resource, cx: &Cx) -> Step<TermId> {
        if let [only] = candidates {
            return Ok(only.value);
        }
        let sort = self.writer.value_sort(resource);
        let value = self.writer.fresh(st, Made::Value, sort);
        self.agree_with(st, value, candidates, resource, cx)?;
        Ok(value)
    }
    /// States that a value equals that of every candidate that is the location and has permission. Wands of the same
    /// shape and arguments may still be distinct.
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
            let positive = self.writer.terms().positive(candidate.perm);
            let guard = self.writer.terms().and([candidate.equal, positive]);
            let equal = self.writer.terms().eq(value, candidate.value);
            let fact = self.writer.terms().implies(guard, equal);
            self.assume_granted(st, fact, Rule::Merge, candidate.grant, Part::Value, cx)?;
        }
        Ok(())
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
impl Memory<'_> {
    /// The value at a location that must be readable.
    pub fn lookup(&mut self, st: &mut State, location: &Location, obligation: Obligation, cx: &Cx) -> Step<TermId> {
        if self.writer.is_quantified(location.resource) {
            return self.quantified_lookup(st, location, obligation, cx);
        }
        let chunks = st.heap.chunks.clone();
        if let Some(index) = self.find_same(&chunks, location)
            && let Some(value) = self.read_alone(st, &chunks[index], cx)
        {
            return Ok(value);
        }
        let candidates = self.candidates(&chunks, location);
        if candidates.len() > 1
            && let Some(index) = self.find(st, &chunks, location, cx)
            && let Some(value) = self.read_alone(st, &chunks[index], cx)
        {
            return Ok(value);
        }
        match self.oblige_some(st, &chunks, &candidates, location, obligation, cx)? {
            Obliged::Holds(_) => self.summary(st, &candidates, location.resource, cx),
            Obliged::Failed(lack) => self.recover_read(st, location, &candidates, lack, cx),
        }
    }
    /// The value of a chunk that has some permission by itself; it then counts as used.
    fn read_alone(&mut self, st: &mut State, chunk: &Chunk, cx: &Cx) -> Option<TermId> {
        let positive = self.writer.tree.terms.positive(chunk.perm);
        if !self.writer.probe(st, positive, Question::Positive, Bound::Quick, cx) {
            return None;
        }
        self.writer.use_chunk(st, chunk, None, None, cx);
        Some(chunk.value)
    }
    /// Proves that some permission is held, over all chunks that may be the location.
    pub fn oblige_some(
        &mut self,
        st: &mut State,
        chunks: &[Chunk],
        candidates: &[Candidate],
        location: &Location,
        obligation: Obligation,
        cx: &Cx,
    ) -> Step<Obliged> {
        let held: Vec<Chunk> = candidates.iter().map(|candidate| chunks[candidate.index].clone()).collect();
        self.hold(st, &held, obligation, cx, |executor, chunks| {
            let sum = executor.permission_sum(chunks, location);
            executor.writer.terms().positive(sum)
        })
    }
}

/// Adding.
impl Memory<'_> {
    /// The fact that grants permission, for chunks to refer to.
    pub fn grant(
        &mut self,
        st: &mut State,
        resource: Resource,
        because: Because,
        premises: &[Premise],
        cx: &Cx,
    ) -> NodeId {
        let truth = self.writer.terms().truth();
        st.at = self.writer.tree.assume(st.at, truth, because, premises, cx.origin(Part::Permission));
        self.writer.note_granted(st.at, st.running_heap(), resource, cx);
        st.at
    }
    /// Adds permission to one location. A chunk with the same arguments absorbs it.
    pub fn add_chunk(&mut self, st: &mut State, added: Chunk, cx: &Cx) -> Step<()> {
        if self.writer.is_quantified(added.resource) {
            return self.quantified_add_single(st, &added, cx);
        }
        let (location, Chunk { perm, value, grant, .. }) = (added.location(), added);
        if self.writer.tree.terms.is_zero(perm) {
            return Ok(());
        }
        let chunks = st.running_heap().chunks.clone();
        // Wands with the same arguments remain distinct.
        let same = match location.resource {
            Resource::Wand(_) => None,
            _ => self.find_same(&chunks, &location),
        };
        let (perm, grant) = match same {
            Some(index) if self.writer.is_of_recovery(&chunks[index]) => {
                let found = Chunk { perm, value, grant, left: None, ..chunks[index].clone() };
                self.find_missing(st, &chunks[index], perm, value, cx)?;
                st.running_heap_mut().chunks_mut()[index] = found;
                (perm, grant)
            }
            Some(index) => {
                let old = chunks[index].clone();
                let premises = [Premise::Fact(old.grant), Premise::Fact(grant)];
                let (total, merged) =
                    self.merge_values(st, (old.perm, old.value), (perm, value), location.resource, &premises, cx)?;
                let total = self.at_most_whole(location.resource, &old, total);
                let new = Chunk { perm, value, grant, left: None, ..old.clone() };
                let grant = self.grant(st, location.resource, Because::Rule(Rule::Merge), &premises, cx);
                self.writer.note_merge(grant, total, &old, &new);
                st.running_heap_mut().chunks_mut()[index] =
                    Chunk { perm: total, value: merged, grant, left: None, ..old };
                (total, grant)
            }
            None => {
                st.running_heap_mut().push(Chunk::at(location.clone(), perm, value, grant));
                (perm, grant)
            }
        };
        self.assume_instance(st, &location, perm, grant, cx)
    }
    /// Merges two chunks of the same location: amounts add up, and values with permission agree.
    pub fn merge_values(
        &mut self,
        st: &mut State,
        (perm, value): (TermId, TermId),
        (other_perm, other): (TermId, TermId),
        resource: Resource,
        premises: &[Premise],
        cx: &Cx,
    ) -> Step<(TermId, TermId)> {
        let total = self.writer.terms().add(perm, other_perm);
        if value == other {
            return Ok((total, value));
        }
        let positive = self.writer.terms().positive(perm);
        let other_positive = self.writer.terms().positive(other_perm);
        // Where one amount is definitely positive, its value is the merged value; reusing it otherwise would be
        // unsound. Chunks are found by their arguments, so a new name for a value would hide chunks that refer to it
        // by the old one.
        let merged = if self.writer.tree.terms.is_true(positive) {
            value
        } else if self.writer.tree.terms.is_true(other_positive) {
            other
        } else if self.writer.probe(st, positive, Question::Positive, Bound::Quick, cx) {
            value
        } else if self.writer.probe(st, other_positive, Question::Positive, Bound::Quick, cx) {
            other
        } else {
            let sort = self.writer.value_sort(resource);
            self.writer.fresh(st, Made::Merged, sort)
        };
        for (guard, value) in [(positive, value), (other_positive, other)] {
            let equal = self.writer.terms().eq(merged, value);
            let fact = self.writer.terms().implies(guard, equal);
            self.writer.assume(st, fact, Because::Rule(Rule::Merge), premises, cx.origin(Part::Value))?;
        }
        Ok((total, merged))
    }
    /// States for fields that the permission is at most the whole, and positive only for non-null receivers.
    pub fn assume_instance(
        &mut self,
        st: &mut State,
        location: &Location,
        perm: TermId,
        grant: NodeId,
        cx: &Cx,
    ) -> Step<()> {
        if !matches!(location.resource, Resource::Field(_)) {
            return Ok(());
        }
        let rule = Rule::PermissionBound;
        if self.context.amounts_matter() {
            let write = self.writer.terms().write();
            let bounded = self.writer.terms().le(perm, write);
            self.assume_granted(st, bounded, rule, grant, Part::Permission, cx)?;
        }
        let null = self.writer.terms().null();
        let nonnull = self.writer.terms().ne(location.args[0], null);
        let positive = self.writer.terms().positive(perm);
        let fact = self.writer.terms().implies(positive, nonnull);
        self.assume_granted(st, fact, rule, grant, Part::Permission, cx)
    }
    /// A value that is unknown where it was forgotten.
    pub fn forgotten(&mut self, st: &mut State, changed: TermId, old: TermId, cx: &Cx) -> Step<TermId> {
        let sort = self.writer.tree.terms.sort_of(old);
        let unknown = self.writer.fresh(st, Made::Havoc, sort);
        let value = self.writer.terms().ite(changed, unknown, old);
        if value == unknown {
            return Ok(value);
        }
        let apart = self.writer.terms().not(changed);
        let apart = self.writer.apart(st, apart, cx);
        let new = self.writer.fresh(st, Made::Havoc, sort);
        let [fact, kept] = [value, old].map(|value| self.writer.terms().eq(new, value));
        self.writer.state_forgotten(st, fact, kept, &apart, cx)?;
        Ok(new)
    }
    /// Adds back the chunks of another heap, merging those of the same location.
    pub fn merge_heap(&mut self, st: &mut State, other: &Heap, cx: &Cx) -> Step<()> {
        for chunk in other.chunks.iter() {
            match &chunk.shape {
                Shape::Single(_) => self.add_chunk(st, chunk.clone(), cx)?,
                Shape::Many(_) => self.quantified_add(st, chunk.clone(), cx)?,
            }
        }
        Ok(())
    }
    pub fn add_chunks(&mut self, st: &mut State, chunks: &[Chunk], cx: &Cx) -> Step<()> {
        for chunk in chunks {
            match &chunk.shape {
                Shape::Single(_) => self.add_chunk(st, chunk.clone(), cx)?,
                Shape::Many(_) => st.heap.push(chunk.clone()),
            }
        }
        Ok(())
    }
}
