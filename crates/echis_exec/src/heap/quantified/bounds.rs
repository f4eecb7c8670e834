//! The total permission to a field location over all chunks is at most one.

use crate::heap::Memory;
use crate::state::{Chunk, Cx, Location, Resource, State, Step};
use crate::tree::keys::singleton;
use echis_term::{QuantifierRole, TermId};

impl Memory<'_> {
    /// States the bound at one location.
    pub fn bound_at(&mut self, st: &mut State, location: &Location, cx: &Cx) -> Step<()> {
        if !matches!(location.resource, Resource::Field(_)) || !self.context.amounts_matter() {
            return Ok(());
        }
        let chunks: Vec<Chunk> = st.running_heap().of(location.resource).map(|(_, chunk)| chunk.clone()).collect();
        self.state_bound_at(st, &chunks, &location.args, cx)
    }
    fn state_bound_at(&mut self, st: &mut State, chunks: &[Chunk], args: &[TermId], cx: &Cx) -> Step<()> {
        self.state_bound(st, chunks, cx, |executor, chunks| {
            let perms: Vec<TermId> = chunks.iter().map(|chunk| executor.writer.perm_at(chunk, args)).collect();
            executor.bounded(&perms)
        })
    }
    fn bounded(&mut self, perms: &[TermId]) -> TermId {
        let one = self.writer.terms().write();
        let sum =
            perms.iter().fold(self.writer.tree.terms.no_perm(), |sum, perm| self.writer.tree.terms.add(sum, *perm));
        self.writer.terms().le(sum, one)
    }
    /// States the bound wherever two chunks may overlap: at each singleton, and for all locations if several chunks
    /// cover many.
    pub fn quantified_consolidate(&mut self, st: &mut State, resource: Resource, cx: &Cx) -> Step<()> {
        if !matches!(resource, Resource::Field(_)) || !self.context.amounts_matter() {
            return Ok(());
        }
        let chunks: Vec<Chunk> = st.heap.of(resource).map(|(_, chunk)| chunk.clone()).collect();
        if chunks.len() > 1 {
            for location in chunks.iter().filter_map(singleton) {
                self.state_bound_at(st, &chunks, &location, cx)?;
            }
        }
        let many: Vec<Chunk> = chunks.iter().filter(|chunk| singleton(chunk).is_none()).cloned().collect();
        if many.len() > 1 {
            let keys = self.writer.known_keys(resource);
            let perms: Vec<TermId> = many.iter().map(|chunk| chunk.perm).collect();
            let patterns = self.writer.patterns(&perms, &keys.vars);
            self.state_bound(st, &many, cx, |executor, many| {
                let perms: Vec<TermId> = many.iter().map(|chunk| chunk.perm).collect();
                let fact = executor.bounded(&perms);
                executor.writer.terms().forall(&keys.vars, patterns.clone(), fact, QuantifierRole::Bound)
            })?;
        }
        Ok(())
    }
}
