//! Symbols and terms. Terms are built only by the constructors of [`Terms`](crate::Terms), which keep them simplified
//! and shared.

use crate::operators::Op;
use crate::role::{QuantifierRole, SymbolKind, SymbolRole};
use crate::sort::SortId;
use dashu::{Integer, Rational};
use echis_base::key;
use std::sync::Arc;

key!(TermId, "t");
key!(SymbolId, "f");

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Symbol {
    pub role: SymbolRole,
    pub params: Arc<[SortId]>,
    pub result: SortId,
}

impl Symbol {
    pub fn kind(&self) -> SymbolKind {
        self.role.kind()
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    pub kind: TermKind,
    pub sort: SortId,
    /// The free variables of kind [`SymbolKind::Bound`], in key order.
    pub free: Arc<[SymbolId]>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TermKind {
    Bool(bool),
    Int(Integer),
    Perm(Rational),
    App(SymbolId, Box<[TermId]>),
    Op(Op, Box<[TermId]>),
    Quant(Box<Quant>),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quantifier {
    Forall,
    Exists,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Quant {
    pub quantifier: Quantifier,
    pub vars: Box<[SymbolId]>,
    /// Alternative multi-patterns. If empty, the solver chooses.
    pub triggers: Box<[Box<[TermId]>]>,
    pub body: TermId,
    pub weight: Option<u32>,
    pub role: QuantifierRole,
}
