//! The tree's invariants as a test.

use crate::premise::Premise;
use crate::tree::{ProofTree, Step};

impl ProofTree {
    /// Says which invariant is broken, if one is.
    pub fn validate(&self) -> Result<(), String> {
        for (id, node) in self.nodes.iter() {
            match node.parent {
                Some(parent) if parent >= id => return Err(format!("{id} is older than its parent {parent}")),
                None if node.step != Step::Root => return Err(format!("{id} has no parent")),
                _ => {}
            }
            if let Step::Assume { premises, .. } | Step::Dead { premises, .. } = &node.step {
                for premise in premises {
                    if let Premise::Fact(fact) = premise
                        && *fact >= id
                    {
                        return Err(format!("{id} rests on the younger {fact}"));
                    }
                }
            }
        }
        for (id, check) in self.checks.iter() {
            if self.nodes.get(check.at).is_none() {
                return Err(format!("{id} hangs off no node"));
            }
            for premise in &check.premises {
                if let Premise::Check(other) = premise
                    && *other >= id
                {
                    return Err(format!("{id} rests on the younger {other}"));
                }
            }
        }
        Ok(())
    }
}
