//! Builds expressions of the typed program. Purity is computed when a node is created, so no tree is traversed for
//! it.

use crate::program::{BinaryOp, Expr, ExprId, ExprKind, Local, LocalId, Location, Program, Quantifier, Type, UnaryOp};
use dashu::Integer;
use echis_base::{Name, SyntaxId};

impl Program {
    pub(crate) fn add_expr(&mut self, kind: ExprKind, ty: Type, id: SyntaxId) -> ExprId {
        // A predicate call used as a measure was checked as an assertion.
        let ty = match kind {
            ExprKind::PredicateInstance { .. } => Type::PredicateInstance,
            _ => ty,
        };
        let pure = self.pure_kind(&kind);
        self.exprs.push(Expr { kind, ty, id, pure })
    }

    /// Whether a node is pure, given its parts. Only assertion positions count: the assertion of `asserting`, an
    /// applied wand or a resource in `perm` does not make the whole impure.
    fn pure_kind(&self, kind: &ExprKind) -> bool {
        match kind {
            ExprKind::Acc { .. } | ExprKind::Wand { .. } | ExprKind::ForallAcc { .. } => false,
            ExprKind::PermOf(_) | ExprKind::TriggerLocation(_) => true,
            ExprKind::Unfolding { body, .. }
            | ExprKind::Applying { body, .. }
            | ExprKind::Asserting { body, .. }
            | ExprKind::ForPerm { body, .. } => self.is_pure(*body),
            kind => kind.children().into_iter().all(|child| self.is_pure(child)),
        }
    }

    pub(crate) fn fresh_local(&mut self, name: impl Into<Name>, ty: Type, id: SyntaxId) -> LocalId {
        self.locals.push(Local { name: name.into(), ty, id })
    }

    pub(crate) fn bool(&mut self, value: bool, id: SyntaxId) -> ExprId {
        self.add_expr(ExprKind::Bool(value), Type::Bool, id)
    }
    pub(crate) fn int(&mut self, value: impl Into<Integer>, id: SyntaxId) -> ExprId {
        self.add_expr(ExprKind::Int(value.into()), Type::Int, id)
    }
    pub(crate) fn local(&mut self, local: LocalId, id: SyntaxId) -> ExprId {
        let ty = self.locals[local].ty.clone();
        self.add_expr(ExprKind::Local(local), ty, id)
    }
    pub(crate) fn not(&mut self, operand: ExprId, id: SyntaxId) -> ExprId {
        self.add_expr(ExprKind::Unary(UnaryOp::Not, operand), Type::Bool, id)
    }
    /// A binary node of type `Bool`.
    pub(crate) fn test(&mut self, op: BinaryOp, left: ExprId, right: ExprId, id: SyntaxId) -> ExprId {
        self.add_expr(ExprKind::Binary(op, left, right), Type::Bool, id)
    }
    pub(crate) fn and(&mut self, left: ExprId, right: ExprId, id: SyntaxId) -> ExprId {
        self.test(BinaryOp::And, left, right, id)
    }
    pub(crate) fn implies(&mut self, left: ExprId, right: ExprId, id: SyntaxId) -> ExprId {
        self.test(BinaryOp::Implies, left, right, id)
    }
    pub(crate) fn eq(&mut self, left: ExprId, right: ExprId, id: SyntaxId) -> ExprId {
        self.test(BinaryOp::Eq, left, right, id)
    }
    /// The left-associative conjunction; `true` if empty.
    pub(crate) fn conjunction(&mut self, parts: impl IntoIterator<Item = ExprId>, id: SyntaxId) -> ExprId {
        let mut parts = parts.into_iter();
        let Some(first) = parts.next() else { return self.bool(true, id) };
        parts.fold(first, |left, right| self.and(left, right, id))
    }
    pub(crate) fn write(&mut self, id: SyntaxId) -> ExprId {
        self.add_expr(ExprKind::Write, Type::Perm, id)
    }
    pub(crate) fn perm_of(&mut self, location: Location, id: SyntaxId) -> ExprId {
        self.add_expr(ExprKind::PermOf(location), Type::Perm, id)
    }
    /// A universal quantifier with the given triggers.
    pub(crate) fn forall(
        &mut self,
        vars: Vec<LocalId>,
        triggers: Vec<Vec<ExprId>>,
        body: ExprId,
        id: SyntaxId,
    ) -> ExprId {
        let kind = ExprKind::Quantified { quantifier: Quantifier::Forall, vars, triggers, given: true, body };
        self.add_expr(kind, Type::Bool, id)
    }
}
