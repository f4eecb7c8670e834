//! Quantified permission to locations that may coincide: adds the condition that they are different.

use crate::Candidate;
use crate::clause::{Clause, Owner};
use crate::permission::clause;
use crate::site::{Member, Site};
use crate::text::{one_line, renamed, words};
use echis_program::program::{ExprId, ExprKind, Location, Type};

/// Candidates that state that the receivers are different.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    if site.reason != "qp.not.injective" {
        return Vec::new();
    }
    let Some(condition) = site.expressions().into_iter().find_map(|expr| different(site, expr)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if let Some(stmt) = site.enclosing_loop() {
        found.extend(clause(site, Owner::Loop(stmt), Clause::Invariant, &condition));
    }
    let is_free = !words(&condition).any(|word| matches!(word, "old" | "result"));
    if is_free && site.is_about_parameters(&condition) {
        found.extend(match site.member {
            Member::Method(id) => clause(site, Owner::Method(id), Clause::Requires, &condition),
            Member::Function(id) => clause(site, Owner::Function(id), Clause::Requires, &condition),
            Member::Predicate(_) => None,
        });
    }
    found
}

/// The condition that the receivers of a quantified permission differ for different values:
/// `i != j ==> s[i] != s[j]`.
fn different(site: &Site<'_>, expr: ExprId) -> Option<String> {
    let program = site.program;
    let ExprKind::ForallAcc { vars, condition, location, .. } = program.kind(expr) else { return None };
    let span = site.span(program.expr(expr).id);
    let is_meant = span.contains(site.about) || site.about.contains(span) || span.contains(site.at);
    let [var] = &vars[..] else { return None };
    let receiver = match location {
        Location::Field { receiver, .. } => *receiver,
        Location::Predicate { args, .. } => *args.first()?,
        _ => return None,
    };
    let (receiver, condition) = (one_line(site.said(receiver)?), one_line(site.said(*condition)?));
    let name = &*program.locals[*var].name;
    // The type is written between the variable and the body: `forall i: Int :: …`. A part of the body has none.
    let declared = site.said(expr).and_then(|said| said.split_once("::")?.0.split_once(':'));
    let ty = match (declared, &program.locals[*var].ty) {
        (Some((_, ty)), _) => ty.trim(),
        (None, Type::Int) => "Int",
        (None, Type::Ref) => "Ref",
        _ => return None,
    };
    let other = fresh(&format!("{receiver} {condition}"), name);
    let [there, then] = [&receiver, &condition].map(|text| renamed(text, name, &other));
    let [here, then] = [&condition, &then].map(|text| conjunct(text));
    is_meant.then(|| {
        format!("forall {name}: {ty}, {other}: {ty} :: {here} && {then} && {name} != {other} ==> {receiver} != {there}")
    })
}

/// A condition as a part of a conjunction, in parentheses where other operators might bind less.
fn conjunct(text: &str) -> String {
    let binds_less = ["||", "==>", "<==>", "?", "forall", "exists", "unfolding", "let ", "applying"];
    if binds_less.iter().any(|word| text.contains(word)) { format!("({text})") } else { text.to_string() }
}

/// A name that a text does not have.
fn fresh(text: &str, name: &str) -> String {
    let mut new = if name == "i" { "j".to_string() } else { format!("{name}2") };
    while words(text).any(|word| word == new) {
        new.push('_');
    }
    new
}
