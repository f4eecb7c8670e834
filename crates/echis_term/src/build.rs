//! Simplifying constructors. Each simplification is an equivalence that holds in every model; none depends on facts.

use crate::operators::{Op, Shape};
use crate::role::QuantifierRole;
use crate::sort::{Sort, SortId};
use crate::store::Terms;
use crate::term::{Quant, Quantifier, SymbolId, TermId, TermKind};
use dashu::{Integer, Rational};
use echis_base::FastSet;

/// Sorts that every store contains, in the order in which [`Terms::new`] adds them.
impl Terms {
    pub fn bool_sort(&mut self) -> SortId {
        self.sort(Sort::Bool)
    }
    pub fn int_sort(&mut self) -> SortId {
        self.sort(Sort::Int)
    }
    pub fn perm_sort(&mut self) -> SortId {
        self.sort(Sort::Perm)
    }
    pub fn ref_sort(&mut self) -> SortId {
        self.sort(Sort::Ref)
    }
    pub fn snap_sort(&mut self) -> SortId {
        self.sort(Sort::Snap)
    }
}

/// Literals and applications.
impl Terms {
    pub fn bool(&mut self, value: bool) -> TermId {
        let sort = self.bool_sort();
        self.intern(TermKind::Bool(value), sort)
    }
    pub fn truth(&mut self) -> TermId {
        self.bool(true)
    }
    pub fn falsity(&mut self) -> TermId {
        self.bool(false)
    }
    pub fn int(&mut self, value: impl Into<Integer>) -> TermId {
        let sort = self.int_sort();
        self.intern(TermKind::Int(value.into()), sort)
    }
    pub fn perm(&mut self, value: Rational) -> TermId {
        let sort = self.perm_sort();
        self.intern(TermKind::Perm(value), sort)
    }
    pub fn write(&mut self) -> TermId {
        self.perm(Rational::ONE)
    }
    pub fn no_perm(&mut self) -> TermId {
        self.perm(Rational::ZERO)
    }
    pub fn null(&mut self) -> TermId {
        let sort = self.ref_sort();
        self.intern(TermKind::Op(Op::Null, Box::from([])), sort)
    }
    pub fn unit(&mut self) -> TermId {
        let sort = self.snap_sort();
        self.intern(TermKind::Op(Op::Unit, Box::from([])), sort)
    }
    pub fn app(&mut self, symbol: SymbolId, args: impl Into<Box<[TermId]>>) -> TermId {
        let args = args.into();
        debug_assert_eq!(args.len(), self.symbol(symbol).params.len(), "arity of {:?}", self.symbol(symbol));
        let sort = self.symbol(symbol).result;
        self.intern(TermKind::App(symbol, args), sort)
    }
    pub fn constant(&mut self, symbol: SymbolId) -> TermId {
        self.app(symbol, [])
    }
    pub fn is_true(&self, term: TermId) -> bool {
        matches!(self.kind(term), TermKind::Bool(true))
    }
    pub fn is_false(&self, term: TermId) -> bool {
        matches!(self.kind(term), TermKind::Bool(false))
    }
    pub fn as_perm(&self, term: TermId) -> Option<&Rational> {
        match self.kind(term) {
            TermKind::Perm(value) => Some(value),
            _ => None,
        }
    }
    pub fn as_int(&self, term: TermId) -> Option<&Integer> {
        match self.kind(term) {
            TermKind::Int(value) => Some(value),
            _ => None,
        }
    }
    pub fn as_op(&self, term: TermId) -> Option<(Op, &[TermId])> {
        match self.kind(term) {
            TermKind::Op(op, args) => Some((*op, args)),
            _ => None,
        }
    }
    pub(crate) fn raw(&mut self, op: Op, args: impl Into<Box<[TermId]>>, sort: SortId) -> TermId {
        self.intern(TermKind::Op(op, args.into()), sort)
    }
    pub(crate) fn raw_bool(&mut self, op: Op, args: impl Into<Box<[TermId]>>) -> TermId {
        let sort = self.bool_sort();
        self.raw(op, args, sort)
    }
    fn is_literal(&self, term: TermId) -> bool {
        matches!(self.kind(term), TermKind::Bool(_) | TermKind::Int(_) | TermKind::Perm(_))
    }
}

