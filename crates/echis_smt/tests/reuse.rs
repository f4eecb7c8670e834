//! A reused process answers like a new one, down to the exact effort.

mod common;

use common::{assume, int, solver, tree};
use echis_proof::{Bound, Prover, Verdict};
use echis_smt::{Backend, Fault, IdleProcess, Process, Session, Settings, Z3};
use echis_term::{QuantifierRole, SymbolRole};
use std::time::Duration;

/// A backend that never starts a process.
struct Reusing {
    process: Process,
    idle: Option<IdleProcess>,
}

impl Backend for Reusing {
    fn restart(&mut self) -> Result<(), Fault> {
        let idle = self.idle.take().ok_or_else(|| Fault::Missing("there is one process".into()))?;
        self.process.adopt(idle)
    }
    fn send(&mut self, commands: &str) -> Result<(), Fault> {
        self.process.send(commands)
    }
    fn receive(&mut self, limit: Duration) -> Result<Vec<String>, Fault> {
        self.process.receive(limit)
    }
}

/// The verdicts and efforts of some queries with quantifiers and arithmetic.
fn answers(mut session: Session<impl Backend>) -> Vec<(Verdict, u64)> {
    session.count_effort(true);
    let mut tree = tree();
    let sort = tree.terms.int_sort();
    let f = tree.terms.declare(SymbolRole::Uninterpreted("f".into()), [sort], sort);
    let var = tree.terms.fresh_variable("x", sort);
    let x = tree.terms.constant(var);
    let (fx, one) = (tree.terms.app(f, [x]), tree.terms.int(1));
    let next = tree.terms.add(x, one);
    let body = tree.terms.lt(next, fx);
    let grows = tree.terms.forall(&[var], vec![vec![fx]], body, QuantifierRole::Written("grows".into()));
    let root = tree.root();
    let node = assume(&mut tree, root, grows);
    let [a, b] = ["a", "b"].map(|name| int(&mut tree, name));
    let (fa, fb) = (tree.terms.app(f, [a]), tree.terms.app(f, [b]));
    let less = tree.terms.lt(a, b);
    let node = assume(&mut tree, node, less);
    let (sum, product) = (tree.terms.add(fa, fb), tree.terms.mul(fa, fb));
    let (ab, bb) = (tree.terms.add(a, b), tree.terms.add(b, b));
    let goals = [tree.terms.lt(ab, sum), tree.terms.lt(sum, bb), tree.terms.lt(ab, product)];
    let ask = |goal| {
        let verdict = session.check(&tree, node, goal, Bound::Quick);
        (verdict, session.last_effort())
    };
    goals.map(ask).to_vec()
}

#[test]
fn the_options_of_others_are_forgotten() {
    let expected = answers(Session::new(solver(), Settings::default()));
    assert_eq!(expected[0].0, Verdict::Proved);
    assert!(expected.iter().all(|(_, effort)| *effort > 0), "{expected:?}");
    for options in [Z3.cores, Z3.other_arithmetic, Z3.other_choices] {
        let mut process = solver();
        process.restart().expect("it starts");
        let work = "(declare-const p Bool)\n(assert (! p :named n))\n(assert (not p))\n(check-sat)\n";
        process.send(&[Z3.options, options, work].concat()).expect("it listens");
        let said = process.receive(Duration::from_secs(60)).expect("it answers");
        assert!(said.contains(&"unsat".to_string()), "{said:?}");
        let idle = process.take_idle();
        let session = Session::new(Reusing { process: solver(), idle }, Settings::default());
        assert_eq!(answers(session), expected, "after {options}");
    }
}
