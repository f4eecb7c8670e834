//! Types.

use crate::untagged;
use echis_syntax::ast::{self, Ident, TypeKind};

/// A type of the language.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Type {
    /// Integers.
    Int,
    /// Truth values.
    Bool,
    /// Amounts of permission.
    Perm,
    /// References.
    Ref,
    /// Rational numbers.
    Rational,
    /// Sequences.
    Seq(Box<Type>),
    /// Sets.
    Set(Box<Type>),
    /// Multisets.
    Multiset(Box<Type>),
    /// Maps from keys to values.
    Map(Box<Type>, Box<Type>),
    /// A domain or an ADT with its type arguments, or a type variable.
    Named(String, Vec<Type>),
}

impl Type {
    /// Sequences of a type.
    pub fn seq(element: Type) -> Type {
        Type::Seq(Box::new(element))
    }
    /// Sets of a type.
    pub fn set(element: Type) -> Type {
        Type::Set(Box::new(element))
    }
    /// Multisets of a type.
    pub fn multiset(element: Type) -> Type {
        Type::Multiset(Box::new(element))
    }
    /// Maps from keys of a type to values of another.
    pub fn map(key: Type, value: Type) -> Type {
        Type::Map(Box::new(key), Box::new(value))
    }
    /// A domain or ADT without type parameters, or a type variable.
    pub fn named(name: impl Into<String>) -> Type {
        Type::Named(name.into(), Vec::new())
    }

    pub(crate) fn lower(&self, ident: &mut dyn FnMut(&str) -> Ident) -> ast::Type {
        let mut boxed = |ty: &Type| Box::new(ty.lower(ident));
        let kind = match self {
            Type::Int => TypeKind::Int,
            Type::Bool => TypeKind::Bool,
            Type::Perm => TypeKind::Perm,
            Type::Ref => TypeKind::Ref,
            Type::Rational => TypeKind::Rational,
            Type::Seq(element) => TypeKind::Seq(boxed(element)),
            Type::Set(element) => TypeKind::Set(boxed(element)),
            Type::Multiset(element) => TypeKind::Multiset(boxed(element)),
            Type::Map(key, value) => TypeKind::Map(boxed(key), boxed(value)),
            Type::Named(name, args) => {
                let name = ident(name);
                TypeKind::Named(name, args.iter().map(|arg| arg.lower(ident)).collect())
            }
        };
        ast::Type { kind, span: untagged() }
    }
}
