//! Floating-point numbers as in SMT-LIB. As in Boogie, `==` compares numbers: zeros are equal, and NaN equals
//! nothing, not even itself. Assignments and definitions copy values exactly.

use super::Encoder;
use echis_boogie::ast::Binary;
use echis_boogie::float::Float;
use echis_boogie::types::Type;
use echis_term::{Sort, SymbolRole, TermId};

impl Encoder<'_> {
    pub(super) fn float(&mut self, float: &Float) -> TermId {
        let sort = self.sort(&Type::Float(float.format));
        self.interpreted(&float.smt(), &[], sort)
    }
    fn is_float(&self, term: TermId) -> bool {
        let sort = self.terms.sort_of(term);
        matches!(self.terms.sort_data(sort), Sort::Interpreted(text) if text.starts_with("(_ FloatingPoint "))
    }
    /// Returns `None` unless the operands are floating-point numbers of the same format.
    pub(super) fn float_operation(&mut self, op: Binary, left: TermId, right: TermId) -> Option<TermId> {
        let name = match op {
            Binary::Add => "fp.add",
            Binary::Sub => "fp.sub",
            Binary::Mul => "fp.mul",
            Binary::RealDiv => "fp.div",
            _ => return self.float_comparison(op, left, right),
        };
        if !self.is_float(left) {
            return None;
        }
        let sort = self.terms.sort_of(left);
        let mode = self.sort(&Type::RoundingMode);
        // Operators round to the nearest number, ties to even.
        let mode = self.interpreted("RNE", &[], mode);
        Some(self.apply(SymbolRole::interpreted(name), &[mode, left, right], sort))
    }
    pub(super) fn float_comparison(&mut self, op: Binary, left: TermId, right: TermId) -> Option<TermId> {
        let name = match op {
            Binary::Eq => "fp.eq",
            Binary::Lt => "fp.lt",
            Binary::Le => "fp.leq",
            Binary::Gt => "fp.gt",
            Binary::Ge => "fp.geq",
            _ => return None,
        };
        if !self.is_float(left) || self.terms.sort_of(left) != self.terms.sort_of(right) {
            return None;
        }
        let bool = self.terms.bool_sort();
        Some(self.apply(SymbolRole::interpreted(name), &[left, right], bool))
    }
}
