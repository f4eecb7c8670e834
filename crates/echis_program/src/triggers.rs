//! Infers triggers for quantifiers written without any.
//!
//! Function-like terms of the body that mention quantified variables are candidates; minimal sets of them that cover
//! all variables become triggers. Tried are, in this order: the quantifier unchanged; extra variables in place of
//! subterms that triggers must not contain (`f(x, a < b)` is matched by `f(x, y)`); field accesses as additional
//! candidates; and a change of variables: `f(i + 1)` is `f(i')` for `i' == i + 1`. A quantified permission keeps its
//! variables (its meaning depends on them, except for a change of variables); its own location is the last resort.
//! Quantifiers that remain without triggers are left to the solver, with a warning.

mod candidates;
mod set_cover;
mod shape;
mod solve;

use crate::program::{ExprId, ExprKind, LocalId, Program};
use candidates::{Allowed, Candidate};
use echis_base::Diagnostic;

/// Infers missing triggers; the diagnostics are warnings.
pub(crate) fn infer(program: &mut Program) -> Vec<Diagnostic> {
    let mut inference = Inference { program, warnings: Vec::new() };
    for root in inference.program.roots() {
        inference.tree(root);
    }
    inference.warnings
}

struct Inference<'a> {
    program: &'a mut Program,
    warnings: Vec<Diagnostic>,
}

/// The triggers to add to a quantifier.
struct Triggers {
    sets: Vec<Vec<ExprId>>,
    extra: Vec<LocalId>,
}

impl Inference<'_> {
    /// Parents before children: a change of variables copies the body, and then the quantifiers in the copy are
    /// relevant.
    fn tree(&mut self, root: ExprId) {
        let mut pending = vec![root];
        while let Some(expr) = pending.pop() {
            match self.program.kind(expr) {
                ExprKind::Quantified { triggers, .. } if triggers.is_empty() => self.quantifier(expr),
                ExprKind::ForallAcc { triggers, .. } if triggers.is_empty() => self.permission(expr),
                _ => {}
            }
            pending.extend(self.program.kind(expr).children());
        }
    }

    fn quantifier(&mut self, expr: ExprId) {
        let ExprKind::Quantified { vars, body, .. } = self.program.kind(expr).clone() else { return };
        for allowed in [Allowed::Applications, Allowed::Fields] {
            let candidates = self.candidates(&[body], &vars, allowed);
            if let Some(found) = self.cover(&vars, candidates, |_| true) {
                return self.set(expr, found);
            }
        }
        if self.change_variables(expr, &[body], &vars) {
            return;
        }
        if self.merge_nested(expr) {
            // All at once, so that the cost of deep nests is linear.
            while self.merge_nested(expr) {}
            self.quantifier(expr);
            return self.keep_single_terms(expr);
        }
        let span = self.program.syntax.span(self.program.expr(expr).id);
        let message = "No triggers were given or found for this quantifier.";
        self.warnings.push(Diagnostic::warning("verifier.warning", span, message));
    }

    /// Keeps only triggers with a single term. Terms that only together mention all variables fire for every pair of
    /// instances. Laws such as associativity, written as nested quantifiers, would then never stop.
    fn keep_single_terms(&mut self, expr: ExprId) {
        if let ExprKind::Quantified { triggers, .. } = &mut self.program.exprs[expr].kind
            && triggers.iter().any(|set| set.len() == 1)
        {
            triggers.retain(|set| set.len() == 1);
        }
    }

    /// Merges `forall xs :: forall ys :: b` to `forall xs, ys :: b`, whose variables may have triggers only together.
    fn merge_nested(&mut self, expr: ExprId) -> bool {
        let ExprKind::Quantified { quantifier: outer, vars, body, .. } = self.program.kind(expr).clone() else {
            return false;
        };
        let ExprKind::Quantified { quantifier, vars: inner, triggers, given, body } = self.program.kind(body).clone()
        else {
            return false;
        };
        if quantifier != outer || !triggers.is_empty() {
            return false;
        }
        let vars = [vars, inner].concat();
        self.program.exprs[expr].kind = ExprKind::Quantified { quantifier, vars, triggers, given, body };
        true
    }

    fn permission(&mut self, expr: ExprId) {
        let ExprKind::ForallAcc { vars, condition, location, amount, .. } = self.program.kind(expr).clone() else {
            return;
        };
        let mut parts = vec![condition];
        parts.extend(location.parts());
        parts.push(amount);
        let candidates = self.candidates(&parts, &vars, Allowed::Applications);
        let unchanged = |candidate: &Candidate| candidate.extra.is_empty();
        if let Some(found) = self.cover(&vars, candidates, unchanged) {
            return self.set(expr, found);
        }
        if self.change_variables(expr, &parts, &vars) {
            return;
        }
        let candidates = self.location_candidate(expr, &vars);
        if let Some(found) = self.cover(&vars, candidates, unchanged) {
            self.set(expr, found);
        }
    }

    fn set(&mut self, expr: ExprId, found: Triggers) {
        match &mut self.program.exprs[expr].kind {
            ExprKind::Quantified { vars, triggers, .. } => {
                vars.extend(found.extra);
                *triggers = found.sets;
            }
            ExprKind::ForallAcc { triggers, .. } => *triggers = found.sets,
            _ => {}
        }
    }
}
