//! Fallback attempts to prove goals that would be given up: they run only where they may help, and terminate.

mod common;

use common::{assume, int, origin, session, solver, tree};
use echis_proof::{Bound, ErrorKind, GaveUp, NodeId, ProofTree, Property, Prover, Reason, Verdict};
use echis_smt::{Attempt, Attempted, Backend, Fault, Limit, Process, Session, Settings, Variant};
use echis_term::{QuantifierRole, SymbolRole, TermId};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// `i * n + j < m * n` where `0 <= i < m` and `0 <= j < n`.
fn cell() -> (ProofTree, NodeId, TermId) {
    let mut tree = tree();
    let [i, j, m, n] = ["i", "j", "m", "n"].map(|name| int(&mut tree, name));
    let zero = tree.terms.int(0);
    let mut node = tree.root();
    for (low, high) in [(i, m), (j, n)] {
        let facts = [tree.terms.le(zero, low), tree.terms.lt(low, high)];
        for fact in facts {
            node = assume(&mut tree, node, fact);
        }
    }
    let (product, all) = (tree.terms.mul(i, n), tree.terms.mul(m, n));
    let sum = tree.terms.add(product, j);
    let goal = tree.terms.lt(sum, all);
    (tree, node, goal)
}

/// A quantifier with a matching loop, and a goal about it.
fn endless() -> (ProofTree, NodeId, TermId) {
    let mut tree = tree();
    let sort = tree.terms.int_sort();
    let f = tree.terms.declare(SymbolRole::Uninterpreted("f".into()), [sort], sort);
    let var = tree.terms.fresh_variable("x", sort);
    let x = tree.terms.constant(var);
    let (one, two) = (tree.terms.int(1), tree.terms.int(2));
    let (next, double) = (tree.terms.add(x, one), tree.terms.mul(two, x));
    let [fx, f_next, f_double] = [x, next, double].map(|arg| tree.terms.app(f, [arg]));
    let sum = tree.terms.add(f_next, f_double);
    let body = tree.terms.lt(sum, fx);
    let fact = tree.terms.forall(&[var], vec![vec![fx]], body, QuantifierRole::Written("loop".into()));
    let root = tree.root();
    let node = assume(&mut tree, root, fact);
    let f_two = tree.terms.app(f, [two]);
    let goal = tree.terms.lt(f_two, one);
    (tree, node, goal)
}

#[test]
fn another_arithmetic_proves_what_the_usual_one_does_not() {
    let (tree, node, goal) = cell();
    let mut session = session();
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
    assert!(session.statistics().restarts > 1, "the usual solver gave up");
    // Later queries use the default solver configuration again.
    assert!(!session.check(&tree, tree.root(), goal, Bound::Quick).is_proved());
}

/// The default arithmetic solver gets little time before the fallback, even if only the facts contain products.
#[test]
fn another_arithmetic_is_asked_early() {
    let (mut tree, mut node, goal) = cell();
    let mut session = session();
    session.count_effort(true);
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
    assert!(session.last_effort() < 400_000, "{}", session.last_effort());
    let parts = match tree.terms.as_op(goal) {
        Some((_, &[below, above])) => [("place", below), ("size", above)],
        _ => panic!("{}", tree.terms.text(goal)),
    };
    let [place, size] = parts.map(|(name, part)| {
        let named = int(&mut tree, name);
        let fact = tree.terms.eq(named, part);
        node = assume(&mut tree, node, fact);
        named
    });
    let goal = tree.terms.lt(place, size);
    session.begin();
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
    assert!(session.last_effort() < 1_600_000, "{}", session.last_effort());
}

/// `((f + 1) % n + i) % n = (f + 1 + i) % n` for positions in a ring, which needs no division.
#[test]
fn positions_in_a_ring_need_no_other_arithmetic() {
    let mut tree = tree();
    let [f, i, n] = ["f", "i", "n"].map(|name| int(&mut tree, name));
    let (zero, one) = (tree.terms.int(0), tree.terms.int(1));
    let mut node = tree.root();
    for position in [f, i] {
        for fact in [tree.terms.le(zero, position), tree.terms.lt(position, n)] {
            node = assume(&mut tree, node, fact);
        }
    }
    let next = tree.terms.add(f, one);
    let wrapped = tree.terms.modulo(next, n);
    let (left, right) = (tree.terms.add(wrapped, i), tree.terms.add(next, i));
    let (left, right) = (tree.terms.modulo(left, n), tree.terms.modulo(right, n));
    let below = tree.terms.lt(right, n);
    let equal = tree.terms.eq(left, right);
    let mut session = session();
    for goal in [equal, below] {
        assert_eq!(session.check(&tree, node, goal, Bound::Quick), Verdict::Proved);
    }
    assert!(
        !session.check(&tree, tree.root(), equal, Bound::Quick).is_proved(),
        "outside of the ring it need not hold"
    );
}

