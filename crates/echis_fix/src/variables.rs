//! A variable used in place of another one.

use crate::site::Site;
use crate::terms::in_scope;
use crate::text::one_line;
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_program::program::{ExprId, ExprKind, StmtKind};

/// Maximum number of changes tried.
const CHANGES: usize = 8;

/// Candidates for calls and assignments before a failing postcondition or assertion: another variable of the same
/// type as an argument. The contract says what the method should do, so the proof tells whether the variable is
/// right.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    let is_meant = matches!(site.reason, "assertion.false" | "insufficient.permission")
        && (site.is_at_end() || site.error == "call.precondition");
    let Some(body) = site.method().and_then(|method| method.body.as_ref()).filter(|_| is_meant) else {
        return Vec::new();
    };
    let (program, scope) = (site.program, in_scope(site));
    let mut found = Vec::new();
    body.visit_stmts(&mut |stmt| {
        let StmtKind::Call { args, .. } = &stmt.kind else { return };
        if !site.is_own(stmt.id) || !(site.is_at_end() || site.span(stmt.id).contains(site.at)) {
            return;
        }
        for arg in args.iter().filter(|arg| is_variable(site, **arg)) {
            let (span, ty) = (site.span(program.expr(*arg).id), program.ty(*arg));
            let written = one_line(site.said(*arg).unwrap_or_default());
            for term in scope.iter().filter(|term| term.ty == *ty && term.text != written) {
                let edit = Edit::replace(span.start as usize, span.end as usize, &*term.text);
                let line = site.sources.position(span).start.line;
                let explanation = format!("write {} for {written} in the call on line {line}", term.text);
                found.push(Candidate::new(Kind::Condition, explanation, vec![edit]));
            }
        }
    });
    found.reverse();
    found.truncate(CHANGES);
    found
}

fn is_variable(site: &Site<'_>, expr: ExprId) -> bool {
    matches!(site.program.kind(expr), ExprKind::Local(_)) && site.is_own(site.program.expr(expr).id)
}
