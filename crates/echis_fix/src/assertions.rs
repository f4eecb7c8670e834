//! Intermediate assertions that provide terms a proof needs and the program does not mention. Each is proved where it
//! is added.
//!
//! Tried are: another unrolling of a function definition in the goal, instances of known quantifiers, witnesses for
//! existentials, and how a part of a sequence is composed of smaller ones.

use crate::site::Site;
use crate::terms::{Application, Term, combinations, goal, goal_applications, goal_text, in_scope, of_goal};
use crate::text::{one_line, renamed, words};
use crate::{Candidate, Kind, unfolded};
use echis_program::program::{BinaryOp, ExprId, ExprKind, LocalId, Quantifier, StmtKind, Type};
use std::collections::BTreeSet;

/// Maximum number of assertions of each kind.
const EACH: usize = 6;
/// Maximum number of unrollings of a definition.
const DEPTH: usize = 4;
const QUANTIFIERS: usize = 4;

/// Candidates that add an assertion before the failure.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    let is_pure = site.reason == "assertion.false" && site.method().is_some();
    let Some(at) = site.before().filter(|_| is_pure) else { return Vec::new() };
    let mut asserted: Vec<Vec<String>> = Vec::new();
    asserted.extend(witnesses(site).into_iter().map(|text| vec![text]));
    asserted.extend(sequences(site).into_iter().map(|text| vec![text]));
    asserted.extend(definitions(site));
    asserted.extend(instances(site).into_iter().map(|text| vec![text]));
    let mut seen = BTreeSet::new();
    let known = goal_text(site).unwrap_or_default();
    asserted.retain(|texts| seen.insert(texts.clone()) && !texts.contains(&known));
    let candidate = |texts: Vec<String>| {
        let statements: Vec<String> = texts.iter().map(|text| format!("assert {text}")).collect();
        let edit = site.insert_statements(at, &statements);
        Candidate::new(Kind::Assertion, format!("{} {}", statements.join(", "), site.place()), vec![edit])
    };
    asserted.into_iter().map(candidate).collect()
}

/// Definitions of recursive functions in the goal, and of those they apply: the solver unrolls a definition only
/// once.
fn definitions(site: &Site<'_>) -> Vec<Vec<String>> {
    let is_recursive = |application: &&Application| {
        site.program.functions.values().any(|function| *function.name == application.name && function.recursive)
    };
    let mut found = Vec::new();
    for application in goal_applications(site).iter().filter(is_recursive).take(2) {
        let stated = |application: &Application| {
            unfolded::definition(site, application).map(|body| format!("{} == {}", application.text(), enclosed(&body)))
        };
        let first: Vec<String> = stated(application).into_iter().collect();
        found.push(first.clone());
        // Nested applications: the innermost comes first, as it is proved first. The trial tells whether it is
        // defined.
        let (mut chain, mut last) = (first, application.clone());
        for depth in 0..DEPTH {
            let Some(step) = unfolded::steps(site, &last).into_iter().next() else { break };
            let Some(text) = stated(&step.application) else { break };
            found.extend((depth == 0).then(|| vec![text.clone()]));
            chain.insert(0, text);
            last = step.application;
            found.push(chain.clone());
        }
    }
    found.retain(|texts| !texts.is_empty());
    found.truncate(EACH);
    found
}

fn enclosed(body: &str) -> String {
    if body.contains(['?', '=', '&', '|', '<', '>']) { format!("({body})") } else { body.to_string() }
}

/// Instances of known quantifiers: preconditions, invariants, and axioms about functions in the goal.
fn instances(site: &Site<'_>) -> Vec<String> {
    let program = site.program;
    let mut clauses: Vec<ExprId> = site.clauses()[0].clone();
    if let Some(body) = site.method().and_then(|method| method.body.as_ref()) {
        body.visit_stmts(&mut |stmt| {
            if let StmtKind::While { invariants, .. } = &stmt.kind {
                clauses.extend(invariants);
            }
        });
    }
    let names: BTreeSet<String> = goal_applications(site).into_iter().map(|application| application.name).collect();
    for axiom in program.axioms.values() {
        let said = site.said(axiom.body).unwrap_or_default();
        if words(said).any(|word| names.contains(word)) {
            clauses.push(axiom.body);
        }
    }
    let quantified = clauses.into_iter().flat_map(|clause| program.conjuncts(clause)).map(|(conjunct, _)| conjunct);
    let bodies = quantified.filter_map(|expr| match program.kind(expr) {
        ExprKind::Quantified { quantifier: Quantifier::Forall, vars, body, .. } => Some((vars, *body)),
        _ => None,
    });
    let (values, scope) = (of_goal(site), in_scope(site));
    let mut found = Vec::new();
    for (vars, body) in bodies.take(QUANTIFIERS) {
        let choices: Vec<Vec<String>> =
            vars.iter().map(|var| fitting(&values, &scope, &program.locals[*var].ty)).collect();
        found.extend(combinations(&choices, 3).into_iter().filter_map(|args| instance(site, vars, body, &args)));
    }
    found.truncate(EACH);
    found
}

