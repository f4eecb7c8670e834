//! Proofs that need no solver: equal terms, truth values, linear arithmetic, a few laws of collections, claims of
//! quantifiers where their triggers match, and few case distinctions. Most obligations are like that, and are explained
//! here in a fraction of the time that a solver takes to be told the question.
//!
//! Everything that is derived carries the set of facts that it was derived from. What comes out is sound but need not be
//! small, so groups are left out one by one.

mod classes;
mod instances;
mod laws;
mod nodes;
mod numbers;
mod search;
#[cfg(test)]
mod tests;
mod values;

use crate::depend::policy::Policy;
use crate::depend::question::{Key, Question};
use crate::depend::shrink::{Effort, Preference};
use echis_base::{FastMap, FastSet};
use echis_term::{Op, Quantifier, TermId, TermKind, Terms};
use instances::{Instance, Trigger};
use laws::Law;
use nodes::{Node, Numbers, Shape};

/// A set of facts, and whether the goal and open cases belong to it.
pub type Mask = u128;
const GOAL: Mask = 1 << 127;
/// As many groups have a place in a set.
const MOST_GROUPS: usize = 120;

/// Proves what is easy enough.
pub struct Prover {
    policy: Policy,
    /// What is left for questions that may not be answered here.
    fuel: usize,
    /// Whether the last search did not come to its end.
    cut: bool,
    scratch: [Scratch; 2],
}

/// Room for what is forgotten with each question.
#[derive(Default)]
struct Scratch {
    facts: Numbers,
    instances: Numbers,
    table: FastMap<u64, usize>,
    last: FastMap<Shape, usize>,
    seen: FastMap<u64, usize>,
    pending: Vec<(TermId, bool)>,
}

impl Default for Prover {
    fn default() -> Self {
        Prover::new(Policy::USUAL)
    }
}

impl Prover {
    pub fn new(policy: Policy) -> Self {
        Prover { policy, fuel: policy.failures, cut: false, scratch: Default::default() }
    }
    /// Proves the goal of a question.
    pub fn prove(&mut self, terms: &Terms, question: &Question) -> Option<Proof> {
        let Policy { fuel, little_fuel, failures, gain, .. } = self.policy;
        let fuel = if self.fuel >= fuel { fuel } else { little_fuel };
        self.cut = true;
        let proof = prove(terms, question, &self.policy, fuel, &mut self.scratch, &mut self.cut);
        match proof {
            Some(_) => self.fuel = (self.fuel + gain).min(failures),
            None => self.fuel = self.fuel.saturating_sub(fuel),
        }
        proof
    }
    /// The same where what closes the path may be used like anything else, on which little is spent.
    pub fn prove_closed(&mut self, terms: &Terms, question: &Question) -> Option<Proof> {
        let mut open =
            Question { always: question.always.clone(), groups: question.groups.clone(), goal: question.goal };
        open.groups.iter_mut().for_each(|group| group.dead = false);
        prove(terms, &open, &self.policy, self.policy.little_fuel, &mut self.scratch, &mut true)
    }
    /// Groups that contradict each other, those that close the path among them.
    pub fn refute(&mut self, terms: &Terms, question: &Question) -> Option<Proof> {
        let (open, fuel) = (contradiction(terms, question), self.policy.little_fuel);
        let proof = prove(terms, &open, &self.policy, fuel, &mut self.scratch, &mut true)?;
        Some(Proof { uses_goal: terms.is_false(question.goal), ..proof })
    }
    /// The same where one is known to be there and another one is looked for.
    pub fn refute_otherwise(&mut self, terms: &Terms, question: &Question) -> Option<Proof> {
        let proof = self.prove(terms, &contradiction(terms, question))?;
        Some(Proof { uses_goal: terms.is_false(question.goal), ..proof })
    }
    /// Whether there may be proofs that the last search did not come to.
    pub fn may_have_missed(&self) -> bool {
        self.cut
    }
    /// The same of a question with few facts, on which little is spent.
    pub fn prove_soon(&mut self, terms: &Terms, question: &Question) -> Option<Proof> {
        prove(terms, question, &self.policy, self.policy.little_fuel, &mut self.scratch, &mut true)
    }
}

fn contradiction(terms: &Terms, question: &Question) -> Question {
    let (always, groups) = (question.always.clone(), question.groups.clone());
    Question { always, groups, goal: terms.literal(false) }
}

/// Groups that prove the goal, none of which can be left out here.
#[derive(PartialEq, Eq, Debug)]
pub struct Proof {
    pub groups: Vec<usize>,
    /// Otherwise the groups contradict each other.
    pub uses_goal: bool,
    /// Whether the search for a better one came to its end.
    pub sure: bool,
}

