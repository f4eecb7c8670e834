//! The effects of a method body as conjuncts of its postcondition: assignments, and the postconditions of called
//! methods.

use crate::conjuncts::{Purity, conjuncts};
use crate::origin::replaced;
use crate::site::Site;
use crate::text::{one_line, renamed};
use echis_program::program::{LocalId, Method, StmtKind};

/// Conjuncts that may hold when the method returns.
pub(crate) fn of_body(site: &Site<'_>, method: &Method) -> Vec<String> {
    let program = site.program;
    let mut found = Vec::new();
    let Some(body) = &method.body else { return found };
    let name = |local: &LocalId| program.locals[*local].name.to_string();
    for stmt in &body.stmts {
        match &stmt.kind {
            StmtKind::AssignField { receiver, field, value } => {
                let (Some(receiver), Some(value)) = (site.said(*receiver), site.said(*value)) else { continue };
                let location = format!("{}.{}", one_line(receiver), program.fields[*field].name);
                let value = one_line(value);
                let before = format!("old({location})");
                let value = if value.contains(&location) { value.replace(&location, &before) } else { value };
                found.push(format!("{location} == {value}"));
            }
            StmtKind::Assign { target, value } if method.returns.contains(target) => {
                found.extend(site.said(*value).map(|value| format!("{} == {}", name(target), one_line(value))));
            }
            StmtKind::Call { targets, method: called, args } => {
                let callee = &program.methods[*called];
                let args: Option<Vec<String>> = args.iter().map(|arg| site.said(*arg).map(one_line)).collect();
                let Some(args) = args else { continue };
                for text in conjuncts(site, &callee.post, Purity::Pure) {
                    let text = replaced(site, &text, &callee.params, &args);
                    let results = callee.returns.iter().zip(targets);
                    found.push(results.fold(text, |text, (from, to)| renamed(&text, &name(from), &name(to))));
                }
            }
            _ => {}
        }
    }
    found
}
