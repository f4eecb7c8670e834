//! Continuing after a failure. A failed pure obligation is assumed unless it cannot hold; missing permission is
//! treated as if it had been held. If that later contradicts the path, the path continues without it.
//!
//! An assumed fact records that it came from a failure. A goal that cannot hold is not assumed. If an assumed fact
//! contradicts the path later, the path continues without it, so nothing is proved by it, and the cases that it
//! excludes are reported as unchecked. Missing permission is assumed to have been held under another name of the
//! location only where some permission is held for certain: where none is, assuming that would take permission from
//! an unrelated reference and blame its next use. Permission that was missing and turns up later, as by a late
//! `unfold`, is not counted twice.

mod cascade;
mod revive;

use crate::limits::{CONTRADICTIONS_IF_ILL_FORMED, CONTRADICTIONS_IN_VAIN};
use crate::state::{Chunk, Concern, Cx, Heap, State};
use crate::tree::Writer;
use echis_proof::{Because, Bound, CheckId, NodeId, Part, Premise, Property, Question, Role, Step as TreeStep};
use echis_term::{Made, SymbolId, TermId};
use std::rc::Rc;

/// The result of an obligation whose failure the caller recovers from.
pub(crate) enum Obliged {
    Holds(CheckId),
    Failed(Lack),
}

impl Obliged {
    pub fn check(&self) -> CheckId {
        match self {
            Obliged::Holds(check) => *check,
            Obliged::Failed(lack) => lack.check,
        }
    }
}

/// A failed obligation, as the reason for assumptions.
#[derive(Clone, Copy)]
pub(crate) struct Lack {
    pub check: CheckId,
}

const NOT_CHECKED: &str = "the rest of this path was not checked, since it cannot be reached if this holds";
const TOO_HARD: &str = "the rest of this path was not checked, since most questions about it reach their limits";
const CASES_NOT_CHECKED: &str = "not all cases after this were checked, since some cannot be reached if this holds";

