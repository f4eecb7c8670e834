//! The combined needs of a member's goals, for about the cost of proving them once.
//!
//! All goals are proved at once. Each goal is combined with a proposition that is also assumed: if a proof does not
//! need the latter, it would prove anything there, so the facts there are contradictory. The needs of the combined
//! proof are attributed to each goal. If little effort suffices, each goal is explained separately.

use crate::Outcome;
use crate::limits::{
    AFTERTHOUGHT_SHARE, ALONE_FACTOR, ALONE_LEAST, CONTRADICTION_EFFORT, CORE_EFFORT, THOROUGH_EFFORT, TOGETHER_EFFORT,
    TOGETHER_MOST,
};
use crate::question::CoreQuery;
use echis_proof::{CheckId, Explainer, NodeId, Verdict};
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

/// Whether a core is confirmed by a second proof from its facts only.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cores {
    Named,
    Confirmed,
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
    let bounds = Bounds { contradiction: CONTRADICTION_EFFORT, proof: CORE_EFFORT };
    let (found, _) = alone_within(outcome, explainer, stated, check, bounds);
    found.unwrap_or_else(|| lost(outcome, stated, check))
}

/// Limits of single questions.
#[derive(Clone, Copy)]
struct Bounds {
    contradiction: u64,
    proof: u64,
}

/// The needs of one goal, if a proof is found, and the effort spent.
fn alone_within<K: Clone + PartialEq>(
    outcome: &mut Outcome,
    explainer: &mut dyn Explainer,
    stated: &Stated<'_, K>,
    check: CheckId,
    bounds: Bounds,
) -> (Option<Needs<K>>, u64) {
    let falsity = outcome.tree.terms.falsity();
    let question = CoreQuery::new(outcome, check, |node| stated(outcome, node));
    let (contradiction, mut spent) = question.needs(outcome, explainer, falsity, bounds.contradiction);
    let vacuous = contradiction.is_some();
    let needs = contradiction.or_else(|| {
        let bare = outcome.notes.parts[&check].1;
        let (needs, more) = question.needs(outcome, explainer, bare, bounds.proof);
        spent += more;
        needs
    });
    (needs.map(|needs| Needs { check, vacuous, lost: false, needs, effort: 0 }), spent)
}

/// The needs of a goal whose proof was not found again: every fact there.
fn lost<K: Clone + PartialEq>(outcome: &Outcome, stated: &Stated<'_, K>, check: CheckId) -> Needs<K> {
    let question = CoreQuery::new(outcome, check, |node| stated(outcome, node));
    Needs { check, vacuous: false, lost: true, needs: question.names, effort: 0 }
}

/// The facts that no element states hold in all questions about a member.
pub fn give<K>(outcome: &Outcome, explainer: &mut dyn Explainer, stated: &Stated<'_, K>) {
    let Some(last) = outcome.tree.checks.keys().last() else { return };
    let path: Vec<NodeId> = outcome.tree.path(outcome.tree.checks[last].at).collect();
    let unstated = path.into_iter().rev().filter(|node| stated(outcome, *node).is_none());
    let facts: Vec<TermId> = unstated.filter_map(|node| outcome.tree.fact(node)).collect();
    explainer.given(&outcome.tree.terms, &facts);
}

/// Proves all goals of a member by one question that names what the proof needs. The verdicts are set if there is a proof
/// within the bound.
pub fn prove<K: Clone + PartialEq>(
    outcome: &mut Outcome,
    explainer: &mut dyn Explainer,
    stated: &Stated<'_, K>,
    cores: Cores,
    bound: u64,
) -> Option<Vec<Needs<K>>> {
    let checks: Vec<CheckId> = outcome.tree.checks.keys().collect();
    if checks.is_empty() {
        return Some(Vec::new());
    }
    let mut together = Together { cores, ..Together::new(outcome, explainer, stated, &checks, bound) };
    let found = together.proved(&checks)?;
    checks.iter().for_each(|check| outcome.tree.verdicts.set(*check, Verdict::Proved));
    Some(found)
}

