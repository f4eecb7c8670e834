//! Expressions.

use super::{Annotation, ExprId, Formal, Ident, Type};
use echis_base::{Name, Span};

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// Without redundant parentheses, with annotations. For a node of an expanded expression macro: the use.
    pub span: Span,
    /// For a node of an expanded expression macro: its place in the macro's body.
    pub macro_span: Option<Span>,
    pub annotations: Vec<Annotation>,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Bool(bool),
    Null,
    /// The digits as written, leading zeros included.
    Int(Name),
    Perm(PermLiteral),
    Result,
    /// A variable.
    Ident(Name),
    /// A function, domain function, constructor or predicate application; method calls too, as right-hand side of
    /// an assignment or as a statement.
    Call(Box<Call>),
    /// `#P(es)`.
    PredicateInstance(Box<Call>),
    /// `e.f`: field, ADT destructor or discriminator.
    Field {
        receiver: ExprId,
        field: Ident,
    },
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    Binary {
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    },
    /// `a < b <= c`: at least two links. It means `a < b && b <= c`, grouped to the left when longer. All operators
    /// are comparisons or `in`.
    Chain {
        first: ExprId,
        links: Vec<(BinaryOp, ExprId)>,
    },
    /// `c ? t : e`.
    Conditional {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    Old {
        label: OldLabel,
        body: ExprId,
    },
    /// `acc(l [, p])`; the location is a field access or a call (of a predicate).
    Acc {
        location: ExprId,
        amount: Option<ExprId>,
    },
    /// `perm(r)`; the resource is a location or a wand.
    CurrentPerm(ExprId),
    /// `let x == (v) in b`.
    Let {
        var: Ident,
        value: ExprId,
        body: ExprId,
    },
    Forall(Box<Quantifier>),
    Exists(Box<Quantifier>),
    Forperm(Box<Forperm>),
    /// `unfolding a in b`; the access is an [`ExprKind::Acc`] or an [`ExprKind::Call`].
    Unfolding {
        access: ExprId,
        body: ExprId,
    },
    Applying {
        wand: ExprId,
        body: ExprId,
    },
    Asserting {
        assertion: ExprId,
        body: ExprId,
    },
    /// `Seq(..)`, `Set(..)`, `Multiset(..)`; a type only on an empty literal.
    Collection(Box<Collection>),
    /// `Map(k := v, ..)`.
    Map(Box<MapLiteral>),
    /// `domain(m)`.
    MapDomain(ExprId),
    /// `range(m)`.
    MapRange(ExprId),
    /// `new(f, g)`, `new(*)`: only as the whole right-hand side of an assignment, which the checker insists on.
    New(NewFields),
    /// `|c|`.
    Cardinality(ExprId),
    /// `[a, b]`.
    InhaleExhale {
        inhale: ExprId,
        exhale: ExprId,
    },
    /// `[a..b)`.
    Range {
        low: ExprId,
        high: ExprId,
    },
    /// `c[i]`.
    Index {
        base: ExprId,
        index: ExprId,
    },
    /// `c[i := v]`.
    Update {
        base: ExprId,
        index: ExprId,
        value: ExprId,
    },
    /// `s[..j]`.
    Take {
        base: ExprId,
        end: ExprId,
    },
    /// `s[i..]`.
    Drop {
        base: ExprId,
        start: ExprId,
    },
    /// `s[i..j]`.
    Slice {
        base: ExprId,
        start: ExprId,
        end: ExprId,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PermLiteral {
    Write,
    None,
    Wildcard,
    Epsilon,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Not,
    Neg,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Iff,
    Implies,
    Wand,
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    Add,
    Sub,
    Append,
    Union,
    Intersection,
    Setminus,
    Subset,
    Mul,
    /// `/`
    Div,
    /// `\`
    IntDiv,
    Mod,
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
