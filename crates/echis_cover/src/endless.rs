//! Functions that apply themselves for all arguments, so that their postconditions are proved from themselves.

use echis_program::program::{BinaryOp, ExprId, ExprKind, FunctionId, Program};
use std::collections::HashSet;

/// Whether every evaluation of the expression applies the function.
pub fn applies_itself(program: &Program, function: FunctionId, root: ExprId) -> bool {
    let mut order = Vec::new();
    let mut pending = vec![root];
    while let Some(expr) = pending.pop() {
        order.push(expr);
        pending.extend(program.kind(expr).children());
    }
    let mut applying: HashSet<ExprId> = HashSet::new();
    for expr in order.into_iter().rev() {
        let applies = |part: &ExprId| applying.contains(part);
        let found = match program.kind(expr) {
            ExprKind::FunctionApp { function: applied, .. } if *applied == function => true,
            ExprKind::Conditional(condition, then, otherwise) => {
                applies(condition) || applies(then) && applies(otherwise)
            }
            // The right operand may not be evaluated.
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, left, _) => applies(left),
            // The domain may be empty.
            ExprKind::Quantified { .. } | ExprKind::ForPerm { .. } => false,
            kind => kind.children().iter().any(applies),
        };
        if found {
            applying.insert(expr);
        }
    }
    applying.contains(&root)
}
