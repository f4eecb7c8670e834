//! Missing permission: a clause lacks it, or has too little.

use crate::clause::{Clause, Owner, called};
use crate::conjuncts::{Purity, conjuncts};
use crate::site::{Member, Site};
use crate::terms::{Application, applications, in_scope};
use crate::text::{bare, closed, one_line, renamed, words};
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_base::{SyntaxId, opened_at};
use echis_program::program::{BinaryOp, ExprId, ExprKind, Location, Stmt, StmtKind};

/// Maximum number of assertions from other members, and of ranges of elements.
const ELSEWHERE: usize = 4;
const RANGES: usize = 5;

/// Candidates for missing permission.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    if site.reason != "insufficient.permission" {
        return Vec::new();
    }
    let Some(location) = site.subject() else { return Vec::new() };
    let mut found = amounts(site, location);
    // A clause that already gives a predicate must not also give permission inside that predicate.
    let is_held = is_inside(site, location);
    for resource in resources(site, location).into_iter().filter(|resource| !is_held || !is_plain(resource, location)) {
        found.extend(given(site, &resource));
    }
    found
}

fn is_plain(resource: &str, location: &str) -> bool {
    resource == location || resource.strip_prefix("acc(").is_some_and(|rest| rest.starts_with(location))
}

/// Whether a clause gives a predicate on the same receiver that contains the location.
fn is_inside(site: &Site<'_>, location: &str) -> bool {
    let Some((receiver, field)) = Site::field(location).filter(|_| site.instance(location).is_none()) else {
        return false;
    };
    let gives = |expr: ExprId| match site.program.kind(expr) {
        ExprKind::Acc { location: Location::Predicate { predicate, args }, .. } => {
            let is_receiver = |arg: &ExprId| site.said(*arg).is_some_and(|text| one_line(text) == receiver);
            site.gives_field(*predicate, field) && args.iter().any(is_receiver)
        }
        _ => false,
    };
    site.expressions().into_iter().any(gives)
}

/// Assertions that give the permission: the simplest one, and those in the member's clauses that mention the same
/// field or predicate.
pub(crate) fn resources(site: &Site<'_>, location: &str) -> Vec<String> {
    let is_instance = site.instance(location).is_some();
    let name = match Site::field(location) {
        Some((_, field)) if !is_instance => field,
        _ => bare(location).split('(').next().unwrap_or(location).trim(),
    };
    let plain = match Site::field(location) {
        _ if is_instance || bare(location) != location => Some(location.to_string()),
        field => field.map(|_| format!("acc({location})")),
    };
    // An element is rarely needed alone.
    let is_element = Site::field(location).is_some_and(|(receiver, _)| receiver.ends_with([')', ']']));
    let said = impure_conjuncts(site, name);
    let said: Vec<String> =
        said.iter().cloned().chain(said.iter().flat_map(|text| renewed(site, text, location))).collect();
    let said = said.into_iter();
    let all: Vec<String> = match is_element && !is_instance {
        true => said.chain(plain).collect(),
        false => plain.into_iter().chain(said).collect(),
    };
    let mut found: Vec<String> = Vec::new();
    for conjunct in all {
        if !found.contains(&conjunct) {
            found.push(conjunct);
        }
    }
    if site.function().is_some() && !is_instance {
        found.push(format!("acc({}, wildcard)", bare(location)));
    }
    for conjunct in elsewhere(site, name).into_iter().chain(quantified(site, location)) {
        if !found.contains(&conjunct) {
            found.push(conjunct);
        }
    }
    found
}

/// What is said of one variable, said of the one of the same type that a location speaks of.
fn renewed(site: &Site<'_>, conjunct: &str, location: &str) -> Vec<String> {
    let scope = in_scope(site);
    let is_in = |name: &str, text: &str| words(text).any(|word| word == name);
    let wanted = scope.iter().filter(|term| is_in(&term.text, location) && !is_in(&term.text, conjunct));
    let pairs = wanted.flat_map(|wanted| {
        let others = scope.iter().filter(move |term| term.ty == wanted.ty && term.text != wanted.text);
        others.map(move |other| (other, wanted))
    });
    let pairs = pairs.filter(|(other, _)| is_in(&other.text, conjunct));
    pairs.map(|(other, wanted)| renamed(conjunct, &other.text, &wanted.text)).take(ELSEWHERE).collect()
}

