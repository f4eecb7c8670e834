//! Sessions in which facts have names.

mod common;

use common::{assume, int, origin, solver, tree};
use echis_proof::{Bound, NodeId, ProofCore, ProofTree, Verdict};
use echis_smt::{CVC5, Process, Session, Settings};
use echis_term::TermId;

fn session() -> Session<Process> {
    Session::with_names(solver(), Settings::default()).expect("Z3 tells cores")
}

/// The bounds `1 <= x`, `2 <= y`, `3 <= z` on one path, and `x`, `y`, `z`.
fn bounds(tree: &mut ProofTree) -> (Vec<NodeId>, Vec<TermId>) {
    let (mut at, mut nodes, mut variables) = (tree.root(), Vec::new(), Vec::new());
    for (index, name) in ["x", "y", "z"].into_iter().enumerate() {
        let (variable, bound) = (int(tree, name), tree.terms.int(index as i64 + 1));
        let fact = tree.terms.le(bound, variable);
        at = assume(tree, at, fact);
        nodes.push(at);
        variables.push(variable);
    }
    (nodes, variables)
}

#[test]
fn a_proof_names_the_facts_that_it_uses() {
    let (mut session, mut tree) = (session(), tree());
    let (nodes, variables) = bounds(&mut tree);
    let sum = tree.terms.add(variables[0], variables[2]);
    let three = tree.terms.int(3);
    let goal = tree.terms.lt(three, sum);
    let used = ProofCore { facts: Box::from([nodes[0], nodes[2]]), uses_goal: true };
    for _ in 0..2 {
        assert_eq!(session.prove(&tree, nodes[2], goal, Bound::Full), (Verdict::Proved, Some(used.clone())));
        // Further up there is less to use.
        let (verdict, core) = session.prove(&tree, nodes[1], goal, Bound::Full);
        assert!(!verdict.is_proved() && core.is_none());
        // Facts are stated again behind the same names.
        session.begin();
    }
}

#[test]
fn what_is_stated_is_proved_without_a_core() {
    let (mut session, mut tree) = (session(), tree());
    let (nodes, _) = bounds(&mut tree);
    let goal = tree.fact(nodes[0]).expect("a bound is stated");
    assert_eq!(session.prove(&tree, nodes[2], goal, Bound::Full), (Verdict::Proved, None));
}

#[test]
fn a_contradiction_proves_anything_without_the_goal() {
    let (mut session, mut tree) = (session(), tree());
    let (nodes, variables) = bounds(&mut tree);
    let zero = tree.terms.int(0);
    let negative = tree.terms.lt(variables[1], zero);
    let dead = tree.split(nodes[2], negative, false, origin());
    let facts = Box::from([nodes[1], dead]);
    let falsity = tree.terms.falsity();
    let core = Some(ProofCore { facts, uses_goal: false });
    assert_eq!(session.prove(&tree, dead, falsity, Bound::Quick), (Verdict::Proved, core.clone()));
    let goal = tree.terms.lt(variables[0], zero);
    assert_eq!(session.prove(&tree, dead, goal, Bound::Full), (Verdict::Proved, core));
}

#[test]
fn a_solver_without_cores_gives_no_names() {
    let settings = Settings { dialect: &CVC5, ..Settings::default() };
    assert!(Session::with_names(solver(), settings).is_none());
}
