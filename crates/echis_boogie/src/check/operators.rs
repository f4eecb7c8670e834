//! The types of operators.

use super::Checker;
use crate::ast::{Binary, ExprId, Unary};
use crate::types::Type;
use echis_base::Span;

impl Checker<'_> {
    pub(super) fn unary(&mut self, op: Unary, operand: ExprId, span: Span) -> Option<Type> {
        let ty = self.expr(operand)?;
        let (fits, sign) = match op {
            Unary::Not => (self.unifier.unify(&ty, &Type::Bool), "!"),
            Unary::Neg => (self.is_number(&ty), "-"),
        };
        if !fits {
            let text = self.text(&ty);
            self.error(span, format!("invalid argument type ({text}) to unary operator {sign}"));
            return None;
        }
        Some(ty)
    }

    fn is_number(&mut self, ty: &Type) -> bool {
        *self.unifier.head(ty).head() == Type::Real || self.unifier.unify(ty, &Type::Int)
    }

    pub(super) fn binary(&mut self, op: Binary, left: ExprId, right: ExprId, span: Span) -> Option<Type> {
        let (left, right) = (self.expr(left), self.expr(right));
        let (left, right) = (left?, right?);
        if op == Binary::Concat {
            return self.concat(&left, &right, span);
        }
        let is_open = [&left, &right].iter().any(|ty| matches!(self.unifier.head(ty), Type::Open(_)));
        let before = is_open.then(|| (self.text(&left), self.text(&right)));
        let result = self.result(op, &left, &right);
        if result.is_none() {
            let (left, right) = before.unwrap_or_else(|| (self.text(&left), self.text(&right)));
            self.error(span, format!("invalid argument types ({left} and {right}) to binary operator {}", op.text()));
        }
        result
    }
    fn result(&mut self, op: Binary, left: &Type, right: &Type) -> Option<Type> {
        let mut both = |ty: &Type| self.unifier.unify(left, ty) && self.unifier.unify(right, ty);
        match op {
            Binary::Iff | Binary::Implies | Binary::And | Binary::Or => both(&Type::Bool).then_some(Type::Bool),
            Binary::Eq | Binary::Ne => self.comparable(left, right).then_some(Type::Bool),
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => self.numbers(left, right).map(|_| Type::Bool),
            Binary::Add | Binary::Sub | Binary::Mul => self.numbers(left, right),
            Binary::Div | Binary::Mod => both(&Type::Int).then_some(Type::Int),
            // Also for integers.
            Binary::RealDiv => match self.floats(left, right) {
                Some(float) => Some(float),
                None => (self.is_number(left) && self.is_number(right)).then_some(Type::Real),
            },
            Binary::Pow => both(&Type::Real).then_some(Type::Real),
            Binary::Concat => None,
        }
    }
    /// Floating-point numbers of the same format.
    fn floats(&self, left: &Type, right: &Type) -> Option<Type> {
        let (left, right) = (self.unifier.head(left), self.unifier.head(right));
        (matches!(left, Type::Float(_)) && left == right).then_some(left)
    }
    /// Two numbers of the same kind.
    fn numbers(&mut self, left: &Type, right: &Type) -> Option<Type> {
        if let Some(float) = self.floats(left, right) {
            return Some(float);
        }
        let real = Type::Real;
        let is_real = |checker: &Self, ty: &Type| checker.unifier.head(ty) == real;
        if is_real(self, left) || is_real(self, right) {
            return (self.unifier.unify(left, &real) && self.unifier.unify(right, &real)).then_some(real);
        }
        (self.unifier.unify(left, &Type::Int) && self.unifier.unify(right, &Type::Int)).then_some(Type::Int)
    }
    /// Whether an equation may hold: equal types, or types that are equal for some values of the type variables.
    fn comparable(&mut self, left: &Type, right: &Type) -> bool {
        if self.unifier.unify(left, right) {
            return true;
        }
        let (left, right) = (self.unifier.solve(left), self.unifier.solve(right));
        let free: Vec<_> = left.free_vars().into_iter().chain(right.free_vars()).collect();
        if free.is_empty() {
            return false;
        }
        let instance = self.open(&free);
        self.unifier.unify(&left.replace(&instance), &right.replace(&instance))
    }
    fn concat(&mut self, left: &Type, right: &Type, span: Span) -> Option<Type> {
        let ty = self.unifier.concat(left, right);
        if ty.is_none() {
            self.error(span, "concat operands must be bitvectors");
        }
        ty
    }
}