fn asserted() -> Property {
    let at = origin().clause;
    Property { error: ErrorKind::Assert, at, reason: Reason::AssertionFalse, offending: at }
}

/// Queries for one obligation share its resource limit.
#[test]
fn an_obligation_has_one_bound_however_often_it_is_asked() {
    let (tree, node, goal) = endless();
    let mut session = session();
    session.settings_mut().full = Limit::of(1_200_000);
    session.count_effort(true);
    session.obliged(asserted());
    let mut ask = || {
        assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Unknown(GaveUp::Resources));
        session.last_effort()
    };
    let efforts = [ask(), ask()];
    assert!(efforts[0] >= 1_200_000 && efforts[1] == 0, "{efforts:?}");
    session.obliged(asserted());
    assert!(!session.check(&tree, node, goal, Bound::Full).is_proved());
    assert!(session.last_effort() > 0, "the next obligation has a bound of its own");
}

/// The other engine is consulted only if an obligation is hard, and once per tree.
#[test]
fn another_engine_is_asked_once_about_a_tree() {
    let (mut tree, node, goal) = endless();
    let easy = tree.terms.truth();
    for holds in [true, false] {
        let mut session = session();
        session.settings_mut().full = Limit::of(3_000_000);
        let asked = Cell::new(0);
        session.obliged(asserted());
        let mut elsewhere = |most: u64| {
            assert!(most < 3_000_000, "{most} is what is left, or less");
            asked.set(asked.get() + 1);
            Some((holds, 1000))
        };
        assert!(session.check_with(&tree, node, easy, Bound::Full, &mut elsewhere).is_proved());
        assert!(!session.check_with(&tree, node, goal, Bound::Quick, &mut elsewhere).is_proved());
        let verdicts = [(); 2].map(|()| session.check_with(&tree, node, goal, Bound::Full, &mut elsewhere).is_proved());
        assert_eq!((verdicts, asked.get()), ([holds; 2], 1));
        let of_proofs = if holds { 1000 } else { 0 };
        let expected = Attempted { tried: 1, proved: u64::from(holds), effort: 1000, effort_of_proofs: of_proofs };
        assert_eq!(session.attempted()[&Attempt::Elsewhere], expected);
        // A speculative query is not an obligation of the tree.
        session.tried();
        assert!(!session.check_with(&tree, node, goal, Bound::Full, &mut elsewhere).is_proved());
        session.obliged(Property { error: ErrorKind::Termination, ..asserted() });
        assert!(!session.check_with(&tree, node, goal, Bound::Full, &mut elsewhere).is_proved());
    }
}

#[test]
fn what_comes_to_its_end_is_not_tried_again() {
    let (mut tree, node, _) = cell();
    let (x, zero) = (int(&mut tree, "x"), tree.terms.int(0));
    let goal = tree.terms.lt(zero, x);
    let mut session = session();
    let verdict = session.check(&tree, node, goal, Bound::Full);
    assert!(matches!(verdict, Verdict::Refuted | Verdict::Unknown(GaveUp::Incomplete)), "{verdict:?}");
    assert_eq!((session.statistics().restarts, session.statistics().asked), (1, 1));
}

/// All attempts together stay within the limit of one obligation. A solver checks its limit only from time to time.
#[test]
fn what_never_ends_is_given_up_within_the_bound() {
    let (tree, node, goal) = endless();
    let give_up = |bound: u32| {
        let mut session = session();
        session.settings_mut().full = Limit::of(bound);
        session.count_effort(true);
        let verdict = session.check(&tree, node, goal, Bound::Full);
        assert_eq!(verdict, Verdict::Unknown(GaveUp::Resources));
        session.last_effort()
    };
    for bound in [200_000, 2_200_000] {
        let effort = give_up(bound);
        let most = u64::from(bound) + u64::from(bound) / 4;
        assert!((u64::from(bound)..most).contains(&effort), "{effort} of {bound}");
    }
    assert_eq!(give_up(200_000), give_up(200_000), "two runs agree");
}

