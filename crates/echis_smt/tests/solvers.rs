//! Queries to which all supported solvers give the same answer. Solvers that are not installed are skipped with a
//! message.

mod common;

use common::{assume, int, tree};
use echis_proof::{Bound, Explainer, GaveUp, Prover, Replayed, Verdict};
use echis_smt::{Dialect, Limit, Process, Replay, Session, Settings, identify, locate};
use echis_term::{QuantifierRole, SymbolRole};
use std::path::{Path, PathBuf};

/// Environment variable with paths of further solvers, in the format of `PATH`.
const MORE: &str = "ECHIS_TEST_SOLVERS";

/// The bundled solver, those given by the environment, and installed ones.
fn solvers() -> Vec<PathBuf> {
    let named = std::env::var_os(MORE);
    let named: Vec<PathBuf> = named.iter().flat_map(std::env::split_paths).collect();
    let installed = ["z3", "cvc5"].map(|name| locate(Some(Path::new(name))));
    for (name, found) in ["z3", "cvc5"].iter().zip(&installed) {
        if found.is_err() {
            eprintln!("skipped: {name} is not installed; {MORE} may name one");
        }
    }
    let own = locate(None).expect("a solver is there");
    [own].into_iter().chain(named).chain(installed.into_iter().flatten()).collect()
}

fn settings(dialect: &'static Dialect) -> Settings {
    Settings { dialect, ..Settings::default() }
}

fn each(check: impl Fn(&str, &dyn Fn() -> Session<Process>)) {
    for path in solvers() {
        let (dialect, version) = identify(&path);
        let name = format!("{} {}", version.name, version.version.unwrap_or_default());
        check(&name, &|| Session::new(Process::speaking(dialect, &path), settings(dialect)));
    }
}

#[test]
fn all_prove_what_follows_and_nothing_else() {
    each(|name, session| {
        let mut session = session();
        session.count_effort(true);
        let mut tree = tree();
        let (x, y, zero) = (int(&mut tree, "x"), int(&mut tree, "y"), tree.terms.int(0));
        let positive = tree.terms.lt(zero, x);
        let root = tree.root();
        let node = assume(&mut tree, root, positive);
        let sum = tree.terms.add(x, y);
        let goal = tree.terms.lt(y, sum);
        for _ in 0..2 {
            assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved, "{name}");
            assert!(session.last_effort() > 0, "{name} counts");
            assert_eq!(session.check(&tree, root, goal, Bound::Full), Verdict::Refuted, "{name}");
            session.begin();
        }
        assert_eq!(session.statistics().restarts, 1, "{name} can be reset");
    });
}

#[test]
fn all_use_triggers_and_come_to_an_end() {
    each(|name, session| {
        let mut session = session();
        let mut tree = tree();
        let sort = tree.terms.int_sort();
        let f = tree.terms.declare(SymbolRole::Uninterpreted("f".into()), [sort], sort);
        let var = tree.terms.fresh_variable("i", sort);
        let (i, zero) = (tree.terms.constant(var), tree.terms.int(0));
        let f_i = tree.terms.app(f, [i]);
        let positive = tree.terms.lt(zero, f_i);
        let law = tree.terms.forall(&[var], vec![vec![f_i]], positive, QuantifierRole::Written("law".into()));
        let root = tree.root();
        let node = assume(&mut tree, root, law);
        let x = int(&mut tree, "x");
        let f_x = tree.terms.app(f, [x]);
        let (goal, wrong) = (tree.terms.lt(zero, f_x), tree.terms.lt(f_x, zero));
        assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved, "{name}");
        let refuted = session.check(&tree, node, wrong, Bound::Full);
        assert!(matches!(refuted, Verdict::Refuted | Verdict::Unknown(GaveUp::Incomplete)), "{name}: {refuted:?}");
    });
}

#[test]
fn all_are_bounded() {
    each(|name, session| {
        let mut tree = tree();
        let sort = tree.terms.int_sort();
        let f = tree.terms.declare(SymbolRole::Uninterpreted("f".into()), [sort], sort);
        let var = tree.terms.fresh_variable("i", sort);
        let (i, one) = (tree.terms.constant(var), tree.terms.int(1));
        let next = tree.terms.add(i, one);
        let [f_i, f_next] = [i, next].map(|arg| tree.terms.app(f, [arg]));
        let falls = tree.terms.lt(f_next, f_i);
        let law = tree.terms.forall(&[var], vec![vec![f_i]], falls, QuantifierRole::Written("law".into()));
        let root = tree.root();
        let node = assume(&mut tree, root, law);
        let f_one = tree.terms.app(f, [one]);
        let goal = tree.terms.lt(f_one, one);
        let mut session = session();
        session.settings_mut().insists = false;
        session.settings_mut().full = Limit::of(200_000);
        let verdict = session.check(&tree, node, goal, Bound::Full);
        assert!(matches!(verdict, Verdict::Unknown(_)), "{name}: {verdict:?}");
        // The limit of one query does not affect the next.
        let (x, zero) = (int(&mut tree, "x"), tree.terms.int(0));
        let (goal, fact) = (tree.terms.le(zero, x), tree.terms.lt(zero, x));
        let node = assume(&mut tree, root, fact);
        assert_eq!(session.check(&tree, node, goal, Bound::Full), Verdict::Proved, "{name}");
    });
}

#[test]
fn all_tell_what_a_proof_used() {
    for path in solvers() {
        let (dialect, version) = identify(&path);
        let mut replay = Replay::new(Process::speaking(dialect, &path).ahead(), settings(dialect));
        let mut tree = tree();
        let (x, y, zero) = (int(&mut tree, "x"), int(&mut tree, "y"), tree.terms.int(0));
        let groups = [vec![tree.terms.lt(zero, y)], vec![tree.terms.lt(zero, x)]];
        let goal = tree.terms.le(zero, x);
        let asks = vec![vec![0, 1], vec![0]];
        let question = Replayed { always: &[], groups: &groups, goal, asks, named: true, bound: 100_000 };
        replay.send(&tree.terms, &question);
        let replies = replay.receive();
        let used: Vec<_> = replies.cores.iter().map(|core| core.as_ref().map(|core| core.groups.clone())).collect();
        let all = if dialect.ask_core.is_empty() { vec![0, 1] } else { vec![1] };
        assert_eq!(used, [Some(all), None], "{version:?}");
    }
}
