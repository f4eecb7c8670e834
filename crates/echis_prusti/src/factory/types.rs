//! Types.

use super::AstFactory;
use crate::arena::{Type, push};
use echis_build as build;

impl<'a> AstFactory<'a> {
    pub(super) fn add_type(&self, ty: build::Type) -> Type<'a> {
        Type::new(push(&mut self.tables().types, ty))
    }
    pub fn int_type(&self) -> Type<'a> {
        self.add_type(build::Type::Int)
    }
    pub fn bool_type(&self) -> Type<'a> {
        self.add_type(build::Type::Bool)
    }
    pub fn perm_type(&self) -> Type<'a> {
        self.add_type(build::Type::Perm)
    }
    pub fn ref_type(&self) -> Type<'a> {
        self.add_type(build::Type::Ref)
    }
    /// The type of magic wands. Wands are assertions, so this is `Bool`.
    pub fn wand_type(&self) -> Type<'a> {
        self.bool_type()
    }
    pub fn type_var(&self, name: &str) -> Type<'a> {
        self.add_type(build::Type::named(name))
    }
    /// An instance of a domain. Type parameters that are not in the map stay unchanged.
    pub fn domain_type(
        &self,
        domain_name: &str,
        partial_typ_vars_map: &[(Type, Type)],
        type_parameters: &[Type],
    ) -> Type<'a> {
        let args = type_parameters.iter().map(|parameter| self.substituted(&self.ty(*parameter), partial_typ_vars_map));
        self.add_type(build::Type::Named(domain_name.to_owned(), args.collect()))
    }
    pub fn set_type(&self, element_type: Type) -> Type<'a> {
        self.add_type(build::Type::set(self.ty(element_type)))
    }
    pub fn multiset_type(&self, element_type: Type) -> Type<'a> {
        self.add_type(build::Type::multiset(self.ty(element_type)))
    }
    pub fn seq_type(&self, element_type: Type) -> Type<'a> {
        self.add_type(build::Type::seq(self.ty(element_type)))
    }
    pub fn map_type(&self, key_type: Type, val_type: Type) -> Type<'a> {
        self.add_type(build::Type::map(self.ty(key_type), self.ty(val_type)))
    }

    /// Substitutes type variables in a type.
    pub(super) fn substituted(&self, ty: &build::Type, map: &[(Type, Type)]) -> build::Type {
        use build::Type::*;
        if let Some((_, value)) = map.iter().find(|(variable, _)| self.ty(*variable) == *ty) {
            return self.ty(*value);
        }
        let inside = |ty: &build::Type| Box::new(self.substituted(ty, map));
        match ty {
            Seq(element) => Seq(inside(element)),
            Set(element) => Set(inside(element)),
            Multiset(element) => Multiset(inside(element)),
            Map(key, value) => Map(inside(key), inside(value)),
            Named(name, args) => Named(name.clone(), args.iter().map(|arg| self.substituted(arg, map)).collect()),
            other => other.clone(),
        }
    }
}
