//! Instances of quantifiers for terms that match their triggers, modulo equality (E-matching).

use super::search::State;
use super::{Ground, Shape, TRUE};
use crate::mask::Mask;
use echis_base::{FastHasher, FastSet};
use echis_term::{Op, Quant, Quantifier, SymbolId, TermId, TermKind};
use std::hash::{Hash, Hasher};

/// An instance of a quantifier.
pub struct Instance {
    quantifier: usize,
    holds: usize,
    bound: Vec<usize>,
    /// The terms that match the trigger, and the equalities needed for it: without them the instance would not be
    /// found.
    matched: Vec<usize>,
    joined: Vec<(usize, usize)>,
}

/// The terms that occur, by equivalence class.
pub struct Index<'c> {
    pub state: &'c State,
    /// The first term of each class, and the next one after each term.
    first: Vec<Option<usize>>,
    next: Vec<Option<usize>>,
}

impl<'c> Index<'c> {
    pub fn new(state: &'c State) -> Self {
        let count = state.present.len();
        let (mut first, mut next) = (vec![None; count], vec![None; count]);
        for node in (0..count).rev().filter(|node| state.present[*node].is_some()) {
            let class = state.classes.find(node).0;
            next[node] = first[class].replace(node);
        }
        Index { state, first, next }
    }
    pub fn equal_to(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.first[self.state.classes.find(node).0], |node| self.next[*node])
    }
}

/// A trigger compiled to steps, one for each part of its patterns. Children of matched terms go into registers.
pub struct Trigger {
    steps: Vec<Step>,
    registers: usize,
}

impl Trigger {
    pub fn finds(&self, wanted: Op) -> bool {
        let finds = |step: &Step| matches!(step, Step::Find { shape: Shape::Op(op, _), .. } if *op == wanted);
        self.steps.iter().any(finds)
    }
}

enum Step {
    /// Matches a term of that shape, optionally equal to a register; its children go to the registers starting there.
    Find { shape: Shape, like: Option<usize>, children: usize, count: usize },
    /// Binds the variable to the register.
    Bind { variable: usize, register: usize },
}

/// The matches of one trigger, and the current one.
struct Matching<'m> {
    index: &'m Index<'m>,
    trigger: &'m Trigger,
    registers: Vec<usize>,
    bound: Vec<Option<usize>>,
    matched: Vec<usize>,
    joined: Vec<(usize, usize)>,
    /// Candidates still to be tried.
    candidates: Vec<usize>,
    steps: usize,
    complete: Vec<Match>,
}

struct Match {
    bound: Vec<usize>,
    matched: Vec<usize>,
    joined: Vec<(usize, usize)>,
}

