//! Which operation of the typed program an operator of the text is: the types of the operands tell.

use super::Lowering;
use crate::program::{BinaryOp, ExprId, ExprKind, Type, UnaryOp};
use echis_base::SyntaxId;
use echis_syntax::ast;

impl Lowering<'_> {
    /// The operation on lowered operands, of type `ty`.
    pub(super) fn binary(&mut self, op: ast::BinaryOp, left: ExprId, right: ExprId, ty: Type, id: SyntaxId) -> ExprId {
        if op == ast::BinaryOp::Wand {
            return self.program.add_expr(ExprKind::Wand { left, right }, Type::Bool, id);
        }
        let (left_ty, right_ty) = (self.program.ty(left), self.program.ty(right));
        // The integer factor of a permission is the left operand.
        let swapped = op == ast::BinaryOp::Mul && *left_ty == Type::Perm && *right_ty == Type::Int;
        let op = operation(op, left_ty, right_ty, &ty);
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        self.program.add_expr(ExprKind::Binary(op, left, right), ty, id)
    }
}

fn operation(op: ast::BinaryOp, left: &Type, right: &Type, ty: &Type) -> BinaryOp {
    match op {
        ast::BinaryOp::Iff | ast::BinaryOp::Eq => BinaryOp::Eq,
        ast::BinaryOp::Ne => BinaryOp::Ne,
        ast::BinaryOp::Implies => BinaryOp::Implies,
        ast::BinaryOp::Or => BinaryOp::Or,
        ast::BinaryOp::And | ast::BinaryOp::Wand => BinaryOp::And,
        ast::BinaryOp::Lt => BinaryOp::Lt,
        ast::BinaryOp::Le => BinaryOp::Le,
        ast::BinaryOp::Gt => BinaryOp::Gt,
        ast::BinaryOp::Ge => BinaryOp::Ge,
        ast::BinaryOp::Add => BinaryOp::Add,
        ast::BinaryOp::Sub => BinaryOp::Sub,
        ast::BinaryOp::Mul if left == right => BinaryOp::Mul,
        ast::BinaryOp::Mul => BinaryOp::IntPermMul,
        ast::BinaryOp::Div => division(left, right, ty),
        ast::BinaryOp::IntDiv => BinaryOp::IntDiv,
        ast::BinaryOp::Mod => BinaryOp::Mod,
        ast::BinaryOp::Append => BinaryOp::SeqAppend,
        ast::BinaryOp::In => membership(right),
        ast::BinaryOp::Union if is_multiset(left) => BinaryOp::MultisetUnion,
        ast::BinaryOp::Union => BinaryOp::SetUnion,
        ast::BinaryOp::Intersection if is_multiset(left) => BinaryOp::MultisetIntersection,
        ast::BinaryOp::Intersection => BinaryOp::SetIntersection,
        ast::BinaryOp::Setminus if is_multiset(left) => BinaryOp::MultisetDifference,
        ast::BinaryOp::Setminus => BinaryOp::SetDifference,
        ast::BinaryOp::Subset if is_multiset(left) => BinaryOp::MultisetSubset,
        ast::BinaryOp::Subset => BinaryOp::SetSubset,
    }
}

fn is_multiset(ty: &Type) -> bool {
    matches!(ty, Type::Multiset(_))
}

fn division(left: &Type, right: &Type, ty: &Type) -> BinaryOp {
    match (left, right) {
        (Type::Perm, Type::Perm) => BinaryOp::PermDivPerm,
        (Type::Perm, _) => BinaryOp::PermDivInt,
        _ if *ty == Type::Perm => BinaryOp::Fraction,
        _ => BinaryOp::IntDiv,
    }
}

fn membership(collection: &Type) -> BinaryOp {
    match collection {
        Type::Seq(_) => BinaryOp::SeqContains,
        Type::Multiset(_) => BinaryOp::MultisetCount,
        Type::Map(..) => BinaryOp::MapContains,
        _ => BinaryOp::SetContains,
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
