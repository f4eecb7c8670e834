//! Applications, selections `e.a`, and the places where a resource is named.

use super::Checker;
use super::globals::Global;
use super::infer::{Inferred, Origin, Signature};
use super::members::Callable;
use super::suggestions::Fitting;
use super::ty::{Ty, TyId};
use crate::program::{DomainId, PredicateId};
use crate::typed::{DomainKind, Use};
use echis_base::{Span, counted};
use echis_syntax::ast::{self, BinaryOp, ExprId, ExprKind};

/// A callable, with fresh variables for the type parameters.
struct Callee {
    usage: Use,
    type_args: Vec<TyId>,
    params: Vec<Option<TyId>>,
    result: Option<TyId>,
}

impl<'a> Checker<'a> {
    /// The single global with this name that `fits`, or an error at the name with what was `expected`.
    pub(super) fn resolve_global(
        &mut self,
        name: &ast::Ident,
        expected: &str,
        fits: impl Fn(Global) -> bool,
    ) -> Option<Global> {
        let found: Vec<Global> =
            self.globals.all(&name.name).iter().map(|(global, _)| *global).filter(|global| fits(*global)).collect();
        match found[..] {
            [only] => Some(only),
            [] => {
                self.report(self.not_fitting(name.span, &name.name, expected, Fitting::Globals(&fits)));
                None
            }
            _ => {
                let message = format!("expected one declaration of `{}`, found several: it is ambiguous", name.name);
                self.error(name.span, message);
                None
            }
        }
    }

    pub(super) fn infer_call(&mut self, id: ExprId, call: &'a ast::Call) -> Inferred {
        let args: Vec<_> = call.args.iter().map(|arg| self.operand(*arg)).collect();
        let ascribed = call.ascription.as_ref().map(|ty| self.resolve_type(ty));
        if ascribed == Some(None) || args.iter().any(|(_, outcome)| *outcome == Inferred::Error) {
            return Inferred::Error;
        }
        let Some(callee) = self.resolve_callee(id, &call.callee) else { return Inferred::Error };
        if !self.check_count(id, "argument", callee.params.len(), args.len()) {
            return Inferred::Error;
        }
        let params: Option<Vec<TyId>> = callee.params.into_iter().collect();
        let (Some(params), Some(result)) = (params, callee.result) else { return Inferred::Error };
        if ascribed.flatten().is_some_and(|ascribed| !self.ascribe(id, &callee.usage, ascribed, result)) {
            return Inferred::Error;
        }
        match callee.usage {
            usage @ (Use::DomainFunction { .. } | Use::Constructor { .. }) => {
                self.inference.uses.push((id, usage, callee.type_args));
            }
            usage => self.typed.uses.replace(id, usage),
        }
        self.apply(id, &args, vec![Signature { params, result }])
    }

    pub(super) fn check_count(&mut self, id: ExprId, what: &str, expected: usize, found: usize) -> bool {
        if expected != found {
            self.error_at(id, format!("expected {}, found {found}", counted(expected, what)));
        }
        expected == found
    }

    fn ascribe(&mut self, id: ExprId, usage: &Use, ascribed: TyId, result: TyId) -> bool {
        if let Use::Predicate(_) = usage {
            self.error_at(id, "expected a predicate access without a type, found one with a type");
            return false;
        }
        let mut binds = Vec::new();
        if !self.inference.fits(&mut self.types, ascribed, result, &mut binds) {
            self.mismatch(id, &[ascribed], &[result]);
            return false;
        }
        self.inference.commit(&mut self.types, &binds);
        true
    }

