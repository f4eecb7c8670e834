//! Members and their clauses.

use super::{Annotation, Block, ExprId, Formal, Ident, Type};
use echis_base::{Name, Span};

#[derive(Clone, Debug)]
pub struct Member {
    pub kind: MemberKind,
    /// Including annotations, excluding a trailing `;`.
    pub span: Span,
    /// In source order; several with the same name are equivalent to one with all arguments.
    pub annotations: Vec<Annotation>,
}

#[derive(Clone, Debug)]
pub enum MemberKind {
    /// Only before imports are resolved.
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
    /// `None` for a macro used without parentheses.
    pub params: Option<Vec<Ident>>,
    pub body: MacroBody,
}

#[derive(Clone, Debug)]
pub enum MacroBody {
    Expr(ExprId),
    Stmt(Block),
}

/// The clauses of a method or function. `decreases` clauses may be among either group; their position has no meaning.
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
    /// Without the keyword; for an empty tuple, the empty range at the next token.
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
