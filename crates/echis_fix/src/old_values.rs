//! Missing `old`: clauses that compare a value with itself instead of its earlier value.

use crate::site::Site;
use crate::terms::goal;
use crate::text::one_line;
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_program::program::{ExprId, ExprKind, Program};
use std::collections::BTreeSet;

/// Maximum number of reads tried.
const READS: usize = 4;

/// Candidates for postconditions and invariants that fail, or read locations that are no longer held.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    if site.reason == "insufficient.permission" {
        return gone(site);
    }
    let kind = match site.error {
        "postcondition.violated" => Kind::Postcondition,
        "invariant.not.established" | "invariant.not.preserved" => Kind::Invariant,
        _ => return Vec::new(),
    };
    let Some(goal) = goal(site).filter(|_| site.reason == "assertion.false" && site.method().is_some()) else {
        return Vec::new();
    };
    // A comparison with an earlier value reads a location twice.
    let mut reads = reads(site, goal);
    let distinct: BTreeSet<&String> = reads.iter().map(|(_, text)| text).collect();
    let repeats = distinct.len() < reads.len();
    // A comparison of a location with its old value is trivial if both sides are old.
    let said = site.said(goal).map(one_line).unwrap_or_default();
    let is_compared = |text: &String| said.contains(&format!("old({text})"));
    let compares = repeats || !reads.iter().any(|(_, text)| is_compared(text)) && said.contains("old(");
    reads.reverse();
    let found = reads.into_iter().filter(|_| compares).take(READS);
    found.map(|(expr, text)| candidate(site, kind, expr, &text)).collect()
}

/// A postcondition may refer to locations that were held at the start.
fn gone(site: &Site<'_>) -> Vec<Candidate> {
    let program = site.program;
    let [_, post] = site.clauses();
    let contains = |expr: ExprId| site.span(program.expr(expr).id).contains(site.at);
    let Some(clause) = post.into_iter().find(|clause| site.is_in_contract() && contains(*clause)) else {
        return Vec::new();
    };
    let reads = reads(site, clause).into_iter().filter(|(expr, _)| contains(*expr));
    reads.take(READS).map(|(expr, text)| candidate(site, Kind::Postcondition, expr, &text)).collect()
}

fn candidate(site: &Site<'_>, kind: Kind, read: ExprId, text: &str) -> Candidate {
    let span = site.span(site.program.expr(read).id);
    let edit = Edit::replace(span.start as usize, span.end as usize, format!("old({text})"));
    let line = site.sources.position(span).start.line;
    Candidate::new(kind, format!("write old({text}) for {text} on line {line}"), vec![edit])
}

/// The heap reads outside `old` that mention no bound variable.
fn reads(site: &Site<'_>, goal: ExprId) -> Vec<(ExprId, String)> {
    let program = site.program;
    let (free, mut found) = (program.free_locals(goal), Vec::new());
    program.visit(goal, |expr| {
        let kind = program.kind(expr);
        let is_read = match kind {
            ExprKind::Field { .. } => true,
            ExprKind::FunctionApp { function, .. } => reads_heap(program, &program.functions[*function].pre),
            _ => false,
        };
        if let Some(text) = site.said(expr).filter(|_| is_read && program.free_locals(expr).is_subset(&free)) {
            found.push((expr, one_line(text)));
        }
        !is_read && !matches!(kind, ExprKind::Old { .. })
    });
    found
}

fn reads_heap(program: &Program, pre: &[ExprId]) -> bool {
    pre.iter().any(|clause| !program.is_pure(*clause))
}
