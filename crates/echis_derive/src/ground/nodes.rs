//! Terms as numbered nodes, with equal terms shared.

use super::{Ground, TRUE};
use crate::ratio::Ratio;
use echis_base::{FastHasher, Key};
use echis_term::{Op, Rational, Sort, SortId, SymbolId, TermId, TermKind};
use std::hash::{Hash, Hasher};

pub struct Node {
    pub shape: Shape,
    /// The start and number of its children in the table of children.
    parts: (usize, usize),
    pub sort: SortId,
    /// For terms of arithmetic sorts.
    pub number: Option<Ratio>,
    pub arithmetic: bool,
    pub integer: bool,
    /// The previous node with the same shape, and with the same hash.
    before: Option<usize>,
    alike: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// A quantifier or a literal.
    Opaque(TermId),
    /// A small number of that sort.
    Number(i64, SortId),
    Symbol(SymbolId),
    Op(Op, SortId),
    /// A formula about which nothing is known.
    Unknown(usize),
}

/// The node numbers of terms. All are forgotten at once.
#[derive(Default)]
pub struct TermNumbers {
    /// With the time of assignment.
    of: Vec<(u32, u32)>,
    now: u32,
}

impl TermNumbers {
    pub fn forget(&mut self) {
        self.now += 1;
    }
    fn get(&self, term: TermId) -> Option<usize> {
        let (when, number) = *self.of.get(term.index())?;
        (when == self.now).then_some(number as usize)
    }
    fn insert(&mut self, term: TermId, number: usize) {
        if self.of.len() <= term.index() {
            self.of.resize(term.index() + 1, (0, 0));
        }
        self.of[term.index()] = (self.now, number as u32);
    }
}

impl Ground<'_> {
    pub(super) fn shape(&self, term: TermId) -> (Shape, &[TermId]) {
        let sort = self.terms.sort_of(term);
        match self.terms.kind(term) {
            TermKind::App(symbol, args) => (Shape::Symbol(*symbol), args),
            TermKind::Op(op, args) => (Shape::Op(*op, sort), args),
            TermKind::Int(value) => {
                (i64::try_from(value).map_or(Shape::Opaque(term), |value| Shape::Number(value, sort)), &[])
            }
            _ => (Shape::Opaque(term), &[]),
        }
    }
    /// Numbers a term and its subterms outside quantifiers.
    pub(super) fn add(&mut self, term: TermId) -> Option<usize> {
        self.number_parts(term, &[], &[])
    }
    /// Numbers a term with variables bound to nodes.
    pub(super) fn instance(&mut self, term: TermId, variables: &[SymbolId], bound: &[usize]) -> Option<usize> {
        self.bound.forget();
        std::mem::swap(self.numbers, self.bound);
        let node = self.number_parts(term, variables, bound);
        std::mem::swap(self.numbers, self.bound);
        node
    }
    fn number_parts(&mut self, term: TermId, variables: &[SymbolId], bound: &[usize]) -> Option<usize> {
        let mut stack = std::mem::take(self.pending);
        stack.clear();
        stack.push((term, false));
        let mut children = Vec::new();
        while let Some((term, ready)) = stack.pop() {
            if self.numbers.get(term).is_some() {
                continue;
            }
            let (mut shape, parts) = self.shape(term);
            if let Shape::Symbol(symbol) = shape
                && let Some(position) = variables.iter().position(|variable| *variable == symbol)
            {
                self.numbers.insert(term, bound[position]);
                continue;
            }
            if !ready && !parts.is_empty() {
                stack.push((term, true));
                stack.extend(parts.iter().map(|part| (*part, false)));
                continue;
            }
            children.clear();
            for part in parts {
                children.push(self.numbers.get(*part)?);
            }
            if matches!(self.terms.kind(term), TermKind::Quant(_)) && self.speaks_of(term, variables) {
                shape = Shape::Unknown(self.nodes.len());
            }
            let number = match self.terms.kind(term) {
                TermKind::Int(value) => Some(Ratio::from(&Rational::from(value.clone()))),
                TermKind::Perm(value) => Some(Ratio::from(value)),
                _ => None,
            };
            let node = self.node(shape, &children, self.terms.sort_of(term), number)?;
            self.numbers.insert(term, node);
        }
        *self.pending = stack;
        self.numbers.get(term)
    }
    /// All terms of a shape.
    pub(super) fn like(&self, shape: Shape) -> impl Iterator<Item = usize> {
        std::iter::successors(self.last.get(&shape).copied(), |node| self.nodes[*node].before)
    }
    fn speaks_of(&self, term: TermId, variables: &[SymbolId]) -> bool {
        let mut speaks = false;
        if !variables.is_empty() {
            self.terms.for_each_subterm(term, |part| {
                speaks |= matches!(self.terms.kind(part), TermKind::App(symbol, _) if variables.contains(symbol));
            });
        }
        speaks
    }
    pub(super) fn children(&self, node: usize) -> &[usize] {
        let (from, count) = self.nodes[node].parts;
        &self.parts[from..from + count]
    }
    fn node(&mut self, shape: Shape, children: &[usize], sort: SortId, number: Option<Ratio>) -> Option<usize> {
        let mut hasher = FastHasher::default();
        (shape, children).hash(&mut hasher);
        let hash = hasher.finish();
        let alike = self.table.get(&hash).copied();
        let mut others = std::iter::successors(alike, |node| self.nodes[*node].alike);
        let known = others.find(|node| self.nodes[*node].shape == shape && self.children(*node) == children);
        if known.is_some() {
            return known;
        }
        if self.nodes.len() >= self.limits.terms {
            return None;
        }
        let node = self.nodes.len();
        let data = self.terms.sort_data(sort);
        let (arithmetic, integer) = (matches!(data, Sort::Int | Sort::Perm), *data == Sort::Int);
        let before = self.last.insert(shape, node);
        let parts = (self.parts.len(), children.len());
        self.parts.extend(children);
        self.numerals.extend(number.is_some().then_some(node));
        self.nodes.push(Node { shape, parts, sort, number, arithmetic, integer, before, alike });
        self.table.insert(hash, node);
        Some(node)
    }
}

/// Terms that do not occur in facts.
impl Ground<'_> {
    pub(super) fn op(&mut self, op: Op, sort: SortId, children: &[usize]) -> Option<usize> {
        self.node(Shape::Op(op, sort), children, sort, None)
    }
    pub(super) fn truth_of(&mut self, op: Op, children: &[usize]) -> Option<usize> {
        self.op(op, self.nodes[TRUE].sort, children)
    }
    pub(super) fn number(&mut self, value: i64, sort: SortId) -> Option<usize> {
        self.node(Shape::Number(value, sort), &[], sort, Some(Ratio::from(value)))
    }
}
