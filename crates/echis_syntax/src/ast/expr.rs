//! Expressions.

pub use crate::op::{BinaryOp, UnaryOp};

use super::{Annotation, Binder, Copied, Copier, ExprId, Formal, Ident, Parts, Type};
use echis_base::{Name, Span, kinds};

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// Without redundant parentheses, with annotations. For a node from an expression macro: the range of the use.
    pub span: Span,
    /// For a node from an expression macro: its range in the macro's body.
    pub macro_span: Option<Span>,
    pub annotations: Vec<Annotation>,
}

kinds! {
    copied by Copier;
    #[derive(Clone, Debug)]
    pub enum ExprKind: &'static str {
        Bool(value: bool) = "";
        Null = "null";
        /// The digits as written, leading zeros included.
        Int(digits: Name) = "";
        Perm(literal: PermLiteral) = "";
        Result = "result";
        /// A variable.
        Ident(name: Name) = "";
        /// A function, domain function, constructor or predicate application; also method calls, on the right-hand
        /// side of an assignment or as a statement.
        Call(call: Box<Call>) = "call";
        /// `#P(es)`.
        PredicateInstance(call: Box<Call>) = "#call";
        /// `e.f`: field, ADT destructor or discriminator.
        Field { receiver: ExprId, field: Ident } = ".";
        Unary { op: UnaryOp, operand: ExprId } = "";
        Binary { op: BinaryOp, left: ExprId, right: ExprId } = "";
        /// `a < b <= c`: at least two links. It means `a < b && b <= c`, left-associative when longer. All operators
        /// are comparisons or `in`.
        Chain { first: ExprId, links: Vec<(BinaryOp, ExprId)> } = "chain";
        /// `c ? t : e`.
        Conditional { condition: ExprId, then: ExprId, otherwise: ExprId } = "?";
        Old { label: OldLabel, body: ExprId } = "old";
        /// `acc(l [, p])`; the location is a field access or a call (of a predicate).
        Acc { location: ExprId, amount: Option<ExprId> } = "acc";
        /// `perm(r)`; the resource is a location or a wand.
        CurrentPerm(resource: ExprId) = "perm";
        /// `let x == (v) in b`.
        Let { value: ExprId, var: Binder, body: ExprId } = "let";
        Forall(quantifier: Box<Quantifier>) = "forall";
        Exists(quantifier: Box<Quantifier>) = "exists";
        Forperm(forperm: Box<Forperm>) = "forperm";
        /// `unfolding a in b`; the access is an [`ExprKind::Acc`] or an [`ExprKind::Call`].
        Unfolding { access: ExprId, body: ExprId } = "unfolding";
        Applying { wand: ExprId, body: ExprId } = "applying";
        Asserting { assertion: ExprId, body: ExprId } = "asserting";
        /// `Seq(..)`, `Set(..)`, `Multiset(..)`; a type only on an empty literal.
        Collection(collection: Box<Collection>) = "";
        /// `Map(k := v, ..)`.
        Map(map: Box<MapLiteral>) = "Map";
        /// `domain(m)`.
        MapDomain(map: ExprId) = "domain";
        /// `range(m)`.
        MapRange(map: ExprId) = "range";
        /// `new(f, g)`, `new(*)`: only as the whole right-hand side of an assignment, which the checker enforces.
        New(fields: NewFields) = "new";
        /// `|c|`.
        Cardinality(collection: ExprId) = "size";
        /// `[a, b]`.
        InhaleExhale { inhale: ExprId, exhale: ExprId } = "inhale-exhale";
        /// `[a..b)`.
        Range { low: ExprId, high: ExprId } = "range..";
        /// `c[i]`.
        Index { base: ExprId, index: ExprId } = "index";
        /// `c[i := v]`.
        Update { base: ExprId, index: ExprId, value: ExprId } = "update";
        /// `s[..j]`.
        Take { base: ExprId, end: ExprId } = "take";
        /// `s[i..]`.
        Drop { base: ExprId, start: ExprId } = "drop";
        /// `s[i..j]`.
        Slice { base: ExprId, start: ExprId, end: ExprId } = "slice";
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PermLiteral {
    Write,
    None,
    Wildcard,
    Epsilon,
}

impl PermLiteral {
    pub fn text(self) -> &'static str {
        match self {
            PermLiteral::Write => "write",
            PermLiteral::None => "none",
            PermLiteral::Wildcard => "wildcard",
            PermLiteral::Epsilon => "epsilon",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Call {
    pub callee: Ident,
    pub args: Vec<ExprId>,
    /// `(f(x): T)`.
    pub ascription: Option<Type>,
}

#[derive(Clone, Debug)]
pub enum OldLabel {
    /// `old(e)`.
    Start,
    /// `old[l](e)`.
    Label(Ident),
    /// `old[lhs](e)`.
    Lhs,
}

#[derive(Clone, Debug)]
pub struct Quantifier {
    pub vars: Vec<Formal>,
    pub triggers: Vec<Trigger>,
    pub body: ExprId,
}

/// `{ t1, t2 }`; `{}` parses.
#[derive(Clone, Debug)]
pub struct Trigger {
    pub terms: Vec<ExprId>,
    pub span: Span,
}

/// `forperm xs [r] :: b`.
#[derive(Clone, Debug)]
pub struct Forperm {
    pub vars: Vec<Formal>,
    pub resource: ExprId,
    pub body: ExprId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CollectionKind {
    Seq,
    Set,
    Multiset,
}

impl CollectionKind {
    pub fn text(self) -> &'static str {
        match self {
            CollectionKind::Seq => "Seq",
            CollectionKind::Set => "Set",
            CollectionKind::Multiset => "Multiset",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Collection {
    pub kind: CollectionKind,
    pub element: Option<Type>,
    pub elements: Vec<ExprId>,
}

#[derive(Clone, Debug)]
pub struct MapLiteral {
    pub types: Option<(Type, Type)>,
    pub entries: Vec<(ExprId, ExprId)>,
}

#[derive(Clone, Debug)]
pub enum NewFields {
    /// `new(*)`.
    All,
    Fields(Vec<Ident>),
}
