//! Tests of the proofs that derivations find.

mod common;

use common::LIMITS;
use echis_derive::{Answer, Engine, Limits, NoPreference, Problem};
use echis_term::{FreshRole, Op, QuantifierRole, Scope, SymbolRole, TermId, Terms};

struct Store {
    terms: Terms,
    numbers: Vec<TermId>,
}

impl Store {
    /// Three integer constants.
    fn new() -> Self {
        let mut terms = Terms::new();
        let sort = terms.int_sort();
        let numbers =
            ["x", "y", "z"].map(|name| terms.fresh(&Scope::default(), FreshRole::Named(name.into()), &[], sort));
        Store { terms, numbers: numbers.to_vec() }
    }
    fn truth(&mut self, name: &str) -> TermId {
        let sort = self.terms.bool_sort();
        self.terms.fresh(&Scope::default(), FreshRole::Named(name.into()), &[], sort)
    }
    /// Proves a goal, with each fact as a separate group.
    fn prove(&self, facts: &[TermId], goal: TermId) -> Option<Vec<usize>> {
        let groups = facts.iter().map(std::slice::from_ref).collect();
        let problem = Problem { always: &[], groups, goal };
        let proof = Engine::default().prove(&self.terms, &problem, &NoPreference, &LIMITS).proof();
        proof.filter(|proof| proof.uses_goal).map(|proof| proof.groups)
    }
}

#[test]
fn equalities_and_inequalities_chain() {
    let mut store = Store::new();
    let [x, y, z] = store.numbers[..] else { unreachable!("there are three") };
    let one = store.terms.int(1);
    let above = store.terms.add(y, one);
    let facts = [store.terms.eq(x, above), store.terms.le(z, y), store.terms.lt(z, x)];
    let goal = store.terms.lt(z, x);
    assert_eq!(store.prove(&facts[..2], goal), Some(vec![0, 1]));
    let weaker = store.terms.le(z, x);
    // Of the two proofs, one is returned, complete and without facts of the other.
    assert!(store.prove(&facts, weaker).is_some_and(|core| core == [0, 1] || core == [2]));
    let equal = store.terms.eq(x, z);
    assert_eq!(store.prove(&facts, equal), None);
}

#[test]
fn numbers_that_are_neither_smaller_nor_greater_are_equal() {
    let mut store = Store::new();
    let [x, y, _] = store.numbers[..] else { unreachable!("there are three") };
    let facts = [store.terms.le(x, y), store.terms.le(y, x)];
    let goal = store.terms.eq(x, y);
    assert_eq!(store.prove(&facts, goal), Some(vec![0, 1]));
}

#[test]
fn conditions_choose_and_implications_fire() {
    let mut store = Store::new();
    let [x, y, z] = store.numbers[..] else { unreachable!("there are three") };
    let (a, b) = (store.truth("a"), store.truth("b"));
    let choice = store.terms.ite(a, x, y);
    let facts = [store.terms.implies(b, a), b, store.terms.eq(z, choice)];
    let goal = store.terms.eq(z, x);
    assert_eq!(store.prove(&facts, goal), Some(vec![0, 1, 2]));
    assert_eq!(store.prove(&facts[1..], goal), None);
}

#[test]
fn a_contradiction_proves_nothing_but_itself() {
    let mut store = Store::new();
    let [x, y, _] = store.numbers[..] else { unreachable!("there are three") };
    let a = store.truth("a");
    let facts = [a, store.terms.not(a)];
    let goal = store.terms.eq(x, y);
    assert_eq!(store.prove(&facts, goal), None);
    let falsity = store.terms.falsity();
    assert_eq!(store.prove(&facts, falsity), Some(vec![0, 1]));
}

/// A quantified fact about all arguments of a function is instantiated for applications that occur.
#[test]
fn quantifiers_speak_of_terms_that_are_mentioned() {
    let mut store = Store::new();
    let [x, y, z] = store.numbers[..] else { unreachable!("there are three") };
    let terms = &mut store.terms;
    let sort = terms.int_sort();
    let function = terms.declare(SymbolRole::Uninterpreted("f".into()), [sort], sort);
    let variable = terms.fresh_variable("n", sort);
    let (bound, zero) = (terms.constant(variable), terms.int(0));
    let (pattern, body) = (terms.app(function, [bound]), terms.lt(zero, bound));
    let claim = terms.forall(&[variable], vec![vec![pattern]], body, QuantifierRole::Written("positive".into()));
    let value = terms.app(function, [x]);
    let (mention, same, goal) = (terms.eq(y, value), terms.eq(x, z), terms.lt(zero, z));
    // The second fact does not mention the third one's number, but triggers the instance.
    assert_eq!(store.prove(&[claim, mention, same], goal), Some(vec![0, 1, 2]));
    assert_eq!(store.prove(&[claim, same], goal), None);
}

/// A quantified fact about the elements of a sequence applies to an element read by index.
#[test]
fn what_is_read_at_a_place_is_a_member() {
    let mut store = Store::new();
    let [x, y, _] = store.numbers[..] else { unreachable!("there are three") };
    let terms = &mut store.terms;
    let (range, sort) = (terms.op(Op::SeqSingleton, [y]), terms.int_sort());
    let sequence = terms.sort_of(range);
    let symbol = terms.fresh(&Scope::default(), FreshRole::Named("s".into()), &[], sequence);
    let variable = terms.fresh_variable("n", sort);
    let (sequence, bound, zero) = (symbol, terms.constant(variable), terms.int(0));
    let (member, positive) = (terms.op(Op::SeqContains, [sequence, bound]), terms.lt(zero, bound));
    let body = terms.implies(member, positive);
    let claim = terms.forall(&[variable], vec![vec![member]], body, QuantifierRole::Written("positive".into()));
    let (read, length) = (terms.op(Op::SeqIndex, [sequence, x]), terms.op(Op::SeqLength, [sequence]));
    let (not_before, inside, goal) = (terms.le(zero, x), terms.lt(x, length), terms.lt(zero, read));
    assert_eq!(store.prove(&[claim, not_before, inside], goal), Some(vec![0, 1, 2]));
    assert_eq!(store.prove(&[claim, inside], goal), None);
}