    fn resolve_callee(&mut self, id: ExprId, name: &ast::Ident) -> Option<Callee> {
        let callable = |global| !matches!(global, Global::Field(_) | Global::Method(_) | Global::Domain(_));
        let span = self.expr(id).span;
        let expected = "a function or predicate";
        if !self.globals.all(&name.name).iter().any(|(global, _)| callable(*global)) {
            self.report(self.not_fitting(name.span, &name.name, expected, Fitting::Applied(&callable)));
            return None;
        }
        match self.resolve_global(name, expected, callable)? {
            Global::Function(function) => {
                if self.context.in_axiom && !self.typed.functions[function].decl.contract.requires.is_empty() {
                    let message = format!(
                        "expected a function without precondition in an axiom, found `{}`, which has one",
                        name.name
                    );
                    self.error(name.span, message);
                }
                let Callable { params, result } = self.signatures.functions[function].clone();
                Some(Callee { usage: Use::Function(function), type_args: Vec::new(), params, result })
            }
            Global::Predicate(predicate) => {
                let params = self.signatures.predicates[predicate].clone();
                let result = Some(self.types.predicate_access());
                Some(Callee { usage: Use::Predicate(predicate), type_args: Vec::new(), params, result })
            }
            Global::DomainFunction(function) => {
                let domain = self.typed.domain_functions[function].domain;
                let callable = self.signatures.domain_functions[function].clone();
                let usage = Use::DomainFunction { function, type_args: Vec::new() };
                Some(self.instantiate(usage, domain, callable, span))
            }
            Global::Constructor(adt, constructor) => {
                let callable = self.signatures.constructors[adt][constructor].clone();
                let usage = Use::Constructor { adt, constructor, type_args: Vec::new() };
                Some(self.instantiate(usage, adt, callable, span))
            }
            Global::Field(_) | Global::Method(_) | Global::Domain(_) => None,
        }
    }

    fn instantiate(&mut self, usage: Use, domain: DomainId, callable: Callable, span: Span) -> Callee {
        let type_args = self.fresh_args(domain, span);
        let mut instance = |ty: Option<TyId>| ty.map(|ty| self.types.instantiate(ty, domain, &type_args));
        let params = callable.params.into_iter().map(&mut instance).collect();
        let result = instance(callable.result);
        Callee { usage, params, result, type_args }
    }

    fn fresh_args(&mut self, domain: DomainId, span: Span) -> Vec<TyId> {
        let count = self.typed.domains[domain].params.len() as u32;
        let origins = (0..count).map(|index| Origin { span, owner: Some((domain, index)) });
        origins.map(|origin| self.inference.fresh(&mut self.types, origin)).collect()
    }

    /// `#P(es)`
    pub(super) fn infer_predicate_instance(&mut self, id: ExprId, call: &'a ast::Call) -> Inferred {
        let args: Vec<_> = call.args.iter().map(|arg| self.operand(*arg)).collect();
        let is_predicate = |global| matches!(global, Global::Predicate(_));
        let Some(Global::Predicate(predicate)) = self.resolve_global(&call.callee, "a predicate", is_predicate) else {
            return Inferred::Error;
        };
        let params = self.signatures.predicates[predicate].clone();
        if !self.check_count(id, "argument", params.len(), args.len()) {
            return Inferred::Error;
        }
        let Some(params) = params.into_iter().collect() else { return Inferred::Error };
        self.typed.uses.replace(id, Use::Predicate(predicate));
        self.apply(id, &args, vec![Signature { params, result: self.types.predicate_instance() }])
    }

    /// `e.a`: a field if there is one with this name, else a destructor, else a discriminator.
    pub(super) fn infer_selection(&mut self, id: ExprId, receiver: ExprId, name: &'a ast::Ident) -> Inferred {
        let is_field = self.globals.all(&name.name).iter().any(|(global, _)| matches!(global, Global::Field(_)));
        // A field with a discriminator's name is reported where it is declared.
        if is_field && self.globals.discriminated(&name.name).is_none() {
            return self.infer_field(id, receiver, name);
        }
        let receiver = self.operand(receiver);
        if !self.globals.destructors(&name.name).is_empty() {
            self.infer_destructor(id, receiver, name)
        } else if let Some((adt, constructor)) = self.globals.discriminated(&name.name) {
            let args = self.fresh_args(adt, self.expr(id).span);
            let expected = self.types.intern(Ty::Domain(adt, args));
            self.typed.uses.replace(id, Use::Discriminator { adt, constructor });
            self.apply(id, &[receiver], vec![Signature { params: vec![expected], result: self.types.bool() }])
        } else if receiver.1 == Inferred::Error {
            Inferred::Error
        } else {
            let expected = match self.globals.has_adts() {
                true => "a field, destructor or discriminator",
                false => "a field",
            };
            self.report(self.not_fitting(name.span, &name.name, expected, Fitting::Parts));
            Inferred::Error
        }
    }

