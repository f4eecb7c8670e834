//! Determines success: the error is gone, there is no new one, and nothing has become contradictory.

use crate::limits::{Effort, LATER};
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis::{FileResult, FileVerdict, Finding, Proposal, Trials};
use echis_base::{Name, moved_back};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Tries candidates for one error.
pub(crate) struct Judge<'t, 'a> {
    pub trials: &'t Trials<'a>,
    now: &'a FileResult,
    pub target: &'a Finding,
    /// The effort spent before this error.
    before: u64,
    tried: Cell<usize>,
    /// Number of proof obligations checked so far, and the maximum.
    checked: Cell<usize>,
    checks: usize,
    /// Maximum number of programs to verify.
    most_trials: Cell<usize>,
    pub effort: Effort,
}

/// Number of programs verified, and of proof obligations checked.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Spent {
    trials: usize,
    checks: usize,
}

/// The result of a successful candidate.
#[derive(Clone, Debug)]
pub(crate) struct Success {
    /// Number of errors left in the whole program, without those of the members that it breaks.
    pub left: usize,
    /// Number of these that are not consequences of other errors.
    pub causes: usize,
    /// Other members that now fail, because they call or apply a member with a stronger precondition.
    pub breaks: Vec<Name>,
    /// The errors that are gone with it, by their places in the report.
    pub gone: BTreeSet<usize>,
}

/// The effect of a candidate on the error.
pub(crate) enum Effect {
    Gone(Success),
    /// The error is gone, but there is a new one; the first is given.
    Moved(Box<Finding>),
    Useless,
}

/// Number of errors that are not consequences of others.
fn causes<'f>(errors: impl IntoIterator<Item = &'f Finding>) -> usize {
    errors.into_iter().filter(|finding| !finding.cascade).count()
}

/// Errors by member, id and message, since edits change positions.
type Errors<'e> = BTreeMap<(&'e str, &'e str, &'e str), usize>;

