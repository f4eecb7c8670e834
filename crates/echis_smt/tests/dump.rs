//! A dumped check gets the same answer from a standalone solver as in a session.

mod common;

use common::{assume, constant, int, origin, session, tree};
use echis_proof::{Bound, NodeId, ProofTree, Prover, Verdict};
use echis_smt::{Settings, dump, locate};
use echis_term::{Op, Sort, SymbolRole, TermId};
use std::io::Write;
use std::process::{Command, Stdio};

fn check(tree: &ProofTree, at: NodeId, goal: TermId, expected: Verdict) {
    assert_eq!(session().check(tree, at, goal, Bound::Full), expected);
    let text = dump(tree, at, goal, Settings::default().full);
    let mut solver = Command::new(locate(None).expect("a solver is there"))
        .args(["-smt2", "-in"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the solver starts");
    solver.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("the solver reads");
    let output = solver.wait_with_output().expect("the solver ends");
    let answer = if expected == Verdict::Proved { "unsat\n" } else { "sat\n" };
    assert_eq!(String::from_utf8_lossy(&output.stdout), answer, "{text}");
}

#[test]
fn facts_and_goal() {
    let mut tree = tree();
    let (x, zero) = (int(&mut tree, "x|y z"), tree.terms.int(0));
    let positive = tree.terms.lt(zero, x);
    let root = tree.root();
    let node = tree.split(root, positive, false, origin());
    let goal = tree.terms.ne(x, zero);
    check(&tree, node, goal, Verdict::Proved);
    check(&tree, root, goal, Verdict::Refuted);
    let falsity = tree.terms.falsity();
    check(&tree, node, falsity, Verdict::Refuted);
}

/// Names that clash with the solver's own or with those in theory templates.
#[test]
fn awkward_names() {
    let mut tree = tree();
    let root = tree.root();
    for name in ["K", "T", "and", "List[K]", "Seq", "f"] {
        let user = tree.terms.sort(Sort::User(name.into()));
        let map = tree.terms.sort(Sort::Map(user, user));
        let m = tree.terms.declare(SymbolRole::Uninterpreted(name.into()), [], map);
        let m = tree.terms.constant(m);
        let x = constant(&mut tree, "and", user);
        let updated = tree.terms.op(Op::MapUpdate, [m, x, x]);
        let goal = tree.terms.op(Op::MapContains, [updated, x]);
        check(&tree, root, goal, Verdict::Proved);
    }
}

#[test]
fn collections() {
    let mut tree = tree();
    let sort = tree.terms.ref_sort();
    let set = tree.terms.sort(Sort::Set(sort));
    let seq = tree.terms.sort(Sort::Seq(set));
    let (s, x) = (constant(&mut tree, "s", seq), constant(&mut tree, "x", set));
    let one = tree.terms.op(Op::SeqSingleton, [x]);
    let longer = tree.terms.op(Op::SeqAppend, [s, one]);
    let length = tree.terms.op(Op::SeqLength, [s]);
    let last = tree.terms.op(Op::SeqIndex, [longer, length]);
    let (fact, goal) = (tree.terms.eq(one, s), tree.terms.eq(last, x));
    let root = tree.root();
    check(&tree, root, goal, Verdict::Proved);
    let node = assume(&mut tree, root, fact);
    check(&tree, node, goal, Verdict::Proved);
}
