//! `quasihavoc` and `quasihavocall` on quantified resources: permission is kept, values are forgotten.

use super::access::QuantifiedAccess;
use crate::heap::Memory;
use crate::state::{Chunk, Cx, Location, Obligation, Resource, Shape, State, Step};
use crate::tree::keys::{Keys, singleton};
use echis_term::{Made, Op, QuantifierRole, TermId};
use std::rc::Rc;

impl Memory<'_> {
    pub fn quantified_havoc_single(&mut self, st: &mut State, location: &Location, guard: TermId, cx: &Cx) -> Step<()> {
        let keys = self.writer.keys(location.resource, &location.args);
        let here = self.writer.is_location(&keys, &location.args);
        let forgotten = self.writer.terms().and([guard, here]);
        self.forget(st, location.resource, &keys, forgotten, cx)
    }
    /// Forgets the values at the locations of an access.
    pub fn forget_extent(
        &mut self,
        st: &mut State,
        extent: &QuantifiedAccess,
        obligation: Obligation,
        cx: &Cx,
    ) -> Step<()> {
        let injective = self.check_injective(st, extent, obligation, cx)?;
        let inverse = self.inverse(st, extent, injective, cx)?;
        self.forget(st, extent.location.resource, &extent.keys, inverse.image, cx)
    }
    /// Forgets the values at locations that satisfy a condition on the canonical variables.
    fn forget(&mut self, st: &mut State, resource: Resource, keys: &Keys, forgotten: TermId, cx: &Cx) -> Step<()> {
        for (index, chunk) in self.writer.chunks_of(&st.heap, resource) {
            let value = match singleton(&chunk) {
                Some(args) => self.forget_single(st, keys, &chunk, &args, forgotten, cx)?,
                None => self.forget_many(st, keys, &chunk, forgotten, cx)?,
            };
            let chunk = &mut st.heap.chunks_mut()[index];
            chunk.value = value;
            if let Shape::Many(many) = &mut chunk.shape
                && let Some(produced) = &mut Rc::make_mut(many).produced
            {
                produced.keyed = false;
            }
        }
        Ok(())
    }
    fn forget_single(
        &mut self,
        st: &mut State,
        keys: &Keys,
        chunk: &Chunk,
        args: &[TermId],
        forgotten: TermId,
        cx: &Cx,
    ) -> Step<TermId> {
        let changed = self.writer.at_location(keys, forgotten, args);
        if self.writer.tree.terms.is_false(changed) {
            return Ok(chunk.value);
        }
        self.forgotten(st, changed, chunk.value, cx)
    }
    fn forget_many(&mut self, st: &mut State, keys: &Keys, chunk: &Chunk, forgotten: TermId, cx: &Cx) -> Step<TermId> {
        let map = self.writer.fresh(st, Made::Havoc, keys.map_sort);
        let forgotten = self.writer.at_key(keys, forgotten);
        let new = self.writer.terms().op(Op::Lookup, [map, keys.key_term]);
        let old = self.writer.terms().op(Op::Lookup, [chunk.value, keys.key_term]);
        let same = self.writer.terms().eq(new, old);
        let kept = self.writer.terms().not(forgotten);
        let fact = self.writer.terms().implies(kept, same);
        let [fact, all] = [fact, same].map(|fact| {
            self.writer.terms().forall(&[keys.key], vec![vec![new], vec![old]], fact, QuantifierRole::Havoc)
        });
        self.writer.state_forgotten(st, fact, all, &[], cx)?;
        Ok(map)
    }
}