/// Propositional connectives and equality.
impl Terms {
    pub fn not(&mut self, term: TermId) -> TermId {
        match self.kind(term) {
            TermKind::Bool(value) => {
                let value = !*value;
                self.bool(value)
            }
            TermKind::Op(Op::Not, args) => args[0],
            _ => self.raw_bool(Op::Not, [term]),
        }
    }
    pub fn and(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(Op::And, terms)
    }
    pub fn or(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(Op::Or, terms)
    }
    /// Flattens, drops neutral and duplicate operands, and returns an absorbing one.
    fn junction(&mut self, op: Op, terms: impl IntoIterator<Item = TermId>) -> TermId {
        let neutral = op == Op::And;
        let mut operands: Vec<TermId> = Vec::new();
        let mut seen = FastSet::default();
        for term in terms {
            match self.kind(term) {
                TermKind::Bool(value) if *value == neutral => {}
                TermKind::Bool(_) => return term,
                TermKind::Op(inner, args) if *inner == op => {
                    operands.extend(args.iter().copied().filter(|arg| seen.insert(*arg)));
                }
                _ if seen.insert(term) => operands.push(term),
                _ => {}
            }
        }
        match operands.len() {
            0 => self.bool(neutral),
            1 => operands[0],
            _ => self.raw_bool(op, operands),
        }
    }
    pub fn implies(&mut self, left: TermId, right: TermId) -> TermId {
        if self.is_true(left) || self.is_true(right) {
            return right;
        }
        if self.is_false(left) || left == right {
            return self.truth();
        }
        if self.is_false(right) {
            return self.not(left);
        }
        if let Some((Op::Implies, &[inner, conclusion])) = self.as_op(right) {
            let both = self.and([left, inner]);
            return self.implies(both, conclusion);
        }
        self.raw_bool(Op::Implies, [left, right])
    }
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        if self.is_true(condition) || then == otherwise {
            return then;
        }
        if self.is_false(condition) {
            return otherwise;
        }
        if self.is_true(then) && self.is_false(otherwise) {
            return condition;
        }
        if self.is_false(then) && self.is_true(otherwise) {
            return self.not(condition);
        }
        if let Some((Op::Not, &[inner])) = self.as_op(condition) {
            return self.ite(inner, otherwise, then);
        }
        let sort = self.sort_of(then);
        if matches!(self.sort_data(sort), Sort::Bool) {
            if self.is_true(otherwise) {
                return self.implies(condition, then);
            }
            if self.is_false(otherwise) {
                return self.and([condition, then]);
            }
            if self.is_true(then) {
                return self.or([condition, otherwise]);
            }
        }
        self.raw(Op::Ite, [condition, then, otherwise], sort)
    }
    pub fn eq(&mut self, left: TermId, right: TermId) -> TermId {
        debug_assert_eq!(self.sort_of(left), self.sort_of(right), "an equation between different sorts");
        if left == right {
            return self.truth();
        }
        if self.is_literal(left) && self.is_literal(right) {
            return self.falsity();
        }
        for (literal, other) in [(left, right), (right, left)] {
            match self.kind(literal) {
                TermKind::Bool(true) => return other,
                TermKind::Bool(false) => return self.not(other),
                _ => {}
            }
        }
        let (a, b) = if left < right { (left, right) } else { (right, left) };
        self.raw_bool(Op::Eq, [a, b])
    }
    pub fn ne(&mut self, left: TermId, right: TermId) -> TermId {
        let equal = self.eq(left, right);
        self.not(equal)
    }
    pub fn eq_all(&mut self, left: &[TermId], right: &[TermId]) -> TermId {
        let equations: Vec<_> = left.iter().zip(right).map(|(&left, &right)| self.eq(left, right)).collect();
        self.and(equations)
    }
    pub fn quant(&mut self, quant: Quant) -> TermId {
        let body_free = self.term(quant.body).free.clone();
        if !quant.vars.iter().any(|var| body_free.contains(var)) {
            return quant.body;
        }
        if matches!(self.kind(quant.body), TermKind::Bool(_)) {
            return quant.body;
        }
        let sort = self.bool_sort();
        self.intern(TermKind::Quant(Box::new(quant)), sort)
    }
    pub fn forall(
        &mut self,
        vars: &[SymbolId],
        triggers: Vec<Vec<TermId>>,
        body: TermId,
        role: QuantifierRole,
    ) -> TermId {
        self.quant(Quant {
            quantifier: Quantifier::Forall,
            vars: vars.into(),
            triggers: triggers.into_iter().map(Vec::into_boxed_slice).collect(),
            body,
            weight: None,
            role,
        })
    }
}

/// Snapshots.
impl Terms {
    pub fn combine(&mut self, first: TermId, second: TermId) -> TermId {
        let sort = self.snap_sort();
        self.raw(Op::Combine, [first, second], sort)
    }
    pub fn first(&mut self, snap: TermId) -> TermId {
        if let Some((Op::Combine, &[first, _])) = self.as_op(snap) {
            return first;
        }
        let sort = self.snap_sort();
        self.raw(Op::First, [snap], sort)
    }
    pub fn second(&mut self, snap: TermId) -> TermId {
        if let Some((Op::Combine, &[_, second])) = self.as_op(snap) {
            return second;
        }
        let sort = self.snap_sort();
        self.raw(Op::Second, [snap], sort)
    }
    /// A value of any sort as a snapshot. `wrap(unwrap(s))` is not simplified: it equals `s` only if `s` has that
    /// shape, which producers state as a fact.
    pub fn wrap(&mut self, value: TermId) -> TermId {
        let sort = self.sort_of(value);
        let snap = self.snap_sort();
        if sort == snap {
            return value;
        }
        self.raw(Op::Wrap(sort), [value], snap)
    }
    pub fn unwrap(&mut self, snap: TermId, sort: SortId) -> TermId {
        if sort == self.snap_sort() {
            return snap;
        }
        if let Some((Op::Wrap(inner), &[value])) = self.as_op(snap)
            && inner == sort
        {
            return value;
        }
        self.raw(Op::Unwrap(sort), [snap], sort)
    }
    /// A right-nested tree of the values, from left to right; used as the key of an argument tuple.
    pub fn tuple(&mut self, values: &[TermId]) -> TermId {
        let Some((&last, rest)) = values.split_last() else { return self.unit() };
        let last = self.wrap(last);
        rest.iter().rev().fold(last, |tail, &value| {
            let head = self.wrap(value);
            self.combine(head, tail)
        })
    }
}

