//! Minimal sets of candidates that mention all variables of a quantifier.

use super::candidates::Candidate;
use super::{Inference, Triggers};
use crate::limits::{TRIGGER_SETS, TRIGGER_STEPS};
use crate::program::LocalId;
use std::collections::BTreeSet;

struct Search<'a> {
    candidates: &'a [Candidate],
    sets: Vec<Vec<usize>>,
    steps: usize,
}

impl Inference<'_> {
    /// The trigger sets to use: those with the fewest extra variables, without redundant ones.
    pub(super) fn cover(
        &mut self,
        vars: &[LocalId],
        candidates: Vec<Candidate>,
        usable: impl Fn(&Candidate) -> bool,
    ) -> Option<Triggers> {
        let candidates: Vec<Candidate> = candidates.into_iter().filter(|candidate| usable(candidate)).collect();
        let sets = covering_sets(&candidates, vars.len());
        let fewest = sets.iter().map(|set| extra(&candidates, set).len()).min()?;
        let mut chosen: Vec<&Vec<usize>> = sets.iter().filter(|set| extra(&candidates, set).len() == fewest).collect();
        if fewest > 0 {
            // Each set has separate extra variables, but a quantifier has one list of variables.
            chosen.truncate(1);
        }
        chosen.truncate(TRIGGER_SETS);
        let extra = chosen.first().map(|set| extra(&candidates, set)).unwrap_or_default();
        let terms = |set: &Vec<usize>| set.iter().map(|index| candidates[*index].term).collect();
        Some(Triggers { sets: chosen.into_iter().map(terms).collect(), extra })
    }
}

fn extra(candidates: &[Candidate], set: &[usize]) -> Vec<LocalId> {
    set.iter().flat_map(|index| candidates[*index].extra.iter().copied()).collect()
}

fn covering_sets(candidates: &[Candidate], count: usize) -> Vec<Vec<usize>> {
    let mut search = Search { candidates, sets: Vec::new(), steps: 0 };
    search.run(0, (0..count).collect(), &mut Vec::new());
    let sets = search.sets;
    let lean: Vec<Vec<usize>> = sets.into_iter().filter(|set| !is_redundant(candidates, set)).collect();
    let mut kept = Vec::new();
    for (index, set) in lean.iter().enumerate() {
        let weaker =
            lean.iter().enumerate().any(|(other, stricter)| other != index && is_weaker(candidates, set, stricter));
        if !weaker {
            kept.push(set.clone());
        }
    }
    kept
}

impl Search<'_> {
    /// Takes or skips the candidates in turn; one that covers nothing new is skipped.
    fn run(&mut self, from: usize, missing: BTreeSet<usize>, set: &mut Vec<usize>) {
        self.steps += 1;
        if self.steps > TRIGGER_STEPS {
            return;
        }
        if missing.is_empty() {
            self.sets.push(set.clone());
            return;
        }
        for index in from..self.candidates.len() {
            let covers = &self.candidates[index].covers;
            if covers.is_disjoint(&missing) {
                continue;
            }
            set.push(index);
            self.run(index + 1, missing.difference(covers).copied().collect(), set);
            set.pop();
        }
    }
}

/// Whether the set contains a term and its subterm, as in `{ g(x), f(g(x)) }`: the set without the subterm is found
/// too.
fn is_redundant(candidates: &[Candidate], set: &[usize]) -> bool {
    set.iter().any(|part| set.iter().any(|whole| candidates[*whole].parts.contains(&candidates[*part].key)))
}

/// Whether every term is a subterm of a term in the other set, which then is the more selective trigger.
fn is_weaker(candidates: &[Candidate], set: &[usize], stricter: &[usize]) -> bool {
    if extra(candidates, set).len() != extra(candidates, stricter).len() {
        return false;
    }
    let covered = |part: &usize| {
        let key = &candidates[*part].key;
        stricter.iter().any(|whole| candidates[*whole].parts.contains(key))
    };
    set.iter().all(covered)
}
