//! What symbolic execution needs of a solver.

use crate::check::{Bound, Verdict};
use crate::tree::{NodeId, ProofTree};
use echis_term::{TermId, Terms};

/// Answers whether a goal follows from the facts on a path. The answer must not depend on questions asked
/// before, apart from how far a bounded search gets.
pub trait Prover {
    fn check(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Verdict;
}

/// Finds what a proof needs. Questions are posed one after the other, each asked about as often as needed.
pub trait Explainer {
    /// The next question: does the goal follow from what holds always and some of the groups?
    fn pose(&mut self, terms: &Terms, always: &[TermId], groups: &[Vec<TermId>], goal: TermId);
    /// Whether it follows if just these groups hold (positions, in any order), and what a proof used. `None`: there
    /// is no proof within the bound. The answer is not minimal and has not been checked again.
    fn ask(&mut self, groups: &[usize]) -> Option<Core>;
}

/// What a proof used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// Positions of groups, ascending.
    pub groups: Vec<usize>,
    /// Without the goal the facts contradict each other: the proof is vacuous.
    pub uses_goal: bool,
}
