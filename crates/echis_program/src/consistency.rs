//! Well-formedness beyond names and types: what may stand where. Everything here looks at the lowered program, so
//! quantified permissions are already canonical; domains that extensions generated are well-formed by construction.

mod contracts;
mod exprs;
mod extensions;
mod inhabited;
mod interpretations;
mod names;
mod scripts;
mod warnings;

use crate::program::{DomainId, ExprId, ExprKind, Program, StmtKind};
use echis_base::{Diagnostic, SyntaxId, mutation};
use exprs::ExprPosition;
use std::collections::HashSet;

pub(crate) use extensions::extensions;
pub(crate) use warnings::warnings;

/// All consistency errors of the program (phase 6).
pub(crate) fn consistency(program: &Program, generated: &HashSet<DomainId>) -> Vec<Diagnostic> {
    let mut checks = Checks { program, errors: Vec::new() };
    checks.names(generated);
    checks.data_types();
    checks.axioms(generated);
    checks.functions();
    checks.predicates();
    checks.methods();
    checks.errors
}

struct Checks<'a> {
    program: &'a Program,
    errors: Vec<Diagnostic>,
}

impl Checks<'_> {
    #[track_caller]
    fn error(&mut self, id: SyntaxId, message: impl Into<String>) {
        if !mutation::is_removed() {
            let span = self.program.syntax.span(id);
            self.errors.push(Diagnostic::error("consistency.error", span, message));
        }
    }

    #[track_caller]
    fn error_at(&mut self, expr: ExprId, message: impl Into<String>) {
        self.error(self.program.expr(expr).id, message);
    }

    /// One error at the whole expression if something in it satisfies the test.
    #[track_caller]
    fn forbid(&mut self, root: ExprId, test: impl FnMut(&ExprKind) -> bool, message: &str) {
        if self.program.any(root, test) {
            self.error_at(root, message);
        }
    }

    fn methods(&mut self) {
        let program = self.program;
        for method in program.methods.values() {
            self.method_contract(method);
            for clause in method.pre.iter().chain(&method.post).copied().chain(method.decreases.roots()) {
                self.expr(clause, ExprPosition::default());
            }
            let Some(body) = &method.body else { continue };
            self.labels(body);
            self.block(body, ExprPosition::default());
        }
    }

    fn block(&mut self, block: &crate::program::Block, place: ExprPosition) {
        for stmt in &block.stmts {
            for root in stmt.kind.roots() {
                self.expr(root, place.of_stmt(&stmt.kind));
            }
            self.stmt_accesses(&stmt.kind);
            self.targets(stmt);
            let inner = match &stmt.kind {
                StmtKind::Package { script, .. } => {
                    self.script(script);
                    place.in_script()
                }
                _ => place,
            };
            crate::walk::guarded(|| stmt.kind.blocks().into_iter().for_each(|block| self.block(block, inner)));
        }
    }
}
