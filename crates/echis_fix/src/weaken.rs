//! Conditions that are off by one: `<` for `<=`, in an invariant that does not hold when the loop ends.

use crate::permission::comparison;
use crate::site::Site;
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_program::program::{BinaryOp, ExprKind, StmtKind};

/// Candidates for invariants that are too strong.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    if !matches!(site.error, "invariant.not.established" | "invariant.not.preserved")
        || site.reason != "assertion.false"
    {
        return Vec::new();
    }
    let Some(StmtKind::While { invariants, .. }) = site.enclosing_loop().map(|stmt| &stmt.kind) else {
        return Vec::new();
    };
    let program = site.program;
    let mut found = Vec::new();
    for (conjunct, _) in invariants.iter().flat_map(|clause| program.conjuncts(*clause)) {
        if !site.span(program.expr(conjunct).id).contains(site.about) || site.said(conjunct).is_none() {
            continue;
        }
        let mut parts = Vec::new();
        program.visit(conjunct, |expr| {
            parts.push(expr);
            true
        });
        for expr in parts {
            let (Some((left, op, right)), ExprKind::Binary(_, first, second)) =
                (comparison(site, expr), program.kind(expr))
            else {
                continue;
            };
            let weaker = match op {
                BinaryOp::Lt => "<=",
                BinaryOp::Gt => ">=",
                _ => continue,
            };
            let (from, to) =
                (site.span(program.expr(*first).id).end as usize, site.span(program.expr(*second).id).start as usize);
            let Some(between) = site.text.get(from..to) else { continue };
            let Some(at) = between.find(['<', '>']) else { continue };
            let edit = Edit::replace(from + at, from + at + 1, weaker);
            found.push(Candidate::new(
                Kind::Invariant,
                format!("write {left} {weaker} {right} in the invariant"),
                vec![edit],
            ));
        }
    }
    found
}
