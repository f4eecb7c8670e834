//! Assignments, initialised declarations and method calls.

use super::Checker;
use super::globals::Global;
use super::infer::{Inference, Inferred};
use super::suggestions::Fitting;
use super::ty::TyId;
use crate::program::{LocalId, MethodId};
use crate::typed::{LocalKind, Use};
use echis_base::{Name, Span, counted};
use echis_syntax::ast::{self, ExprId, ExprKind, NewFields};

/// The callee of the right-hand side.
enum Called {
    Method(MethodId),
    /// An undeclared name.
    Nothing,
    /// A function, or the right-hand side is not a call.
    Other,
}

/// An assignment target.
pub(super) struct Target {
    pub(super) span: Span,
    pub(super) ty: TargetType,
}

#[derive(Clone, Copy)]
pub(super) enum TargetType {
    Known(TyId),
    /// The variable's written type is invalid, which was reported there.
    Unknown,
    /// The target is invalid; this was reported, and the value is then not checked.
    Invalid,
}

impl<'a> Checker<'a> {
    pub(super) fn check_assignment(&mut self, stmt: Span, targets: &'a [ExprId], value: ExprId) {
        let checked: Vec<Target> = targets.iter().map(|target| self.check_target(*target)).collect();
        self.check_value(stmt, &checked, value);
        if let Called::Method(_) = self.called(value) {
            self.check_distinct_fields(stmt, targets);
        }
    }

    /// Checks that `value` can be assigned to the targets: a method's results, a new object, or an expression.
    pub(super) fn check_value(&mut self, stmt: Span, targets: &[Target], value: ExprId) {
        match self.called(value) {
            Called::Method(method) => return self.check_method_call(stmt, targets, value, method),
            Called::Nothing => return self.report_unknown_callee(value),
            Called::Other => {}
        }
        let [target] = targets else {
            let count = targets.len();
            self.error(stmt, format!("expected a method call to give values to {count} targets, found none"));
            return;
        };
        if let ExprKind::New(fields) = &self.expr(value).kind {
            self.check_new(target, value, fields);
            return;
        }
        match target.ty {
            TargetType::Known(ty) => self.check_top(value, Some(ty)),
            TargetType::Unknown => self.check_top(value, None),
            TargetType::Invalid => {
                self.inference = Inference::default();
                if self.infer(value) != Inferred::Error {
                    // The error in the target was already reported.
                    let message = "expected a target that can take this value, found none";
                    let (span, place) = (self.expr(value).span, self.expr(value).macro_span);
                    self.report_from_macro(super::error(span, message).as_consequence(), place);
                }
            }
        }
    }

    fn check_target(&mut self, target: ExprId) -> Target {
        let span = self.expr(target).span;
        self.inference = Inference::default();
        let outcome = match &self.expr(target).kind {
            ExprKind::Ident(name) => self.infer_assigned_variable(target, name),
            ExprKind::Field { receiver, field } => self.infer_assigned_field(target, *receiver, field),
            _ => {
                self.error_at(target, "expected a variable or field to assign to, found another expression");
                Inferred::Error
            }
        };
        let ty = match outcome {
            Inferred::Type(ty) => {
                self.finish(target);
                TargetType::Known(ty)
            }
            _ => TargetType::Invalid,
        };
        Target { span, ty }
    }

    /// Parameters and bound variables are not assignable, so they do not compete for the name.
    fn infer_assigned_variable(&mut self, target: ExprId, name: &Name) -> Inferred {
        let visible = self.scopes.visible(name);
        let assignable: Vec<LocalId> = visible.iter().copied().filter(|local| self.is_assignable(*local)).collect();
        match (&assignable[..], visible.last()) {
            ([local], _) => {
                self.typed.uses.replace(target, Use::Variable(*local));
                match self.local_types[*local] {
                    Some(ty) => self.known(target, ty),
                    None => Inferred::Error,
                }
            }
            ([], Some(local)) => {
                let declared = self.typed.locals[*local].span;
                let message = format!("expected a variable that can be assigned, found `{name}`, which cannot");
                self.report(super::error(self.expr(target).span, message).related(declared, "declared here"));
                Inferred::Error
            }
            _ => self.infer(target),
        }
    }

    /// An unknown field is reported regardless of the receiver.
    fn infer_assigned_field(&mut self, target: ExprId, receiver: ExprId, field: &'a ast::Ident) -> Inferred {
        let is_field = |global| matches!(global, Global::Field(_));
        match self.resolve_global(field, "a field", is_field) {
            Some(_) => self.infer_field(target, receiver, field),
            None => Inferred::Error,
        }
    }

