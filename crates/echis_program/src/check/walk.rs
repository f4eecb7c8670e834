//! The direct parts of an expression, in source order.

use echis_syntax::ast::{Expr, ExprId, ExprKind, Exprs};

/// Calls `visit` with each direct part, triggers included.
pub(crate) fn parts(expr: &Expr, visit: &mut dyn FnMut(ExprId)) {
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::Null | ExprKind::Int(_) | ExprKind::Perm(_) => {}
        ExprKind::Result | ExprKind::Ident(_) | ExprKind::New(_) => {}
        ExprKind::Call(call) | ExprKind::PredicateInstance(call) => call.args.iter().copied().for_each(visit),
        ExprKind::Field { receiver: part, .. }
        | ExprKind::Unary { operand: part, .. }
        | ExprKind::Old { body: part, .. }
        | ExprKind::CurrentPerm(part)
        | ExprKind::MapDomain(part)
        | ExprKind::MapRange(part)
        | ExprKind::Cardinality(part) => visit(*part),
        ExprKind::Binary { left: first, right: second, .. }
        | ExprKind::Let { value: first, body: second, .. }
        | ExprKind::Unfolding { access: first, body: second }
        | ExprKind::Applying { wand: first, body: second }
        | ExprKind::Asserting { assertion: first, body: second }
        | ExprKind::InhaleExhale { inhale: first, exhale: second }
        | ExprKind::Range { low: first, high: second }
        | ExprKind::Index { base: first, index: second }
        | ExprKind::Take { base: first, end: second }
        | ExprKind::Drop { base: first, start: second } => [*first, *second].into_iter().for_each(visit),
        ExprKind::Conditional { condition: first, then: second, otherwise: third }
        | ExprKind::Update { base: first, index: second, value: third }
        | ExprKind::Slice { base: first, start: second, end: third } => {
            [*first, *second, *third].into_iter().for_each(visit);
        }
        ExprKind::Chain { first, links } => {
            visit(*first);
            links.iter().for_each(|(_, operand)| visit(*operand));
        }
        ExprKind::Acc { location, amount } => {
            visit(*location);
            amount.iter().copied().for_each(visit);
        }
        ExprKind::Forall(quantifier) | ExprKind::Exists(quantifier) => {
            quantifier.triggers.iter().flat_map(|trigger| &trigger.terms).for_each(|term| visit(*term));
            visit(quantifier.body);
        }
        ExprKind::Forperm(forperm) => {
            visit(forperm.resource);
            visit(forperm.body);
        }
        ExprKind::Collection(collection) => collection.elements.iter().copied().for_each(visit),
        ExprKind::Map(map) => map.entries.iter().for_each(|(key, value)| {
            visit(*key);
            visit(*value);
        }),
    }
}

/// What to do with the parts of an expression.
pub(crate) enum Descend {
    Into,
    Past,
}

/// Visits an expression and everything below it in pre-order, without using the stack.
pub(crate) fn walk(exprs: &Exprs, root: ExprId, visit: &mut dyn FnMut(ExprId, &Expr) -> Descend) {
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let expr = &exprs[id];
        if let Descend::Into = visit(id, expr) {
            let start = open.len();
            parts(expr, &mut |part| open.push(part));
            open[start..].reverse();
        }
    }
}
