//! What does a proof not cover? Candidates for warnings, and the edits of the source that confirm them.
//!
//! Nothing here is a verdict: a candidate becomes a warning only after the edited program was verified again.

mod candidates;
mod probes;

pub use candidates::{Candidate, candidates, silencers};
pub use probes::{Dead, Probes};

use crate::depend::{UserId, View};
use echis_base::{Diagnostic, Name, Span};
use std::collections::BTreeSet;

/// A replacement of text in the main file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    pub start: usize,
    pub end: usize,
    pub text: String,
}

impl Edit {
    pub fn apply(&self, source: &str) -> Option<String> {
        let (before, after) = (source.get(..self.start)?, source.get(self.end..)?);
        Some(format!("{before}{}{after}", self.text))
    }
}

/// A warning that was confirmed.
#[derive(Clone, Debug)]
pub struct Warning {
    pub diagnostic: Diagnostic,
    pub member: Name,
    /// The node that the warning is about, where it is one.
    pub node: Option<UserId>,
    /// The edit that removes the cause; verified.
    pub fix: Option<Edit>,
}

#[derive(Clone, Debug)]
pub struct MemberCoverage {
    pub name: Name,
    pub covered: usize,
    pub total: usize,
    pub uncovered: Vec<UserId>,
}

/// What coverage found in a program that verifies.
#[derive(Clone, Default, Debug)]
pub struct Coverage {
    pub members: Vec<MemberCoverage>,
    pub covered: BTreeSet<UserId>,
    pub warnings: Vec<Warning>,
    /// No proof uses their facts, and yet the proofs are not found without them.
    pub trigger_only: Vec<UserId>,
    /// Obligations whose proof needs nothing but a contradiction.
    pub vacuous: Vec<Span>,
    /// Nodes whose warning somebody wrote to be intended.
    pub silenced: BTreeSet<UserId>,
    /// How many programs were verified to confirm warnings.
    pub runs: usize,
}

impl Coverage {
    /// Covered and all nodes of the whole program.
    pub fn counts(&self) -> (usize, usize) {
        self.members.iter().fold((0, 0), |(covered, total), member| (covered + member.covered, total + member.total))
    }
    pub fn percent(&self) -> f64 {
        let (covered, total) = self.counts();
        if total == 0 { 100.0 } else { 100.0 * covered as f64 / total as f64 }
    }
}

/// The nodes that some proof needs, directly or not.
pub fn covered(view: &View) -> BTreeSet<UserId> {
    view.dependencies.iter().flat_map(|answer| answer.all.iter().copied()).collect()
}

/// How many nodes that can be assumed are needed, member by member in the order of their nodes.
pub fn members(view: &View, covered: &BTreeSet<UserId>) -> Vec<MemberCoverage> {
    let mut members: Vec<MemberCoverage> = Vec::new();
    for node in view.nodes.iter().filter(|node| node.assumption.is_some()) {
        let index = members.iter().position(|member| member.name == node.member).unwrap_or_else(|| {
            members.push(MemberCoverage { name: node.member.clone(), covered: 0, total: 0, uncovered: Vec::new() });
            members.len() - 1
        });
        let member = &mut members[index];
        member.total += 1;
        if covered.contains(&node.id) {
            member.covered += 1;
        } else {
            member.uncovered.push(node.id);
        }
    }
    members
}
