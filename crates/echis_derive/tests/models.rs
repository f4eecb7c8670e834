//! Soundness: from facts that are true in a model, nothing is derived that is false in it. Terms are evaluated
//! directly, so no solver is needed.

mod common;

use common::{Generator, Kind, LIMITS, Random};
use echis_derive::{Answer, Engine, NoPreference, Problem};
use echis_term::{Integer, Op, Rational, SymbolId, TermId, TermKind, Terms, ValueRef, evaluate};
use proptest::prop_assert;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Value {
    Bool(bool),
    Int(i128),
    Perm(Rational),
    Ref(usize),
    Unit,
    Pair(Box<Value>, Box<Value>),
    Wrapped(Box<Value>),
    Seq(Vec<Value>),
    Set(BTreeSet<Value>),
    Multiset(BTreeMap<Value, Integer>),
    Map(BTreeMap<Value, Value>),
}

use Value::*;

/// The values of symbols. The function is periodic, so quantification over all integers reduces to a few of them.
struct Model {
    symbols: BTreeMap<SymbolId, Value>,
    function: SymbolId,
    slope: i128,
    shift: i128,
}

const PERIOD: i128 = 5;

impl Model {
    fn new(terms: &Terms, generator: &Generator, random: &mut Random) -> Self {
        let (slope, shift) = (random.below(3) as i128, random.below(5) as i128);
        let symbols = generator.symbols().iter().map(|(kind, term)| {
            let TermKind::App(symbol, _) = terms.kind(*term) else { unreachable!("symbols are applications") };
            (*symbol, value(*kind, random))
        });
        Model { symbols: symbols.collect(), function: generator.function, slope, shift }
    }
    fn holds(&self, terms: &Terms, formula: TermId) -> bool {
        self.value(terms, formula, &BTreeMap::new()) == Bool(true)
    }
    fn value(&self, terms: &Terms, term: TermId, bound: &BTreeMap<SymbolId, Value>) -> Value {
        match terms.kind(term) {
            TermKind::Bool(value) => Bool(*value),
            TermKind::Int(value) => Int(i128::try_from(value).expect("literals are small")),
            TermKind::Perm(value) => Perm(value.clone()),
            TermKind::App(symbol, args) => {
                let args: Vec<Value> = args.iter().map(|arg| self.value(terms, *arg, bound)).collect();
                match (&args[..], bound.get(symbol)) {
                    (_, Some(value)) => value.clone(),
                    ([], None) => self.symbols[symbol].clone(),
                    ([Int(arg)], None) if *symbol == self.function => {
                        Int((self.slope * arg + self.shift).rem_euclid(PERIOD) - 1)
                    }
                    _ => Bool(args[0] <= args[1]),
                }
            }
            TermKind::Op(op, args) => {
                let args: Vec<Value> = args.iter().map(|arg| self.value(terms, *arg, bound)).collect();
                apply(*op, &args)
            }
            TermKind::Quant(quant) => {
                let holds = |number: i128| {
                    let bound = [(quant.vars[0], Int(number))].into_iter().collect();
                    self.value(terms, quant.body, &bound) == Bool(true)
                };
                Bool((0..PERIOD).all(holds))
            }
        }
    }
}

fn value(kind: Kind, random: &mut Random) -> Value {
    let number = |random: &mut Random| Int(random.below(6) as i128 - 2);
    let count = random.below(4);
    match kind {
        Kind::Bool => Bool(random.below(2) == 0),
        Kind::Int => number(random),
        Kind::Perm => Perm(Rational::from(random.below(6) as i64 - 2) / Rational::from(random.below(3) as i64 + 1)),
        Kind::Ref => Ref(random.below(3)),
        Kind::Snap => match random.below(4) {
            0 => Unit,
            1 => Wrapped(Box::new(number(random))),
            2 => Wrapped(Box::new(Bool(random.below(2) == 0))),
            _ => Pair(Box::new(Unit), Box::new(Wrapped(Box::new(number(random))))),
        },
        Kind::Seq => Seq((0..count).map(|_| number(random)).collect()),
        Kind::Set => Set((0..count).map(|_| number(random)).collect()),
        Kind::Multiset => Multiset((0..count).map(|_| (number(random), Integer::from(1 + random.below(2)))).collect()),
        Kind::Map => Map((0..count).map(|_| (number(random), number(random))).collect()),
    }
}

