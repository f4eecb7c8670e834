//! Origins of values: rewrites conditions on variables in terms of assigned values, and conditions of callees in
//! terms of their arguments.

use crate::conjuncts::{Purity, conjuncts};
use crate::site::Site;
use crate::text::{one_line, parenthesized, renamed};
use echis_program::program::{Block, ExprId, ExprKind, LocalId, StmtKind};
use std::collections::BTreeMap;

/// Maximum number of assignments followed.
const STEPS: usize = 4;

/// The condition with assigned values substituted, if it then mentions only parameters.
pub(crate) fn over_parameters(site: &Site<'_>, condition: &str) -> Option<String> {
    let values = values(site);
    let mut condition = condition.to_string();
    for _ in 0..STEPS {
        if site.is_about_parameters(&condition) {
            return Some(condition);
        }
        for (name, value) in &values {
            condition = renamed(&condition, name, &parenthesized(value));
        }
    }
    site.is_about_parameters(&condition).then_some(condition)
}

/// The first assigned value of each variable of the method.
fn values<'a>(site: &Site<'a>) -> BTreeMap<&'a str, String> {
    let mut found = BTreeMap::new();
    let Some(body) = site.method().and_then(|method| method.body.as_ref()) else { return found };
    let program = site.program;
    body.visit_stmts(&mut |stmt| {
        if let StmtKind::Assign { target, value } = &stmt.kind
            && let Some(value) = site.said(*value)
        {
            found.entry(&*program.locals[*target].name).or_insert_with(|| one_line(value));
        }
    });
    found
}

/// The preconditions of members called or applied in a block or in expressions, in terms of the arguments.
pub(crate) fn required(site: &Site<'_>, block: Option<&Block>, exprs: &[ExprId]) -> Vec<String> {
    let program = site.program;
    let mut roots = exprs.to_vec();
    let mut found = Vec::new();
    if let Some(block) = block {
        block.visit_stmts(&mut |stmt| {
            roots.extend(stmt.kind.roots());
            if let StmtKind::Call { method, args, .. } = &stmt.kind {
                let callee = &program.methods[*method];
                found.extend(instantiated(site, &callee.pre, &callee.params, args));
            }
        });
    }
    for root in roots {
        program.visit(root, |expr| {
            if let ExprKind::FunctionApp { function, args, .. } = program.kind(expr) {
                let callee = &program.functions[*function];
                found.extend(instantiated(site, &callee.pre, &callee.params, args));
            }
            true
        });
    }
    found
}

fn instantiated(site: &Site<'_>, pre: &[ExprId], params: &[LocalId], args: &[ExprId]) -> Vec<String> {
    let args: Option<Vec<String>> = args.iter().map(|arg| site.said(*arg).map(one_line)).collect();
    let Some(args) = args else { return Vec::new() };
    conjuncts(site, pre, Purity::Pure).into_iter().map(|text| replaced(site, &text, params, &args)).collect()
}

/// Substitutes arguments for parameters, via fresh names: an argument may have the same name as a parameter.
pub(crate) fn replaced(site: &Site<'_>, text: &str, params: &[LocalId], args: &[String]) -> String {
    let mut text = text.to_string();
    for (number, param) in params.iter().enumerate() {
        text = renamed(&text, &site.program.locals[*param].name, &format!("argument${number}$"));
    }
    for (number, arg) in args.iter().enumerate() {
        text = renamed(&text, &format!("argument${number}$"), &parenthesized(arg));
    }
    text
}
