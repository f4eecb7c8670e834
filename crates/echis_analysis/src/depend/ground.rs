//! Proofs that need no solver: equal terms, truth values, and linear arithmetic, without quantifiers and without case
//! distinctions. Many obligations are like that, and are explained here in a fraction of the time that a solver takes to
//! be told the question.
//!
//! Everything that is derived carries the set of groups that it was derived from. What comes out is sound but need not
//! be small, so groups are left out one by one.

mod classes;
mod numbers;
#[cfg(test)]
mod tests;
mod values;

use crate::depend::linear::refute;
use crate::depend::question::Question;
use crate::depend::shrink::Preference;
use classes::Classes;
use echis_term::{Op, Quantifier, Rational, Sort, SortId, TermId, TermKind, Terms};
use std::collections::HashMap;

/// A set of groups, and whether the goal belongs to it.
pub type Mask = u128;
const GOAL: Mask = 1 << 127;
const MOST_GROUPS: usize = 120;
/// Larger questions are left to the solver.
const MOST_TERMS: usize = 500;
const MOST_ROUNDS: usize = 8;
const MOST_CASES: usize = 20;

/// Groups that prove the goal, none of which can be left out here.
pub fn prove(terms: &Terms, question: &Question) -> Option<Vec<usize>> {
    if question.groups.len() > MOST_GROUPS {
        return None;
    }
    // What closes a path proves that it is closed, and nothing else.
    let closed = terms.is_false(question.goal);
    let usable = (0..question.groups.len()).filter(|group| closed || !question.groups[*group].dead);
    let usable: Vec<usize> = usable.collect();
    let light = usable.iter().copied().filter(|group| !question.is_heavy(*group));
    let mut ground = Ground::new(terms);
    for fact in &question.always {
        ground.state(*fact, 0)?;
    }
    for group in &usable {
        for fact in &question.groups[*group].facts {
            ground.state(*fact, 1 << group)?;
        }
    }
    let cases = ground.split(question.goal)?;
    let prove = |allowed: Mask| {
        let mut used = 0;
        for Case { hypotheses, goal } in &cases {
            let contradiction = ground.refute(allowed, hypotheses, *goal)?;
            // Without the goal, the facts contradict each other: that is for the solver to tell.
            used |= (closed || contradiction & GOAL != 0).then_some(contradiction & !GOAL)?;
        }
        Some(used)
    };
    let mask = |groups: &mut dyn Iterator<Item = usize>| groups.fold(0, |mask, group| mask | 1 << group);
    let mut used = prove(mask(&mut light.into_iter())).or_else(|| prove(mask(&mut usable.into_iter())))?;
    for group in question.order(&groups_of(used)) {
        if used & 1 << group != 0
            && let Some(smaller) = prove(used & !(1 << group))
        {
            used = smaller;
        }
    }
    Some(groups_of(used))
}

fn groups_of(mask: Mask) -> Vec<usize> {
    (0..MOST_GROUPS).filter(|group| mask & 1 << group != 0).collect()
}

/// The terms of a question, numbered. The first two stand for the truth values.
struct Ground<'a> {
    terms: &'a Terms,
    numbers: HashMap<TermId, usize>,
    nodes: Vec<Node>,
    facts: Vec<(usize, Mask)>,
}

/// One of several goals, under what it may assume.
struct Case {
    hypotheses: Vec<usize>,
    goal: usize,
}

