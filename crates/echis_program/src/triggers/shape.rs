//! Determines which terms can be triggers.

use crate::program::{ExprKind, UnaryOp};

/// Terms that the solver can match on: applications and operations on collections.
pub(super) fn is_trigger_head(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Binary(op, ..) => op.is_on_collections(),
        ExprKind::Unary(op, _) => !matches!(op, UnaryOp::Not | UnaryOp::Minus),
        ExprKind::FunctionApp { .. }
        | ExprKind::DomainApp { .. }
        | ExprKind::PredicateInstance { .. }
        | ExprKind::SeqLiteral(_)
        | ExprKind::SetLiteral(_)
        | ExprKind::MultisetLiteral(_)
        | ExprKind::MapLiteral(_)
        | ExprKind::SeqUpdate(..)
        | ExprKind::MapUpdate(..) => true,
        _ => false,
    }
}

pub(super) fn is_forbidden_in_trigger(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Binary(op, ..) => !op.is_on_collections(),
        ExprKind::Unary(op, _) => matches!(op, UnaryOp::Not | UnaryOp::Minus),
        ExprKind::Conditional(..)
        | ExprKind::Let { .. }
        | ExprKind::Quantified { .. }
        | ExprKind::ForPerm { .. }
        | ExprKind::PermOf(_)
        | ExprKind::Unfolding { .. }
        | ExprKind::Applying { .. }
        | ExprKind::Asserting { .. }
        | ExprKind::InhaleExhale(..)
        | ExprKind::Acc { .. }
        | ExprKind::Wand { .. }
        | ExprKind::ForallAcc { .. } => true,
        _ => false,
    }
}
