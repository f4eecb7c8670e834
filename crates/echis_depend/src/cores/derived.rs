//! Derives cores without a solver, and shortens questions to the solver by derivations.

use super::{CheckCore, CoreSearch, FirstProof, Task};
use crate::blame::{Blame, Facts};
use crate::kind::Construct;
use crate::minimize::{Minimization, Minimizer};
use crate::question::{CoreQuestion, Goal, Scope};
use crate::rank::GroupKey;
use echis_derive::{Answer, Derivation, Preference};
use echis_proof::{Because, CheckId, Core, Node, NodeId, Step};
use std::rc::Rc;

impl CoreSearch {
    /// Derives a core. The solver is asked only for a better one, or if the smallest set is requested.
    pub(super) fn derived(&mut self, facts: &Facts, task: &mut Task) -> Answer<Rc<CheckCore>> {
        if self.minimization == Minimization::Full {
            return Answer::GaveUp;
        }
        let (terms, hard) = (&facts.tree.terms, self.is_hard(facts, task.check));
        let answer = if hard { Answer::GaveUp } else { self.prover.prove(terms, &task.question) };
        let incomplete = answer.may_have_missed();
        let mut proofs: Vec<Derivation> = answer.proof().into_iter().collect();
        if proofs.is_empty() || self.executions {
            proofs.extend(self.derive_from_closed(facts, task));
        }
        let cost = |proof: &Derivation| task.question.cost(&proof.groups);
        let Some(Derivation { groups, uses_goal, all_complete, .. }) = proofs.into_iter().min_by_key(cost) else {
            return if incomplete { Answer::GaveUp } else { Answer::NoProof };
        };
        let core = Core { groups, uses_goal, effort: 0 };
        // A vacuous proof may hide a proof of the goal; but a solver is not started just for that. Solvers hardly
        // ever find better proofs, except where permission comes with a loop, which is worth the question.
        let through_loop = !all_complete && core.groups.iter().any(|group| task.question.brings_a_loop(*group));
        let asked = self.allowance.counts.verified > 0;
        let seeks_nonvacuous =
            !uses_goal && !self.executions && incomplete && asked && self.allowance.may_seek_nonvacuous();
        let improves = (seeks_nonvacuous || through_loop) && self.allowance.may_improve() && !self.allowance.is_spent();
        let effort = if improves { self.minimization } else { Minimization::Off };
        let all = (0..task.question.groups.len()).collect();
        let better = Minimizer::better(all, core.clone(), effort, &task.question, &self.options.policy);
        if better.is_done() {
            self.allowance.counts.without_solver += usize::from(task.check.is_some());
            return Answer::Proved(self.remember(facts, task.at, &task.question, &core));
        }
        task.minimizer = better;
        task.bound = self.allowance.bound_after(0);
        task.seeks_nonvacuous = !uses_goal;
        Answer::GaveUp
    }
    /// Whether derivation is not worth trying.
    pub(super) fn is_hard(&self, facts: &Facts, check: Option<CheckId>) -> bool {
        let is_hard = |proof: &FirstProof| proof.underived || self.allowance.is_hard(proof.effort);
        self.first_proof(facts, check).is_some_and(is_hard)
    }
    /// Derives the goal from what closes the path: false, or contradictory facts. No execution takes such a path,
    /// whatever else could be proved there.
    fn derive_from_closed(&mut self, facts: &Facts, task: &Task) -> Vec<Derivation> {
        let (terms, question) = (&facts.tree.terms, &task.question);
        if let Some(group) = question.falsehood(terms) {
            let uses_goal = terms.is_false(question.goal);
            let groups = vec![group];
            return vec![Derivation { groups, always: None, uses_goal, complete: true, all_complete: true }];
        }
        if !question.groups.iter().any(|group| group.dead) {
            return Vec::new();
        }
        let mut proofs: Vec<Derivation> = self.prover.prove_with_closing_facts(terms, question).into_iter().collect();
        if self.executions {
            proofs.extend(self.prover.refute(terms, question));
        }
        proofs
    }
    /// Derives a core proposed by the solver, which is small and often easy to prove.
    pub(super) fn derive_proposed(&mut self, facts: &Facts, task: &mut Task) {
        let Some(core) = task.minimizer.proposed().filter(|_| self.minimization == Minimization::Fast) else { return };
        let proof = self.prover.prove_small(&facts.tree.terms, &task.question.only(&core.groups));
        if let Some(Derivation { groups, uses_goal, .. }) = proof.filter(|proof| proof.uses_goal >= core.uses_goal) {
            let groups = groups.iter().map(|group| core.groups[*group]).collect();
            let core = Core { groups, uses_goal, effort: core.effort };
            task.minimizer.confirm(core, &task.question);
        }
    }
    /// Derives a proof from allowed groups only. A vacuous proof is accepted only if the first one was vacuous too.
    pub(super) fn derive_within(
        &mut self,
        facts: &Facts,
        check: CheckId,
        allowed: &dyn Fn(&GroupKey) -> bool,
    ) -> Option<(CoreQuestion, Core)> {
        if self.minimization == Minimization::Full {
            return None;
        }
        let scope = self.scope_of_others(check);
        let mut question = self.question(facts, facts.tree.checks[check].at, Goal::Check(check), scope);
        question.groups.retain(|group| allowed(&group.key));
        let terms = &facts.tree.terms;
        let proof = self.prover.prove(terms, &question).proof().filter(|proof| proof.uses_goal);
        let (groups, uses_goal) = match proof {
            Some(proof) => (proof.groups, true),
            None if self.core(check).vacuous => (self.prover.refute_again(terms, &question)?.groups, false),
            None => return None,
        };
        Some((question, Core { groups, uses_goal, effort: 0 }))
    }
    /// Determines whether the `inhale` and `assume` facts of a path are redundant. They are not blamed where other
    /// facts suffice.
    pub(super) fn judge_redundancy(&mut self, facts: &Facts, at: NodeId) {
        let tree = facts.tree;
        let path: Vec<NodeId> = tree.path(at).take_while(|node| !self.redundant.contains_key(node)).collect();
        for node in path.into_iter().rev() {
            let redundant = self.minimization != Minimization::Off && self.is_redundant(facts, node);
            self.redundant.insert(node, redundant);
        }
    }
    fn is_redundant(&mut self, facts: &Facts, node: NodeId) -> bool {
        let Node { step: Step::Assume { fact, because: Because::Written, .. }, parent: Some(parent), .. } =
            &facts.tree.nodes[node]
        else {
            return false;
        };
        let Blame::Shown(users) = facts.blame(node) else { return false };
        let inhaled = users.iter().all(|user| facts.nodes.all[*user].construct == Construct::Inhale);
        if !inhaled || facts.tree.terms.is_true(*fact) || facts.tree.terms.is_false(*fact) {
            return false;
        }
        let redundant = &self.redundant;
        let question = CoreQuestion::new(facts, &mut self.path, redundant, *parent, Goal::Fact(*fact), Scope::Near);
        self.prover.prove(&facts.tree.terms, &question).proof().is_some_and(|proof| proof.uses_goal)
    }
}