impl<'t, 'a> Judge<'t, 'a> {
    /// `spent` is the effort spent on other errors of the program.
    pub fn new(trials: &'t Trials<'a>, now: &'a FileResult, target: &'a Finding, effort: Effort, spent: Spent) -> Self {
        let checks = effort.checks(now.members.iter().map(|member| member.checks).sum());
        let spent = if effort == Effort::Fast { spent } else { Spent::default() };
        let (tried, checked) = (Cell::new(spent.trials), Cell::new(spent.checks));
        let most_trials = Cell::new(effort.trials());
        Judge { trials, now, target, before: trials.spent(), tried, checked, checks, most_trials, effort }
    }
    /// The effort spent so far.
    pub fn spent(&self) -> Spent {
        Spent { trials: self.tried.get(), checks: self.checked.get() }
    }
    /// Whether the budget is used up.
    pub fn is_over(&self) -> bool {
        let spent = self.trials.spent() - self.before;
        self.trials.is_over()
            || spent > self.effort.allowance()
            || self.tried.get() >= self.most_trials.get()
            || self.checked.get() >= self.checks
    }
    /// Whether half of the obligations are checked that may be.
    pub fn is_half_spent(&self) -> bool {
        self.checked.get() * 2 >= self.checks
    }
    /// Lowers the budget after a change was found with which everything verifies.
    pub fn spend_little_more(&self) {
        self.most_trials.set(self.most_trials.get().min(self.tried.get() + LATER));
    }
    /// The errors in the same member.
    pub fn errors_beside(&self) -> impl Iterator<Item = &'a Finding> {
        self.now.errors.iter().filter(|finding| finding.member == self.target.member)
    }
    /// The effect of a candidate on the error.
    pub fn outcome(&self, candidate: &Candidate) -> Effect {
        let Some(proposal) = self.trials.propose(&candidate.edits) else { return Effect::Useless };
        if self.is_over() {
            return Effect::Useless;
        }
        // If nothing else fails, the first error decides, unless callers may fail.
        let errors = usize::from(self.known(&proposal).len() <= 1 && candidate.kind != Kind::Precondition);
        let Some(then) = self.verify(&proposal, errors) else { return Effect::Useless };
        match self.compare(&proposal, &then) {
            Effect::Gone(_) if self.is_believed(candidate, &then) => Effect::Useless,
            Effect::Gone(_) if !self.is_harmless(candidate) => Effect::Useless,
            outcome => outcome,
        }
    }
    /// What becomes of the others, if the error goes and no other comes. Contradictions are not looked for.
    pub fn takes_away(&self, proposal: &Proposal) -> Option<Success> {
        if self.is_over() {
            return None;
        }
        let errors = usize::from(self.known(proposal).len() <= 1);
        let then = self.verify(proposal, errors)?;
        self.left(proposal, &then)
    }
    /// What becomes of the others, if the error is gone and no other has come.
    pub fn left(&self, proposal: &Proposal, then: &FileResult) -> Option<Success> {
        match self.compare(proposal, then) {
            Effect::Gone(success) if success.breaks.is_empty() => Some(success),
            _ => None,
        }
    }
    /// Whether a successful candidate introduces no contradiction. Clauses that are proved before they are assumed
    /// cannot; only clauses that others have to prove are checked.
    pub fn is_harmless(&self, candidate: &Candidate) -> bool {
        match candidate.kind {
            Kind::Slip
            | Kind::Ghost
            | Kind::GhostBlock
            | Kind::Invariant
            | Kind::Assertion
            | Kind::Trigger
            | Kind::Measure => true,
            // The loop may never end, and the lemma may have no body and contradict what is known.
            Kind::Condition
            | Kind::Lemma
            | Kind::Postcondition
            | Kind::Precondition
            | Kind::Predicate
            | Kind::Callee => {
                let proposal = self.trials.propose(&candidate.edits);
                proposal.is_some_and(|proposal| self.is_consistent(&proposal, &candidate.edits))
            }
        }
    }
    /// Whether a new postcondition may hold only because execution goes on as if what fails before it did not.
    fn is_believed(&self, candidate: &Candidate, then: &FileResult) -> bool {
        candidate.kind == Kind::Postcondition && then.errors.iter().any(|error| error.member == self.target.member)
    }
    /// The errors of the members that a proposal touches.
    fn known(&self, proposal: &Proposal) -> Vec<&'a Finding> {
        let touched = self.trials.touched(proposal);
        let is_touched = |finding: &&Finding| {
            touched.is_none_or(|names| finding.member.as_ref().is_some_and(|member| names.contains(member)))
        };
        self.now.errors.iter().filter(is_touched).collect()
    }
    fn compare(&self, proposal: &Proposal, then: &FileResult) -> Effect {
        let known = self.known(proposal);
        let mut allowed: Errors<'_> = BTreeMap::new();
        known.iter().for_each(|finding| *allowed.entry(key(finding)).or_default() += 1);
        match allowed.get_mut(&key(self.target)) {
            Some(count) => *count -= 1,
            None => return Effect::Useless,
        }
        let (mut new, mut breaks, mut broken) = (None, BTreeSet::<Name>::new(), Vec::new());
        for finding in &then.errors {
            match allowed.get_mut(&key(finding)).filter(|left| **left > 0) {
                Some(left) => *left -= 1,
                None if key(finding) == key(self.target) => return Effect::Useless,
                None if self.is_broken_caller(finding) => {
                    broken.push(finding);
                    breaks.extend(finding.member.clone());
                }
                None => new = new.or(Some(finding)),
            }
        }
        match new {
            Some(finding) => Effect::Moved(Box::new(finding.clone())),
            None => {
                let left = self.now.errors.len() - known.len() + then.errors.len() - broken.len();
                let causes = causes(&self.now.errors) - causes(known.iter().copied()) + causes(&then.errors)
                    - causes(broken.iter().copied());
                let is_left = |wanted: &Finding| then.errors.iter().any(|finding| key(finding) == key(wanted));
                let is_known = |wanted: &Finding| known.iter().any(|finding| std::ptr::eq(*finding, wanted));
                let errors = self.now.errors.iter().enumerate();
                let gone = errors.filter(|(_, finding)| is_known(finding) && !is_left(finding)).map(|(at, _)| at);
                Effect::Gone(Success { left, causes, breaks: breaks.into_iter().collect(), gone: gone.collect() })
            }
        }
    }
    /// Whether another member fails because of its obligations to the member with the error.
    fn is_broken_caller(&self, finding: &Finding) -> bool {
        let (error, _) = finding.diagnostic.id.split_once(':').unwrap_or_default();
        finding.member != self.target.member && matches!(error, "call.precondition" | "application.precondition")
    }
    /// Verifies the members that a proposal affects. `None` if undecided, or too expensive.
    pub fn verify(&self, proposal: &Proposal, errors: usize) -> Option<FileResult> {
        if !self.is_affordable(proposal) {
            return None;
        }
        self.tried.set(self.tried.get() + 1);
        let then = self.trials.verify(proposal, errors);
        let checks: usize = then.members.iter().map(|member| member.checks).sum();
        self.checked.set(self.checked.get() + checks.max(1));
        let answered = matches!(then.verdict, FileVerdict::Verified | FileVerdict::Failed | FileVerdict::Undecided);
        (answered && then.stopped.is_empty()).then_some(then)
    }
    /// Whether the budget suffices to verify the members that a proposal affects, given their previous cost.
    fn is_affordable(&self, proposal: &Proposal) -> bool {
        let touched = self.trials.touched(proposal);
        let members = self.now.members.iter();
        let members = members.filter(|member| touched.is_none_or(|names| names.contains(&member.name)));
        let expected: usize = members.map(|member| member.checks).sum();
        self.checked.get() + expected <= self.checks
    }
    /// Whether `false` can be proved only where it could be proved before.
    fn is_consistent(&self, proposal: &Proposal, edits: &[Edit]) -> bool {
        let Some(dead) = self.trials.contradictions(proposal) else { return false };
        if dead.is_empty() {
            return true;
        }
        let Some(before) = self.trials.contradictions_before(proposal) else { return false };
        dead.into_iter().all(|at| moved_back(edits, at).is_some_and(|at| before.contains(&at)))
    }
}

fn key(finding: &Finding) -> (&str, &str, &str) {
    (finding.member.as_deref().unwrap_or_default(), &finding.diagnostic.id, &finding.diagnostic.message)
}
