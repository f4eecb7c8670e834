//! Postconditions of functions that the failing condition speaks of.

use crate::conjuncts::{Purity, conjuncts};
use crate::site::Site;
use crate::terms::{Application, applications, goal_text};
use crate::text::{renamed, without_parentheses, words};
use echis_program::program::{ExprKind, Function, FunctionId, Type};

/// Maximum number of conjuncts.
const MOST: usize = 16;

/// The functions with a body that the failing condition applies, and the failing function itself. A postcondition of a
/// function without a body would be trusted.
pub(crate) fn applied(site: &Site<'_>) -> Vec<FunctionId> {
    let (program, functions) = (site.program, &site.program.functions);
    // What a function promises may follow from what those promise that it applies.
    let mut own: Vec<String> = Vec::new();
    if let Some(function) = site.function().filter(|_| site.is_at_end()) {
        own.push(function.name.to_string());
        if let Some(body) = function.body {
            program.visit(body, |expr| {
                if let ExprKind::FunctionApp { function, .. } = program.kind(expr) {
                    own.push(functions[*function].name.to_string());
                }
                true
            });
        }
    }
    let names: Vec<String> = conditions(site)
        .iter()
        .flat_map(|text| applications(site, text))
        .map(|application| application.name)
        .chain(own)
        .collect();
    let mut found = Vec::new();
    for name in names {
        let known = functions.iter().find(|(_, function)| *function.name == *name);
        if let Some((id, function)) = known
            && function.body.is_some()
            && site.span(function.id).file == site.main
            && !found.contains(&id)
        {
            found.push(id);
        }
    }
    found
}

/// What fails.
fn conditions(site: &Site<'_>) -> Vec<String> {
    let goal = goal_text(site).filter(|_| site.reason == "assertion.false");
    goal.into_iter().chain(crate::defined::condition(site)).collect()
}

/// Conjuncts that the postcondition of a function may lack.
pub(crate) fn of_postcondition(site: &Site<'_>, id: FunctionId) -> Vec<String> {
    let program = site.program;
    let function = &program.functions[id];
    let name = |local: &_| -> &str { &program.locals[*local].name };
    let mut found: Vec<String> = Vec::new();
    for condition in conditions(site) {
        for Application { name, args } in applications(site, &condition) {
            if *name == *function.name && args.len() == function.params.len() {
                found.extend(of_result(site, function, &condition, &Application { name, args }));
            }
        }
    }
    let ints = function.params.iter().filter(|param| program.locals[**param].ty == Type::Int);
    match function.result {
        Type::Int => {
            found.extend(["result >= 0", "result > 0"].map(str::to_string));
            found.extend(ints.take(2).flat_map(|param| ["<=", ">="].map(|op| format!("result {op} {}", name(param)))));
        }
        Type::Ref => found.push("result != null".to_string()),
        Type::Perm => found.push("none < result".to_string()),
        _ => {}
    }
    // What others with the same parameters promise of their results.
    for other in program.functions.values().filter(|other| other.result == function.result) {
        let own: Vec<&str> = function.params.iter().map(name).collect();
        let foreign: Vec<&str> = other.params.iter().map(name).filter(|name| !own.contains(name)).collect();
        let texts = conjuncts(site, &other.post, Purity::Pure);
        found.extend(texts.into_iter().filter(|text| !words(text).any(|word| foreign.contains(&word))));
    }
    let known = conjuncts(site, &function.post, Purity::Any);
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|text| !known.contains(text) && seen.insert(text.clone()));
    found.truncate(MOST);
    found
}

/// A condition on an application as a condition on the result: `result > 0` for `length(x.next) > 0`.
fn of_result(site: &Site<'_>, function: &Function, condition: &str, application: &Application) -> Option<String> {
    let text = condition.replace(&application.text(), "result");
    let mut text = without_parentheses(&text);
    let params = || function.params.iter().map(|param| &*site.program.locals[*param].name);
    for (number, arg) in application.args.iter().enumerate() {
        let is_name = words(arg).count() == 1;
        let hidden = format!("parameter${number}$");
        text = if is_name { renamed(&text, arg, &hidden) } else { text.replace(&**arg, &hidden) };
    }
    for (number, param) in params().enumerate() {
        text = renamed(&text, &format!("parameter${number}$"), param);
    }
    (text != condition).then_some(text)
}
