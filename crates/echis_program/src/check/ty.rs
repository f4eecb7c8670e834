//! The checker's types: interned, with inference variables and the pseudo types of assertions.

use crate::program::{DomainId, Type};
use crate::typed::Typed;
use echis_base::{IndexVec, Name, key};
use std::collections::HashMap;

key!(
    /// An interned type; equal types have equal keys.
    TyId,
    "ty"
);
key!(
    /// A type to be inferred within one top-level expression.
    VarId,
    "?"
);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Ty {
    Int,
    Bool,
    Perm,
    /// The deprecated subtype of `Perm`.
    Rational,
    Ref,
    PredicateInstance,
    Seq(TyId),
    Set(TyId),
    Multiset(TyId),
    Map(TyId, TyId),
    Domain(DomainId, Vec<TyId>),
    /// A parameter of the domain or ADT.
    Parameter(DomainId, u32),
    /// An invalid type, which was reported; it differs from all others.
    Unknown(Name),
    Var(VarId),
    // Assertions. `Bool`, predicate accesses and wands are all assertions.
    Assertion,
    PredicateAccess,
    Wand,
}

/// The table of types.
pub(super) struct Types {
    table: IndexVec<TyId, Entry>,
    keys: HashMap<Ty, TyId>,
    /// Set when inference built a type beyond [`MAX_SIZE`]; the type was replaced by `Int`.
    pub(super) overflow: bool,
}

struct Entry {
    ty: Ty,
    has_vars: bool,
    depth: u32,
    size: u32,
}

/// Limits for types, which in real programs have a handful of nodes: they bound stack and memory for malicious ones.
const MAX_DEPTH: u32 = 500;
const MAX_SIZE: u32 = 10_000;

pub(super) const INT: usize = 0;
const BASIC: [Ty; 9] = [
    Ty::Int,
    Ty::Bool,
    Ty::Perm,
    Ty::Rational,
    Ty::Ref,
    Ty::PredicateInstance,
    Ty::Assertion,
    Ty::PredicateAccess,
    Ty::Wand,
];

impl Types {
    pub(super) fn new() -> Self {
        let mut types = Types { table: IndexVec::new(), keys: HashMap::new(), overflow: false };
        BASIC.into_iter().for_each(|ty| {
            types.intern(ty);
        });
        types
    }
    fn basic(index: usize) -> TyId {
        echis_base::Key::new(index)
    }
    pub(super) fn int(&self) -> TyId {
        Self::basic(INT)
    }
    pub(super) fn bool(&self) -> TyId {
        Self::basic(1)
    }
    pub(super) fn perm(&self) -> TyId {
        Self::basic(2)
    }
    pub(super) fn reference(&self) -> TyId {
        Self::basic(4)
    }
    pub(super) fn predicate_instance(&self) -> TyId {
        Self::basic(5)
    }
    pub(super) fn assertion(&self) -> TyId {
        Self::basic(6)
    }
    pub(super) fn predicate_access(&self) -> TyId {
        Self::basic(7)
    }
    pub(super) fn wand(&self) -> TyId {
        Self::basic(8)
    }
    /// Whether values of this type are assertions that are not plain Booleans.
    pub(super) fn is_impure(&self, ty: TyId) -> bool {
        matches!(self.get(ty), Ty::Assertion | Ty::PredicateAccess | Ty::Wand)
    }

    pub(super) fn get(&self, ty: TyId) -> &Ty {
        &self.table[ty].ty
    }
    pub(super) fn has_vars(&self, ty: TyId) -> bool {
        self.table[ty].has_vars
    }

    pub(super) fn intern(&mut self, ty: Ty) -> TyId {
        if let Some(found) = self.keys.get(&ty) {
            return *found;
        }
        let (mut depth, mut size, mut has_vars) = (0, 1u32, matches!(ty, Ty::Var(_)));
        for part in parts(&ty) {
            let part = &self.table[part];
            depth = depth.max(part.depth + 1);
            size = size.saturating_add(part.size);
            has_vars |= part.has_vars;
        }
        if depth > MAX_DEPTH || size > MAX_SIZE {
            self.overflow = true;
            return self.int();
        }
        let key = self.table.push(Entry { ty: ty.clone(), has_vars, depth, size });
        self.keys.insert(ty, key);
        key
    }

