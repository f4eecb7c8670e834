//! The conjunct that a clause lacks, found as Houdini finds annotations: many conjuncts are put into the clause, those that do
//! not hold are dropped, and of the rest only those stay without which the error comes back.

use crate::clause::{Clause, Owner};
use crate::judge::{Judge, Success};
use crate::limits::ROUNDS;
use crate::site::{Member, Site};
use crate::{Candidate, Kind, pool};
use echis::coverage::Edit;
use echis::Finding;
use echis_program::program::{MethodId, Stmt, StmtKind};

/// Where conjuncts are put.
#[derive(Clone, Copy)]
pub(crate) enum Target<'a> {
    Loop(&'a Stmt),
    Precondition,
    Callee(MethodId),
}

/// The places that may lack a conjunct, the likely ones first.
pub(crate) fn targets<'a>(site: &Site<'a>) -> Vec<Target<'a>> {
    let undecidable = ["insufficient.permission", "tuple.false", "tuple.condition.false", "qp.not.injective"];
    if undecidable.contains(&site.reason) || site.error == "termination.failed" {
        return Vec::new();
    }
    let mut found = Vec::new();
    if let Some(stmt) = site.enclosing_loop() {
        let outer = site.around.iter().rev().filter(|stmt| matches!(stmt.kind, StmtKind::While { .. })).nth(1);
        match site.error {
            "invariant.not.established" => found.extend(outer.map(|stmt| Target::Loop(stmt))),
            _ => found.push(Target::Loop(stmt)),
        }
    }
    found.extend(site.loops_before().into_iter().rev().take(2).map(Target::Loop));
    if !matches!(site.member, Member::Predicate(_)) {
        found.push(Target::Precondition);
    }
    found.extend(crate::calls::before(site).into_iter().take(2).map(Target::Callee));
    found
}

/// The smallest set of conjuncts for a place that takes the error away, if one is found.
pub(crate) fn search(site: &Site<'_>, judge: &Judge<'_, '_>, target: Target<'_>) -> Option<(Candidate, Success)> {
    let conjuncts = match target {
        Target::Loop(stmt) => pool::of_loop(site, stmt).conjuncts,
        Target::Precondition => pool::of_precondition(site).conjuncts,
        Target::Callee(id) => crate::calls::of_postcondition(site, id).conjuncts,
    };
    let mut valid: Vec<String> = conjuncts;
    valid.retain(|conjunct| edits(site, target, std::slice::from_ref(conjunct)).is_some_and(|edits| judge.trials.propose(&edits).is_some()));
    if valid.is_empty() {
        return None;
    }
    let holding = holding(site, judge, target, valid)?;
    let needed = needed(site, judge, target, holding)?;
    let candidate = candidate(site, target, &needed)?;
    let success = judge.succeeds(&candidate)?;
    Some((candidate, success))
}

/// The conjuncts that hold together, if with them the error is gone.
fn holding(site: &Site<'_>, judge: &Judge<'_, '_>, target: Target<'_>, mut conjuncts: Vec<String>) -> Option<Vec<String>> {
    for _ in 0..ROUNDS {
        let edits = edits(site, target, &conjuncts)?;
        let proposal = judge.trials.propose(&edits)?;
        if judge.is_over() {
            return None;
        }
        let result = judge.verify(&proposal, 0)?;
        let ranges = ranges(&edits, &conjuncts)?;
        let is_wrong = |range: &(usize, usize)| result.errors.iter().any(|finding| starts_in(finding, *range));
        let wrong: Vec<bool> = ranges.iter().map(is_wrong).collect();
        if !wrong.contains(&true) {
            return judge.takes_away(&proposal).then_some(conjuncts);
        }
        let mut wrong = wrong.into_iter();
        conjuncts.retain(|_| !wrong.next().unwrap_or(false));
        if conjuncts.is_empty() {
            return None;
        }
    }
    None
}

/// Whether a finding is about text in a range of the edited program.
fn starts_in(finding: &Finding, (start, end): (usize, usize)) -> bool {
    let is_in = |at: u32| (start..end).contains(&(at as usize));
    finding.diagnostic.span.is_some_and(|span| is_in(span.start))
}

