//! Hand-written proof trees.
#![allow(dead_code)]

use echis_base::{Key, SyntaxId};
use echis_proof::{Because, NodeId, Origin, Part, ProofTree};
use echis_smt::{Process, Session, Settings, locate};
use echis_term::{FreshRole, Scope, SortId, TermId, Terms};

pub fn session() -> Session<Process> {
    Session::new(solver(), Settings::default())
}

pub fn solver() -> Process {
    Process::new(locate(None).expect("a solver is there"))
}

pub fn origin() -> Origin {
    Origin { clause: SyntaxId::new(0), site: None, part: Part::Value }
}

pub fn tree() -> ProofTree {
    ProofTree::new(Terms::new(), origin())
}

pub fn assume(tree: &mut ProofTree, at: NodeId, fact: TermId) -> NodeId {
    tree.assume(at, fact, Because::Written, &[], origin())
}

pub fn constant(tree: &mut ProofTree, name: &str, sort: SortId) -> TermId {
    tree.terms.fresh(&Scope::default(), FreshRole::Named(name.into()), &[], sort)
}

pub fn int(tree: &mut ProofTree, name: &str) -> TermId {
    let sort = tree.terms.int_sort();
    constant(tree, name, sort)
}