/// A member's own limit also holds for questions that are asked only once.
#[test]
fn what_a_member_may_take_limits_patient_questions() {
    let (tree, node, goal) = endless();
    let mut session = session();
    session.count_effort(true);
    session.bound(300_000);
    assert!(!session.check(&tree, node, goal, Bound::Patient).is_proved());
    assert!((80_000..130_000).contains(&session.last_effort()), "{}", session.last_effort());
}

/// The effort wasted on one member is limited too: later obligations get one short attempt, which becomes shorter.
#[test]
fn a_member_does_not_pay_in_full_for_each_obligation() {
    let (tree, node, goal) = endless();
    let mut session = session();
    session.settings_mut().full = Limit::of(1_200_000);
    session.count_effort(true);
    let mut efforts = Vec::new();
    for _ in 0..6 {
        assert!(!session.check(&tree, node, goal, Bound::Full).is_proved());
        efforts.push(session.last_effort());
    }
    assert!(efforts[0] >= 1_200_000, "{efforts:?}");
    assert!(efforts[1..5].iter().all(|effort| (1_000_000..1_150_000).contains(effort)), "{efforts:?}");
    assert!((500_000..600_000).contains(&efforts[5]), "{efforts:?}");
    session.begin();
    assert!(!session.check(&tree, node, goal, Bound::Full).is_proved());
    assert!(session.last_effort() >= 1_200_000, "the next member has a bound of its own");
}

/// The engine's own queries get shorter after many failures, but never shorter than a brief one.
#[test]
fn questions_in_vain_get_shorter() {
    let (tree, node, goal) = endless();
    let mut session = session();
    session.count_effort(true);
    let mut ask = || {
        assert!(!session.check(&tree, node, goal, Bound::Quick).is_proved());
        session.last_effort()
    };
    let efforts: Vec<u64> = (0..60).map(|_| ask()).collect();
    assert!(efforts[0] >= 90_000 && efforts[59] < 40_000, "{efforts:?}");
    assert!(efforts.iter().sum::<u64>() < 3_000_000, "{efforts:?}");
}

/// `a³ + b³ ≠ c³` for positive numbers.
fn cubes() -> (ProofTree, NodeId, TermId) {
    let (mut tree, node, [a, b, c]) = positive_cubes();
    let sum = tree.terms.add(a, b);
    let equal = tree.terms.eq(sum, c);
    let goal = tree.terms.not(equal);
    (tree, node, goal)
}

fn positive_cubes() -> (ProofTree, NodeId, [TermId; 3]) {
    let mut tree = tree();
    let [a, b, c] = ["a", "b", "c"].map(|name| int(&mut tree, name));
    let zero = tree.terms.int(0);
    let mut node = tree.root();
    for number in [a, b, c] {
        let positive = tree.terms.lt(zero, number);
        node = assume(&mut tree, node, positive);
    }
    let cubes = [a, b, c].map(|number| {
        let square = tree.terms.mul(number, number);
        tree.terms.mul(square, number)
    });
    (tree, node, cubes)
}

/// The goal is true, but beyond the solver's arithmetic: the result is unknown, not a failure.
#[test]
fn arithmetic_beyond_the_solver_is_undecided() {
    let (tree, node, goal) = cubes();
    assert_eq!(session().check(&tree, node, goal, Bound::Full), Verdict::Unknown(GaveUp::Resources));
    // A goal with a counterexample is still refuted.
    let (mut tree, node, [a, b, c]) = positive_cubes();
    let product = tree.terms.mul(a, b);
    let goal = tree.terms.lt(c, product);
    assert_eq!(session().check(&tree, node, goal, Bound::Full), Verdict::Refuted);
}

/// A solver whose fallback arithmetic proves anything after a few facts, and does not report a useful core.
struct Overconfident {
    process: Process,
    asserted: usize,
    other: bool,
    lied: Rc<Cell<usize>>,
}

impl Backend for Overconfident {
    fn restart(&mut self) -> Result<(), Fault> {
        (self.asserted, self.other) = (0, false);
        self.process.restart()
    }
    fn send(&mut self, commands: &str) -> Result<(), Fault> {
        self.asserted += commands.matches("(assert ").count();
        self.other |= commands.contains("arith.solver 6");
        self.process.send(commands)
    }
    fn receive(&mut self, limit: Duration) -> Result<Vec<String>, Fault> {
        let lines = self.process.receive(limit)?;
        if !self.other || self.asserted < 4 {
            return Ok(lines);
        }
        self.lied.set(self.lied.get() + 1);
        let is_verdict = |line: &str| matches!(line, "sat" | "unknown");
        Ok(lines.into_iter().map(|line| if is_verdict(&line) { "unsat".into() } else { line }).collect())
    }
}

