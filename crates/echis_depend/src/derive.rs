//! Derives proofs without a solver while a member is being verified. Most of these derivations are needed for
//! explanations anyway.

use super::path::Path;
use super::policy::Policy;
use super::prover::Prover;
use super::question::CoreQuestion;
use echis_proof::{NodeId, ProofTree};
use echis_term::TermId;

/// Proves goals of one tree. The results depend only on the order of the questions.
#[derive(Default)]
pub struct Deriver {
    path: Path,
    prover: Prover,
}

/// A proof without a solver.
pub struct Derived {
    /// The nodes whose facts it uses. `None`: they were not told apart.
    pub facts: Option<Box<[NodeId]>>,
}

impl Deriver {
    /// Whether the goal can be derived from the facts that sessions see there.
    pub fn proves(&mut self, tree: &ProofTree, at: NodeId, goal: TermId) -> Option<Derived> {
        let (question, nodes) = self.question(tree, at, goal);
        let used = match question.always.iter().position(|fact| *fact == goal) {
            Some(stated) => Some(vec![stated]),
            None => self.prover.prove(&tree.terms, &question).proof()?.always,
        };
        Some(Derived { facts: used.map(|used| used.into_iter().map(|fact| nodes[fact]).collect()) })
    }
    /// Like [`proves`](Self::proves), with little effort.
    pub fn proves_at_once(&mut self, tree: &ProofTree, at: NodeId, goal: TermId) -> bool {
        let (question, _) = self.question(tree, at, goal);
        question.always.contains(&goal) || self.prover.prove_small(&tree.terms, &question).is_some()
    }
    fn question(&mut self, tree: &ProofTree, at: NodeId, goal: TermId) -> (CoreQuestion, Vec<NodeId>) {
        self.path.go_to_plain(tree, at);
        let (facts, _) = self.path.relevant(&tree.terms, goal, &[], Policy::USUAL.circles, false);
        let question = CoreQuestion { always: facts.iter().map(|fact| fact.term).collect(), groups: Vec::new(), goal };
        (question, facts.iter().map(|fact| fact.node).collect())
    }
}
