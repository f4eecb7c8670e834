//! Verifying edited programs. Only members that an edit can touch are verified again.

use crate::ask::dependencies::{Dependencies, explain};
use crate::ask::touched::{Names, Touched};
use crate::checked::Checked;
use crate::limits::{CLAUSES_NAMED, OBLIGATION_FACTOR, OBLIGATION_LEAST, RUN_FACTOR, RUN_LEAST};
use crate::verification::Verification;
use crate::verify::members::Silent;
use crate::verify::pattern::Pattern;
use crate::verify::schedule;
use crate::verify::settings::{Settings, Trees};
use crate::verify::verifier::Verifier;
use echis_base::{FileId, Name, Span};
use echis_cover::{Candidate, Edit, apply};
use echis_depend::{Minimization, UserId, owner_name};
use echis_findings::{FileResult, FileVerdict};
use echis_program::program::Program;
use std::collections::BTreeSet;
use std::time::Duration;

/// How a program without something fares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TrialVerdict {
    Verified,
    /// It does not verify without, but does where only the terms are left.
    OnlyMentioned,
    Failed,
    /// It is no program any more.
    Invalid,
    /// Undecided within the bounds.
    OutOfTime,
}

/// Candidates that are tried together.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    /// Which ones, by their places in the list.
    pub candidates: Vec<usize>,
    pub edits: Vec<Edit>,
    /// The members that tell what becomes of it; none: all.
    pub touched: Option<Names>,
    /// More of them, which are verified only if those verify.
    pub later: Names,
    /// The members that the edits can change; none: all. A function that asserts `false` in its body changes only itself,
    /// but members that apply it may fail because of it.
    pub changed: Option<Names>,
    /// Whether only the meaning goes, and terms stay.
    pub hollow: bool,
    /// Together with others it was no program, or others may be touched in a way that does not count: what is added at the
    /// end of the file changes who calls whom, and with that what has to end.
    pub alone: bool,
}

/// Where a program with probes fails.
#[derive(Default)]
pub(super) struct FailedObligation {
    /// At its probes.
    pub probes: BTreeSet<usize>,
    /// Elsewhere, for certain.
    pub others: BTreeSet<usize>,
}

/// Verifies the program with edits.
pub(super) struct Trials<'a> {
    verification: &'a Verification,
    program: &'a Program,
    pub main: FileId,
    pub source: &'a str,
    settings: Settings,
    verifier: Verifier,
    limit: Duration,
    touched: Touched<'a>,
    /// The members that do not verify as it is. Nothing is known of what they would need.
    unverified: Names,
}