    /// `e.f` where only a field is allowed.
    pub(super) fn infer_field(&mut self, id: ExprId, receiver: ExprId, name: &'a ast::Ident) -> Inferred {
        let receiver = self.operand(receiver);
        if receiver.1 == Inferred::Error {
            return Inferred::Error;
        }
        let is_field = |global| matches!(global, Global::Field(_));
        let Some(Global::Field(field)) = self.resolve_global(name, "a field", is_field) else {
            return Inferred::Error;
        };
        self.typed.uses.replace(id, Use::Field(field));
        let params = vec![self.types.reference()];
        match self.signatures.fields[field] {
            Some(result) => self.apply(id, &[receiver], vec![Signature { params, result }]),
            None => Inferred::Error,
        }
    }

    fn infer_destructor(&mut self, id: ExprId, receiver: (ExprId, Inferred), name: &ast::Ident) -> Inferred {
        let Some(first) = self.inference.possible(receiver.0, receiver.1).first().copied() else {
            return Inferred::Error;
        };
        let receiver_type = self.inference.head(&self.types, first, &Vec::new());
        let found = match self.types.get(receiver_type).clone() {
            Ty::Domain(adt, args) => self.globals.destructor_of(adt, &name.name).map(|found| (found, args)),
            _ => None,
        };
        let Some((destructor, args)) = found else {
            let found = self.types.show(&self.typed, receiver_type);
            let message = format!("expected an ADT with a constructor argument `{}`, found {found}", name.name);
            self.error_at(id, message);
            return Inferred::Error;
        };
        let super::globals::Destructor { adt, constructor, argument } = destructor;
        let callable = &self.signatures.constructors[adt][constructor];
        let Some(result) = callable.params[argument] else { return Inferred::Error };
        let result = self.types.instantiate(result, adt, &args);
        self.typed.uses.replace(id, Use::Destructor { adt, constructor, argument });
        self.apply(id, &[receiver], vec![Signature { params: vec![receiver_type], result }])
    }

    pub(super) fn infer_acc(&mut self, id: ExprId, location: ExprId, amount: Option<ExprId>) -> Inferred {
        let location = self.infer_location(location);
        let amount = amount.map(|amount| self.operand(amount));
        let Inferred::Type(ty) = location else { return Inferred::Error };
        let predicate = self.types.predicate_access();
        let result = if ty == predicate { predicate } else { self.types.assertion() };
        match amount {
            Some(amount) => self.apply(id, &[amount], vec![Signature { params: vec![self.types.perm()], result }]),
            None => self.known(id, result),
        }
    }

    /// A field or predicate access: the operand of `acc`.
    fn infer_location(&mut self, id: ExprId) -> Inferred {
        let outcome = match &self.expr(id).kind {
            ExprKind::Field { receiver, field } => return self.infer_field(id, *receiver, field),
            _ => self.infer(id),
        };
        if outcome == Inferred::Error || outcome == Inferred::Type(self.types.predicate_access()) {
            return outcome;
        }
        let found = self.inference.possible(id, outcome);
        self.wrong_kind(id, "a field or predicate access", &found)
    }

    /// A field access, predicate access or wand: the operand of `perm`, `forperm` and `quasihavoc`.
    pub(super) fn infer_resource(&mut self, id: ExprId) -> Inferred {
        match &self.expr(id).kind {
            ExprKind::Binary { op: BinaryOp::Wand, .. } => self.infer(id),
            _ => self.infer_location(id),
        }
    }

