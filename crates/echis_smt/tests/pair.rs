//! Two solvers that answer the queries of one tree.

mod common;

use common::{int, solver, tree};
use echis_proof::{Explainer, ProofTree, Replayed};
use echis_smt::{Backend, Fault, Pair, Process, Replay, Settings};
use echis_term::TermId;
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// A solver that counts its starts.
struct Counted(Process, Rc<Cell<usize>>);

impl Backend for Counted {
    fn restart(&mut self) -> Result<(), Fault> {
        self.1.set(self.1.get() + 1);
        self.0.restart()
    }
    fn send(&mut self, commands: &str) -> Result<(), Fault> {
        self.0.send(commands)
    }
    fn receive(&mut self, limit: Duration) -> Result<Vec<String>, Fault> {
        self.0.receive(limit)
    }
}

fn pair() -> (Pair<Counted>, [Rc<Cell<usize>>; 2]) {
    let starts: [Rc<Cell<usize>>; 2] = Default::default();
    let replays = starts.clone().map(|starts| Replay::new(Counted(solver().ahead(), starts), Settings::default()));
    (Pair::new(replays), starts)
}

/// A goal for each number, with one group that proves it and one that is unrelated.
fn questions(tree: &mut ProofTree, count: i64) -> Vec<([Vec<TermId>; 2], TermId)> {
    let x = int(tree, "x");
    let terms = &mut tree.terms;
    (0..count)
        .map(|number| {
            let [less, zero] = [number, -1].map(|number| terms.int(number));
            let [goal, other] = [less, zero].map(|bound| terms.le(bound, x));
            let more = terms.int(number + 1);
            ([vec![other], vec![terms.le(more, x)]], goal)
        })
        .collect()
}

/// The group that proves each goal.
fn ask(pair: &mut Pair<Counted>, tree: &ProofTree, questions: &[([Vec<TermId>; 2], TermId)], bound: u64) -> Vec<usize> {
    for (groups, goal) in questions {
        let asked = Replayed { always: &[], groups, goal: *goal, asks: vec![vec![0, 1]], named: true, bound };
        pair.send(&tree.terms, &asked);
    }
    questions
        .iter()
        .flat_map(|_| pair.receive().cores.into_iter().flatten().flat_map(|core| core.groups).collect::<Vec<_>>())
        .collect()
}

#[test]
fn answers_come_in_order_and_the_second_one_is_asked_when_much_is_to_be_done() {
    let (mut pair, starts) = pair();
    let mut tree = tree();
    let questions = questions(&mut tree, 20);
    assert_eq!(ask(&mut pair, &tree, &questions, 10_000), [1; 20]);
    assert_eq!(starts.each_ref().map(|starts| starts.get()), [1, 0], "little to do");
    assert_eq!(ask(&mut pair, &tree, &questions[..5], 1_000_000), [1; 5]);
    assert_eq!(starts.each_ref().map(|starts| starts.get()), [1, 0], "few questions");
    assert_eq!(ask(&mut pair, &tree, &questions, 1_000_000), [1; 20]);
    assert_eq!(starts.each_ref().map(|starts| starts.get()), [1, 1]);
    assert_eq!(pair.statistics().questions, 45);
}

#[test]
fn what_was_asked_of_a_tree_is_forgotten_with_it() {
    let (mut pair, starts) = pair();
    for round in 1..3 {
        let mut tree = tree();
        let questions = questions(&mut tree, 20);
        pair.begin();
        assert_eq!(ask(&mut pair, &tree, &questions, 1_000_000), [1; 20]);
        // The answers to these are not read.
        let (groups, goal) = &questions[0];
        let asks = vec![vec![0, 1]];
        pair.send(&tree.terms, &Replayed { always: &[], groups, goal: *goal, asks, named: true, bound: 1_000 });
        assert_eq!(
            starts.each_ref().map(|starts| starts.get()),
            [round, 1],
            "a solver in the middle of something ends"
        );
    }
}

#[test]
fn eager_instantiation_needs_no_other_solver() {
    let (mut pair, starts) = pair();
    for _ in 0..3 {
        let mut tree = tree();
        let questions = questions(&mut tree, 5);
        pair.begin();
        pair.instantiate_eagerly();
        assert_eq!(ask(&mut pair, &tree, &questions, 10_000), [1; 5]);
    }
    assert_eq!(starts.each_ref().map(|starts| starts.get()), [1, 0]);
}

/// What is given holds in every question, also in that of the second solver and of a tree's later chapters, and is never
/// named. It is forgotten with the tree.
#[test]
fn given_facts_hold_in_all_questions() {
    let (mut pair, _) = pair();
    for is_given in [true, false] {
        let mut tree = tree();
        let (x, y) = (int(&mut tree, "x"), int(&mut tree, "y"));
        let [below, above] = [(x, y), (y, x)].map(|(left, right)| tree.terms.le(left, right));
        let goal = tree.terms.eq(x, y);
        let groups = [vec![above], vec![below]];
        pair.begin();
        if is_given {
            pair.given(&tree.terms, &[below]);
        }
        let bound = 1_000_000;
        for _ in 0..20 {
            pair.send(
                &tree.terms,
                &Replayed { always: &[], groups: &groups, goal, asks: vec![vec![0]], named: true, bound },
            );
        }
        for _ in 0..20 {
            let found = pair.receive().cores.into_iter().flatten().map(|core| core.groups).collect::<Vec<_>>();
            assert_eq!(found, if is_given { vec![vec![0]] } else { Vec::new() });
        }
    }
}
