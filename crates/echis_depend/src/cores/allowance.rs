//! The budget for explaining one member, and what has been spent. Only this module reads solver budgets.

use crate::minimize::Minimization;
use crate::needs::WorkCounts;
use crate::policy::Policy;
use crate::question::Scope;
use echis_proof::Replies;

pub struct Allowance {
    pub minimization: Minimization,
    pub policy: Policy,
    pub counts: WorkCounts,
    /// What it took to look for better proofs than the first ones, and what questions under way may take.
    extra: u64,
    promised: u64,
    /// What was spent on paths that no execution takes.
    closed: u64,
    /// What was spent on assumptions that proofs may not do without.
    doubting: u64,
    /// How often a solver was asked in vain for other proofs since the last time it found one.
    vain_searches: usize,
    /// Failed searches on paths that are not contradictory.
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
            doubting: 0,
            vain_searches: 0,
            vain_nonvacuous: 0,
        }
    }
    /// From the start, but for what verification took.
    pub fn renewed(&self) -> Self {
        let mut allowance = Allowance::new(self.minimization, self.policy);
        allowance.counts.verified = self.counts.verified;
        allowance
    }
}

/// Whether to go on.
impl Allowance {
    /// Whether better proofs than the first ones may still be looked for.
    pub fn may_improve(&self) -> bool {
        let most = self.policy.improving + self.counts.verified / self.policy.improving_share;
        let spent = self.extra.saturating_add(self.promised);
        self.minimization == Minimization::Full || self.minimization == Minimization::Fast && spent < most
    }
    /// Whether a solver is not asked any more.
    pub fn is_spent(&self) -> bool {
        let most = self.policy.replaying + self.policy.replaying_factor * self.counts.verified;
        self.minimization != Minimization::Full && self.counts.replayed > most
    }
    /// Whether the budget for paths that no execution takes is used up.
    pub fn is_spent_on_closed(&self) -> bool {
        let most = self.policy.closed + self.counts.verified / self.policy.closed_share;
        self.minimization != Minimization::Full && self.closed >= most
    }
    /// Whether the budget for assumptions that proofs cannot do without is used up.
    pub fn is_spent_on_doubts(&self) -> bool {
        self.doubting >= self.policy.doubting + self.counts.verified / self.policy.doubting_share
    }
    /// Whether other proofs were looked for in vain too often.
    pub fn is_impatient(&self) -> bool {
        self.is_impatient_after(self.policy.patience)
    }
    pub fn is_impatient_after(&self, patience: usize) -> bool {
        self.minimization == Minimization::Fast && self.vain_searches >= patience
    }
    /// Whether another proof is looked for where there is one of anything.
    pub fn may_seek_nonvacuous(&self) -> bool {
        self.vain_nonvacuous < self.policy.nonvacuous
    }
    /// The searches that may stand in line.
    pub fn queue_length(&self) -> usize {
        self.policy.queue
    }
}

/// How long an answer may take.
impl Allowance {
    /// A first answer, given what the proof took in verification. Another proof that takes longer than the first is hardly
    /// worth it, unless the smallest set is requested.
    pub fn bound(&self, scope: Scope, took: u64, axioms: u64, again: bool) -> u64 {
        let least = match again && self.minimization != Minimization::Full {
            true => self.policy.least_answer,
            false => self.policy.first_answer + self.policy.answer_per_axiom * axioms,
        };
        let bound = (took * self.policy.answer_factor).max(least);
        match (scope, self.minimization) {
            (Scope::All, Minimization::Full) => u64::MAX,
            (Scope::All, _) => self.widened(bound),
            _ => bound,
        }
    }
    /// The bound for a question with more facts.
    pub fn widened(&self, bound: u64) -> u64 {
        bound * self.policy.answer_factor
    }
    /// Whether a proof that took so much is not derived, but asked.
    pub fn is_hard(&self, took: u64) -> bool {
        took > self.policy.hard
    }
    /// The bound when the cost of one proof is known.
    pub fn bound_after(&self, took: u64) -> u64 {
        (took * self.policy.answer_factor).max(self.policy.least_answer)
    }
}

/// What was spent.
impl Allowance {
    /// Each answer counts for something, however little it took.
    fn cost(&self, effort: u64, answers: usize) -> u64 {
        effort + self.policy.answer_cost * answers as u64
    }
    /// So many questions are asked to find better proofs; what they may take together.
    pub fn promise(&mut self, bound: u64, asks: usize) -> u64 {
        let promised = bound.saturating_add(self.policy.answer_cost).saturating_mul(asks as u64);
        self.promised = self.promised.saturating_add(promised);
        promised
    }
    /// They are answered.
    pub fn redeem(&mut self, promised: u64) {
        self.promised = self.promised.saturating_sub(promised);
    }
    pub fn note(&mut self, replies: &Replies, improving: bool, closed: bool) {
        let cost = self.cost(replies.effort, replies.cores.len());
        self.counts.replayed += replies.effort;
        self.extra += if improving { cost } else { 0 };
        self.closed += if closed { cost } else { 0 };
    }
    /// Other proofs were looked for, for which that many searches were begun.
    pub fn note_others(&mut self, effort: u64, searches: usize) {
        self.extra += self.cost(effort, searches);
    }
    pub fn note_doubts(&mut self, replies: &Replies) {
        self.counts.replayed += replies.effort;
        self.doubting += self.cost(replies.effort, replies.cores.len());
    }
    pub fn note_success(&mut self, found: bool) {
        self.vain_searches = if found { 0 } else { self.vain_searches + 1 };
    }
    /// What was found where there was a proof of anything: another one of anything, or one of this.
    pub fn note_nonvacuous(&mut self, vacuous: bool) {
        self.vain_nonvacuous = if vacuous { self.vain_nonvacuous + 1 } else { 0 };
    }
}
