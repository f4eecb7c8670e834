//! The syntax tree: plain data, close to the text. Expressions live in one arena per program so that very deep trees
//! are neither dropped nor copied recursively; everything else is owned by its parent.
//!
//! After [`crate::parse_program`], the tree contains no macro uses, `define`s or `import`s: the members of all files
//! are merged, and each knows its file by its range.

mod expr;
mod member;
mod part;
mod stmt;

use echis_base::{IndexVec, Name, Span, key};

pub use expr::*;
pub use member::*;
pub use part::*;
pub use stmt::*;

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
    /// Members of the main file in source order, followed by those of each imported file.
    pub members: Vec<Member>,
    pub exprs: Exprs,
    /// Whether some file contains `import <adt/derives.vpr>`, which enables ADT derivations.
    pub derives_enabled: bool,
}

/// A name at its declaration or use.
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
