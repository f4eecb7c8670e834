//! Goals on dead paths. Such a goal may hold without the contradiction, and then does not depend on it; finding out
//! can cost more than everything else, so the effort is limited.

use super::{CheckCore, CoreContext, CoreSearch, FINDERS_OF_CONTRADICTIONS, Task};
use crate::blame::Facts;
use crate::minimize::Minimization;
use crate::question::{Goal, Scope};
use crate::via::Via;
use echis_derive::{Answer, Derivation};
use echis_proof::{NodeId, Step};
use std::collections::HashMap;
use std::rc::Rc;

#[derive(Default)]
pub(super) struct ClosedPaths {
    /// The core of each contradiction, by the node where it was noticed.
    reasons: HashMap<NodeId, Rc<CheckCore>>,
    /// Cores found without a solver.
    derived: HashMap<NodeId, Option<Rc<CheckCore>>>,
}

impl CoreSearch {
    /// The node where a path was closed, if no more effort is spent on such paths.
    pub(super) fn abandoned_path(&self, facts: &Facts, at: NodeId) -> Option<NodeId> {
        facts.first_dead(at).filter(|_| self.allowance.is_spent_on_closed())
    }
    /// The core of the contradiction that closes a path; it proves every goal there.
    pub(super) fn closing_core(&mut self, cx: &mut CoreContext, dead: NodeId) -> Rc<CheckCore> {
        if let Some(found) = self.closed.reasons.get(&dead) {
            return found.clone();
        }
        let found = CheckCore {
            vacuous: true,
            coarse: true,
            via: Via::Infeasibility,
            ..(*self.contradiction(cx, dead)).clone()
        };
        let found = Rc::new(found);
        self.closed.reasons.insert(dead, found.clone());
        found
    }
    /// The contradiction that closes a task's path, if it is easy to derive, far from the task's goal, and no proof
    /// without it is expected.
    pub(super) fn closed(&mut self, facts: &Facts, task: &mut Task) -> Answer<Rc<CheckCore>> {
        let dead = facts
            .first_dead(task.at)
            .filter(|_| self.minimization != Minimization::Full && !task.minimizer.is_improving());
        let Some(found) = dead.and_then(|dead| self.derive_closing_core(facts, dead)) else { return Answer::NoProof };
        task.seeks_nonvacuous = task.incomplete && self.allowance.may_seek_nonvacuous();
        if task.seeks_nonvacuous {
            return Answer::GaveUp;
        }
        self.allowance.counts.without_solver += usize::from(task.check.is_some());
        Answer::Proved(found)
    }
    /// When searching for what executions need, the contradiction is compared with other proofs.
    pub(super) fn derive_closing_core(&mut self, facts: &Facts, dead: NodeId) -> Option<Rc<CheckCore>> {
        if self.executions {
            return None;
        }
        if let Some(found) = self.closed.derived.get(&dead) {
            return found.clone();
        }
        let near = match facts.tree.nodes[dead].step {
            Step::Dead { fact, .. } => (Goal::Fact(fact), Scope::Near),
            _ => (Goal::Contradiction, Scope::All),
        };
        let found = [near, (Goal::Contradiction, Scope::All)].into_iter().find_map(|(goal, scope)| {
            let question = self.question(facts, dead, goal, scope);
            let Derivation { groups, .. } = self.prover.refute(&facts.tree.terms, &question)?;
            let keys = groups.into_iter().map(|group| question.groups[group].key.clone()).collect();
            Some(Rc::new(CheckCore { keys, via: Via::Infeasibility, vacuous: true, coarse: false }))
        });
        self.closed.derived.insert(dead, found.clone());
        found
    }
    /// Returns the core of the contradiction at a node.
    pub fn contradiction(&mut self, cx: &mut CoreContext, at: NodeId) -> Rc<CheckCore> {
        let mut task = self.task(&cx.facts, None, at, &[Scope::All], &|_| true);
        if let Some(found) = self.find(&cx.facts, &mut task, FINDERS_OF_CONTRADICTIONS) {
            return found;
        }
        let done = self.complete(cx, vec![task]);
        let found = done.first().map(|task| self.conclude(&cx.facts, task));
        found.unwrap_or_else(|| Rc::new(CheckCore::empty()))
    }
}
