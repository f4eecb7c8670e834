//! Which labelled elements the proofs of a member need.
//!
//! Goals are looked at in program order. Where what holds is contradictory the goal is proved by that, and does not count;
//! else it counts. What a proof needs is what the solver names, without whatever can be left out, later elements first;
//! elements that some proof needs already are preferred. So every goal was proved from elements that are covered.

use crate::Outcome;
use crate::labels::{Label, Use};
use echis_base::Name;
use echis_proof::{CheckId, Explainer, Replayed};
use echis_term::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// The effort for one answer, in the solver's units; contradictions are looked for with less.
const EFFORT: u64 = 20_000_000;
const CONTRADICTION: u64 = 2_000_000;

#[derive(Clone, Default, Debug)]
pub struct Coverage {
    /// All labels, and what became of their elements.
    pub labels: BTreeMap<Name, Use>,
    pub covered: BTreeSet<Name>,
}

/// What the proofs of a verified member need.
pub fn cover(outcome: &mut Outcome, explainer: &mut dyn Explainer) -> Coverage {
    let labels = outcome.fact_labels.values().chain(outcome.goal_labels.values());
    let mut coverage = Coverage { labels: BTreeMap::new(), covered: BTreeSet::new() };
    for Label { name, becomes } in labels {
        coverage.labels.entry(name.clone()).or_insert(*becomes);
    }
    let falsity = outcome.tree.terms.falsity();
    for check in outcome.tree.checks.keys() {
        let question = Question::new(outcome, check);
        let contradiction = question.needs(outcome, explainer, falsity, CONTRADICTION, &coverage.covered);
        let vacuous = contradiction.is_some();
        let goal = outcome.parts[&check].1;
        let needs = contradiction.or_else(|| question.needs(outcome, explainer, goal, EFFORT, &coverage.covered));
        // Without a proof that is found again, everything may be needed.
        coverage.covered.extend(needs.unwrap_or_else(|| question.names.clone()));
        if let Some(label) = outcome.goal_labels.get(&check).filter(|_| !vacuous) {
            coverage.covered.insert(label.name.clone());
        }
    }
    coverage
}

/// The facts before a goal.
struct Question {
    always: Vec<TermId>,
    /// The names of elements, and the facts that each gives, in program order.
    names: Vec<Name>,
    groups: Vec<Vec<TermId>>,
}

impl Question {
    fn new(outcome: &Outcome, check: CheckId) -> Self {
        let tree = &outcome.tree;
        let mut question = Question { always: vec![outcome.parts[&check].0], names: Vec::new(), groups: Vec::new() };
        let mut path: Vec<_> = tree.path(tree.checks[check].at).collect();
        path.reverse();
        for node in path {
            let Some(fact) = tree.fact(node) else { continue };
            let Some(label) = outcome.fact_labels.get(&node) else {
                question.always.push(fact);
                continue;
            };
            match question.names.iter().position(|name| *name == label.name) {
                Some(group) => question.groups[group].push(fact),
                None => {
                    question.names.push(label.name.clone());
                    question.groups.push(vec![fact]);
                }
            }
        }
        question
    }
    /// The elements that a proof needs, if there is one.
    fn needs(
        &self,
        outcome: &Outcome,
        explainer: &mut dyn Explainer,
        goal: TermId,
        bound: u64,
        covered: &BTreeSet<Name>,
    ) -> Option<Vec<Name>> {
        if outcome.tree.terms.is_true(goal) {
            return Some(Vec::new());
        }
        let known: Vec<usize> = (0..self.names.len()).filter(|group| covered.contains(&self.names[*group])).collect();
        if self.ask(outcome, explainer, goal, bound, known.clone(), false).is_some() {
            return Some(Vec::new());
        }
        let all: Vec<usize> = (0..self.names.len()).collect();
        let core = self.ask(outcome, explainer, goal, bound, all, true)?;
        let mut new: Vec<usize> = core.into_iter().filter(|group| !known.contains(group)).collect();
        // Later elements go first; what is known stays.
        for group in new.clone().into_iter().rev() {
            let rest: Vec<usize> = new.iter().copied().filter(|other| *other != group).collect();
            let allowed = known.iter().chain(&rest).copied().collect();
            if self.ask(outcome, explainer, goal, bound, allowed, false).is_some() {
                new = rest;
            }
        }
        Some(new.into_iter().map(|group| self.names[group].clone()).collect())
    }
    fn ask(
        &self,
        outcome: &Outcome,
        explainer: &mut dyn Explainer,
        goal: TermId,
        bound: u64,
        allowed: Vec<usize>,
        named: bool,
    ) -> Option<Vec<usize>> {
        let question = Replayed { always: &self.always, groups: &self.groups, goal, asks: vec![allowed], named, bound };
        explainer.send(&outcome.tree.terms, &question);
        let core = explainer.receive().cores.into_iter().next().flatten()?;
        Some(core.groups)
    }
}
