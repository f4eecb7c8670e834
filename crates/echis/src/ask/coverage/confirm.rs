//! Verifies edited programs. Only members that an edit can affect are verified again.

use crate::ask::dependencies::{Dependencies, explain};
use crate::ask::touched::Names;
use crate::ask::trial::{ProbedFailures, Trials};
use crate::limits::{
    CLAUSES_NAMED, LARGEST_FACTOR, OBLIGATION_FACTOR, OBLIGATION_LEAST, OBLIGATION_USUAL, RUN_FACTOR, RUN_LEAST,
    SURVEY_FACTOR,
};
use crate::verification::Verification;
use crate::verify::members::Silent;
use crate::verify::pattern::Pattern;
use crate::verify::schedule;
use crate::verify::settings::{Settings, Trees};
use crate::verify::verifier::Verifier;
use echis_base::{Edit, Name, Span, moved_back};
use echis_cover::Candidate;
use echis_depend::{Minimization, UserId, owner_name};
use echis_findings::{FileResult, FileVerdict};
use echis_program::reach::Member;

/// The result of verifying a program without some element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TrialVerdict {
    Verified,
    /// It fails without the element, but verifies if only its terms are kept.
    OnlyMentioned,
    Failed,
    /// The edited text is not a valid program.
    Invalid,
    /// Undecided within the limits.
    OutOfTime,
}

/// Candidates that are tried together.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    /// Their indices in the list of candidates.
    pub candidates: Vec<usize>,
    pub edits: Vec<Edit>,
    /// The members that decide the attempt; `None` means all.
    pub touched: Option<Names>,
    /// Further such members, which are verified only if the others verify.
    pub later: Names,
    /// The members that the edits can change; `None` means all. A function that asserts `false` in its body changes
    /// only itself, but its callers may fail because of it.
    pub changed: Option<Names>,
    /// Whether only the meaning is removed, keeping the terms.
    pub hollow: bool,
    /// Whether it needs a separate program: it was invalid with others, or could affect them in ways that are not
    /// tracked: code added at the end of the file changes the call graph, and with that what must terminate.
    pub alone: bool,
}

/// The verdict about an attempt.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub again: TrialVerdict,
    /// The members that do not verify, if that is known of each.
    pub unverified: Names,
}

/// Tries candidates: verifies the program with the edits of attempts.
pub(super) struct CandidateTrials<'a> {
    pub trials: Trials<'a>,
    /// For the survey, most of whose goals cannot be proved.
    survey: Verifier,
    /// The members that fail without edits. Nothing is known about what they need.
    unverified: Names,
    jobs: usize,
}

