//! The terms of a problem as a structure in which things are derived: congruence classes of terms, truth values, linear arithmetic,
//! laws of collections, and instances of quantifiers.
//!
//! Everything that is derived carries the set of facts that it was derived from.

mod arithmetic;
mod classes;
mod instances;
mod laws;
mod nodes;
mod search;
mod values;

use crate::mask::{GOAL, Mask};
use crate::problem::Limits;
use echis_base::{FastMap, FastSet};
use echis_term::{Op, Quantifier, TermId, TermKind, Terms};
use instances::{Instance, Trigger};
use laws::Law;
use nodes::{Node, Shape, TermNumbers};

/// Room for what is forgotten with each problem.
#[derive(Default)]
pub struct Scratch {
    facts: TermNumbers,
    instances: TermNumbers,
    table: FastMap<u64, usize>,
    nodes: Vec<Node>,
    parts: Vec<usize>,
    last: FastMap<Shape, usize>,
    seen: FastMap<u64, usize>,
    pending: Vec<(TermId, bool)>,
}

/// The terms of a problem, numbered. The first two stand for the truth values.
pub struct Ground<'a> {
    terms: &'a Terms,
    limits: &'a Limits,
    /// By their terms.
    numbers: &'a mut TermNumbers,
    /// Numbers of terms in the bodies of quantifiers.
    bound: &'a mut TermNumbers,
    /// The last one of each hash.
    table: &'a mut FastMap<u64, usize>,
    nodes: &'a mut Vec<Node>,
    parts: &'a mut Vec<usize>,
    /// Those that are numbers.
    numerals: Vec<usize>,
    /// The last one of each shape.
    last: &'a mut FastMap<Shape, usize>,
    /// Room for what is looked at.
    seen: &'a mut FastMap<u64, usize>,
    pending: &'a mut Vec<(TermId, bool)>,
    facts: Vec<(usize, Mask)>,
    cases: Vec<Case>,
    /// What follows from quantifiers for some terms.
    instances: Vec<Instance>,
    /// The triggers of quantifiers, by their terms.
    triggers: FastMap<usize, Vec<Option<Trigger>>>,
    /// What holds of collections, and for which terms it was stated.
    laws: Vec<Law>,
    stated: FastSet<(usize, usize)>,
    pub fuel: usize,
    /// Whether there was not enough of it.
    pub cut: bool,
}

/// One of several goals, under what it may assume.
#[derive(Clone)]
struct Case {
    hypotheses: Vec<usize>,
    goal: usize,
}

const TRUE: usize = 0;
const FALSE: usize = 1;

impl<'a> Ground<'a> {
    pub fn new(
        terms: &'a Terms,
        limits: &'a Limits,
        facts: &[(TermId, Mask)],
        goal: TermId,
        scratch: &'a mut Scratch,
    ) -> Option<Self> {
        let Scratch { facts: numbers, instances: bound, table, nodes, parts, last, seen, pending } = scratch;
        numbers.forget();
        table.clear();
        nodes.clear();
        parts.clear();
        last.clear();
        let mut ground = Ground {
            terms,
            limits,
            numbers,
            bound,
            table,
            nodes,
            parts,
            numerals: Vec::new(),
            last,
            seen,
            pending,
            facts: Vec::new(),
            cases: Vec::new(),
            instances: Vec::new(),
            triggers: FastMap::default(),
            laws: Vec::new(),
            stated: FastSet::default(),
            fuel: limits.fuel,
            cut: false,
        };
        for value in [true, false] {
            ground.add(terms.literal(value))?;
        }
        for (fact, mask) in facts {
            let node = ground.add(*fact)?;
            ground.facts.push((node, *mask));
        }
        ground.cases = ground.split(goal)?;
        Some(ground)
    }
    /// What a proof from these facts rests on; without the goal if they contradict each other.
    pub fn prove(&mut self, allowed: Mask) -> Option<Mask> {
        let mut used = 0;
        for case in self.cases.clone() {
            let contradiction = self.refute(allowed, &case)?;
            if contradiction & GOAL == 0 {
                return Some(contradiction);
            }
            used |= contradiction;
        }
        Some(used)
    }
    /// The goal as goals without conjunctions, each under its own hypotheses. What is claimed of all values is shown for
    /// unknown ones: bound variables have symbols of their own, of which no fact may speak.
    fn split(&mut self, goal: TermId) -> Option<Vec<Case>> {
        let stated = self.nodes.len();
        let mut cases = Vec::new();
        let mut pending = vec![(goal, Vec::new())];
        while let Some((goal, mut hypotheses)) = pending.pop() {
            if cases.len() + pending.len() > self.limits.goals || hypotheses.len() > self.limits.goals {
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
}

fn truth(value: bool) -> usize {
    if value { TRUE } else { FALSE }
}