#[test]
fn another_arithmetic_is_believed_only_if_its_core_suffices() {
    let (tree, node, goal) = cubes();
    let lied = Rc::new(Cell::new(0));
    let overconfident = Overconfident { process: solver(), asserted: 0, other: false, lied: lied.clone() };
    let mut session = Session::new(overconfident, Settings::default());
    assert!(!session.check(&tree, node, goal, Bound::Full).is_proved());
    assert!(lied.get() >= 2, "the other arithmetic was asked for a proof and for its core");
}

/// In a single query, the solver does not use the consequences of the first conjunct.
#[test]
fn a_goal_is_proved_part_by_part() {
    let mut tree = tree();
    let (sort, truth) = (tree.terms.int_sort(), tree.terms.bool_sort());
    let [p, q, r] =
        ["p", "q", "r"].map(|name| tree.terms.declare(SymbolRole::Uninterpreted(name.into()), [sort], truth));
    let h = tree.terms.declare(SymbolRole::Uninterpreted("h".into()), [sort], sort);
    let var = tree.terms.fresh_variable("i", sort);
    let i = tree.terms.constant(var);
    let [p_i, q_i, r_i] = [p, q, r].map(|of| tree.terms.app(of, [i]));
    let h_i = tree.terms.app(h, [i]);
    let q_h_i = tree.terms.app(q, [h_i]);
    let bodies = [
        (p_i, tree.terms.eq(p_i, r_i)),
        (p_i, tree.terms.implies(p_i, q_h_i)),
        (q_h_i, tree.terms.implies(q_h_i, q_i)),
    ];
    let mut node = tree.root();
    for (trigger, body) in bodies {
        let fact = tree.terms.forall(&[var], vec![vec![trigger]], body, QuantifierRole::Written("law".into()));
        node = assume(&mut tree, node, fact);
    }
    let x = int(&mut tree, "x");
    let [p_x, q_x, r_x] = [p, q, r].map(|of| tree.terms.app(of, [x]));
    let node = assume(&mut tree, node, r_x);
    let goal = tree.terms.and(vec![p_x, q_x]);
    let mut session = session();
    assert!(!session.check(&tree, node, goal, Bound::Quick).is_proved());
    assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
    assert_eq!(session.statistics().restarts, 1, "the same solver is asked");
}

#[test]
fn seeds_and_names_do_not_change_what_is_easy() {
    let (tree, node, goal) = cell();
    for seed in 1..4 {
        let mut session = session();
        session.settings_mut().variant = Variant { seed, profile: false };
        session.begin();
        assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
    }
}

#[test]
fn instances_of_quantifiers_are_counted_by_name() {
    let (tree, node, goal) = endless();
    let settings = Settings { variant: Variant { seed: 0, profile: true }, ..Settings::default() };
    let mut session = echis_smt::Session::new(common::solver(), settings);
    assert!(!session.check(&tree, node, goal, Bound::Quick).is_proved());
    let instances = session.take_instances();
    let fact = tree.fact(node).expect("it states the quantifier");
    let name = format!("q{}", echis_base::Key::index(fact));
    assert!(instances.get(&name).is_some_and(|found| found.instances > 10), "{instances:?}");
    assert!(session.take_instances().is_empty());
    assert!(!session.check(&tree, node, goal, Bound::Quick).is_proved(), "it starts anew");
}

#[test]
fn what_was_not_answered_is_asked_with_a_small_bound() {
    let (mut tree, node, goal) = endless();
    let mut session = session();
    session.count_effort(true);
    assert!(!session.check(&tree, node, goal, Bound::Quick).is_proved());
    let first = session.last_effort();
    assert!(!session.check(&tree, node, goal, Bound::Quick).is_proved());
    let again = session.last_effort();
    assert!(again < first / 10, "{first}, then {again}");
    // Facts that say so are found all the same.
    let zero = tree.terms.int(0);
    let f_two = tree.terms.children(goal)[0];
    let fact = tree.terms.lt(f_two, zero);
    let told = assume(&mut tree, node, fact);
    assert_eq!(session.check(&tree, told, goal, Bound::Quick), Verdict::Proved);
}
