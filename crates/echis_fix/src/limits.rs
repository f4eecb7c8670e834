//! Limits on the search for fixes.

/// How much effort to spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// A small budget, for unsolicited hints.
    Fast,
    /// For users who are waiting.
    Thorough,
}

impl Effort {
    /// Limit for one obligation of a trial, in solver units.
    pub fn obligation(self) -> u32 {
        match self {
            Effort::Fast => 200_000,
            Effort::Thorough => 4_000_000,
        }
    }
    /// Limit for all trials of one error, in solver units.
    pub(crate) fn allowance(self) -> u64 {
        match self {
            Effort::Fast => 1_000_000,
            Effort::Thorough => 30_000_000,
        }
    }
    /// Maximum number of programs verified: for all errors together if fast, otherwise for each.
    pub(crate) fn trials(self) -> usize {
        match self {
            Effort::Fast => 12,
            Effort::Thorough => 80,
        }
    }
    /// Maximum number of proof obligations checked in trials, relative to those of the program: for all errors
    /// together if fast, otherwise for each.
    pub(crate) fn checks(self, verifying: usize) -> usize {
        match self {
            Effort::Fast => 100 + verifying / 6,
            Effort::Thorough => 1_500 + verifying.saturating_mul(12),
        }
    }
    /// Maximum number of fixes shown for one error.
    pub(crate) fn wanted(self) -> usize {
        match self {
            Effort::Fast => 1,
            Effort::Thorough => 3,
        }
    }
    /// Maximum number of errors for which fixes are sought.
    pub(crate) fn errors(self) -> usize {
        match self {
            Effort::Fast => 3,
            Effort::Thorough => 20,
        }
    }
}

/// Maximum number of programs verified after a complete fix was found, to find others.
pub(crate) const LATER: usize = 3;
/// Maximum number of conjuncts added to a clause to find out which of them hold.
pub(crate) const POOL: usize = 40;
/// Maximum number of conjuncts added to a clause if time is short.
pub(crate) const FEW: usize = 10;
/// Conjuncts that are tried together before all of them are.
pub(crate) const LIKELY: usize = 12;
/// Rounds in which conjuncts that do not hold are dropped.
pub(crate) const ROUNDS: usize = 10;
/// Maximum number of called methods whose postconditions are strengthened.
pub(crate) const CALLEES: usize = 3;
/// Maximum number of sets of conjuncts of which some may contradict others.
pub(crate) const CONTRADICTIONS: usize = 3;
/// Maximum number of edited texts checked for one typo.
pub(crate) const SLIPS: usize = 60;
/// Maximum number of changes that may follow another one.
pub(crate) const STEPS: usize = 2;
/// Maximum number of changes tried as the next one.
pub(crate) const FOLLOWING: usize = 3;
