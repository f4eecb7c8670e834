//! Phase 4 and the name and type part of phase 5: resolves every name and types every expression, or reports a
//! `typechecker.error` with what was expected and what was found.
//!
//! Names of members first (`globals`), then signatures and bodies (`members`, `stmts`, `exprs`). An expression with
//! erroneous parts is not reported again. The shapes of triggers and of `forperm` are checked only if there are no
//! other errors (`shapes`).

mod assign;
mod calls;
mod exprs;
mod globals;
mod infer;
mod members;
mod operators;
mod restrictions;
mod scope;
mod shapes;
mod stmts;
mod suggestions;
mod top;
mod ty;
pub(crate) mod walk;
mod written_types;

use crate::program::{DomainId, LocalId, Type};
use crate::typed::{Address, Typed};
use echis_base::{Diagnostic, IndexVec, Severity, Span};
use echis_syntax::ast;
use globals::Globals;
use infer::Inference;
use scope::Scopes;
use std::collections::HashMap;
use ty::{TyId, Types};

/// Resolves names and checks types. If a diagnostic is an error, the tables are incomplete.
pub fn check(program: &ast::Program) -> (Typed<'_>, Vec<Diagnostic>) {
    let mut checker = Checker::new(program);
    checker.collect_globals();
    checker.check_discriminator_names();
    checker.check_members();
    if !checker.has_errors() {
        checker.check_shapes();
    }
    let mut diagnostics = checker.diagnostics;
    diagnostics.sort_by(|left, right| (left.span, &left.message).cmp(&(right.span, &right.message)));
    diagnostics.dedup_by(|left, right| left.span == right.span && left.message == right.message);
    (checker.typed, diagnostics)
}

struct Checker<'a> {
    program: &'a ast::Program,
    typed: Typed<'a>,
    diagnostics: Vec<Diagnostic>,
    types: Types,
    globals: Globals,
    member_numbers: HashMap<Address, usize>,
    /// The types of `typed.locals`; `None` for a variable with an invalid type.
    local_types: IndexVec<LocalId, Option<TyId>>,
    signatures: members::Signatures,
    scopes: Scopes,
    context: Context,
    inference: Inference,
    /// Collected for the shape checks.
    quantifiers: Vec<ast::ExprId>,
    forperms: Vec<ast::ExprId>,
    /// Errors reported only if there are no others.
    late: Vec<Diagnostic>,
}

/// The checker's position in the program.
#[derive(Clone, Copy, Default)]
struct Context {
    /// The index of the member in the program.
    member: usize,
    /// Inside a domain or ADT, whose type parameters are in scope.
    domain: Option<DomainId>,
    in_axiom: bool,
    in_function_postcondition: bool,
    result: ResultUse,
}

/// The meaning of `result`.
#[derive(Clone, Copy, Default)]
enum ResultUse {
    #[default]
    Nothing,
    /// `None`: the written type is invalid.
    Of(Option<TyId>),
}

impl<'a> Checker<'a> {
    fn new(program: &'a ast::Program) -> Self {
        let numbers = program.members.iter().enumerate().map(|(number, member)| (Address::of(member), number));
        Checker {
            member_numbers: numbers.collect(),
            program,
            typed: Typed::default(),
            diagnostics: Vec::new(),
            types: Types::new(),
            globals: Globals::default(),
            local_types: IndexVec::new(),
            signatures: members::Signatures::default(),
            scopes: Scopes::default(),
            context: Context::default(),
            inference: Inference::default(),
            quantifiers: Vec::new(),
            forperms: Vec::new(),
            late: Vec::new(),
        }
    }

    /// The type in tables until the actual one is known, and permanently if it is invalid.
    fn placeholder(&self) -> Type {
        Type::Int
    }
    fn expr(&self, expr: ast::ExprId) -> &'a ast::Expr {
        &self.program.exprs[expr]
    }
    fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(error(span, message));
    }
    /// Reports at an expression; for one from a macro, also its place there.
    fn error_at(&mut self, expr: ast::ExprId, message: impl Into<String>) {
        let expr = self.expr(expr);
        self.report_from_macro(error(expr.span, message), expr.macro_span);
    }
    fn report_from_macro(&mut self, diagnostic: Diagnostic, place: Option<Span>) {
        self.report(match place {
            Some(place) => diagnostic.related(place, "from this part of the macro"),
            None => diagnostic,
        });
    }
    fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning("typechecker.warning", span, message));
    }
}

fn error(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("typechecker.error", span, message)
}
