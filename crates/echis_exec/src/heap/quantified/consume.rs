//! Consuming a quantified access: proving that the permission is held, and removing it from the chunks.
//!
//! The goal is stated over the variables of the access (`∀ xs. domain ⇒ amount <= held at e(xs)`), so that the solver
//! sees the locations; the remainder of a chunk is stated over the canonical variables.

use super::access::QuantifiedAccess;
use super::inverse::Inverse;
use crate::heap::Memory;
use crate::limits::CHUNKS_ASKED;
use crate::state::{Chunk, Cx, Obligation, Purpose, Resource, State, Step};
use crate::tree::keys::singleton;
use crate::tree::recover::Obliged;
use echis_proof::{Bound, NodeId, Part, Question, Rule};
use echis_term::{Made, QuantifierRole, TermId};

/// The change to a chunk: its new amount, or removal.
type Change = (usize, Option<TermId>);

/// An access being consumed.
pub(crate) struct ExtentDemand<'e> {
    pub extent: &'e QuantifiedAccess,
    pub inverse: Inverse,
    /// The amount at the canonical variables.
    pub wanted: TermId,
}

/// The amount demanded at each location.
#[derive(Clone, Copy)]
enum Demanded {
    /// The amount of the access.
    All,
    Some,
}

impl Memory<'_> {
    /// Consumes an access, which must be held, and returns its snapshot.
    pub fn take_extent(&mut self, st: &mut State, extent: &QuantifiedAccess, cx: &Cx) -> Step<TermId> {
        let demand = self.demand(st, extent, cx)?;
        if !st.levels.is_empty() {
            self.transfer_extent(st, extent, &demand.inverse, cx)?;
        }
        let chunks = self.writer.chunks_of(st.running_heap(), extent.location.resource);
        let hints = self.writer.hints(&extent.location.args, extent.domain, &extent.vars);
        let chunks = self.writer.ordered(chunks, &hints);
        let touched = if extent.wildcard {
            self.take_some(st, &demand, &chunks, cx)?
        } else {
            self.take(st, &demand, &chunks, &hints, cx)?
        };
        if cx.purpose == Purpose::GiveAway {
            let snap = self.writer.terms().snap_sort();
            return Ok(self.writer.fresh(st, Made::Snapshot, snap));
        }
        self.snapshot_map(st, &extent.location, &touched, demand.inverse.image, cx)
    }
    /// The snapshot of an access whose locations must be readable.
    pub fn read_extent(&mut self, st: &mut State, extent: &QuantifiedAccess, cx: &Cx) -> Step<TermId> {
        let demand = self.demand(st, extent, cx)?;
        let mut chunks: Vec<Chunk> = st.heap.of(extent.location.resource).map(|(_, chunk)| chunk.clone()).collect();
        if cx.mode.is_silent() {
            self.writer.use_grants(&chunks);
        } else if let Obliged::Failed(lack) = self.hold_everywhere(st, extent, &chunks, Demanded::Some, cx)? {
            let recovered = self.recover_extent(st, &demand, None, &chunks, lack, cx)?;
            if let Some(rest) = st.phase.rest_mut() {
                rest.push(recovered.clone());
            }
            st.heap.push(recovered.clone());
            chunks.push(recovered);
        }
        self.snapshot_map(st, &extent.location, &chunks, demand.inverse.image, cx)
    }
    fn demand<'e>(&mut self, st: &mut State, extent: &'e QuantifiedAccess, cx: &Cx) -> Step<ExtentDemand<'e>> {
        // In a trigger only the snapshot matters.
        let injective = if !cx.mode.is_silent() {
            self.check_amounts(st, extent, cx)?;
            let obligation = self.injectivity(extent, cx);
            self.check_injective(st, extent, obligation, cx)?
        } else {
            None
        };
        let inverse = self.inverse(st, extent, injective, cx)?;
        let wanted = self.amount_at(extent, &inverse);
        Ok(ExtentDemand { extent, inverse, wanted })
    }
    fn missing(&self, extent: &QuantifiedAccess, cx: &Cx) -> Obligation {
        match extent.location.resource {
            Resource::Wand(_) => cx.wand(extent.location_id),
            Resource::Field(_) | Resource::Predicate(_) => cx.permission(extent.location_id),
        }
    }

    /// `∀ xs. domain ⇒ body`, as a goal about chunks.
    fn everywhere(&mut self, extent: &QuantifiedAccess, chunks: &[Chunk], body: TermId) -> TermId {
        let seen = self.seen_in(extent.location.resource, chunks, &extent.location.args);
        let premise = self.writer.terms().and([extent.known, extent.domain, seen]);
        let goal = self.writer.terms().implies(premise, body);
        self.writer.terms().forall(&extent.vars, extent.triggers.clone(), goal, QuantifierRole::Held)
    }
    pub fn readable(&mut self, extent: &QuantifiedAccess, chunks: &[Chunk]) -> TermId {
        let perms: Vec<TermId> = chunks.iter().map(|chunk| self.writer.perm_at(chunk, &extent.location.args)).collect();
        let some = super::perms::any_some(self.writer.terms(), &perms);
        self.everywhere(extent, chunks, some)
    }
    pub fn enough(&mut self, extent: &QuantifiedAccess, chunks: &[Chunk]) -> TermId {
        let perms: Vec<TermId> = chunks.iter().map(|chunk| self.writer.perm_at(chunk, &extent.location.args)).collect();
        let suffice = super::perms::suffice(self.writer.terms(), &perms, extent.amount);
        self.everywhere(extent, chunks, suffice)
    }

    /// Takes the exact amounts. Returns the chunks they were taken from, in their previous form.
    fn take(
        &mut self,
        st: &mut State,
        demand: &ExtentDemand,
        chunks: &[(usize, Chunk)],
        hints: &[TermId],
        cx: &Cx,
    ) -> Step<Vec<Chunk>> {
        let extent = demand.extent;
        if let Some((index, chunk)) = chunks.iter().find(|(_, chunk)| chunk.perm == demand.wanted) {
            self.writer.use_grants([chunk]);
            self.writer.leave(st.at, st.running_heap_mut(), *index, None, cx);
            return Ok(vec![chunk.clone()]);
        }
        if let Some((index, chunk)) = self.same_locations(demand, chunks) {
            self.writer.use_grants([&chunk]);
            let left = super::perms::rest(self.writer.terms(), chunk.perm, demand.wanted);
            self.writer.leave(st.at, st.running_heap_mut(), index, Some(left), cx);
            return Ok(vec![chunk]);
        }
        if chunks.len() > 1 {
            let single = |chunk: &Chunk| singleton(chunk).is_some() || self.is_too_little(demand, chunk);
            let candidates: Vec<(usize, Chunk)> =
                chunks.iter().filter(|(_, chunk)| !single(chunk)).take(CHUNKS_ASKED).cloned().collect();
            for (index, chunk) in &candidates {
                let enough = self.enough(extent, std::slice::from_ref(chunk));
                if self.writer.probe(st, enough, Question::Other, Bound::Quick, cx) {
                    self.writer.use_grants([chunk]);
                    return self.take_from_one(st, demand, *index, chunk, cx);
                }
            }
        }
        let plain: Vec<Chunk> = chunks.iter().map(|(_, chunk)| chunk.clone()).collect();
        // The smallest sufficient group: other chunks may turn out to cover the same locations, but not because of
        // this.
        for alike in self.writer.alike(&plain, hints).into_iter().filter(|alike| *alike > 1).take(CHUNKS_ASKED) {
            if self.seem_to_hold(st, &plain[..alike], cx, |executor, chunks| executor.enough(extent, chunks)) {
                return self.take_from_all(st, demand, &chunks[..alike], cx);
            }
        }
        if let Obliged::Failed(lack) = self.hold_everywhere(st, extent, &plain, Demanded::All, cx)? {
            let wanted = Some(demand.wanted);
            let recovered = self.recover_extent(st, demand, wanted, &plain, lack, cx)?;
            if st.phase.rest().is_some() {
                st.heap.push(recovered.clone());
            }
            self.take_after_failure(st, demand, chunks);
            return Ok(plain.into_iter().chain([recovered]).collect());
        }
        if let [(index, chunk)] = chunks
            && singleton(chunk).is_none()
        {
            return self.take_from_one(st, demand, *index, chunk, cx);
        }
        self.take_from_all(st, demand, chunks, cx)
    }
    /// Proves that the chunks together hold what the access covers.
    fn hold_everywhere(
        &mut self,
        st: &mut State,
        extent: &QuantifiedAccess,
        chunks: &[Chunk],
        demanded: Demanded,
        cx: &Cx,
    ) -> Step<Obliged> {
        let obligation = self.missing(extent, cx);
        self.hold(st, chunks, obligation, cx, |executor, chunks| match demanded {
            Demanded::All => executor.enough(extent, chunks),
            Demanded::Some => executor.readable(extent, chunks),
        })
    }
    /// A chunk for exactly the wanted locations that has enough at each.
    fn same_locations(&self, demand: &ExtentDemand, chunks: &[(usize, Chunk)]) -> Option<(usize, Chunk)> {
        let wanted = self.covers_exactly(demand.wanted, demand.inverse.image)?;
        let has_more =
            |chunk: &Chunk| self.covers_exactly(chunk.perm, demand.inverse.image).is_some_and(|amount| amount > wanted);
        chunks.iter().find(|(_, chunk)| singleton(chunk).is_none() && has_more(chunk)).cloned()
    }
    /// Whether the chunk has less than the wanted amount everywhere.
    fn is_too_little(&self, demand: &ExtentDemand, chunk: &Chunk) -> bool {
        let Some(wanted) = self.writer.tree.terms.as_perm(demand.extent.amount) else { return false };
        super::perms::cases(&self.writer.tree.terms, chunk.perm)
            .is_some_and(|amounts| amounts.iter().all(|amount| amount < wanted))
    }
    fn take_from_one(
        &mut self,
        st: &mut State,
        demand: &ExtentDemand,
        index: usize,
        chunk: &Chunk,
        cx: &Cx,
    ) -> Step<Vec<Chunk>> {
        let left = self.left_after(demand, chunk.perm, demand.wanted);
        let change = self.change(st, demand, (index, chunk), left, cx)?;
        self.apply(st, vec![change], cx);
        Ok(vec![chunk.clone()])
    }
    /// The remainder of a chunk after taking `taken`, both over the canonical variables.
    fn left_after(&mut self, demand: &ExtentDemand, have: TermId, taken: TermId) -> TermId {
        if self.is_everything(demand.extent.location.resource, demand.extent.amount) {
            let zero = self.writer.terms().no_perm();
            return self.writer.terms().ite(demand.inverse.image, zero, have);
        }
        super::perms::rest(self.writer.terms(), have, taken)
    }
    fn change(
        &mut self,
        st: &mut State,
        demand: &ExtentDemand,
        (index, chunk): (usize, &Chunk),
        left: TermId,
        cx: &Cx,
    ) -> Step<Change> {
        let keys = &demand.extent.keys;
        let none = super::perms::is_none(self.writer.terms(), left);
        let seen = self.seen_in(chunk.resource, std::slice::from_ref(chunk), &keys.terms);
        let none = self.writer.terms().implies(seen, none);
        let depleted = self.writer.terms().forall(&keys.vars, Vec::new(), none, QuantifierRole::Depleted);
        if self.writer.probe_empty(st, depleted, chunk.resource, Bound::Quick, cx) {
            return Ok((index, None));
        }
        let left = self.settle_amount(st, keys, left, chunk.grant, cx)?;
        Ok((index, Some(left)))
    }
    /// Takes what each chunk has, in order, until the amount is reached.
    fn take_from_all(
        &mut self,
        st: &mut State,
        demand: &ExtentDemand,
        chunks: &[(usize, Chunk)],
        cx: &Cx,
    ) -> Step<Vec<Chunk>> {
        let everything = self.is_everything(demand.extent.location.resource, demand.extent.amount);
        let mut needed = demand.wanted;
        let mut touched = Vec::new();
        let mut changes = Vec::new();
        for (index, chunk) in chunks {
            if let Some(location) = singleton(chunk) {
                let here = self.writer.at_location(&demand.extent.keys, needed, &location);
                if self.nothing(st, here, chunk.resource, cx) {
                    continue;
                }
                let have = self.writer.perm_at(chunk, &location);
                let taken = super::perms::minimum(self.writer.terms(), have, here);
                let left = if everything {
                    let covered = self.writer.at_location(&demand.extent.keys, demand.inverse.image, &location);
                    let zero = self.writer.terms().no_perm();
                    self.writer.terms().ite(covered, zero, have)
                } else {
                    super::perms::rest(self.writer.terms(), have, taken)
                };
                let change = self.change_single(st, demand, (*index, chunk), &location, left, cx)?;
                let taken = self.only_at(&demand.extent.keys, &location, taken);
                needed = if everything { needed } else { super::perms::rest(self.writer.terms(), needed, taken) };
                changes.push(change);
            } else {
                let have = self.writer.perm_at(chunk, &demand.extent.location.args);
                let none = super::perms::is_none(self.writer.terms(), have);
                let untouched = self.everywhere(demand.extent, std::slice::from_ref(chunk), none);
                if self.writer.probe_empty(st, untouched, chunk.resource, Bound::Quick, cx) {
                    continue;
                }
                let taken = super::perms::minimum(self.writer.terms(), chunk.perm, needed);
                let taken = if everything { taken } else { self.name_taken(st, demand, taken, chunk.grant, cx)? };
                let left = self.left_after(demand, chunk.perm, taken);
                changes.push(self.change(st, demand, (*index, chunk), left, cx)?);
                needed = if everything { needed } else { super::perms::rest(self.writer.terms(), needed, taken) };
            }
            touched.push(chunk.clone());
            if !everything && self.is_satisfied(st, demand, needed, &touched, cx) {
                break;
            }
        }
        self.apply(st, changes, cx);
        Ok(touched)
    }
    fn nothing(&mut self, st: &State, perm: TermId, resource: Resource, cx: &Cx) -> bool {
        let none = super::perms::is_none(self.writer.terms(), perm);
        self.writer.probe_empty(st, none, resource, Bound::Quick, cx)
    }
    fn is_satisfied(&mut self, st: &State, demand: &ExtentDemand, needed: TermId, chunks: &[Chunk], cx: &Cx) -> bool {
        let here = self.writer.at_location(&demand.extent.keys, needed, &demand.extent.location.args);
        let none = super::perms::is_none(self.writer.terms(), here);
        let goal = self.everywhere(demand.extent, chunks, none);
        self.writer.probe_empty(st, goal, demand.extent.location.resource, Bound::Quick, cx)
    }
    /// Names an amount over the canonical variables, unless it is a plain case distinction.
    fn name_taken(
        &mut self,
        st: &mut State,
        demand: &ExtentDemand,
        taken: TermId,
        grant: NodeId,
        cx: &Cx,
    ) -> Step<TermId> {
        self.settle_amount(st, &demand.extent.keys.clone(), taken, grant, cx)
    }
    fn change_single(
        &mut self,
        st: &mut State,
        demand: &ExtentDemand,
        (index, chunk): (usize, &Chunk),
        location: &[TermId],
        left: TermId,
        cx: &Cx,
    ) -> Step<Change> {
        if self.nothing(st, left, chunk.resource, cx) {
            return Ok((index, None));
        }
        let plain = super::perms::is_plain(&self.writer.tree.terms, left);
        let left = self.named_amount(st, Made::Left, left, chunk.grant, cx);
        if !plain {
            self.leaves_nonnegative(st, left, cx)?;
        }
        let perm = self.only_at(&demand.extent.keys, location, left);
        Ok((index, Some(perm)))
    }
    /// Takes some but not all of each covered location from each chunk that has some of it.
    fn take_some(
        &mut self,
        st: &mut State,
        demand: &ExtentDemand,
        chunks: &[(usize, Chunk)],
        cx: &Cx,
    ) -> Step<Vec<Chunk>> {
        let mut plain: Vec<Chunk> = chunks.iter().map(|(_, chunk)| chunk.clone()).collect();
        if let Obliged::Failed(lack) = self.hold_everywhere(st, demand.extent, &plain, Demanded::Some, cx)? {
            let recovered = self.recover_extent(st, demand, None, &plain, lack, cx)?;
            // A wildcard leaves some permission, of an unknown amount.
            if st.phase.rest().is_some() {
                st.heap.push(recovered.clone());
            }
            st.running_heap_mut().push(recovered.clone());
            plain.push(recovered);
        }
        let keys = demand.extent.keys.clone();
        let sort = self.writer.terms().perm_sort();
        let mut changes = Vec::new();
        for (index, chunk) in chunks {
            let left = self.writer.terms().fresh(&st.scope, Made::Left, &keys.terms, sort);
            let shrunk = self.some_left(chunk.perm, left);
            let same = self.writer.tree.terms.eq(left, chunk.perm);
            let body = self.writer.terms().ite(demand.inverse.image, shrunk, same);
            let (fact, perm) = match singleton(chunk) {
                None => {
                    (self.writer.terms().forall(&keys.vars, vec![vec![left]], body, QuantifierRole::Wildcard), left)
                }
                Some(location) => {
                    let fact = self.writer.at_location(&keys, body, &location);
                    let left = self.writer.at_location(&keys, left, &location);
                    (fact, self.only_at(&keys, &location, left))
                }
            };
            self.assume_of(st, fact, Rule::Wildcard, [chunk], Part::Permission, cx)?;
            changes.push((*index, Some(perm)));
        }
        self.apply(st, changes, cx);
        Ok(plain)
    }
    /// Applies changes to chunks of the running heap, dropping empty ones.
    fn apply(&mut self, st: &mut State, mut changes: Vec<Change>, cx: &Cx) {
        changes.sort_by_key(|(index, _)| std::cmp::Reverse(*index));
        for (index, left) in changes {
            self.writer.leave(st.at, st.running_heap_mut(), index, left, cx);
        }
    }
}
