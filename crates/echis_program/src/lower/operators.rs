//! Selects the typed operation for an operator, by the types of its operands.

use super::Lowering;
use crate::operators::Written;
use crate::overloads::overload;
use crate::program::{ExprId, ExprKind, Type, UnaryOp};
use echis_base::SyntaxId;
use echis_syntax::ast;

impl Lowering<'_> {
    /// The operation on lowered operands, of type `ty`.
    pub(super) fn binary(&mut self, op: ast::BinaryOp, left: ExprId, right: ExprId, ty: Type, id: SyntaxId) -> ExprId {
        if op == ast::BinaryOp::Wand {
            return self.program.add_expr(ExprKind::Wand { left, right }, Type::Bool, id);
        }
        self.operation(Written::Operator(op), left, right, ty, id)
    }

    /// The operation for any form with two operands.
    pub(super) fn operation(
        &mut self,
        written: Written,
        left: ExprId,
        right: ExprId,
        ty: Type,
        id: SyntaxId,
    ) -> ExprId {
        let meant = overload(written, self.program.ty(left), self.program.ty(right), &ty);
        let (left, right) = if meant.flipped { (right, left) } else { (left, right) };
        self.program.add_expr(ExprKind::Binary(meant.operation, left, right), ty, id)
    }
}

pub(super) fn cardinality(collection: &Type) -> UnaryOp {
    match collection {
        Type::Seq(_) => UnaryOp::SeqLength,
        Type::Multiset(_) => UnaryOp::MultisetCardinality,
        Type::Map(..) => UnaryOp::MapCardinality,
        _ => UnaryOp::SetCardinality,
    }
}
