//! Assignments, initialised declarations and method calls.

use super::Checker;
use super::calls::count;
use super::globals::Global;
use super::infer::{Inference, Outcome};
use super::scope::Variable;
use super::ty::TyId;
use crate::program::MethodId;
use crate::typed::{LocalKind, Use};
use echis_base::Span;
use echis_syntax::ast::{ExprId, ExprKind, NewFields};

/// What is assigned to.
pub(super) struct Target {
    pub(super) span: Span,
    pub(super) ty: TargetType,
}

#[derive(Clone, Copy)]
pub(super) enum TargetType {
    Known(TyId),
    /// The variable's written type means nothing, which was reported there.
    Unknown,
    /// The target is none; it was reported, and the value is then no good either.
    Invalid,
}

impl<'a> Checker<'a> {
    pub(super) fn check_assignment(&mut self, stmt: Span, targets: &'a [ExprId], value: ExprId) {
        let checked: Vec<Target> = targets.iter().map(|target| self.check_target(*target)).collect();
        self.check_value(stmt, &checked, value);
        let takes_temporaries = self.method_called(value).is_some();
        if takes_temporaries {
            self.check_distinct_fields(stmt, targets);
        }
    }

    /// Gives `value` to the targets: a method's results, a new object, or the value of an expression.
    pub(super) fn check_value(&mut self, stmt: Span, targets: &[Target], value: ExprId) {
        if let Some(method) = self.method_called(value) {
            self.check_method_call(stmt, targets, value, method);
            return;
        }
        let [target] = targets else {
            let count = targets.len();
            self.error(stmt, format!("expected a method call to give values to {count} targets, found none"));
            self.check_top(value, None);
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
                if self.infer(value) != Outcome::Error {
                    self.error_at(value, "expected a target that can take this value, found none");
                }
            }
        }
    }

    fn check_target(&mut self, target: ExprId) -> Target {
        let span = self.expr(target).span;
        self.inference = Inference::default();
        let outcome = match &self.expr(target).kind {
            ExprKind::Ident(name) => match self.scopes.lookup(name) {
                Variable::Local(local) if !self.is_assignable(local) => {
                    let message = format!("expected a variable that can be assigned, found `{name}`, which cannot");
                    let declared = self.typed.locals[local].span;
                    self.report(super::error(span, message).related(declared, "declared here"));
                    Outcome::Error
                }
                Variable::Local(local) if self.local_types[local].is_none() => {
                    return Target { span, ty: TargetType::Unknown };
                }
                _ => self.infer(target),
            },
            ExprKind::Field { receiver, field } => self.infer_field(target, *receiver, field),
            _ => {
                self.error_at(target, "expected a variable or field to assign to, found another expression");
                Outcome::Error
            }
        };
        let ty = match outcome {
            Outcome::Type(ty) => {
                self.finish(target);
                TargetType::Known(ty)
            }
            _ => TargetType::Invalid,
        };
        Target { span, ty }
    }

    fn is_assignable(&self, local: crate::program::LocalId) -> bool {
        matches!(self.typed.locals[local].kind, LocalKind::Variable | LocalKind::Return)
    }

    fn method_called(&self, value: ExprId) -> Option<MethodId> {
        let ExprKind::Call(call) = &self.expr(value).kind else { return None };
        match self.globals.all(&call.callee.name) {
            [(Global::Method(method), _)] => Some(*method),
            _ => None,
        }
    }

    fn check_method_call(&mut self, stmt: Span, targets: &[Target], value: ExprId, method: MethodId) {
        let ExprKind::Call(call) = &self.expr(value).kind else { return };
        self.typed.uses.replace(value, Use::Method(method));
        let signature = self.signatures.methods[method].clone();
        let fits = self.check_count(value, "argument", signature.params.len(), call.args.len());
        for (position, arg) in call.args.iter().enumerate() {
            let expected = if fits { signature.params[position] } else { None };
            self.check_top(*arg, expected);
        }
        if signature.returns.len() != targets.len() {
            let (expected, found) = (signature.returns.len(), targets.len());
            let message = format!(
                "expected {} for the results of `{}`, found {found}",
                count(expected, "target"),
                call.callee.name
            );
            self.error(stmt, message);
            return;
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

    /// Results go through temporaries, so that two of them must not end up in one field.
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
        let is_method = |global| matches!(global, Global::Method(_));
        match self.resolve_global(&called.callee, "a method", is_method) {
            Some(Global::Method(method)) => self.check_method_call(stmt, &[], call, method),
            _ => called.args.iter().for_each(|arg| self.check_top(*arg, None)),
        }
    }
}
