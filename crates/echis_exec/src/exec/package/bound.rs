//! Bounds of amounts that do not mention a given variable: the bound holds whatever its value.

use crate::exec::Executor;
use echis_term::{Op, Rational, SymbolId, TermId};

/// The direction of a bound.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Upper,
    Lower,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Upper => Side::Lower,
            Side::Lower => Side::Upper,
        }
    }
}

/// Rewrites a condition that mentions the variable to one that does not, if possible.
pub(crate) type Decide<'d, 'a> = &'d mut dyn FnMut(&mut Executor<'a>, TermId) -> Option<TermId>;

impl<'a> Executor<'a> {
    /// A bound of `term` without `var`, or `None` if none was found.
    pub fn bound_without(&mut self, term: TermId, var: SymbolId, side: Side, decide: Decide<'_, 'a>) -> Option<TermId> {
        if !self.eval.memory.writer.tree.terms.is_free(var, term) {
            return Some(term);
        }
        let term = self.eval.memory.writer.peek(term);
        let (op, args) = self.eval.memory.writer.tree.terms.as_op(term)?;
        let args = args.to_vec();
        match (op, args.as_slice()) {
            (Op::Ite, &[condition, then, otherwise]) => {
                let condition = match self.eval.memory.writer.tree.terms.is_free(var, condition) {
                    true => decide(self, condition),
                    false => Some(condition),
                };
                let then = self.bound_without(then, var, side, decide)?;
                let otherwise = self.bound_without(otherwise, var, side, decide)?;
                Some(match condition {
                    Some(condition) => self.eval.memory.writer.terms().ite(condition, then, otherwise),
                    None if side == Side::Upper => self.eval.memory.writer.terms().max(then, otherwise),
                    None => self.eval.memory.writer.terms().min(then, otherwise),
                })
            }
            (Op::Min | Op::Max, &[left, right]) => {
                let left = self.bound_without(left, var, side, decide);
                let right = self.bound_without(right, var, side, decide);
                match (left, right) {
                    (Some(left), Some(right)) if op == Op::Min => {
                        Some(self.eval.memory.writer.terms().min(left, right))
                    }
                    (Some(left), Some(right)) => Some(self.eval.memory.writer.terms().max(left, right)),
                    // One bound suffices if the other operand can only improve it.
                    (Some(one), None) | (None, Some(one)) if (op == Op::Min) == (side == Side::Upper) => Some(one),
                    _ => None,
                }
            }
            (Op::Add, &[left, right]) => {
                let left = self.bound_without(left, var, side, decide)?;
                let right = self.bound_without(right, var, side, decide)?;
                Some(self.eval.memory.writer.terms().add(left, right))
            }
            (Op::Sub, &[left, right]) => {
                let left = self.bound_without(left, var, side, decide)?;
                let right = self.bound_without(right, var, side.other(), decide)?;
                Some(self.eval.memory.writer.terms().sub(left, right))
            }
            (Op::Neg, &[operand]) => {
                let operand = self.bound_without(operand, var, side.other(), decide)?;
                Some(self.eval.memory.writer.terms().neg(operand))
            }
            (Op::Mul, &[left, right]) => {
                let (factor, operand) = if self.is_nonnegative(left) { (left, right) } else { (right, left) };
                if !self.is_nonnegative(factor) {
                    return None;
                }
                let operand = self.bound_without(operand, var, side, decide)?;
                Some(self.eval.memory.writer.terms().mul(operand, factor))
            }
            _ => None,
        }
    }
    fn is_nonnegative(&self, term: TermId) -> bool {
        self.eval.memory.writer.tree.terms.as_perm(term).is_some_and(|value| *value >= Rational::ZERO)
    }
}
