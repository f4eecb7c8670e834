//! The syntax tree: plain data, close to the text. Expressions live in one arena per program so that very deep trees
//! are neither dropped nor copied recursively; everything else is owned by its parent.
//!
//! After [`crate::parse_program`] the tree holds no macro use, no `define` and no `import` any more: members of all
//! files are merged, and each knows its file by its range.

use echis_base::{IndexVec, Name, Span, key};

key!(
    /// An expression of one [`Program`].
    ExprId,
    "e"
);

/// All expressions of one program. Children may have smaller or larger keys than their parent, and entries may be
/// unreachable from the members (macro bodies, for example).
pub type Exprs = IndexVec<ExprId, Expr>;

#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Those of the main file in source order, then those of each imported file.
    pub members: Vec<Member>,
    pub exprs: Exprs,
    /// Some file of the run contains `import <adt/derives.vpr>`, which switches ADT derivations on.
    pub derives_enabled: bool,
}

/// A name where it is declared or used.
#[derive(Clone, Debug)]
pub struct Ident {
    pub name: Name,
    pub span: Span,
}

/// `@name("a", "b")`.
#[derive(Clone, Debug)]
pub struct Annotation {
    pub name: Name,
    pub args: Vec<Name>,
    pub span: Span,
}

/// `x: T` as a parameter, result, bound or local variable, field, or constructor argument. The range covers both.
#[derive(Clone, Debug)]
pub struct Formal {
    pub name: Ident,
    pub ty: Type,
    pub span: Span,
}

// ---------------------------------------------------------------------------------------------------------------
// Members

#[derive(Clone, Debug)]
pub struct Member {
    pub kind: MemberKind,
    /// Including annotations, excluding a trailing `;`.
    pub span: Span,
    /// In source order; several with one name are possible and mean one with the arguments appended.
    pub annotations: Vec<Annotation>,
}

#[derive(Clone, Debug)]
pub enum MemberKind {
    /// Only before imports are followed.
    Import(Import),
    /// Only before macros are expanded.
    Define(Macro),
    /// `field f: Int, g: Ref`.
    Fields(Vec<Formal>),
    Method(Method),
    Function(Function),
    Predicate(Predicate),
    Domain(Domain),
    Adt(Adt),
}

#[derive(Clone, Debug)]
pub struct Import {
    pub path: Name,
    /// `import <p>` rather than `import "p"`.
    pub library: bool,
    pub path_span: Span,
}

#[derive(Clone, Debug)]
pub struct Macro {
    pub name: Ident,
    /// `None` for a macro that is used without parentheses.
    pub params: Option<Vec<Ident>>,
    pub body: MacroBody,
}

#[derive(Clone, Debug)]
pub enum MacroBody {
    Expr(ExprId),
    Stmt(Block),
}

/// What a method or function requires, ensures and decreases. `decreases` clauses may stand among either group;
/// their place has no meaning.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    pub requires: Vec<ExprId>,
    pub ensures: Vec<ExprId>,
    pub decreases: Vec<Decreases>,
}

#[derive(Clone, Debug)]
pub struct Decreases {
    pub kind: DecreasesKind,
    /// `if e`; never with `*`.
    pub condition: Option<ExprId>,
    /// Without the keyword; an empty tuple is the empty range at the next token.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum DecreasesKind {
    /// `decreases e1, e2`; the empty tuple is legal.
    Tuple(Vec<ExprId>),
    /// `decreases _`.
    Wildcard,
    /// `decreases *`.
    Star,
}