struct Node {
    shape: Shape,
    children: Vec<usize>,
    /// Of terms of arithmetic sorts.
    number: Option<Rational>,
    arithmetic: bool,
    integer: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Shape {
    /// A quantifier, a literal.
    Opaque(TermId),
    Symbol(echis_term::SymbolId),
    Op(Op, SortId),
}

const TRUE: usize = 0;
const FALSE: usize = 1;

impl<'a> Ground<'a> {
    fn new(terms: &'a Terms) -> Self {
        let truth = |term: TermId| Node {
            shape: Shape::Opaque(term),
            children: Vec::new(),
            number: None,
            arithmetic: false,
            integer: false,
        };
        let mut ground = Ground { terms, numbers: HashMap::new(), nodes: Vec::new(), facts: Vec::new() };
        for term in [true, false].map(|value| terms.literal(value)) {
            ground.numbers.insert(term, ground.nodes.len());
            ground.nodes.push(truth(term));
        }
        ground
    }
    fn state(&mut self, fact: TermId, mask: Mask) -> Option<()> {
        if matches!(self.terms.kind(fact), TermKind::Quant(_)) {
            return Some(());
        }
        let node = self.add(fact)?;
        self.facts.push((node, mask));
        Some(())
    }
    /// Numbers a term and all its parts, outside quantifiers.
    fn add(&mut self, term: TermId) -> Option<usize> {
        let mut stack = vec![(term, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.numbers.contains_key(&term) {
                continue;
            }
            let (shape, parts): (Shape, &[TermId]) = match self.terms.kind(term) {
                TermKind::App(symbol, args) => (Shape::Symbol(*symbol), args),
                TermKind::Op(op, args) => (Shape::Op(*op, self.terms.sort_of(term)), args),
                _ => (Shape::Opaque(term), &[]),
            };
            if !ready && !parts.is_empty() {
                stack.push((term, true));
                stack.extend(parts.iter().map(|part| (*part, false)));
                continue;
            }
            if self.nodes.len() >= MOST_TERMS {
                return None;
            }
            let children = parts.iter().map(|part| self.numbers.get(part).copied()).collect::<Option<Vec<_>>>()?;
            let number = match self.terms.kind(term) {
                TermKind::Int(value) => Some(Rational::from(value.clone())),
                TermKind::Perm(value) => Some(value.clone()),
                _ => None,
            };
            let sort = self.terms.sort_data(self.terms.sort_of(term));
            let (arithmetic, integer) = (matches!(sort, Sort::Int | Sort::Perm), *sort == Sort::Int);
            self.numbers.insert(term, self.nodes.len());
            self.nodes.push(Node { shape, children, number, arithmetic, integer });
        }
        self.numbers.get(&term).copied()
    }
    /// The goal as goals without conjunctions, each under its own hypotheses. What is claimed of all values is shown for
    /// unknown ones: bound variables have symbols of their own, of which no fact may speak.
    fn split(&mut self, goal: TermId) -> Option<Vec<Case>> {
        let stated = self.nodes.len();
        let mut cases = Vec::new();
        let mut pending = vec![(goal, Vec::new())];
        while let Some((goal, mut hypotheses)) = pending.pop() {
            if cases.len() + pending.len() > MOST_CASES || hypotheses.len() > MOST_CASES {
                return None;
            }
            match self.terms.kind(goal) {
                TermKind::Op(Op::And, parts) => pending.extend(parts.iter().map(|part| (*part, hypotheses.clone()))),
                TermKind::Op(Op::Implies, parts) => {
                    hypotheses.push(self.add(parts[0])?);
                    pending.push((parts[1], hypotheses));
                }
                TermKind::Quant(quant) if quant.quantifier == Quantifier::Forall => {
                    let speaks =
                        |node: &Node| matches!(node.shape, Shape::Symbol(symbol) if quant.vars.contains(&symbol));
                    if self.nodes[..stated].iter().any(speaks) {
                        return None;
                    }
                    pending.push((quant.body, hypotheses));
                }
                TermKind::Quant(_) => return None,
                _ => cases.push(Case { hypotheses, goal: self.add(goal)? }),
            }
        }
        Some(cases)
    }
    /// A contradiction among the facts that are allowed, the hypotheses, and the goal's negation.
    fn refute(&self, allowed: Mask, hypotheses: &[usize], goal: usize) -> Option<Mask> {
        let mut classes = Classes::new(self.nodes.len());
        for (fact, mask) in &self.facts {
            if mask & allowed == *mask {
                classes.merge(*fact, TRUE, *mask);
            }
        }
        for hypothesis in hypotheses {
            classes.merge(*hypothesis, TRUE, GOAL);
        }
        classes.merge(goal, FALSE, GOAL);
        for _ in 0..MOST_ROUNDS {
            classes.changed = false;
            (0..self.nodes.len()).for_each(|node| self.propagate(&mut classes, node));
            self.close(&mut classes);
            if let Some(mask) = self.contradiction(&classes) {
                return Some(mask);
            }
            if !classes.changed {
                break;
            }
        }
        let (equations, constraints) = self.arithmetic(&classes);
        if let Some(mask) = refute(equations.clone(), constraints.clone()) {
            return Some(mask);
        }
        // Numbers that differ are smaller or greater.
        let Shape::Op(Op::Eq, _) = self.nodes[goal].shape else { return None };
        let [left, right] = self.nodes[goal].children[..] else { return None };
        if !self.nodes[left].arithmetic {
            return None;
        }
        let mut used = 0;
        for (less, more) in [(left, right), (right, left)] {
            let mut constraints = constraints.clone();
            constraints.push(self.order(&classes, less, more, true, GOAL));
            used |= refute(equations.clone(), constraints)?;
        }
        Some(used)
    }
    fn contradiction(&self, classes: &Classes) -> Option<Mask> {
        if let Some(mask) = classes.same(TRUE, FALSE) {
            return Some(mask);
        }
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        for (node, data) in self.nodes.iter().enumerate().filter(|(_, data)| data.number.is_some()) {
            let (class, mask) = classes.find(node);
            match numbers.get(&class) {
                Some(other) if self.nodes[*other].number != data.number => return Some(mask | classes.find(*other).1),
                Some(_) => {}
                None => drop(numbers.insert(class, node)),
            }
        }
        None
    }
}

fn truth(value: bool) -> usize {
    if value { TRUE } else { FALSE }
}
