//! What the proofs of all goals of a member need together, for about the effort of proving them once.
//!
//! All goals are proved at once. With each goal a proposition is demanded that is known besides: where a proof does without
//! it, it would prove anything there, so what holds there is contradictory. What a proof of all goals needs is said of each.
//! Where little effort suffices, each goal is looked at alone.

use crate::Outcome;
use crate::limits::{
    AFTERTHOUGHT_LEAST, AFTERTHOUGHT_SHARE, CONTRADICTION_EFFORT, CORE_EFFORT, THOROUGH_EFFORT, TOGETHER_EFFORT,
    TOGETHER_MOST,
};
use crate::question::CoreQuery;
use echis_proof::{CheckId, Explainer, NodeId};
use echis_term::{Made, Scope, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// What the proof of a goal rests on.
pub struct Needs<K> {
    pub check: CheckId,
    /// What holds there is contradictory.
    pub vacuous: bool,
    /// No proof was found again, so it may need anything that is known there.
    pub lost: bool,
    pub needs: Vec<K>,
    /// What the proof took, in the solver's units, where that is known.
    pub effort: u64,
}

/// The element that states a fact.
pub type Stated<'a, K> = dyn Fn(&Outcome, NodeId) -> Option<K> + 'a;

/// What the proof of one goal needs, by itself.
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

/// What the proofs of some goals need, in program order.
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

/// A new proposition.
fn token(outcome: &mut Outcome) -> TermId {
    let terms = &mut outcome.tree.terms;
    let bool = terms.bool_sort();
    terms.fresh(&Scope::default(), Made::Reached, &[], bool)
}

/// What a proof may use.
#[derive(Clone, PartialEq)]
enum Usable<K> {
    Element(K),
    Goal(CheckId),
}

struct Proof<K> {
    needs: Vec<Usable<K>>,
    /// What it took, in the solver's units.
    effort: u64,
    /// It took so little that each goal can be looked at alone.
    is_thorough: bool,
}

struct Together<'a, K> {
    outcome: &'a mut Outcome,
    explainer: &'a mut dyn Explainer,
    stated: &'a Stated<'a, K>,
    tokens: BTreeMap<CheckId, TermId>,
    /// The effort that may still be spent on cores.
    left: u64,
}

impl<K: Clone + PartialEq> Together<'_, K> {
    /// A proof of some goals, in program order, from as few elements as the effort allows.
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
        // What was shown to suffice; the core of it is only the solver's proposal.
        let mut sufficient: Vec<usize> = (0..question.names.len()).collect();
        let mut core = core?;
        if effort.saturating_mul(checks.len() as u64) <= THOROUGH_EFFORT {
            return Some(Proof { needs: Vec::new(), effort, is_thorough: true });
        }
        let mut left = AFTERTHOUGHT_LEAST.max(effort / AFTERTHOUGHT_SHARE);
        let is_element = |group: &usize| matches!(question.names[*group], Usable::Element(_));
        // Later ones go first, so that what is kept is what comes early.
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
    /// Anything that is known there may have been relied on.
    fn lost(&self, check: CheckId) -> Needs<K> {
        let question = CoreQuery::new(self.outcome, check, |node| (self.stated)(self.outcome, node));
        Needs { check, vacuous: false, lost: true, needs: question.names, effort: 0 }
    }
    /// Each goal needs what the proof of all of them needs, except where what holds there is contradictory.
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
    /// The goals where what holds seems to be contradictory. Where the last goal of a block is reached the others are, too.
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
    /// What contradicts each other where a goal is demanded.
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
