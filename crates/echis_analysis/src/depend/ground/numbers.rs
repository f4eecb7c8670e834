//! What terms say about numbers. Variables are classes of equal terms.

use super::classes::Classes;
use super::nodes::Shape;
use super::search::State;
use super::{Ground, Mask};
use crate::depend::linear::{Constraint, Form};
use crate::depend::ratio::Ratio;
use echis_term::Op;

impl Ground<'_> {
    pub(super) fn arithmetic(&self, state: &State) -> (Vec<(Form, Mask)>, Vec<Constraint>) {
        let classes = &state.classes;
        let (mut equations, mut constraints) = (Vec::new(), Vec::new());
        for (node, data) in self.nodes.iter().enumerate().filter(|(node, _)| state.present[*node].is_some()) {
            if data.arithmetic
                && let Some((form, mask)) = self.definition(classes, node)
            {
                let (class, own) = classes.find(node);
                equations.push((form.plus(&Form::variable(class), Ratio::MINUS_ONE), mask | own));
            }
            match (data.shape, self.children(node)) {
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
                    let form = Form::default().plus(&Form::variable(class), Ratio::MINUS_ONE);
                    constraints.push(Constraint { form, strict: false, mask });
                }
                (Shape::Op(Op::Ite, _), _) if data.arithmetic => {
                    if let Some((least, most)) = self.bounds(node) {
                        let (class, mask) = classes.find(node);
                        let (own, limit) = (Form::variable(class), |value| Form::constant(value));
                        let above = limit(least).plus(&own, Ratio::MINUS_ONE);
                        let below = own.plus(&limit(most), Ratio::MINUS_ONE);
                        constraints.extend([above, below].map(|form| Constraint { form, strict: false, mask }));
                    }
                }
                _ => {}
            }
        }
        (equations, constraints)
    }
    /// Between which numbers a choice among numbers lies, whatever its conditions.
    fn bounds(&self, node: usize) -> Option<(Ratio, Ratio)> {
        let mut stack = vec![node];
        let mut found: Option<(Ratio, Ratio)> = None;
        let mut steps = 0;
        while let Some(node) = stack.pop() {
            steps += 1;
            match (self.nodes[node].number, self.nodes[node].shape, self.children(node)) {
                (Some(number), _, _) => {
                    let (least, most) = found.unwrap_or((number, number));
                    let is_less = |left: Ratio, right: Ratio| (right + -left).is_positive();
                    found = Some((
                        if is_less(number, least) { number } else { least },
                        if is_less(most, number) { number } else { most },
                    ));
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
        if let Some(number) = data.number {
            return Some((Form::constant(number), 0));
        }
        let Shape::Op(op, _) = data.shape else { return None };
        let mut form = Form::default();
        let mut used = 0;
        let mut add = |child: usize, factor: Ratio| {
            let (class, mask) = classes.find(child);
            used |= mask;
            form = std::mem::take(&mut form).plus(&Form::variable(class), factor);
        };
        match (op, self.children(node)) {
            (Op::Add, parts) => parts.iter().for_each(|part| add(*part, Ratio::ONE)),
            (Op::Sub, [first, rest @ ..]) => {
                add(*first, Ratio::ONE);
                rest.iter().for_each(|part| add(*part, Ratio::MINUS_ONE));
            }
            (Op::Neg, [part]) => add(*part, Ratio::MINUS_ONE),
            (Op::Mul, [left, right]) => match (self.nodes[*left].number, self.nodes[*right].number) {
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
        let mut form = Form::variable(low).plus(&Form::variable(high), Ratio::MINUS_ONE);
        let whole = self.nodes[less].integer;
        if strict && whole {
            form = form.plus(&Form::constant(Ratio::ONE), Ratio::ONE);
        }
        Constraint { form, strict: strict && !whole, mask: mask | below | above }
    }
}