impl Writer<'_> {
    /// Assumes a failed goal. If it cannot hold, the path continues unchanged. Without recovery, only what the caller
    /// takes from the goal is assumed, and may contradict the path.
    pub fn assume_failed(&mut self, st: &mut State, goal: TermId, check: CheckId, cx: &Cx) {
        if !self.context.options.recovers {
            return;
        }
        let before = st.at;
        let origin = cx.origin(Part::Value);
        let assumed = self.assume(st, goal, Because::Recovered, &[Premise::Check(check)], origin);
        if assumed.is_err() || self.is_contradiction(st, cx) {
            st.at = before;
            self.unmet.insert(check);
            st.unmet.push(goal);
        }
    }
    /// A value whose definedness was checked. It is unknown if one of the checks failed and cannot hold.
    pub fn value_if_met(&mut self, st: &State, value: TermId, unmet: usize) -> TermId {
        if self.unmet.len() == unmet {
            return value;
        }
        let sort = self.tree.terms.sort_of(value);
        self.fresh(st, Made::Recovered, sort)
    }
    pub fn is_contradiction(&mut self, st: &State, cx: &Cx) -> bool {
        let falsity = self.terms().falsity();
        let mark = self.mark();
        let found = self.probe(st, falsity, Question::Infeasible, Bound::Quick, cx);
        self.release(mark);
        found
    }
    /// Notes on a failed invariant that it makes its loop impossible to leave.
    pub fn note_blocked(&mut self, failure: usize, iterations: usize) {
        self.failures[failure].note.get_or_insert_with(|| {
            format!(
                "with this invariant the loop cannot be left; what follows it was checked for at most {iterations} iterations"
            )
        });
    }
    fn note_not_checked(&mut self, property: Property) {
        if let Some(failure) = self.failures.iter_mut().find(|failure| failure.property == property) {
            failure.note = Some(NOT_CHECKED.into());
        }
    }
    /// After a statement: if assumptions made after failures contradict the path, it continues without them rather
    /// than prove everything; if it is contradictory without them too, it ends.
    pub fn drop_contradictions(&mut self, states: Vec<State>, cx: &Cx) -> Vec<State> {
        let latest = self.latest.take();
        if self.failures.is_empty() || !self.context.options.recovers || !cx.mode.is_reporting() {
            return states;
        }
        if self.is_hopeless() {
            if let Some(failure) = self.failures.last_mut().filter(|_| !states.is_empty()) {
                failure.note.get_or_insert_with(|| TOO_HARD.into());
            }
            return Vec::new();
        }
        let before = states.len();
        let states: Vec<State> = states.into_iter().filter_map(|st| self.revive(st, cx)).collect();
        if let Some(property) = latest
            && (states.is_empty() || states.len() < before)
        {
            self.note_not_checked(property);
        }
        states
    }
    /// Whether a member that has failed is too hard to be followed further: too many questions whether a path is dead
    /// reached their limits.
    pub fn is_hopeless(&self) -> bool {
        let is_ill_formed = self.failures_in(Concern::WellFormedness).next().is_some();
        let most = if is_ill_formed { CONTRADICTIONS_IF_ILL_FORMED } else { CONTRADICTIONS_IN_VAIN };
        self.contradictions_in_vain >= most
    }
    /// If a side of a case distinction is unreachable only because of what was assumed after failures, adds a note to
    /// those failures.
    pub fn note_excluded(&mut self, st: &State, guard: TermId, cx: &Cx) {
        if self.failures.is_empty() || !self.context.options.recovers || !cx.mode.is_reporting() || st.is_dead() {
            return;
        }
        let path: Vec<NodeId> = self.tree.path(st.at).collect();
        let Some(first) = path.iter().rposition(|node| self.failure_of(*node).is_some()) else { return };
        let mut facts = Vec::new();
        for &node in path[..first].iter().rev() {
            match &self.tree.nodes[node].step {
                TreeStep::Assume { fact, .. } if self.failure_of(node).is_none() => facts.push(*fact),
                TreeStep::Split { guard, .. } => facts.push(*guard),
                _ => {}
            }
        }
        let excluded = self.terms().not(guard);
        let facts = self.terms().and(facts);
        let goal = self.terms().implies(facts, excluded);
        let Some(&before) = path.get(first + 1) else { return };
        if self.ask_at(st, before, goal, Bound::Quick).is_proved() {
            return;
        }
        let properties: Vec<Property> = path[..=first].iter().filter_map(|node| self.failure_of(*node)).collect();
        for failure in self.failures.iter_mut().filter(|failure| properties.contains(&failure.property)) {
            failure.note.get_or_insert_with(|| CASES_NOT_CHECKED.into());
        }
    }
    /// The failure that a fact rests on, if one of its premises is a failed check.
    fn failure_of(&self, node: NodeId) -> Option<Property> {
        let TreeStep::Assume { premises, .. } = &self.tree.nodes[node].step else { return None };
        premises.iter().find_map(|premise| self.failure_in(premise))
    }
    fn failure_in(&self, premise: &Premise) -> Option<Property> {
        let Premise::Check(check) = premise else { return None };
        let Role::Obligation(property) = self.tree.checks[*check].role else { return None };
        self.tree.verdicts.get(*check).is_some_and(|verdict| !verdict.is_proved()).then_some(property)
    }
    pub fn failed_among(&self, premises: &[Premise]) -> Vec<Premise> {
        premises.iter().copied().filter(|premise| self.failure_in(premise).is_some()).collect()
    }
    /// Whether the chunk's permission was missing and is only assumed.
    pub fn is_of_recovery(&self, chunk: &Chunk) -> bool {
        matches!(&self.tree.nodes[chunk.grant].step, TreeStep::Assume { because: Because::Recovered, .. })
    }
    /// After evaluation behind a guard: permission that was missing there is not assumed elsewhere.
    pub fn guard_recovered(&mut self, st: &mut State, before: &Saved, guard: TermId) {
        if !Rc::ptr_eq(&st.old, &before.old) {
            st.old = before.old.clone();
        }
        let zero = self.terms().no_perm();
        let (heap, rest) = (before.heap.chunks.len(), before.rest.as_ref().map_or(0, |rest| rest.chunks.len()));
        for (new, known) in [(Some(&mut st.heap), heap), (st.phase.rest_mut(), rest)] {
            let Some(new) = new else { continue };
            for index in known..new.chunks.len() {
                if self.is_of_recovery(&new.chunks[index]) {
                    let perm = self.tree.terms.ite(guard, new.chunks[index].perm, zero);
                    new.chunks_mut()[index].perm = perm;
                }
            }
        }
    }
    /// After evaluation under binders: forgets assumed permission that depends on the bound variables.
    pub fn unbind_recovered(&mut self, st: &mut State, before: Saved, vars: &[SymbolId]) {
        if st.heap.version == before.heap.version && Rc::ptr_eq(&st.old, &before.old) {
            return;
        }
        let closed = |chunk: &Chunk| {
            let mut terms = chunk.args().iter().chain([&chunk.perm, &chunk.value]);
            terms.all(|term| vars.iter().all(|var| !self.tree.terms.is_free(*var, *term)))
        };
        st.heap.chunks_mut().retain(closed);
        if let Some(rest) = st.phase.rest_mut() {
            rest.chunks_mut().retain(closed);
        }
        st.old = before.old;
    }
}

/// The heaps before an evaluation that may add missing permission.
pub(crate) struct Saved {
    heap: Heap,
    rest: Option<Heap>,
    old: Rc<std::collections::BTreeMap<echis_program::program::OldState, Heap>>,
}

impl Saved {
    pub fn of(st: &State) -> Self {
        Saved { heap: st.heap.clone(), rest: st.phase.rest().cloned(), old: st.old.clone() }
    }
}
