//! Sessions with a real solver.

mod common;

use common::{assume, constant, int, origin, session, tree};
use echis_proof::{Bound, GaveUp, Prover, Verdict};
use echis_term::{Op, QuantifierRole, Rational, Sort, SymbolRole};

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

/// Visits a long path with side branches in every order; the facts at each node determine the answer.
#[test]
fn any_node_can_follow_any_other() {
    let mut session = session();
    let mut tree = tree();
    let x = int(&mut tree, "x");
    let mut nodes = vec![(tree.root(), None)];
    for depth in 0..60 {
        let (parent, _) = nodes[nodes.len() - 1 - depth % 2];
        let bound = tree.terms.int(depth as i64);
        let fact = tree.terms.le(bound, x);
        nodes.push((assume(&mut tree, parent, fact), Some(depth as i64)));
    }
    let mut at = 0;
    for _ in 0..200 {
        at = (at + 37) % nodes.len();
        let (node, bound) = nodes[at];
        let Some(bound) = bound else { continue };
        let stronger = tree.terms.int(bound - 1);
        let goal = tree.terms.lt(stronger, x);
        assert_eq!(session.check(&tree, node, goal, Bound::Quick), Verdict::Proved, "at {node}");
        let too_strong = tree.terms.int(bound + 1);
        let goal = tree.terms.le(too_strong, x);
        assert_eq!(session.check(&tree, node, goal, Bound::Quick), Verdict::Refuted, "at {node}");
    }
}

#[test]
fn what_is_stated_needs_no_solver() {
    let mut session = session();
    let mut tree = tree();
    let x = int(&mut tree, "x");
    let zero = tree.terms.int(0);
    let (a, b) = (tree.terms.lt(zero, x), tree.terms.ne(zero, x));
    let both = tree.terms.and([a, b]);
    let root = tree.root();
    let node = assume(&mut tree, root, both);
    let truth = tree.terms.truth();
    for goal in [truth, a, b, both] {
        assert_eq!(session.check(&tree, node, goal, Bound::Quick), Verdict::Proved);
    }
    assert_eq!(session.statistics().asked, 0);
    assert_eq!(session.check(&tree, root, a, Bound::Quick), Verdict::Refuted);
}

#[test]
fn infeasible_paths_prove_false() {
    let mut session = session();
    let mut tree = tree();
    let x = int(&mut tree, "x");
    let zero = tree.terms.int(0);
    let (less, more) = (tree.terms.lt(x, zero), tree.terms.lt(zero, x));
    let root = tree.root();
    let node = assume(&mut tree, root, less);
    let dead = assume(&mut tree, node, more);
    let falsity = tree.terms.falsity();
    assert_eq!(session.check(&tree, node, falsity, Bound::Quick), Verdict::Refuted);
    assert_eq!(session.check(&tree, dead, falsity, Bound::Quick), Verdict::Proved);
    assert_eq!(session.check(&tree, node, falsity, Bound::Quick), Verdict::Refuted);
}

#[test]
fn members_do_not_see_each_other() {
    let mut session = session();
    for positive in [true, false, true] {
        let mut tree = tree();
        let x = int(&mut tree, "x");
        let zero = tree.terms.int(0);
        let mut fact = tree.terms.lt(zero, x);
        if !positive {
            fact = tree.terms.not(fact);
        }
        let root = tree.root();
        let node = assume(&mut tree, root, fact);
        let goal = tree.terms.ne(x, zero);
        session.begin();
        let expected = if positive { Verdict::Proved } else { Verdict::Refuted };
        assert_eq!(session.check(&tree, node, goal, Bound::Full), expected);
    }
    assert_eq!(session.statistics().restarts, 1);
}

/// Each message to the solver has an answer, and an answer that is not read is taken for that of the next question.
#[test]
fn one_solver_serves_members_with_eager_instantiation() {
    let mut session = session();
    for _ in 0..3 {
        let mut tree = tree();
        let (node, goal) = chain(&mut tree, 4);
        session.begin();
        session.instantiate_eagerly();
        assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
    }
    let statistics = session.statistics();
    assert_eq!((statistics.restarts, statistics.asked), (1, 3));
}