/// Assertions in the preconditions of other members that speak of a field or predicate, in the words of this member: its
/// parameters in the place of theirs, by name, or else by type.
fn elsewhere(site: &Site<'_>, name: &str) -> Vec<String> {
    let program = site.program;
    let functions = program.functions.values().map(|function| (function.id, &function.params, &function.pre));
    let methods = program.methods.values().map(|method| (method.id, &method.params, &method.pre));
    let mut found = Vec::new();
    for (_, params, pre) in functions.chain(methods).filter(|(id, ..)| *id != site.id()) {
        for (conjunct, _) in pre.iter().flat_map(|clause| program.conjuncts(*clause)) {
            let Some(text) = site.said(conjunct).filter(|_| !program.is_pure(conjunct)).map(one_line) else { continue };
            if words(&text).any(|word| word == name) {
                found.push(params.iter().fold(text, |text, param| {
                    let theirs = &program.locals[*param];
                    let own = || site.params().iter().map(|own| &program.locals[*own]);
                    let same = own().find(|own| own.name == theirs.name && own.ty == theirs.ty);
                    let same = same.or_else(|| own().find(|own| own.ty == theirs.ty));
                    same.map_or_else(|| text.clone(), |own| renamed(&text, &theirs.name, &own.name))
                }));
            }
        }
    }
    found.dedup();
    found.truncate(ELSEWHERE);
    found
}

/// Permission to a field of all elements of a sequence, or of those in a range that the precondition mentions.
fn quantified(site: &Site<'_>, location: &str) -> Vec<String> {
    let Some((receiver, field)) = Site::field(location).filter(|_| site.instance(location).is_none()) else {
        return Vec::new();
    };
    let amount = if site.function().is_some() { ", wildcard" } else { "" };
    let taken: Vec<&str> =
        words(location).chain(site.params().iter().map(|local| &*site.program.locals[*local].name)).collect();
    let Some(var) = ["i", "j", "k", "l", "m"].into_iter().find(|name| !taken.contains(name)) else { return Vec::new() };
    let Some(elements) = Elements::of(site, receiver, var) else { return Vec::new() };
    let mut ranges: Vec<(String, String)> =
        elements.length.map(|length| ("0".to_string(), length)).into_iter().collect();
    let bounds: Vec<(String, String)> = site.clauses()[0]
        .iter()
        .flat_map(|clause| site.program.conjuncts(*clause))
        .filter_map(|(conjunct, _)| comparison(site, conjunct))
        .filter(|(_, op, _)| matches!(op, BinaryOp::Le | BinaryOp::Lt))
        .map(|(low, _, high)| (one_line(low), one_line(high)))
        .collect();
    for (low, middle) in &bounds {
        ranges.extend(bounds.iter().filter(|(next, _)| next == middle).map(|(_, high)| (low.clone(), high.clone())));
    }
    ranges.extend(bounds);
    ranges.dedup();
    let (element, trigger) = (elements.element, elements.trigger);
    let range = |(low, high): (String, String)| {
        format!("(forall {var}: Int ::{trigger} {low} <= {var} && {var} < {high} ==> acc({element}.{field}{amount}))")
    };
    ranges.into_iter().map(range).take(RANGES).collect()
}

/// The elements of a sequence, or the values of a function whose last argument is a number.
struct Elements {
    element: String,
    trigger: String,
    /// The number of elements, if known.
    length: Option<String>,
}

impl Elements {
    fn of(site: &Site<'_>, receiver: &str, var: &str) -> Option<Self> {
        if let Some((sequence, _)) = receiver.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
            let element = format!("{sequence}[{var}]");
            return Some(Elements { element, trigger: String::new(), length: Some(format!("|{sequence}|")) });
        }
        let Application { name, mut args } = applications(site, receiver).into_iter().next()?;
        *args.last_mut()? = var.to_string();
        let element = Application { name, args }.text();
        Some(Elements { trigger: format!(" {{{element}}}"), element, length: None })
    }
}

