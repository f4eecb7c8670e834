//! The combined needs of a member's goals, for about the cost of proving them once.
//!
//! All goals are proved at once. Each goal is combined with a proposition that is also assumed: if a proof does not
//! need the latter, it would prove anything there, so the facts there are contradictory. The needs of the combined
//! proof are attributed to each goal. If little effort suffices, each goal is explained separately.

use crate::Outcome;
use crate::limits::{
    AFTERTHOUGHT_LEAST, AFTERTHOUGHT_SHARE, CONTRADICTION_EFFORT, CORE_EFFORT, THOROUGH_EFFORT, TOGETHER_EFFORT,
    TOGETHER_MOST,
};
use crate::question::CoreQuery;
use echis_proof::{CheckId, Explainer, NodeId};
use echis_term::{Made, Scope, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The needs of a goal's proof.
pub struct Needs<K> {
    pub check: CheckId,
    /// Whether the facts there are contradictory.
    pub vacuous: bool,
    /// Whether no proof was found again, so that it may need every fact there.
    pub lost: bool,
    pub needs: Vec<K>,
    /// The cost of the proof, in the solver's units, if known.
    pub effort: u64,
}

/// The element that states a fact.
pub type Stated<'a, K> = dyn Fn(&Outcome, NodeId) -> Option<K> + 'a;

/// The needs of a single goal.
pub fn alone<K: Clone + PartialEq>(
    outcome: &mut Outcome,
    explainer: &mut dyn Explainer,
    stated: &Stated<'_, K>,
    check: CheckId,
) -> Needs<K> {
    let falsity = outcome.tree.terms.falsity();
    let question = CoreQuery::new(outcome, check, |node| stated(outcome, node));
    let contradiction = question.needs(outcome, explainer, falsity, CONTRADICTION_EFFORT);
    let vacuous = contradiction.is_some();
    let bare = outcome.notes.parts[&check].1;
    let needs = contradiction.or_else(|| question.needs(outcome, explainer, bare, CORE_EFFORT));
    let lost = needs.is_none();
    Needs { check, vacuous, lost, needs: needs.unwrap_or(question.names), effort: 0 }
}

/// The needs of several goals, in program order.
pub fn together<K: Clone + PartialEq>(
    outcome: &mut Outcome,
    explainer: &mut dyn Explainer,
    stated: &Stated<'_, K>,
    checks: Vec<CheckId>,
) -> Vec<Needs<K>> {
    let tokens = checks.iter().map(|check| (*check, token(outcome))).collect();
    let mut together = Together { outcome, explainer, stated, tokens, left: TOGETHER_MOST };
    let mut found = Vec::new();
    let mut groups = vec![checks];
    while let Some(checks) = groups.pop().filter(|checks| !checks.is_empty()) {
        let proof = if together.left == 0 { None } else { together.proof(&checks) };
        match proof {
            Some(proof) if proof.is_thorough => {
                found.extend(checks.iter().map(|check| together.alone(*check)));
            }
            Some(proof) => found.extend(together.explained(&checks, proof)),
            None if checks.len() == 1 || together.left == 0 => {
                found.extend(checks.iter().map(|check| together.lost(*check)));
            }
            None => {
                let (first, second) = checks.split_at(checks.len() / 2);
                groups.extend([second.to_vec(), first.to_vec()]);
            }
        }
    }
    found
}

/// A fresh proposition.
fn token(outcome: &mut Outcome) -> TermId {
    let terms = &mut outcome.tree.terms;
    let bool = terms.bool_sort();
    terms.fresh(&Scope::default(), Made::Reached, &[], bool)
}

/// An element that a proof may use.
#[derive(Clone, PartialEq)]
enum Usable<K> {
    Element(K),
    Goal(CheckId),
}

struct Proof<K> {
    needs: Vec<Usable<K>>,
    /// The cost, in the solver's units.
    effort: u64,
    /// Whether it was cheap enough to explain each goal separately.
    is_thorough: bool,
}

struct Together<'a, K> {
    outcome: &'a mut Outcome,
    explainer: &'a mut dyn Explainer,
    stated: &'a Stated<'a, K>,
    tokens: BTreeMap<CheckId, TermId>,
    /// Remaining budget for cores.
    left: u64,
}

