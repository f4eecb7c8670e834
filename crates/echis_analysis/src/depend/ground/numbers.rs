//! What terms say about numbers. Variables are classes of equal terms.

use super::classes::Classes;
use super::{Ground, Mask, Shape};
use crate::depend::linear::{Constraint, Form};
use echis_term::{Op, Rational};

impl Ground<'_> {
    pub(super) fn arithmetic(&self, classes: &Classes) -> (Vec<(Form, Mask)>, Vec<Constraint>) {
        let (mut equations, mut constraints) = (Vec::new(), Vec::new());
        for (node, data) in self.nodes.iter().enumerate() {
            if data.arithmetic
                && let Some((form, mask)) = self.definition(classes, node)
            {
                let (class, own) = classes.find(node);
                equations.push((form.plus(&Form::variable(class), &Rational::NEG_ONE), mask | own));
            }
            match (data.shape, &data.children[..]) {
                (Shape::Op(op @ (Op::Lt | Op::Le), _), [left, right]) => match classes.truth(node) {
                    Some((true, mask)) => constraints.push(self.order(classes, *left, *right, op == Op::Lt, mask)),
                    Some((false, mask)) => constraints.push(self.order(classes, *right, *left, op == Op::Le, mask)),
                    None => {}
                },
                (
                    Shape::Op(Op::SeqLength | Op::SetCardinality | Op::MultisetCardinality | Op::MapCardinality, _),
                    _,
                ) => {
                    let (class, mask) = classes.find(node);
                    let form = Form::default().plus(&Form::variable(class), &Rational::NEG_ONE);
                    constraints.push(Constraint { form, strict: false, mask });
                }
                (Shape::Op(Op::Ite, _), _) if data.arithmetic => {
                    if let Some((least, most)) = self.bounds(node) {
                        let (class, mask) = classes.find(node);
                        let (own, limit) = (Form::variable(class), |value| Form::constant(value));
                        let above = limit(least).plus(&own, &Rational::NEG_ONE);
                        let below = own.plus(&limit(most), &Rational::NEG_ONE);
                        constraints.extend([above, below].map(|form| Constraint { form, strict: false, mask }));
                    }
                }
                _ => {}
            }
        }
        (equations, constraints)
    }
    /// Between which numbers a choice among numbers lies, whatever its conditions.
    fn bounds(&self, node: usize) -> Option<(Rational, Rational)> {
        let mut stack = vec![node];
        let mut found: Option<(Rational, Rational)> = None;
        let mut steps = 0;
        while let Some(node) = stack.pop() {
            steps += 1;
            match (&self.nodes[node].number, self.nodes[node].shape, &self.nodes[node].children[..]) {
                (Some(number), _, _) => {
                    let (least, most) = found.unwrap_or_else(|| (number.clone(), number.clone()));
                    found = Some((least.min(number.clone()), most.max(number.clone())));
                }
                (None, Shape::Op(Op::Ite, _), [_, yes, no]) if steps < 20 => stack.extend([*yes, *no]),
                _ => return None,
            }
        }
        found
    }
    /// What a sum, a difference, a multiple or a number is, in terms of classes.
    fn definition(&self, classes: &Classes, node: usize) -> Option<(Form, Mask)> {
        let data = &self.nodes[node];
        if let Some(number) = &data.number {
            return Some((Form::constant(number.clone()), 0));
        }
        let Shape::Op(op, _) = data.shape else { return None };
        let mut form = Form::default();
        let mut used = 0;
        let mut add = |child: usize, factor: &Rational| {
            let (class, mask) = classes.find(child);
            used |= mask;
            form = std::mem::take(&mut form).plus(&Form::variable(class), factor);
        };
        match (op, &data.children[..]) {
            (Op::Add, parts) => parts.iter().for_each(|part| add(*part, &Rational::ONE)),
            (Op::Sub, [first, rest @ ..]) => {
                add(*first, &Rational::ONE);
                rest.iter().for_each(|part| add(*part, &Rational::NEG_ONE));
            }
            (Op::Neg, [part]) => add(*part, &Rational::NEG_ONE),
            (Op::Mul, [left, right]) => match (&self.nodes[*left].number, &self.nodes[*right].number) {
                (Some(factor), _) => add(*right, factor),
                (_, Some(factor)) => add(*left, factor),
                _ => return None,
            },
            _ => return None,
        }
        Some((form, used))
    }
    /// One is less than another, or not greater.
    pub(super) fn order(&self, classes: &Classes, less: usize, more: usize, strict: bool, mask: Mask) -> Constraint {
        let ((low, below), (high, above)) = (classes.find(less), classes.find(more));
        let mut form = Form::variable(low).plus(&Form::variable(high), &Rational::NEG_ONE);
        let whole = self.nodes[less].integer;
        if strict && whole {
            form = form.plus(&Form::constant(Rational::ONE), &Rational::ONE);
        }
        Constraint { form, strict: strict && !whole, mask: mask | below | above }
    }
}