/// Leaves out halves, and then single conjuncts, as long as the error stays away. What holds together may not hold in part.
fn needed(site: &Site<'_>, judge: &Judge<'_, '_>, target: Target<'_>, mut conjuncts: Vec<String>) -> Option<Vec<String>> {
    let suffices = |some: &[String]| {
        let proposal = edits(site, target, some).and_then(|edits| judge.trials.propose(&edits));
        proposal.is_some_and(|proposal| judge.takes_away(&proposal))
    };
    let mut size = conjuncts.len() / 2;
    while size > 0 && conjuncts.len() > 1 {
        let mut start = 0;
        while start < conjuncts.len() && conjuncts.len() > 1 {
            let end = (start + size).min(conjuncts.len());
            // What comes last in the pool is the least likely.
            let (from, to) = (conjuncts.len() - end, conjuncts.len() - start);
            let rest: Vec<String> = [&conjuncts[..from], &conjuncts[to..]].concat();
            if !rest.is_empty() && suffices(&rest) {
                conjuncts = rest;
            } else {
                start = end;
            }
            if judge.is_over() {
                return None;
            }
        }
        size /= 2;
    }
    Some(conjuncts)
}

fn edits(site: &Site<'_>, target: Target<'_>, conjuncts: &[String]) -> Option<Vec<Edit>> {
    let clause = match target {
        Target::Loop(_) => Clause::Invariant,
        Target::Precondition => Clause::Requires,
        Target::Callee(_) => Clause::Ensures,
    };
    let owner = owner(site, target)?;
    let first = conjuncts.first()?;
    let edit = site.add_clause(owner, clause, first)?;
    // Further clauses stand behind the first, in the same edit.
    let at = edit.text.find(&format!("{} {first}", clause.word()))?;
    let behind = at + clause.word().len() + 1 + first.len();
    let line = edit.text[..at].rfind('\n').map_or("", |line| &edit.text[line + 1..at]);
    let space = if line.trim().is_empty() { line } else { "" };
    let more: String = conjuncts[1..].iter().map(|conjunct| format!("\n{space}{} {conjunct}", clause.word())).collect();
    Some(vec![Edit { text: format!("{}{more}{}", &edit.text[..behind], &edit.text[behind..]), ..edit }])
}

fn owner<'s>(site: &Site<'_>, target: Target<'s>) -> Option<Owner<'s>> {
    Some(match target {
        Target::Loop(stmt) => Owner::Loop(stmt),
        Target::Callee(id) => Owner::Method(id),
        Target::Precondition => match site.member {
            Member::Method(id) => Owner::Method(id),
            Member::Function(id) => Owner::Function(id),
            Member::Predicate(_) => return None,
        },
    })
}

/// Where each conjunct is in the edited program.
fn ranges(edits: &[Edit], conjuncts: &[String]) -> Option<Vec<(usize, usize)>> {
    let edit = edits.first()?;
    let mut from = 0;
    let mut found = Vec::new();
    for conjunct in conjuncts {
        let at = from + edit.text.get(from..)?.find(conjunct)?;
        from = at + conjunct.len();
        found.push((edit.start + at, edit.start + from));
    }
    Some(found)
}

fn candidate(site: &Site<'_>, target: Target<'_>, conjuncts: &[String]) -> Option<Candidate> {
    let edits = edits(site, target, conjuncts)?;
    let (kind, word, name) = match target {
        Target::Loop(stmt) => {
            let line = site.sources.position(site.span(stmt.id)).start.line;
            (Kind::Invariant, "invariant", format!("the loop on line {line}"))
        }
        Target::Precondition => (Kind::Precondition, "requires", site.name().to_string()),
        Target::Callee(id) => (Kind::Callee, "ensures", site.program.methods[id].name.to_string()),
    };
    let each: Vec<String> = conjuncts.iter().map(|conjunct| format!("{word} {conjunct}")).collect();
    Some(Candidate::new(kind, format!("add {} to {name}", each.join(", ")), edits))
}