/// The needs of several proved goals, in program order, if no proof of all of them at once was found.
pub fn together<K: Clone + PartialEq>(
    outcome: &mut Outcome,
    explainer: &mut dyn Explainer,
    stated: &Stated<'_, K>,
    cores: Cores,
    checks: Vec<CheckId>,
) -> Vec<Needs<K>> {
    let mut together = Together { cores, ..Together::new(outcome, explainer, stated, &checks, TOGETHER_MOST) };
    let mut found = Vec::new();
    // All at once was tried before.
    let mut groups = halves(&checks);
    while let Some(checks) = groups.pop().filter(|checks| !checks.is_empty()) {
        match if together.left == 0 { None } else { together.proved(&checks) } {
            Some(explained) => found.extend(explained),
            None if checks.len() == 1 || together.left == 0 => {
                found.extend(checks.iter().map(|check| lost(together.outcome, stated, *check)));
            }
            None => groups.extend(halves(&checks)),
        }
    }
    found
}

/// The second one first.
fn halves(checks: &[CheckId]) -> Vec<Vec<CheckId>> {
    let (first, second) = checks.split_at(checks.len() / 2);
    vec![second.to_vec(), first.to_vec()]
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
}

struct Together<'a, K> {
    outcome: &'a mut Outcome,
    explainer: &'a mut dyn Explainer,
    stated: &'a Stated<'a, K>,
    tokens: BTreeMap<CheckId, TermId>,
    cores: Cores,
    /// Remaining budget for proofs.
    left: u64,
}

