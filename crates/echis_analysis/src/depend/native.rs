//! x
use super::ground::Prover;
use super::path::Path;
use super::question::Question;
use echis_proof::{NodeId, ProofTree};
use echis_term::TermId;
#[derive(Default)]
pub struct Native {
    path: Path,
    prover: Prover,
}
impl Native {
    pub fn proves(&mut self, tree: &ProofTree, at: NodeId, goal: TermId) -> bool {
        self.path.go_to_plain(tree, at);
        let (facts, _) = self.path.near(&tree.terms, goal, &[], 2, false);
        let always = facts.into_iter().map(|fact| fact.term).collect();
        let question = Question { always, groups: Vec::new(), goal };
        self.prover.prove(&tree.terms, &question).is_some()
    }
}