impl<'a> Trials<'a> {
    pub fn new(verification: &'a Verification, found: &'a Dependencies, main: FileId, settings: &Settings) -> Self {
        // What a member demands of others is seen only in the others.
        let settings = Settings { errors: 1, ..settings.for_variation() };
        let source = &*found.result.sources.file(main).text;
        let limit = RUN_LEAST.max(found.result.time * RUN_FACTOR);
        let members = found.result.members.iter().filter(|member| member.verdict != FileVerdict::Verified);
        let unverified = members.map(|member| member.name.clone()).collect();
        // What was provable before should not take much more now; what is not would take all there is.
        let bound = u32::try_from(found.work.verified.saturating_mul(OBLIGATION_FACTOR))
            .unwrap_or(u32::MAX)
            .max(OBLIGATION_LEAST);
        // Verdicts are remembered with the bound, which should not be another one after each edit.
        let bound = match verification.verifier().memory() {
            Some(_) => bound.checked_next_power_of_two().unwrap_or(u32::MAX),
            None => bound,
        };
        let verifier = verification.verifier().knowing(found.known.clone(), bound);
        let touched = Touched::new(&found.program, main, source.len());
        Trials { verification, program: &found.program, main, source, settings, verifier, limit, touched, unverified }
    }
    /// What becomes of one member of an edited program.
    pub fn verifies(&self, text: String, member: &Name) -> FileVerdict {
        let cancel = self.settings.cancel.within(self.limit);
        let settings = Settings { members: Some(Pattern::any_of([&**member])), cancel, ..self.settings.clone() };
        self.verify(text, &settings).verdict
    }
    fn verify(&self, text: String, settings: &Settings) -> FileResult {
        self.verification.variation(text, settings, &self.verifier)
    }
    /// Whether a member verifies as it is. What stands outside of members is everybody's.
    pub fn is_verified(&self, member: &Name) -> bool {
        !self.unverified.contains(member)
    }
    /// Those members that are selected and verify; none: all.
    pub fn pattern_of_verified(&self, settings: &Settings) -> Option<Pattern> {
        if self.unverified.is_empty() {
            return settings.members.clone();
        }
        let program = self.program;
        let functions = program.functions.values().map(|function| &function.name);
        let predicates = program.predicates.values().map(|predicate| &predicate.name);
        let all = program.methods.values().map(|method| &method.name).chain(functions).chain(predicates);
        let verified = all.filter(|name| self.is_verified(name) && settings.is_selected(name));
        Some(Pattern::any_of(verified.map(|name| &**name)))
    }
    /// Does something for each item, on all workers.
    pub fn each<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&Self, &T) -> R + Sync) -> Vec<R> {
        let waits = vec![Vec::new(); items.len()];
        schedule::run(&waits, self.settings.jobs, || (), |(), index| work(self, &items[index]))
    }
    /// How many checks the members have that are verified first without the candidate.
    pub fn cost(&self, candidate: &Candidate, found: &Dependencies) -> usize {
        let touched = self.touched(&candidate.edits);
        let first = needing(candidate, found, &touched);
        let is_verified = |name: &Name| match (&touched, &first) {
            (Some(names), Some(first)) if names.contains(first) => name == first,
            (Some(names), _) => names.contains(name),
            (None, _) => true,
        };
        found.result.members.iter().filter(|member| is_verified(&member.name)).map(|member| member.checks).sum()
    }
    /// Verifies what attempts that touch different members can touch, in one of so many programs at a time. What becomes of
    /// each is what becomes of the members that it touches.
    pub fn judge(&self, attempts: &[Attempt], programs: usize) -> Vec<TrialVerdict> {
        // Where an edit touches a member that does not verify anyway, it shows nothing.
        let shows = |attempt: &&Attempt| {
            attempt.touched.as_ref().map_or(self.unverified.is_empty(), |names| names.is_disjoint(&self.unverified))
        };
        let showing: Vec<&Attempt> = attempts.iter().filter(shows).collect();
        let edits: Vec<Edit> = showing.iter().flat_map(|attempt| attempt.edits.iter().cloned()).collect();
        let result = apply(&edits, self.source).filter(|_| !showing.is_empty()).map(|text| {
            let members: Option<Vec<&Names>> = showing.iter().map(|attempt| attempt.touched.as_ref()).collect();
            let members = members.map(|all| Pattern::any_of(all.into_iter().flatten().map(|name| &**name)));
            let jobs = (self.settings.jobs / programs).max(1);
            let cancel = self.settings.cancel.within(self.limit);
            self.verify(text, &Settings { jobs, members, cancel, ..self.settings.clone() })
        });
        let judge = |attempt: &Attempt| match &result {
            _ if !shows(&attempt) => TrialVerdict::Failed,
            _ if self.settings.cancel.is_over() => TrialVerdict::OutOfTime,
            Some(result) => again(result, attempt.touched.as_ref()),
            None => TrialVerdict::Invalid,
        };
        attempts.iter().map(judge).collect()
    }
    /// Where the program with probes fails at a probe. None: it was not decided.
    pub fn refuted(&self, text: String, members: Option<Pattern>) -> Option<BTreeSet<usize>> {
        self.surveyed(text, members).map(|failing| failing.probes)
    }
    /// Where a program with probes fails. None: it was not decided.
    pub fn surveyed(&self, text: String, members: Option<Pattern>) -> Option<FailedObligation> {
        let cancel = self.settings.cancel.within(self.limit);
        let settings = Settings { errors: 0, cancel, members, ..self.settings.clone() };
        let result = self.verify(text, &settings);
        let decided = matches!(result.verdict, FileVerdict::Failed | FileVerdict::Undecided | FileVerdict::Verified);
        if !decided || !result.stopped.is_empty() {
            return None;
        }
        let mut failing = FailedObligation::default();
        for finding in &result.errors {
            let diagnostic = &finding.diagnostic;
            // An error may be reported at a clause, and be about a part of it.
            let spans = diagnostic.span.into_iter().chain(diagnostic.related.iter().map(|related| related.span));
            let starts = spans.filter(|span| span.file == self.main).map(|span| span.start as usize);
            match diagnostic.id.starts_with("refute.failed:") {
                true => failing.probes.extend(starts),
                false if finding.undecided.is_none() => failing.others.extend(starts),
                false => {}
            }
        }
        Some(failing)
    }
    /// What contradicts each other in a member, if it verifies with an edit that asserts `false`. The goal is where what
    /// is asserted starts in the edited text.
    pub fn contradiction(&self, member: &Name, edit: &Edit, goal: usize) -> Option<Vec<Span>> {
        let (at, length) = (edit.start, edit.text.len() as u32);
        let text = apply(std::slice::from_ref(edit), self.source)?;
        let checked = Checked::new(self.verification.checked().source().clone().with_text(text));
        let members = Some(Pattern::any_of([&**member]));
        let cancel = self.settings.cancel.within(self.limit);
        let settings = Settings { members, cancel, trees: Trees::Explained, ..self.settings.clone() };
        let is_asserted = |span: Span| span.file == self.main && span.start as usize == goal;
        let wanted = |nodes: &echis_depend::Nodes, user| is_asserted(nodes.all[user].span);
        let (_, found) = explain(&self.verifier, &checked, &settings, Minimization::Fast.into(), &Silent, wanted);
        let found = found.ok()?;
        if found.result.verdict != FileVerdict::Verified {
            return None;
        }
        let of = found.nodes.all.iter().find(|(_, node)| is_asserted(node.span)).map(|(id, _)| id)?;
        let back = |span: Span| {
            let moved = |offset: u32| if offset as usize > at { offset - length } else { offset };
            if span.file == self.main { Span { start: moved(span.start), end: moved(span.end), ..span } } else { span }
        };
        let direct = found.graph.direct(of).into_iter().filter(|on| *on != of && found.nodes.all[*on].is_shown());
        Some(direct.map(|on| back(found.nodes.all[on].span)).take(CLAUSES_NAMED).collect())
    }
    /// The members whose verification the edits can change; none: all.
    pub fn touched(&self, edits: &[Edit]) -> Option<Names> {
        self.touched.by(edits)
    }
}

/// Of the members with a proof that uses what goes, the one in which it stands, or else the smallest one: others may use it
/// only through that one. Of those that see a predicate, the smallest one.
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

/// What became of some members of an edited program; none: of all.
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