#[test]
fn a_matching_loop_ends_at_the_bound() {
    let mut session = session();
    let mut tree = tree();
    let sort = tree.terms.int_sort();
    let f = tree.terms.declare(SymbolRole::Uninterpreted("f".into()), [sort], sort);
    let var = tree.terms.fresh_variable("x", sort);
    let x = tree.terms.constant(var);
    let (one, two) = (tree.terms.int(1), tree.terms.int(2));
    let fx = tree.terms.app(f, [x]);
    let next = tree.terms.add(x, one);
    let f_next = tree.terms.app(f, [next]);
    let double = tree.terms.mul(two, x);
    let f_double = tree.terms.app(f, [double]);
    let sum = tree.terms.add(f_next, f_double);
    let body = tree.terms.lt(sum, fx);
    let fact = tree.terms.forall(&[var], vec![vec![fx]], body, QuantifierRole::Written("loop".into()));
    let root = tree.root();
    let node = assume(&mut tree, root, fact);
    let f_two = tree.terms.app(f, [two]);
    let goal = tree.terms.lt(f_two, one);
    let verdict = session.check(&tree, node, goal, Bound::Quick);
    assert!(verdict == Verdict::Unknown(GaveUp::Resources), "{verdict:?}");
    assert_eq!(session.statistics().restarts, 1, "the bound is the solver's own, no process was killed");
}

/// A resource limit applies to one check, not to all checks in a scope.
#[test]
fn bounds_do_not_add_up() {
    let mut session = session();
    let mut tree = tree();
    let sort = tree.terms.int_sort();
    let seq = tree.terms.sort(Sort::Seq(sort));
    let root = tree.root();
    let truth = int(&mut tree, "b");
    let zero = tree.terms.int(0);
    let guard = tree.terms.lt(zero, truth);
    let node = tree.split(root, guard, false, origin());
    assert_eq!(session.check(&tree, root, guard, Bound::Quick), Verdict::Refuted);
    for _ in 0..100 {
        let [s, t, u] = [(); 3].map(|()| constant(&mut tree, "s", seq));
        let (left, right) = (tree.terms.op(Op::SeqAppend, [s, t]), tree.terms.op(Op::SeqAppend, [t, u]));
        let (left, right) = (tree.terms.op(Op::SeqAppend, [left, u]), tree.terms.op(Op::SeqAppend, [s, right]));
        let goal = tree.terms.eq(left, right);
        assert_eq!(session.check(&tree, node, goal, Bound::Quick), Verdict::Proved);
    }
}

#[test]
fn shared_terms_do_not_explode() {
    let mut session = session();
    let mut tree = tree();
    let mut term = int(&mut tree, "x");
    let start = term;
    for _ in 0..60 {
        term = tree.terms.add(term, term);
    }
    let zero = tree.terms.int(0);
    let (fact, goal) = (tree.terms.lt(zero, start), tree.terms.lt(start, term));
    let root = tree.root();
    let node = assume(&mut tree, root, fact);
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
    assert!(session.statistics().bytes < 10_000);
}

/// Sharing also works inside quantifiers, where the `let` must be inside as well.
#[test]
fn sharing_respects_binders() {
    let mut session = session();
    let mut tree = tree();
    let sort = tree.terms.int_sort();
    let f = tree.terms.declare(SymbolRole::Uninterpreted("f".into()), [sort], sort);
    let var = tree.terms.fresh_variable("x", sort);
    let (x, c) = (tree.terms.constant(var), int(&mut tree, "c"));
    let (mut open, mut closed) = (tree.terms.app(f, [x]), tree.terms.app(f, [c]));
    let (fx, fc) = (open, closed);
    for _ in 0..40 {
        open = tree.terms.add(open, open);
        closed = tree.terms.add(closed, closed);
    }
    let (a, b) = (tree.terms.eq(open, closed), tree.terms.lt(closed, open));
    let body = tree.terms.or([a, b]);
    let fact = tree.terms.forall(&[var], vec![vec![fx]], body, QuantifierRole::Written("".into()));
    let root = tree.root();
    let node = assume(&mut tree, root, fact);
    let d = int(&mut tree, "d");
    let fd = tree.terms.app(f, [d]);
    let goal = tree.terms.le(fc, fd);
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
    assert!(session.statistics().bytes < 20_000);
}

#[test]
fn deep_terms_are_written() {
    let mut session = session();
    let mut tree = tree();
    let sort = tree.terms.int_sort();
    let f = tree.terms.declare(SymbolRole::Uninterpreted("f".into()), [sort], sort);
    let x = int(&mut tree, "x");
    let mut term = x;
    for _ in 0..20_000 {
        term = tree.terms.app(f, [term]);
    }
    let fx = tree.terms.app(f, [x]);
    let fact = tree.terms.eq(fx, x);
    let root = tree.root();
    let node = assume(&mut tree, root, fact);
    let goal = tree.terms.eq(term, x);
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
}