/// The semantics of an operator. Where it is unspecified, the result is an arbitrary function of the operands.
fn apply(op: Op, args: &[Value]) -> Value {
    let is_true = |value: &Value| *value == Bool(true);
    match (op, args) {
        (Op::Not, [part]) => Bool(!is_true(part)),
        (Op::And, parts) => Bool(parts.iter().all(is_true)),
        (Op::Or, parts) => Bool(parts.iter().any(is_true)),
        (Op::Implies, [left, right]) => Bool(!is_true(left) || is_true(right)),
        (Op::Ite, [condition, yes, no]) => if is_true(condition) { yes } else { no }.clone(),
        (Op::Eq, [left, right]) => Bool(left == right),
        (Op::Distinct, parts) => Bool(parts.iter().collect::<BTreeSet<_>>().len() == parts.len()),
        (Op::Add, parts) => parts.iter().cloned().reduce(|left, right| sum(left, right, 1)).expect("sums have parts"),
        (Op::Sub, parts) => parts.iter().cloned().reduce(|left, right| sum(left, right, -1)).expect("as sums do"),
        (Op::Neg, [Int(value)]) => Int(-value),
        (Op::Neg, [Perm(value)]) => Perm(-value.clone()),
        (Op::Mul, [Int(left), Int(right)]) => Int(left * right),
        (Op::Mul, [Perm(left), Perm(right)]) => Perm(left.clone() * right.clone()),
        (Op::Div, [Int(left), Int(right)]) => Int(left.checked_div_euclid(*right).unwrap_or(3)),
        (Op::Mod, [Int(left), Int(right)]) => Int(left.checked_rem_euclid(*right).unwrap_or(-2)),
        (Op::PermDiv, [Perm(_), Perm(right)]) if *right == Rational::ZERO => Perm(Rational::from(7)),
        (Op::PermDiv, [Perm(left), Perm(right)]) => Perm(left.clone() / right.clone()),
        (Op::ToPerm, [Int(value)]) => Perm(Rational::from(*value)),
        (Op::Lt, [left, right]) => Bool(left < right),
        (Op::Le, [left, right]) => Bool(left <= right),
        (Op::Min, [left, right]) => left.min(right).clone(),
        (Op::Max, [left, right]) => left.max(right).clone(),
        (Op::Null, _) => Ref(0),
        (Op::Unit, _) => Unit,
        (Op::Combine, [first, second]) => Pair(Box::new(first.clone()), Box::new(second.clone())),
        (Op::First, [Pair(first, _)]) => (**first).clone(),
        (Op::Second, [Pair(_, second)]) => (**second).clone(),
        (Op::First | Op::Second, _) => Unit,
        (Op::Wrap(_), [value]) => Wrapped(Box::new(value.clone())),
        _ => of_snapshot(op, args).unwrap_or_else(|| of_collection(op, args)),
    }
}

fn sum(left: Value, right: Value, sign: i64) -> Value {
    match (left, right) {
        (Int(left), Int(right)) => Int(left + i128::from(sign) * right),
        (Perm(left), Perm(right)) => Perm(left + Rational::from(sign) * right),
        other => unreachable!("sums are of numbers, not {other:?}"),
    }
}

/// The sort of a wrapped value is determined by the value.
fn of_snapshot(op: Op, args: &[Value]) -> Option<Value> {
    let Op::Unwrap(sort) = op else { return None };
    let mut terms = Terms::new();
    let is_int = sort == terms.int_sort();
    match &args[0] {
        Wrapped(value) if matches!(**value, Int(_)) == is_int => Some((**value).clone()),
        _ if is_int => Some(Int(4)),
        _ => Some(Bool(false)),
    }
}

