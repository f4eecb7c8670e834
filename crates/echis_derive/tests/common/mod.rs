//! Random problems over all operators.
#![allow(dead_code)]

use echis_derive::Limits;
use echis_term::{
    FreshRole, Op, QuantifierRole, Rational, Scope, Shape, Sort, SortId, SymbolId, SymbolRole, TermId, Terms,
};

/// Higher limits than the default.
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

/// A sequence of choices. Smaller choices produce smaller problems, so shrinking the sequence shrinks the problem;
/// after the end of the sequence, the first choice is taken.
pub struct Random(Box<dyn Iterator<Item = u32>>);

impl Random {
    /// An infinite sequence, determined by the seed.
    pub fn seeded(seed: u64) -> Self {
        let next =
            |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
        Random(Box::new(std::iter::successors(Some(seed), next).skip(1).map(|state| (state >> 33) as u32)))
    }
    pub fn replay(choices: Vec<u32>) -> Self {
        Random(Box::new(choices.into_iter()))
    }
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.next().unwrap_or(0) as usize % bound
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

/// Every operator except those on the maps of quantified resources and wands.
pub fn every(terms: &mut Terms) -> Vec<Op> {
    let (int, truth) = (terms.int_sort(), terms.bool_sort());
    let map = terms.sort(Sort::Map(int, int));
    let mut all = Op::all(int);
    all.extend([Op::Wrap(truth), Op::Unwrap(truth), Op::MapEmpty(map)]);
    let other = |shape: &Shape| matches!(shape, Shape::SnapMap | Shape::WandMap);
    all.retain(|op| !op.row().operands.iter().any(other) && *op != Op::MapEmpty(int));
    all
}

/// Every operator with the kinds of its operands and result, except polymorphic ones. The elements of collections are
/// integers; snapshots wrap integers and Booleans.
fn operators(terms: &mut Terms) -> Vec<(Op, Vec<Kind>, Kind)> {
    let mut operators = vec![(Op::Or, vec![Bool, Bool, Bool], Bool)];
    for op in every(terms).into_iter().filter(|op| !matches!(op, Op::Ite | Op::Eq | Op::Distinct)) {
        let row = op.row();
        let own = op.instance().map(|sort| KINDS.into_iter().find(|kind| sort_of(terms, *kind) == sort));
        let own = own.flatten().unwrap_or(Int);
        let is_generic = row.operands.contains(&Shape::Number);
        for number in if is_generic { &[Int, Perm][..] } else { &[Int] } {
            let kind = |shape: &Shape| kind_of(*shape, *number, own);
            operators.push((op, row.operands.iter().map(kind).collect(), kind(&row.result)));
        }
    }
    operators
}

fn kind_of(shape: Shape, number: Kind, own: Kind) -> Kind {
    match shape {
        Shape::Bool => Bool,
        Shape::Int | Shape::T | Shape::K | Shape::V => Int,
        Shape::Perm => Perm,
        Shape::Ref => Ref,
        Shape::Snap => Snap,
        Shape::Number => number,
        Shape::Own => own,
        Shape::Seq(_) => Seq,
        Shape::Set(_) => Set,
        Shape::Multiset(_) => Multiset,
        Shape::Map => Map,
        Shape::SnapMap | Shape::WandMap => unreachable!("the map of a resource or a wand is left out"),
    }
}

/// Generates terms over a few symbols: three of each kind, and functions on integers.
pub struct Generator {
    pub random: Random,
    operators: Vec<(Op, Vec<Kind>, Kind)>,
    symbols: Vec<(Kind, TermId)>,
    pub function: SymbolId,
    pub relation: SymbolId,
    /// Terms generated earlier are reused, so that facts are related.
    made: Vec<(Kind, TermId)>,
    pub used: std::collections::BTreeSet<&'static str>,
}

impl Generator {
    pub fn new(terms: &mut Terms, random: Random) -> Self {
        let operators = operators(terms);
        let mut symbols = Vec::new();
        for kind in KINDS {
            let sort = sort_of(terms, kind);
            for index in 0..3 {
                symbols.push((
                    kind,
                    terms.fresh(&Scope::default(), FreshRole::Named(format!("{kind:?}{index}").into()), &[], sort),
                ));
            }
        }
        let (int, truth) = (terms.int_sort(), terms.bool_sort());
        let function = terms.declare(SymbolRole::Uninterpreted("f".into()), [int], int);
        let relation = terms.declare(SymbolRole::Uninterpreted("g".into()), [int, int], truth);
        let (made, used) = (Vec::new(), Default::default());
        Generator { random, operators, symbols, function, relation, made, used }
    }
    pub fn symbols(&self) -> &[(Kind, TermId)] {
        &self.symbols
    }
    /// Forgets earlier terms, so that later ones are unrelated to them.
    pub fn forget(&mut self) {
        self.made.clear();
    }
    /// A fact or a goal: mostly a relation between two terms.
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
    /// A universally quantified fact about the function's values.
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
        terms.forall(&[variable], vec![vec![value]], body, QuantifierRole::Written("claim".into()))
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
    /// Applies an operator, with or without simplification.
    fn apply(&mut self, terms: &mut Terms, op: Op, args: &[TermId]) -> TermId {
        self.used.insert(op.name());
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