impl Ground<'_> {
    pub(super) fn apply_instances(&self, state: &mut State) {
        for instance in &self.instances {
            if let Some(mask) = instance.reason(state) {
                state.classes.merge(instance.holds, TRUE, mask);
                self.mark(state, instance.holds, mask);
            }
        }
    }
    /// Instantiates quantifiers that hold. Returns whether there are new instances, or `None` if it takes too long.
    pub(super) fn instantiate(&mut self, state: &State) -> Option<bool> {
        let (terms, classes) = (self.terms, &state.classes);
        let claims = self.nodes.iter().enumerate().filter_map(|(node, data)| match data.shape {
            Shape::Opaque(term) => match terms.kind(term) {
                TermKind::Quant(quant) if quant.quantifier == Quantifier::Forall => Some((node, &**quant)),
                _ => None,
            },
            _ => None,
        });
        let hold = claims.filter(|(node, _)| classes.truth(*node).is_some_and(|(value, _)| value));
        let hold: Vec<(usize, &Quant)> = hold.collect();
        if hold.is_empty() {
            return Some(false);
        }
        for (node, quant) in &hold {
            if !self.triggers.contains_key(node) {
                let triggers = quant.triggers.iter().map(|trigger| self.trigger(trigger, &quant.vars)).collect();
                self.triggers.insert(*node, triggers);
            }
        }
        let index = Index::new(state);
        let mut found: Vec<(usize, &Quant, Match)> = Vec::new();
        let mut steps = 0;
        for (node, quant) in hold {
            for trigger in self.triggers[&node].iter().flatten() {
                let (matches, taken) = self.matches(&index, trigger, quant.vars.len());
                found.extend(matches.into_iter().map(|found| (node, quant, found)));
                steps += taken;
            }
        }
        self.burn(steps)?;
        // Instances with the same hash count as equal; a collision may lose a proof, very rarely.
        let key = |quantifier: usize, bound: &[usize]| {
            let mut hasher = FastHasher::default();
            quantifier.hash(&mut hasher);
            bound.iter().for_each(|node| classes.find(*node).0.hash(&mut hasher));
            hasher.finish()
        };
        let hold = self.instances.iter().filter(|instance| instance.reason(state).is_some());
        let mut known: FastSet<u64> = hold.map(|instance| key(instance.quantifier, &instance.bound)).collect();
        let before = self.instances.len();
        for (quantifier, quant, Match { bound, matched, joined }) in found {
            if self.instances.len() >= self.limits.instances || known.contains(&key(quantifier, &bound)) {
                continue;
            }
            if let Some(holds) = self.instance(quant.body, &quant.vars, &bound) {
                known.insert(key(quantifier, &bound));
                self.instances.push(Instance { quantifier, holds, bound, matched, joined });
            }
        }
        Some(self.instances.len() > before)
    }
    /// Compiles patterns to steps; `None` if some pattern matches everything.
    fn trigger(&self, patterns: &[TermId], variables: &[SymbolId]) -> Option<Trigger> {
        let mut pending: Vec<(TermId, Option<usize>)> = patterns.iter().map(|pattern| (*pattern, None)).collect();
        let (mut steps, mut registers) = (Vec::new(), 0);
        while let Some((pattern, register)) = pending.pop() {
            let (shape, parts) = self.shape(pattern);
            let variable = match shape {
                Shape::Symbol(symbol) => variables.iter().position(|variable| *variable == symbol),
                _ => None,
            };
            if let Some(variable) = variable {
                steps.push(Step::Bind { variable, register: register? });
                continue;
            }
            steps.push(Step::Find { shape, like: register, children: registers, count: parts.len() });
            pending.extend(parts.iter().enumerate().map(|(part, term)| (*term, Some(registers + part))));
            registers += parts.len();
            if steps.len() + pending.len() > self.limits.pattern {
                return None;
            }
        }
        Some(Trigger { steps, registers })
    }
    /// The bindings for which all patterns match, and the number of steps needed.
    fn matches(&self, index: &Index, trigger: &Trigger, variables: usize) -> (Vec<Match>, usize) {
        let is_there = |step: &Step| match step {
            Step::Find { shape, .. } => self.last.contains_key(shape),
            Step::Bind { .. } => true,
        };
        if !trigger.steps.iter().all(is_there) {
            return (Vec::new(), 1);
        }
        let mut matching = Matching {
            index,
            trigger,
            registers: vec![0; trigger.registers],
            bound: vec![None; variables],
            matched: Vec::new(),
            joined: Vec::new(),
            candidates: Vec::new(),
            steps: 0,
            complete: Vec::new(),
        };
        self.match_from(&mut matching, 0);
        (matching.complete, matching.steps)
    }
    /// Tries all ways to continue from a step, within limits.
    fn match_from(&self, matching: &mut Matching, at: usize) {
        matching.steps += 1;
        if matching.complete.len() >= self.limits.matches || matching.steps > self.limits.match_steps {
            return;
        }
        match matching.trigger.steps.get(at) {
            None => {
                if let Some(bound) = matching.bound.iter().copied().collect() {
                    let (matched, joined) = (matching.matched.clone(), matching.joined.clone());
                    matching.complete.push(Match { bound, matched, joined });
                }
            }
            Some(Step::Bind { variable, register }) => {
                let target = matching.registers[*register];
                match matching.bound[*variable] {
                    Some(bound) if matching.index.state.classes.same(bound, target).is_none() => {}
                    Some(bound) => {
                        matching.joined.push((bound, target));
                        self.match_from(matching, at + 1);
                        matching.joined.pop();
                    }
                    None => {
                        matching.bound[*variable] = Some(target);
                        self.match_from(matching, at + 1);
                        matching.bound[*variable] = None;
                    }
                }
            }
            Some(Step::Find { shape, like, children, count }) => {
                let target = like.map(|register| matching.registers[register]);
                let (index, from) = (matching.index, matching.candidates.len());
                let fits = |node: &usize| self.nodes[*node].shape == *shape && self.children(*node).len() == *count;
                match target {
                    Some(target) => matching.candidates.extend(index.equal_to(target).filter(fits)),
                    None => {
                        let present = |node: &usize| index.state.present[*node].is_some() && fits(node);
                        matching.candidates.extend(self.like(*shape).filter(present));
                    }
                }
                while matching.candidates.len() > from
                    && let Some(candidate) = matching.candidates.pop()
                {
                    match target {
                        Some(target) => matching.joined.push((candidate, target)),
                        None => matching.matched.push(candidate),
                    }
                    matching.registers[*children..*children + *count].copy_from_slice(self.children(candidate));
                    self.match_from(matching, at + 1);
                    match target {
                        Some(_) => drop(matching.joined.pop()),
                        None => drop(matching.matched.pop()),
                    }
                }
            }
        }
    }
}

impl Instance {
    /// The facts used for the instance, if it holds and its trigger matches.
    fn reason(&self, state: &State) -> Option<Mask> {
        let (true, mut mask) = state.classes.truth(self.quantifier)? else { return None };
        for node in &self.matched {
            mask |= state.present[*node]?;
        }
        for (left, right) in &self.joined {
            mask |= state.classes.same(*left, *right)?;
        }
        Some(mask)
    }
}
