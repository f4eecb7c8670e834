//! Type checking of all expressions. Error messages are Boogie's own.

mod decl;
mod expr;
mod operators;
mod stmt;

use crate::ast::{Argument, Attribute, ExprId};
use crate::attributes::Known;
use crate::program::{Program, VarId};
use crate::types::{Instance, Type, TypeVar};
use crate::unify::Unifier;
use echis_base::{Diagnostic, SideTable, Span};
use std::collections::BTreeMap;

pub const TYPE_ERROR: &str = "typechecker.error";

/// Determines the types of all expressions.
pub fn check(program: &mut Program) -> Vec<Diagnostic> {
    let unifier = Unifier::default();
    let mut checker = Checker {
        program,
        unifier,
        frame: Vec::new(),
        uses: Vec::new(),
        errors: Vec::new(),
        misapplied: BTreeMap::new(),
        late_errors: Vec::new(),
    };
    checker.declarations();
    checker.finish();
    if checker.errors.is_empty() {
        checker.errors = checker.late_errors;
    }
    checker.errors
}

pub(crate) struct Checker<'a> {
    program: &'a mut Program,
    unifier: Unifier,
    /// The globals that the procedure may modify.
    frame: Vec<VarId>,
    /// Index operations on values of open types: the value's type, those of the indices, and that of the result.
    uses: Vec<(ExprId, Type, Vec<Type>, Type)>,
    errors: Vec<Diagnostic>,
    /// The types of applications with wrong argument types: Boogie continues with these if they are a whole clause.
    misapplied: BTreeMap<ExprId, Type>,
    /// Errors reported only if there are no others.
    late_errors: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(TYPE_ERROR, span, message));
    }
    fn text(&self, ty: &Type) -> String {
        self.unifier.shape_text(ty).unwrap_or_else(|| self.unifier.solve(ty).text(&self.program.names))
    }
    /// Open types for type parameters.
    fn open(&mut self, params: &[TypeVar]) -> Instance {
        params.iter().map(|param| (*param, self.unifier.open())).collect()
    }
    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            for argument in &attribute.args {
                let Argument::Expr(expr) = argument else { continue };
                let found = self.expr(*expr);
                let is_bool = |ty: &Type| *ty == Type::Bool;
                if attribute.is(Known::VerifiedUnder)
                    && attribute.args.len() == 1
                    && !found.is_some_and(|ty| is_bool(&self.unifier.head(&ty)))
                {
                    self.error(attribute.span, "attribute :verified_under accepts only one argument of type bool");
                }
            }
            let is_text = matches!(attribute.args[..], [Argument::Text(_)]);
            if attribute.is(Known::VerifiedUnder) && is_text {
                self.error(attribute.span, "attribute :verified_under accepts only one argument of type bool");
            }
        }
    }
    /// Checks that an expression is a proposition, or reports an error.
    fn proposition(&mut self, at: Span, expr: ExprId, message: &str) {
        let ty = self.expr(expr).or_else(|| self.misapplied.get(&expr).cloned());
        if let Some(ty) = ty
            && !self.unifier.unify(&ty, &Type::Bool)
        {
            let text = self.text(&ty);
            self.error(at, message.replace("{}", &text));
        }
    }

    /// Writes the inferred types back into the program.
    fn finish(&mut self) {
        self.unifier.choose(&mut self.program.names);
        for (expr, map, args, result) in std::mem::take(&mut self.uses) {
            if let Type::Map(map) = self.unifier.head(&map)
                && let Some(instance) = self.unifier.instance_at(&map, &args, &result)
            {
                self.program.instances.replace(expr, instance);
            }
        }
        let unifier = &self.unifier;
        let solve_all = |instances: &Instance| -> Instance {
            instances.iter().map(|(param, ty)| (*param, unifier.solve(ty).expanded())).collect()
        };
        let solve = |ty: &Type| unifier.solve(ty).expanded();
        let program = &mut *self.program;
        program.types = mapped(&program.types, solve);
        program.instances = mapped(&program.instances, solve_all);
        for (_, var) in program.vars.iter_mut() {
            var.ty = unifier.solve(&var.ty);
        }
        for (_, implementation) in program.implementations.iter_mut() {
            stmt::solve(&mut implementation.body, &solve, &solve_all);
        }
        program.codes = mapped(&program.codes, |code| {
            let mut code = code.clone();
            stmt::solve(&mut code.body, &solve, &solve_all);
            code
        });
    }
}

fn mapped<T>(table: &SideTable<ExprId, T>, change: impl Fn(&T) -> T) -> SideTable<ExprId, T> {
    let mut changed = SideTable::new();
    for (key, value) in table.iter() {
        changed.replace(key, change(value));
    }
    changed
}
