//! Finds a missing conjunct of a clause as Houdini finds annotations: many conjuncts are added to the clause, those
//! that fail are dropped, and of the rest only those are kept without which the error returns.

use crate::clause::{Clause, Owner};
use crate::conjuncts::{Purity, conjuncts};
use crate::judge::{Effect, Judge, Success};
use crate::limits::{CALLEES, CONTRADICTIONS, Effort, FEW, LIKELY, ROUNDS};
use crate::site::{Member, Site};
use crate::text::{one_line, words};
use crate::{Candidate, Kind, functions, pool};
use echis::Finding;
use echis::coverage::Edit;
use echis_program::program::{ExprId, FunctionId, MethodId, Stmt, StmtKind};
use std::collections::BTreeSet;

/// Where conjuncts are added.
#[derive(Clone, Copy)]
pub(crate) enum Target<'a> {
    Loop(&'a Stmt),
    Precondition,
    Callee(MethodId),
    /// The postcondition of a function.
    Function(FunctionId),
}

/// The clauses that may lack a conjunct, likely ones first.
pub(crate) fn targets<'a>(site: &Site<'a>) -> Vec<Target<'a>> {
    // Bounds make elements accessible, and measures are bounded by known facts.
    if matches!(
        site.reason,
        "wand.not.found" | "qp.not.injective" | "termination.condition.false" | "tuple.condition.false"
    ) {
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
    found.extend(crate::calls::before(site).into_iter().take(CALLEES).map(Target::Callee));
    found.extend(functions::applied(site).into_iter().take(2).map(Target::Function));
    found
}

/// The smallest set of conjuncts for a target that fixes the error, if one is found.
pub(crate) fn search(site: &Site<'_>, judge: &Judge<'_, '_>, target: Target<'_>) -> Option<(Candidate, Success)> {
    let conjuncts = match target {
        Target::Loop(stmt) => pool::of_loop(site, stmt).conjuncts,
        Target::Precondition => pool::of_precondition(site).conjuncts,
        Target::Callee(id) => crate::calls::of_postcondition(site, id).conjuncts,
        Target::Function(id) => functions::of_postcondition(site, id),
    };
    // One cause may have several errors, each of which reveals part of what is missing.
    let beside = judge.errors_beside().filter_map(|finding| Site::new(judge.trials.checked(), finding));
    let mut beside: Vec<String> = beside.filter_map(|site| demanded(&site)).collect();
    let mut seen = BTreeSet::new();
    beside.retain(|text| fits(site, target, text) && seen.insert(text.clone()));
    let conjuncts = beside.iter().cloned().chain(conjuncts);
    let mut seen = BTreeSet::new();
    let is_valid = |conjunct: &String| {
        let edits = edits(site, target, std::slice::from_ref(conjunct));
        edits.is_some_and(|edits| judge.trials.propose(&edits).is_some())
    };
    let mut valid: Vec<String> = conjuncts.filter(|text| seen.insert(text.clone())).collect();
    if judge.is_over() {
        return None;
    }
    if judge.effort == Effort::Fast {
        valid.retain(|text| is_plain(text));
        valid.truncate(FEW);
    }
    // Most are usually valid; only otherwise is each checked separately.
    if edits(site, target, &valid).and_then(|edits| judge.trials.propose(&edits)).is_none() {
        valid.retain(is_valid);
    }
    // Bounds and similar conjuncts are cheap, and often sufficient.
    let plain: Vec<String> = valid.iter().filter(|text| is_plain(text)).cloned().collect();
    // What comes first in the pool is made of what is to be shown.
    let likely: Vec<String> = valid.iter().take(LIKELY).cloned().collect();
    let mut rounds = vec![plain, likely, valid];
    rounds.dedup();
    let mut best: Option<(Candidate, Success)> = None;
    for conjuncts in rounds.into_iter().filter(|conjuncts| !conjuncts.is_empty()) {
        let found = smallest(site, judge, target, conjuncts);
        let left =
            |found: &Option<(Candidate, Success)>| found.as_ref().map_or(usize::MAX, |(_, success)| success.left);
        if left(&found) < left(&best) {
            best = found;
        }
        // Other clauses may be what is too weak.
        if left(&best) == 0 || judge.is_half_spent() {
            break;
        }
    }
    let to_do = |(_, success): &(Candidate, Success)| success.left + success.breaks.len();
    if best.as_ref().is_none_or(|best| to_do(best) > 0) {
        best = best.into_iter().chain(demanded_of_callers(site, judge, target, &beside)).min_by_key(to_do);
    }
    best
}

