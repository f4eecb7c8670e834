//! Expressions.

use super::{Resolver, State};
use crate::ast::{Binary, ExprId, ExprKind, Ident, Let, Quantified, Unary};
use crate::program::{Binder, Code, Reference, VarKind};
use crate::types::Type;
use echis_base::{Name, Span};

impl<'a> Resolver<'a> {
    pub(super) fn expr(&mut self, expr: ExprId) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.expr_inner(expr));
    }

    fn expr_inner(&mut self, expr: ExprId) {
        let tree = self.tree;
        let span = tree.exprs[expr].span;
        if self.in_trigger
            && let Some(message) = never_in_triggers(&tree.exprs[expr].kind)
        {
            self.error(span, message);
        }
        match &tree.exprs[expr].kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Bitvector(..)
            | ExprKind::Float(_)
            | ExprKind::RoundingMode(_)
            | ExprKind::Text(_) => {}
            ExprKind::Name(name) => self.name(expr, name, span),
            ExprKind::Call(name, args) => {
                match self.functions.get(name) {
                    Some(function) => {
                        self.program.references.replace(expr, Reference::Function(*function));
                    }
                    None => {
                        self.missing.insert(name.clone());
                        self.error(span, format!("use of undeclared function: {name}"));
                    }
                }
                self.exprs(args);
            }
            ExprKind::Old(inner) => {
                if matches!(self.state, State::None | State::One) {
                    self.error(span, "old expressions allowed only in two-state contexts");
                }
                self.expr(*inner);
            }
            ExprKind::Bounds { .. } => self.error(span, "bitvector bounds in illegal position"),
            ExprKind::Coerce(inner, ty) => {
                self.expr(*inner);
                let ty = self.ty(ty);
                self.program.coercions.replace(expr, ty);
            }
            ExprKind::Unary(_, inner)
            | ExprKind::ToInt(inner)
            | ExprKind::ToReal(inner)
            | ExprKind::Extract { base: inner, .. }
            | ExprKind::Is(inner, _)
            | ExprKind::Field(inner, _) => self.expr(*inner),
            ExprKind::Binary(_, left, right) | ExprKind::Update(left, _, right) => self.exprs(&[*left, *right]),
            ExprKind::Select(base, args) => {
                self.expr(*base);
                self.exprs(args);
            }
            ExprKind::Store(base, args, value) => {
                self.expr(*base);
                self.exprs(args);
                self.expr(*value);
            }
            ExprKind::If(condition, then, otherwise) => self.exprs(&[*condition, *then, *otherwise]),
            ExprKind::Quantified(quantified) => self.quantified(expr, quantified),
            ExprKind::Let(parts) => self.let_expression(expr, parts, span),
            ExprKind::Code(code) => {
                let outer = self.scope.len();
                let locals = self.variables(&code.locals, VarKind::Local);
                let body = self.body(code);
                self.scope.truncate(outer);
                self.program.codes.replace(expr, Code { locals, body });
            }
        }
    }

    fn name(&mut self, expr: ExprId, name: &Name, span: Span) {
        let Some(var) = self.use_var(&Ident { name: name.clone(), span }) else { return };
        if self.program.vars[var].kind == VarKind::Global && self.state == State::None {
            self.error(span, format!("cannot refer to a global variable in this context: {name}"));
        }
        self.program.references.replace(expr, Reference::Var(var));
    }

    fn quantified(&mut self, expr: ExprId, quantified: &'a Quantified) {
        let (outer, outer_types) = (self.scope.len(), self.type_scope.len());
        let type_params = self.type_params(&quantified.type_params);
        let vars = self.variables(&quantified.vars, VarKind::Bound);
        quantified.vars.iter().for_each(|var| self.attributes(&var.attributes));
        self.attributes(&quantified.attributes);
        for (trigger, span) in quantified.triggers.iter().zip(&quantified.trigger_spans) {
            let errors = self.errors.len();
            self.trigger(trigger);
            for term in trigger {
                if let ExprKind::Name(name) = &self.tree.exprs[*term].kind {
                    let message = format!("a matching pattern must be more than just a variable by itself: {name}");
                    self.error(self.tree.exprs[*term].span, message);
                }
            }
            if self.errors.len() == errors {
                self.trigger_mentions_all(&vars, trigger, *span);
            }
        }
        self.trigger(&quantified.excluded);
        self.expr(quantified.body);
        self.scope.truncate(outer);
        self.type_scope.truncate(outer_types);
        self.program.binders.replace(expr, Binder { type_params, vars });
    }
    fn trigger(&mut self, terms: &[ExprId]) {
        let outer = std::mem::replace(&mut self.in_trigger, true);
        self.exprs(terms);
        self.in_trigger = outer;
    }
    fn trigger_mentions_all(&mut self, vars: &[crate::program::VarId], trigger: &[ExprId], span: Span) {
        let mut mentioned = std::collections::BTreeSet::new();
        for term in trigger {
            crate::walk::for_each(self.tree, *term, &mut |part| {
                if let Some(Reference::Var(var)) = self.program.references.get(part) {
                    mentioned.insert(*var);
                }
            });
        }
        for var in vars {
            if !mentioned.contains(var) {
                let name = self.program.vars[*var].name.clone();
                let message = format!("trigger must mention all quantified variables, but does not mention: {name}");
                self.error(span, message);
            }
        }
    }

    fn let_expression(&mut self, expr: ExprId, parts: &'a Let, span: Span) {
        if parts.vars.len() != parts.values.len() {
            self.error(span, "number of left-hand sides does not match number of right-hand sides");
        }
        self.exprs(&parts.values);
        let outer = self.scope.len();
        let declare = |name: &Ident| {
            // The type is that of the value, which is unknown yet.
            let var = self.var(name, Type::Bool, VarKind::Bound, &[]);
            self.bind(name, var, outer);
            var
        };
        let vars = parts.vars.iter().map(declare).collect();
        self.attributes(&parts.attributes);
        self.expr(parts.body);
        self.scope.truncate(outer);
        self.program.binders.replace(expr, Binder { type_params: Vec::new(), vars });
    }
}

/// Why an expression is not allowed in a trigger: solvers match applications.
fn never_in_triggers(kind: &ExprKind) -> Option<&'static str> {
    match kind {
        ExprKind::Unary(Unary::Not, _) => Some("boolean operators are not allowed in triggers"),
        ExprKind::Binary(op, _, _) => match op {
            Binary::Eq => Some("equality is not allowed in triggers"),
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
                Some("arithmetic comparisons are not allowed in triggers")
            }
            Binary::And | Binary::Or | Binary::Implies | Binary::Iff => {
                Some("boolean operators are not allowed in triggers")
            }
            _ => None,
        },
        ExprKind::Quantified(_) => Some("quantifiers are not allowed in triggers"),
        _ => None,
    }
}
