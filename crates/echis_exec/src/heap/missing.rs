//! Recovers from missing permission to one location. The path continues in the states where an aliasing reference
//! held enough permission; otherwise the missing permission is treated as inhaled, with a value that agrees with
//! every chunk that may be the same location.

use crate::heap::Memory;
use crate::heap::single::Candidate;
use crate::limits::MISSING_THROUGH_ALIASES;
use crate::state::{Chunk, Cx, Location, Resource, State, Step};
use crate::tree::recover::Lack;
use echis_proof::{Because, Bound, NodeId, Part, Premise, Question, Rule};
use echis_term::{Made, TermId};

/// Missing permission to a location.
pub(crate) struct Lacking<'c> {
    pub amount: TermId,
    /// The amount available, in these chunks.
    pub available: TermId,
    pub candidates: &'c [Candidate],
    pub lack: Lack,
}

impl Memory<'_> {
    /// If the location is held in part and possible aliases have the rest, continues where they are aliases.
    pub fn recover_through_aliases(&mut self, st: &mut State, goal: TermId, lacking: &Lacking, cx: &Cx) -> Step<bool> {
        let Lacking { amount, candidates, lack, .. } = *lacking;
        if candidates.len() < 2 {
            return Ok(false);
        }
        let held: Vec<TermId> = candidates
            .iter()
            .map(|candidate| {
                let positive = self.writer.tree.terms.positive(candidate.perm);
                self.writer.tree.terms.and([candidate.equal, positive])
            })
            .collect();
        let in_part = self.writer.terms().or(held);
        let positive = self.writer.terms().positive(amount);
        let in_part = self.writer.terms().and([in_part, positive]);
        if !self.writer.probe(st, in_part, Question::Positive, Bound::Quick, cx) {
            return Ok(false);
        }
        let through_aliases = self.assume_unless_contradictory(st, goal, lack, cx);
        if through_aliases {
            self.writer.rest_on(Premise::Fact(st.at));
        }
        Ok(through_aliases)
    }
    /// After several failures, assumes that the location is distinct from all for which permission is held, since the
    /// number of possible aliasings grows exponentially. Returns whether that is consistent with the path.
    pub fn assume_apart(&mut self, st: &mut State, candidates: &[Candidate], lack: Lack, cx: &Cx) -> bool {
        let missing = candidates.iter().filter(|candidate| self.writer.is_partly_missing(candidate.grant)).count();
        if missing < MISSING_THROUGH_ALIASES {
            return false;
        }
        let zero = self.writer.terms().no_perm();
        let apart: Vec<TermId> = candidates
            .iter()
            .map(|candidate| {
                let none = self.writer.tree.terms.eq(candidate.perm, zero);
                self.writer.tree.terms.implies(candidate.equal, none)
            })
            .collect();
        let apart = self.writer.terms().and(apart);
        self.assume_unless_contradictory(st, apart, lack, cx)
    }
    /// Assumes what makes up for a failure. If it contradicts the path, the path continues without it.
    fn assume_unless_contradictory(&mut self, st: &mut State, fact: TermId, lack: Lack, cx: &Cx) -> bool {
        let before = st.at;
        let origin = cx.origin(Part::Permission);
        let assumed = self.writer.assume(st, fact, Because::Recovered, &[Premise::Check(lack.check)], origin);
        if assumed.is_err() || self.writer.is_contradiction(st, cx) {
            st.at = before;
            return false;
        }
        true
    }
    /// Recovers from a failed removal: the missing permission was held, and is now removed. Returns the value.
    pub fn recover_removal(&mut self, st: &mut State, location: &Location, lacking: &Lacking, cx: &Cx) -> Step<TermId> {
        let Lacking { amount, available, candidates, lack } = *lacking;
        let grant = self.recovered_grant(st, location.resource, lack, cx);
        let missing = self.shortage(st, amount, available, candidates.is_empty(), grant, cx);
        let value = self.recovered_value(st, location.resource, candidates, cx)?;
        self.recovered_receiver(st, location, missing, lack, cx);
        if st.phase.rest().is_some() {
            let chunk = Chunk::at(location.clone(), missing, value, grant);
            st.heap.push(chunk);
        }
        Ok(value)
    }
    /// Recovers from a failed wildcard removal: some permission was held, and some of it is left.
    pub fn recover_wildcard(
        &mut self,
        st: &mut State,
        location: &Location,
        amount: TermId,
        candidates: &[Candidate],
        lack: Lack,
        cx: &Cx,
    ) -> Step<TermId> {
        let candidates = if self.assume_apart(st, candidates, lack, cx) { &[] } else { candidates };
        let grant = self.recovered_grant(st, location.resource, lack, cx);
        let missing = self.missing_to(st, candidates, cx)?;
        let value = self.recovered_value(st, location.resource, candidates, cx)?;
        self.recovered_receiver(st, location, missing, lack, cx);
        let lacked = self.writer.terms().positive(missing);
        let smaller = self.writer.terms().lt(amount, missing);
        let smaller = self.writer.terms().implies(lacked, smaller);
        self.writer.assume_rule(st, smaller, Rule::Wildcard, cx)?;
        let chunk = Chunk::at(location.clone(), missing, value, grant);
        if st.phase.rest().is_some() {
            st.heap.push(chunk.clone());
        }
        let zero = self.writer.terms().no_perm();
        let left = self.writer.terms().sub(missing, amount);
        let perm = self.writer.terms().ite(lacked, left, zero);
        st.running_heap_mut().push(Chunk { perm, ..chunk });
        Ok(value)
    }
    /// Recovers from a failed read: the location counts as readable from here on.
    pub fn recover_read(
        &mut self,
        st: &mut State,
        location: &Location,
        candidates: &[Candidate],
        lack: Lack,
        cx: &Cx,
    ) -> Step<TermId> {
        let candidates = if self.assume_apart(st, candidates, lack, cx) { &[] } else { candidates };
        let grant = self.recovered_grant(st, location.resource, lack, cx);
        let perm = self.missing_to(st, candidates, cx)?;
        let value = self.recovered_value(st, location.resource, candidates, cx)?;
        self.recovered_receiver(st, location, perm, lack, cx);
        let chunk = Chunk::at(location.clone(), perm, value, grant);
        if let Some(rest) = st.phase.rest_mut() {
            rest.push(chunk.clone());
        }
        st.heap.push(chunk);
        Ok(value)
    }

    /// Reconciles permission that turns up after it was reported missing, for example by a late `unfold`: it is not
    /// counted twice, and has the value that was read.
    pub fn find_missing(&mut self, st: &mut State, missing: &Chunk, perm: TermId, value: TermId, cx: &Cx) -> Step<()> {
        let positive = self.writer.terms().positive(perm);
        let equal = self.writer.tree.terms.eq(missing.value, value);
        let fact = self.writer.terms().implies(positive, equal);
        self.assume_of(st, fact, Rule::Merge, [missing], Part::Value, cx)
    }
    /// The total permission of a location that gains some: if part of it was missing before, capped at the whole.
    pub fn at_most_whole(&mut self, resource: Resource, chunk: &Chunk, total: TermId) -> TermId {
        let is_field = matches!(resource, Resource::Field(_));
        if !is_field || self.writer.failed() == 0 || !self.writer.is_partly_missing(chunk.grant) {
            return total;
        }
        let write = self.writer.terms().write();
        self.writer.terms().min(total, write)
    }
    /// The fact that grants the missing permission. What uses it rests on the failure.
    pub fn recovered_grant(&mut self, st: &mut State, resource: Resource, lack: Lack, cx: &Cx) -> NodeId {
        let grant = self.grant(st, resource, Because::Recovered, &[Premise::Check(lack.check)], cx);
        self.writer.rest_on(Premise::Fact(grant));
        grant
    }
    /// `max(0, amount - available)`
    pub fn deficit(&mut self, amount: TermId, available: TermId) -> TermId {
        let enough = self.writer.terms().le(amount, available);
        let rest = self.writer.terms().sub(amount, available);
        let zero = self.writer.terms().no_perm();
        self.writer.terms().ite(enough, zero, rest)
    }
    /// A name for the missing amount, if anything is missing.
    fn shortage(
        &mut self,
        st: &mut State,
        amount: TermId,
        available: TermId,
        nothing: bool,
        grant: NodeId,
        cx: &Cx,
    ) -> TermId {
        if nothing {
            return amount;
        }
        let missing = self.deficit(amount, available);
        let origin = cx.origin(Part::Permission);
        self.writer.define(st, Made::Missing, missing, Because::Rule(Rule::Definition), &[Premise::Fact(grant)], origin)
    }
    fn missing_to(&mut self, st: &mut State, candidates: &[Candidate], cx: &Cx) -> Step<TermId> {
        let zero = self.writer.terms().no_perm();
        let here: Vec<TermId> = candidates
            .iter()
            .map(|candidate| self.writer.tree.terms.ite(candidate.equal, candidate.perm, zero))
            .collect();
        let available = self.writer.terms().sum(here);
        self.some_missing(st, available, cx)
    }
    /// An amount that is positive and at most the whole if nothing is available, and zero otherwise.
    pub fn some_missing(&mut self, st: &mut State, available: TermId, cx: &Cx) -> Step<TermId> {
        let sort = self.writer.terms().perm_sort();
        let perm = self.writer.fresh(st, Made::Missing, sort);
        let positive = self.writer.terms().positive(perm);
        self.writer.assume_rule(st, positive, Rule::PermissionBound, cx)?;
        let one = self.writer.terms().write();
        let bounded = self.writer.terms().le(perm, one);
        self.writer.assume_rule(st, bounded, Rule::PermissionBound, cx)?;
        let held = self.writer.terms().positive(available);
        let zero = self.writer.terms().no_perm();
        Ok(self.writer.terms().ite(held, zero, perm))
    }
    fn recovered_value(
        &mut self,
        st: &mut State,
        resource: Resource,
        candidates: &[Candidate],
        cx: &Cx,
    ) -> Step<TermId> {
        let sort = self.writer.value_sort(resource);
        let value = self.writer.fresh(st, Made::Recovered, sort);
        self.agree_with(st, value, candidates, resource, cx)?;
        Ok(value)
    }
    /// Assumes that the receiver is not `null` if permission is missing, unless it must be `null`.
    pub fn recovered_receiver(&mut self, st: &mut State, location: &Location, missing: TermId, lack: Lack, cx: &Cx) {
        if !matches!(location.resource, Resource::Field(_)) {
            return;
        }
        let null = self.writer.terms().null();
        let nonnull = self.writer.terms().ne(location.args[0], null);
        let positive = self.writer.terms().positive(missing);
        let fact = self.writer.terms().implies(positive, nonnull);
        self.assume_unless_contradictory(st, fact, lack, cx);
    }
}
