//! Solvers that crash, hang, produce garbage or are killed.
#![cfg(unix)]

mod common;

use common::{int, solver, tree};
use echis_proof::{Bound, GaveUp, ProofTree, Prover, Verdict};
use echis_smt::{Backend, Fault, Limit, Process, Session, Settings};
use echis_term::TermId;
use std::time::{Duration, Instant};

fn hasty() -> Settings {
    let limit = Limit { rlimit: 1_000_000, clock: Duration::from_millis(300) };
    Settings {
        brief: limit,
        quick: limit,
        patient: limit,
        full: limit,
        start: Duration::from_millis(300),
        ..Settings::default()
    }
}

fn question() -> (ProofTree, TermId) {
    let mut tree = tree();
    let (x, zero) = (int(&mut tree, "x"), tree.terms.int(0));
    let goal = tree.terms.le(zero, x);
    (tree, goal)
}

/// Runs a shell script instead of the solver.
fn check_script(script: &str, expected: &str) {
    let process = Process::with_args("/bin/sh", vec!["-c".into(), script.into()]);
    let mut session = Session::new(process, hasty());
    let (tree, goal) = question();
    let started = Instant::now();
    match session.check(&tree, tree.root(), goal, Bound::Full) {
        Verdict::Unknown(GaveUp::Solver(text)) => assert!(text.contains(expected), "{text}"),
        other => panic!("{script}: {other:?}"),
    }
    assert_eq!(session.statistics().restarts, 2, "one retry");
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_solver_that_ends_at_once() {
    check_script("exit 1", "stopped");
}
#[test]
fn a_solver_that_needs_too_much_memory() {
    check_script("head -n 1 > /dev/null; exit 101", "more memory than");
}
#[test]
fn a_solver_that_hangs() {
    check_script("cat > /dev/null", "killed");
}
#[test]
fn a_solver_that_reads_nothing() {
    check_script("sleep 60", "killed");
}
#[test]
fn a_solver_that_echoes() {
    check_script("cat", "answered with");
}
#[test]
fn a_solver_that_floods() {
    check_script("while :; do printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'; done", "");
}
#[test]
fn a_solver_that_floods_lines() {
    check_script("yes", "");
}
#[test]
fn a_solver_that_does_not_exist() {
    let mut session = Session::new(Process::new("/nonexistent/solver"), hasty());
    let (tree, goal) = question();
    let verdict = session.check(&tree, tree.root(), goal, Bound::Full);
    assert!(matches!(verdict, Verdict::Unknown(GaveUp::Solver(text)) if text.contains("could not be started")));
}

/// The real solver, with some answers replaced by faults.
struct Flaky {
    process: Process,
    asked: usize,
    faulty: fn(usize) -> bool,
}

impl Backend for Flaky {
    fn restart(&mut self) -> Result<(), Fault> {
        self.process.restart()
    }
    fn send(&mut self, commands: &str) -> Result<(), Fault> {
        self.asked += 1;
        if (self.faulty)(self.asked) {
            // Later commands are not read, or not even written.
            let _ = self.process.send("(exit)\n");
        }
        self.process.send(commands)
    }
    fn receive(&mut self, limit: Duration) -> Result<Vec<String>, Fault> {
        self.process.receive(limit)
    }
}

#[test]
fn verdicts_survive_crashes() {
    let flaky = Flaky { process: solver(), asked: 0, faulty: |asked| asked % 3 == 0 };
    let mut session = Session::new(flaky, Settings::default());
    let mut tree = tree();
    let x = int(&mut tree, "x");
    let mut node = tree.root();
    for bound in 0..40 {
        let (low, high) = (tree.terms.int(bound), tree.terms.int(bound + 1));
        let fact = tree.terms.lt(low, x);
        node = common::assume(&mut tree, node, fact);
        let goal = tree.terms.le(high, x);
        assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved);
        let goal = tree.terms.lt(high, x);
        assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Refuted);
    }
    assert!(session.statistics().restarts > 10);
}

#[test]
fn one_bad_check_does_not_spoil_the_next() {
    let flaky = Flaky { process: solver(), asked: 0, faulty: |asked| (2..=4).contains(&asked) };
    let mut session = Session::new(flaky, Settings::default());
    let (mut tree, goal) = question();
    let root = tree.root();
    assert!(matches!(session.check(&tree, root, goal, Bound::Full), Verdict::Unknown(GaveUp::Solver(_))));
    assert_eq!(session.check(&tree, root, goal, Bound::Full), Verdict::Refuted);
    let node = common::assume(&mut tree, root, goal);
    let falsity = tree.terms.falsity();
    assert_eq!(session.check(&tree, node, falsity, Bound::Full), Verdict::Refuted);
}

#[test]
fn a_member_begins_after_a_crash() {
    let flaky = Flaky { process: solver(), asked: 0, faulty: |asked| asked == 3 };
    let mut session = Session::new(flaky, Settings::default());
    let (tree, goal) = question();
    assert_eq!(session.check(&tree, tree.root(), goal, Bound::Full), Verdict::Refuted);
    session.begin();
    assert_eq!(session.check(&tree, tree.root(), goal, Bound::Full), Verdict::Refuted);
}

/// Commands of one user do not affect the next one, even if that one sends before it reads.
#[test]
fn a_process_that_is_handed_on_is_as_good_as_new() {
    let limit = Duration::from_secs(10);
    let ask = |process: &mut Process, commands: &str| {
        process.send(commands).and_then(|()| process.receive(limit)).expect("the solver answers")
    };
    let mut first = solver();
    first.restart().expect("the solver starts");
    let limited = "(declare-const x Int)\n(assert false)\n(set-option :rlimit 1)\n(check-sat)\n";
    assert_eq!(ask(&mut first, limited), ["unsat"]);
    let idle = first.take_idle().expect("nothing is asked");
    assert!(first.take_idle().is_none(), "it is gone");
    let mut second = solver().ahead();
    second.adopt(idle).expect("the process runs");
    let free = "(declare-const x Bool)\n(assert x)\n(check-sat)\n";
    assert_eq!(ask(&mut second, free), ["sat"]);
    second.send("(check-sat)\n").expect("the process runs");
    assert!(second.take_idle().is_none(), "an answer is due");
}
