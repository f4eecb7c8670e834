//! Types.

use super::{Resolver, TypeName};
use crate::ast::{self, Ident, TypeKind};
use crate::types::{Instance, Type, TypeVar};
use echis_base::{Name, Span};
use std::collections::BTreeSet;

impl<'a> Resolver<'a> {
    pub(super) fn ty(&mut self, ty: &'a ast::Type) -> Type {
        match &ty.kind {
            TypeKind::Bool => Type::Bool,
            TypeKind::Int => Type::Int,
            TypeKind::Real => Type::Real,
            TypeKind::Named(name, args) => self.named_type(name, args, ty.span),
            TypeKind::Map { params, args, result } => {
                let outer = self.type_scope.len();
                let params = self.type_params(params);
                let args: Vec<Type> = args.iter().map(|arg| self.ty(arg)).collect();
                let result = self.ty(result);
                let all: Vec<Type> = args.iter().chain([&result]).cloned().collect();
                self.occurs(&params, &all, "map arguments", ty.span);
                self.type_scope.truncate(outer);
                Type::map(sorted(&params, &all), args, result)
            }
        }
    }

    fn named_type(&mut self, name: &Name, args: &'a [ast::Type], span: Span) -> Type {
        if let Some(ty) = Type::built_in(name) {
            if !args.is_empty() {
                let what = match ty {
                    Type::Bitvector(_) => "bitvector types",
                    Type::Float(_) => "float types",
                    Type::RoundingMode => "rounding mode type",
                    Type::Text => "string type",
                    _ => "regex type",
                };
                self.error(span, format!("{what} must not be applied to arguments: {name}"));
            }
            return ty;
        }
        if let Some((_, var)) = self.type_scope.iter().rev().find(|(known, _)| known == name) {
            let var = *var;
            if !args.is_empty() {
                self.error(span, format!("type variables must not be applied to arguments: {name}"));
            }
            return Type::Var(var);
        }
        match self.type_names.get(name).copied() {
            Some(TypeName::Constructor(constructor)) => {
                if self.program.constructors[constructor].arity != args.len() {
                    self.error(span, format!("type constructor received wrong number of arguments: {name}"));
                    return Type::Bool;
                }
                Type::Named(constructor, args.iter().map(|arg| self.ty(arg)).collect())
            }
            Some(TypeName::Synonym(index)) => self.synonym(index, args, span),
            None => {
                self.missing.insert(name.clone());
                let message = format!("undeclared type: {name} (replacing with \"bool\" to continue resolving)");
                self.error(span, message);
                Type::Bool
            }
        }
    }

    fn synonym(&mut self, index: usize, args: &'a [ast::Type], span: Span) -> Type {
        let decl = self.synonyms[index].decl;
        let name = decl.name.name.clone();
        if decl.params.len() != args.len() {
            self.error(span, format!("type synonym received wrong number of arguments: {name}"));
            return Type::Bool;
        }
        let (params, meaning) = self.meaning(index);
        let args: Vec<Type> = args.iter().map(|arg| self.ty(arg)).collect();
        let instance: Instance = params.into_iter().zip(args.iter().cloned()).collect();
        Type::Synonym(name, args.into(), meaning.replace(&instance).into())
    }
    /// Cyclic synonyms are errors, and replaced by `bool`.
    pub(super) fn break_cycles(&mut self) {
        let uses: Vec<BTreeSet<usize>> = self.synonyms.iter().map(|synonym| self.used(synonym.decl)).collect();
        let mut fine: BTreeSet<usize> = BTreeSet::new();
        loop {
            let more: Vec<usize> =
                (0..uses.len()).filter(|one| !fine.contains(one) && uses[*one].is_subset(&fine)).collect();
            if more.is_empty() {
                break;
            }
            fine.extend(more);
        }
        for index in (0..uses.len()).filter(|one| !fine.contains(one)) {
            let decl = self.synonyms[index].decl;
            let message = format!(
                "type synonym could not be resolved because of cycles: {} (replacing body with \"bool\" to continue \
                 resolving)",
                decl.name.name
            );
            self.error(decl.name.span, message);
            let outer = std::mem::take(&mut self.type_scope);
            let params = self.type_params(&decl.params);
            self.type_scope = outer;
            self.synonyms[index].meaning = Some((params, Type::Bool));
        }
    }
    /// The synonyms that a synonym's meaning mentions. Its parameters hide others.
    fn used(&self, decl: &ast::TypeDecl) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut pending: Vec<&ast::Type> = decl.synonym.iter().collect();
        while let Some(ty) = pending.pop() {
            match &ty.kind {
                TypeKind::Named(name, args) => {
                    let is_param = decl.params.iter().any(|param| param.name == *name);
                    if let (false, Some(TypeName::Synonym(index))) = (is_param, self.type_names.get(name)) {
                        found.insert(*index);
                    }
                    pending.extend(args);
                }
                TypeKind::Map { args, result, .. } => pending.extend(args.iter().chain([&**result])),
                TypeKind::Bool | TypeKind::Int | TypeKind::Real => {}
            }
        }
        found
    }

    /// The meaning of a synonym. None is cyclic.
    pub(super) fn meaning(&mut self, index: usize) -> (Vec<TypeVar>, Type) {
        if let Some(known) = &self.synonyms[index].meaning {
            return known.clone();
        }
        let decl = self.synonyms[index].decl;
        let outer = std::mem::take(&mut self.type_scope);
        let params = self.type_params(&decl.params);
        let body = decl.synonym.as_ref().map_or(Type::Bool, |body| self.ty(body));
        self.type_scope = outer;
        self.synonyms[index].meaning = Some((params.clone(), body.clone()));
        (params, body)
    }

    /// Brings type variables into scope. They do not hide others.
    pub(super) fn type_params(&mut self, params: &[Ident]) -> Vec<TypeVar> {
        let mut declare = |param: &Ident| {
            let var = self.program.names.vars.push(param.name.clone());
            if self.type_scope.iter().any(|(known, _)| *known == param.name) {
                self.error(param.span, format!("more than one declaration of type variable: {}", param.name));
                self.repeated.insert(var);
            } else {
                self.type_scope.push((param.name.clone(), var));
            }
            var
        };
        params.iter().map(&mut declare).collect()
    }
    pub(super) fn occurs(&mut self, params: &[TypeVar], types: &[Type], place: &str, span: Span) {
        for param in params {
            if !self.repeated.contains(param) && !types.iter().any(|ty| ty.mentions(*param)) {
                let name = self.program.names.vars[*param].clone();
                self.error(span, format!("type variable must occur in {place}: {name}"));
            }
        }
    }
}

/// Parameters in order of first occurrence, so that types that differ only in that order are equal.
fn sorted(params: &[TypeVar], args: &[Type]) -> Vec<TypeVar> {
    let occurring: Vec<TypeVar> = args.iter().flat_map(Type::free_vars).collect();
    let position = |param: &TypeVar| occurring.iter().position(|var| var == param);
    let mut params = params.to_vec();
    params.sort_by_key(|param| position(param).unwrap_or(usize::MAX));
    params
}
