//! Random problems over all operators.
#![allow(dead_code)]

use echis_derive::Limits;
use echis_term::{Op, Rational, Scope, Sort, SortId, SymbolId, SymbolKind, TermId, Terms};

/// More than is usual.
pub const LIMITS: Limits = Limits {
    fuel: 20_000,
    terms: 900,
    goals: 20,
    rounds: 24,
    generations: 3,
    depth: 4,
    branches: 16,
    decided: 24,
    deciding: 10,
    choices: 20,
    instances: 80,
    matches: 40,
    match_steps: 2_000,
    refuel: 2,
    pattern: 60,
    inequalities: 150,
};

/// The same numbers in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(2).wrapping_add(0x9E37_79B9_7F4A_7C15))
    }
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Bool,
    Int,
    Perm,
    Ref,
    Snap,
    Seq,
    Set,
    Multiset,
    Map,
}

use Kind::*;

pub const KINDS: [Kind; 9] = [Bool, Int, Perm, Ref, Snap, Seq, Set, Multiset, Map];

/// Every operator with the kinds of its operands and of its result, but for those that apply to all kinds. Collections are of
/// integers; snapshots wrap integers and truth values.
fn operators(terms: &mut Terms) -> Vec<(Op, Vec<Kind>, Kind)> {
    let (int, truth) = (terms.int_sort(), terms.bool_sort());
    let map = terms.sort(Sort::Map(int, int));
    let collections = [
        (Op::SeqEmpty(int), vec![], Seq),
        (Op::SeqSingleton, vec![Int], Seq),
        (Op::SeqAppend, vec![Seq, Seq], Seq),
        (Op::SeqLength, vec![Seq], Int),
        (Op::SeqIndex, vec![Seq, Int], Int),
        (Op::SeqUpdate, vec![Seq, Int, Int], Seq),
        (Op::SeqTake, vec![Seq, Int], Seq),
        (Op::SeqDrop, vec![Seq, Int], Seq),
        (Op::SeqRange, vec![Int, Int], Seq),
        (Op::SeqContains, vec![Seq, Int], Bool),
        (Op::SetEmpty(int), vec![], Set),
        (Op::SetSingleton, vec![Int], Set),
        (Op::SetAdd, vec![Set, Int], Set),
        (Op::SetUnion, vec![Set, Set], Set),
        (Op::SetIntersection, vec![Set, Set], Set),
        (Op::SetDifference, vec![Set, Set], Set),
        (Op::SetSubset, vec![Set, Set], Bool),
        (Op::SetContains, vec![Set, Int], Bool),
        (Op::SetCardinality, vec![Set], Int),
        (Op::MultisetEmpty(int), vec![], Multiset),
        (Op::MultisetSingleton, vec![Int], Multiset),
        (Op::MultisetAdd, vec![Multiset, Int], Multiset),
        (Op::MultisetUnion, vec![Multiset, Multiset], Multiset),
        (Op::MultisetIntersection, vec![Multiset, Multiset], Multiset),
        (Op::MultisetDifference, vec![Multiset, Multiset], Multiset),
        (Op::MultisetSubset, vec![Multiset, Multiset], Bool),
        (Op::MultisetCount, vec![Multiset, Int], Int),
        (Op::MultisetCardinality, vec![Multiset], Int),
        (Op::MapEmpty(map), vec![], Map),
        (Op::MapUpdate, vec![Map, Int, Int], Map),
        (Op::MapLookup, vec![Map, Int], Int),
        (Op::MapContains, vec![Map, Int], Bool),
        (Op::MapDomain, vec![Map], Set),
        (Op::MapRange, vec![Map], Set),
        (Op::MapCardinality, vec![Map], Int),
    ];
    let others = [
        (Op::Not, vec![Bool], Bool),
        (Op::And, vec![Bool, Bool], Bool),
        (Op::Or, vec![Bool, Bool], Bool),
        (Op::Or, vec![Bool, Bool, Bool], Bool),
        (Op::Implies, vec![Bool, Bool], Bool),
        (Op::Add, vec![Int, Int], Int),
        (Op::Sub, vec![Int, Int], Int),
        (Op::Neg, vec![Int], Int),
        (Op::Mul, vec![Int, Int], Int),
        (Op::Div, vec![Int, Int], Int),
        (Op::Mod, vec![Int, Int], Int),
        (Op::Lt, vec![Int, Int], Bool),
        (Op::Le, vec![Int, Int], Bool),
        (Op::Add, vec![Perm, Perm], Perm),
        (Op::Sub, vec![Perm, Perm], Perm),
        (Op::Neg, vec![Perm], Perm),
        (Op::Mul, vec![Perm, Perm], Perm),
        (Op::PermDiv, vec![Perm, Perm], Perm),
        (Op::ToPerm, vec![Int], Perm),
        (Op::Lt, vec![Perm, Perm], Bool),
        (Op::Le, vec![Perm, Perm], Bool),
        (Op::Min, vec![Perm, Perm], Perm),
        (Op::Max, vec![Perm, Perm], Perm),
        (Op::Null, vec![], Ref),
        (Op::Unit, vec![], Snap),
        (Op::Combine, vec![Snap, Snap], Snap),
        (Op::First, vec![Snap], Snap),
        (Op::Second, vec![Snap], Snap),
        (Op::Wrap(int), vec![Int], Snap),
        (Op::Wrap(truth), vec![Bool], Snap),
        (Op::Unwrap(int), vec![Snap], Int),
        (Op::Unwrap(truth), vec![Snap], Bool),
    ];
    collections.into_iter().chain(others).collect()
}

