//! Terms as numbered nodes, equal ones only once.

use super::{Ground, TRUE};
use crate::depend::ratio::Ratio;
use echis_base::FastMap;
use echis_term::{Op, Rational, Sort, SortId, SymbolId, TermId, TermKind};

/// Larger questions are left to the solver.
const MOST_NODES: usize = 900;

pub struct Node {
    pub shape: Shape,
    pub children: Vec<usize>,
    pub sort: SortId,
    /// Of terms of arithmetic sorts.
    pub number: Option<Ratio>,
    pub arithmetic: bool,
    pub integer: bool,
    /// The one before it of the same shape.
    before: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// A quantifier, a literal.
    Opaque(TermId),
    /// A small number of that sort.
    Number(i64, SortId),
    Symbol(SymbolId),
    Op(Op, SortId),
    /// A formula of which nothing is known.
    Unknown(usize),
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
    /// Numbers a term and all its parts, outside quantifiers.
    pub(super) fn add(&mut self, term: TermId) -> Option<usize> {
        let mut numbers = std::mem::take(&mut self.numbers);
        let node = self.instance(term, &mut numbers, &[]);
        self.numbers = numbers;
        node
    }
    /// Numbers a term in which some parts, among them the variables, have numbers already.
    pub(super) fn instance(
        &mut self,
        term: TermId,
        numbers: &mut FastMap<TermId, usize>,
        variables: &[SymbolId],
    ) -> Option<usize> {
        let mut stack = vec![(term, false)];
        while let Some((term, ready)) = stack.pop() {
            if numbers.contains_key(&term) {
                continue;
            }
            let (mut shape, parts) = self.shape(term);
            if !ready && !parts.is_empty() {
                stack.push((term, true));
                stack.extend(parts.iter().map(|part| (*part, false)));
                continue;
            }
            let children = parts.iter().map(|part| numbers.get(part).copied()).collect::<Option<Vec<_>>>()?;
            if matches!(self.terms.kind(term), TermKind::Quant(_)) && self.speaks_of(term, variables) {
                shape = Shape::Unknown(self.nodes.len());
            }
            let number = match self.terms.kind(term) {
                TermKind::Int(value) => Some(Ratio::from(&Rational::from(value.clone()))),
                TermKind::Perm(value) => Some(Ratio::from(value)),
                _ => None,
            };
            let number = number.filter(|number| number.fits());
            let node = self.node(shape, children, self.terms.sort_of(term), number)?;
            numbers.insert(term, node);
        }
        numbers.get(&term).copied()
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
    fn node(&mut self, shape: Shape, children: Vec<usize>, sort: SortId, number: Option<Ratio>) -> Option<usize> {
        let key = (shape, children);
        if let Some(node) = self.table.get(&key) {
            return Some(*node);
        }
        if self.nodes.len() >= MOST_NODES {
            return None;
        }
        let node = self.nodes.len();
        let data = self.terms.sort_data(sort);
        let (arithmetic, integer) = (matches!(data, Sort::Int | Sort::Perm), *data == Sort::Int);
        let before = self.last.insert(shape, node);
        self.nodes.push(Node { shape, children: key.1.clone(), sort, number, arithmetic, integer, before });
        self.table.insert(key, node);
        Some(node)
    }
}

/// Terms that no fact has written.
impl Ground<'_> {
    pub(super) fn op(&mut self, op: Op, sort: SortId, children: &[usize]) -> Option<usize> {
        self.node(Shape::Op(op, sort), children.to_vec(), sort, None)
    }
    pub(super) fn truth_of(&mut self, op: Op, children: &[usize]) -> Option<usize> {
        self.op(op, self.nodes[TRUE].sort, children)
    }
    pub(super) fn number(&mut self, value: i64, sort: SortId) -> Option<usize> {
        self.node(Shape::Number(value, sort), Vec::new(), sort, Some(Ratio::from(value)))
    }
}
