//! What quantifiers claim of terms that match their triggers.

use super::search::State;
use super::{Ground, Mask, Shape, TRUE};
use echis_base::FastMap;
use echis_term::{Quant, Quantifier, SymbolId, TermId, TermKind};

/// In one question, and ways to match one trigger at once.
const MOST_INSTANCES: usize = 80;
const MOST_MATCHES: usize = 40;

/// What a quantifier says of some terms.
pub struct Instance {
    quantifier: usize,
    holds: usize,
    bound: Vec<usize>,
    /// The terms that match the trigger, and what has to be equal for that: without them nobody would think of it.
    matched: Vec<usize>,
    joined: Vec<(usize, usize)>,
}

/// Terms that are spoken of, by what they are equal to.
pub struct Index<'c> {
    pub state: &'c State,
    /// The first of a class, and after each term the next one of its class.
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

/// A match under way: what is still to be matched, and what variables stand for.
#[derive(Clone)]
struct Match {
    pending: Vec<(TermId, Option<usize>)>,
    bound: Vec<Option<usize>>,
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
    /// Instantiates quantifiers that hold. Says whether anything is new, unless that takes too long.
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
        let index = Index::new(state);
        let mut found: Vec<(usize, &Quant, Match)> = Vec::new();
        for (node, quant) in hold {
            for trigger in &quant.triggers {
                let (matches, steps) = self.matches(&index, trigger, &quant.vars);
                found.extend(matches.into_iter().map(|found| (node, quant, found)));
                self.burn(steps)?;
            }
        }
        let before = self.instances.len();
        for (quantifier, quant, Match { bound, matched, joined, .. }) in found {
            let Some(bound) = bound.into_iter().collect::<Option<Vec<usize>>>() else { continue };
            let known = |other: &Instance| {
                let pairs = || other.bound.iter().zip(&bound);
                other.quantifier == quantifier
                    && pairs().all(|(a, b)| classes.same(*a, *b).is_some())
                    && other.reason(state).is_some()
            };
            if self.instances.len() >= MOST_INSTANCES || self.instances.iter().any(known) {
                continue;
            }
            let mut numbers: FastMap<TermId, usize> = FastMap::default();
            self.terms.for_each_subterm(quant.body, |part| {
                if let TermKind::App(symbol, _) = terms.kind(part)
                    && let Some(position) = quant.vars.iter().position(|var| var == symbol)
                {
                    numbers.insert(part, bound[position]);
                }
            });
            if let Some(holds) = self.instance(quant.body, &mut numbers, &quant.vars) {
                self.instances.push(Instance { quantifier, holds, bound, matched, joined });
            }
        }
        Some(self.instances.len() > before)
    }
    /// What the variables may stand for so that all patterns are there, and the steps that it took to find that.
    fn matches(&self, index: &Index, patterns: &[TermId], variables: &[SymbolId]) -> (Vec<Match>, usize) {
        let pending = patterns.iter().map(|pattern| (*pattern, None)).collect();
        let bound = vec![None; variables.len()];
        let mut open = vec![Match { pending, bound, matched: Vec::new(), joined: Vec::new() }];
        let mut complete = Vec::new();
        let mut steps = 0;
        while let Some(mut current) = open.pop() {
            steps += 1;
            if complete.len() >= MOST_MATCHES || steps > 50 * MOST_MATCHES {
                break;
            }
            let Some((pattern, target)) = current.pending.pop() else {
                complete.push(current);
                continue;
            };
            let (shape, parts) = self.shape(pattern);
            let variable = match shape {
                Shape::Symbol(symbol) => variables.iter().position(|variable| *variable == symbol),
                _ => None,
            };
            if let Some(variable) = variable {
                let Some(target) = target else { continue };
                match current.bound[variable] {
                    Some(bound) if index.state.classes.same(bound, target).is_none() => continue,
                    Some(bound) => current.joined.push((bound, target)),
                    None => current.bound[variable] = Some(target),
                }
                open.push(current);
                continue;
            }
            let candidates: Vec<usize> = match target {
                Some(target) => index.equal_to(target).filter(|node| self.nodes[*node].shape == shape).collect(),
                None => self.like(shape).filter(|node| index.state.present[*node].is_some()).collect(),
            };
            for candidate in candidates {
                let mut next = current.clone();
                match target {
                    Some(target) => next.joined.push((candidate, target)),
                    None => next.matched.push(candidate),
                }
                let children = self.nodes[candidate].children.iter();
                next.pending.extend(parts.iter().zip(children).map(|(part, child)| (*part, Some(*child))));
                open.push(next);
            }
        }
        (complete, steps)
    }
}

impl Instance {
    /// Why it holds and is thought of, if so.
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
