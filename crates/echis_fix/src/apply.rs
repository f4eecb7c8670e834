//! Permission that is held by a magic wand.

use crate::site::Site;
use crate::text::one_line;
use crate::{Candidate, Kind};
use echis_program::program::ExprKind;

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
        let (Some(wand), Some(right)) = (site.said(expr), site.said(*right)) else { continue };
        let wand = one_line(wand);
        if crate::text::words(right).any(|word| word == name) && !wands.contains(&wand) {
            wands.push(wand);
        }
    }
    let candidate = |wand: String| {
        let edit = site.insert_statement(at, &format!("apply {wand}"));
        Candidate::new(Kind::Ghost, format!("apply {wand} first"), vec![edit])
    };
    wands.into_iter().map(candidate).collect()
}
