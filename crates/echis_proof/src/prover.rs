//! What symbolic execution needs of a solver.

use crate::check::{Bound, Property, Verdict};
use crate::failure::Failure;
use crate::premise::NodeId;
use crate::tree::ProofTree;
use echis_term::{TermId, Terms};

/// Answers whether a goal follows from the facts on a path. The answer must not depend on questions asked
/// before, apart from how far a bounded search gets.
pub trait Prover {
    fn check(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Verdict;
    /// Obligations of this tree have another bound than usual.
    fn bound(&mut self, _rlimit: u32) {}
    /// Quantifiers of this tree are instantiated more eagerly than usual, as Boogie has it.
    fn instantiate_eagerly(&mut self) {}
    /// The next questions are about this obligation of the member.
    fn obliged(&mut self, _property: Property) {}
    /// The next questions are about something that need not hold: that it does not is no error.
    fn tried(&mut self) {}
    /// An obligation failed for the first time in the member.
    fn failed(&mut self, _failure: &Failure) {}
}

/// Finds what proofs need. Questions are sent ahead of their answers, so that the caller can do other work.
pub trait Explainer {
    /// Facts that hold in all later questions about this tree. They need no label, which makes proofs easier to find.
    fn given(&mut self, terms: &Terms, facts: &[TermId]);
    fn send(&mut self, terms: &Terms, question: &Replayed<'_>);
    /// The answers to the oldest question that has none yet. What they name is not minimal and has not been checked
    /// again. Answers do not depend on what else is asked.
    fn receive(&mut self) -> Replies;
}

/// Does the goal follow from what holds always and some of the groups?
pub struct Replayed<'a> {
    pub always: &'a [TermId],
    pub groups: &'a [Vec<TermId>],
    pub goal: TermId,
    /// The groups that hold (positions, in any order), one list for each answer.
    pub asks: Vec<Vec<usize>>,
    /// Whether answers name what the proof used. Otherwise they name all that was allowed, which costs less.
    pub named: bool,
    /// The effort for each answer, in the solver's units.
    pub bound: u64,
}

/// What was found about one question.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Replies {
    /// For each list of groups, in order. `None`: there is no proof within the bound.
    pub cores: Vec<Option<Core>>,
    /// What all answers took together, in the solver's units.
    pub effort: u64,
}

/// What the first proof of a goal used: these facts prove the goal by themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofCore {
    /// Nodes on the path whose facts are used, ascending.
    pub facts: Box<[NodeId]>,
    /// Without the goal the facts contradict each other: the proof is vacuous.
    pub uses_goal: bool,
}

/// What a proof used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// Positions of groups, ascending.
    pub groups: Vec<usize>,
    /// Without the goal the facts contradict each other: the proof is vacuous.
    pub uses_goal: bool,
    /// What the proof took, in the solver's units.
    pub effort: u64,
}
