//! Cores that verification named: the solver was told facts under names, and proved the goal again from those it used.

use super::{CheckCore, CoreSearch, Task};
use crate::blame::Facts;
use crate::minimize::Minimization;
use crate::options::Attribution;
use crate::question::CoreQuestion;
use echis_derive::Answer;
use echis_proof::{Core, ProofCore};
use std::collections::HashSet;
use std::rc::Rc;

impl CoreSearch {
    /// Where permission of several grants is counted, the proof says nothing about single grants, so a replay has to. The
    /// same goes for what proves anything or brings a loop along, for which replays may find another proof.
    pub(super) fn named(&mut self, facts: &Facts, task: &mut Task) -> Answer<Rc<CheckCore>> {
        let wanted = self.options.attribution == Attribution::PerNode
            && self.minimization != Minimization::Full
            && !self.executions
            && !task.minimizer.is_improving();
        let found = if wanted { self.first_core(facts, task) } else { None };
        let Some((question, core)) = found else { return Answer::NoProof };
        let vacuous = !core.uses_goal && !facts.tree.terms.is_false(question.goal);
        let through_loop = core.groups.iter().any(|group| question.brings_a_loop(*group));
        if (vacuous || through_loop) && self.allowance.may_improve() && !self.allowance.is_spent() {
            return Answer::NoProof;
        }
        self.allowance.counts.without_solver += usize::from(task.check.is_some());
        Answer::Proved(self.remember(facts, &question, &core))
    }
    /// The question with nothing but what the first proof used, and the part of it that is easily seen to suffice.
    fn first_core(&mut self, facts: &Facts, task: &Task) -> Option<(CoreQuestion, Core)> {
        let tree = facts.tree;
        let check = task.check.filter(|check| tree.labelled_goals.get(*check).is_none())?;
        let ProofCore { facts: used, uses_goal } = self.first_proof(facts, Some(check))?.core.clone()?;
        if used.iter().any(|node| tree.labelled_facts.get(*node).is_some()) {
            return None;
        }
        let used = used.iter().copied().collect::<HashSet<_>>();
        let question = CoreQuestion::of_facts(facts, &mut self.path, &self.redundant, check, &used)?;
        let core = match self.prover.prove_small(&tree.terms, &question).filter(|_| uses_goal) {
            Some(proof) if proof.uses_goal => Core { groups: proof.groups, uses_goal, effort: 0 },
            _ => Core { groups: (0..question.groups.len()).collect(), uses_goal, effort: 0 },
        };
        Some((question, core))
    }
}