/// Operators without special simplifications.
impl Terms {
    /// An application of a collection or map operator; the result sort follows from the operator and operands.
    pub fn op(&mut self, op: Op, args: impl Into<Box<[TermId]>>) -> TermId {
        let args = args.into();
        let sort = self.result_sort(op, &args).expect("the operands have the sorts that the operator's row says");
        self.raw(op, args, sort)
    }
    /// The sort of an application. `None` if the operands have the wrong sorts.
    pub(crate) fn result_sort(&mut self, op: Op, args: &[TermId]) -> Option<SortId> {
        let row = op.row();
        let mut letters = Letters { own: op.instance(), ..Letters::default() };
        for (shape, arg) in row.operands.iter().zip(args) {
            letters.bind(*shape, self.sort_of(*arg), self);
        }
        self.sort_of_shape(row.result, &letters)
    }
    fn sort_of_shape(&mut self, shape: Shape, letters: &Letters) -> Option<SortId> {
        let sort = match shape {
            Shape::Bool => Sort::Bool,
            Shape::Int => Sort::Int,
            Shape::Perm => Sort::Perm,
            Shape::Ref => Sort::Ref,
            Shape::Snap => Sort::Snap,
            Shape::WandMap => Sort::WandMap,
            Shape::Number | Shape::T => return letters.whole,
            Shape::K => return letters.key,
            Shape::V => return letters.value,
            Shape::Map | Shape::SnapMap => return letters.map,
            Shape::Own => return letters.own,
            Shape::Seq(element) => Sort::Seq(self.sort_of_shape(*element, letters)?),
            Shape::Set(element) => Sort::Set(self.sort_of_shape(*element, letters)?),
            Shape::Multiset(element) => Sort::Multiset(self.sort_of_shape(*element, letters)?),
        };
        Some(self.sort(sort))
    }
    /// Rebuilds an application using the simplifying constructors.
    pub fn rebuild(&mut self, op: Op, args: &[TermId]) -> TermId {
        match (op, args) {
            (Op::Not, &[a]) => self.not(a),
            (Op::And, _) => self.and(args.iter().copied()),
            (Op::Or, _) => self.or(args.iter().copied()),
            (Op::Implies, &[a, b]) => self.implies(a, b),
            (Op::Ite, &[c, a, b]) => self.ite(c, a, b),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Add, &[a, b]) => self.add(a, b),
            (Op::Sub, &[a, b]) => self.sub(a, b),
            (Op::Neg, &[a]) => self.neg(a),
            (Op::Mul, &[a, b]) => self.mul(a, b),
            (Op::Div, &[a, b]) => self.div(a, b),
            (Op::PermDiv, &[a, b]) => self.perm_div(a, b),
            (Op::ToPerm, &[a]) => self.to_perm(a),
            (Op::Lt, &[a, b]) => self.lt(a, b),
            (Op::Le, &[a, b]) => self.le(a, b),
            (Op::Min, &[a, b]) => self.min(a, b),
            (Op::Max, &[a, b]) => self.max(a, b),
            (Op::Combine, &[a, b]) => self.combine(a, b),
            (Op::First, &[a]) => self.first(a),
            (Op::Second, &[a]) => self.second(a),
            (Op::Wrap(_), &[a]) => self.wrap(a),
            (Op::Unwrap(sort), &[a]) => self.unwrap(a, sort),
            _ => self.op(op, args),
        }
    }
}

/// The sorts denoted by the letters of a row.
#[derive(Default)]
struct Letters {
    own: Option<SortId>,
    /// `T` or `Number`.
    whole: Option<SortId>,
    map: Option<SortId>,
    key: Option<SortId>,
    value: Option<SortId>,
}

impl Letters {
    fn bind(&mut self, shape: Shape, sort: SortId, terms: &Terms) {
        match (shape, terms.sort_data(sort)) {
            (Shape::T | Shape::Number, _) => self.whole = self.whole.or(Some(sort)),
            (Shape::Seq(inner), Sort::Seq(element))
            | (Shape::Set(inner), Sort::Set(element))
            | (Shape::Multiset(inner), Sort::Multiset(element)) => self.bind(*inner, *element, terms),
            (Shape::Map, Sort::Map(key, value)) | (Shape::SnapMap, Sort::SnapMap { key, value, .. }) => {
                (self.map, self.key, self.value) = (Some(sort), Some(*key), Some(*value));
            }
            _ => {}
        }
    }
}
