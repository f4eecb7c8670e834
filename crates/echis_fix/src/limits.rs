//! What looking for fixes may cost at most.

/// How hard to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Within a small allowance, for hints that were not requested.
    Fast,
    /// For people who wait.
    Thorough,
}

impl Effort {
    /// What one obligation of a trial may take, in solver units.
    pub fn obligation(self) -> u32 {
        match self {
            Effort::Fast => 200_000,
            Effort::Thorough => 4_000_000,
        }
    }
    /// What all trials for one error may take together, in solver units.
    pub(crate) fn allowance(self) -> u64 {
        match self {
            Effort::Fast => 1_000_000,
            Effort::Thorough => 30_000_000,
        }
    }
    /// Programs that are verified: for all errors together if this is fast, otherwise for each.
    pub(crate) fn trials(self) -> usize {
        match self {
            Effort::Fast => 12,
            Effort::Thorough => 80,
        }
    }
    /// Proof obligations that are checked in trials, in relation to those that verifying the program takes: for all errors
    /// together if this is fast, otherwise for each.
    pub(crate) fn checks(self, verifying: usize) -> usize {
        match self {
            Effort::Fast => 100 + verifying / 6,
            Effort::Thorough => 1_500 + verifying.saturating_mul(12),
        }
    }
    /// Fixes that are shown for one error.
    pub(crate) fn wanted(self) -> usize {
        match self {
            Effort::Fast => 1,
            Effort::Thorough => 3,
        }
    }
    /// Errors of one program that fixes are looked for.
    pub(crate) fn errors(self) -> usize {
        match self {
            Effort::Fast => 3,
            Effort::Thorough => 20,
        }
    }
}

/// Programs that are verified after a change was found with which everything verifies, to find others.
pub(crate) const LATER: usize = 8;
/// Conjuncts that are put into one clause to find out which of them hold.
pub(crate) const POOL: usize = 40;
/// As many if there is little time.
pub(crate) const FEW: usize = 10;
/// Conjuncts that are tried together before all of them are.
pub(crate) const LIKELY: usize = 12;
/// Rounds in which conjuncts that do not hold are dropped.
pub(crate) const ROUNDS: usize = 10;
/// Edited texts that are checked for one typing mistake.
pub(crate) const SLIPS: usize = 60;
/// Changes that may have to follow another one.
pub(crate) const STEPS: usize = 2;
/// Changes that are tried as the next one.
pub(crate) const FOLLOWING: usize = 3;
