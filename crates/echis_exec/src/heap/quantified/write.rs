//! Assigning to a field. A chunk that has the whole permission keeps it and gets a new map, so that neither chunks
//! nor amounts grow with the number of assignments.

use crate::heap::Memory;
use crate::limits::CHUNKS_ASKED;
use crate::state::{Chunk, Cx, Location, Resource, State, Step};
use crate::tree::keys::singleton;
use echis_proof::{Because, Bound, Part, Question, Rule};
use echis_term::{Made, Op, QuantifierRole, TermId};

impl Memory<'_> {
    /// Updates the value in place; returns whether that was possible.
    pub fn quantified_write(
        &mut self,
        st: &mut State,
        resource: Resource,
        receiver: TermId,
        value: TermId,
        cx: &Cx,
    ) -> Step<bool> {
        let location = Location::new(resource, &[receiver]);
        let args = &location.args[..];
        let chunks = self.writer.chunks_of(&st.heap, resource);
        let plain: Vec<Chunk> = chunks.iter().map(|(_, chunk)| chunk.clone()).collect();
        let mut candidates: Vec<usize> = self.same_singleton(&plain, args).into_iter().collect();
        if candidates.is_empty() {
            let truth = self.writer.terms().truth();
            let hints = self.writer.hints(args, truth, &[]);
            let numbered: Vec<(usize, Chunk)> = plain.iter().cloned().enumerate().collect();
            let ordered = self.writer.ordered(numbered, &hints);
            candidates = ordered.into_iter().take(CHUNKS_ASKED).map(|(place, _)| place).collect();
        }
        let one = self.writer.terms().write();
        for place in candidates {
            let (index, chunk) = chunks[place].clone();
            let have = self.writer.perm_at(&chunk, args);
            let enough = super::perms::suffice(self.writer.terms(), &[have], one);
            let seen = self.seen_in(resource, std::slice::from_ref(&chunk), args);
            let enough = self.writer.terms().implies(seen, enough);
            if self.writer.probe(st, enough, Question::Other, Bound::Quick, cx) {
                self.writer.use_chunk(st, &chunk, Some(args), Some(one), cx);
                self.bound_at(st, &location, cx)?;
                let new = self.updated(st, &chunk, receiver, value, cx)?;
                // The permission is unchanged, whether or not the location is covered.
                st.heap.chunks_mut()[index] = Chunk { value: new, ..chunk };
                return Ok(true);
            }
        }
        Ok(false)
    }
    /// The chunk's values, updated at one location.
    fn updated(&mut self, st: &mut State, chunk: &Chunk, receiver: TermId, value: TermId, cx: &Cx) -> Step<TermId> {
        if singleton(chunk).is_some() {
            return Ok(value);
        }
        let keys = self.writer.keys(chunk.resource, &[receiver]);
        let scope = self.writer.tree.terms.scope_of(&st.scope, &[chunk.value, receiver, value]);
        let map = self.writer.terms().fresh(&scope, Made::Map, &[], keys.map_sort);
        let here = self.writer.terms().op(Op::Lookup, [map, receiver]);
        let written = self.writer.terms().eq(here, value);
        let because = Because::Rule(Rule::Definition);
        self.writer.assume(st, written, because.clone(), &[], cx.origin(Part::Value))?;
        let new = self.writer.terms().op(Op::Lookup, [map, keys.key_term]);
        let old = self.writer.terms().op(Op::Lookup, [chunk.value, keys.key_term]);
        let same = self.writer.terms().eq(new, old);
        let elsewhere = self.writer.terms().ne(keys.key_term, receiver);
        let fact = self.writer.terms().implies(elsewhere, same);
        let fact = self.writer.terms().forall(&[keys.key], vec![vec![new], vec![old]], fact, QuantifierRole::Update);
        self.writer.assume(st, fact, because, &[], cx.origin(Part::Value))?;
        Ok(map)
    }
}
