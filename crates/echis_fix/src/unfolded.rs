//! One unrolling of a function definition: the definition of an application, and the applications in it.

use crate::origin::replaced;
use crate::site::Site;
use crate::terms::{Application, applications};
use crate::text::{one_line, parenthesized};
use echis_program::program::{ExprId, ExprKind, Function};

/// An application in a definition, and the condition under which it is evaluated.
pub(crate) struct Step {
    pub application: Application,
    pub guard: Option<String>,
}

/// The definition of an application, with the arguments substituted.
pub(crate) fn definition(site: &Site<'_>, application: &Application) -> Option<String> {
    let function = function(site, &application.name)?;
    let body = one_line(site.said(function.body?)?);
    let simple = application.args.len() == function.params.len() && !body.contains("unfolding ");
    simple.then(|| replaced(site, &body, &function.params, &application.args))
}

/// The recursive applications in the definition of an application.
pub(crate) fn steps(site: &Site<'_>, application: &Application) -> Vec<Step> {
    let Some(function) = function(site, &application.name) else { return Vec::new() };
    let Some(body) = function.body.filter(|_| application.args.len() == function.params.len()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (expr, guards) in guarded(site, body) {
        let ExprKind::FunctionApp { function: applied, .. } = site.program.kind(expr) else { continue };
        let Some(said) = site.said(expr).map(one_line) else { continue };
        if site.program.functions[*applied].height != function.height {
            continue;
        }
        let instance = |text: &str| replaced(site, text, &function.params, &application.args);
        let guard = (!guards.is_empty()).then(|| instance(&guards.join(" && ")));
        let inner = applications(site, &instance(&said)).into_iter().next();
        found.extend(inner.map(|Application { name, args }| {
            let args = args.iter().map(|arg| computed(arg)).collect();
            Step { application: Application { name, args }, guard }
        }));
    }
    found
}

fn function<'a>(site: &Site<'a>, name: &str) -> Option<&'a Function> {
    site.program.functions.values().find(|function| &*function.name == name)
}

/// The subexpressions of an expression, each with the conditions under which it is evaluated.
fn guarded(site: &Site<'_>, root: ExprId) -> Vec<(ExprId, Vec<String>)> {
    let program = site.program;
    let (mut found, mut open) = (Vec::new(), vec![(root, Vec::new())]);
    while let Some((expr, guards)) = open.pop() {
        let with = |guard: Option<String>| [&guards[..], guard.as_slice()].concat();
        match program.kind(expr) {
            ExprKind::Conditional(condition, then, otherwise) => {
                let said = site.said(*condition).map(one_line);
                open.push((*otherwise, with(said.clone().map(|text| format!("!({text})")))));
                open.push((*then, with(said.map(|text| parenthesized(&text)))));
                open.push((*condition, guards.clone()));
            }
            kind => open.extend(kind.children().into_iter().rev().map(|child| (child, guards.clone()))),
        }
        found.push((expr, guards));
    }
    found
}

/// An argument with numbers folded: `2` for `3 - 1`, `n - 2` for `(n - 1) - 1`.
fn computed(arg: &str) -> String {
    let number = |text: &str| text.parse::<i64>().ok();
    let Some((left, step)) = arg.rsplit_once(" - ").and_then(|(left, right)| Some((left, number(right)?))) else {
        return arg.to_string();
    };
    if let Some(value) = number(left).and_then(|left| left.checked_sub(step)).filter(|value| *value >= 0) {
        return value.to_string();
    }
    let inner =
        left.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).and_then(|inner| inner.split_once(" - "));
    let both = inner.and_then(|(first, second)| Some((first, number(second)?.checked_add(step)?)));
    both.map_or_else(|| arg.to_string(), |(first, both)| format!("{first} - {both}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_computed() {
        assert_eq!(["3 - 1", "1 - 3", "n - 1", "(n - 1) - 1"].map(computed), ["2", "1 - 3", "n - 1", "n - 2"]);
    }
}
