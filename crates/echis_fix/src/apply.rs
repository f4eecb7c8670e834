//! Permission that is held by a magic wand.

use crate::site::Site;
use crate::text::one_line;
use crate::{Candidate, Kind};
use echis_program::program::{ExprKind, StmtKind};

/// Candidates that apply a wand whose right-hand side mentions the missing location.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    if site.reason != "insufficient.permission" {
        return Vec::new();
    }
    let (Some(location), Some(at)) = (site.subject(), site.before()) else { return Vec::new() };
    let name = match Site::field(location) {
        Some((_, field)) if site.instance(location).is_none() => field.to_string(),
        _ => location.split('(').next().unwrap_or(location).to_string(),
    };
    let mut wands: Vec<String> = Vec::new();
    for expr in site.expressions() {
        let ExprKind::Wand { right, .. } = site.program.kind(expr) else { continue };
        let Some(wand) = site.said(expr).map(one_line) else { continue };
        if crate::text::words(site.meant(*right)).any(|word| word == name) && !wands.contains(&wand) {
            wands.push(wand);
        }
    }
    // What the branch asks may be about what the wand gives.
    let branch = site.around.iter().find(|stmt| matches!(stmt.kind, StmtKind::If { .. }) && site.is_own(stmt.id));
    let candidate = |wand: &String| {
        let apply = format!("apply {wand}");
        let first = Candidate::new(Kind::Ghost, format!("{apply} first"), vec![site.insert_statement(at, &apply)]);
        let before = branch.map(|stmt| {
            let line = site.sources.position(site.span(stmt.id)).start.line;
            let edit = site.insert_statement(site.statement_start(stmt), &apply);
            Candidate::new(Kind::Ghost, format!("{apply} before the branch on line {line}"), vec![edit])
        });
        std::iter::once(first).chain(before)
    };
    wands.iter().flat_map(candidate).collect()
}
