//! Programs built node by node, for translations to Boogie. The tree is the one that the parser makes of the printed program.

mod expr;
mod tree;

pub use expr::{Binder, Expr, call, conditional, decimal, exists, forall, int, lambda, let_in, no, var, yes};
pub use tree::Builder;

use crate::ast::Mark;
use echis_base::Name;
use std::fmt;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Type {
    Bool,
    Int,
    Real,
    Named(Name),
    Map(Vec<Type>, Box<Type>),
}

impl Type {
    pub fn named(name: &str) -> Self {
        Type::Named(name.into())
    }
    pub fn map(args: Vec<Type>, result: Type) -> Self {
        Type::Map(args, Box::new(result))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => out.write_str("bool"),
            Type::Int => out.write_str("int"),
            Type::Real => out.write_str("real"),
            Type::Named(name) => out.write_str(name),
            Type::Map(args, result) => {
                let args: Vec<String> = args.iter().map(Type::to_string).collect();
                write!(out, "[{}]{result}", args.join(","))
            }
        }
    }
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Assume(Expr),
    Assert {
        condition: Expr,
        mark: Mark,
        /// Whether it is known afterwards.
        known: bool,
    },
    /// To a variable, or to maps in it at indices.
    Assign(Expr, Expr),
    Havoc(Vec<Name>),
    Label(Name),
    Goto(Name),
    /// Without a condition, either side may be taken.
    If {
        condition: Option<Expr>,
        then: Vec<Stmt>,
        otherwise: Option<Vec<Stmt>>,
    },
}
