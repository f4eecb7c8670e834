//! The trusted base of a program: everything that its proofs assume without proof, as one list.

use crate::graph::EdgeFilter;
use crate::kind::{Assumption, Construct};
use crate::nodes::UserId;
use crate::read::query::Queries;
use crate::read::view::ViewNode;

/// Something that is believed, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trusted {
    pub node: UserId,
    pub why: Trust,
    /// How many explicit obligations rest on it.
    pub assertions: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Trust {
    /// It was to be proved, and was not.
    Failed,
    /// `assume`, `inhale`.
    Assumed,
    /// A member without a body promises it.
    Promised,
    Axiom,
    /// Callers outside of the program must establish it.
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
    /// What is believed and needed, by why; what most rests on first. Preconditions that callers prove are not in it where
    /// the graph was made with callers joined.
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
    /// Whether it is believed without proof. What a member requires is proved by its callers.
    pub fn is_trusted(&self) -> bool {
        trust(self).is_some_and(|why| why != Trust::Demanded)
    }
}

/// Why a node is believed, if it is. Who calls a member without a body believes what that promises.
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
