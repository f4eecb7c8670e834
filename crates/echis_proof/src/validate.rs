//! Validates the tree's invariants.

use crate::premise::{CheckId, NodeId, Premise};
use crate::tree::{ProofTree, Step};
use std::fmt;

/// A violated invariant, with its location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidTree {
    OlderThanParent(NodeId, NodeId),
    NoParent(NodeId),
    FactRestsOnYounger(NodeId, NodeId),
    CheckNowhere(CheckId),
    CheckRestsOnYounger(CheckId, CheckId),
}

impl fmt::Display for InvalidTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidTree::OlderThanParent(node, parent) => write!(f, "{node} is older than its parent {parent}"),
            InvalidTree::NoParent(node) => write!(f, "{node} has no parent"),
            InvalidTree::FactRestsOnYounger(node, fact) => write!(f, "{node} rests on the younger {fact}"),
            InvalidTree::CheckNowhere(check) => write!(f, "{check} hangs off no node"),
            InvalidTree::CheckRestsOnYounger(check, other) => write!(f, "{check} rests on the younger {other}"),
        }
    }
}

impl std::error::Error for InvalidTree {}

impl ProofTree {
    /// Returns the first violated invariant, if any.
    pub fn validate(&self) -> Result<(), InvalidTree> {
        for (id, node) in self.nodes.iter() {
            match node.parent {
                Some(parent) if parent >= id => return Err(InvalidTree::OlderThanParent(id, parent)),
                None if node.step != Step::Root => return Err(InvalidTree::NoParent(id)),
                _ => {}
            }
            if let Step::Assume { premises, .. } | Step::Dead { premises, .. } = &node.step {
                for premise in premises {
                    if let Premise::Fact(fact) = premise
                        && *fact >= id
                    {
                        return Err(InvalidTree::FactRestsOnYounger(id, *fact));
                    }
                }
            }
        }
        for (id, check) in self.checks.iter() {
            if self.nodes.get(check.at).is_none() {
                return Err(InvalidTree::CheckNowhere(id));
            }
            for premise in &check.premises {
                if let Premise::Check(other) = premise
                    && *other >= id
                {
                    return Err(InvalidTree::CheckRestsOnYounger(id, *other));
                }
            }
        }
        Ok(())
    }
}
