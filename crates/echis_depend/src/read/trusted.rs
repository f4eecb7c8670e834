//! The trusted base of a program: everything that its proofs assume without proof.

use crate::graph::EdgeFilter;
use crate::kind::{Assumption, Construct};
use crate::nodes::UserId;
use crate::read::query::Queries;
use crate::read::view::ViewNode;

/// An assumption, and why it is trusted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trusted {
    pub node: UserId,
    pub why: Trust,
    /// Number of explicit obligations that rest on it.
    pub assertions: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Trust {
    /// Its proof failed.
    Failed,
    /// `assume`, `inhale`.
    Assumed,
    /// A postcondition of a member without a body.
    Promised,
    Axiom,
    /// A precondition for callers outside the program.
    Demanded,
}

impl Trust {
    pub fn name(self) -> &'static str {
        match self {
            Trust::Failed => "failed",
            Trust::Assumed => "assumed",
            Trust::Promised => "promised",
            Trust::Axiom => "axiom",
            Trust::Demanded => "demanded",
        }
    }
    pub fn describe(self) -> &'static str {
        match self {
            Trust::Failed => "not proved, but assumed afterwards",
            Trust::Assumed => "assumed",
            Trust::Promised => "postconditions of members without a body",
            Trust::Axiom => "axioms",
            Trust::Demanded => "required of callers outside the program",
        }
    }
}

impl Queries<'_> {
    /// The assumptions that are needed, by reason, then by number of dependents. If the graph was built with callers
    /// joined, preconditions that callers prove are not included.
    pub fn trusted(self) -> Vec<Trusted> {
        let proved = self.view.nodes.iter().filter(|node| self.graph.is_asserted(node.id) && !node.failed);
        let needed = self.graph.dependencies(proved.map(|node| node.id), EdgeFilter::All);
        let believed = self.view.nodes.iter().filter_map(|node| Some((node, trust(node)?)));
        let mut trusted: Vec<Trusted> = believed
            .filter(|(node, _)| node.failed || needed.contains(&node.id))
            .map(|(node, why)| {
                let resting = self.graph.dependents([node.id]);
                let assertions = resting.into_iter().filter(|user| self.is_explicit_assertion(*user)).count();
                Trusted { node: node.id, why, assertions }
            })
            .collect();
        trusted.sort_by_key(|found| (found.why, std::cmp::Reverse(found.assertions), found.node));
        trusted
    }
}

impl ViewNode {
    /// Whether it is assumed without proof. Preconditions are proved by callers.
    pub fn is_trusted(&self) -> bool {
        trust(self).is_some_and(|why| why != Trust::Demanded)
    }
}

/// Why a node is trusted, if it is. Callers of a member without a body trust its postconditions.
fn trust(node: &ViewNode) -> Option<Trust> {
    match (node.assumption, node.construct) {
        _ if node.failed => Some(Trust::Failed),
        (Some(Assumption::Axiom), _) => Some(Trust::Axiom),
        (Some(Assumption::Explicit), Construct::Precondition) => Some(Trust::Demanded),
        (Some(Assumption::Explicit), Construct::Postcondition) => Some(Trust::Promised),
        (Some(Assumption::Explicit), Construct::Call | Construct::Assignment) => None,
        (Some(Assumption::Explicit), _) => Some(Trust::Assumed),
        _ => None,
    }
}
