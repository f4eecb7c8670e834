//! Triggers that mention a resource (`{x.f}`, `{P(x)}`) fire where a location is looked up. Each lookup adds to facts
//! and goals a proposition that mentions the value. Nothing else constrains this proposition, so it may be assumed
//! everywhere.

use super::access::QuantifiedAccess;
use crate::heap::Memory;
use crate::state::{Chunk, Cx, Resource, State, Step};
use crate::tree::keys::{produced, singleton};
use echis_proof::{NodeId, Part, Rule};
use echis_term::{Mark, Op, QuantifierRole, SymbolRole, TermId};

impl Memory<'_> {
    pub fn is_triggered(&self, resource: Resource) -> bool {
        match resource {
            Resource::Field(field) => {
                self.context.reach.triggered.contains(&echis_program::reach::Resource::Field(field))
            }
            Resource::Predicate(predicate) => {
                self.context.reach.triggered.contains(&echis_program::reach::Resource::Predicate(predicate))
            }
            Resource::Wand(_) => false,
        }
    }
    /// The proposition that the location is looked up in a map.
    fn seen(&mut self, resource: Resource, map: TermId, args: &[TermId]) -> TermId {
        let value = self.writer.look_up(resource, map, args);
        let sort = self.writer.tree.terms.sort_of(value);
        let bool_sort = self.writer.terms().bool_sort();
        let role = SymbolRole::Mark(Mark::Seen, self.context.resource_name(resource).into());
        let symbol = self.writer.terms().declare(role, [sort], bool_sort);
        self.writer.terms().app(symbol, [value])
    }
    /// The location is looked up in each of the chunks; trivially true if no trigger mentions the resource.
    pub fn seen_in(&mut self, resource: Resource, chunks: &[Chunk], args: &[TermId]) -> TermId {
        if !self.is_triggered(resource) {
            return self.writer.terms().truth();
        }
        let mut maps: Vec<TermId> = Vec::new();
        for chunk in chunks.iter().filter(|chunk| singleton(chunk).is_none()) {
            maps.push(chunk.value);
            maps.extend(produced(chunk).map(|produced| produced.map));
        }
        maps.sort();
        maps.dedup();
        let parts: Vec<TermId> = maps.into_iter().map(|map| self.seen(resource, map, args)).collect();
        self.writer.terms().and(parts)
    }
    /// Marks the locations of a produced access as looked up.
    pub fn offer_triggers(
        &mut self,
        st: &mut State,
        extent: &QuantifiedAccess,
        map: TermId,
        grant: NodeId,
        cx: &Cx,
    ) -> Step<()> {
        if !self.is_triggered(extent.location.resource) {
            return Ok(());
        }
        let seen = self.seen(extent.location.resource, map, &extent.location.args);
        let fact = self.writer.terms().implies(extent.domain, seen);
        let fact = self.writer.terms().forall(&extent.vars, extent.triggers.clone(), fact, QuantifierRole::Seen);
        self.assume_granted(st, fact, Rule::Mark, grant, Part::Permission, cx)
    }
    /// Redirects triggers that look up the covered locations themselves to the access's own, new map.
    pub fn retarget_triggers(&mut self, extent: &mut QuantifiedAccess, map: TermId) {
        let sort = extent.keys.map_sort;
        let terms = &mut self.writer.tree.terms;
        for trigger in extent.triggers.iter_mut().flatten() {
            if let Some((Op::Lookup, &[old, key])) = terms.as_op(*trigger)
                && terms.sort_of(old) == sort
            {
                *trigger = terms.op(Op::Lookup, [map, key]);
            }
        }
    }
}
