//! Finds what a proof needs beyond facts that are already known to be needed, for queries that only ask which facts
//! are needed at all.

use super::{CheckCore, CoreContext, CoreSearch, FROM_NEAR};
use crate::blame::Facts;
use crate::question::{Goal, Scope};
use crate::rank::GroupKey;
use echis_proof::{CheckId, NodeId, Replayed};
use std::rc::Rc;

impl CoreSearch {
    /// Whether nothing remains to be solved for a check.
    pub fn is_solved(&self, facts: &Facts, check: CheckId) -> bool {
        self.cores.contains_key(&check) || self.is_trivial(facts, check)
    }
    /// The groups on a check's path, or on the path to a node.
    pub fn keys_on_path(&mut self, facts: &Facts, check: Option<CheckId>, at: NodeId) -> Vec<GroupKey> {
        let goal = check.map_or(Goal::Contradiction, Goal::Check);
        let question = self.question(facts, at, goal, Scope::All);
        question.groups.into_iter().map(|group| group.key).collect()
    }
    /// Solves a check that cannot need anything new.
    pub fn solve_with_nothing(&mut self, check: Option<CheckId>) -> Rc<CheckCore> {
        let found = Rc::new(CheckCore::empty());
        check.map(|check| self.cores.insert(check, found.clone()));
        found
    }
    /// Finds what the proof of a check, or of a node being unreachable, needs beyond what is known to be needed.
    pub fn solve_given(
        &mut self,
        cx: &mut CoreContext,
        check: Option<CheckId>,
        at: NodeId,
        known: &dyn Fn(&GroupKey) -> bool,
    ) -> Rc<CheckCore> {
        let found = self.derive_given(cx, check, at, known).unwrap_or_else(|| self.ask_given(cx, check, at, known));
        check.map(|check| self.cores.insert(check, found.clone()));
        found
    }
    fn derive_given(
        &mut self,
        cx: &mut CoreContext,
        check: Option<CheckId>,
        at: NodeId,
        known: &dyn Fn(&GroupKey) -> bool,
    ) -> Option<Rc<CheckCore>> {
        if check.is_some_and(|check| self.hard.contains(&check)) {
            return None;
        }
        let mut task = self.task(&cx.facts, check, at, FROM_NEAR, &|_| true);
        if let Some(found) = self.find(&cx.facts, &mut task, &[CoreSearch::remembered]) {
            return Some(found);
        }
        let proof = self.prover.prove(&cx.facts.tree.terms, &task.question.only_known(known)).proof();
        if proof.is_some_and(|proof| proof.uses_goal) {
            self.allowance.counts.without_solver += usize::from(check.is_some());
            return Some(Rc::new(CheckCore::empty()));
        }
        self.find(&cx.facts, &mut task, &[CoreSearch::derived])
    }
    /// The solver's core is trusted. If it were wrong, too little would count as covered, and a trial without the
    /// uncovered code would show it.
    fn ask_given(
        &mut self,
        cx: &mut CoreContext,
        check: Option<CheckId>,
        at: NodeId,
        known: &dyn Fn(&GroupKey) -> bool,
    ) -> Rc<CheckCore> {
        let goal = check.map_or(Goal::Contradiction, Goal::Check);
        let bound = self.allowance.bound(Scope::Wide, self.first_cost(&cx.facts, check), 0, false);
        for (scope, bound) in [(Scope::Wide, bound), (Scope::All, self.allowance.widened(bound))] {
            if self.allowance.is_spent() {
                break;
            }
            let question = self.question(&cx.facts, at, goal, scope).given(known);
            let (always, groups) = (&question.always, &question.terms_of_groups());
            let asks = vec![(0..groups.len()).collect()];
            let asked = Replayed { always, groups, goal: question.goal, asks, named: true, bound };
            cx.explainer.send(&cx.facts.tree.terms, &asked);
            let replies = cx.explainer.receive();
            self.allowance.note(&replies, false, false);
            if let Some(core) = replies.cores.into_iter().flatten().next() {
                return self.remember(&cx.facts, &question, &core);
            }
        }
        self.blame_path(&cx.facts, goal, at)
    }
}