/// What several errors of the member demand together, although there are callers that it breaks.
fn demanded_of_callers(
    site: &Site<'_>,
    judge: &Judge<'_, '_>,
    target: Target<'_>,
    demanded: &[String],
) -> Option<(Candidate, Success)> {
    if !matches!(target, Target::Precondition) || demanded.len() < 2 {
        return None;
    }
    let candidate = candidate(site, target, demanded)?;
    match judge.outcome(&candidate) {
        Effect::Gone(success) => Some((candidate, success)),
        Effect::Moved(_) | Effect::Useless => None,
    }
}

/// What an error demands, as a condition.
fn demanded(site: &Site<'_>) -> Option<String> {
    let asserted = site.subject().filter(|_| site.is_propagated()).map(one_line);
    asserted.or_else(|| crate::defined::condition(site))
}

fn fits(site: &Site<'_>, target: Target<'_>, text: &str) -> bool {
    match target {
        Target::Loop(_) => true,
        Target::Precondition => {
            let promised = conjuncts(site, &site.clauses()[1], Purity::Any);
            let is_free = !words(text).any(|word| word == "old" || word == "result");
            is_free && site.is_about_parameters(text) && !promised.iter().any(|known| known == text)
        }
        Target::Callee(_) | Target::Function(_) => false,
    }
}

fn is_plain(conjunct: &str) -> bool {
    !["forall", "exists", "==>", "acc(", "unfolding"].iter().any(|word| conjunct.contains(word))
}

fn smallest(
    site: &Site<'_>,
    judge: &Judge<'_, '_>,
    target: Target<'_>,
    mut conjuncts: Vec<String>,
) -> Option<(Candidate, Success)> {
    for _ in 0..CONTRADICTIONS {
        let (holding, success) = holding(site, judge, target, conjuncts)?;
        let needed = needed(site, judge, target, holding.clone(), success.left)?;
        let candidate = candidate(site, target, &needed)?;
        if judge.is_harmless(&candidate) {
            return Some((candidate, success));
        }
        // Conjuncts that contradict each other or what is known are left out.
        conjuncts = holding.into_iter().filter(|text| !needed.contains(text)).collect();
        if conjuncts.is_empty() {
            return None;
        }
    }
    None
}

