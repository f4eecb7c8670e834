//! Problems, limits and answers.

use echis_term::TermId;

/// A goal to be proved from groups of facts.
#[derive(Clone, Debug)]
pub struct Problem<'p> {
    /// Facts whose use is free.
    pub always: &'p [TermId],
    /// Facts that are used together. A group that must not be used is empty.
    pub groups: Vec<&'p [TermId]>,
    pub goal: TermId,
}

/// Compares cores.
pub trait Preference {
    /// The order in which groups are tried to be dropped.
    fn order(&self, groups: &[usize]) -> Vec<usize>;
    /// The cost of a core; the second number is a tie-breaker.
    fn cost(&self, groups: &[usize]) -> (usize, usize);
    /// Sets of groups of a core that are worth a search for a proof without them.
    fn avoidable(&self, core: &[usize]) -> Vec<Vec<usize>>;
}

/// All groups cost the same; earlier ones are dropped first.
pub struct NoPreference;

impl Preference for NoPreference {
    fn order(&self, groups: &[usize]) -> Vec<usize> {
        groups.to_vec()
    }
    fn cost(&self, groups: &[usize]) -> (usize, usize) {
        (groups.len(), 0)
    }
    fn avoidable(&self, _: &[usize]) -> Vec<Vec<usize>> {
        Vec::new()
    }
}

/// The limits for a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum number of visited terms, counting repetitions.
    pub fuel: usize,
    /// Maximum number of terms of a problem.
    pub terms: usize,
    /// Maximum number of goals that the goal is split into, and of hypotheses of each.
    pub goals: usize,
    /// Maximum number of propagation rounds.
    pub rounds: usize,
    /// Maximum number of rounds of matching triggers with the results of the previous round.
    pub generations: usize,
    /// Maximum nesting of cases.
    pub depth: usize,
    /// Maximum number of cases for one goal.
    pub branches: usize,
    /// Maximum number of comparisons decided by arithmetic at once, and the fuel for each.
    pub decided: usize,
    pub deciding: usize,
    /// Maximum number of choices within a number whose bounds are known without deciding them.
    pub choices: usize,
    /// Maximum number of instances of quantifiers.
    pub instances: usize,
    /// Maximum number of matches of one trigger at once, and of steps to find them.
    pub matches: usize,
    pub match_steps: usize,
    /// The minimum fuel for trying to drop a group, as the fuel divided by this.
    pub refuel: usize,
    /// Maximum number of steps of a trigger; larger ones match nothing.
    pub pattern: usize,
    /// Maximum number of inequalities left by an elimination.
    pub inequalities: usize,
}

/// The answer of a proof search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer<T> {
    Proved(T),
    /// The search was exhausted: the facts do not suffice.
    NoProof,
    /// There may be a proof beyond the limits.
    GaveUp,
}

/// Groups that prove the goal, none of which can be dropped by this engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derivation {
    pub groups: Vec<usize>,
    /// The facts outside all groups that were used too. `None` if there were too many facts to distinguish.
    pub always: Option<Vec<usize>>,
    /// If false, the groups contradict each other.
    pub uses_goal: bool,
    /// Whether the search for the first proof was exhausted; otherwise it may have missed others.
    pub complete: bool,
    /// Whether the search for better proofs was exhausted, too.
    pub all_complete: bool,
}

impl<T> Answer<T> {
    pub fn proof(self) -> Option<T> {
        match self {
            Answer::Proved(proof) => Some(proof),
            Answer::NoProof | Answer::GaveUp => None,
        }
    }
}

impl Answer<Derivation> {
    /// Whether the search may have missed proofs.
    pub fn may_have_missed(&self) -> bool {
        match self {
            Answer::Proved(derivation) => !derivation.complete,
            Answer::NoProof => false,
            Answer::GaveUp => true,
        }
    }
}