#[derive(Clone, Debug)]
pub struct Method {
    pub name: Ident,
    pub params: Vec<Formal>,
    pub returns: Vec<Formal>,
    pub contract: Contract,
    /// `None`: abstract.
    pub body: Option<Block>,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Ident,
    pub params: Vec<Formal>,
    pub result: Type,
    pub contract: Contract,
    /// `None`: abstract.
    pub body: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub struct Predicate {
    pub name: Ident,
    pub params: Vec<Formal>,
    /// `None`: abstract.
    pub body: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub struct Domain {
    pub name: Ident,
    pub params: Vec<Ident>,
    /// `interpretation (SMTLIB: "Int", Boogie: "int")`: a back-end type. `None` without the keyword.
    pub interpretations: Option<Vec<Interpretation>>,
    pub functions: Vec<DomainFunction>,
    pub axioms: Vec<Axiom>,
}

/// `SMTLIB: "(_ BitVec 32)"`.
#[derive(Clone, Debug)]
pub struct Interpretation {
    pub backend: Ident,
    pub text: Name,
}

#[derive(Clone, Debug)]
pub struct DomainFunction {
    pub name: Ident,
    pub unique: bool,
    pub params: Vec<DomainParam>,
    pub result: Type,
    /// `interpretation "bvadd"`.
    pub interpretation: Option<Name>,
    pub span: Span,
    pub annotations: Vec<Annotation>,
}

/// Named or unnamed.
#[derive(Clone, Debug)]
pub struct DomainParam {
    pub name: Option<Ident>,
    pub ty: Type,
}

#[derive(Clone, Debug)]
pub struct Axiom {
    pub name: Option<Ident>,
    pub body: ExprId,
    pub span: Span,
    pub annotations: Vec<Annotation>,
}

#[derive(Clone, Debug)]
pub struct Adt {
    pub name: Ident,
    pub params: Vec<Ident>,
    pub constructors: Vec<Constructor>,
    /// Entries of `derives { … }`; empty without it.
    pub derives: Vec<Derive>,
}

#[derive(Clone, Debug)]
pub struct Constructor {
    pub name: Ident,
    pub args: Vec<Formal>,
    pub span: Span,
    pub annotations: Vec<Annotation>,
}

/// `contains[T] without a, b`.
#[derive(Clone, Debug)]
pub struct Derive {
    pub name: Ident,
    pub arg: Option<Type>,
    pub without: Vec<Ident>,
    pub span: Span,
}

// ---------------------------------------------------------------------------------------------------------------
// Types

#[derive(Clone, Debug)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    Int,
    Bool,
    Perm,
    Ref,
    Rational,
    Seq(Box<Type>),
    Set(Box<Type>),
    Multiset(Box<Type>),
    Map(Box<Type>, Box<Type>),
    /// A domain, an ADT or a type variable.
    Named(Ident, Vec<Type>),
}

// ---------------------------------------------------------------------------------------------------------------
// Statements

/// `{ … }`. Statements of an expanded statement macro stand directly in the block around its use.
#[derive(Clone, Debug)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    /// Including the braces.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    /// Including annotations, excluding a trailing `;`. For a statement of an expanded macro: its place in the body.
    pub span: Span,
    /// For a statement of an expanded macro: the (outermost) use.
    pub macro_use: Option<Span>,
    /// Outer annotations first.
    pub annotations: Vec<Annotation>,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// The operand is an [`ExprKind::Acc`] or an [`ExprKind::Call`] (a bare predicate instance).
    Fold(ExprId),
    Unfold(ExprId),
    Inhale(ExprId),
    Exhale(ExprId),
    Assert(ExprId),
    Assume(ExprId),
    Refute(ExprId),
    /// `if` and each `elseif`: at least one arm.
    If {
        arms: Vec<IfArm>,
        otherwise: Option<Block>,
    },
    While {
        condition: ExprId,
        invariants: Invariants,
        body: Block,
    },
    /// `var x: T, y: U [:= e]`.
    Var {
        vars: Vec<Formal>,
        init: Option<ExprId>,
    },
    Goto(Ident),
    Label {
        name: Ident,
        invariants: Invariants,
    },
    /// The wand is any expression that parses where a wand may stand; the checker insists on a wand.
    Package {
        wand: ExprId,
        script: Option<Block>,
    },
    Apply(ExprId),
    /// `quasihavoc [c ==>] r`.
    Quasihavoc {
        condition: Option<ExprId>,
        resource: ExprId,
    },
    QuasihavocAll {
        vars: Vec<Formal>,
        condition: Option<ExprId>,
        resource: ExprId,
    },
    Block(Block),
    /// `t1, t2 := e` with at least one target; a target is an [`ExprKind::Ident`] or [`ExprKind::Field`].
    Assign {
        targets: Vec<ExprId>,
        value: ExprId,
    },
    /// A method call without results: [`ExprKind::Call`]. A lone [`ExprKind::Ident`] parses too (it may have been
    /// meant as a macro) and is for the checker to reject.
    Call(ExprId),
    /// Only before macros are expanded.
    Define(Macro),
}

/// The condition and body of an `if` or `elseif`.
#[derive(Clone, Debug)]
pub struct IfArm {
    pub condition: ExprId,
    pub body: Block,
    /// From `if` or `elseif` to the end of the whole statement: the range of the nested `if` that it means.
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Invariants {
    pub exprs: Vec<ExprId>,
    pub decreases: Vec<Decreases>,
}

// ---------------------------------------------------------------------------------------------------------------
// Expressions

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
