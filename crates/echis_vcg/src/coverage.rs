//! The labelled elements that the proofs of a member need.
//!
//! A goal whose facts are contradictory is proved by the contradiction, and does not count as covered; other goals
//! do. In small members, the proof of each goal uses the earliest sufficient elements, unless a single assumption
//! states the goal. In others, all goals share one proof. So every goal was proved from covered elements.

use crate::Outcome;
use crate::labels::{Label, Use};
use crate::overall::{self, Needs};
use echis_base::Name;
use echis_proof::Explainer;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Default, Debug)]
pub struct Coverage {
    /// All labels, with the use of each element.
    pub labels: BTreeMap<Name, Use>,
    pub covered: BTreeSet<Name>,
}

/// Computes the coverage of a verified member.
pub fn cover(outcome: &mut Outcome, explainer: &mut dyn Explainer) -> Coverage {
    let labels = outcome.notes.fact_labels.values().chain(outcome.notes.goal_labels.values());
    let mut coverage = Coverage { labels: BTreeMap::new(), covered: BTreeSet::new() };
    for Label { name, becomes } in labels {
        coverage.labels.entry(name.clone()).or_insert(*becomes);
    }
    let stated = |outcome: &Outcome, node| outcome.notes.fact_labels.get(&node).map(|label| label.name.clone());
    let checks = outcome.tree.checks.keys().collect();
    for Needs { check, vacuous, needs, .. } in overall::together(outcome, explainer, &stated, checks) {
        coverage.covered.extend(needs);
        if let Some(label) = outcome.notes.goal_labels.get(&check).filter(|_| !vacuous) {
            coverage.covered.insert(label.name.clone());
        }
    }
    coverage
}
