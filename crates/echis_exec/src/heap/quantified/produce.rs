//! Producing a quantified access. Its consequences are stated only after its own conditions were checked.

use super::access::QuantifiedAccess;
use super::inverse::Inverse;
use crate::heap::Memory;
use crate::state::{Body, Chunk, Cx, Produced, Quantified, Resource, Shape, State, Step};
use crate::tree::keys::{produced, singleton};
use echis_proof::{Because, NodeId, Part, Premise, Rule};
use echis_term::{Made, Op, QuantifierRole, Rational, TermId};
use std::rc::Rc;

impl Memory<'_> {
    /// Adds the chunk of a checked access.
    pub fn give_extent(
        &mut self,
        st: &mut State,
        mut extent: QuantifiedAccess,
        snapshot: TermId,
        injective: Option<Premise>,
        grant: NodeId,
        cx: &Cx,
    ) -> Step<()> {
        let map = self.unwrap_map(st, snapshot, &extent, cx)?;
        self.retarget_triggers(&mut extent, map);
        let inverse = self.inverse(st, &extent, injective, cx)?;
        if self.writer.tree.terms.is_false(inverse.image) {
            return Ok(());
        }
        self.state_keys(st, &extent, &inverse, map, grant, cx)?;
        self.state_instances(st, &extent, &inverse, grant, cx)?;
        self.offer_triggers(st, &extent, map, grant, cx)?;
        let perm = self.amount_at(&extent, &inverse);
        let hints = self.writer.hints(&extent.location.args, extent.domain, &extent.vars);
        let produced = Produced { map, image: inverse.image, perm, keyed: true };
        let many = Quantified { singleton: None, produced: Some(produced), hints };
        let chunk = Chunk {
            resource: extent.location.resource,
            shape: Shape::Many(Rc::new(many)),
            perm,
            value: map,
            grant,
            left: None,
        };
        self.quantified_add(st, chunk, cx)
    }
    /// The map contained in a snapshot.
    fn unwrap_map(&mut self, st: &mut State, snapshot: TermId, extent: &QuantifiedAccess, cx: &Cx) -> Step<TermId> {
        let map = self.writer.terms().unwrap(snapshot, extent.keys.map_sort);
        let wrapped = self.writer.terms().wrap(map);
        let shape = self.writer.terms().eq(snapshot, wrapped);
        self.writer.assume_rule(st, shape, Rule::Snapshot, cx)?;
        if !self.context.amounts_matter() || !super::perms::is_larger(&self.writer.tree.terms, map, 1) {
            return Ok(map);
        }
        let origin = cx.origin(Part::Definition);
        Ok(self.writer.define(st, Made::Map, map, Because::Rule(Rule::Definition), &[], origin))
    }
    /// Where the snapshot is compared with others: states that the map's keys are the covered locations.
    fn state_keys(
        &mut self,
        st: &mut State,
        extent: &QuantifiedAccess,
        inverse: &Inverse,
        map: TermId,
        grant: NodeId,
        cx: &Cx,
    ) -> Step<()> {
        if st.body == Body::Outside && self.context.amounts_matter() {
            return Ok(());
        }
        let fact = self.has_keys(&extent.keys, map, inverse.image);
        self.assume_granted(st, fact, Rule::Snapshot, grant, Part::Value, cx)
    }
    /// States for fields that no covered receiver is null and no amount exceeds the whole.
    fn state_instances(
        &mut self,
        st: &mut State,
        extent: &QuantifiedAccess,
        inverse: &Inverse,
        grant: NodeId,
        cx: &Cx,
    ) -> Step<()> {
        if !matches!(extent.location.resource, Resource::Field(_)) {
            return Ok(());
        }
        let rule = Rule::PermissionBound;
        let null = self.writer.terms().null();
        let covered = self.writer.at_location(&extent.keys, inverse.image, &[null]);
        let fact = self.writer.terms().not(covered);
        self.assume_granted(st, fact, rule, grant, Part::Permission, cx)?;
        let small = self.writer.tree.terms.as_perm(extent.amount).is_some_and(|amount| *amount <= Rational::ONE);
        if self.context.amounts_matter() && !small {
            let one = self.writer.terms().write();
            let bounded = self.writer.terms().le(extent.amount, one);
            let fact = self.writer.terms().implies(extent.domain, bounded);
            let fact = self.writer.terms().forall(&extent.vars, extent.triggers.clone(), fact, QuantifierRole::Bound);
            self.assume_granted(st, fact, rule, grant, Part::Permission, cx)?;
        }
        Ok(())
    }
    /// Adds a chunk. A chunk for exactly the same locations absorbs it: both have permission there, so their values
    /// agree. Wands with the same arguments remain distinct.
    pub fn quantified_add(&mut self, st: &mut State, chunk: Chunk, cx: &Cx) -> Step<()> {
        if let Some(args) = singleton(&chunk) {
            let perm = self.writer.perm_at(&chunk, &args);
            let added = Chunk::at(chunk.location(), perm, chunk.value, chunk.grant);
            return self.quantified_add_single(st, &added, cx);
        }
        let chunks = st.running_heap().chunks.clone();
        let image = produced(&chunk).map(|produced| produced.image);
        let image = image.filter(|image| self.covers_exactly(chunk.perm, *image).is_some());
        let same = image.and_then(|image| {
            let index = chunks.iter().position(|other| {
                other.resource == chunk.resource
                    && !matches!(chunk.resource, Resource::Wand(_))
                    && singleton(other).is_none()
                    && self.covers_exactly(other.perm, image).is_some()
            })?;
            Some((index, image))
        });
        let Some((index, image)) = same else {
            let parts = chunks.iter().filter(|other| other.resource == chunk.resource && singleton(other).is_some());
            for part in parts {
                self.agree_around(st, part, std::slice::from_ref(&chunk), cx)?;
            }
            st.running_heap_mut().push(chunk);
            return Ok(());
        };
        let old = chunks[index].clone();
        let keys = self.writer.known_keys(chunk.resource);
        let premises = [Premise::Fact(old.grant), Premise::Fact(chunk.grant)];
        let image = self.writer.at_key(&keys, image);
        let mine = self.writer.terms().op(Op::Lookup, [chunk.value, keys.key_term]);
        let theirs = self.writer.terms().op(Op::Lookup, [old.value, keys.key_term]);
        let equal = self.writer.terms().eq(mine, theirs);
        let fact = self.writer.terms().implies(image, equal);
        let fact =
            self.writer.terms().forall(&[keys.key], vec![vec![mine], vec![theirs]], fact, QuantifierRole::Merged);
        self.writer.assume(st, fact, Because::Rule(Rule::Merge), &premises, cx.origin(Part::Value))?;
        let perm = super::perms::total(self.writer.terms(), old.perm, chunk.perm);
        let grant = self.grant(st, chunk.resource, Because::Rule(Rule::Merge), &premises, cx);
        self.writer.note_merge(grant, perm, &old, &chunk);
        if matches!(chunk.resource, Resource::Field(_)) && self.context.amounts_matter() {
            let one = self.writer.terms().write();
            let bounded = self.writer.terms().le(perm, one);
            let patterns = self.writer.patterns(&[perm], &keys.vars);
            let fact = self.writer.terms().forall(&keys.vars, patterns, bounded, QuantifierRole::Bound);
            self.writer.assume(
                st,
                fact,
                Because::Rule(Rule::PermissionBound),
                &premises,
                cx.origin(Part::Permission),
            )?;
        }
        st.running_heap_mut().chunks_mut()[index] = Chunk { perm, grant, left: None, ..old };
        Ok(())
    }
    /// The literal amount within the image, if it is positive and the amount outside is zero.
    pub fn covers_exactly(&self, perm: TermId, image: TermId) -> Option<&Rational> {
        match self.writer.tree.terms.as_op(perm) {
            Some((Op::Ite, &[condition, then, otherwise]))
                if condition == image && self.writer.tree.terms.is_zero(otherwise) =>
            {
                self.writer.tree.terms.as_perm(then).filter(|amount| **amount > Rational::ZERO)
            }
            _ => None,
        }
    }
}
