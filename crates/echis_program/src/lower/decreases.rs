//! `decreases` clauses. A member or loop has at most one of each kind.

use super::Lowering;
use crate::program::{Decreases, DecreasesTuple, DecreasesWildcard, ExprId, ExprKind};
use echis_base::Diagnostic;
use echis_syntax::ast;

impl<'a> Lowering<'a> {
    pub(super) fn decreases(&mut self, clauses: &'a [ast::Decreases]) -> Decreases {
        let mut decreases = Decreases::default();
        self.check_single(clauses);
        for clause in clauses {
            let id = self.program.syntax.add_span(clause.span);
            match &clause.kind {
                ast::DecreasesKind::Tuple(measures) => {
                    let measures = self.measures(measures);
                    let condition = self.condition(clause);
                    decreases.tuple.get_or_insert(DecreasesTuple { id, measures, condition });
                }
                ast::DecreasesKind::Wildcard => {
                    let condition = self.condition(clause);
                    decreases.wildcard.get_or_insert(DecreasesWildcard { id, condition });
                }
                ast::DecreasesKind::Star => {
                    decreases.star.get_or_insert(id);
                }
            }
        }
        decreases
    }

    fn condition(&mut self, clause: &'a ast::Decreases) -> Option<ExprId> {
        let condition = self.expr(clause.condition?);
        self.check_clause_pure(condition);
        Some(condition)
    }

    fn measures(&mut self, measures: &'a [ast::ExprId]) -> Vec<ExprId> {
        self.measures = true;
        let measures = self.exprs(measures);
        self.measures = false;
        for measure in &measures {
            self.check_clause_pure(*measure);
            self.check_measure(*measure);
        }
        measures
    }

    fn check_clause_pure(&mut self, expr: ExprId) {
        if !self.program.is_pure(expr) {
            let span = self.program.syntax.span(self.program.expr(expr).id);
            self.consistency_error(span, "A `decreases` clause must be pure.");
        }
    }

    /// A measure must have the same value whether it is assumed or checked.
    fn check_measure(&mut self, measure: ExprId) {
        let mut found = Vec::new();
        let mut pending = vec![measure];
        while let Some(expr) = pending.pop() {
            match self.program.kind(expr) {
                ExprKind::Wand { .. } | ExprKind::InhaleExhale(..) => found.push(expr),
                ExprKind::Conditional(_, then, otherwise) => pending.extend([*otherwise, *then]),
                ExprKind::Applying { body, .. } | ExprKind::Unfolding { body, .. } => pending.push(*body),
                ExprKind::PermOf(_) => {}
                kind => pending.extend(kind.children().into_iter().rev()),
            }
        }
        for expr in found {
            let span = self.program.syntax.span(self.program.expr(expr).id);
            let message = "Wands and inhale-exhale assertions cannot be termination measures.";
            self.extensions.push(Diagnostic::error("consistency.error", span, message));
        }
    }

    fn check_single(&mut self, clauses: &[ast::Decreases]) {
        for name in ["tuple", "wildcard", "star"] {
            let mut of_form = clauses.iter().filter(|clause| form(&clause.kind) == name);
            if let (Some(first), Some(second)) = (of_form.next(), of_form.next()) {
                let message = format!("There is more than one `decreases` {name} here.");
                let error = Diagnostic::error("consistency.error", first.span, message);
                self.extensions.push(error.related(second.span, "the second is this"));
            }
        }
    }
}

fn form(kind: &ast::DecreasesKind) -> &'static str {
    match kind {
        ast::DecreasesKind::Tuple(_) => "tuple",
        ast::DecreasesKind::Wildcard => "wildcard",
        ast::DecreasesKind::Star => "star",
    }
}