impl<'a> CandidateTrials<'a> {
    pub fn new(verification: &'a Verification, found: &Dependencies) -> Option<Self> {
        // A member's demands on others show only when the others are verified.
        let settings = Settings { errors: 1, recovers: false, ..verification.settings().for_variation() };
        let limit = RUN_LEAST.max(found.result.time * RUN_FACTOR);
        let members = found.result.members.iter().filter(|member| member.verdict != FileVerdict::Verified);
        let unverified = members.map(|member| member.name.clone()).collect();
        let work = &found.work;
        // What a proof does not need should not make it much longer; unprovable goals would use everything available.
        let most = OBLIGATION_USUAL.max(work.largest.saturating_mul(LARGEST_FACTOR));
        let bound = work.verified.saturating_mul(OBLIGATION_FACTOR).min(most).max(OBLIGATION_LEAST.into());
        let of_survey = work.largest.saturating_mul(SURVEY_FACTOR).max(OBLIGATION_LEAST.into()).min(bound);
        let rlimit = |bound: u64| {
            let bound = u32::try_from(bound).unwrap_or(u32::MAX);
            // The limit is part of remembered verdicts, so it should not change with each edit.
            match verification.verifier().memory() {
                Some(_) => bound.checked_next_power_of_two().unwrap_or(u32::MAX),
                None => bound,
            }
        };
        let known = || found.known.clone();
        let survey = verification.verifier().surveying(known(), rlimit(of_survey));
        let verifier = verification.verifier().knowing(known(), rlimit(bound));
        let jobs = settings.jobs;
        let trials = Trials::with(verifier, verification.checked(), settings, Some(limit))?;
        Some(CandidateTrials { trials, survey, unverified, jobs })
    }
    /// Whether one member of the edited program verifies.
    pub fn verifies(&self, edits: &[Edit], member: &Name) -> bool {
        let settings = self.trials.settings(Some(Pattern::any_of([&**member])));
        let edited = self.trials.checked.edited(edits);
        edited.is_some_and(|edited| self.trials.verify_with(&edited, &settings).verdict == FileVerdict::Verified)
    }
    /// Whether a member verifies without edits. Text outside members belongs to everyone.
    pub fn is_verified(&self, member: &Name) -> bool {
        !self.unverified.contains(member)
    }
    /// The selected members that verify; `None` means all.
    pub fn pattern_of_verified(&self, settings: &Settings) -> Option<Pattern> {
        if self.unverified.is_empty() {
            return settings.members.clone();
        }
        let program = self.trials.program;
        let all = Member::all(program).map(|member| member.name(program));
        let verified = all.filter(|name| self.is_verified(name) && settings.is_selected(name));
        Some(Pattern::any_of(verified.map(|name| &**name)))
    }
    /// Processes items in parallel on all workers.
    pub fn each<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&Self, &T) -> R + Sync) -> Vec<R> {
        let waits = vec![Vec::new(); items.len()];
        schedule::run(&waits, self.jobs, || (), |(), index| work(self, &items[index]))
    }
    /// The number of checks in the members that are verified first without the candidate.
    pub fn cost(&self, candidate: &Candidate, found: &Dependencies) -> usize {
        let touched = self.trials.affected(&candidate.edits);
        let first = needing(candidate, found, &touched);
        let is_verified = |name: &Name| match (&touched, &first) {
            (Some(names), Some(first)) if names.contains(first) => name == first,
            (Some(names), _) => names.contains(name),
            (None, _) => true,
        };
        found.result.members.iter().filter(|member| is_verified(&member.name)).map(|member| member.checks).sum()
    }
    /// Verifies the members that attempts can affect, with up to the given number of programs at a time. An attempt's
    /// verdict is that of the members it affects.
    pub fn judge(&self, attempts: &[Attempt], programs: usize) -> Vec<Judged> {
        // An edit that affects a member that fails anyway proves nothing.
        let shows = |attempt: &&Attempt| {
            attempt.touched.as_ref().map_or(self.unverified.is_empty(), |names| names.is_disjoint(&self.unverified))
        };
        let showing: Vec<&Attempt> = attempts.iter().filter(shows).collect();
        let edits: Vec<Edit> = showing.iter().flat_map(|attempt| attempt.edits.iter().cloned()).collect();
        let edited = if showing.is_empty() { None } else { self.trials.checked.edited(&edits) };
        let result = edited.map(|edited| {
            let members: Option<Vec<&Names>> = showing.iter().map(|attempt| attempt.touched.as_ref()).collect();
            let members = members.map(|all| Pattern::any_of(all.into_iter().flatten().map(|name| &**name)));
            let jobs = (self.jobs / programs).max(1);
            self.trials.verify_with(&edited, &Settings { jobs, ..self.trials.settings(members) })
        });
        let judge = |attempt: &Attempt| match &result {
            _ if !shows(&attempt) => TrialVerdict::Failed,
            _ if self.trials.is_over() => TrialVerdict::OutOfTime,
            Some(result) => again(result, attempt.touched.as_ref()),
            None => TrialVerdict::Invalid,
        };
        let members = result.iter().flat_map(|result| &result.members);
        let unverified = members.filter(|member| member.verdict != FileVerdict::Verified);
        let unverified: Names = unverified.map(|member| member.name.clone()).collect();
        let judged = |attempt: &Attempt| Judged { again: judge(attempt), unverified: unverified.clone() };
        attempts.iter().map(judged).collect()
    }
    /// Where a text with probes fails. `None` if undecided.
    pub fn failing(&self, text: String, members: Option<Pattern>) -> Option<ProbedFailures> {
        self.trials.failing(&self.survey, &self.trials.checked.with_text(text), members)
    }
    /// The contradictory clauses in a member that verifies with an edit asserting `false`. `goal` is the start of the
    /// assertion in the edited text.
    pub fn contradiction(&self, member: &Name, edit: &Edit, goal: usize) -> Option<Vec<Span>> {
        let edits = std::slice::from_ref(edit);
        let trials = &self.trials;
        let checked = trials.checked.edited(edits)?;
        let settings = Settings { trees: Trees::Explained, ..trials.settings(Some(Pattern::any_of([&**member]))) };
        let is_asserted = |span: Span| span.file == trials.main && span.start as usize == goal;
        let wanted = |nodes: &echis_depend::Nodes, user| is_asserted(nodes.all[user].span);
        let (_, found) = explain(&trials.verifier, &checked, &settings, Minimization::Fast.into(), &Silent, wanted);
        let found = found.ok()?;
        if found.result.verdict != FileVerdict::Verified {
            return None;
        }
        let of = found.nodes.all.iter().find(|(_, node)| is_asserted(node.span)).map(|(id, _)| id)?;
        let back = |span: Span| {
            let moved = |offset: u32| moved_back(edits, offset as usize).map_or(offset, |offset| offset as u32);
            if span.file == trials.main {
                Span { start: moved(span.start), end: moved(span.end), ..span }
            } else {
                span
            }
        };
        let direct = found.graph.direct(of).into_iter().filter(|on| *on != of && found.nodes.all[*on].is_shown());
        Some(direct.map(|on| back(found.nodes.all[on].span)).take(CLAUSES_NAMED).collect())
    }
}

