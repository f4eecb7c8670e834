//! The terms of a problem, with the structures for deriving facts: congruence classes, truth values, linear
//! arithmetic, laws of collections, and instances of quantifiers.
//!
//! Everything derived carries the set of facts it was derived from.

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

/// Buffers that are reused across problems.
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

/// The terms of a problem, numbered. The first two are the truth values.
pub struct Ground<'a> {
    terms: &'a Terms,
    limits: &'a Limits,
    /// Node numbers by term.
    numbers: &'a mut TermNumbers,
    /// Node numbers of terms in the bodies of quantifiers.
    bound: &'a mut TermNumbers,
    /// The latest node for each hash.
    table: &'a mut FastMap<u64, usize>,
    nodes: &'a mut Vec<Node>,
    parts: &'a mut Vec<usize>,
    /// The numeric nodes.
    numerals: Vec<usize>,
    /// The latest node of each shape.
    last: &'a mut FastMap<Shape, usize>,
    /// Buffers for searches.
    seen: &'a mut FastMap<u64, usize>,
    pending: &'a mut Vec<(TermId, bool)>,
    facts: Vec<(usize, Mask)>,
    cases: Vec<Case>,
    /// Instances of quantifiers.
    instances: Vec<Instance>,
    /// The triggers of quantifiers, by node.
    triggers: FastMap<usize, Vec<Option<Trigger>>>,
    /// Stated laws of collections, and the nodes they were stated for.
    laws: Vec<Law>,
    stated: FastSet<(usize, usize)>,
    pub fuel: usize,
    /// Whether the limit on terms was reached.
    pub cut: bool,
}

/// One of several goals, with its hypotheses.
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
    /// Returns the facts used by a proof from the allowed ones; without the goal if they are contradictory.
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
    /// Splits the goal into goals without conjunctions, each with its hypotheses. Universal goals are proved for
    /// unknown values: bound variables have unique symbols, which no fact may mention.
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
