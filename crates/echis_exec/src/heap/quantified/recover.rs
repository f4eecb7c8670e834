//! Recovers from missing permission to quantified resources: the missing permission is treated as inhaled, per
//! location.

use super::consume::ExtentDemand;
use crate::heap::Memory;
use crate::heap::single::Needed;
use crate::state::{Chunk, Cx, Location, Quantified, Resource, Shape, State, Step};
use crate::tree::recover::Lack;
use echis_proof::{Part, Rule};
use echis_term::{Made, TermId};
use std::rc::Rc;

/// One location.
impl Memory<'_> {
    /// Recovers from a failed read: the location counts as readable from here on.
    pub fn recover_read_at(
        &mut self,
        st: &mut State,
        location: &Location,
        chunks: &[Chunk],
        lack: Lack,
        cx: &Cx,
    ) -> Step<TermId> {
        let grant = self.recovered_grant(st, location.resource, lack, cx);
        let here: Vec<TermId> = chunks.iter().map(|chunk| self.writer.perm_at(chunk, &location.args)).collect();
        let available = self.writer.terms().sum(here);
        let perm = self.some_missing(st, available, cx)?;
        let value = self.recovered_value_at(st, location, chunks, cx)?;
        self.recovered_receiver(st, location, perm, lack, cx);
        let chunk = self.single(location, perm, value, grant);
        if let Some(rest) = st.phase.rest_mut() {
            rest.push(chunk.clone());
        }
        st.heap.push(chunk);
        Ok(value)
    }
    /// Recovers from a failed removal (`None`: of a wildcard). Returns the value that was held.
    pub fn recover_removal_at(
        &mut self,
        st: &mut State,
        needed: &Needed,
        chunks: &[Chunk],
        lack: Lack,
        cx: &Cx,
    ) -> Step<TermId> {
        let location = needed.location;
        let Some(amount) = needed.amount else { return self.recover_read_at(st, location, chunks, lack, cx) };
        let grant = self.recovered_grant(st, location.resource, lack, cx);
        let perms: Vec<TermId> = chunks.iter().map(|chunk| self.writer.perm_at(chunk, &location.args)).collect();
        let available = self.writer.terms().sum(perms);
        let missing = self.deficit(amount, available);
        let missing = self.named_amount(st, Made::Missing, missing, grant, cx);
        let value = self.recovered_value_at(st, location, chunks, cx)?;
        self.recovered_receiver(st, location, missing, lack, cx);
        if st.phase.rest().is_some() {
            let chunk = self.single(location, missing, value, grant);
            st.heap.push(chunk);
        }
        Ok(value)
    }
    /// A fresh value that agrees with every chunk that has permission to the location.
    fn recovered_value_at(&mut self, st: &mut State, location: &Location, chunks: &[Chunk], cx: &Cx) -> Step<TermId> {
        let sort = self.writer.value_sort(location.resource);
        let value = self.writer.fresh(st, Made::Recovered, sort);
        if matches!(location.resource, Resource::Wand(_)) {
            return Ok(value);
        }
        for chunk in chunks {
            let perm = self.writer.perm_at(chunk, &location.args);
            let held = super::perms::is_some(self.writer.terms(), perm);
            let known = self.writer.value_at(chunk, &location.args);
            let equal = self.writer.terms().eq(value, known);
            let fact = self.writer.terms().implies(held, equal);
            self.assume_of(st, fact, Rule::Merge, [chunk], Part::Value, cx)?;
        }
        Ok(value)
    }
}

/// Many locations.
impl Memory<'_> {
    /// A chunk with what the chunks lack of an amount over the canonical variables (`None`: of any positive amount).
    pub fn recover_extent(
        &mut self,
        st: &mut State,
        demand: &ExtentDemand,
        wanted: Option<TermId>,
        chunks: &[Chunk],
        lack: Lack,
        cx: &Cx,
    ) -> Step<Chunk> {
        let ExtentDemand { extent, inverse, .. } = demand;
        let grant = self.recovered_grant(st, extent.location.resource, lack, cx);
        let zero = self.writer.terms().no_perm();
        let have = chunks.iter().fold(zero, |sum, chunk| super::perms::total(self.writer.terms(), sum, chunk.perm));
        let missing = match wanted {
            Some(wanted) => self.deficit(wanted, have),
            None => self.some_missing(st, have, cx)?,
        };
        let missing = self.writer.terms().ite(inverse.image, missing, zero);
        let keys = extent.keys.clone();
        let perm = self.settle_amount(st, &keys, missing, grant, cx)?;
        let value = self.writer.fresh(st, Made::Recovered, keys.map_sort);
        let hints = self.writer.hints(&extent.location.args, extent.domain, &extent.vars);
        let many = Quantified { singleton: None, produced: None, hints };
        Ok(Chunk {
            resource: extent.location.resource,
            shape: Shape::Many(Rc::new(many)),
            perm,
            value,
            grant,
            left: None,
        })
    }
    /// Takes from each chunk what it has of the wanted amount, under an unknown condition, so that permission missing
    /// later is attributed to this failure.
    pub fn take_after_failure(&mut self, st: &mut State, demand: &ExtentDemand, chunks: &[(usize, Chunk)]) {
        let sort = self.writer.terms().perm_sort();
        let open = self.writer.fresh(st, Made::Recovered, sort);
        let open = self.writer.terms().positive(open);
        let mut needed = demand.wanted;
        for (index, chunk) in chunks {
            let taken = super::perms::minimum(self.writer.terms(), chunk.perm, needed);
            let left = super::perms::rest(self.writer.terms(), chunk.perm, taken);
            let covered = self.writer.terms().and([open, demand.inverse.image]);
            let perm = self.writer.terms().ite(covered, left, chunk.perm);
            needed = super::perms::rest(self.writer.terms(), needed, taken);
            let perm = match crate::tree::keys::singleton(chunk) {
                Some(location) => {
                    let here = self.writer.at_location(&demand.extent.keys, perm, &location);
                    self.only_at(&demand.extent.keys, &location, here)
                }
                None => perm,
            };
            st.running_heap_mut().chunks_mut()[*index].perm = perm;
        }
    }
}
