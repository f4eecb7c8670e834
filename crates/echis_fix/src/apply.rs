//! Permission that is held by a magic wand.

use crate::site::Site;
use crate::text::{bare, one_line, renamed, words};
use crate::{Candidate, Kind};
use echis_program::program::{ExprKind, StmtKind};
use std::collections::BTreeSet;

/// Maximum number of wands tried.
const WANDS: usize = 4;

/// Candidates that apply a wand whose right-hand side mentions the missing location.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    let (Some(subject), Some(at)) = (site.subject(), site.before()) else { return Vec::new() };
    let names: Vec<&str> = match (site.reason, Site::field(subject)) {
        // Facts about what the wand gives.
        ("assertion.false", _) if site.method().is_some() => words(subject).collect(),
        ("insufficient.permission", Some((_, field))) if site.instance(subject).is_none() => vec![field],
        ("insufficient.permission", _) => words(bare(subject)).take(1).collect(),
        _ => return Vec::new(),
    };
    let mut wands: Vec<String> = Vec::new();
    for expr in site.expressions() {
        let ExprKind::Wand { right, .. } = site.program.kind(expr) else { continue };
        let Some(wand) = site.said(expr).map(one_line) else { continue };
        if words(site.meant(*right)).any(|word| names.contains(&word)) && !wands.contains(&wand) {
            wands.push(wand);
        }
    }
    // In a loop, the variables of a wand may have been copied before they were changed.
    let copies = copies(site);
    let copied: Vec<String> = wands.iter().map(|wand| all_renamed(wand, &copies)).collect();
    let mut seen = BTreeSet::new();
    let copied = copied.into_iter().filter(|wand| !wands.contains(wand)).collect::<Vec<_>>();
    let wands: Vec<String> = copied.into_iter().chain(wands).filter(|wand| seen.insert(wand.clone())).collect();
    // What the branch asks may be about what the wand gives.
    let branch = site.around.iter().find(|stmt| matches!(stmt.kind, StmtKind::If { .. }) && site.is_own(stmt.id));
    let candidate = |wand: &String| {
        let apply = format!("apply {wand}");
        if let Some((edit, explanation)) = site.in_package(&apply) {
            return vec![Candidate::new(Kind::Ghost, explanation, vec![edit])];
        }
        let first = Candidate::new(Kind::Ghost, format!("{apply} first"), vec![site.insert_statement(at, &apply)]);
        let before = branch.map(|stmt| {
            let line = site.sources.position(site.span(stmt.id)).start.line;
            let edit = site.insert_statement(site.statement_start(stmt), &apply);
            Candidate::new(Kind::Ghost, format!("{apply} before the branch on line {line}"), vec![edit])
        });
        let ends = site
            .at_ends_of_branches(&apply)
            .into_iter()
            .map(|(line, edit)| Candidate::new(Kind::Ghost, format!("{apply} after line {line}"), vec![edit]));
        std::iter::once(first).chain(before).chain(ends).collect::<Vec<_>>()
    };
    wands.iter().take(WANDS).flat_map(candidate).collect()
}

/// Variables of the enclosing loop's body that start as copies of other variables: the other one comes first.
fn copies<'a>(site: &Site<'a>) -> Vec<(&'a str, &'a str)> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    let name = |local| &*site.program.locals[local].name;
    if let Some(StmtKind::While { body, .. }) = site.enclosing_loop().map(|stmt| &stmt.kind) {
        for stmt in &body.stmts {
            if let StmtKind::Assign { target, value } = &stmt.kind
                && let ExprKind::Local(source) = site.program.kind(*value)
                && body.locals.contains(target)
                && !found.iter().any(|(known, _)| *known == name(*source))
            {
                found.push((name(*source), name(*target)));
            }
        }
    }
    found
}

/// Renames variables via fresh names.
fn all_renamed(text: &str, pairs: &[(&str, &str)]) -> String {
    let hidden = |number: usize| format!("copy${number}$");
    let text = pairs.iter().enumerate().fold(text.to_string(), |text, (n, (from, _))| renamed(&text, from, &hidden(n)));
    pairs.iter().enumerate().fold(text, |text, (n, (_, to))| renamed(&text, &hidden(n), to))
}
