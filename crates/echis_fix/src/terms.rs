//! Terms that a member can mention at the error, and the applications in the goal.

use crate::site::Site;
use crate::text::{arguments, one_line, words};
use echis_program::program::{Block, ExprId, LocalId, StmtKind, Type};
use std::collections::BTreeSet;

/// An expression as written, with its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Term {
    pub text: String,
    pub ty: Type,
}

/// An application of a function, as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Application {
    pub name: String,
    pub args: Vec<String>,
}

impl Application {
    pub fn text(&self) -> String {
        format!("{}({})", self.name, self.args.join(", "))
    }
}

/// The goal, as an expression of the member.
pub(crate) fn goal(site: &Site<'_>) -> Option<ExprId> {
    let is_goal = |expr: &ExprId| site.span(site.program.expr(*expr).id) == site.about;
    site.expressions().into_iter().find(is_goal)
}

/// The text of the goal, in terms of the member.
pub(crate) fn goal_text(site: &Site<'_>) -> Option<String> {
    let said = goal(site).and_then(|goal| site.said(goal));
    let text = said.or_else(|| site.subject()).map(one_line)?;
    Some(crate::macros::expanded(site.text, &text).join(" && "))
}

/// The terms in the goal, and the arguments of a failing call; without bound variables.
pub(crate) fn of_goal(site: &Site<'_>) -> Vec<Term> {
    let program = site.program;
    let mut roots: Vec<ExprId> = goal(site).into_iter().collect();
    if let Some(StmtKind::Call { args, .. }) = site.statement().map(|stmt| &stmt.kind)
        && roots.is_empty()
    {
        roots.extend(args);
    }
    let mut found = Vec::new();
    for root in roots {
        let free = program.free_locals(root);
        program.visit(root, |expr| {
            let is_free = program.free_locals(expr).is_subset(&free);
            let is_value = program.is_pure(expr) && *program.ty(expr) != Type::Bool;
            if let Some(text) = site.said(expr).filter(|_| is_free && is_value).map(one_line) {
                let term = Term { text, ty: program.ty(expr).clone() };
                if !found.contains(&term) {
                    found.push(term);
                }
            }
            true
        });
    }
    found
}

/// The variables declared at the error, innermost first.
pub(crate) fn in_scope(site: &Site<'_>) -> Vec<Term> {
    let program = site.program;
    let mut locals: Vec<LocalId> = Vec::new();
    if let Some(method) = site.method() {
        let leaves_loop = site.error == "invariant.not.preserved";
        let inner: Vec<&Block> = site.around.iter().flat_map(|stmt| stmt.kind.blocks()).collect();
        for block in inner.into_iter().rev().chain(&method.body) {
            let is_before = |local: &&LocalId| site.span(program.locals[**local].id).end <= site.at.start;
            let holds = block.stmts.iter().any(|stmt| site.span(stmt.id).contains(site.at));
            let is_whole = leaves_loop || site.is_at_end();
            if holds || is_whole {
                locals.extend(block.locals.iter().filter(|local| is_whole || is_before(local)));
            }
        }
        locals.extend(&method.returns);
    }
    locals.extend(site.params());
    let mut seen = BTreeSet::new();
    let named = locals.into_iter().map(|local| &program.locals[local]);
    let named = named.map(|local| Term { text: local.name.to_string(), ty: local.ty.clone() });
    named.filter(|term| seen.insert(term.text.clone())).collect()
}

/// The applications in the goal without bound variables.
pub(crate) fn goal_applications(site: &Site<'_>) -> Vec<Application> {
    let Some(text) = goal_text(site) else { return Vec::new() };
    let mut bound: BTreeSet<String> = BTreeSet::new();
    if let Some(goal) = goal(site) {
        site.program.visit(goal, |expr| {
            let locals = site.program.kind(expr).bound().iter();
            bound.extend(locals.map(|local| site.program.locals[*local].name.to_string()));
            true
        });
    }
    let is_free = |application: &Application| !application.args.iter().any(|arg| mentions(arg, &bound));
    applications(site, &text).into_iter().filter(is_free).collect()
}

/// The applications of functions and domain functions in a text, outer ones first.
pub(crate) fn applications(site: &Site<'_>, text: &str) -> Vec<Application> {
    let program = site.program;
    let functions = program.functions.values().map(|function| &*function.name);
    let names: BTreeSet<&str> =
        functions.chain(program.domain_functions.values().map(|function| &*function.name)).collect();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut found: Vec<Application> = Vec::new();
    for (open, _) in text.match_indices('(') {
        let before = &text[..open];
        let start = before
            .rfind(|c: char| !is_part(c))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let name = &before[start..];
        if !names.contains(name) {
            continue;
        }
        if let Some(args) = arguments(&text[open + 1..]) {
            let application = Application { name: name.to_string(), args };
            if !found.contains(&application) {
                found.push(application);
            }
        }
    }
    found
}

/// Combinations of choices for several places: at most `most`, varying the last place first.
pub(crate) fn combinations(choices: &[Vec<String>], most: usize) -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    for choice in choices {
        let longer = |some: &Vec<String>| {
            let with = |next: &String| [&some[..], std::slice::from_ref(next)].concat();
            choice.iter().map(with).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(longer).take(most).collect();
    }
    found
}

/// Whether a text mentions one of these names.
fn mentions(text: &str, names: &BTreeSet<String>) -> bool {
    words(text).any(|word| names.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_combined() {
        let choices = [vec!["a".to_string(), "b".to_string()], vec!["c".to_string(), "d".to_string()]];
        assert_eq!(combinations(&choices, 3), [["a", "c"], ["a", "d"], ["b", "c"]]);
    }
}