    /// Whether the expression has the form of a resource, regardless of what its names mean.
    pub(super) fn looks_like_resource(&self, id: ExprId) -> bool {
        match &self.expr(id).kind {
            ExprKind::Field { .. } | ExprKind::Binary { op: BinaryOp::Wand, .. } => true,
            ExprKind::Call(call) => self.predicate_named(&call.callee.name).is_some(),
            _ => false,
        }
    }

    /// The operand of `package`, `apply` and `applying`: a literal wand, not an expression with a wand as its value.
    pub(super) fn infer_wand(&mut self, id: ExprId) -> Inferred {
        let outcome = self.infer(id);
        let is_written = matches!(self.expr(id).kind, ExprKind::Binary { op: BinaryOp::Wand, .. });
        if outcome == Inferred::Error || is_written {
            return outcome;
        }
        if outcome == Inferred::Type(self.types.wand()) {
            self.error_at(id, "expected a magic wand `A --* B`, found an expression around one");
            return Inferred::Error;
        }
        let found = self.inference.possible(id, outcome);
        self.wrong_kind(id, "a magic wand", &found)
    }

    /// The operand of `fold`, `unfold` and `unfolding`: an access to a predicate with a body.
    pub(super) fn infer_foldable(&mut self, id: ExprId) -> Inferred {
        let outcome = self.infer_access(id);
        let location = match &self.expr(id).kind {
            ExprKind::Acc { location, .. } => *location,
            _ => id,
        };
        if let ExprKind::Call(call) = &self.expr(location).kind
            && let Some(predicate) = self.predicate_named(&call.callee.name)
            && self.typed.predicates[predicate].decl.body.is_none()
        {
            let name = &call.callee.name;
            let message = format!("expected a predicate with a body, found `{name}`, which is abstract");
            self.error(call.callee.span, message);
            return Inferred::Error;
        }
        if outcome == Inferred::Error || outcome == Inferred::Type(self.types.predicate_access()) {
            return outcome;
        }
        let found = self.inference.possible(id, outcome);
        self.wrong_kind(id, "a predicate access", &found)
    }

    /// A function in place of a predicate is reported, regardless of its arguments.
    fn infer_access(&mut self, id: ExprId) -> Inferred {
        let location = match &self.expr(id).kind {
            ExprKind::Acc { location, .. } => *location,
            _ => id,
        };
        if let ExprKind::Call(call) = &self.expr(location).kind
            && self.predicate_named(&call.callee.name).is_none()
        {
            let fits = |global| matches!(global, Global::Predicate(_));
            let name = &call.callee;
            self.report(self.not_fitting(name.span, &name.name, "a predicate", Fitting::Globals(&fits)));
            let amount = match &self.expr(id).kind {
                ExprKind::Acc { amount, .. } => *amount,
                _ => None,
            };
            for part in call.args.iter().copied().chain(amount) {
                self.infer(part);
            }
            return Inferred::Error;
        }
        self.infer(id)
    }

    fn predicate_named(&self, name: &str) -> Option<PredicateId> {
        self.globals.all(name).iter().find_map(|(global, _)| match global {
            Global::Predicate(predicate) => Some(*predicate),
            _ => None,
        })
    }

    fn wrong_kind(&mut self, id: ExprId, expected: &str, found: &[TyId]) -> Inferred {
        let found = found.first().map_or("something else".into(), |ty| {
            let ty = self.inference.resolve(&mut self.types, *ty, &Vec::new());
            self.types.show(&self.typed, ty)
        });
        self.error_at(id, format!("expected {expected}, found {found}"));
        Inferred::Error
    }

    /// Whether a domain function has an interpretation by the solver.
    pub(super) fn is_interpreted(&self, usage: &Use) -> bool {
        let Use::DomainFunction { function, .. } = usage else { return false };
        let function = &self.typed.domain_functions[*function];
        let interpreted = function.decl.interpretation.is_some();
        interpreted && matches!(self.typed.domains[function.domain].kind, DomainKind::Domain { .. })
    }
}
