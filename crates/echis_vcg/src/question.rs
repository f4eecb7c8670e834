//! Determines which of the preceding elements the proof of a goal needs.

use crate::Outcome;
use echis_proof::{Because, CheckId, Explainer, NodeId, Replayed, Replies, Step};
use echis_term::{Op, TermId, TermKind};
use std::collections::BTreeSet;

/// The facts before a goal, grouped by element.
pub struct CoreQuery<K> {
    always: Vec<TermId>,
    /// The elements and their facts, in program order.
    pub names: Vec<K>,
    groups: Vec<Vec<TermId>>,
    /// Facts that were not proved in the member itself.
    given: BTreeSet<TermId>,
}

impl<K: Clone + PartialEq> CoreQuery<K> {
    /// Facts that belong to no element are always assumed.
    pub fn new(outcome: &Outcome, check: CheckId, element: impl Fn(NodeId) -> Option<K>) -> Self {
        let reached = outcome.notes.parts[&check].0;
        let mut question = CoreQuery::before(outcome, check, element);
        question.always.push(reached);
        question
    }
    /// Like [`new`](Self::new), without assuming that the goal is reached.
    pub fn before(outcome: &Outcome, check: CheckId, element: impl Fn(NodeId) -> Option<K>) -> Self {
        let tree = &outcome.tree;
        let (always, given) = (Vec::new(), BTreeSet::new());
        let mut question = CoreQuery { always, names: Vec::new(), groups: Vec::new(), given };
        let mut path: Vec<_> = tree.path(tree.checks[check].at).collect();
        path.reverse();
        for node in path {
            let Some(fact) = tree.fact(node) else { continue };
            let Some(element) = element(node) else {
                question.always.push(fact);
                continue;
            };
            let is_shown = matches!(tree.nodes[node].step, Step::Assume { because: Because::Checked, .. });
            if !is_shown {
                question.given.insert(fact);
            }
            match question.names.iter().position(|known| *known == element) {
                Some(group) => question.groups[group].push(fact),
                None => {
                    question.names.push(element);
                    question.groups.push(vec![fact]);
                }
            }
        }
        question
    }
    /// The elements that a proof needs, if there is one. An assumption that says just what is to be shown is enough; else
    /// it is the earliest ones that suffice: each of them is needed besides those before it and those that are kept.
    /// And the effort that finding out took.
    pub fn needs(
        &self,
        outcome: &Outcome,
        explainer: &mut dyn Explainer,
        goal: TermId,
        bound: u64,
    ) -> (Option<Vec<K>>, u64) {
        let mut spent = 0;
        let needs = self.earliest(outcome, goal, &mut |allowed| {
            let (core, effort) = self.ask(outcome, explainer, goal, bound, allowed);
            spent += effort;
            core
        });
        (needs, spent)
    }
    fn earliest(
        &self,
        outcome: &Outcome,
        goal: TermId,
        prove: &mut dyn FnMut(Vec<usize>) -> Option<Vec<usize>>,
    ) -> Option<Vec<K>> {
        if outcome.tree.terms.is_true(goal) {
            return Some(Vec::new());
        }
        if let Some(said) = (0..self.names.len()).find(|group| self.says(outcome, *group, goal))
            && prove(vec![said]).is_some()
        {
            return Some(vec![self.names[said].clone()]);
        }
        let mut kept: Vec<usize> = Vec::new();
        // Everything before this position suffices, together with the kept elements.
        let mut enough = prove((0..self.names.len()).collect())?.last().map_or(0, |last| last + 1);
        loop {
            let mut short = 0;
            if prove(kept.clone()).is_some() {
                break;
            }
            while short + 1 < enough {
                let middle = short + (enough - short) / 2;
                let allowed = (0..middle).chain(kept.iter().copied()).collect();
                match prove(allowed) {
                    Some(core) => {
                        let last = core.into_iter().filter(|group| *group < middle).max();
                        enough = last.map_or(short + 1, |last| (last + 1).max(short + 1)).min(middle);
                    }
                    None => short = middle,
                }
            }
            if enough == 0 {
                break;
            }
            enough -= 1;
            kept.push(enough);
        }
        kept.sort_unstable();
        Some(kept.into_iter().map(|group| self.names[group].clone()).collect())
    }
    /// Whether one of an element's facts is the goal, possibly guarded by its reachability.
    fn says(&self, outcome: &Outcome, group: usize, goal: TermId) -> bool {
        let given = self.groups[group].iter().filter(|fact| self.given.contains(fact));
        given.into_iter().any(|fact| match outcome.tree.terms.kind(*fact) {
            _ if *fact == goal => true,
            TermKind::Op(Op::Or | Op::Implies, parts) => parts.contains(&goal),
            _ => false,
        })
    }
    /// Adds an element with a fact.
    pub fn add(&mut self, name: K, fact: TermId) {
        self.names.push(name);
        self.groups.push(vec![fact]);
    }
    /// The groups used by a proof from the allowed ones, in ascending order, and its effort.
    pub fn ask(
        &self,
        outcome: &Outcome,
        explainer: &mut dyn Explainer,
        goal: TermId,
        bound: u64,
        allowed: Vec<usize>,
    ) -> (Option<Vec<usize>>, u64) {
        let asks = vec![allowed];
        let question = Replayed { always: &self.always, groups: &self.groups, goal, asks, named: true, bound };
        explainer.send(&outcome.tree.terms, &question);
        let Replies { cores, effort } = explainer.receive();
        let core = cores.into_iter().next().flatten().map(|core| core.groups);
        (
            core.map(|mut core| {
                core.sort_unstable();
                core
            }),
            effort,
        )
    }
}
