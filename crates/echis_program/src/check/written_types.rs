//! Types as written by the user.

use super::Checker;
use super::globals::Global;
use super::suggestions::Fitting;
use super::ty::{Ty, TyId};
use crate::typed::Address;
use echis_base::counted;
use echis_syntax::ast::{self, TypeKind};

impl<'a> Checker<'a> {
    /// Resolves a written type; `None` after reporting an error.
    pub(super) fn resolve_type(&mut self, ty: &'a ast::Type) -> Option<TyId> {
        let resolved = self.resolve_type_part(ty)?;
        self.typed.written_types.insert(Address::of(ty), self.types.to_program(resolved));
        Some(resolved)
    }

    fn resolve_type_part(&mut self, ty: &'a ast::Type) -> Option<TyId> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.resolve_type_kind(ty))
    }

    fn resolve_type_kind(&mut self, ty: &'a ast::Type) -> Option<TyId> {
        let resolved = match &ty.kind {
            TypeKind::Int => Ty::Int,
            TypeKind::Bool => Ty::Bool,
            TypeKind::Perm => Ty::Perm,
            TypeKind::Ref => Ty::Ref,
            TypeKind::Rational => Ty::Rational,
            TypeKind::Seq(element) => Ty::Seq(self.resolve_type_part(element)?),
            TypeKind::Set(element) => Ty::Set(self.resolve_type_part(element)?),
            TypeKind::Multiset(element) => Ty::Multiset(self.resolve_type_part(element)?),
            TypeKind::Map(key, value) => {
                let (key, value) = (self.resolve_type_part(key), self.resolve_type_part(value));
                Ty::Map(key?, value?)
            }
            TypeKind::Named(name, args) => return self.resolve_named_type(ty, name, args),
        };
        let resolved = self.types.intern(resolved);
        if std::mem::take(&mut self.types.overflow) {
            self.error(ty.span, "expected a type of reasonable size, found one nested too deeply");
            return None;
        }
        Some(resolved)
    }

    fn resolve_named_type(&mut self, ty: &'a ast::Type, name: &'a ast::Ident, args: &'a [ast::Type]) -> Option<TyId> {
        let args: Vec<_> = args.iter().map(|arg| self.resolve_type_part(arg)).collect();
        let mut meanings = Vec::new();
        for (index, parameter) in self.type_parameters().enumerate() {
            if parameter.name == name.name {
                meanings.push(self.context.domain.map(|domain| Ty::Parameter(domain, index as u32)));
            }
        }
        let own_parameters = meanings.len();
        for (global, _) in self.globals.all(&name.name) {
            // A parameter with the name of its own domain is reported once, where it is declared.
            if let Global::Domain(domain) = global
                && (own_parameters == 0 || self.context.domain != Some(*domain))
            {
                meanings.push(Some(Ty::Domain(*domain, Vec::new())));
            }
        }
        match &meanings[..] {
            [Some(meaning)] => self.apply_type(ty, meaning.clone(), args),
            [] => {
                self.report(self.not_fitting(ty.span, &name.name, "a type", Fitting::Types));
                Some(self.types.intern(Ty::Unknown(name.name.clone())))
            }
            _ => {
                self.error(ty.span, format!("expected one meaning of `{}`, found several: it is ambiguous", name.name));
                None
            }
        }
    }

    fn apply_type(&mut self, ty: &ast::Type, meaning: Ty, args: Vec<Option<TyId>>) -> Option<TyId> {
        let (name, expected) = match meaning {
            Ty::Domain(domain, _) => (&self.typed.domains[domain].name.name, self.typed.domains[domain].params.len()),
            Ty::Parameter(domain, index) => (&self.typed.domains[domain].params[index as usize].name, 0),
            _ => return None,
        };
        if args.len() != expected {
            let unknown = Ty::Unknown(name.clone());
            let message = format!("expected {} of `{name}`, found {}", counted(expected, "type argument"), args.len());
            self.error(ty.span, message);
            return Some(self.types.intern(unknown));
        }
        let args: Option<Vec<TyId>> = args.into_iter().collect();
        let resolved = match meaning {
            Ty::Domain(domain, _) if expected == 0 && &*self.typed.domains[domain].name.name == "PredicateInstance" => {
                Ty::PredicateInstance
            }
            Ty::Domain(domain, _) => Ty::Domain(domain, args?),
            other => other,
        };
        Some(self.types.intern(resolved))
    }

    /// The type parameters in scope: those of the domain or ADT being checked.
    pub(super) fn type_parameters(&self) -> impl Iterator<Item = &'a ast::Ident> + use<'a> {
        self.context.domain.map_or(&[][..], |domain| self.typed.domains[domain].params).iter()
    }
}
