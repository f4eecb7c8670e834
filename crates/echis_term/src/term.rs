//! The vocabulary: sorts, symbols, operators, terms. Terms are built only by the constructors of
//! [`Terms`](crate::Terms), which keep them simplified and shared.

use dashu::{Integer, Rational};
use echis_base::{Name, key};
use std::sync::Arc;

key!(TermId, "t");
key!(SymbolId, "f");
key!(SortId, "s");

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Bool,
    Int,
    /// Exact rationals.
    Perm,
    Ref,
    /// Trees of values: `unit`, `combine(a, b)`, and wrapped values of other sorts.
    Snap,
    Seq(SortId),
    Set(SortId),
    Multiset(SortId),
    Map(SortId, SortId),
    /// An instance of a domain under a name that is unique in the program.
    User(Name),
    /// A sort of the solver's own, spliced as SMT-LIB text.
    Interpreted(Name),
    /// A sort under a name that is SMT-LIB text, after commands that declare what the text speaks of.
    Declared {
        name: Name,
        commands: Name,
    },
    /// The values of a quantified resource: from `Ref` (fields) or `Snap` (argument tuples of predicates and
    /// wands) to values. One sort for each resource, so that its axioms fire for it alone.
    SnapMap {
        resource: Name,
        key: SortId,
        value: SortId,
    },
    /// The value of a wand: a function from the snapshot of its left side to that of its right side.
    WandMap,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolKind {
    /// Declared to the solver: a constant or an uninterpreted function.
    Function,
    /// A variable that some quantifier binds. While a quantifier's body is being evaluated it stands for an
    /// arbitrary value, and is declared like a constant.
    Bound,
    /// An operator of the solver's own, its name spliced as SMT-LIB text.
    Interpreted,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Symbol {
    pub name: Name,
    pub params: Arc<[SortId]>,
    pub result: SortId,
    pub kind: SymbolKind,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    pub kind: TermKind,
    pub sort: SortId,
    /// The variables of kind [`SymbolKind::Bound`] that occur free, in key order.
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
    /// Alternatives of multi-patterns. Empty: the solver chooses.
    pub triggers: Box<[Box<[TermId]>]>,
    pub body: TermId,
    pub weight: Option<u32>,
    /// For profiles: where the quantifier comes from.
    pub name: Name,
}

/// Interpreted operators. Collections are axiomatised by the solver layer, the rest is the solver's own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    Not,
    And,
    Or,
    Implies,
    Ite,
    /// Any sort. On collections it is extensional equality.
    Eq,
    Distinct,

    /// `Int` or `Perm`, n-ary.
    Add,
    Sub,
    Neg,
    /// Binary.
    Mul,
    /// Euclidean, on `Int`.
    Div,
    Mod,
    /// On `Perm`.
    PermDiv,
    /// `Int` to `Perm`.
    ToPerm,
    Lt,
    Le,
    /// On `Perm`.
    Min,
    Max,

    Null,

    Unit,
    Combine,
    First,
    Second,
    /// A value as a snapshot, and back.
    Wrap(SortId),
    Unwrap(SortId),

    /// `SnapMap`: the value at a key; the set of keys (`Set` of the key sort).
    Lookup,
    KeySet,
    /// `SnapMap × key → Bool`: always true; a mark that quantifiers trigger on.
    LookupMark,
    /// `WandMap × Snap → Snap`
    ApplyWand,

    SeqEmpty(SortId),
    SeqSingleton,
    SeqAppend,
    SeqLength,
    SeqIndex,
    SeqUpdate,
    SeqTake,
    SeqDrop,
    SeqRange,
    /// The sequence is the first operand, the element the second, for all containers.
    SeqContains,

    SetEmpty(SortId),
    SetSingleton,
    /// `SetAdd(s, x)`
    SetAdd,
    SetUnion,
    SetIntersection,
    SetDifference,
    SetSubset,
    SetContains,
    SetCardinality,

    MultisetEmpty(SortId),
    MultisetSingleton,
    MultisetAdd,
    MultisetUnion,
    MultisetIntersection,
    MultisetDifference,
    MultisetSubset,
    MultisetCount,
    MultisetCardinality,

    MapEmpty(SortId),
    MapUpdate,
    MapLookup,
    MapContains,
    MapDomain,
    MapRange,
    MapCardinality,
}