impl<'a, K: Clone + PartialEq> Together<'a, K> {
    fn new(
        outcome: &'a mut Outcome,
        explainer: &'a mut dyn Explainer,
        stated: &'a Stated<'a, K>,
        checks: &[CheckId],
        left: u64,
    ) -> Self {
        let tokens = checks.iter().map(|check| (*check, token(outcome))).collect();
        Together { outcome, explainer, stated, tokens, cores: Cores::Named, left }
    }
    /// Proves some goals, in program order, and finds their needs: of each goal separately, if the proof was cheap.
    fn proved(&mut self, checks: &[CheckId]) -> Option<Vec<Needs<K>>> {
        let goals: Vec<TermId> = checks.iter().map(|check| self.with_token(*check)).collect();
        let goal = self.outcome.tree.terms.and(goals);
        let question = self.question(checks)?;
        let all: Vec<usize> = (0..question.names.len()).collect();
        let (core, effort) = question.ask(self.outcome, self.explainer, goal, self.left.min(TOGETHER_EFFORT), all);
        self.left = self.left.saturating_sub(effort);
        let core = core?;
        let is_thorough = effort.saturating_mul(checks.len() as u64) <= THOROUGH_EFFORT;
        let core = if is_thorough { core } else { self.fewer(&question, goal, core, effort) };
        let needs = core.into_iter().map(|group| question.names[group].clone()).collect();
        let proof = Proof { needs, effort };
        Some(if is_thorough { self.each(checks, proof) } else { self.explained(checks, proof) })
    }
    /// The facts before the last of some goals, and the tokens of all of them.
    fn question(&self, checks: &[CheckId]) -> Option<CoreQuery<Usable<K>>> {
        let element = |node| (self.stated)(self.outcome, node).map(Usable::Element);
        let mut question = CoreQuery::before(self.outcome, *checks.last()?, element);
        for check in checks {
            question.add(Usable::Goal(*check), self.tokens[check]);
        }
        Some(question)
    }
    /// A part of a core, as small as can be found with a share of the effort of the proof. Later elements go first, so that
    /// what is kept is what comes early.
    fn fewer(
        &mut self,
        question: &CoreQuery<Usable<K>>,
        goal: TermId,
        mut core: Vec<usize>,
        effort: u64,
    ) -> Vec<usize> {
        let mut left = effort / AFTERTHOUGHT_SHARE;
        // A set that was shown to suffice.
        let mut sufficient: Vec<usize> = (0..question.names.len()).collect();
        let is_element = |group: &usize| matches!(question.names[*group], Usable::Element(_));
        let mut candidates: Vec<usize> = core.iter().copied().filter(is_element).collect();
        while let (Some(candidate), true) = (candidates.pop(), left > 0) {
            let allowed: Vec<usize> = core.iter().copied().filter(|group| *group != candidate).collect();
            let (smaller, spent) = question.ask(self.outcome, self.explainer, goal, left, allowed.clone());
            if let Some(smaller) = smaller {
                candidates.retain(|candidate| smaller.contains(candidate));
                (sufficient, core) = (allowed, smaller);
            }
            left = left.saturating_sub(spent);
        }
        if self.cores == Cores::Named || core == sufficient {
            return core;
        }
        let confirmed = question.ask(self.outcome, self.explainer, goal, TOGETHER_EFFORT, core.clone()).0;
        if confirmed.is_some() { core } else { sufficient }
    }
    fn with_token(&mut self, check: CheckId) -> TermId {
        let (reached, bare) = self.outcome.notes.parts[&check];
        let token = self.tokens[&check];
        let terms = &mut self.outcome.tree.terms;
        let both = terms.and([bare, token]);
        terms.implies(reached, both)
    }
    /// Explains each goal separately within the budget, and the others by the common proof.
    fn each(&mut self, checks: &[CheckId], proof: Proof<K>) -> Vec<Needs<K>> {
        let most = proof.effort.saturating_mul(ALONE_FACTOR).max(ALONE_LEAST);
        let mut left = THOROUGH_EFFORT;
        let mut found = Vec::new();
        let mut others = Vec::new();
        for check in checks.iter().copied() {
            let bound = most.min(left);
            let bounds = Bounds { contradiction: bound, proof: bound };
            let alone = if left == 0 {
                None
            } else {
                let (alone, spent) = alone_within(self.outcome, self.explainer, self.stated, check, bounds);
                left = left.saturating_sub(spent);
                alone
            };
            match alone {
                Some(alone) => found.push(alone),
                None => others.push(check),
            }
        }
        found.extend(self.explained(&others, proof));
        found.sort_by_key(|needs| needs.check);
        found
    }
    /// Attributes the needs of the common proof to each goal. If that proof does not use the goal's token, the facts there
    /// are contradictory.
    fn explained(&mut self, checks: &[CheckId], proof: Proof<K>) -> Vec<Needs<K>> {
        let vacuous = self.vacuous(checks, &proof);
        let effort = proof.effort;
        let of_all: Vec<K> = proof.needs.into_iter().filter_map(Usable::element).collect();
        let needs = |check: &CheckId| Needs {
            check: *check,
            vacuous: vacuous.contains(check),
            lost: false,
            needs: of_all.clone(),
            effort,
        };
        checks.iter().map(needs).collect()
    }
    /// The goals whose facts are contradictory. If the last goal of a block is reached, so are the others.
    fn vacuous(&mut self, checks: &[CheckId], proof: &Proof<K>) -> BTreeSet<CheckId> {
        let used = |check: &CheckId| proof.needs.contains(&Usable::Goal(*check));
        let mut vacuous: BTreeSet<CheckId> = checks.iter().copied().filter(|check| !used(check)).collect();
        let mut blocks: BTreeMap<Option<usize>, Vec<CheckId>> = BTreeMap::new();
        for check in checks {
            let block = self.outcome.notes.history.at(*check).map(|seen| seen.block);
            blocks.entry(block).or_default().push(*check);
        }
        let mut left = proof.effort / AFTERTHOUGHT_SHARE;
        let falsity = self.outcome.tree.terms.falsity();
        for mut block in blocks.into_values() {
            while let (Some(check), true) = (block.pop(), left > 0) {
                if vacuous.contains(&check) {
                    continue;
                }
                let outcome = &*self.outcome;
                let question = CoreQuery::new(outcome, check, |node| (self.stated)(outcome, node));
                let all = (0..question.names.len()).collect();
                let (core, spent) = question.ask(outcome, self.explainer, falsity, left, all);
                left = left.saturating_sub(spent);
                if core.is_none() {
                    break;
                }
                vacuous.insert(check);
            }
        }
        vacuous
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