/// The impure conjuncts of the member's contract and loops that speak of a field or predicate. Uses of macros are as they are
/// written.
fn impure_conjuncts(site: &Site<'_>, name: &str) -> Vec<String> {
    let program = site.program;
    let mut clauses: Vec<ExprId> = site.clauses().into_iter().flatten().collect();
    if let Some(body) = site.method().and_then(|method| method.body.as_ref()) {
        body.visit_stmts(&mut |stmt| {
            if let StmtKind::While { invariants, .. } = &stmt.kind {
                clauses.extend(invariants);
            }
        });
    }
    let mut found = Vec::new();
    for (conjunct, _) in clauses.into_iter().flat_map(|clause| program.conjuncts(clause)) {
        let is_meant = !program.is_pure(conjunct) && words(site.meant(conjunct)).any(|word| word == name);
        if let Some(text) = site.used(conjunct).filter(|_| is_meant).map(one_line)
            && !found.contains(&text)
        {
            found.push(text);
        }
    }
    found
}

/// The clauses that could provide a resource.
fn given(site: &Site<'_>, resource: &str) -> Vec<Candidate> {
    let mut found = Vec::new();
    match site.member {
        Member::Predicate(id) => {
            let body = site.program.predicates[id].body;
            let span = body.map(|body| site.span(site.program.expr(body).id));
            if let Some(span) = span.filter(|span| site.span(site.id()).contains(*span)) {
                let start = opened_at(site.text, span.start as usize, span.end as usize);
                let edit = Edit::insert(start, format!("{resource} && "));
                let explanation = format!("add {resource} to the body of {}", site.name());
                found.push(Candidate::new(Kind::Predicate, explanation, vec![edit]));
            }
        }
        Member::Function(id) => found.extend(clause(site, Owner::Function(id), Clause::Requires, resource)),
        Member::Method(id) => {
            if site.is_in_contract() {
                let requires = clause(site, Owner::Method(id), Clause::Requires, resource);
                if is_in(site, &site.clauses()[1]) {
                    let ensures = clause(site, Owner::Method(id), Clause::Ensures, resource);
                    let both =
                        requires.clone().zip(ensures.clone()).map(|(first, second)| both(first, second, resource));
                    found.extend(ensures);
                    found.extend(requires);
                    found.extend(both);
                } else {
                    found.extend(requires);
                }
                return found;
            }
            found.extend(invariants(site, resource));
            if site.is_about_parameters(resource) {
                let requires = clause(site, Owner::Method(id), Clause::Requires, resource);
                let ensures = clause(site, Owner::Method(id), Clause::Ensures, resource);
                let both = requires.clone().zip(ensures).map(|(first, second)| both(first, second, resource));
                found.extend(requires.clone().and_then(|first| with_loops(site, first, resource)));
                found.extend(both.clone().and_then(|first| with_loops(site, first, resource)));
                found.extend(requires);
                found.extend(both);
            }
        }
    }
    found
}

/// A precondition and a matching postcondition.
pub(crate) fn both(requires: Candidate, ensures: Candidate, resource: &str) -> Candidate {
    Candidate {
        edits: [requires.edits, ensures.edits].concat(),
        explanation: format!("{}, and ensures {resource}", requires.explanation),
        ..requires
    }
}

/// A change of the contract together with all enclosing loops.
fn with_loops(site: &Site<'_>, contract: Candidate, resource: &str) -> Option<Candidate> {
    let around = site.around.iter().filter(|stmt| matches!(stmt.kind, StmtKind::While { .. }));
    let each: Option<Vec<Candidate>> =
        around.map(|stmt| clause(site, Owner::Loop(stmt), Clause::Invariant, resource)).collect();
    let each = each.filter(|each| !each.is_empty())?;
    let edits = contract.edits.iter().cloned().chain(each.into_iter().flat_map(|candidate| candidate.edits)).collect();
    let explanation = format!("{}, and invariant {resource} to the loop", contract.explanation);
    Some(Candidate { edits, explanation, ..contract })
}

