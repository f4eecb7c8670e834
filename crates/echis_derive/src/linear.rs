//! Linear arithmetic: equations are solved for their variables (Gauss), inequalities are combined until one is false
//! (Fourier–Motzkin).

use crate::mask::Mask;
use crate::ratio::Ratio;
use echis_base::{FastMap, FastSet};

/// A sum of multiples of variables, in variable order, and a constant.
#[derive(Clone, Default, Debug)]
pub struct LinearForm {
    terms: Vec<(usize, Ratio)>,
    constant: Ratio,
}

/// The form is at most zero, or less than zero.
#[derive(Clone, Debug)]
pub struct Constraint {
    pub form: LinearForm,
    pub strict: bool,
    pub mask: Mask,
}

impl LinearForm {
    pub fn constant(constant: Ratio) -> Self {
        LinearForm { terms: Vec::new(), constant }
    }
    pub fn variable(variable: usize) -> Self {
        LinearForm { terms: vec![(variable, Ratio::ONE)], constant: Ratio::ZERO }
    }
    /// Adds a multiple of another form.
    pub fn plus(&self, other: &LinearForm, factor: &Ratio) -> Self {
        if factor.is_zero() {
            return self.clone();
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some((a, count)), Some((b, more))) if a == b => {
                    let sum = count.plus(&more.times(factor));
                    if !sum.is_zero() {
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
                    terms.push((*b, more.times(factor)));
                    right.next();
                }
                _ => break,
            }
        }
        LinearForm { terms, constant: self.constant.plus(&other.constant.times(factor)) }
    }
    fn count(&self, variable: usize) -> Option<&Ratio> {
        self.terms.iter().find(|(other, _)| *other == variable).map(|(_, count)| count)
    }
    fn is_handy(&self) -> bool {
        self.constant.is_handy() && self.terms.iter().all(|(_, count)| count.is_handy())
    }
    /// Eliminates the variable, using a form that equals zero.
    fn without(&self, variable: usize, zero: &LinearForm) -> Option<LinearForm> {
        let factor = self.count(variable)?.over(zero.count(variable)?)?;
        Some(self.plus(zero, &factor.negated()))
    }
}

impl Constraint {
    fn variables(&self) -> impl Iterator<Item = usize> {
        self.form.terms.iter().map(|(variable, _)| *variable)
    }
    fn is_false(&self) -> bool {
        self.form.terms.is_empty() && (self.form.constant.is_positive() || self.strict && self.form.constant.is_zero())
    }
}

/// Equations solved for variables, and constraints on the others.
pub struct System {
    solved: Vec<(usize, LinearForm, Mask)>,
    constraints: Vec<Constraint>,
    signs: Signs,
    /// Maximum number of inequalities left by an elimination.
    most: usize,
}

/// The number of constraints in which a variable has a positive, and a negative coefficient.
type Signs = FastMap<usize, (usize, usize)>;

fn signs_of(constraints: &[Constraint]) -> Signs {
    let mut signs = Signs::default();
    for (variable, count) in constraints.iter().flat_map(|constraint| &constraint.form.terms) {
        let entry = signs.entry(*variable).or_default();
        if count.is_positive() { entry.0 += 1 } else { entry.1 += 1 }
    }
    signs
}

impl System {
    /// Builds a system from forms that equal zero, and constraints. If the equations are contradictory, returns the
    /// facts used.
    pub fn new(
        mut equations: Vec<(LinearForm, Mask)>,
        constraints: Vec<Constraint>,
        most: usize,
    ) -> Result<Self, Mask> {
        let mut solved = Vec::new();
        while let Some((equation, mask)) = equations.pop() {
            if !equation.is_handy() {
                continue;
            }
            let Some(variable) = equation.terms.first().map(|(variable, _)| *variable) else {
                if !equation.constant.is_zero() {
                    return Err(mask);
                }
                continue;
            };
            for (other, used) in &mut equations {
                if let Some(without) = other.without(variable, &equation) {
                    *other = without;
                    *used |= mask;
                }
            }
            solved.push((variable, equation, mask));
        }
        let mut system = System { solved, constraints: Vec::new(), signs: Signs::default(), most };
        system.constraints = constraints.iter().map(|constraint| system.reduce(constraint)).collect();
        system.signs = signs_of(&system.constraints);
        Ok(system)
    }
    fn reduce(&self, constraint: &Constraint) -> Constraint {
        let mut reduced = constraint.clone();
        for (variable, equation, mask) in &self.solved {
            if let Some(without) = reduced.form.without(*variable, equation) {
                reduced.form = without;
                reduced.mask |= mask;
            }
        }
        reduced
    }
    /// The facts used by a contradiction, if there is one.
    pub fn contradiction(&self) -> Option<Mask> {
        refute(self.constraints.clone(), self.most)
    }
    /// The facts used by a contradiction with an additional constraint, given that there is none without it.
    pub fn contradiction_with(&self, more: &Constraint) -> Option<Mask> {
        let more = self.reduce(more);
        // All of its variables must be eliminated, each using a constraint with the opposite sign.
        let can_go = |(variable, count): &(usize, Ratio)| {
            let (above, below) = self.signs.get(variable).copied().unwrap_or_default();
            if count.is_positive() { below > 0 } else { above > 0 }
        };
        if !more.form.terms.iter().all(can_go) {
            return None;
        }
        let mut touched: FastSet<usize> = more.variables().collect();
        let mut near = vec![more];
        let mut far: Vec<&Constraint> = self.constraints.iter().collect();
        let mut reached = 0;
        while reached < near.len() {
            reached = near.len();
            far.retain(|constraint| {
                let touches = constraint.variables().any(|variable| touched.contains(&variable));
                if touches {
                    touched.extend(constraint.variables());
                    near.push((*constraint).clone());
                }
                !touches
            });
        }
        refute(near, self.most)
    }
}

/// The search ends when there are more inequalities than this.
fn refute(mut constraints: Vec<Constraint>, most: usize) -> Option<Mask> {
    loop {
        if let Some(found) = constraints.iter().find(|constraint| constraint.is_false()) {
            return Some(found.mask);
        }
        constraints.retain(|constraint| !constraint.form.terms.is_empty() && constraint.form.is_handy());
        let signs = signs_of(&constraints);
        let is_bounded = |variable: usize| signs.get(&variable).is_some_and(|(above, below)| above * below > 0);
        // A variable bounded on one side only can be chosen to satisfy its constraints.
        let before = constraints.len();
        constraints.retain(|constraint| constraint.variables().all(is_bounded));
        if constraints.len() < before {
            continue;
        }
        // Eliminates the variable that creates the fewest constraints.
        let costs = signs.into_iter().map(|(variable, (above, below))| (above * below, variable));
        let (_, variable) = costs.min()?;
        let (with, mut rest): (Vec<Constraint>, Vec<Constraint>) =
            constraints.into_iter().partition(|constraint| constraint.form.count(variable).is_some());
        let is_above = |constraint: &&Constraint| constraint.form.count(variable).is_some_and(Ratio::is_positive);
        for above in with.iter().filter(is_above) {
            for below in with.iter().filter(|constraint| !is_above(constraint)) {
                let form = above.form.without(variable, &below.form)?;
                rest.push(Constraint { form, strict: above.strict || below.strict, mask: above.mask | below.mask });
            }
        }
        if rest.len() > most {
            return None;
        }
        constraints = rest;
    }
}