    fn is_assignable(&self, local: LocalId) -> bool {
        matches!(self.typed.locals[local].kind, LocalKind::Variable | LocalKind::Return)
    }

    fn called(&self, value: ExprId) -> Called {
        let ExprKind::Call(call) = &self.expr(value).kind else { return Called::Other };
        match self.globals.all(&call.callee.name) {
            [(Global::Method(method), _)] => Called::Method(*method),
            [] => Called::Nothing,
            _ => Called::Other,
        }
    }

    /// Reports an unknown callee. The arguments are not checked.
    fn report_unknown_callee(&mut self, value: ExprId) {
        if let ExprKind::Call(call) = &self.expr(value).kind {
            let fits = |global| !matches!(global, Global::Field(_) | Global::Domain(_) | Global::Predicate(_));
            let (name, fitting) = (&call.callee, Fitting::Applied(&fits));
            self.report(self.not_fitting(name.span, &name.name, "a function or method", fitting));
        }
    }

    fn check_method_call(&mut self, stmt: Span, targets: &[Target], value: ExprId, method: MethodId) {
        let ExprKind::Call(call) = &self.expr(value).kind else { return };
        self.typed.uses.replace(value, Use::Method(method));
        let signature = self.signatures.methods[method].clone();
        if !self.check_count(value, "argument", signature.params.len(), call.args.len()) {
            return;
        }
        if signature.returns.len() != targets.len() {
            let (expected, found) = (counted(signature.returns.len(), "target"), targets.len());
            let message = format!("expected {expected} for the results of `{}`, found {found}", call.callee.name);
            self.error(stmt, message);
            return;
        }
        for (arg, expected) in call.args.iter().zip(signature.params) {
            self.check_top(*arg, expected);
        }
        for (target, result) in targets.iter().zip(signature.returns) {
            self.check_result(target, result);
        }
    }

    fn check_result(&mut self, target: &Target, result: Option<TyId>) {
        let (TargetType::Known(ty), Some(result)) = (target.ty, result) else { return };
        self.inference = Inference::default();
        if !self.inference.fits(&mut self.types, ty, result, &mut Vec::new()) {
            let (expected, found) = (self.types.show(&self.typed, result), self.types.show(&self.typed, ty));
            self.error(target.span, format!("expected a target of type {expected}, found {found}"));
        }
    }

    fn check_new(&mut self, target: &Target, value: ExprId, fields: &'a NewFields) {
        self.check_result(target, Some(self.types.reference()));
        let named = match fields {
            NewFields::All => self.typed.fields.keys().collect(),
            NewFields::Fields(names) => {
                let is_field = |global| matches!(global, Global::Field(_));
                let mut found = Vec::new();
                for name in names {
                    if let Some(Global::Field(field)) = self.resolve_global(name, "a field", is_field) {
                        found.push(field);
                    }
                }
                found
            }
        };
        self.typed.new_fields.replace(value, named);
    }

    /// Results go through temporaries, so two of them must not be assigned to the same field.
    fn check_distinct_fields(&mut self, stmt: Span, targets: &[ExprId]) {
        let mut seen = Vec::new();
        for target in targets {
            let Some(Use::Field(field)) = self.typed.uses.get(*target) else { continue };
            if seen.contains(field) {
                let name = &self.typed.fields[*field].decl.name.name;
                let message = format!("expected targets with different fields, found `{name}` twice");
                self.late.push(super::error(stmt, message));
                return;
            }
            seen.push(*field);
        }
    }

    /// A call as a statement of its own.
    pub(super) fn check_call_statement(&mut self, stmt: Span, call: ExprId) {
        let ExprKind::Call(called) = &self.expr(call).kind else {
            self.error(stmt, "expected a statement, found an expression");
            return;
        };
        let methods: Vec<MethodId> = self.methods_named(&called.callee.name);
        match methods[..] {
            [method] => self.check_method_call(stmt, &[], call, method),
            [] => {
                let name = &called.callee;
                self.report(self.not_fitting(name.span, &name.name, "a method", Fitting::Called));
            }
            _ => {
                let message = format!("expected one method `{}`, found several: it is ambiguous", called.callee.name);
                self.error_at(call, message);
            }
        }
    }

    fn methods_named(&self, name: &str) -> Vec<MethodId> {
        let method = |(global, _): &(Global, Span)| match global {
            Global::Method(method) => Some(*method),
            _ => None,
        };
        self.globals.all(name).iter().filter_map(method).collect()
    }
}
