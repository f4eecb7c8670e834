//! Ranks groups of facts by how much a core should avoid them: first those with many dependencies of their own, then
//! explicit assumptions, then distant facts.

use crate::blame::{Blame, Facts};
use crate::kind::{Assumption, Construct};
use crate::nodes::{Nodes, UserId};
use echis_proof::{Because, NodeId, Rule, Step};

/// Facts that stand or fall together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GroupKey {
    /// All facts that these nodes answer for together.
    Users(Vec<UserId>),
    /// One fact of the engine's own.
    Fact(NodeId),
    /// That a grant of permission counts.
    Grant(NodeId),
}

/// What comes first is dropped first, if possible.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// What the engine derived from much.
    Lemma,
    /// Other facts of the engine's own.
    Own,
    /// Invariants, and what closes a path.
    Invariant,
    /// Calls and rewritings, and permission from an invariant, which drag others along.
    Call,
    /// What has to be believed.
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
    /// Of what a node gives.
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
