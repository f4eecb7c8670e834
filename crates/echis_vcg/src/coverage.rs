//! Which labelled elements the proofs of a member need.
//!
//! Goals are looked at in program order. Where what holds is contradictory the goal is proved by that, and does not count;
//! else it counts. A proof rests on the earliest elements that suffice, unless an assumption says just what is to be shown.
//! So every goal was proved from elements that are covered, and none of those it rests on can be left out.

use crate::Outcome;
use crate::labels::{Label, Use};
use crate::limits::{CONTRADICTION_EFFORT, CORE_EFFORT};
use crate::question::CoreQuery;
use echis_base::Name;
use echis_proof::Explainer;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Default, Debug)]
pub struct Coverage {
    /// All labels, and what became of their elements.
    pub labels: BTreeMap<Name, Use>,
    pub covered: BTreeSet<Name>,
}

/// What the proofs of a verified member need.
pub fn cover(outcome: &mut Outcome, explainer: &mut dyn Explainer) -> Coverage {
    let labels = outcome.notes.fact_labels.values().chain(outcome.notes.goal_labels.values());
    let mut coverage = Coverage { labels: BTreeMap::new(), covered: BTreeSet::new() };
    for Label { name, becomes } in labels {
        coverage.labels.entry(name.clone()).or_insert(*becomes);
    }
    let falsity = outcome.tree.terms.falsity();
    for check in outcome.tree.checks.keys() {
        let name = |node| outcome.notes.fact_labels.get(&node).map(|label| label.name.clone());
        let question = CoreQuery::new(outcome, check, name);
        let contradiction = question.needs(outcome, explainer, falsity, CONTRADICTION_EFFORT);
        let vacuous = contradiction.is_some();
        let goal = outcome.notes.parts[&check].1;
        let needs = contradiction.or_else(|| question.needs(outcome, explainer, goal, CORE_EFFORT));
        // Without a proof that is found again, everything may be needed.
        coverage.covered.extend(needs.unwrap_or_else(|| question.names.clone()));
        if let Some(label) = outcome.notes.goal_labels.get(&check).filter(|_| !vacuous) {
            coverage.covered.insert(label.name.clone());
        }
    }
    coverage
}
