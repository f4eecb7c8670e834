//! The budget for explaining one member, and how much of it has been spent. Only this module reads solver budgets.

use crate::minimize::Minimization;
use crate::needs::WorkCounts;
use crate::policy::Policy;
use crate::question::Scope;
use echis_proof::Replies;

pub struct Allowance {
    pub minimization: Minimization,
    pub policy: Policy,
    pub counts: WorkCounts,
    /// Effort spent on better proofs than the first ones, including the limits of questions not answered yet.
    extra: u64,
    promised: u64,
    /// Effort spent on dead paths.
    closed: u64,
    /// Number of consecutive failed searches for other proofs.
    vain_searches: usize,
    /// Number of failed searches for non-vacuous proofs.
    vain_nonvacuous: usize,
}

impl Allowance {
    pub fn new(minimization: Minimization, policy: Policy) -> Self {
        let counts = WorkCounts::default();
        Allowance {
            minimization,
            policy,
            counts,
            extra: 0,
            promised: 0,
            closed: 0,
            vain_searches: 0,
            vain_nonvacuous: 0,
        }
    }
    /// A fresh allowance that keeps the cost of verification.
    pub fn renewed(&self) -> Self {
        let mut allowance = Allowance::new(self.minimization, self.policy);
        allowance.counts.verified = self.counts.verified;
        allowance.counts.largest = self.counts.largest;
        allowance
    }
}

/// Whether to continue.
impl Allowance {
    /// Whether better proofs than the first ones may still be sought.
    pub fn may_improve(&self) -> bool {
        let most = self.policy.improving + self.counts.verified / self.policy.improving_share;
        let spent = self.extra.saturating_add(self.promised);
        self.minimization == Minimization::Full || self.minimization == Minimization::Fast && spent < most
    }
    /// Whether the solver budget is used up.
    pub fn is_spent(&self) -> bool {
        let most = self.policy.replaying + self.policy.replaying_factor * self.counts.verified;
        self.minimization != Minimization::Full && self.counts.replayed > most
    }
    /// Whether the budget for dead paths is used up.
    pub fn is_spent_on_closed(&self) -> bool {
        let most = self.policy.closed + self.counts.verified / self.policy.closed_share;
        self.minimization != Minimization::Full && self.closed >= most
    }
    /// Whether too many searches for other proofs failed.
    pub fn is_impatient(&self) -> bool {
        self.is_impatient_after(self.policy.patience)
    }
    pub fn is_impatient_after(&self, patience: usize) -> bool {
        self.minimization == Minimization::Fast && self.vain_searches >= patience
    }
    /// Whether to seek another proof if the first one is vacuous.
    pub fn may_seek_nonvacuous(&self) -> bool {
        self.vain_nonvacuous < self.policy.nonvacuous
    }
    /// Maximum number of queued searches.
    pub fn queue_length(&self) -> usize {
        self.policy.queue
    }
}

/// Limits for single answers.
impl Allowance {
    /// The limit for an answer, given the cost of the proof in verification. Another proof that takes longer than the
    /// first is hardly worth it, unless the smallest set is requested.
    pub fn bound(&self, scope: Scope, took: u64, axioms: u64, again: bool) -> u64 {
        let least = match again && self.minimization != Minimization::Full {
            true => self.policy.least_answer,
            false => self.policy.first_answer + self.policy.answer_per_axiom * axioms,
        };
        let bound = (took * self.policy.answer_factor).max(least);
        match (scope, self.minimization) {
            (Scope::All, Minimization::Full) => u64::MAX,
            (Scope::All, _) => self.widened(bound),
            (_, Minimization::Full) => bound * self.policy.full_factor,
            _ => bound,
        }
    }
    /// The limit for the same question with more facts.
    pub fn widened(&self, bound: u64) -> u64 {
        bound * self.policy.answer_factor
    }
    /// Whether a proof of this cost is sent to the solver instead of derived.
    pub fn is_hard(&self, took: u64) -> bool {
        took > self.policy.hard
    }
    /// The limit once the cost of one proof is known.
    pub fn bound_after(&self, took: u64) -> u64 {
        (took * self.policy.answer_factor).max(self.policy.least_answer)
    }
}

/// Recording effort.
impl Allowance {
    /// Each answer has a minimum cost.
    fn cost(&self, effort: u64, answers: usize) -> u64 {
        effort + self.policy.answer_cost * answers as u64
    }
    /// Reserves effort for a number of questions that look for better proofs. Returns the total.
    pub fn promise(&mut self, bound: u64, asks: usize) -> u64 {
        let promised = bound.saturating_add(self.policy.answer_cost).saturating_mul(asks as u64);
        self.promised = self.promised.saturating_add(promised);
        promised
    }
    /// Releases what was reserved, once the questions are answered.
    pub fn redeem(&mut self, promised: u64) {
        self.promised = self.promised.saturating_sub(promised);
    }
    pub fn note(&mut self, replies: &Replies, improving: bool, closed: bool) {
        let cost = self.cost(replies.effort, replies.cores.len());
        self.counts.replayed += replies.effort;
        self.extra += if improving { cost } else { 0 };
        self.closed += if closed { cost } else { 0 };
    }
    /// Records a search for other proofs, which started the given number of searches.
    pub fn note_others(&mut self, effort: u64, searches: usize) {
        self.extra += self.cost(effort, searches);
    }
    pub fn note_success(&mut self, found: bool) {
        self.vain_searches = if found { 0 } else { self.vain_searches + 1 };
    }
    /// Records whether the search for a non-vacuous proof found another vacuous one.
    pub fn note_nonvacuous(&mut self, vacuous: bool) {
        self.vain_nonvacuous = if vacuous { self.vain_nonvacuous + 1 } else { 0 };
    }
}
