//! No location of a field has more than the whole permission, however many chunks there are.

use super::keys::singleton;
use crate::executor::Executor;
use crate::state::{Chunk, Cx, Resource, State, Step};
use echis_proof::{Because, Part, Premise, Rule};
use echis_term::TermId;

impl Executor<'_> {
    /// The bound at one location, over all chunks.
    pub(super) fn bound_at(&mut self, st: &mut State, resource: Resource, args: &[TermId], cx: &Cx) -> Step<()> {
        if !matches!(resource, Resource::Field(_)) || !self.amounts_matter() {
            return Ok(());
        }
        let chunks: Vec<Chunk> = st.running_heap().of(resource).map(|(_, chunk)| chunk.clone()).collect();
        self.state_bound_at(st, &chunks, args, cx)
    }
    fn state_bound_at(&mut self, st: &mut State, chunks: &[Chunk], args: &[TermId], cx: &Cx) -> Step<()> {
        let perms: Vec<TermId> = chunks.iter().map(|chunk| self.perm_at(chunk, args)).collect();
        let premises: Vec<Premise> = chunks.iter().map(|chunk| Premise::Fact(chunk.grant)).collect();
        let fact = self.bounded(&perms);
        let before = st.at;
        self.assume(st, fact, Because::Rule(Rule::PermissionBound), &premises, cx.origin(Part::Permission))?;
        if let Some(labelled) = self.labelled_chunks(chunks) {
            let perms: Vec<TermId> = labelled.iter().map(|chunk| self.perm_at(chunk, args)).collect();
            let labelled = self.bounded(&perms);
            self.label_fact(st, before, labelled);
        }
        Ok(())
    }
    fn bounded(&mut self, perms: &[TermId]) -> TermId {
        let one = self.terms().write();
        let sum = perms.iter().fold(self.tree.terms.no_perm(), |sum, perm| self.tree.terms.add(sum, *perm));
        self.terms().le(sum, one)
    }
    /// States the bound wherever two chunks may meet: at each singleton, and for all locations if several chunks have
    /// many.
    pub fn quantified_consolidate(&mut self, st: &mut State, resource: Resource, cx: &Cx) -> Step<()> {
        if !matches!(resource, Resource::Field(_)) || !self.amounts_matter() {
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
            let keys = self.quantified.keys[&resource].clone();
            let perms: Vec<TermId> = many.iter().map(|chunk| chunk.perm).collect();
            let premises: Vec<Premise> = many.iter().map(|chunk| Premise::Fact(chunk.grant)).collect();
            let patterns = self.patterns(&perms, &keys.vars);
            let fact = self.bounded(&perms);
            let fact = self.terms().forall(&keys.vars, patterns.clone(), fact, "bound");
            let before = st.at;
            self.assume(st, fact, Because::Rule(Rule::PermissionBound), &premises, cx.origin(Part::Permission))?;
            if let Some(labelled) = self.labelled_chunks(&many) {
                let perms: Vec<TermId> = labelled.iter().map(|chunk| chunk.perm).collect();
                let labelled = self.bounded(&perms);
                let labelled = self.terms().forall(&keys.vars, patterns, labelled, "bound");
                self.label_fact(st, before, labelled);
            }
        }
        Ok(())
    }
}
