//! Arithmetic facts of terms. The variables are classes of equal terms.

use super::Ground;
use super::classes::Classes;
use super::nodes::Shape;
use super::search::State;
use crate::linear::{Constraint, LinearForm};
use crate::mask::Mask;
use crate::ratio::Ratio;
use echis_term::Op;

impl Ground<'_> {
    pub(super) fn arithmetic(&self, state: &State) -> (Vec<(LinearForm, Mask)>, Vec<Constraint>) {
        let classes = &state.classes;
        let (mut equations, mut constraints) = (Vec::new(), Vec::new());
        for (node, data) in self.nodes.iter().enumerate().filter(|(node, _)| state.present[*node].is_some()) {
            if data.arithmetic
                && let Some((form, mask)) = self.definition(classes, node)
            {
                let (class, own) = classes.find(node);
                equations.push((form.plus(&LinearForm::variable(class), &Ratio::MINUS_ONE), mask | own));
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
                    let form = LinearForm::default().plus(&LinearForm::variable(class), &Ratio::MINUS_ONE);
                    constraints.push(Constraint { form, strict: false, mask });
                }
                (Shape::Op(Op::Div, _), [whole, by]) => {
                    let by = self.nodes[*by].number.as_ref().filter(|by| by.is_positive());
                    constraints.extend(by.map(|by| self.quotient(classes, node, *whole, by)).into_iter().flatten());
                }
                (Shape::Op(Op::Mod, _), [_, by]) => {
                    let by = self.nodes[*by].number.as_ref().filter(|by| by.is_positive());
                    let most = by.map(|by| by.plus(&Ratio::MINUS_ONE));
                    constraints
                        .extend(most.map(|most| between(classes.find(node), Ratio::ZERO, most)).into_iter().flatten());
                }
                (Shape::Op(Op::Ite, _), _) if data.arithmetic => {
                    if let Some((least, most)) = self.bounds(node) {
                        constraints.extend(between(classes.find(node), least, most));
                    }
                }
                _ => {}
            }
        }
        (equations, constraints)
    }
    /// The number is the quotient times the divisor, plus a remainder smaller than the divisor.
    fn quotient(&self, classes: &Classes, node: usize, whole: usize, by: &Ratio) -> [Constraint; 2] {
        let ((class, own), (all, mask)) = (classes.find(node), classes.find(whole));
        let rest = LinearForm::variable(all).plus(&LinearForm::variable(class), &by.negated());
        let most = rest
            .plus(&LinearForm::constant(Ratio::ONE), &Ratio::ONE)
            .plus(&LinearForm::constant(by.clone()), &Ratio::MINUS_ONE);
        let least = LinearForm::default().plus(&rest, &Ratio::MINUS_ONE);
        [least, most].map(|form| Constraint { form, strict: false, mask: own | mask })
    }
    /// The bounds of a conditional number, whatever its conditions.
    fn bounds(&self, node: usize) -> Option<(Ratio, Ratio)> {
        let mut stack = vec![node];
        let mut found: Option<(Ratio, Ratio)> = None;
        let mut steps = 0;
        while let Some(node) = stack.pop() {
            steps += 1;
            match (&self.nodes[node].number, self.nodes[node].shape, self.children(node)) {
                (Some(number), _, _) => {
                    let (least, most) = found.unwrap_or((number.clone(), number.clone()));
                    found = Some((
                        if number.is_less(&least) { number.clone() } else { least },
                        if most.is_less(number) { number.clone() } else { most },
                    ));
                }
                (None, Shape::Op(Op::Ite, _), [_, yes, no]) if steps < self.limits.choices => stack.extend([*yes, *no]),
                _ => return None,
            }
        }
        found
    }
    /// The definition of a sum, difference, multiple or number, in terms of classes.
    fn definition(&self, classes: &Classes, node: usize) -> Option<(LinearForm, Mask)> {
        let data = &self.nodes[node];
        if let Some(number) = &data.number {
            return Some((LinearForm::constant(number.clone()), 0));
        }
        let Shape::Op(op, _) = data.shape else { return None };
        let mut form = LinearForm::default();
        let mut used = 0;
        let mut add = |child: usize, factor: Ratio| {
            let (class, mask) = classes.find(child);
            used |= mask;
            form = std::mem::take(&mut form).plus(&LinearForm::variable(class), &factor);
        };
        match (op, self.children(node)) {
            (Op::Add, parts) => parts.iter().for_each(|part| add(*part, Ratio::ONE)),
            (Op::Sub, [first, rest @ ..]) => {
                add(*first, Ratio::ONE);
                rest.iter().for_each(|part| add(*part, Ratio::MINUS_ONE));
            }
            (Op::Neg, [part]) => add(*part, Ratio::MINUS_ONE),
            (Op::Mul, [left, right]) => {
                let (other, (factor, why)) = match (self.value(classes, *left), self.value(classes, *right)) {
                    (Some(factor), _) => (*right, factor),
                    (_, Some(factor)) => (*left, factor),
                    _ => return None,
                };
                add(other, factor);
                used |= why;
            }
            (Op::PermDiv, [part, by]) => {
                add(*part, Ratio::ONE.over(self.nodes[*by].number.as_ref()?)?);
            }
            _ => return None,
        }
        Some((form, used))
    }
    /// The known value of a term.
    fn value(&self, classes: &Classes, node: usize) -> Option<(Ratio, Mask)> {
        if let Some(number) = &self.nodes[node].number {
            return Some((number.clone(), 0));
        }
        self.numerals.iter().find_map(|numeral| {
            let known = classes.same(node, *numeral)?;
            Some((self.nodes[*numeral].number.clone()?, known))
        })
    }
    /// One number is less than another, or at most equal.
    pub(super) fn order(&self, classes: &Classes, less: usize, more: usize, strict: bool, mask: Mask) -> Constraint {
        let ((low, below), (high, above)) = (classes.find(less), classes.find(more));
        let mut form = LinearForm::variable(low).plus(&LinearForm::variable(high), &Ratio::MINUS_ONE);
        let whole = self.nodes[less].integer;
        if strict && whole {
            form = form.plus(&LinearForm::constant(Ratio::ONE), &Ratio::ONE);
        }
        Constraint { form, strict: strict && !whole, mask: mask | below | above }
    }
}

/// A class of terms lies between two numbers.
fn between((class, mask): (usize, Mask), least: Ratio, most: Ratio) -> [Constraint; 2] {
    let own = LinearForm::variable(class);
    let above = LinearForm::constant(least).plus(&own, &Ratio::MINUS_ONE);
    let below = own.plus(&LinearForm::constant(most), &Ratio::MINUS_ONE);
    [above, below].map(|form| Constraint { form, strict: false, mask })
}
