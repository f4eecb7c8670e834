//! The labelled elements that the proofs of a member need.
//!
//! A goal whose facts are contradictory is proved by the contradiction, and does not count as covered; other goals
//! do. In small members, the proof of each goal uses the earliest sufficient elements, unless a single assumption
//! states the goal. In others, all goals share one proof. So every goal was proved from covered elements.

use crate::Outcome;
use crate::labels::{Label, Use};
use crate::overall::{self, Cores, Needs};
use echis_base::Name;
use echis_proof::{Explainer, NodeId};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Default, Debug)]
pub struct Coverage {
    /// All labels, with the use of each element.
    pub labels: BTreeMap<Name, Use>,
    pub covered: BTreeSet<Name>,
}

/// Proves all goals of a member at once, and says what the proof needs. The verdicts are set if there is a proof within the
/// bound.
pub fn prove_covered(outcome: &mut Outcome, explainer: &mut dyn Explainer, bound: u64) -> Option<Coverage> {
    overall::give(outcome, explainer, &stated);
    let found = overall::prove(outcome, explainer, &stated, Cores::Named, bound)?;
    Some(covered(outcome, found))
}

/// What the proofs of a verified member need.
pub fn cover(outcome: &mut Outcome, explainer: &mut dyn Explainer) -> Coverage {
    overall::give(outcome, explainer, &stated);
    let checks = outcome.tree.checks.keys().collect();
    let found = overall::together(outcome, explainer, &stated, Cores::Named, checks);
    covered(outcome, found)
}

fn stated(outcome: &Outcome, node: NodeId) -> Option<Name> {
    outcome.notes.fact_labels.get(&node).map(|label| label.name.clone())
}

fn covered(outcome: &Outcome, found: Vec<Needs<Name>>) -> Coverage {
    let labels = outcome.notes.fact_labels.values().chain(outcome.notes.goal_labels.values());
    let mut coverage = Coverage { labels: BTreeMap::new(), covered: BTreeSet::new() };
    for Label { name, becomes } in labels {
        coverage.labels.entry(name.clone()).or_insert(*becomes);
    }
    for Needs { check, vacuous, needs, .. } in found {
        coverage.covered.extend(needs);
        if let Some(label) = outcome.notes.goal_labels.get(&check).filter(|_| !vacuous) {
            coverage.covered.insert(label.name.clone());
        }
    }
    coverage
}
