//! What is asked, how much may be spent on it, and what the answer is.

use echis_term::TermId;

/// Does the goal follow from the facts, and from which groups of them?
#[derive(Clone, Debug)]
pub struct Problem<'p> {
    /// Facts that cost nothing.
    pub always: &'p [TermId],
    /// Facts that stand or fall together. A group that must not be used is empty.
    pub groups: Vec<&'p [TermId]>,
    pub goal: TermId,
}

/// Which of several cores is better.
pub trait Preference {
    /// Groups in the order in which doing without them is tried.
    fn order(&self, groups: &[usize]) -> Vec<usize>;
    /// What costs less is better; the second number tells apart what costs the same.
    fn cost(&self, groups: &[usize]) -> (usize, usize);
    /// Groups of a core; for each set of them it is worth a search whether there is a proof without all of these.
    fn avoidable(&self, core: &[usize]) -> Vec<Vec<usize>>;
}

/// No group is worse than another; those that come first are dropped first.
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

/// What may be spent on a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Terms that are looked at, again and again.
    pub fuel: usize,
    /// Terms of a problem.
    pub terms: usize,
    /// Goals that the goal is split into, and hypotheses of each.
    pub goals: usize,
    /// Rounds of propagation.
    pub rounds: usize,
    /// How often triggers are matched again with what came of the last time.
    pub generations: usize,
    /// Cases within cases.
    pub depth: usize,
    /// Cases all in all for one goal.
    pub branches: usize,
    /// Comparisons that arithmetic decides at once, and the fuel that each takes.
    pub decided: usize,
    pub deciding: usize,
    /// Choices within a number of which bounds are known without deciding them.
    pub choices: usize,
    /// Instances of quantifiers.
    pub instances: usize,
    /// Ways to match one trigger at once, and the steps to find them.
    pub matches: usize,
    pub match_steps: usize,
    /// Whether a group can be left out is tried with at least the fuel divided by this.
    pub refuel: usize,
    /// Steps of a trigger; larger ones match nothing.
    pub pattern: usize,
    /// Inequalities that the elimination of a variable may leave.
    pub inequalities: usize,
}

/// The answer of a proof search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer<T> {
    Proved(T),
    /// The search came to its end: what is known does not suffice.
    NoProof,
    /// There may be a proof beyond the limits.
    GaveUp,
}

/// Groups that prove the goal, none of which can be left out here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derivation {
    pub groups: Vec<usize>,
    /// Which of what always holds was used too. `None`: there were too many facts to tell them apart.
    pub always: Option<Vec<usize>>,
    /// Otherwise the groups contradict each other.
    pub uses_goal: bool,
    /// Whether the search for the first proof came to its end; otherwise it may have missed others.
    pub complete: bool,
    /// Whether the search for better ones did so too.
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
    /// Whether there may be proofs that the search did not come to.
    pub fn may_have_missed(&self) -> bool {
        match self {
            Answer::Proved(derivation) => !derivation.complete,
            Answer::NoProof => false,
            Answer::GaveUp => true,
        }
    }
}