/// Of the members with a proof that uses the candidate, the one that contains it, or else the smallest: others may
/// use it only through that one. For a predicate, the smallest member that sees it.
pub(super) fn needing(candidate: &Candidate, found: &Dependencies, touched: &Option<Names>) -> Option<Name> {
    let owner = |user: UserId| owner_name(&found.program, found.nodes.all[user].owner);
    let names: Names = match candidate.node {
        Some(node) => found.graph.dependents([node]).into_iter().map(owner).collect(),
        None => touched.iter().flatten().filter(|name| **name != candidate.owner).cloned().collect(),
    };
    if names.contains(&candidate.owner) {
        return Some(candidate.owner.clone());
    }
    let members = found.result.members.iter().filter(|member| names.contains(&member.name));
    members.min_by_key(|member| member.checks).map(|member| member.name.clone())
}

/// The verdict for some members of an edited program; `None` means all.
fn again(result: &FileResult, members: Option<&Names>) -> TrialVerdict {
    if !matches!(result.verdict, FileVerdict::Verified | FileVerdict::Failed | FileVerdict::Undecided) {
        return TrialVerdict::Invalid;
    }
    let Some(names) = members else { return TrialVerdict::of(result.verdict) };
    let touched = result.members.iter().filter(|found| names.contains(&found.name));
    let verdicts: Vec<TrialVerdict> = touched.map(|found| TrialVerdict::of(found.verdict)).collect();
    let worst = [TrialVerdict::Invalid, TrialVerdict::Failed, TrialVerdict::OutOfTime]
        .into_iter()
        .find(|again| verdicts.contains(again));
    worst.unwrap_or(TrialVerdict::Verified)
}

impl TrialVerdict {
    fn of(verdict: FileVerdict) -> Self {
        match verdict {
            FileVerdict::Verified => TrialVerdict::Verified,
            FileVerdict::Undecided => TrialVerdict::OutOfTime,
            FileVerdict::Failed => TrialVerdict::Failed,
            FileVerdict::Valid | FileVerdict::Invalid | FileVerdict::Error => TrialVerdict::Invalid,
        }
    }
}
