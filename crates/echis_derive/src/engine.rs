//! The search for a small core: a first proof, then groups it does not need, then cheaper proofs.

use crate::ground::{Ground, Scratch};
use crate::mask::{GOAL, GROUPS, Mask, groups_of, mask_of};
use crate::problem::{Answer, Derivation, Limits, Preference, Problem};
use echis_term::{TermId, Terms};

/// Proves easy problems. Nothing is remembered across problems.
#[derive(Default)]
pub struct Engine {
    whole: Scratch,
    part: Scratch,
}

impl Engine {
    pub fn prove(
        &mut self,
        terms: &Terms,
        problem: &Problem,
        preference: &dyn Preference,
        limits: &Limits,
    ) -> Answer<Derivation> {
        if problem.groups.len() > GROUPS {
            return Answer::GaveUp;
        }
        let facts = facts_of(problem);
        let Some(ground) = Ground::new(terms, limits, &facts, problem.goal, &mut self.whole) else {
            return Answer::GaveUp;
        };
        let closed = terms.is_false(problem.goal);
        Search { terms, problem, preference, limits, facts, closed, ground, part: &mut self.part }.run()
    }
}

/// The permanent facts are also tracked if there is room; unneeded ones only cost time.
fn facts_of(problem: &Problem) -> Vec<(TermId, Mask)> {
    let count = problem.groups.len();
    let apart = count + problem.always.len() <= GROUPS;
    let always = problem.always.iter().enumerate();
    let always = always.map(|(index, fact)| (*fact, if apart { 1 << (count + index) } else { 0 }));
    let groups = problem.groups.iter().enumerate();
    let grouped = groups.flat_map(|(group, facts)| facts.iter().map(move |fact| (*fact, 1 << group)));
    always.chain(grouped).collect()
}

struct Search<'s> {
    terms: &'s Terms,
    problem: &'s Problem<'s>,
    preference: &'s dyn Preference,
    limits: &'s Limits,
    facts: Vec<(TermId, Mask)>,
    /// Whether the goal is a contradiction.
    closed: bool,
    /// All facts.
    ground: Ground<'s>,
    part: &'s mut Scratch,
}

impl Search<'_> {
    fn run(mut self) -> Answer<Derivation> {
        let first = self.ground.prove(Mask::MAX);
        let complete = !self.ground.cut;
        let used = first.and_then(|used| self.improve(used));
        match used {
            Some(used) => Answer::Proved(Derivation {
                groups: self.groups(used),
                always: self.always(used),
                uses_goal: self.closed || used & GOAL != 0,
                complete,
                all_complete: !self.ground.cut,
            }),
            None if complete => Answer::NoProof,
            None => Answer::GaveUp,
        }
    }
    /// Which of what always holds was used, where that is told apart.
    fn always(&self, used: Mask) -> Option<Vec<usize>> {
        let (groups, always) = (self.problem.groups.len(), self.problem.always.len());
        (groups + always <= GROUPS).then(|| groups_of(used >> groups, always))
    }
    fn groups(&self, used: Mask) -> Vec<usize> {
        groups_of(used, self.problem.groups.len())
    }
    fn improve(&mut self, mut used: Mask) -> Option<Mask> {
        if self.problem.groups.is_empty() {
            // There is nothing to drop.
            return Some(used);
        }
        if used & GOAL == 0 && !self.closed {
            used = self.avoid(used).unwrap_or(used);
        }
        used = self.shrink(used)?;
        for avoided in self.preference.avoidable(&self.groups(used)) {
            let other = self.ground.prove(Mask::MAX & !mask_of(avoided));
            if let Some(other) = other.and_then(|other| self.shrink(other))
                && other & GOAL >= used & GOAL
                && self.cost(other) < self.cost(used)
            {
                used = other;
            }
        }
        Some(used)
    }
    fn cost(&self, used: Mask) -> (usize, usize) {
        self.preference.cost(&self.groups(used))
    }
    /// A proof that is not a contradiction, without one of the contradictory groups.
    fn avoid(&mut self, contradiction: Mask) -> Option<Mask> {
        let groups = self.groups(contradiction).into_iter();
        let mut found = groups.filter_map(|group| self.ground.prove(Mask::MAX & !(1 << group)));
        found.find(|mask| mask & GOAL != 0)
    }
    /// Drops groups one by one.
    fn shrink(&mut self, mut used: Mask) -> Option<Mask> {
        let facts: Vec<(TermId, Mask)> = self.facts.iter().copied().filter(|(_, mask)| mask & used == *mask).collect();
        let order = self.preference.order(&self.groups(used));
        let mut smaller = Ground::new(self.terms, self.limits, &facts, self.problem.goal, self.part)?;
        for group in order {
            smaller.fuel = smaller.fuel.max(self.limits.fuel / self.limits.refuel);
            if used & 1 << group != 0
                && let Some(better) = smaller.prove(used & !(1 << group))
                && better & GOAL >= used & GOAL
            {
                used = better;
            }
        }
        Some(used)
    }
}
