//! The interface that symbolic execution needs of a solver.

use crate::check::{Bound, Property, Verdict};
use crate::failure::Failure;
use crate::premise::NodeId;
use crate::tree::ProofTree;
use echis_term::{TermId, Terms};

/// Answers whether a goal follows from the facts on a path. The answer must not depend on earlier questions, apart
/// from how far a limited search gets.
pub trait Prover {
    fn check(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Verdict;
    /// Sets a limit for obligations of this tree that differs from the usual one.
    fn bound(&mut self, _rlimit: u32) {}
    /// Instantiates quantifiers of this tree more eagerly than usual, as Boogie does.
    fn instantiate_eagerly(&mut self) {}
    /// The next questions belong to this obligation of the member.
    fn obliged(&mut self, _property: Property) {}
    /// The next questions need not hold; that they do not is no error.
    fn tried(&mut self) {}
    /// An obligation failed for the first time in the member.
    fn failed(&mut self, _failure: &Failure) {}
}

/// Determines what proofs need. Questions are sent ahead of their answers, so that the caller can do other work.
pub trait Explainer {
    /// Facts that hold in all later questions about this tree. They need no label, which makes proofs easier to find.
    fn given(&mut self, terms: &Terms, facts: &[TermId]);
    fn send(&mut self, terms: &Terms, question: &Replayed<'_>);
    /// The answers to the oldest open question. The cores are neither minimal nor checked again. Answers do not
    /// depend on other questions.
    fn receive(&mut self) -> Replies;
}

/// Whether the goal follows from the permanent facts and some of the groups.
pub struct Replayed<'a> {
    pub always: &'a [TermId],
    pub groups: &'a [Vec<TermId>],
    pub goal: TermId,
    /// The indices of the groups to assume, one list per answer.
    pub asks: Vec<Vec<usize>>,
    /// Whether answers contain the groups used by the proof. Otherwise they contain all allowed groups, which is
    /// cheaper.
    pub named: bool,
    /// The limit for each answer, in the solver's units.
    pub bound: u64,
}

/// The answers to one question.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Replies {
    /// For each list of groups, in order. `None`: no proof within the limit.
    pub cores: Vec<Option<Core>>,
    /// The total effort of all answers, in the solver's units.
    pub effort: u64,
}

/// The facts used by the first proof of a goal; they suffice to prove it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofCore {
    /// The nodes of these facts, ascending.
    pub facts: Box<[NodeId]>,
    /// If false, the facts contradict each other, so the proof is vacuous.
    pub uses_goal: bool,
}

/// What a proof used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// Indices of groups, ascending.
    pub groups: Vec<usize>,
    /// If false, the facts contradict each other without the goal: the proof is vacuous.
    pub uses_goal: bool,
    /// The effort of the proof, in the solver's units.
    pub effort: u64,
}