/// The conjuncts that hold together, if with them the error is gone, and what becomes of other errors.
fn holding(
    site: &Site<'_>,
    judge: &Judge<'_, '_>,
    target: Target<'_>,
    mut conjuncts: Vec<String>,
) -> Option<(Vec<String>, Success)> {
    for _ in 0..ROUNDS {
        let edits = edits(site, target, &conjuncts)?;
        let proposal = judge.trials.propose(&edits)?;
        if judge.is_over() {
            return None;
        }
        let result = judge.verify(&proposal, 0)?;
        let ranges = ranges(&edits, &conjuncts)?;
        // Failures after a wrongly established invariant say nothing about other conjuncts.
        let enters = |finding: &Finding| finding.diagnostic.id.starts_with("invariant.not.preserved");
        let wrong = |counts: &dyn Fn(&Finding) -> bool| -> Vec<bool> {
            let is_wrong = |range: &(usize, usize)| {
                result.errors.iter().any(|finding| counts(finding) && starts_in(finding, *range))
            };
            ranges.iter().map(is_wrong).collect()
        };
        let mut wrong_now = wrong(&|finding| !enters(finding));
        if !wrong_now.contains(&true) {
            wrong_now = wrong(&|_| true);
        }
        let wrong = wrong_now;
        if !wrong.contains(&true) {
            return judge.left(&proposal, &result).map(|success| (conjuncts, success));
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
    // Callers fail at the call, because of a precondition.
    let reason = finding.nodes.as_ref().map(|nodes| nodes.reason.span);
    finding.diagnostic.span.into_iter().chain(reason).any(|span| is_in(span.start))
}

/// Drops halves, and then single conjuncts, as long as the number of errors does not increase. Conjuncts that hold
/// together may not hold separately.
fn needed(
    site: &Site<'_>,
    judge: &Judge<'_, '_>,
    target: Target<'_>,
    mut conjuncts: Vec<String>,
    left: usize,
) -> Option<Vec<String>> {
    let suffices = |some: &[String]| {
        let proposal = edits(site, target, some).and_then(|edits| judge.trials.propose(&edits));
        proposal.and_then(|proposal| judge.takes_away(&proposal)).is_some_and(|then| then.left <= left)
    };
    let mut size = conjuncts.len() / 2;
    while size > 0 && conjuncts.len() > 1 {
        let mut start = 0;
        while start < conjuncts.len() && conjuncts.len() > 1 {
            let end = (start + size).min(conjuncts.len());
            // Conjuncts late in the pool are the least likely.
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
        Target::Callee(_) | Target::Function(_) => Clause::Ensures,
    };
    let owner = owner(site, target)?;
    let first = conjuncts.first()?;
    let edit = match next_clause(site, target) {
        Some(_) => site.add_before(owner, site.at, clause, first)?,
        None => site.add_clause(owner, clause, first)?,
    };
    // Further clauses follow the first, in the same edit.
    let at = edit.text.find(&format!("{} {first}", clause.word()))?;
    let behind = at + clause.word().len() + 1 + first.len();
    let line = edit.text[..at].rfind('\n').map_or("", |line| &edit.text[line + 1..at]);
    let space = if line.trim().is_empty() { line } else { "" };
    let more: String = conjuncts[1..].iter().map(|conjunct| format!("\n{space}{} {conjunct}", clause.word())).collect();
    Some(vec![Edit { text: format!("{}{more}{}", &edit.text[..behind], &edit.text[behind..]), ..edit }])
}

/// The clause that is undefined without the addition, which must precede it.
fn next_clause(site: &Site<'_>, target: Target<'_>) -> Option<ExprId> {
    let clauses: Vec<ExprId> = match target {
        Target::Loop(Stmt { kind: StmtKind::While { invariants, .. }, .. }) => invariants.clone(),
        Target::Precondition => site.clauses()[0].clone(),
        Target::Loop(_) | Target::Callee(_) | Target::Function(_) => Vec::new(),
    };
    let holds = |clause: &ExprId| site.span(site.program.expr(*clause).id).contains(site.at);
    clauses.into_iter().find(|clause| holds(clause) && !site.is_defined())
}

fn owner<'s>(site: &Site<'_>, target: Target<'s>) -> Option<Owner<'s>> {
    Some(match target {
        Target::Loop(stmt) => Owner::Loop(stmt),
        Target::Callee(id) => Owner::Method(id),
        Target::Function(id) => Owner::Function(id),
        Target::Precondition => match site.member {
            Member::Method(id) => Owner::Method(id),
            Member::Function(id) => Owner::Function(id),
            Member::Predicate(_) => return None,
        },
    })
}

/// The range of each conjunct in the edited program.
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
        Target::Function(id) => (Kind::Callee, "ensures", site.program.functions[id].name.to_string()),
    };
    let each: Vec<String> = conjuncts.iter().map(|conjunct| format!("{word} {conjunct}")).collect();
    let mut explanation = format!("add {} to {name}", each.join(", "));
    if let Some(location) = conjuncts.iter().find_map(|conjunct| framed(conjunct)) {
        explanation += &format!(", which says nothing about {location}");
    }
    Some(Candidate::new(kind, explanation, edits))
}

/// The location whose value is preserved: `x.f` for `x.f == old(x.f)`.
fn framed(conjunct: &str) -> Option<&str> {
    let (location, old) = conjunct.split_once(" == old(")?;
    (old.strip_suffix(')') == Some(location)).then_some(location)
}
