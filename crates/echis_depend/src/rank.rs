//! Ranks groups of facts by how much a core should avoid them: first those with many dependencies of their own, then
//! explicit assumptions, then distant facts.

use crate::blame::{Blame, Facts};
use crate::kind::{Assumption, Construct};
use crate::nodes::{Nodes, UserId};
use echis_proof::{Because, NodeId, Rule, Step};

/// Facts that are included or dropped together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GroupKey {
    /// All facts that belong to these nodes.
    Users(Vec<UserId>),
    /// One engine fact.
    Fact(NodeId),
    /// Whether a grant of permission counts.
    Grant(NodeId),
}

/// The order in which groups are dropped, first to last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// Facts that the engine derived from many others.
    Lemma,
    /// Other engine facts.
    Own,
    /// Invariants, and what closes a path.
    Invariant,
    /// Calls and rewritings, and permission from an invariant, which bring in others.
    Call,
    /// Explicit assumptions.
    Believed,
    /// Conditions; permission from elsewhere.
    Condition,
    Assignment,
    /// Function bodies and postconditions.
    Promise,
    Axiom,
    Other,
}

impl Rank {
    pub fn new(facts: &Facts, key: &GroupKey, dead: bool) -> Self {
        match key {
            GroupKey::Fact(node) => match &facts.tree.nodes[facts.source(*node)].step {
                Step::Assume { because: Because::Rule(Rule::Lemma | Rule::NonAliasing), .. } => Rank::Lemma,
                _ => Rank::Own,
            },
            GroupKey::Grant(node) => match facts.blame(*node) {
                Blame::Shown(users) if users.iter().any(|user| Rank::of(facts.nodes, *user) == Rank::Invariant) => {
                    Rank::Call
                }
                _ => Rank::Condition,
            },
            GroupKey::Users(_) if dead => Rank::Invariant,
            GroupKey::Users(users) => {
                users.iter().map(|user| Rank::of(facts.nodes, *user)).min().unwrap_or(Rank::Other)
            }
        }
    }
    /// The rank of the facts of a node.
    pub fn of(nodes: &Nodes, user: UserId) -> Self {
        let node = &nodes.all[user];
        match (node.construct, node.assumption) {
            (Construct::Invariant, _) => Rank::Invariant,
            (Construct::Call | Construct::Rewrite, _) => Rank::Call,
            (_, Some(Assumption::Explicit)) => Rank::Believed,
            (Construct::Condition, _) => Rank::Condition,
            (Construct::Assignment | Construct::Havoc, _) => Rank::Assignment,
            (Construct::FunctionBody | Construct::Postcondition, _) => Rank::Promise,
            (Construct::Axiom, _) => Rank::Axiom,
            _ => Rank::Other,
        }
    }
}
