//! Another solver needs only another dialect, which is a table.
#![cfg(unix)]

mod common;

use common::{int, tree};
use echis_proof::{Bound, Core, Explainer, GaveUp, Prover, Replayed, Verdict};
use echis_smt::{Dialect, Limit, Process, Replay, Session, Settings, Z3};
use std::time::Duration;

/// A fictitious solver with different options, effort counter and answers.
const OTHER: Dialect = Dialect {
    name: "Other",
    version: "This is Other ",
    args: &["-c", SCRIPT, "other"],
    memory: "--megabytes=",
    out_of_memory: None,
    options: "(set-option :other-option true)\n",
    eager: "",
    cores: "(set-option :other-cores true)\n",
    scoped: "",
    ask_core: "(get-unsat-core)\n",
    models: false,
    profile: "",
    seeds: &[":other-seed"],
    other_arithmetic: "",
    other_choices: "",
    limit: ":steps-per-answer",
    unit: 1,
    info: ":steps",
    count: "(:steps ",
    incomplete: "saturated",
    arithmetic: "numbers",
};

/// A script that answers `unknown` to plain checks, and `unsat` with all labels as the core to checks with labels. It
/// rejects unsupported options with a message that no real solver would print.
const SCRIPT: &str = r#"
steps=0
while IFS= read -r line; do
  case "$line" in
    "(set-option :other-"*|"(set-option :steps-per-answer "*) ;;
    "(set-option "*) echo "what is $line?" ;;
    "(get-info :steps)") steps=$((steps + 10)); echo "(:steps $steps)" ;;
    "(get-info :reason-unknown)") echo "(:reason-unknown saturated)" ;;
    "(get-info "*) echo "what is $line?" ;;
    "(check-sat)") echo unknown ;;
    "(check-sat-assuming "*) echo unsat; set -- $(echo "$line" | tr -d "()") ; shift; core="$*" ;;
    "(get-unsat-core)") echo "($core)" ;;
    "(echo "*) line=${line#*\"}; echo "${line%\"*}" ;;
  esac
done
"#;

fn settings() -> Settings {
    let limit = Limit { rlimit: 1_000, clock: Duration::from_secs(20) };
    Settings { dialect: &OTHER, brief: limit, full: limit, insists: false, ..Settings::default() }
}

#[test]
fn a_session_speaks_the_dialect_of_its_solver() {
    let mut session = Session::new(Process::speaking(&OTHER, "/bin/sh"), settings());
    session.count_effort(true);
    let mut tree = tree();
    let (x, zero) = (int(&mut tree, "x"), tree.terms.int(0));
    let goal = tree.terms.le(zero, x);
    for _ in 0..2 {
        let verdict = session.check(&tree, tree.root(), goal, Bound::Full);
        assert_eq!(verdict, Verdict::Unknown(GaveUp::Incomplete));
        assert_eq!(session.last_effort(), 10);
        session.begin();
    }
    assert_eq!(session.statistics().restarts, 1);
}

#[test]
fn a_session_that_speaks_another_one_is_not_understood() {
    let mut session = Session::new(Process::speaking(&OTHER, "/bin/sh"), Settings { dialect: &Z3, ..settings() });
    let mut tree = tree();
    let (x, zero) = (int(&mut tree, "x"), tree.terms.int(0));
    let goal = tree.terms.le(zero, x);
    let verdict = session.check(&tree, tree.root(), goal, Bound::Full);
    assert!(matches!(verdict, Verdict::Unknown(GaveUp::Solver(text)) if text.contains("the solver is none")));
}

#[test]
fn a_replay_speaks_it_too() {
    let mut replay = Replay::new(Process::speaking(&OTHER, "/bin/sh").ahead(), settings());
    let mut tree = tree();
    let (x, zero) = (int(&mut tree, "x"), tree.terms.int(0));
    let (fact, goal) = (tree.terms.lt(zero, x), tree.terms.le(zero, x));
    let groups = [vec![fact]];
    let question = Replayed { always: &[], groups: &groups, goal, asks: vec![vec![0]], named: true, bound: 100 };
    replay.send(&tree.terms, &question);
    let replies = replay.receive();
    assert_eq!(replies.cores, [Some(Core { groups: vec![0], uses_goal: true, effort: 10 })]);
}
