//! Traversal of expressions.

use crate::ast::{Argument, ExprId, ExprKind, File};

/// The subexpressions, without triggers and attributes.
pub fn children(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::Bitvector(..)
        | ExprKind::Float(_)
        | ExprKind::RoundingMode(_)
        | ExprKind::Text(_)
        | ExprKind::Name(_)
        | ExprKind::Bounds { .. }
        | ExprKind::Code(_) => Vec::new(),
        ExprKind::Call(_, args) => args.clone(),
        ExprKind::Old(inner)
        | ExprKind::Unary(_, inner)
        | ExprKind::ToInt(inner)
        | ExprKind::ToReal(inner)
        | ExprKind::Coerce(inner, _)
        | ExprKind::Extract { base: inner, .. }
        | ExprKind::Is(inner, _)
        | ExprKind::Field(inner, _) => vec![*inner],
        ExprKind::Binary(_, left, right) | ExprKind::Update(left, _, right) => vec![*left, *right],
        ExprKind::Select(base, args) => [*base].into_iter().chain(args.iter().copied()).collect(),
        ExprKind::Store(base, args, value) => [*base].into_iter().chain(args.iter().copied()).chain([*value]).collect(),
        ExprKind::If(condition, then, otherwise) => vec![*condition, *then, *otherwise],
        ExprKind::Quantified(quantified) => vec![quantified.body],
        ExprKind::Let(parts) => parts.values.iter().copied().chain([parts.body]).collect(),
    }
}

/// The triggers and excluded terms.
pub fn triggers(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Quantified(quantified) => {
            quantified.triggers.iter().flatten().chain(&quantified.excluded).copied().collect()
        }
        _ => Vec::new(),
    }
}

/// Expressions in attributes.
pub fn attributed(kind: &ExprKind) -> Vec<ExprId> {
    let attributes = match kind {
        ExprKind::Quantified(quantified) => &quantified.attributes,
        ExprKind::Let(parts) => &parts.attributes,
        _ => return Vec::new(),
    };
    let args = attributes.iter().flat_map(|attribute| &attribute.args);
    args.filter_map(|arg| if let Argument::Expr(expr) = arg { Some(*expr) } else { None }).collect()
}

/// Visits an expression and its descendants in pre-order, including triggers.
pub fn for_each(tree: &File, expr: ExprId, visit: &mut dyn FnMut(ExprId)) {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        visit(expr);
        let kind = &tree.exprs[expr].kind;
        stack.extend(children(kind).into_iter().rev());
        stack.extend(triggers(kind));
    }
}