#[test]
fn permissions_are_exact() {
    let mut session = session();
    let mut tree = tree();
    let root = tree.root();
    let sort = tree.terms.perm_sort();
    let p = constant(&mut tree, "p", sort);
    let third = tree.terms.perm(Rational::from(1) / Rational::from(3));
    let minus = tree.terms.perm(Rational::from(-1) / Rational::from(3));
    let twice = tree.terms.add(p, p);
    let thrice = tree.terms.add(twice, p);
    let write = tree.terms.write();
    let fact = tree.terms.eq(p, third);
    let node = assume(&mut tree, root, fact);
    let goal = tree.terms.eq(thrice, write);
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
    let (low, high) = (tree.terms.min(p, minus), tree.terms.max(p, minus));
    let (low, high) = (tree.terms.eq(low, minus), tree.terms.eq(high, p));
    let goal = tree.terms.and([low, high]);
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
}

#[test]
fn division_is_euclidean() {
    let mut session = session();
    let mut tree = tree();
    let root = tree.root();
    let (seven, two) = (tree.terms.int(-7), tree.terms.int(2));
    let (n, d) = (int(&mut tree, "n"), int(&mut tree, "d"));
    let (fact, other) = (tree.terms.eq(n, seven), tree.terms.eq(d, two));
    let node = assume(&mut tree, root, fact);
    let node = assume(&mut tree, node, other);
    let (quotient, rest) = (tree.terms.div(n, d), tree.terms.modulo(n, d));
    let (four, one) = (tree.terms.int(-4), tree.terms.int(1));
    let (a, b) = (tree.terms.eq(quotient, four), tree.terms.eq(rest, one));
    let goal = tree.terms.and([a, b]);
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
}

/// The theory is first needed deep in the tree, after facts were asserted.
#[test]
fn theories_arrive_late() {
    let mut session = session();
    let mut tree = tree();
    let x = int(&mut tree, "x");
    let zero = tree.terms.int(0);
    let root = tree.root();
    let positive = tree.terms.lt(zero, x);
    let node = tree.split(root, positive, false, origin());
    let falsity = tree.terms.falsity();
    assert_eq!(session.check(&tree, node, falsity, Bound::Quick), Verdict::Refuted);
    let int = tree.terms.int_sort();
    let seq = tree.terms.sort(Sort::Seq(int));
    let s = constant(&mut tree, "s", seq);
    let one = tree.terms.op(Op::SeqSingleton, [x]);
    let longer = tree.terms.op(Op::SeqAppend, [s, one]);
    let contains = tree.terms.op(Op::SeqContains, [longer, x]);
    assert_eq!(session.check(&tree, node, contains, Bound::Full), Verdict::Proved);
    assert_eq!(session.check(&tree, node, positive, Bound::Full), Verdict::Proved);
    let goal = tree.terms.ne(x, zero);
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
    let goal = tree.terms.eq(longer, s);
    let goal = tree.terms.not(goal);
    assert_eq!(session.check(&tree, root, goal, Bound::Full), Verdict::Proved);
    let shorter = tree.terms.op(Op::SeqDrop, [longer, zero]);
    let goal = tree.terms.eq(longer, shorter);
    assert_eq!(session.check(&tree, root, goal, Bound::Full), Verdict::Proved);
}

#[test]
fn snapshots_are_trees() {
    let mut session = session();
    let mut tree = tree();
    let root = tree.root();
    let snap = tree.terms.snap_sort();
    let s = constant(&mut tree, "s", snap);
    let (first, second) = (tree.terms.first(s), tree.terms.second(s));
    let pair = tree.terms.combine(first, second);
    let fact = tree.terms.eq(s, pair);
    let node = assume(&mut tree, root, fact);
    let unit = tree.terms.unit();
    let goal = tree.terms.ne(s, unit);
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
    let (x, y) = (int(&mut tree, "x"), int(&mut tree, "y"));
    let (wrapped, other) = (tree.terms.wrap(x), tree.terms.wrap(y));
    let fact = tree.terms.eq(wrapped, other);
    let node = assume(&mut tree, root, fact);
    let goal = tree.terms.eq(x, y);
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
}