fn prove(
    terms: &Terms,
    question: &Question,
    policy: &Policy,
    fuel: usize,
    [first, second]: &mut [Scratch; 2],
    cut: &mut bool,
) -> Option<Proof> {
    let count = question.groups.len();
    if count > MOST_GROUPS {
        return None;
    }
    // What closes a path proves that it is closed, and nothing else.
    let closed = terms.is_false(question.goal);
    let usable: Vec<usize> = (0..count).filter(|group| closed || !question.groups[*group].dead).collect();
    // What always holds is told apart too, where there is room.
    let apart = count + question.always.len() <= MOST_GROUPS;
    let always = question.always.iter().enumerate();
    let always = always.map(|(index, fact)| (*fact, if apart { 1 << (count + index) } else { 0 }));
    let grouped = usable.iter().flat_map(|group| question.groups[*group].facts.iter().map(|fact| (*fact, 1 << *group)));
    let facts: Vec<(TermId, Mask)> = always.chain(grouped).collect();
    let of = |groups: &mut dyn Iterator<Item = &usize>| groups.fold(0, |mask, group| mask | 1 << *group);
    let rest = Mask::MAX & !of(&mut (0..count).collect::<Vec<_>>().iter());
    let all = of(&mut usable.iter());
    let mut ground = Ground::new(terms, policy, &facts, question.goal, fuel, first)?;
    let proof = ground.prove(all | rest);
    *cut = ground.cut;
    let mut used = proof?;
    if count == 0 {
        // There is nothing to leave out.
        return Some(Proof { groups: Vec::new(), uses_goal: closed || used & GOAL != 0, sure: !ground.cut });
    }
    if used & GOAL == 0 && !closed {
        used = ground.avoid(used, all | rest, count).unwrap_or(used);
    }
    let mut shrink = |used: Mask| {
        // The rest of the facts only costs time.
        let facts: Vec<(TermId, Mask)> = facts.iter().copied().filter(|(_, mask)| mask & used == *mask).collect();
        let mut smaller = Ground::new(terms, policy, &facts, question.goal, fuel, second)?;
        let mut used = used;
        for group in question.order(&groups_of(used, count)) {
            smaller.fuel = smaller.fuel.max(fuel / 2);
            if used & 1 << group != 0
                && let Some(better) = smaller.prove(used & !(1 << group))
                && better & GOAL >= used & GOAL
            {
                used = better;
            }
        }
        Some(used)
    };
    used = shrink(used)?;
    let cost = |used: Mask| question.cost(&groups_of(used, count));
    let is_own = |group: usize| matches!(question.groups[group].key, Key::Fact(_));
    let among = |used: Mask, which: &dyn Fn(usize) -> bool| {
        of(&mut groups_of(used, count).iter().filter(|group| which(**group)))
    };
    // A proof through many facts of the engine's own may be a detour; others drag much along.
    let detour = Some(among(used, &is_own)).filter(|own| own.count_ones() > 1);
    let heavy = Some(among(used, &|group| question.is_heavy(group, Effort::Fast))).filter(|heavy| *heavy != 0);
    for avoided in [detour, heavy].into_iter().flatten() {
        if let Some(other) = ground.prove((all | rest) & !avoided).and_then(&mut shrink)
            && other & GOAL >= used & GOAL
            && cost(other) < cost(used)
        {
            used = other;
        }
    }
    Some(Proof { groups: groups_of(used, count), uses_goal: closed || used & GOAL != 0, sure: !ground.cut })
}

fn groups_of(mask: Mask, count: usize) -> Vec<usize> {
    (0..count).filter(|group| mask & 1 << group != 0).collect()
}

/// The terms of a question, numbered. The first two stand for the truth values.
struct Ground<'a> {
    terms: &'a Terms,
    policy: &'a Policy,
    /// By their terms.
    numbers: &'a mut Numbers,
    /// The same in what a quantifier says.
    bound: &'a mut Numbers,
    /// The last one of each hash.
    table: &'a mut FastMap<u64, usize>,
    nodes: Vec<Node>,
    parts: Vec<usize>,
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
    fuel: usize,
    /// Whether there was not enough of it.
    cut: bool,
}

/// One of several goals, under what it may assume.
#[derive(Clone)]
struct Case {
    hypotheses: Vec<usize>,
    goal: usize,
}

/// So many terms are usual.
const USUAL: usize = 200;

const TRUE: usize = 0;
const FALSE: usize = 1;

impl<'a> Ground<'a> {
    fn new(
        terms: &'a Terms,
        policy: &'a Policy,
        facts: &[(TermId, Mask)],
        goal: TermId,
        fuel: usize,
        scratch: &'a mut Scratch,
    ) -> Option<Self> {
        let Scratch { facts: numbers, instances: bound, table, last, seen, pending } = scratch;
        numbers.forget();
        table.clear();
        last.clear();
        let mut ground = Ground {
            terms,
            policy,
            numbers,
            bound,
            table,
            nodes: Vec::with_capacity(USUAL),
            parts: Vec::with_capacity(2 * USUAL),
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
            fuel,
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
    fn prove(&mut self, allowed: Mask) -> Option<Mask> {
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
    /// A proof that is not a contradiction, without one of the groups that make one.
    fn avoid(&mut self, contradiction: Mask, allowed: Mask, count: usize) -> Option<Mask> {
        let found = groups_of(contradiction, count).into_iter().filter_map(|group| self.prove(allowed & !(1 << group)));
        found.into_iter().find(|mask| mask & GOAL != 0)
    }
    /// The goal as goals without conjunctions, each under its own hypotheses. What is claimed of all values is shown for
    /// unknown ones: bound variables have symbols of their own, of which no fact may speak.
    fn split(&mut self, goal: TermId) -> Option<Vec<Case>> {
        let stated = self.nodes.len();
        let mut cases = Vec::new();
        let mut pending = vec![(goal, Vec::new())];
        while let Some((goal, mut hypotheses)) = pending.pop() {
            if cases.len() + pending.len() > self.policy.goals || hypotheses.len() > self.policy.goals {
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
