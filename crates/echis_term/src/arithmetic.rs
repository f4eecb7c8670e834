//! Arithmetic on integers and permissions. Each simplification is an equivalence that holds in every model.

use crate::operators::Op;
use crate::sort::Sort;
use crate::store::Terms;
use crate::term::{TermId, TermKind};
use dashu::{Integer, Rational};

impl Terms {
    pub fn add(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.kind(left), self.kind(right)) {
            (TermKind::Int(a), TermKind::Int(b)) => {
                let sum = a + b;
                self.int(sum)
            }
            (TermKind::Perm(a), TermKind::Perm(b)) => {
                let sum = a + b;
                self.perm(sum)
            }
            _ if self.is_zero(left) => right,
            _ if self.is_zero(right) => left,
            _ => {
                let sort = self.sort_of(left);
                self.raw(Op::Add, [left, right], sort)
            }
        }
    }
    pub fn sum(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        let zero = self.no_perm();
        terms.into_iter().fold(zero, |sum, term| self.add(sum, term))
    }
    pub fn sub(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.kind(left), self.kind(right)) {
            (TermKind::Int(a), TermKind::Int(b)) => {
                let difference = a - b;
                self.int(difference)
            }
            (TermKind::Perm(a), TermKind::Perm(b)) => {
                let difference = a - b;
                self.perm(difference)
            }
            (TermKind::Int(_) | TermKind::Perm(_), _) | (_, TermKind::Int(_) | TermKind::Perm(_))
                if self.is_zero(right) =>
            {
                left
            }
            _ if left == right => self.zero_like(left),
            _ => {
                let sort = self.sort_of(left);
                self.raw(Op::Sub, [left, right], sort)
            }
        }
    }
    pub fn neg(&mut self, term: TermId) -> TermId {
        match self.kind(term) {
            TermKind::Int(value) => {
                let value = -value.clone();
                self.int(value)
            }
            TermKind::Perm(value) => {
                let value = -value.clone();
                self.perm(value)
            }
            _ => {
                let sort = self.sort_of(term);
                self.raw(Op::Neg, [term], sort)
            }
        }
    }
    pub fn mul(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.kind(left), self.kind(right)) {
            (TermKind::Int(a), TermKind::Int(b)) => {
                let product = a * b;
                self.int(product)
            }
            (TermKind::Perm(a), TermKind::Perm(b)) => {
                let product = a * b;
                self.perm(product)
            }
            _ if self.is_zero(left) || self.is_one(right) => left,
            _ if self.is_zero(right) || self.is_one(left) => right,
            _ => {
                let sort = self.sort_of(left);
                self.raw(Op::Mul, [left, right], sort)
            }
        }
    }
    /// Euclidean division; folded only for a positive divisor, where it is floor division.
    pub fn div(&mut self, left: TermId, right: TermId) -> TermId {
        if let (TermKind::Int(a), TermKind::Int(b)) = (self.kind(left), self.kind(right))
            && *b > Integer::ZERO
        {
            use dashu::base::DivEuclid;
            let quotient = a.clone().div_euclid(b.clone());
            return self.int(quotient);
        }
        let sort = self.int_sort();
        self.raw(Op::Div, [left, right], sort)
    }
    pub fn modulo(&mut self, left: TermId, right: TermId) -> TermId {
        let sort = self.int_sort();
        self.raw(Op::Mod, [left, right], sort)
    }
    pub fn perm_div(&mut self, left: TermId, right: TermId) -> TermId {
        if let (TermKind::Perm(a), TermKind::Perm(b)) = (self.kind(left), self.kind(right))
            && *b != Rational::ZERO
        {
            let quotient = a / b;
            return self.perm(quotient);
        }
        if self.is_one(right) {
            return left;
        }
        let sort = self.perm_sort();
        self.raw(Op::PermDiv, [left, right], sort)
    }
    pub fn to_perm(&mut self, term: TermId) -> TermId {
        if let TermKind::Int(value) = self.kind(term) {
            let value = Rational::from(value.clone());
            return self.perm(value);
        }
        let sort = self.perm_sort();
        self.raw(Op::ToPerm, [term], sort)
    }
    pub fn lt(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.kind(left), self.kind(right)) {
            (TermKind::Int(a), TermKind::Int(b)) => {
                let holds = a < b;
                self.bool(holds)
            }
            (TermKind::Perm(a), TermKind::Perm(b)) => {
                let holds = a < b;
                self.bool(holds)
            }
            _ if left == right => self.falsity(),
            _ => self.raw_bool(Op::Lt, [left, right]),
        }
    }
    pub fn le(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.kind(left), self.kind(right)) {
            (TermKind::Int(a), TermKind::Int(b)) => {
                let holds = a <= b;
                self.bool(holds)
            }
            (TermKind::Perm(a), TermKind::Perm(b)) => {
                let holds = a <= b;
                self.bool(holds)
            }
            _ if left == right => self.truth(),
            _ => self.raw_bool(Op::Le, [left, right]),
        }
    }
    pub fn positive(&mut self, perm: TermId) -> TermId {
        // `ite(c, p, 0) > 0` with a positive literal `p` is `c`; chunks guarded by conditions have this shape.
        if let Some((Op::Ite, &[condition, then, otherwise])) = self.as_op(perm)
            && (self.as_perm(then).is_some() || self.as_perm(otherwise).is_some())
        {
            let then = self.positive(then);
            let otherwise = self.positive(otherwise);
            return self.ite(condition, then, otherwise);
        }
        let zero = self.no_perm();
        self.lt(zero, perm)
    }
    pub fn min(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.as_perm(left), self.as_perm(right)) {
            (Some(a), Some(b)) => {
                if a <= b {
                    left
                } else {
                    right
                }
            }
            _ if left == right => left,
            _ => {
                let sort = self.perm_sort();
                self.raw(Op::Min, [left, right], sort)
            }
        }
    }
    pub fn max(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.as_perm(left), self.as_perm(right)) {
            (Some(a), Some(b)) => {
                if a >= b {
                    left
                } else {
                    right
                }
            }
            _ if left == right => left,
            _ => {
                let sort = self.perm_sort();
                self.raw(Op::Max, [left, right], sort)
            }
        }
    }
    pub fn is_zero(&self, term: TermId) -> bool {
        match self.kind(term) {
            TermKind::Int(value) => *value == Integer::ZERO,
            TermKind::Perm(value) => *value == Rational::ZERO,
            _ => false,
        }
    }
    pub fn is_one(&self, term: TermId) -> bool {
        match self.kind(term) {
            TermKind::Int(value) => *value == Integer::ONE,
            TermKind::Perm(value) => *value == Rational::ONE,
            _ => false,
        }
    }
    fn zero_like(&mut self, term: TermId) -> TermId {
        let sort = self.sort_of(term);
        if matches!(self.sort_data(sort), Sort::Perm) { self.no_perm() } else { self.int(0) }
    }
}
