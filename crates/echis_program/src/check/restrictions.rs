//! Forbids well-typed expressions in positions where they have no meaning.

use super::Checker;
use super::walk::{Descend, walk};
use echis_syntax::ast::{BinaryOp, Decreases, DecreasesKind, Expr, ExprId, ExprKind};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ContractKind {
    FunctionPrecondition,
    PredicateBody,
    /// A method's contract, a loop invariant or a function's postcondition.
    Contract,
}

impl Checker<'_> {
    pub(super) fn restrict(&mut self, expr: ExprId, place: ContractKind) {
        match place {
            ContractKind::FunctionPrecondition => {
                self.forbid(expr, is_wand, "a function precondition without magic wands", "one");
                self.forbid_introspection_outside_inhale_exhale(expr);
            }
            ContractKind::PredicateBody => self.forbid(expr, is_wand, "a predicate body without magic wands", "one"),
            ContractKind::Contract => self.forbid_introspection_outside_inhale_exhale(expr),
        }
    }

    /// `decreases` clauses are part of the contract.
    pub(super) fn restrict_decreases(&mut self, clauses: &[Decreases], place: ContractKind) {
        for clause in clauses {
            if let DecreasesKind::Tuple(measures) = &clause.kind {
                measures.iter().for_each(|measure| self.restrict(*measure, place));
            }
            clause.condition.iter().for_each(|condition| self.restrict(*condition, place));
        }
    }

    /// Permission amounts depend on the observer, so a contract may mention them only in one half of an inhale-exhale
    /// pair.
    fn forbid_introspection_outside_inhale_exhale(&mut self, expr: ExprId) {
        let test = |expr: &Expr| match &expr.kind {
            ExprKind::InhaleExhale { .. } => Finding::Skip,
            _ => introspection(expr),
        };
        let expected = "a contract without `perm` and `forperm` outside of inhale-exhale pairs";
        self.forbid(expr, test, expected, "one");
    }

    /// Functions have no permission amounts, so postconditions must not mention them in either half.
    pub(super) fn check_introspection_allowed(&mut self, expr: ExprId) {
        if self.context.in_function_postcondition {
            self.forbid_permission_introspection(expr, "in a function postcondition");
        }
    }

    pub(super) fn forbid_permission_introspection(&mut self, expr: ExprId, place: &str) {
        self.forbid(expr, introspection, &format!("no `perm` or `forperm` {place}"), "one");
    }

    fn forbid(&mut self, root: ExprId, test: impl Fn(&Expr) -> Finding, expected: &str, found: &str) {
        let mut guilty = Vec::new();
        walk(&self.program.exprs, root, &mut |id, expr| match test(expr) {
            Finding::Fine => Descend::Into,
            Finding::Skip => Descend::Past,
            Finding::Guilty => {
                guilty.push(id);
                Descend::Past
            }
        });
        for id in guilty {
            self.error_at(id, format!("expected {expected}, found {found}"));
        }
    }
}

enum Finding {
    Fine,
    Skip,
    Guilty,
}

fn is_wand(expr: &Expr) -> Finding {
    match &expr.kind {
        ExprKind::Binary { op: BinaryOp::Wand, .. } => Finding::Guilty,
        _ => Finding::Fine,
    }
}

fn introspection(expr: &Expr) -> Finding {
    match &expr.kind {
        ExprKind::CurrentPerm(_) | ExprKind::Forperm(_) => Finding::Guilty,
        _ => Finding::Fine,
    }
}
