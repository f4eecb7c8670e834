//! Facts that follow from several chunks of one resource: receivers differ, or values agree.

use crate::heap::Memory;
use crate::limits::CHUNKS_IN_PAIRS;
use crate::state::{Chunk, Cx, Resource, State, Step};
use echis_proof::{Part, Rule};
use echis_term::{Made, Rational};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Memory<'_> {
    /// Before a field chunk loses permission: states that receivers differ if their permissions together exceed the
    /// whole.
    pub fn separate(&mut self, st: &mut State, chunks: &[Chunk], index: usize, cx: &Cx) -> Step<()> {
        let chunk = &chunks[index];
        let others = chunks.iter().filter(|other| other.resource == chunk.resource).count();
        if !matches!(chunk.resource, Resource::Field(_)) || !self.context.amounts_matter() || others > CHUNKS_IN_PAIRS {
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
        let sum = self.writer.tree.terms.add(chunk.perm, other.perm);
        let one = self.writer.terms().write();
        let too_much = self.writer.terms().lt(one, sum);
        if self.writer.tree.terms.is_false(too_much) {
            return Ok(());
        }
        let pair = (a.min(b), a.max(b));
        if self.writer.tree.terms.is_true(too_much) && !Rc::make_mut(&mut st.stated.separated).insert(pair) {
            return Ok(());
        }
        let differ = self.writer.terms().ne(a, b);
        let fact = self.writer.terms().implies(too_much, differ);
        self.assume_of(st, fact, Rule::NonAliasing, [chunk, other], Part::Permission, cx)
    }
    /// Before a field chunk is removed: if another part of the same location stays, states that it has the same
    /// value.
    pub fn keep_agreement(&mut self, st: &mut State, chunks: &[Chunk], index: usize, cx: &Cx) -> Step<()> {
        let chunk = &chunks[index];
        let one = self.writer.terms().write();
        let others: Vec<&Chunk> = chunks
            .iter()
            .enumerate()
            .filter(|(at, other)| *at != index && other.resource == chunk.resource)
            .map(|(_, other)| other)
            .collect();
        if !matches!(chunk.resource, Resource::Field(_)) || others.len() >= CHUNKS_IN_PAIRS {
            return Ok(());
        }
        for other in others {
            let sum = self.writer.tree.terms.add(chunk.perm, other.perm);
            let together = self.writer.terms().le(sum, one);
            if !self.writer.tree.terms.is_false(together) {
                self.agree_pair(st, chunk, other, cx)?;
            }
        }
        Ok(())
    }
    /// States that chunks of one location have the same value.
    fn agree_pair(&mut self, st: &mut State, chunk: &Chunk, other: &Chunk, cx: &Cx) -> Step<()> {
        let equal = self.writer.tree.terms.eq_all(chunk.args(), other.args());
        if self.writer.tree.terms.is_false(equal) {
            return Ok(());
        }
        let same = self.writer.tree.terms.eq(chunk.value, other.value);
        let positive = self.writer.terms().positive(chunk.perm);
        let other_positive = self.writer.terms().positive(other.perm);
        let guard = self.writer.terms().and([equal, positive, other_positive]);
        let fact = self.writer.terms().implies(guard, same);
        self.assume_of(st, fact, Rule::Merge, [chunk, other], Part::Value, cx)
    }
    /// States the facts that follow from pairs of chunks. Returns whether any are new.
    pub fn consolidate(&mut self, st: &mut State, cx: &Cx) -> Step<bool> {
        if st.stated.version == Some(st.heap.version) {
            return Ok(false);
        }
        st.stated.version = Some(st.heap.version);
        let before = st.at;
        let chunks = st.heap.chunks.clone();
        let mut resources: Vec<Resource> = chunks.iter().map(|chunk| chunk.resource).collect();
        resources.sort();
        resources.dedup();
        for resource in resources {
            if self.writer.is_quantified(resource) {
                self.quantified_consolidate(st, resource, cx)?;
                continue;
            }
            let group: Vec<Chunk> = chunks.iter().filter(|chunk| chunk.resource == resource).cloned().collect();
            if group.len() <= CHUNKS_IN_PAIRS {
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
                if is_field && self.context.amounts_matter() {
                    self.separate_pair(st, chunk, other, cx)?;
                }
                if !is_wand {
                    self.agree_pair(st, chunk, other, cx)?;
                }
            }
        }
        if is_field && self.context.amounts_matter() && group.len() > 2 {
            let one = self.writer.terms().write();
            for chunk in group {
                self.state_bound(st, group, cx, |executor, group| {
                    let sum = executor.permission_sum(group, &chunk.location());
                    executor.writer.terms().le(sum, one)
                })?;
            }
        }
        Ok(())
    }
    /// Separates the receivers of many field chunks: each holder of more than half gets its own slot, so receivers
    /// differ by congruence. The slot function is fresh: in another heap the slots are different.
    fn consolidate_many(&mut self, st: &mut State, group: &[Chunk], cx: &Cx) -> Step<()> {
        if !matches!(group[0].resource, Resource::Field(_)) || !self.context.amounts_matter() {
            return Ok(());
        }
        let int = self.writer.terms().int_sort();
        let reference = self.writer.terms().ref_sort();
        let location = self.writer.terms().fresh_variable("r", reference);
        let location_term = self.writer.terms().constant(location);
        let slot = self.writer.terms().fresh(&st.scope, Made::Slot, &[location_term], int);
        let half = self.writer.terms().perm(Rational::ONE / Rational::from(2));
        for (index, chunk) in group.iter().enumerate() {
            let more = self.writer.terms().lt(half, chunk.perm);
            let at = self.writer.terms().substitute(slot, &BTreeMap::from([(location, chunk.args()[0])]));
            let number = self.writer.terms().int(index as u32);
            let mine = self.writer.terms().eq(at, number);
            let fact = self.writer.terms().implies(more, mine);
            self.assume_of(st, fact, Rule::NonAliasing, [chunk], Part::Permission, cx)?;
        }
        Ok(())
    }
}
