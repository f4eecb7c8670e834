//! Lemmas that should be called: ghost methods and Boolean functions of the program whose postconditions mention the
//! goal.
//!
//! A recursive lemma, or one that calls the failing method, proves nothing unless it terminates: such a call is tried
//! only if both have a measure. Unproved lemmas are not called.

use crate::conjuncts::{Purity, conjuncts};
use crate::site::Site;
use crate::terms::{Application, Term, applications, combinations, goal_applications, goal_text, in_scope, of_goal};
use crate::text::words;
use crate::{Candidate, Kind, unfolded};
use echis_program::program::{Decreases, Function, LocalId, Method, MethodId, Program, StmtKind, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of lemmas, and of instances of each.
const LEMMAS: usize = 4;
const EACH: usize = 5;
/// Maximum number of matches between a lemma and the goal.
const MATCHES: usize = 8;

/// A member that can be called for its postcondition.
struct Lemma<'a> {
    name: &'a str,
    params: &'a [LocalId],
    post: Vec<String>,
    is_method: bool,
    is_recursive: bool,
}

/// Candidates that call a lemma before the failure. `failing` are the members with errors.
pub(crate) fn candidates(site: &Site<'_>, failing: &BTreeSet<&str>) -> Vec<Candidate> {
    let goal = goal_text(site).filter(|_| site.reason == "assertion.false" && site.method().is_some());
    let (Some(goal), Some(at)) = (goal, site.before()) else { return Vec::new() };
    let mut lemmas: Vec<(usize, Lemma<'_>)> = known(site, failing)
        .into_iter()
        .map(|lemma| (shared(site, &lemma, &goal), lemma))
        .filter(|(shared, _)| *shared > 0)
        .collect();
    lemmas.sort_by_key(|(shared, _)| usize::MAX - shared);
    let mut found = Vec::new();
    for (_, lemma) in lemmas.into_iter().take(LEMMAS) {
        for (args, guard) in instances(site, &lemma).into_iter().take(EACH) {
            let application = format!("{}({})", lemma.name, args.join(", "));
            let statement = match (lemma.is_method, guard) {
                (true, None) => application.clone(),
                (true, Some(guard)) => format!("if ({guard}) {{ {application} }}"),
                (false, _) => format!("assert {application}"),
            };
            let explanation = match lemma.is_method {
                true => format!("call {application} {}", site.place()),
                false => format!("assert {application} {}", site.place()),
            };
            let edit = site.insert_statement(at, &statement);
            found.push(Candidate::new(Kind::Lemma, explanation, vec![edit]));
        }
    }
    found
}

/// The lemmas that the method may call.
fn known<'a>(site: &Site<'a>, failing: &BTreeSet<&str>) -> Vec<Lemma<'a>> {
    let program = site.program;
    let Some(own) = site.method() else { return Vec::new() };
    let mut found = Vec::new();
    for (id, method) in program.methods.iter() {
        let is_own = method.id == own.id;
        let is_recursive = is_own || reaches(program, id, own);
        let is_measured = decreases(&method.decreases) && decreases(&own.decreases);
        let is_proved = is_own || !failing.contains(&*method.name);
        if method.returns.is_empty() && is_proved && (!is_recursive || is_measured) && is_ghost(site, method) {
            let post = conjuncts(site, &method.post, Purity::Pure);
            found.push(Lemma { name: &method.name, params: &method.params, post, is_method: true, is_recursive });
        }
    }
    for function in program.functions.values().filter(|function| !failing.contains(&*function.name)) {
        if is_lemma(function) {
            let post = conjuncts(site, &function.post, Purity::Pure);
            let lemma =
                Lemma { name: &function.name, params: &function.params, post, is_method: false, is_recursive: false };
            found.push(lemma);
        }
    }
    found.retain(|lemma| !lemma.post.is_empty());
    found
}

/// Boolean functions with postconditions, whose results do not matter.
fn is_lemma(function: &Function) -> bool {
    function.result == Type::Bool && !function.post.is_empty() && !function.params.is_empty()
}

/// Whether a method returns exactly the permission it takes.
fn is_ghost(site: &Site<'_>, method: &Method) -> bool {
    let impure = |clauses| -> Vec<String> {
        let pure = conjuncts(site, clauses, Purity::Pure);
        conjuncts(site, clauses, Purity::Any).into_iter().filter(|text| !pure.contains(text)).collect()
    };
    let (mut taken, mut given) = (impure(&method.pre), impure(&method.post));
    taken.sort();
    given.sort();
    let all = |clauses: &[_]| clauses.iter().flat_map(|clause| site.program.conjuncts(*clause)).count();
    let is_written = |clauses: &[_]| conjuncts(site, clauses, Purity::Any).len() == all(clauses);
    taken == given && is_written(&method.pre) && is_written(&method.post)
}

fn decreases(measure: &Decreases) -> bool {
    measure.tuple.as_ref().is_some_and(|tuple| tuple.condition.is_none())
}