impl<K: Clone + PartialEq> Together<'_, K> {
    /// A proof of some goals, in program order, from as few elements as the budget allows.
    fn proof(&mut self, checks: &[CheckId]) -> Option<Proof<K>> {
        let goals: Vec<TermId> = checks.iter().map(|check| self.with_token(*check)).collect();
        let goal = self.outcome.tree.terms.and(goals);
        let outcome = &*self.outcome;
        let last = *checks.last()?;
        let element = |node| (self.stated)(outcome, node).map(Usable::Element);
        let mut question = CoreQuery::before(outcome, last, element);
        for check in checks {
            question.add(Usable::Goal(*check), self.tokens[check]);
        }
        let mut ask = |allowed: Vec<usize>, bound| question.ask(outcome, self.explainer, goal, bound, allowed);
        let (core, effort) = ask((0..question.names.len()).collect(), self.left.min(TOGETHER_EFFORT));
        self.left = self.left.saturating_sub(effort);
        // The set proved sufficient; the core is only the solver's proposal.
        let mut sufficient: Vec<usize> = (0..question.names.len()).collect();
        let mut core = core?;
        if effort.saturating_mul(checks.len() as u64) <= THOROUGH_EFFORT {
            return Some(Proof { needs: Vec::new(), effort, is_thorough: true });
        }
        let mut left = AFTERTHOUGHT_LEAST.max(effort / AFTERTHOUGHT_SHARE);
        let is_element = |group: &usize| matches!(question.names[*group], Usable::Element(_));
        // Later ones are dropped first, so that earlier ones are kept.
        let mut candidates: Vec<usize> = core.iter().copied().filter(is_element).collect();
        while let (Some(candidate), true) = (candidates.pop(), left > 0) {
            let allowed: Vec<usize> = core.iter().copied().filter(|group| *group != candidate).collect();
            let (smaller, spent) = ask(allowed.clone(), left.min(AFTERTHOUGHT_LEAST));
            if let Some(smaller) = smaller {
                (sufficient, core) = (allowed, smaller);
                candidates.retain(|candidate| core.contains(candidate));
            }
            left = left.saturating_sub(spent);
        }
        if core != sufficient && ask(core.clone(), TOGETHER_EFFORT).0.is_none() {
            core = sufficient;
        }
        let needs = core.into_iter().map(|group| question.names[group].clone()).collect();
        Some(Proof { needs, effort, is_thorough: false })
    }
    fn with_token(&mut self, check: CheckId) -> TermId {
        let (reached, bare) = self.outcome.notes.parts[&check];
        let token = self.tokens[&check];
        let terms = &mut self.outcome.tree.terms;
        let both = terms.and([bare, token]);
        terms.implies(reached, both)
    }
    fn alone(&mut self, check: CheckId) -> Needs<K> {
        alone(self.outcome, self.explainer, self.stated, check)
    }
    /// The needs of a goal whose proof was not found again: every fact there.
    fn lost(&self, check: CheckId) -> Needs<K> {
        let question = CoreQuery::new(self.outcome, check, |node| (self.stated)(self.outcome, node));
        Needs { check, vacuous: false, lost: true, needs: question.names, effort: 0 }
    }
    /// Attributes the needs of the common proof to each goal, except where the facts are contradictory.
    fn explained(&mut self, checks: &[CheckId], proof: Proof<K>) -> Vec<Needs<K>> {
        let seems_vacuous = self.vacuous(checks, &proof);
        let of_all: Vec<K> = proof.needs.into_iter().filter_map(Usable::element).collect();
        let mut found = Vec::new();
        for check in checks.iter().copied() {
            let contradiction = seems_vacuous.contains(&check).then(|| self.contradiction(check)).flatten();
            let vacuous = contradiction.is_some();
            let needs = contradiction.unwrap_or_else(|| of_all.clone());
            found.push(Needs { check, vacuous, lost: false, needs, effort: proof.effort });
        }
        found
    }
    /// The goals whose facts seem contradictory. If the last goal of a block is reached, so are the others.
    fn vacuous(&mut self, checks: &[CheckId], proof: &Proof<K>) -> BTreeSet<CheckId> {
        let used = |check: &CheckId| proof.needs.contains(&Usable::Goal(*check));
        let mut vacuous: BTreeSet<CheckId> = checks.iter().copied().filter(|check| !used(check)).collect();
        let mut blocks: BTreeMap<Option<usize>, Vec<CheckId>> = BTreeMap::new();
        for check in checks {
            let block = self.outcome.notes.history.at(*check).map(|seen| seen.block);
            blocks.entry(block).or_default().push(*check);
        }
        let mut left = AFTERTHOUGHT_LEAST.max(proof.effort / AFTERTHOUGHT_SHARE);
        let falsity = self.outcome.tree.terms.falsity();
        for mut block in blocks.into_values() {
            while let (Some(check), true) = (block.pop(), left > 0) {
                if vacuous.contains(&check) {
                    continue;
                }
                let outcome = &*self.outcome;
                let question = CoreQuery::new(outcome, check, |node| (self.stated)(outcome, node));
                let all = (0..question.names.len()).collect();
                let (core, spent) = question.ask(outcome, self.explainer, falsity, left.min(AFTERTHOUGHT_LEAST), all);
                left = left.saturating_sub(spent);
                if core.is_none() {
                    break;
                }
                vacuous.insert(check);
            }
        }
        vacuous
    }
    /// The contradictory elements where a goal is demanded.
    fn contradiction(&mut self, check: CheckId) -> Option<Vec<K>> {
        let falsity = self.outcome.tree.terms.falsity();
        let question = CoreQuery::new(self.outcome, check, |node| (self.stated)(self.outcome, node));
        question.needs(self.outcome, self.explainer, falsity, CONTRADICTION_EFFORT)
    }
}

impl<K> Usable<K> {
    fn element(self) -> Option<K> {
        match self {
            Usable::Element(element) => Some(element),
            Usable::Goal(_) => None,
        }
    }
}