/// Makes terms out of a few symbols: three of each kind, and functions of numbers.
pub struct Generator {
    pub random: Random,
    operators: Vec<(Op, Vec<Kind>, Kind)>,
    symbols: Vec<(Kind, TermId)>,
    pub function: SymbolId,
    pub relation: SymbolId,
    /// What was made before is used again, so that facts have something to do with each other.
    made: Vec<(Kind, TermId)>,
    pub used: std::collections::BTreeSet<String>,
}

impl Generator {
    pub fn new(terms: &mut Terms, seed: u64) -> Self {
        let operators = operators(terms);
        let mut symbols = Vec::new();
        for kind in KINDS {
            let sort = sort_of(terms, kind);
            for index in 0..3 {
                symbols.push((kind, terms.fresh(&Scope::default(), &format!("{kind:?}{index}"), &[], sort)));
            }
        }
        let (int, truth) = (terms.int_sort(), terms.bool_sort());
        let function = terms.declare("f", [int], int, SymbolKind::Function);
        let relation = terms.declare("g", [int, int], truth, SymbolKind::Function);
        let (made, used) = (Vec::new(), Default::default());
        Generator { random: Random::new(seed), operators, symbols, function, relation, made, used }
    }
    pub fn symbols(&self) -> &[(Kind, TermId)] {
        &self.symbols
    }
    /// What is made from now on has nothing to do with what was made before.
    pub fn forget(&mut self) {
        self.made.clear();
    }
    /// A fact or a goal: mostly something that relates two terms.
    pub fn formula(&mut self, terms: &mut Terms) -> TermId {
        match self.random.below(8) {
            0 => self.term(terms, Bool, 3),
            1 => self.claim(terms),
            2 => self.connective(terms),
            _ => self.literal(terms),
        }
    }
    fn literal(&mut self, terms: &mut Terms) -> TermId {
        let kind = self.random.pick(&KINDS);
        let depth = 1 + self.random.below(2);
        let (left, right) = (self.term(terms, kind, depth), self.term(terms, kind, 1));
        let atom = match kind {
            Bool => left,
            Int | Perm if self.random.below(2) == 0 => {
                let op = self.random.pick(&[Op::Lt, Op::Le]);
                self.apply(terms, op, &[left, right])
            }
            _ if self.random.below(6) == 0 => {
                let third = self.term(terms, kind, 0);
                self.apply(terms, Op::Distinct, &[left, right, third])
            }
            _ => self.apply(terms, Op::Eq, &[left, right]),
        };
        if self.random.below(4) == 0 { self.apply(terms, Op::Not, &[atom]) } else { atom }
    }
    fn connective(&mut self, terms: &mut Terms) -> TermId {
        let (left, right) = (self.literal(terms), self.literal(terms));
        let op = self.random.pick(&[Op::And, Op::Or, Op::Implies, Op::Eq]);
        self.apply(terms, op, &[left, right])
    }
    /// Something of all numbers, which depends on nothing but what the function says of them.
    fn claim(&mut self, terms: &mut Terms) -> TermId {
        let int = terms.int_sort();
        let variable = terms.fresh_variable("n", int);
        let bound = terms.constant(variable);
        let value = terms.app(self.function, [bound]);
        let other = self.term(terms, Int, 1);
        let (low, high) = if self.random.below(2) == 0 { (value, other) } else { (other, value) };
        let op = self.random.pick(&[Op::Lt, Op::Le, Op::Eq]);
        let body = self.apply(terms, op, &[low, high]);
        let body = match self.random.below(3) {
            0 => {
                let condition = self.literal(terms);
                self.apply(terms, Op::Implies, &[condition, body])
            }
            1 => {
                let again = terms.app(self.relation, [value, other]);
                self.apply(terms, Op::Or, &[body, again])
            }
            _ => body,
        };
        terms.forall(&[variable], vec![vec![value]], body, "claim")
    }
    pub fn term(&mut self, terms: &mut Terms, kind: Kind, depth: usize) -> TermId {
        let known: Vec<TermId> = self.made.iter().filter(|(made, _)| *made == kind).map(|(_, term)| *term).collect();
        if !known.is_empty() && self.random.below(3) > 0 {
            return self.random.pick(&known);
        }
        let term = if depth == 0 { self.leaf(terms, kind) } else { self.application(terms, kind, depth) };
        self.made.push((kind, term));
        term
    }
    fn leaf(&mut self, terms: &mut Terms, kind: Kind) -> TermId {
        match (kind, self.random.below(2)) {
            (Int, 0) => terms.int(self.random.below(6) as i64 - 2),
            (Perm, 0) => {
                let (over, under) = (self.random.below(6) as i64 - 2, self.random.below(3) as i64 + 1);
                terms.perm(Rational::from(over) / Rational::from(under))
            }
            _ => {
                let own: Vec<TermId> =
                    self.symbols.iter().filter(|(own, _)| *own == kind).map(|(_, term)| *term).collect();
                self.random.pick(&own)
            }
        }
    }
    fn application(&mut self, terms: &mut Terms, kind: Kind, depth: usize) -> TermId {
        if self.random.below(8) == 0 {
            let condition = self.term(terms, Bool, depth - 1);
            let (yes, no) = (self.term(terms, kind, depth - 1), self.term(terms, kind, depth - 1));
            return self.apply(terms, Op::Ite, &[condition, yes, no]);
        }
        match (kind, self.random.below(6)) {
            (Int, 0) => {
                let arg = self.term(terms, Int, depth - 1);
                return terms.app(self.function, [arg]);
            }
            (Bool, 0) => {
                let args = [self.term(terms, Int, depth - 1), self.term(terms, Int, depth - 1)];
                return terms.app(self.relation, args);
            }
            _ => {}
        }
        let fitting: Vec<usize> =
            (0..self.operators.len()).filter(|operator| self.operators[*operator].2 == kind).collect();
        if fitting.is_empty() {
            return self.leaf(terms, kind);
        }
        let (op, operands, _) = self.operators[self.random.pick(&fitting)].clone();
        let args: Vec<TermId> = operands.iter().map(|operand| self.term(terms, *operand, depth - 1)).collect();
        self.apply(terms, op, &args)
    }
    /// As it is written, or as it is simplified.
    fn apply(&mut self, terms: &mut Terms, op: Op, args: &[TermId]) -> TermId {
        self.used.insert(format!("{op:?}").split('(').next().unwrap_or_default().to_string());
        if self.random.below(2) == 0 { terms.op(op, args) } else { terms.rebuild(op, args) }
    }
}

pub fn sort_of(terms: &mut Terms, kind: Kind) -> SortId {
    let int = terms.int_sort();
    match kind {
        Bool => terms.bool_sort(),
        Int => int,
        Perm => terms.perm_sort(),
        Ref => terms.ref_sort(),
        Snap => terms.snap_sort(),
        Seq => terms.sort(Sort::Seq(int)),
        Set => terms.sort(Sort::Set(int)),
        Multiset => terms.sort(Sort::Multiset(int)),
        Map => terms.sort(Sort::Map(int, int)),
    }
}
