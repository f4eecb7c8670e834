//! Builds Viper programs node by node, for front ends written in Rust.
//!
//! Expressions, statements and members may carry an *origin*: any value chosen by the caller that identifies where
//! the node comes from. A built program is printed as Viper text and parsed again, so every rule of the language is
//! checked by the same code as for written programs; [`Built::origins`] then maps ranges of that text to origins.
//!
//! ```
//! use echis_build::{Method, ProgramBuilder, Type};
//!
//! let mut builder = ProgramBuilder::<u64>::new();
//! let (x, ten) = (builder.var("x"), builder.int(10));
//! let small = builder.lt(x, ten);
//! let small = builder.at(small, 42);
//! let assert = builder.assert(small);
//! builder.method(Method::new("m").param("x", Type::Int).body([assert]));
//! let built = builder.finish().expect("all names are identifiers");
//! assert_eq!(built.text, "method m(x: Int)\n{\n  assert x < 10\n}\n");
//! ```
//!
//! Handles are `Copy` and may be used several times; an expression that is used twice is printed twice.

#![warn(missing_docs)]

mod expr;
mod member;
mod origins;
mod stmt;
mod ty;

pub use echis_syntax::ast::{BinaryOp, UnaryOp};
pub use member::{Adt, Axiom, Constructor, Decreases, Domain, DomainFunction, Function, Method, Param, Predicate};
pub use origins::{BUILT_NAME, Built, Origins, Syntax};
pub use stmt::{Loop, Stmt};
pub use ty::Type;

use echis_base::{FileId, Key, Name, Span};
use echis_syntax::ast::{self, Annotation, ExprId, ExprKind, Exprs, Ident};
use echis_syntax::is_identifier;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

/// An expression of one builder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expr {
    builder: u32,
    id: ExprId,
}

/// Builds one program. `O` is the type of origins. Handles of a builder are also valid for its clones.
#[derive(Clone)]
pub struct ProgramBuilder<O = u64> {
    /// Distinguishes handles of different builders.
    number: u32,
    exprs: Exprs,
    members: Vec<ast::Member>,
    /// The origin with index `i` belongs to nodes with tag `i + 1`; tag 0 means none.
    origins: Vec<O>,
    problems: Vec<Problem>,
}

/// Why a program could not be built.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// A name is not an identifier of the language, or is one of its keywords.
    Name(String),
    /// A string is empty, starts with white space or contains a quotation mark, for which Viper has no escape.
    Text(String),
    /// An integer literal contains something other than digits.
    Digits(String),
    /// An expression or statement of another builder was used.
    Foreign,
    /// The nodes do not form a program that can be printed, for example because statements are nested too deeply.
    Unreadable(String),
    /// A problem that the caller reported.
    Other(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Name(name) => write!(f, "`{name}` is not an identifier, or is a keyword"),
            Problem::Text(text) => {
                write!(
                    f,
                    "{text:?} cannot be written as a string: it is empty, or has a quotation mark or leading space"
                )
            }
            Problem::Digits(text) => write!(f, "`{text}` is not an integer"),
            Problem::Foreign => f.write_str("an expression or statement was made by another builder"),
            Problem::Other(message) => f.write_str(message),
            Problem::Unreadable(message) => write!(f, "the program cannot be written down: {message}"),
        }
    }
}

impl std::error::Error for Problem {}

impl<O> Default for ProgramBuilder<O> {
    fn default() -> Self {
        Self::new()
    }
}

impl<O> ProgramBuilder<O> {
    /// A program without members.
    pub fn new() -> Self {
        static BUILDERS: AtomicU32 = AtomicU32::new(0);
        ProgramBuilder {
            number: BUILDERS.fetch_add(1, Ordering::Relaxed),
            exprs: Exprs::new(),
            members: Vec::new(),
            origins: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// A copy of the expression with an origin.
    pub fn at(&mut self, expr: Expr, origin: O) -> Expr {
        let id = self.own(expr);
        let span = self.tag(Some(origin));
        let copy = ast::Expr { span, ..self.exprs[id].clone() };
        self.push(copy)
    }

    /// A copy of the expression with an annotation `@name("args", …)`.
    pub fn annotate<A: AsRef<str>>(&mut self, expr: Expr, name: &str, args: impl IntoIterator<Item = A>) -> Expr {
        let id = self.own(expr);
        let annotation = self.annotation(name, args);
        let mut copy = self.exprs[id].clone();
        copy.annotations.push(annotation);
        self.push(copy)
    }

    /// Records a problem found by the caller; [`finish`](Self::finish) reports it with the others.
    pub fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn push(&mut self, expr: ast::Expr) -> Expr {
        Expr { builder: self.number, id: self.exprs.push(expr) }
    }

    fn expr(&mut self, kind: ExprKind) -> Expr {
        self.push(ast::Expr { kind, span: untagged(), macro_span: None, annotations: Vec::new() })
    }

    fn own(&mut self, expr: Expr) -> ExprId {
        if expr.builder == self.number {
            return expr.id;
        }
        self.problems.push(Problem::Foreign);
        self.null().id
    }

    fn own_all(&mut self, exprs: impl IntoIterator<Item = Expr>) -> Vec<ExprId> {
        exprs.into_iter().map(|expr| self.own(expr)).collect()
    }

    fn tag(&mut self, origin: Option<O>) -> Span {
        let tag = origin.map_or(0, |origin| {
            self.origins.push(origin);
            u32::try_from(self.origins.len()).expect("a program has fewer than 2^32 nodes")
        });
        Span::new(FileId::new(0), tag, tag)
    }

    fn name(&mut self, name: &str) -> Name {
        if !is_identifier(name) {
            self.problems.push(Problem::Name(name.to_owned()));
        }
        name.into()
    }

    fn ident(&mut self, name: &str) -> Ident {
        Ident { name: self.name(name), span: untagged() }
    }

    fn text(&mut self, text: &str) -> Name {
        if text.is_empty() || text.contains('"') || text.starts_with([' ', '\t', '\r', '\n']) {
            self.problems.push(Problem::Text(text.to_owned()));
        }
        text.into()
    }

    fn annotation<A: AsRef<str>>(&mut self, name: &str, args: impl IntoIterator<Item = A>) -> Annotation {
        let name = self.name(name);
        let args = args.into_iter().map(|arg| self.text(arg.as_ref())).collect();
        Annotation { name, args, span: untagged() }
    }

    fn ty(&mut self, ty: &Type) -> ast::Type {
        ty.lower(&mut |name| self.ident(name))
    }
}

/// The range of a node without an origin.
fn untagged() -> Span {
    Span::new(FileId::new(0), 0, 0)
}