    /// Replaces parameters of `domain` by `args`.
    pub(super) fn instantiate(&mut self, ty: TyId, domain: DomainId, args: &[TyId]) -> TyId {
        if args.is_empty() {
            return ty;
        }
        if let Ty::Parameter(owner, index) = self.get(ty) {
            return if *owner == domain { args[*index as usize] } else { ty };
        }
        self.map_parts(ty, &mut |types, part| types.instantiate(part, domain, args))
    }

    /// Rebuilds a type with each direct part replaced.
    pub(super) fn map_parts(&mut self, ty: TyId, change: &mut dyn FnMut(&mut Types, TyId) -> TyId) -> TyId {
        let changed = match self.get(ty).clone() {
            Ty::Seq(part) => Ty::Seq(change(self, part)),
            Ty::Set(part) => Ty::Set(change(self, part)),
            Ty::Multiset(part) => Ty::Multiset(change(self, part)),
            Ty::Map(key, value) => Ty::Map(change(self, key), change(self, value)),
            Ty::Domain(domain, args) if !args.is_empty() => {
                Ty::Domain(domain, args.into_iter().map(|arg| change(self, arg)).collect())
            }
            _ => return ty,
        };
        self.intern(changed)
    }

    /// The type in the typed program. Nothing is built from unknown types, which become `Int`.
    pub(super) fn to_program(&self, ty: TyId) -> Type {
        let part = |ty: &TyId| Box::new(self.to_program(*ty));
        match self.get(ty) {
            Ty::Int | Ty::Var(_) | Ty::Unknown(_) => Type::Int,
            Ty::Bool | Ty::Assertion | Ty::PredicateAccess | Ty::Wand => Type::Bool,
            Ty::Perm | Ty::Rational => Type::Perm,
            Ty::Ref => Type::Ref,
            Ty::PredicateInstance => Type::PredicateInstance,
            Ty::Seq(element) => Type::Seq(part(element)),
            Ty::Set(element) => Type::Set(part(element)),
            Ty::Multiset(element) => Type::Multiset(part(element)),
            Ty::Map(key, value) => Type::Map(part(key), part(value)),
            Ty::Domain(domain, args) => Type::Domain(*domain, args.iter().map(|arg| self.to_program(*arg)).collect()),
            Ty::Parameter(_, index) => Type::Parameter(*index),
        }
    }

    /// In source syntax.
    pub(super) fn show(&self, typed: &Typed, ty: TyId) -> String {
        let part = |ty: &TyId| self.show(typed, *ty);
        match self.get(ty) {
            Ty::Int => "Int".into(),
            Ty::Bool => "Bool".into(),
            Ty::Perm => "Perm".into(),
            Ty::Rational => "Rational".into(),
            Ty::Ref => "Ref".into(),
            Ty::PredicateInstance => "PredicateInstance".into(),
            Ty::Seq(element) => format!("Seq[{}]", part(element)),
            Ty::Set(element) => format!("Set[{}]", part(element)),
            Ty::Multiset(element) => format!("Multiset[{}]", part(element)),
            Ty::Map(key, value) => format!("Map[{}, {}]", part(key), part(value)),
            Ty::Domain(domain, args) if args.is_empty() => typed.domains[*domain].name.name.to_string(),
            Ty::Domain(domain, args) => {
                let args: Vec<_> = args.iter().map(part).collect();
                format!("{}[{}]", typed.domains[*domain].name.name, args.join(", "))
            }
            Ty::Parameter(domain, index) => typed.domains[*domain].params[*index as usize].name.to_string(),
            Ty::Unknown(name) => format!("the unknown type `{name}`"),
            Ty::Var(_) => "_".into(),
            Ty::Assertion => "an assertion".into(),
            Ty::PredicateAccess => "a predicate access".into(),
            Ty::Wand => "a magic wand".into(),
        }
    }
}

pub(super) fn parts(ty: &Ty) -> Vec<TyId> {
    match ty {
        Ty::Seq(part) | Ty::Set(part) | Ty::Multiset(part) => vec![*part],
        Ty::Map(key, value) => vec![*key, *value],
        Ty::Domain(_, args) => args.clone(),
        _ => Vec::new(),
    }
}
