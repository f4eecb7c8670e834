//! The conditions of the termination extension (phase 7).

use crate::call_graph::{Components, called_functions};
use crate::program::{Decreases, ExprId, ExprKind, Function, FunctionId, Program};
use echis_base::Diagnostic;

/// A postcondition may mention its own function, or one that is mutually recursive with it, only if the function is
/// proved to terminate: otherwise the postcondition could justify itself.
pub(crate) fn extensions(program: &Program) -> Vec<Diagnostic> {
    let calls: Vec<Vec<usize>> =
        program.functions.values().map(|function| called_functions(program, function.body)).collect();
    let components = Components::of(&calls);
    let mut errors = Vec::new();
    for (key, function) in program.functions.iter() {
        if has_clause(&function.decreases) {
            continue;
        }
        for clause in &function.post {
            program.visit(*clause, |expr| {
                if let ExprKind::FunctionApp { function: callee, args, .. } = program.kind(expr)
                    && components.same(key, *callee)
                {
                    let span = program.syntax.span(program.expr(expr).id);
                    let message = message(program, function, (key, *callee), args);
                    errors.push(Diagnostic::error("consistency.error", span, message));
                }
                true
            });
        }
    }
    errors
}

fn has_clause(decreases: &Decreases) -> bool {
    decreases.tuple.is_some() || decreases.wildcard.is_some() || decreases.star.is_some()
}

fn message(program: &Program, function: &Function, (key, callee): (FunctionId, FunctionId), args: &[ExprId]) -> String {
    let same_args = args.len() == function.params.len()
        && args
            .iter()
            .zip(&function.params)
            .all(|(arg, param)| matches!(program.kind(*arg), ExprKind::Local(local) if local == param));
    let name = &function.name;
    if key == callee && same_args {
        return format!("The postcondition of `{name}` refers to the function itself. Use `result`.");
    }
    let other = &program.functions[callee].name;
    format!("The postcondition of `{name}` applies `{other}`, which needs a `decreases` clause to be well-founded.")
}