#[test]
fn cases_are_distinguished_where_a_choice_is_open() {
    let mut store = Store::new();
    let [x, y, _] = store.numbers[..] else { unreachable!("there are three") };
    let (a, b) = (store.truth("a"), store.truth("b"));
    let terms = &mut store.terms;
    let [zero, one, two] = [0, 1, 2].map(|number| terms.int(number));
    let choice = terms.ite(a, one, two);
    let (chosen, positive) = (terms.eq(x, choice), terms.lt(zero, x));
    let (either, first) = (terms.or([a, b]), terms.eq(y, one));
    let (left, right) = (terms.implies(a, first), terms.implies(b, first));
    assert_eq!(store.prove(&[chosen], positive), Some(vec![0]));
    assert_eq!(store.prove(&[either, left, right], first), Some(vec![0, 1, 2]));
    assert_eq!(store.prove(&[either, left], first), None);
}

#[test]
fn sequences_have_lengths_and_elements() {
    let mut store = Store::new();
    let [x, y, z] = store.numbers[..] else { unreachable!("there are three") };
    let terms = &mut store.terms;
    let range = terms.op(Op::SeqRange, [x, y]);
    let (inside, below) = (terms.op(Op::SeqContains, [range, z]), terms.lt(z, y));
    let (length, one) = (terms.op(Op::SeqLength, [range]), terms.int(1));
    let (alone, long) = (terms.op(Op::SeqSingleton, [z]), terms.le(one, length));
    let both = terms.op(Op::SeqAppend, [range, alone]);
    let (longer, more) = (terms.op(Op::SeqLength, [both]), terms.int(2));
    let goal = terms.le(more, longer);
    assert_eq!(store.prove(&[inside], below), Some(vec![0]));
    assert_eq!(store.prove(&[inside], long), Some(vec![0]));
    assert_eq!(store.prove(&[long], goal), Some(vec![0]));
    assert_eq!(store.prove(&[], goal), None);
}

#[test]
fn quotients_rests_and_products_with_what_is_a_number_are_linear() {
    let mut store = Store::new();
    let [x, y, z] = store.numbers[..] else { unreachable!("there are three") };
    let terms = &mut store.terms;
    let [zero, one, two, three] = [0, 1, 2, 3].map(|number| terms.int(number));
    let (half, rest) = (terms.op(Op::Div, [x, two]), terms.op(Op::Mod, [x, three]));
    let (large, some, small) = (terms.lt(one, x), terms.lt(zero, half), terms.lt(half, x));
    let within = terms.lt(rest, three);
    assert_eq!(store.prove(&[large], some), Some(vec![0]));
    assert_eq!(store.prove(&[large], small), Some(vec![0]));
    assert_eq!(store.prove(&[], within), Some(vec![]));
    let terms = &mut store.terms;
    let product = terms.op(Op::Mul, [x, y]);
    let (nothing, goal) = (terms.eq(x, zero), terms.eq(product, zero));
    assert_eq!(store.prove(&[nothing], goal), Some(vec![0]));
    assert_eq!(store.prove(&[], goal), None);
    // Less or equal and not equal implies less.
    let terms = &mut store.terms;
    let equal = terms.eq(y, z);
    let (most, other, less) = (terms.le(y, z), terms.not(equal), terms.lt(y, z));
    assert_eq!(store.prove(&[most, other], less), Some(vec![0, 1]));
}

#[test]
fn a_part_of_a_positive_fraction_is_positive() {
    let mut terms = Terms::new();
    let sort = terms.perm_sort();
    let symbol = terms.fresh(&Scope::default(), FreshRole::Named("p".into()), &[], sort);
    let (amount, none, two) = (symbol, terms.perm(0.into()), terms.perm(2.into()));
    let half = terms.op(Op::PermDiv, [amount, two]);
    let (fact, goal) = (terms.lt(none, amount), terms.lt(none, half));
    let store = Store { terms, numbers: Vec::new() };
    assert_eq!(store.prove(&[fact], goal), Some(vec![0]));
    assert_eq!(store.prove(&[], goal), None);
}

#[test]
fn no_proof_and_no_time_are_told_apart() {
    let mut store = Store::new();
    let [x, y, z] = store.numbers[..] else { unreachable!("there are three") };
    let facts = [store.terms.lt(x, y), store.terms.lt(y, z)];
    let (goal, other) = (store.terms.lt(x, z), store.terms.lt(z, x));
    let groups: Vec<&[TermId]> = facts.iter().map(std::slice::from_ref).collect();
    let ask = |groups: &[&[TermId]], goal: TermId, fuel: usize| {
        let problem = Problem { always: &[], groups: groups.to_vec(), goal };
        Engine::default().prove(&store.terms, &problem, &NoPreference, &Limits { fuel, ..LIMITS })
    };
    assert!(matches!(ask(&groups, goal, LIMITS.fuel), Answer::Proved(_)));
    assert_eq!(ask(&groups, other, LIMITS.fuel), Answer::NoProof);
    assert_eq!(ask(&groups, goal, 5), Answer::GaveUp);
    let many = vec![&facts[..1]; 200];
    assert_eq!(ask(&many, goal, LIMITS.fuel), Answer::GaveUp);
    // A group without facts must not be used.
    assert_eq!(ask(&[groups[0], &[]], goal, LIMITS.fuel), Answer::NoProof);
}