/// Whether a method calls another one, transitively.
fn reaches(program: &Program, from: MethodId, wanted: &Method) -> bool {
    let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(method) = open.pop() {
        let Some(body) = &program.methods[method].body else { continue };
        body.visit_stmts(&mut |stmt| {
            if let StmtKind::Call { method, .. } = &stmt.kind
                && seen.insert(*method)
            {
                open.push(*method);
            }
        });
    }
    seen.iter().any(|method| program.methods[*method].id == wanted.id)
}

/// The number of functions that both the lemma and the goal mention. A lemma about products and remainders counts as
/// one about arithmetic.
fn shared(site: &Site<'_>, lemma: &Lemma<'_>, goal: &str) -> usize {
    let names =
        |text: &str| applications(site, text).into_iter().map(|application| application.name).collect::<BTreeSet<_>>();
    let said: BTreeSet<String> = lemma.post.iter().flat_map(|text| names(text)).collect();
    let asked = names(goal);
    let is_arithmetic = |text: &str| text.contains(" * ") || text.contains(" % ") || text.contains(" \\ ");
    let arithmetic = is_arithmetic(goal) && lemma.post.iter().any(|text| is_arithmetic(text));
    said.intersection(&asked).count() * 2 + usize::from(arithmetic)
}

/// Arguments for which the lemma mentions the goal, each with the condition of the recursive call, if any.
fn instances(site: &Site<'_>, lemma: &Lemma<'_>) -> Vec<(Vec<String>, Option<String>)> {
    let params: Vec<&str> = lemma.params.iter().map(|param| &*site.program.locals[*param].name).collect();
    let patterns: Vec<Application> = lemma.post.iter().flat_map(|text| applications(site, text)).collect();
    let goal = goal_applications(site);
    let mut targets: Vec<(Application, Option<String>)> = goal.iter().map(|found| (found.clone(), None)).collect();
    // A recursive lemma is called for the recursive applications in a function's definition.
    let steps = goal.iter().flat_map(|found| unfolded::steps(site, found));
    match lemma.is_recursive {
        true => {
            targets =
                steps.flat_map(|step| [(step.application.clone(), step.guard), (step.application, None)]).collect()
        }
        false => targets.extend(steps.map(|step| (step.application, None))),
    }
    let mut found: Vec<(Vec<String>, Option<String>)> = Vec::new();
    let mut bindings: Vec<(BTreeMap<&str, String>, Option<String>)> = Vec::new();
    for (target, guard) in &targets {
        for pattern in patterns.iter().filter(|pattern| pattern.name == target.name) {
            let bound = matched(&params, pattern, target);
            if !bound.is_empty() && !bindings.iter().any(|(known, with)| *known == bound && with == guard) {
                bindings.push((bound, guard.clone()));
            }
        }
    }
    if bindings.is_empty() && !lemma.is_recursive {
        bindings.push((BTreeMap::new(), None));
    }
    bindings.sort_by_key(|(bound, _)| usize::MAX - bound.len());
    let (values, scope) = (of_goal(site), in_scope(site));
    for (bound, guard) in bindings.into_iter().take(MATCHES) {
        let choices: Vec<Vec<String>> = lemma
            .params
            .iter()
            .map(|param| {
                let local = &site.program.locals[*param];
                bound
                    .get(&*local.name)
                    .map_or_else(|| fitting(&values, &scope, &local.name, &local.ty), |text| vec![text.clone()])
            })
            .collect();
        for args in combinations(&choices, EACH) {
            let own = site.method().is_some_and(|method| &*method.name == lemma.name);
            let is_same = own && args.iter().zip(&params).all(|(arg, param)| arg == param);
            if !is_same && !found.iter().any(|(known, with)| *known == args && *with == guard) {
                found.push((args, guard.clone()));
            }
        }
    }
    found
}

/// The parameters of a lemma that make an application in its postcondition equal to the one in the goal.
fn matched<'p>(params: &[&'p str], pattern: &Application, target: &Application) -> BTreeMap<&'p str, String> {
    let mut found = BTreeMap::new();
    for (written, actual) in pattern.args.iter().zip(&target.args) {
        if let Some(param) = params.iter().find(|param| **param == *written) {
            found.entry(*param).or_insert_with(|| actual.clone());
        }
    }
    found
}

/// Values of a type: the variable with the same name, terms in the goal, other variables.
fn fitting(values: &[Term], scope: &[Term], name: &str, ty: &Type) -> Vec<String> {
    let same = scope.iter().filter(|term| term.text == name);
    let mut found: Vec<String> = Vec::new();
    for term in same.chain(values).chain(scope).filter(|term| term.ty == *ty) {
        let is_constant = words(&term.text).all(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        if !found.contains(&term.text) && (!is_constant || found.len() <= 1) {
            found.push(term.text.clone());
        }
    }
    found.truncate(3);
    found
}
