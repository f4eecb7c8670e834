//! Traversals that may skip parts of an expression.

use echis_syntax::ast::{Expr, ExprId, Exprs};

/// Whether to visit the parts of an expression.
pub(crate) enum Descend {
    Into,
    Past,
}

/// Visits an expression and its descendants in pre-order, iteratively.
pub(crate) fn walk(exprs: &Exprs, root: ExprId, visit: &mut dyn FnMut(ExprId, &Expr) -> Descend) {
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let expr = &exprs[id];
        if let Descend::Into = visit(id, expr) {
            let start = open.len();
            expr.kind.for_each_child(|part| open.push(part));
            open[start..].reverse();
        }
    }
}
