//! Undefined expressions: adds the condition for definedness as a precondition, an invariant or a guard.

use crate::clause::{Clause, Owner};
use crate::origin;
use crate::permission::{clause, comparison};
use crate::site::{Member, Site};
use crate::text::{one_line, renamed, words};
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_base::opened_at;
use echis_program::program::{BinaryOp, ExprId, ExprKind, StmtKind};

/// Candidates for divisors, indices and keys.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    let mut found = swapped(site);
    if let Some(condition) = condition(site).or_else(|| in_range(site)) {
        found.extend(required(site, &condition));
        let bounds = ends(site, &condition).into_iter().filter_map(|text| origin::over_parameters(site, &text));
        found.extend(bounds.filter_map(|text| precondition(site, &text)));
    }
    found
}

/// What bounds the end of the loop where a counter has to be bounded: `n <= |s|` where `k < |s|` is needed while `k < n`.
fn ends(site: &Site<'_>, condition: &str) -> Vec<String> {
    let Some(StmtKind::While { condition: repeated, .. }) = site.enclosing_loop().map(|stmt| &stmt.kind) else {
        return Vec::new();
    };
    let repeated = site.program.conjuncts(*repeated).into_iter().filter_map(|(conjunct, _)| comparison(site, conjunct));
    let mut found = Vec::new();
    for (counter, op, end) in repeated {
        let op = match op {
            BinaryOp::Lt | BinaryOp::Ne => "<=",
            BinaryOp::Le => "<",
            _ => continue,
        };
        let needed = condition.split(" && ").filter_map(|needed| needed.strip_prefix(counter)?.strip_prefix(" < "));
        found.extend(needed.map(|limit| format!("{} {op} {limit}", one_line(end))));
    }
    found
}

fn precondition(site: &Site<'_>, condition: &str) -> Option<Candidate> {
    match site.member {
        Member::Method(id) => clause(site, Owner::Method(id), Clause::Requires, condition),
        Member::Function(id) => clause(site, Owner::Function(id), Clause::Requires, condition),
        Member::Predicate(_) => None,
    }
}

/// Candidates that say a condition where it may be missing.
fn required(site: &Site<'_>, condition: &str) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(stmt) = site.enclosing_loop() {
        found.extend(clause(site, Owner::Loop(stmt), Clause::Invariant, condition));
    }
    let [_, post] = site.clauses();
    let is_promised = post.iter().any(|clause| site.span(site.program.expr(*clause).id).contains(site.at));
    if let (Member::Method(id), true) = (site.member, is_promised && site.is_in_contract()) {
        found.extend(clause(site, Owner::Method(id), Clause::Ensures, condition));
    }
    if let Some(condition) = origin::over_parameters(site, condition) {
        found.extend(precondition(site, &condition));
    }
    found.extend(guarded(site, condition));
    found
}

/// `s[i] > 0 && i < |s|`: the condition comes after the conjunct that needs it.
fn swapped(site: &Site<'_>) -> Vec<Candidate> {
    let is_about_values = condition(site).is_some() || site.reason == "insufficient.permission";
    let program = site.program;
    let mut found = Vec::new();
    for expr in site.expressions() {
        let ExprKind::Binary(BinaryOp::And, first, second) = program.kind(expr) else { continue };
        let (whole, early) = (site.span(program.expr(expr).id), site.span(program.expr(*first).id));
        let is_meant = is_about_values && (early.contains(site.about) || early.contains(site.at));
        let (Some(first), Some(second)) = (site.said(*first), site.said(*second)) else { continue };
        if is_meant && !second.contains("==>") && !first.contains("==>") {
            let text = format!("{second} && {first}");
            let edit = Edit::replace(whole.start as usize, whole.end as usize, &*text);
            found.push(Candidate::new(Kind::Ghost, format!("write {} in this order", one_line(&text)), vec![edit]));
        }
    }
    found.truncate(2);
    found
}

/// The condition under which an element is covered by a quantified permission: `0 <= k && k < |s|` for `s[k].f`,
/// given permission to `s[i].f` for `0 <= i && i < |s|`.
fn in_range(site: &Site<'_>) -> Option<String> {
    let location = site.subject().filter(|_| site.reason == "insufficient.permission")?;
    let program = site.program;
    site.expressions().into_iter().find_map(|expr| {
        let ExprKind::ForallAcc { vars, condition, location_id, .. } = program.kind(expr) else { return None };
        let [var] = &vars[..] else { return None };
        let (pattern, range) = (one_line(site.text_of(*location_id)), one_line(site.said(*condition)?));
        let name = &*program.locals[*var].name;
        let value = matched(&pattern, name, location)?;
        let is_said = |conjunct: &String| words(conjunct).any(|word| word.starts_with(char::is_alphabetic));
        let conjuncts = range.split(" && ").map(|conjunct| renamed(conjunct, name, &value)).filter(is_said);
        let conjuncts: Vec<String> = conjuncts.collect();
        (!range.contains("==>") && !conjuncts.is_empty() && value != name).then(|| conjuncts.join(" && "))
    })
}

/// The text that matches a name in a pattern.
pub(crate) fn matched(pattern: &str, name: &str, text: &str) -> Option<String> {
    let marked = renamed(pattern, name, "\u{0}");
    let (before, behind) = marked.split_once('\u{0}').filter(|(_, behind)| !behind.contains('\u{0}'))?;
    let value = text.strip_prefix(before)?.strip_suffix(behind)?.trim();
    (!value.is_empty()).then(|| value.to_string())
}

/// The condition under which the failing expression is defined.
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

/// The indexed collection.
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

/// Guards an assertion: `i < |s| ==> s[i] > 0`.
fn guarded(site: &Site<'_>, condition: &str) -> Option<Candidate> {
    let StmtKind::Assert(assertion) = &site.statement()?.kind else { return None };
    let program = site.program;
    let holds = |expr: ExprId| site.span(program.expr(expr).id).contains(site.about);
    let (conjunct, _) = program.conjuncts(*assertion).into_iter().find(|(conjunct, _)| holds(*conjunct))?;
    let said = site.said(conjunct)?;
    let span = site.span(program.expr(conjunct).id);
    let start = opened_at(site.text, span.start as usize, span.end as usize);
    let edit = Edit::replace(start, span.end as usize, format!("({condition} ==> {said})"));
    // Less is shown then: that comes behind asking callers for it.
    Some(Candidate::new(Kind::Precondition, format!("assert it only where {condition}"), vec![edit]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_matched() {
        assert_eq!(matched("slot(a, i).val", "i", "slot(a, k + 1).val").as_deref(), Some("k + 1"));
        assert_eq!(matched("slot(a, i).val", "i", "slot(b, k).val"), None);
    }
}
