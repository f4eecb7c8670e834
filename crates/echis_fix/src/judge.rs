//! What counts as success: the error is gone, no other has come, and nothing has become contradictory.

use crate::Candidate;
use crate::limits::Effort;
use echis::coverage::Edit;
use echis::{FileResult, FileVerdict, Finding, Proposal, Trials};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Tries candidates against one error.
pub(crate) struct Judge<'t, 'a> {
    pub trials: &'t Trials<'a>,
    now: &'a FileResult,
    pub target: &'a Finding,
    /// What was spent before this error was looked at.
    before: u64,
    tried: Cell<usize>,
    effort: Effort,
}

/// A candidate that takes the error away.
#[derive(Clone, Debug)]
pub(crate) struct Success {
    /// Errors that are left in the whole program.
    pub left: usize,
}

/// What becomes of an error.
pub(crate) enum Outcome {
    Gone(Success),
    /// It is gone, but another one has come. This is the first.
    Moved(Box<Finding>),
    Useless,
}

/// Errors by member, id and message: positions move with edits.
type Errors<'e> = BTreeMap<(&'e str, &'e str, &'e str), usize>;

impl<'t, 'a> Judge<'t, 'a> {
    pub fn new(trials: &'t Trials<'a>, now: &'a FileResult, target: &'a Finding, effort: Effort) -> Self {
        Judge { trials, now, target, before: trials.spent(), tried: Cell::new(0), effort }
    }
    /// Whether nothing more may be tried.
    pub fn is_over(&self) -> bool {
        let spent = self.trials.spent() - self.before;
        self.trials.is_over() || spent > self.effort.allowance() || self.tried.get() >= self.effort.trials()
    }
    /// The errors of the member that has the error.
    pub fn errors_beside(&self) -> impl Iterator<Item = &'a Finding> {
        self.now.errors.iter().filter(|finding| finding.member == self.target.member)
    }
    /// Tries a candidate completely.
    pub fn succeeds(&self, candidate: &Candidate) -> Option<Success> {
        match self.outcome(candidate) {
            Outcome::Gone(success) => Some(success),
            Outcome::Moved(_) | Outcome::Useless => None,
        }
    }
    /// What becomes of the error with a candidate.
    pub fn outcome(&self, candidate: &Candidate) -> Outcome {
        let Some(proposal) = self.trials.propose(&candidate.edits) else { return Outcome::Useless };
        match self.attempt(&proposal) {
            Outcome::Gone(_) if !self.is_consistent(&proposal, &candidate.edits) => Outcome::Useless,
            outcome => outcome,
        }
    }
    /// How many errors are left, if the error goes and no other comes. Contradictions are not looked for.
    pub fn takes_away(&self, proposal: &Proposal) -> Option<usize> {
        if let Outcome::Gone(Success { left }) = self.attempt(proposal) { Some(left) } else { None }
    }
    fn attempt(&self, proposal: &Proposal) -> Outcome {
        if self.is_over() {
            return Outcome::Useless;
        }
        let touched = self.trials.touched(proposal);
        let is_touched = |finding: &&Finding| {
            touched.is_none_or(|names| finding.member.as_ref().is_some_and(|member| names.contains(member)))
        };
        let known: Vec<&Finding> = self.now.errors.iter().filter(is_touched).collect();
        // Where nothing else fails, the first error decides.
        let errors = usize::from(known.len() <= 1);
        let Some(then) = self.verify(proposal, errors) else { return Outcome::Useless };
        let mut allowed: Errors<'_> = BTreeMap::new();
        known.iter().for_each(|finding| *allowed.entry(key(finding)).or_default() += 1);
        match allowed.get_mut(&key(self.target)) {
            Some(count) => *count -= 1,
            None => return Outcome::Useless,
        }
        let mut new = None;
        for finding in &then.errors {
            match allowed.get_mut(&key(finding)).filter(|left| **left > 0) {
                Some(left) => *left -= 1,
                None if key(finding) == key(self.target) => return Outcome::Useless,
                None => new = new.or(Some(finding)),
            }
        }
        match new {
            Some(finding) => Outcome::Moved(Box::new(finding.clone())),
            None => Outcome::Gone(Success { left: self.now.errors.len() - known.len() + then.errors.len() }),
        }
    }
    /// The members that a proposal touches, verified. None if there is no answer.
    pub fn verify(&self, proposal: &Proposal, errors: usize) -> Option<FileResult> {
        self.tried.set(self.tried.get() + 1);
        let then = self.trials.verify(proposal, errors);
        let answered = matches!(then.verdict, FileVerdict::Verified | FileVerdict::Failed | FileVerdict::Undecided);
        (answered && then.stopped.is_empty()).then_some(then)
    }
    /// Whether `false` can be proved nowhere that it could not be proved before.
    fn is_consistent(&self, proposal: &Proposal, edits: &[Edit]) -> bool {
        let Some(dead) = self.trials.contradictions(proposal) else { return false };
        if dead.is_empty() {
            return true;
        }
        let Some(before) = self.trials.contradictions_before(proposal) else { return false };
        dead.into_iter().all(|at| back(edits, at).is_some_and(|at| before.contains(&at)))
    }
}

fn key(finding: &Finding) -> (&str, &str, &str) {
    (finding.member.as_deref().unwrap_or_default(), &finding.diagnostic.id, &finding.diagnostic.message)
}

/// Where a place of the edited text was before the edits. What was added was nowhere, except for its start.
pub(crate) fn back(edits: &[Edit], at: usize) -> Option<usize> {
    let edits: BTreeSet<&Edit> = edits.iter().collect();
    let mut shift = 0isize;
    for edit in edits {
        let start = edit.start.checked_add_signed(shift)?;
        if at <= start {
            break;
        }
        if at < start + edit.text.len() {
            return None;
        }
        shift += edit.text.len() as isize - (edit.end - edit.start) as isize;
    }
    at.checked_add_signed(-shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_where_they_were() {
        let edits = [Edit::insert(2, "xyz"), Edit::replace(5, 7, "")];
        assert_eq!([0, 2, 3, 5, 7].map(|at| back(&edits, at)), [Some(0), Some(2), None, Some(2), Some(4)]);
        assert_eq!(back(&edits, 9), Some(8));
    }
}
