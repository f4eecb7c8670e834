//! Sessions with a real solver on trees written by hand.

use echis_base::{Key, SyntaxId};
use echis_proof::{Because, Bound, NodeId, Origin, Part, ProofTree, Prover, Verdict};
use echis_smt::{Process, Session, Settings, locate};
use echis_term::{SymbolKind, TermId, Terms};

fn session() -> Session<Process> {
    let path = locate(None).expect("a solver is there");
    Session::new(Process::new(path), Settings::default())
}

fn origin() -> Origin {
    Origin { clause: SyntaxId::new(0), site: None, part: Part::Value }
}

fn tree() -> ProofTree {
    ProofTree::new(Terms::new(), origin())
}

fn assume(tree: &mut ProofTree, at: NodeId, fact: TermId) -> NodeId {
    tree.assume(at, fact, Because::Written, &[], origin())
}

fn int(tree: &mut ProofTree, name: &str) -> TermId {
    let sort = tree.terms.int_sort();
    let symbol = tree.terms.fresh_symbol(name, [], sort, SymbolKind::Function);
    tree.terms.constant(symbol)
}

#[test]
fn facts_hold_on_their_own_branch_only() {
    let mut session = session();
    let mut tree = tree();
    let x = int(&mut tree, "x");
    let zero = tree.terms.int(0);
    let positive = tree.terms.lt(zero, x);
    let negative = tree.terms.not(positive);
    let root = tree.root();
    let left = tree.split(root, positive, false, origin());
    let right = tree.split(root, negative, true, origin());
    let one = tree.terms.int(1);
    let goal = tree.terms.le(one, x);
    for _ in 0..3 {
        assert_eq!(session.check(&tree, left, goal, Bound::Full), Verdict::Proved);
        assert_eq!(session.check(&tree, right, goal, Bound::Full), Verdict::Refuted);
        assert_eq!(session.check(&tree, root, goal, Bound::Quick), Verdict::Refuted);
    }
}
