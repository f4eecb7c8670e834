//! What symbolic execution needs of a solver.

use crate::check::{Bound, Verdict};
use crate::tree::{NodeId, ProofTree};
use echis_term::TermId;

/// Answers whether a goal follows from the facts on a path. The answer must not depend on questions asked
/// before, apart from how far a bounded search gets.
pub trait Prover {
    fn check(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Verdict;
}