/// A function of a quantified resource's values is unchanged if the map is replaced by one with the same contents on
/// its keys.
#[test]
fn framing_of_quantified_resources() {
    let mut session = session();
    let mut tree = tree();
    let (reference, value) = (tree.terms.ref_sort(), tree.terms.int_sort());
    let set_sort = tree.terms.sort(Sort::Set(reference));
    let map = tree.terms.sort(Sort::SnapMap { resource: "f".into(), key: reference, value });
    let (a, b) = (constant(&mut tree, "a", map), constant(&mut tree, "b", map));
    let set = constant(&mut tree, "s", set_sort);
    let var = tree.terms.fresh_variable("r", reference);
    let r = tree.terms.constant(var);
    let inside = tree.terms.op(Op::SetContains, [set, r]);
    let mut node = tree.root();
    for map in [a, b] {
        let keys = tree.terms.op(Op::KeySet, [map]);
        let key = tree.terms.op(Op::SetContains, [keys, r]);
        let body = tree.terms.eq(key, inside);
        let fact = tree.terms.forall(&[var], vec![vec![key]], body, QuantifierRole::Written("keys".into()));
        node = assume(&mut tree, node, fact);
    }
    let (in_a, in_b) = (tree.terms.op(Op::Lookup, [a, r]), tree.terms.op(Op::Lookup, [b, r]));
    let same = tree.terms.eq(in_a, in_b);
    let body = tree.terms.implies(inside, same);
    let fact = tree.terms.forall(&[var], vec![vec![in_a], vec![in_b]], body, QuantifierRole::Written("values".into()));
    let snap = tree.terms.snap_sort();
    let function = tree.terms.declare(SymbolRole::Uninterpreted("h".into()), [snap], value);
    let (of_a, of_b) = (tree.terms.wrap(a), tree.terms.wrap(b));
    let (of_a, of_b) = (tree.terms.app(function, [of_a]), tree.terms.app(function, [of_b]));
    let goal = tree.terms.eq(of_a, of_b);
    assert_ne!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
    let node = assume(&mut tree, node, fact);
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
}

/// Quantifiers over members are instantiated for elements that are only read by index.
#[test]
fn members_that_are_read() {
    let mut session = session();
    let mut tree = tree();
    let sort = tree.terms.int_sort();
    let seq = tree.terms.sort(Sort::Seq(sort));
    let s = constant(&mut tree, "s", seq);
    let var = tree.terms.fresh_variable("x", sort);
    let (x, zero) = (tree.terms.constant(var), tree.terms.int(0));
    let contains = tree.terms.op(Op::SeqContains, [s, x]);
    let positive = tree.terms.lt(zero, x);
    let body = tree.terms.implies(contains, positive);
    let fact = tree.terms.forall(&[var], vec![vec![contains]], body, QuantifierRole::Written("".into()));
    let length = tree.terms.op(Op::SeqLength, [s]);
    let not_empty = tree.terms.lt(zero, length);
    let root = tree.root();
    let node = assume(&mut tree, root, fact);
    let node = assume(&mut tree, node, not_empty);
    let head = tree.terms.op(Op::SeqIndex, [s, zero]);
    let goal = tree.terms.lt(zero, head);
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
}

#[test]
fn text_that_the_solver_refuses_fails_its_check_alone() {
    let mut session = session();
    let mut tree = tree();
    let root = tree.root();
    let sort = tree.terms.bool_sort();
    let nonsense = tree.terms.declare(SymbolRole::Interpreted("no such thing".into()), [], sort);
    let goal = tree.terms.constant(nonsense);
    let verdict = session.check(&tree, root, goal, Bound::Full);
    assert!(matches!(verdict, Verdict::Unknown(GaveUp::Solver(_))), "{verdict:?}");
    let (x, zero) = (int(&mut tree, "x"), tree.terms.int(0));
    let goal = tree.terms.lt(zero, x);
    assert_eq!(session.check(&tree, root, goal, Bound::Full), Verdict::Refuted);
}

/// Facts `x0 < x1 < …`, and the goal that the ends of the chain are ordered.
fn chain(tree: &mut echis_proof::ProofTree, length: usize) -> (echis_proof::NodeId, echis_term::TermId) {
    let links: Vec<_> = (0..=length).map(|link| int(tree, &format!("x{link}"))).collect();
    let mut node = tree.root();
    for pair in links.windows(2) {
        let fact = tree.terms.lt(pair[0], pair[1]);
        node = assume(tree, node, fact);
    }
    let goal = tree.terms.lt(links[0], links[length]);
    (node, goal)
}

#[test]
fn a_new_tree_is_not_bounded_by_the_last_question_about_another() {
    let mut session = session();
    session.settings_mut().brief.rlimit = 1;
    for _ in 0..2 {
        let mut tree = tree();
        let (node, goal) = chain(&mut tree, 40);
        assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
        let falsity = tree.terms.falsity();
        assert!(!session.check(&tree, node, falsity, Bound::Brief).is_proved());
        session.begin();
    }
}
