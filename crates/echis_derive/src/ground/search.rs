//! Saturation, with case splits when nothing more follows.

use super::classes::Classes;
use super::{Case, FALSE, Ground, Shape, TRUE, truth};
use crate::linear::{Constraint, System};
use crate::mask::{CASES, GOAL, Mask, case};
use echis_term::Op;

/// The knowledge in one case.
#[derive(Clone)]
pub struct State {
    pub classes: Classes,
    /// Pairs of numbers with the first less than the second.
    pub less: Vec<(usize, usize, Mask)>,
    /// The facts in which each term occurs; `None` for terms that do not occur, which match no triggers.
    pub present: Vec<Option<Mask>>,
    /// The negated goal.
    goal: usize,
}

/// A branch of a case split.
#[derive(Clone, Copy)]
enum Branch {
    Value(usize, bool),
    Less(usize, usize),
}

impl Ground<'_> {
    /// Derives a contradiction from the allowed facts, the hypotheses and the negated goal.
    pub(super) fn refute(&mut self, allowed: Mask, case: &Case) -> Option<Mask> {
        let mut state = State {
            classes: Classes::new(self.are_numbers(0)),
            less: Vec::new(),
            present: vec![None; self.nodes.len()],
            goal: case.goal,
        };
        for spoken in case.hypotheses.iter().chain([&case.goal, &TRUE, &FALSE]) {
            self.mark(&mut state, *spoken, 0);
        }
        for (fact, mask) in self.facts.iter().filter(|(_, mask)| mask & allowed == *mask) {
            state.classes.merge(*fact, TRUE, *mask);
            self.mark(&mut state, *fact, *mask);
        }
        for hypothesis in &case.hypotheses {
            state.classes.merge(*hypothesis, TRUE, GOAL);
        }
        state.classes.merge(case.goal, FALSE, GOAL);
        self.search(state, 0, &mut self.limits.branches.clone())
    }
    /// Records that a term occurs, with its subterms.
    pub(super) fn mark(&self, state: &mut State, node: usize, mask: Mask) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if state.present[node].is_none() {
                state.present[node] = Some(mask);
                stack.extend(self.children(node));
            }
        }
    }
    fn are_numbers(&self, from: usize) -> impl Iterator<Item = bool> {
        self.nodes[from..].iter().map(|node| node.number.is_some())
    }
    fn grow(&self, state: &mut State) {
        state.classes.grow(self.are_numbers(state.classes.len()));
        state.present.resize(self.nodes.len(), None);
    }
    fn search(&mut self, mut state: State, depth: usize, branches: &mut usize) -> Option<Mask> {
        if let Some(mask) = self.saturate(&mut state) {
            return Some(mask);
        }
        self.grow(&mut state);
        let (cases, mut used) = self.case_split(&state).filter(|_| depth < self.limits.depth.min(CASES))?;
        let assumed = case(depth);
        for case in cases {
            *branches = branches.checked_sub(1)?;
            let mut state = state.clone();
            match case {
                Branch::Value(node, value) => state.classes.merge(node, truth(value), assumed),
                Branch::Less(less, more) => state.less.push((less, more, assumed)),
            }
            let mask = self.search(state, depth + 1, branches)?;
            if mask & assumed == 0 {
                return Some(mask);
            }
            used |= mask & !assumed;
        }
        Some(used)
    }
    /// Derives everything possible; stops at a contradiction.
    fn saturate(&mut self, state: &mut State) -> Option<Mask> {
        let mut generations = 0;
        for _ in 0..self.limits.rounds {
            self.burn(self.nodes.len())?;
            self.grow(state);
            state.classes.flatten();
            state.classes.changed = false;
            self.apply_laws(state);
            self.apply_instances(state);
            for node in 0..self.nodes.len() {
                if state.present[node].is_some() {
                    self.propagate(&mut state.classes, node);
                }
            }
            self.close_congruence(state);
            if let Some(mask) = self.contradiction(&state.classes) {
                return Some(mask);
            }
            if state.classes.changed {
                continue;
            }
            let (equations, mut constraints) = self.arithmetic(state);
            let less = state.less.iter();
            constraints.extend(less.map(|(less, more, mask)| self.order(&state.classes, *less, *more, true, *mask)));
            self.burn(equations.len() * constraints.len())?;
            let system = match System::new(equations, constraints, self.limits.inequalities) {
                Ok(system) => system,
                Err(mask) => return Some(mask),
            };
            if let Some(mask) = system.contradiction() {
                return Some(mask);
            }
            self.burn(self.limits.deciding * self.limits.decided)?;
            if self.decide(state, &system) {
                continue;
            }
            generations += 1;
            let new = generations <= self.limits.generations && {
                let new = self.instantiate(state)?;
                self.grow(state);
                self.state_laws(state) || new
            };
            if !new {
                return None;
            }
        }
        None
    }
    pub(super) fn burn(&mut self, fuel: usize) -> Option<()> {
        self.fuel = self.fuel.checked_sub(fuel).or_else(|| {
            self.cut = true;
            None
        })?;
        Some(())
    }
    /// Decides comparisons by arithmetic, and orders distinct numbers. Returns whether anything was decided.
    fn decide(&self, state: &mut State, system: &System) -> bool {
        let classes = &mut state.classes;
        let mut left = self.limits.decided;
        let (mut decided, mut less) = (Vec::new(), Vec::new());
        for (node, data) in self.nodes.iter().enumerate() {
            let (Shape::Op(op, _), [low, high]) = (data.shape, self.children(node)) else { continue };
            if !self.nodes[*low].arithmetic || left == 0 || state.present[node].is_none() {
                continue;
            }
            let truth = classes.truth(node);
            let order = |less: usize, more: usize, strict: bool| self.order(classes, less, more, strict, 0);
            let never = |constraint: Constraint| system.contradiction_with(&constraint);
            match (op, truth) {
                (Op::Eq, Some((false, mask))) if !is_ordered(&state.less, *low, *high) => {
                    left -= 1;
                    if let Some(why) = never(order(*high, *low, true)) {
                        less.push((*low, *high, mask | why));
                    } else if let Some(why) = never(order(*low, *high, true)) {
                        less.push((*high, *low, mask | why));
                    }
                }
                (_, Some(_)) => {}
                (Op::Le | Op::Lt, None) => {
                    left -= 1;
                    let strict = op == Op::Lt;
                    if let Some(mask) = never(order(*high, *low, !strict)) {
                        decided.push((node, TRUE, mask));
                    } else if let Some(mask) = never(order(*low, *high, strict)) {
                        decided.push((node, FALSE, mask));
                    }
                }
                (Op::Eq, None) => {
                    left -= 1;
                    let (above, below) = (never(order(*high, *low, false)), never(order(*low, *high, false)));
                    if let Some(mask) = above.or(below) {
                        decided.push((node, FALSE, mask));
                    } else if let (Some(one), Some(other)) =
                        (never(order(*high, *low, true)), never(order(*low, *high, true)))
                    {
                        decided.push((node, TRUE, one | other));
                    }
                }
                _ => {}
            }
        }
        decided.iter().for_each(|(node, value, mask)| classes.merge(*node, *value, *mask));
        let any = !decided.is_empty() || !less.is_empty();
        state.less.extend(less);
        any
    }
    /// Cases of which one holds, and the facts that imply this.
    fn case_split(&self, state: &State) -> Option<(Vec<Branch>, Mask)> {
        let classes = &state.classes;
        let open = |node: &usize| classes.truth(*node).is_none();
        let both = |node: usize| vec![Branch::Value(node, true), Branch::Value(node, false)];
        let apart = |left: usize, right: usize| vec![Branch::Less(left, right), Branch::Less(right, left)];
        if let (Shape::Op(Op::Eq, _), [left, right]) = (self.nodes[state.goal].shape, self.children(state.goal))
            && self.nodes[*left].arithmetic
            && !is_ordered(&state.less, *left, *right)
        {
            return Some((apart(*left, *right), GOAL));
        }
        let mut later = None;
        // Later terms are closer to the goal.
        for (node, data) in self.nodes.iter().enumerate().rev() {
            let Shape::Op(op, _) = data.shape else { continue };
            if state.present[node].is_none() {
                continue;
            }
            let value = classes.truth(node);
            match (op, self.children(node), value) {
                (Op::Ite, [condition, ..], _) if open(condition) => return Some((both(*condition), 0)),
                (Op::Eq, [left, right], Some((false, mask))) if self.nodes[*left].arithmetic => {
                    let differ = self.may_meet(classes, *left, *right) && !is_ordered(&state.less, *left, *right);
                    if differ && later.is_none() {
                        later = Some((apart(*left, *right), mask));
                    }
                }
                (Op::Or, parts, Some((true, mask))) | (Op::And, parts, Some((false, mask))) if later.is_none() => {
                    let left: Vec<usize> = parts.iter().copied().filter(open).collect();
                    let decided = parts.iter().filter_map(|part| classes.truth(*part));
                    let is_open = decided.clone().all(|(value, _)| value == (op == Op::And));
                    if is_open && left.len() == 2 {
                        let why = decided.fold(mask, |all, (_, mask)| all | mask);
                        later = Some((left.iter().map(|part| Branch::Value(*part, op == Op::Or)).collect(), why));
                    }
                }
                (Op::Implies, [left, _], Some((true, _))) if open(left) && later.is_none() => {
                    later = Some((both(*left), 0));
                }
                _ => {}
            }
        }
        later
    }
    /// Whether the order of two distinct numbers is unknown.
    fn may_meet(&self, classes: &Classes, left: usize, right: usize) -> bool {
        let number = |node: usize| self.nodes[classes.find(node).0].number.is_some();
        !(number(left) && number(right))
    }
    fn contradiction(&self, classes: &Classes) -> Option<Mask> {
        if let Some(mask) = classes.same(TRUE, FALSE) {
            return Some(mask);
        }
        let mut classes_of: Vec<(usize, usize, Mask)> = Vec::new();
        for node in &self.numerals {
            let (class, mask) = classes.find(*node);
            match classes_of.iter().find(|(other, ..)| *other == class) {
                Some((_, other, why)) if self.nodes[*other].number != self.nodes[*node].number => {
                    return Some(mask | why);
                }
                Some(_) => {}
                None => classes_of.push((class, *node, mask)),
            }
        }
        None
    }
}

/// Whether the order of two numbers is known.
fn is_ordered(less: &[(usize, usize, Mask)], left: usize, right: usize) -> bool {
    less.iter().any(|(low, high, _)| [(*low, *high), (*high, *low)].contains(&(left, right)))
}
