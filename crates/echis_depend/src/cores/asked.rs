//! Searches that ask a solver. They wait in a queue: each asks one question and then goes to the end, so the solver
//! is busy while other searches compute.

use super::{CheckCore, CoreContext, CoreSearch, FirstProof, Task};
use crate::blame::Facts;
use crate::minimize::{Minimization, Minimizer};
use crate::question::{Goal, Scope};
use crate::rank::GroupKey;
use echis_proof::{CheckId, NodeId, Replayed};
use echis_term::TermId;
use std::collections::HashSet;
use std::rc::Rc;

impl CoreSearch {
    pub(super) fn task(
        &mut self,
        facts: &Facts,
        check: Option<CheckId>,
        at: NodeId,
        scopes: &'static [Scope],
        allowed: &dyn Fn(&GroupKey) -> bool,
    ) -> Task {
        let goal = check.map_or(Goal::Contradiction, Goal::Check);
        let (scope, scopes) = scopes.split_first().map_or((Scope::All, scopes), |(first, rest)| (*first, rest));
        let question = self.question(facts, at, goal, scope);
        let all: Vec<usize> =
            (0..question.groups.len()).filter(|group| allowed(&question.groups[*group].key)).collect();
        let effort = if self.allowance.may_improve() { self.minimization } else { Minimization::Off };
        let hint = check.and_then(|_| self.hint(&question));
        let minimizer = Minimizer::new(all, hint, effort, &self.options.policy);
        let again = check.is_some_and(|check| self.cores.contains_key(&check));
        let bound = self.allowance.bound(scope, self.first_cost(facts, check), question.axioms(), again);
        Task { check, at, scopes, question, minimizer, bound, promised: 0, seeks_nonvacuous: false, incomplete: false }
    }
    /// The first proof of a check, if known.
    pub(super) fn first_proof(&self, facts: &Facts, check: Option<CheckId>) -> Option<&FirstProof> {
        let check = &facts.tree.checks[check?];
        self.costs.get(&(check.at, check.goal))
    }
    /// What that took; nothing if that is not known.
    pub(super) fn first_cost(&self, facts: &Facts, check: Option<CheckId>) -> u64 {
        self.first_proof(facts, check).map_or(0, |proof| proof.effort)
    }
    pub(super) fn send(&mut self, cx: &mut CoreContext, mut task: Task) {
        let asks = task.minimizer.asks(&task.question);
        let improving = task.minimizer.is_looking_for_others();
        task.promised = if improving { self.allowance.promise(task.bound, asks.len()) } else { 0 };
        // Groups that no question uses need not be sent.
        let used: HashSet<usize> = asks.iter().flatten().copied().collect();
        let mut groups = task.question.terms_of_groups();
        (0..groups.len()).filter(|group| !used.contains(group)).for_each(|group| groups[group].clear());
        let question = Replayed {
            always: &task.question.always,
            groups: &groups,
            goal: task.question.goal,
            asks,
            named: task.minimizer.wants_names(&task.question),
            bound: task.bound,
        };
        cx.explainer.send(&cx.facts.tree.terms, &question);
        self.queue.push_back(task);
    }
    /// Receives the answers for the first task in the queue, which is requeued with its next question unless it is
    /// done.
    pub(super) fn next(&mut self, cx: &mut CoreContext) -> Option<Task> {
        let mut task = self.queue.pop_front()?;
        let replies = cx.explainer.receive();
        let closed = cx.facts.first_dead(task.at).is_some();
        self.allowance.redeem(task.promised);
        self.allowance.note(&replies, task.minimizer.is_improving(), closed);
        if let Some(effort) = replies.cores.iter().flatten().map(|core| core.effort).max() {
            task.bound = self.allowance.bound_after(effort);
        }
        task.minimizer.answer(replies.cores, &task.question);
        self.derive_proposed(&cx.facts, &mut task);
        if !self.allowance.may_improve() {
            task.minimizer.stop_improving();
        }
        match (task.minimizer.is_done(), task.minimizer.core()) {
            (false, _) => self.send(cx, task),
            (true, None) if !task.scopes.is_empty() && !self.allowance.is_spent() => {
                let other = self.task(&cx.facts, task.check, task.at, task.scopes, &|_| true);
                self.send(cx, other);
            }
            (true, _) => return Some(task),
        }
        None
    }
    /// Runs separate searches to completion.
    pub(super) fn complete(&mut self, cx: &mut CoreContext, tasks: Vec<Task>) -> Vec<Task> {
        self.finish(cx);
        let mut done = Vec::new();
        for task in tasks {
            while self.queue.len() >= self.allowance.queue_length() {
                done.extend(self.next(cx));
            }
            self.send(cx, task);
        }
        while !self.queue.is_empty() {
            done.extend(self.next(cx));
        }
        done
    }
    pub(super) fn conclude(&mut self, facts: &Facts, task: &Task) -> Rc<CheckCore> {
        let Some(core) = task.minimizer.core() else {
            let closed = facts.first_dead(task.at).filter(|_| task.check.is_some());
            let closed = closed.and_then(|dead| self.derive_closing_core(facts, dead));
            let goal = || task.check.map_or(Goal::Contradiction, Goal::Check);
            return closed.unwrap_or_else(|| self.blame_path(facts, goal(), task.at));
        };
        self.remember(facts, task.at, &task.question, core)
    }
    /// Blames the whole path for a goal whose proof was not found again.
    pub(super) fn blame_path(&mut self, facts: &Facts, goal: Goal, at: NodeId) -> Rc<CheckCore> {
        self.allowance.counts.lost += 1;
        let question = self.question(facts, at, goal, Scope::All);
        let keys = question.groups.into_iter().map(|group| group.key).collect();
        Rc::new(CheckCore { keys, coarse: true, ..CheckCore::empty() })
    }
    /// The effort of the first proof of a check; 0 if unknown.
    pub fn effort(&self, facts: &Facts, check: CheckId) -> u64 {
        self.first_cost(facts, Some(check))
    }
    /// The individual facts of a check's core that a proof from it needs. `None` if that cannot be determined.
    pub(super) fn single_out(&mut self, cx: &mut CoreContext, check: CheckId) -> Option<HashSet<TermId>> {
        self.finish(cx);
        let found = self.core(check);
        let question = self.question(&cx.facts, cx.facts.tree.checks[check].at, Goal::Check(check), Scope::Wide);
        let bound = self.allowance.bound(Scope::Wide, 0, 0, false);
        let core = question.groups.iter().filter(|group| found.keys.contains(&group.key));
        let facts: Vec<Vec<TermId>> = core.flat_map(|group| &group.facts).map(|fact| vec![*fact]).collect();
        let mut ask = |facts_asked: Vec<usize>| {
            let (always, groups, asks) = (&question.always, &facts, vec![facts_asked]);
            let asked = Replayed { always, groups, goal: question.goal, asks, named: true, bound };
            cx.explainer.send(&cx.facts.tree.terms, &asked);
            cx.explainer.receive().cores.into_iter().next().flatten()
        };
        let needed = ask((0..facts.len()).collect())?.groups;
        // A proposed core is proved again.
        ask(needed.clone())?;
        Some(needed.into_iter().flat_map(|fact| facts[fact].iter().copied()).collect())
    }
}
