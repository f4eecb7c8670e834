//! Linear arithmetic: equations are solved for their variables, inequalities combined until one is false.

use crate::depend::ground::Mask;
use echis_term::Rational;

/// A sum of multiples of variables, in their order, and a number.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Form {
    terms: Vec<(usize, Rational)>,
    constant: Rational,
}

/// The form is at most zero, or less than zero.
#[derive(Clone, Debug)]
pub struct Constraint {
    pub form: Form,
    pub strict: bool,
    pub mask: Mask,
}

/// Beyond this many inequalities the search ends.
const MOST: usize = 150;

impl Form {
    pub fn constant(constant: Rational) -> Self {
        Form { terms: Vec::new(), constant }
    }
    pub fn variable(variable: usize) -> Self {
        Form { terms: vec![(variable, Rational::ONE)], constant: Rational::ZERO }
    }
    /// The sum with so many times another.
    pub fn plus(&self, other: &Form, factor: &Rational) -> Self {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some((a, count)), Some((b, more))) if a == b => {
                    let sum = count + more * factor;
                    if sum != Rational::ZERO {
                        terms.push((*a, sum));
                    }
                    left.next();
                    right.next();
                }
                (Some((a, count)), other) if other.is_none_or(|(b, _)| a < b) => {
                    terms.push((*a, count.clone()));
                    left.next();
                }
                (_, Some((b, more))) => {
                    terms.push((*b, more * factor));
                    right.next();
                }
                _ => break,
            }
        }
        Form { terms, constant: &self.constant + &other.constant * factor }
    }
    fn count(&self, variable: usize) -> Option<&Rational> {
        self.terms.iter().find(|(other, _)| *other == variable).map(|(_, count)| count)
    }
    /// Without the variable, by a form that is zero.
    fn without(&self, variable: usize, zero: &Form) -> Option<Form> {
        let factor = self.count(variable)? / zero.count(variable)?;
        Some(self.plus(zero, &-factor))
    }
}

impl Constraint {
    fn is_false(&self) -> bool {
        self.form.terms.is_empty()
            && (self.form.constant > Rational::ZERO || self.strict && self.form.constant == Rational::ZERO)
    }
}

/// What a contradiction rests on, if there is one among forms that are zero and constraints.
pub fn refute(mut equations: Vec<(Form, Mask)>, mut constraints: Vec<Constraint>) -> Option<Mask> {
    while let Some((equation, mask)) = equations.pop() {
        let Some((variable, _)) = equation.terms.first().cloned() else {
            if equation.constant != Rational::ZERO {
                return Some(mask);
            }
            continue;
        };
        for (other, used) in &mut equations {
            if let Some(without) = other.without(variable, &equation) {
                *other = without;
                *used |= mask;
            }
        }
        for constraint in &mut constraints {
            if let Some(without) = constraint.form.without(variable, &equation) {
                constraint.form = without;
                constraint.mask |= mask;
            }
        }
    }
    loop {
        if let Some(found) = constraints.iter().find(|constraint| constraint.is_false()) {
            return Some(found.mask);
        }
        constraints.retain(|constraint| !constraint.form.terms.is_empty());
        let variable = cheapest(&constraints)?;
        let (with, mut rest): (Vec<Constraint>, Vec<Constraint>) =
            constraints.into_iter().partition(|constraint| constraint.form.count(variable).is_some());
        let is_above =
            |constraint: &&Constraint| constraint.form.count(variable).is_some_and(|count| *count > Rational::ZERO);
        for above in with.iter().filter(is_above) {
            for below in with.iter().filter(|constraint| !is_above(constraint)) {
                let form = above.form.without(variable, &below.form)?;
                rest.push(Constraint { form, strict: above.strict || below.strict, mask: above.mask | below.mask });
            }
        }
        if rest.len() > MOST {
            return None;
        }
        constraints = rest;
    }
}

/// The variable whose elimination makes the fewest constraints.
fn cheapest(constraints: &[Constraint]) -> Option<usize> {
    let mut counts: std::collections::BTreeMap<usize, (usize, usize)> = Default::default();
    for (variable, count) in constraints.iter().flat_map(|constraint| &constraint.form.terms) {
        let entry = counts.entry(*variable).or_default();
        if *count > Rational::ZERO { entry.0 += 1 } else { entry.1 += 1 }
    }
    counts.into_iter().min_by_key(|(_, (above, below))| above * below).map(|(variable, _)| variable)
}