/// The body of a quantifier, instantiated.
fn instance(site: &Site<'_>, vars: &[LocalId], body: ExprId, args: &[String]) -> Option<String> {
    let text = one_line(site.said(body)?);
    Some(crate::origin::replaced(site, &text, vars, args))
}

fn fitting(values: &[Term], scope: &[Term], ty: &Type) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for term in values.iter().chain(scope).filter(|term| term.ty == *ty) {
        if !found.contains(&term.text) {
            found.push(term.text.clone());
        }
    }
    found.truncate(4);
    found
}

/// Instances of an existential goal.
fn witnesses(site: &Site<'_>) -> Vec<String> {
    let Some(goal) = goal(site) else { return Vec::new() };
    let ExprKind::Quantified { quantifier: Quantifier::Exists, vars, body, .. } = site.program.kind(goal) else {
        return Vec::new();
    };
    let (values, scope) = (of_goal(site), in_scope(site));
    let choices: Vec<Vec<String>> = vars
        .iter()
        .map(|var| {
            let ty = &site.program.locals[*var].ty;
            let mut found = fitting(&scope, &values, ty);
            found.extend((*ty == Type::Int).then(|| "0".to_string()));
            found
        })
        .collect();
    combinations(&choices, EACH).into_iter().filter_map(|args| instance(site, vars, *body, &args)).collect()
}

/// Decompositions of sequences, such as `s[..i + 1]` into `s[..i]` and the next element.
fn sequences(site: &Site<'_>) -> Vec<String> {
    let program = site.program;
    let mut found = Vec::new();
    let mut add = |text: String| {
        if !found.contains(&text) {
            found.push(text);
        }
    };
    let written: BTreeSet<String> = match site.enclosing_loop().map(|stmt| &stmt.kind) {
        Some(StmtKind::While { body, .. }) => {
            crate::pool::written(body).into_iter().map(|local| program.locals[local].name.to_string()).collect()
        }
        _ => BTreeSet::new(),
    };
    let mut roots: Vec<ExprId> = goal(site).into_iter().collect();
    if let Some(StmtKind::While { invariants, .. }) = site.enclosing_loop().map(|stmt| &stmt.kind) {
        roots.extend(invariants);
    }
    for root in roots {
        let free = program.free_locals(root);
        program.visit(root, |expr| {
            let is_free = program.free_locals(expr).is_subset(&free);
            if let ExprKind::Binary(op, sequence, index) = program.kind(expr)
                && let (Some(s), Some(i), true) = (site.said(*sequence), site.said(*index), is_free)
            {
                let (s, i) = (one_line(s), one_line(i));
                let last = i.strip_suffix(" + 1").map(str::to_string);
                let last = last.or_else(|| written.contains(&i).then(|| format!("{i} - 1")));
                match (op, last) {
                    (BinaryOp::SeqTake, Some(last)) => add(format!("{s}[..{i}] == {s}[..{last}] ++ Seq({s}[{last}])")),
                    (BinaryOp::SeqTake, None) => add(format!("{s}[..{i}] == {s}")),
                    (BinaryOp::SeqDrop, Some(last)) => add(format!("{s}[{last}..] == Seq({s}[{last}]) ++ {s}[{i}..]")),
                    (BinaryOp::SeqDrop, None) => add(format!("{s}[{i}..] == Seq({s}[{i}]) ++ {s}[{i} + 1..]")),
                    _ => {}
                }
                if matches!(op, BinaryOp::SeqTake) && written.contains(&i) {
                    add(format!("{s}[..{i} + 1] == {s}[..{i}] ++ Seq({s}[{i}])"));
                }
            }
            true
        });
    }
    // Sequence arguments of functions.
    for Application { args, .. } in goal_applications(site) {
        for s in args.iter().filter(|arg| is_sequence(site, arg)) {
            if words(s).count() == 1 {
                add(format!("{s} == Seq({s}[0]) ++ {s}[1..]"));
                add(format!("{s} == {s}[..|{s}| - 1] ++ Seq({s}[|{s}| - 1])"));
                add(format!("{s}[..|{s}|] == {s}"));
            } else if let Some((first, second)) = s.split_once(" ++ ").filter(|(_, rest)| !rest.contains(" ++ ")) {
                match first.starts_with("Seq(") {
                    true => add(format!("({s})[1..] == {second}")),
                    false => add(format!("({s})[..|{first}|] == {first}")),
                }
            }
        }
    }
    found.truncate(EACH + 2);
    found
}

fn is_sequence(site: &Site<'_>, text: &str) -> bool {
    let terms = of_goal(site);
    let named = terms.iter().chain(&in_scope(site)).any(|term| term.text == text && matches!(term.ty, Type::Seq(_)));
    named || renamed(text, "Seq", "") != text && text.contains(" ++ ")
}
