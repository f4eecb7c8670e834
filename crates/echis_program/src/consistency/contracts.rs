//! Constructs allowed in clauses and bodies of members.

use super::Checks;
use super::exprs::ExprPosition;
use crate::call_graph::{Components, called_functions};
use crate::program::{Decreases, DomainId, ExprId, ExprKind, Function, Method, OldState};
use echis_base::Key;
use std::collections::HashSet;

fn is_old(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Old { state: OldState::Pre, .. })
}

fn is_labelled_old(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Old { state: OldState::Label(_), .. })
}

fn is_perm(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::PermOf(_))
}

fn is_forperm(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::ForPerm { .. })
}

fn is_location(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Field { .. }
            | ExprKind::Acc { .. }
            | ExprKind::ForallAcc { .. }
            | ExprKind::PermOf(_)
            | ExprKind::ForPerm { .. }
            | ExprKind::Unfolding { .. }
    )
}

impl Checks<'_> {
    pub(super) fn axioms(&mut self, generated: &HashSet<DomainId>) {
        let program = self.program;
        for axiom in program.axioms.values() {
            if generated.contains(&axiom.domain) {
                continue;
            }
            self.forbid(axiom.body, is_old, "`old` is not allowed in an axiom.");
            self.forbid(axiom.body, is_location, "An axiom cannot speak of the heap.");
            let is_pair = |kind: &ExprKind| matches!(kind, ExprKind::InhaleExhale(..));
            self.forbid(axiom.body, is_pair, "An inhale-exhale assertion cannot stand in an axiom.");
            let is_asserting = |kind: &ExprKind| matches!(kind, ExprKind::Asserting { .. });
            self.forbid(axiom.body, is_asserting, "`asserting` is not allowed in an axiom.");
            self.expr(axiom.body, ExprPosition::default());
        }
    }

    pub(super) fn functions(&mut self) {
        let program = self.program;
        self.precondition_cycles();
        for function in program.functions.values() {
            self.function_contract(function);
            let clauses = function.heads().into_iter().chain(function.decreases.roots());
            clauses.for_each(|clause| self.expr(clause, ExprPosition::in_function()));
        }
    }

    fn function_contract(&mut self, function: &Function) {
        for clause in &function.pre {
            self.precondition(*clause);
        }
        for clause in &function.post {
            self.forbid(*clause, is_old, "`old` is not allowed in the postcondition of a function.");
            self.forbid(*clause, is_labelled_old, "`old[l]` is not allowed in a postcondition.");
            self.no_permissions(*clause);
        }
        self.decreases_clauses(&function.decreases);
        let Some(body) = function.body else { return };
        self.forbid(body, is_old, "`old` is not allowed in the body of a function.");
        let is_result = |kind: &ExprKind| matches!(kind, ExprKind::Result);
        self.forbid(body, is_result, "`result` is not allowed in the body of a function.");
        self.forbid(body, is_perm, "`perm` is not allowed in the body of a function.");
        self.forbid(body, is_forperm, "`forperm` is not allowed in the body of a function.");
    }

    /// A function's postcondition is about values; `applying` may name a wand if it contains no access.
    fn no_permissions(&mut self, clause: ExprId) {
        let program = self.program;
        let mut applied = HashSet::new();
        let mut found = false;
        program.visit(clause, |expr| {
            match program.kind(expr) {
                ExprKind::Applying { wand, .. } => found |= !applied.insert(*wand),
                ExprKind::Acc { .. } | ExprKind::ForallAcc { .. } => found = true,
                ExprKind::Wand { .. } => found |= !applied.contains(&expr),
                _ => {}
            }
            !found
        });
        if found {
            self.error_at(clause, "The postcondition of a function cannot speak of permissions.");
        }
    }

    fn precondition(&mut self, clause: ExprId) {
        self.forbid(clause, is_old, "`old` is not allowed in a precondition.");
        self.forbid(clause, is_labelled_old, "`old[l]` is not allowed in a precondition.");
    }

    /// A precondition must not depend on its own function.
    fn precondition_cycles(&mut self) {
        let program = self.program;
        let calls: Vec<Vec<usize>> =
            program.functions.keys().map(|key| called_functions(program, program.function_roots(key))).collect();
        let components = Components::of(&calls);
        for (key, function) in program.functions.iter() {
            let clauses = function.pre.iter().copied().chain(function.decreases.roots());
            let called = called_functions(program, clauses);
            if called.into_iter().any(|callee| components.same(key, Key::new(callee))) {
                self.error(
                    function.id,
                    format!("The precondition of `{}` depends on the function itself.", function.name),
                );
            }
        }
    }

    pub(super) fn predicates(&mut self) {
        let program = self.program;
        for predicate in program.predicates.values() {
            let Some(body) = predicate.body else { continue };
            self.forbid(body, is_old, "`old` is not allowed in a predicate.");
            self.forbid(body, is_perm, "`perm` is not allowed in a predicate.");
            self.forbid(body, is_forperm, "`forperm` is not allowed in a predicate.");
            self.expr(body, ExprPosition::default());
        }
    }

    pub(super) fn method_contract(&mut self, method: &Method) {
        for clause in &method.pre {
            self.precondition(*clause);
            self.returns_in(*clause, method);
        }
        for clause in &method.post {
            self.forbid(*clause, is_labelled_old, "`old[l]` is not allowed in a postcondition.");
        }
        self.decreases_clauses(&method.decreases);
    }

    /// Measures of members are evaluated like preconditions; errors are reported at the whole clause.
    fn decreases_clauses(&mut self, decreases: &Decreases) {
        let tuple = decreases.tuple.iter().map(|tuple| {
            let parts: Vec<ExprId> = tuple.measures.iter().copied().chain(tuple.condition).collect();
            (tuple.id, parts)
        });
        let wildcard = decreases.wildcard.iter().map(|clause| (clause.id, clause.condition.into_iter().collect()));
        for (id, parts) in tuple.chain(wildcard).collect::<Vec<_>>() {
            if parts.iter().any(|part| self.program.any(*part, is_old)) {
                self.error(id, "`old` is not allowed in a `decreases` clause.");
            }
            if parts.iter().any(|part| self.program.any(*part, is_labelled_old)) {
                self.error(id, "`old[l]` is not allowed in a `decreases` clause.");
            }
        }
    }

    /// Results do not exist yet when a precondition is evaluated.
    fn returns_in(&mut self, clause: ExprId, method: &Method) {
        let program = self.program;
        program.visit(clause, |expr| {
            if let ExprKind::Local(local) = program.kind(expr)
                && method.returns.contains(local)
            {
                let name = &program.locals[*local].name;
                self.error_at(expr, format!("The result `{name}` is not allowed in a precondition."));
            }
            true
        });
    }
}