/// The loops that lose or lack a resource: enclosing ones, and the last one before.
fn invariants(site: &Site<'_>, resource: &str) -> Vec<Candidate> {
    let around: Vec<&Stmt> =
        site.around.iter().copied().filter(|stmt| matches!(stmt.kind, StmtKind::While { .. })).collect();
    let established = site.error == "invariant.not.established";
    let mut found = Vec::new();
    if let Some(inner) = around.last().filter(|_| !established) {
        found.extend(clause(site, Owner::Loop(inner), Clause::Invariant, resource));
        // What is needed only where the loop goes on.
        if let StmtKind::While { condition, .. } = &inner.kind
            && let Some(condition) = site.said(*condition).map(one_line)
            && words(&condition).any(|word| words(resource).any(|other| other == word))
        {
            let text = format!("{} ==> {resource}", crate::text::guard(&condition));
            found.extend(clause(site, Owner::Loop(inner), Clause::Invariant, &text));
        }
    }
    if around.len() > 1 {
        let each: Option<Vec<Candidate>> =
            around.iter().map(|stmt| clause(site, Owner::Loop(stmt), Clause::Invariant, resource)).collect();
        found.extend(each.map(|each| {
            let edits = each.into_iter().flat_map(|candidate| candidate.edits).collect();
            Candidate::new(Kind::Invariant, format!("add invariant {resource} to the loops around it"), edits)
        }));
        if established {
            let outer = around[around.len() - 2];
            found.extend(clause(site, Owner::Loop(outer), Clause::Invariant, resource));
        }
    }
    for stmt in site.loops_before().into_iter().rev().take(2) {
        found.extend(clause(site, Owner::Loop(stmt), Clause::Invariant, resource));
    }
    found
}

/// Adds a clause: if the error is in a clause of the same kind, before that one.
pub(crate) fn clause(site: &Site<'_>, owner: Owner<'_>, clause: Clause, text: &str) -> Option<Candidate> {
    let program = site.program;
    let (own, name) = (site.clauses_of(owner, clause), called(site, owner));
    // A conjunct that is already present is not added again.
    let is_said = conjuncts(site, &own, Purity::Any).iter().any(|said| said == text);
    // What a pure conjunct unfolds is not given by it.
    let given =
        own.iter().flat_map(|clause| program.conjuncts(*clause)).filter(|(conjunct, _)| !program.is_pure(*conjunct));
    let given: Vec<String> = given.filter_map(|(conjunct, _)| site.said(conjunct)).map(one_line).collect();
    if is_said || is_given(&given, text) {
        return None;
    }
    // An undefined clause needs the addition before it; one that is false does not.
    let is_about = |expr: &&ExprId| site.span(program.expr(**expr).id).contains(site.at) && !site.is_defined();
    let edit = match own.iter().find(is_about) {
        Some(_) => site.add_before(owner, site.at, clause, text)?,
        None => site.add_clause(owner, clause, text)?,
    };
    let kind = match (owner, clause) {
        (Owner::Loop(_), _) => Kind::Invariant,
        (Owner::Method(id), _) if site.member != Member::Method(id) => Kind::Callee,
        (Owner::Function(id), _) if site.member != Member::Function(id) => Kind::Callee,
        (_, Clause::Ensures) => Kind::Postcondition,
        _ => Kind::Precondition,
    };
    Some(Candidate::new(kind, format!("add {} {text} to {name}", clause.word()), vec![edit]))
}

/// Whether conjuncts give permission to the same locations as a new one. Together this may be too much permission,
/// which no check notices until an element is accessed, or if the program is contradictory already.
fn is_given(conjuncts: &[String], new: &str) -> bool {
    let is_conditional = new.contains("==>") && !new.contains("forall ");
    if is_conditional || new.contains("wildcard") {
        return false;
    }
    let new = elements(new);
    let given = conjuncts.iter().filter(|text| !text.contains("wildcard")).flat_map(|text| elements(text));
    given.into_iter().any(|element| new.contains(&element))
}

/// The locations of a quantified permission, with the bound variable normalised: `s[$].f` for
/// `forall i: Int :: i > 0 ==> acc(s[i].f)`.
fn elements(text: &str) -> Vec<String> {
    let vars = text.split("forall ").nth(1).and_then(|rest| rest.split("::").next()).unwrap_or_default();
    let vars: Vec<&str> = vars.split(',').filter_map(|var| var.split(':').next()).map(str::trim).collect();
    let locations = text.match_indices("acc(").filter_map(|(at, _)| {
        let inner = &text[at + "acc(".len()..];
        let location = bare(&text[at..at + "acc(".len() + closed(inner)? + 1]).to_string();
        Some(vars.iter().fold(location, |location, var| renamed(&location, var, "$")))
    });
    locations.collect()
}

