//! Expressions that have no value everywhere: the condition under which they have one, as a precondition, an invariant or a
//! guard.

use crate::clause::{Clause, Owner};
use crate::origin;
use crate::permission::clause;
use crate::site::{Member, Site, one_line};
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_base::opened_at;
use echis_program::program::{BinaryOp, ExprId, ExprKind, StmtKind};

/// Candidates for divisors, indices and keys.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    let Some(condition) = condition(site) else { return Vec::new() };
    let mut found = Vec::new();
    if let Some(stmt) = site.enclosing_loop() {
        found.extend(clause(site, Owner::Loop(stmt), Clause::Invariant, &condition));
    }
    let required = origin::over_parameters(site, &condition);
    if let Some(condition) = required {
        found.extend(match site.member {
            Member::Method(id) => clause(site, Owner::Method(id), Clause::Requires, &condition),
            Member::Function(id) => clause(site, Owner::Function(id), Clause::Requires, &condition),
            Member::Predicate(_) => None,
        });
    }
    found.extend(guarded(site, &condition));
    found
}

/// Under which condition what fails has a value.
pub(crate) fn condition(site: &Site<'_>) -> Option<String> {
    let subject = site.subject()?;
    match site.reason {
        "division.by.zero" => Some(format!("{subject} != 0")),
        "seq.index.negative" => Some(format!("0 <= {subject}")),
        "seq.index.length" => Some(format!("{subject} < |{}|", indexed(site)?)),
        "map.key.contains" => Some(format!("{subject} in {}", indexed(site)?)),
        _ => None,
    }
}

/// The collection that is indexed.
fn indexed(site: &Site<'_>) -> Option<String> {
    let program = site.program;
    site.expressions().into_iter().find_map(|expr| {
        let ExprKind::Binary(BinaryOp::SeqIndex | BinaryOp::MapLookup, collection, index) = program.kind(expr) else {
            return None;
        };
        let is_meant = site.span(program.expr(*index).id) == site.about;
        is_meant.then(|| site.said(*collection).map(one_line)).flatten()
    })
}

/// An assertion that is guarded where it is written: `i < |s| ==> s[i] > 0`.
fn guarded(site: &Site<'_>, condition: &str) -> Option<Candidate> {
    let StmtKind::Assert(assertion) = &site.statement()?.kind else { return None };
    let program = site.program;
    let holds = |expr: ExprId| site.span(program.expr(expr).id).contains(site.about);
    let (conjunct, _) = program.conjuncts(*assertion).into_iter().find(|(conjunct, _)| holds(*conjunct))?;
    let said = site.said(conjunct)?;
    let span = site.span(program.expr(conjunct).id);
    let start = opened_at(site.text, span.start as usize, span.end as usize);
    let edit = Edit::replace(start, span.end as usize, format!("({condition} ==> {said})"));
    Some(Candidate::new(Kind::Invariant, format!("assert it only where {condition}"), vec![edit]))
}
