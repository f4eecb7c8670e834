//! The signatures of operators. If several fit, the first listed applies.

use super::Checker;
use super::infer::{Alternative, Inferred, Origin, Signature};
use super::ty::{Ty, TyId};
use crate::operators::{SIGNATURES, Shape, Written};
use crate::typed::Use;
use echis_base::Span;
use echis_syntax::ast::{BinaryOp, CollectionKind, ExprId, ExprKind};

impl Checker<'_> {
    pub(super) fn fresh(&mut self, span: Span) -> TyId {
        self.inference.fresh(&mut self.types, Origin { span, owner: None })
    }
    fn seq(&mut self, element: TyId) -> TyId {
        self.types.intern(Ty::Seq(element))
    }
    fn set(&mut self, element: TyId) -> TyId {
        self.types.intern(Ty::Set(element))
    }
    fn multiset(&mut self, element: TyId) -> TyId {
        self.types.intern(Ty::Multiset(element))
    }
    fn map(&mut self, key: TyId, value: TyId) -> TyId {
        self.types.intern(Ty::Map(key, value))
    }

    pub(super) fn binary_signatures(&mut self, op: BinaryOp, span: Span) -> Vec<Signature> {
        match op {
            BinaryOp::Wand => {
                let assertion = self.types.assertion();
                vec![sig([assertion, assertion], self.types.wand())]
            }
            _ => self.signatures(Written::Operator(op), span),
        }
    }

    /// The signatures from the table, in order, with fresh variables for its letters.
    pub(super) fn signatures(&mut self, written: Written, span: Span) -> Vec<Signature> {
        let mut letters = Letters::default();
        let rows = SIGNATURES.iter().filter(|row| row.written == written);
        rows.map(|row| {
            let operands = row.operands.map(|shape| self.shaped(shape, span, &mut letters));
            sig(operands, self.shaped(row.result, span, &mut letters))
        })
        .collect()
    }

    fn shaped(&mut self, shape: Shape, span: Span, letters: &mut Letters) -> TyId {
        match shape {
            Shape::Bool => self.types.bool(),
            Shape::Int => self.types.int(),
            Shape::Perm => self.types.perm(),
            Shape::Assertion => self.types.assertion(),
            Shape::T => *letters.t.get_or_insert_with(|| self.fresh(span)),
            Shape::U => *letters.u.get_or_insert_with(|| self.fresh(span)),
            Shape::Seq(element) => {
                let element = self.shaped(*element, span, letters);
                self.seq(element)
            }
            Shape::Set(element) => {
                let element = self.shaped(*element, span, letters);
                self.set(element)
            }
            Shape::Multiset(element) => {
                let element = self.shaped(*element, span, letters);
                self.multiset(element)
            }
            Shape::Map(key, value) => {
                let (key, value) = (self.shaped(*key, span, letters), self.shaped(*value, span, letters));
                self.map(key, value)
            }
        }
    }

    /// The signatures of `a && b` and `[a, b]`.
    pub(super) fn conjunction_signatures(&mut self) -> Vec<Signature> {
        let (bool, assertion) = (self.types.bool(), self.types.assertion());
        vec![sig([bool, bool], bool), sig([assertion, assertion], assertion)]
    }

    pub(super) fn conditional_signatures(&mut self, span: Span) -> Vec<Signature> {
        let (bool, assertion, any) = (self.types.bool(), self.types.assertion(), self.fresh(span));
        vec![sig([bool, any, any], any), sig([bool, assertion, assertion], assertion)]
    }

    pub(super) fn negation_signatures(&self) -> Vec<Signature> {
        let (perm, int) = (self.types.perm(), self.types.int());
        vec![sig([perm], perm), sig([int], int)]
    }

    pub(super) fn cardinality_signatures(&mut self, span: Span) -> Vec<Signature> {
        let (int, element, value) = (self.types.int(), self.fresh(span), self.fresh(span));
        let collections = [self.seq(element), self.set(element), self.multiset(element), self.map(element, value)];
        collections.into_iter().map(|collection| sig([collection], int)).collect()
    }

    pub(super) fn update_signatures(&mut self, span: Span) -> Vec<Signature> {
        let (int, key, value) = (self.types.int(), self.fresh(span), self.fresh(span));
        let (seq, map) = (self.seq(value), self.map(key, value));
        vec![sig([seq, int, value], seq), sig([map, key, value], map)]
    }

    /// The signatures of `s[i..j]`.
    pub(super) fn slice_signatures(&mut self, span: Span) -> Vec<Signature> {
        let (int, element) = (self.types.int(), self.fresh(span));
        let seq = self.seq(element);
        vec![sig([seq, int, int], seq)]
    }

    /// The signatures of `domain(m)` and `range(m)`.
    pub(super) fn map_part_signatures(&mut self, part: MapPart, span: Span) -> Vec<Signature> {
        let (key, value) = (self.fresh(span), self.fresh(span));
        let element = match part {
            MapPart::Domain => key,
            MapPart::Range => value,
        };
        vec![sig([self.map(key, value)], self.set(element))]
    }

    pub(super) fn collection_signature(&mut self, kind: CollectionKind, element: TyId, count: usize) -> Signature {
        let result = match kind {
            CollectionKind::Seq => self.seq(element),
            CollectionKind::Set => self.set(element),
            CollectionKind::Multiset => self.multiset(element),
        };
        Signature { params: vec![element; count], result }
    }

    /// The operands alternate between keys and values.
    pub(super) fn map_signature(&mut self, key: TyId, value: TyId, entries: usize) -> Signature {
        let params = std::iter::repeat_n([key, value], entries).flatten().collect();
        Signature { params, result: self.map(key, value) }
    }

    /// Ends the visit of an expression with operands: keeps the signatures that fit, and reports the first operand
    /// that leaves none.
    pub(super) fn apply(&mut self, expr: ExprId, operands: &[(ExprId, Inferred)], sigs: Vec<Signature>) -> Inferred {
        if operands.iter().any(|(_, outcome)| *outcome == Inferred::Error) {
            return Inferred::Error;
        }
        let Some(candidates) = self.report_misfit(expr, operands, &sigs) else { return Inferred::Error };
        let alternative =
            |(index, candidate): (usize, Alternative)| Alternative { ty: sigs[index].result, ..candidate };
        let alternatives = candidates.into_iter().map(alternative).collect();
        self.inference.conclude(&mut self.types, expr, alternatives)
    }

    /// The signatures that fit the operands; `None` after reporting the first mismatch.
    pub(super) fn report_misfit(
        &mut self,
        expr: ExprId,
        operands: &[(ExprId, Inferred)],
        sigs: &[Signature],
    ) -> Option<Vec<(usize, Alternative)>> {
        let start = |signature: &Signature| Alternative { ty: signature.result, binds: Vec::new(), picks: Vec::new() };
        let mut candidates: Vec<_> = sigs.iter().map(start).enumerate().collect();
        for (position, operand) in operands.iter().enumerate() {
            let before: Vec<usize> = candidates.iter().map(|(index, _)| *index).collect();
            let binds = candidates.first().map_or(Vec::new(), |(_, first)| first.binds.clone());
            candidates =
                self.inference.step(&mut self.types, candidates, |index| sigs[*index].params[position], *operand);
            if candidates.is_empty() {
                let expected = before.into_iter().map(|index| sigs[index].params[position]);
                let expected: Vec<_> = expected.map(|ty| self.inference.resolve(&mut self.types, ty, &binds)).collect();
                let found = self.inference.possible(operand.0, operand.1);
                self.mismatch_at(self.blamed(expr, operand.0, position), &expected, &found);
                return None;
            }
        }
        Some(candidates)
    }

    /// Where a wrong operand is reported: at itself; for a map literal, at its entry; for parts of an ADT, at the
    /// whole.
    fn blamed(&self, expr: ExprId, operand: ExprId, position: usize) -> (Span, Option<Span>) {
        let (whole, part) = (self.expr(expr), self.expr(operand));
        match &whole.kind {
            ExprKind::Map(map) => {
                let (key, value) = map.entries[position / 2];
                (self.expr(key).span.to(self.expr(value).span), part.macro_span)
            }
            ExprKind::Field { .. } if matches!(self.typed.uses.get(expr), Some(Use::Discriminator { .. })) => {
                (whole.span, whole.macro_span)
            }
            ExprKind::Call(call) if self.globals.is_constructor(&call.callee.name) => (whole.span, whole.macro_span),
            _ => (part.span, part.macro_span),
        }
    }

    /// Ends the visit of an expression with a single possible type.
    pub(super) fn known(&mut self, expr: ExprId, ty: TyId) -> Inferred {
        self.inference.nodes.push((expr, ty));
        Inferred::Type(ty)
    }

    /// Ends the visit of an expression with the same type as its part.
    pub(super) fn forward(&mut self, expr: ExprId, part: (ExprId, Inferred)) -> Inferred {
        match part.1 {
            Inferred::Error => Inferred::Error,
            Inferred::Type(ty) => self.known(expr, ty),
            Inferred::Choice => {
                let types = self.inference.possible(part.0, part.1).into_iter().enumerate();
                let alternative =
                    |(index, ty)| Alternative { ty, binds: Vec::new(), picks: vec![(part.0, index as u32)] };
                let alternatives: Vec<_> = types.map(alternative).collect();
                self.inference.pending.insert(expr, alternatives);
                Inferred::Choice
            }
        }
    }
}

/// The type variables for the letters of the table.
#[derive(Default)]
struct Letters {
    t: Option<TyId>,
    u: Option<TyId>,
}

#[derive(Clone, Copy)]
pub(super) enum MapPart {
    Domain,
    Range,
}

fn sig<const N: usize>(params: [TyId; N], result: TyId) -> Signature {
    Signature { params: params.to_vec(), result }
}