/// Whether the error is in one of these clauses.
fn is_in(site: &Site<'_>, clauses: &[ExprId]) -> bool {
    clauses.iter().any(|clause| site.span(site.program.expr(*clause).id).contains(site.at))
}

/// Raises a clause's fractional permission to the full one.
fn amounts(site: &Site<'_>, location: &str) -> Vec<Candidate> {
    let program = site.program;
    let mut found = Vec::new();
    for expr in site.expressions() {
        if let ExprKind::ForallAcc { location: Location::Field { .. }, location_id, amount, .. } = program.kind(expr) {
            found.extend(whole_elements(site, expr, *location_id, *amount, location));
        }
        let ExprKind::Acc { location: place, location_id, amount } = program.kind(expr) else { continue };
        let same = one_line(site.text_of(*location_id)) == bare(location);
        let partial = !matches!(program.kind(*amount), ExprKind::Write);
        let Some(said) = site.said(expr).filter(|text| same && partial && text.starts_with("acc(")) else { continue };
        let whole = match place {
            Location::Predicate { .. } => bare(location).to_string(),
            _ => format!("acc({})", bare(location)),
        };
        let span = site.span(program.expr(expr).id);
        let start = opened_at(site.text, span.start as usize, span.end as usize);
        let kind = site.kind_of(span);
        let edit = Edit::replace(start, span.end as usize, &*whole);
        found.push(Candidate::new(kind, format!("write {whole} for {}", one_line(said)), vec![edit]));
    }
    // The amount must be the same in the precondition, the invariants and the postcondition.
    if found.len() > 1 {
        let edits = found.iter().flat_map(|candidate| candidate.edits.clone()).collect();
        let explanation = format!("{} everywhere", found[0].explanation);
        let all = Candidate { explanation, ..Candidate::new(Kind::Precondition, "", edits) };
        found.insert(0, all);
    }
    found
}

/// Full permission to elements of which a clause gives a fraction.
fn whole_elements(
    site: &Site<'_>,
    expr: ExprId,
    location_id: SyntaxId,
    amount: ExprId,
    location: &str,
) -> Option<Candidate> {
    let program = site.program;
    if matches!(program.kind(amount), ExprKind::Write) {
        return None;
    }
    let (place, amount) = (site.text_of(location_id), site.span(program.expr(amount).id));
    let (_, field) =
        Site::field(&one_line(place)).map(|(receiver, field)| (receiver.to_string(), field.to_string()))?;
    let is_meant = words(location).any(|word| word == field);
    let from = site.span(location_id).end as usize;
    let comma = site.text.get(from..amount.start as usize)?;
    let span = site.span(program.expr(expr).id);
    (is_meant && comma.trim() == ",").then(|| {
        let edit = Edit::replace(from, amount.end as usize, "");
        let line = site.sources.position(span).start.line;
        Candidate::new(site.kind_of(span), format!("write acc({place}) for a part of it on line {line}"), vec![edit])
    })
}

/// The operands and operator of a comparison.
pub(crate) fn comparison<'p>(site: &Site<'p>, expr: ExprId) -> Option<(&'p str, BinaryOp, &'p str)> {
    let ExprKind::Binary(op, left, right) = site.program.kind(expr) else { return None };
    let compares =
        matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Ne | BinaryOp::Eq);
    Some((site.said(*left)?, *op, site.said(*right)?)).filter(|_| compares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_given_once() {
        let half = ["forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].f, 1/2)".to_string()];
        assert_eq!(elements(&half[0]), ["s[$].f"]);
        assert!(is_given(&half, "(forall j: Int :: 0 <= j && j < 3 ==> acc(s[j].f))"));
        assert!(!is_given(&half, "(forall j: Int :: 0 <= j && j < 3 ==> acc(t[j].f))"));
        assert!(!is_given(&half, "acc(s[0].f)"));
        assert!(is_given(&["acc(x.f, write)".to_string()], "acc(x.f)"));
        assert!(!is_given(&["acc(x.f)".to_string()], "x != null ==> acc(x.f)"));
    }
}