fn of_collection(op: Op, args: &[Value]) -> Value {
    evaluate(op, args).unwrap_or_else(|| match op {
        Op::SeqIndex => Int(-7),
        Op::SeqUpdate => args[0].clone(),
        Op::MapLookup => Int(-5),
        _ => unreachable!("{op:?} of {args:?}"),
    })
}

impl echis_term::Value for Value {
    fn view(&self) -> ValueRef<'_, Self> {
        match self {
            Int(value) => ValueRef::Int((*value).into()),
            Seq(items) => ValueRef::Seq(items),
            Set(items) => ValueRef::Set(items),
            Multiset(counts) => ValueRef::Multiset(counts),
            Map(entries) => ValueRef::Map(entries),
            _ => ValueRef::Other,
        }
    }
    fn truth(value: bool) -> Self {
        Bool(value)
    }
    fn int(value: Integer) -> Self {
        Int(value.try_into().expect("all numbers here are small"))
    }
    fn seq(elements: Vec<Self>) -> Self {
        Seq(elements)
    }
    fn set(elements: BTreeSet<Self>) -> Self {
        Set(elements)
    }
    fn multiset(counts: BTreeMap<Self, Integer>) -> Self {
        Multiset(counts)
    }
    fn map(entries: BTreeMap<Self, Self>) -> Self {
        Map(entries)
    }
}

/// Statistics about the problems so far.
#[derive(Default)]
struct Seen {
    proved: usize,
    used: BTreeSet<&'static str>,
}

/// The goal is false and most facts are true, so a proof must use a false fact. The problems are deterministic; a
/// failing one is shrunk before it is shown.
#[test]
fn what_holds_proves_only_what_holds() {
    let seen = RefCell::new(Seen::default());
    let config = Config { cases: 6_000, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let choices = || proptest::collection::vec(0..1u32 << 30, 400);
    let result = runner.run(&(choices(), choices()), |(terms, values)| tried(terms, values, &mut seen.borrow_mut()));
    result.unwrap_or_else(|failure| panic!("{failure}"));
    let Seen { proved, used } = seen.into_inner();
    assert!(proved > 200, "only {proved} goals were proved");
    let terms = &mut Terms::new();
    let unused: Vec<Op> = common::every(terms).into_iter().filter(|op| !used.contains(op.name())).collect();
    assert!(unused.is_empty(), "these operators were not used: {unused:?}");
}

fn tried(choices: Vec<u32>, values: Vec<u32>, seen: &mut Seen) -> Result<(), TestCaseError> {
    let mut terms = Terms::new();
    let mut generator = Generator::new(&mut terms, Random::replay(choices));
    let model = Model::new(&terms, &generator, &mut Random::replay(values));
    let formula = |terms: &mut Terms, generator: &mut Generator, wanted: bool| {
        let formula = generator.formula(terms);
        if model.holds(terms, formula) == wanted { formula } else { terms.not(formula) }
    };
    let lies = (generator.random.below(6), generator.random.below(9));
    let facts: Vec<TermId> =
        (0..6).map(|index| formula(&mut terms, &mut generator, index != lies.0 && index != lies.1)).collect();
    let goal = formula(&mut terms, &mut generator, false);
    seen.used.extend(&generator.used);
    let problem = Problem { always: &[], groups: facts.iter().map(std::slice::from_ref).collect(), goal };
    let answer = Engine::default().prove(&terms, &problem, &NoPreference, &LIMITS);
    let Answer::Proved(proof) = answer else { return Ok(()) };
    seen.proved += 1;
    let text = || facts.iter().map(|fact| terms.text(*fact)).collect::<Vec<_>>().join("\n");
    let lie = proof.groups.iter().any(|group| !model.holds(&terms, facts[*group]));
    prop_assert!(lie, "{:?} prove {} in\n{}", proof.groups, terms.text(goal), text());
    Ok(())
}
