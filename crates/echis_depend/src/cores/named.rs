//! Cores found while verifying: facts had names in the solver, which proved the goal a second time from those in the core.

use super::{CheckCore, CoreSearch, Task};
use crate::blame::Facts;
use crate::minimize::{Minimization, Minimizer};
use crate::question::{CoreQuestion, Scope};
use echis_derive::Answer;
use echis_proof::{CheckId, Core, NodeId, ProofCore};
use echis_term::TermId;
use std::collections::HashSet;
use std::rc::Rc;

impl CoreSearch {
    /// If permissions of several grants are added up, the core does not tell which grants matter: a replay is needed. It
    /// is also tried if the proof is vacuous or uses a loop, because there may be a better proof.
    pub(super) fn named(&mut self, facts: &Facts, task: &mut Task) -> Answer<Rc<CheckCore>> {
        let check = task.check.filter(|_| !task.minimizer.is_improving());
        let found = check.and_then(|check| self.first_core(facts, check));
        let Some((question, core)) = found else { return Answer::NoProof };
        let vacuous = !core.uses_goal && !facts.tree.terms.is_false(question.goal);
        let through_loop = core.groups.iter().any(|group| question.brings_a_loop(*group));
        if (vacuous || through_loop) && self.allowance.may_improve() && !self.allowance.is_spent() {
            return Answer::NoProof;
        }
        self.allowance.counts.without_solver += usize::from(task.check.is_some());
        Answer::Proved(self.remember(facts, task.at, &question, &core))
    }
    /// The core of the first proof of a check, if such cores are wanted.
    fn used(&self, facts: &Facts, check: CheckId) -> Option<ProofCore> {
        let wanted = self.minimization != Minimization::Full;
        self.first_proof(facts, Some(check)).filter(|_| wanted && !self.executions)?.core.clone()
    }
    /// The question restricted to the first proof's facts, and the part of them from which the goal can be derived without
    /// the solver.
    fn first_core(&mut self, facts: &Facts, check: CheckId) -> Option<(CoreQuestion, Core)> {
        let ProofCore { facts: used, uses_goal } = self.used(facts, check)?;
        let used: HashSet<_> = used.iter().copied().collect();
        let labels = facts.labels_of(check, &used);
        let question = CoreQuestion::of_facts(facts, &mut self.path, &self.redundant, check, &used, &labels);
        let question = question.filter(|_| !facts.is_labelled(check, &used))?;
        let core = match self.prover.prove_small(&facts.tree.terms, &question).filter(|_| uses_goal) {
            Some(proof) if proof.uses_goal => Core { groups: proof.groups, uses_goal, effort: 0 },
            _ => Core { groups: (0..question.groups.len()).collect(), uses_goal, effort: 0 },
        };
        Some((question, core))
    }
    /// A search that starts from the first proof's facts and all labels of grants in them, so that questions about which
    /// grants matter have few facts.
    pub(super) fn narrow_task(&mut self, facts: &Facts, check: CheckId, scopes: &'static [Scope]) -> Option<Task> {
        let ProofCore { facts: used, uses_goal } = self.used(facts, check)?;
        let used: HashSet<_> = used.iter().copied().collect();
        let labels = facts.labels_of(check, &used);
        let question = CoreQuestion::of_facts(facts, &mut self.path, &self.redundant, check, &used, &labels)?;
        let through_loop = (0..question.groups.len()).any(|group| question.brings_a_loop(group));
        if labels.is_empty() || !uses_goal || through_loop {
            return None;
        }
        let whole = self.task(facts, Some(check), facts.tree.checks[check].at, scopes, &|_| true);
        let effort = if self.allowance.may_improve() { self.minimization } else { Minimization::Off };
        let all = (0..question.groups.len()).collect();
        let minimizer = Minimizer::new(all, None, effort, &self.options.policy);
        Some(Task { question, minimizer, scopes, ..whole })
    }
}

impl Facts<'_> {
    /// Whether a check's goal or these facts have labels that distinguish grants.
    fn is_labelled(&self, check: CheckId, used: &HashSet<NodeId>) -> bool {
        let stated = |node: &NodeId| self.tree.labelled_facts.get(*node).is_some();
        self.tree.labelled_goals.get(check).is_some() || used.iter().any(stated)
    }
    /// The labels of grants in a check's goal and in these facts.
    fn labels_of(&self, check: CheckId, used: &HashSet<NodeId>) -> HashSet<TermId> {
        let goal = self.tree.labelled_goals.get(check).into_iter();
        let stated = used.iter().filter_map(|node| self.tree.labelled_facts.get(*node));
        goal.chain(stated).flat_map(|labelled| labelled.labels.iter().map(|(label, _)| *label)).collect()
    }
}
