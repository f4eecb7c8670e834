//! Values that a method asserts to be kept, and that no caller promises.

use crate::Candidate;
use crate::clause::{Clause, Owner};
use crate::permission::clause;
use crate::site::{Member, Site};
use crate::terms::goal;
use crate::text::{one_line, words};
use echis_program::program::{ExprKind, StmtKind};

/// Requires what is asserted about the heap behind statements that may have changed it. Requiring what is asserted at
/// the start of the body would prove nothing.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    let is_asserted = matches!(site.error, "assert.failed" | "exhale.failed") && site.reason == "assertion.false";
    let (Some(goal), Member::Method(id), true) = (goal(site), site.member, is_asserted) else { return Vec::new() };
    let Some(said) = site.said(goal).map(one_line) else { return Vec::new() };
    let is_free = !words(&said).any(|word| matches!(word, "old" | "perm"));
    if !is_free || !site.is_about_parameters(&said) || !reads_heap(site, goal) || !follows_change(site) {
        return Vec::new();
    }
    clause(site, Owner::Method(id), Clause::Requires, &said).into_iter().collect()
}

fn reads_heap(site: &Site<'_>, goal: echis_program::program::ExprId) -> bool {
    let (program, mut reads) = (site.program, false);
    program.visit(goal, |expr| {
        reads |= match program.kind(expr) {
            ExprKind::Field { .. } => true,
            ExprKind::FunctionApp { function, .. } => {
                program.functions[*function].pre.iter().any(|clause| !program.is_pure(*clause))
            }
            _ => false,
        };
        true
    });
    reads
}

/// Whether a statement before the assertion may change the heap.
fn follows_change(site: &Site<'_>) -> bool {
    let Some(body) = site.method().and_then(|method| method.body.as_ref()) else { return false };
    let mut follows = false;
    body.visit_stmts(&mut |stmt| {
        let is_idle = matches!(
            stmt.kind,
            StmtKind::Assert(_) | StmtKind::Assign { .. } | StmtKind::Declare(_) | StmtKind::If { .. }
        );
        follows |= !is_idle && site.span(stmt.id).end <= site.at.start;
    });
    follows
}
