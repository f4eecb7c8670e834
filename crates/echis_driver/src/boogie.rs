//! Boogie programs: files whose names end in `.bpl`.

use crate::check::{broken, front_result, sort};
use crate::defect::{Ended, Over, guarded};
use crate::front::{Front, cannot_read, name};
use crate::read::read;
use crate::schedule;
use crate::solvers::{Solver, Solvers};
use crate::verify::{Progress, Settings};
use echis_analysis::labels::{LabelCoverage, MemberLabels};
use echis_analysis::{FileResult, FileVerdict, Finding, MemberKind, MemberResult, Stopped, merge};
use echis_base::{Diagnostic, Name, SourceFile, SourceMap, Span};
use echis_boogie::Program;
use echis_boogie::program::ImplementationId;
use echis_proof::{CheckId, ErrorKind, GaveUp, Property, Role, Verdict};
use echis_vcg::{Coverage, Outcome, Use};
use std::path::Path;
use std::time::{Duration, Instant};

/// Whether a file is a Boogie program.
pub fn is_boogie(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "bpl")
}

pub(crate) fn check(path: &Path, start: Instant) -> FileResult {
    match load(path) {
        Ok(loaded) => loaded.result(path, start),
        Err(front) => front_result(*front, start),
    }
}

pub(crate) fn verify(
    path: &Path,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
    start: Instant,
) -> FileResult {
    let mut loaded = match load(path) {
        Ok(loaded) => loaded,
        Err(front) => return front_result(*front, start),
    };
    let Some(program) = loaded.program.take() else { return loaded.result(path, start) };
    let keep = |outcome: Outcome, place: &Place<'_>| Digest::new(outcome, place);
    let members = verify_members(&program, settings, solvers, progress, keep);
    let mut result = loaded.result(path, start);
    result.verdict = FileVerdict::Verified;
    let mut findings = Vec::new();
    for member in members {
        collect(member, &mut result, &mut findings);
    }
    sort(&mut result.warnings);
    result.errors = merge(findings);
    result.time = start.elapsed();
    result
}

/// A text that was read and checked.
pub(crate) struct Loaded {
    pub sources: SourceMap,
    pub program: Option<Program>,
    errors: Vec<Diagnostic>,
}

impl Loaded {
    /// A file that was not verified.
    pub fn result(self, path: &Path, start: Instant) -> FileResult {
        let Loaded { sources, errors, .. } = self;
        front_result(Front { path: name(path), sources, program: None, diagnostics: errors }, start)
    }
}

pub(crate) fn load(path: &Path) -> Result<Loaded, Box<Front>> {
    let bytes = read(path).map_err(|message| Box::new(cannot_read(path, message)))?;
    let text = echis_syntax::decode(&bytes);
    let mut sources = SourceMap::default();
    let checked = echis_boogie::check_program(sources.next_file(), &text);
    sources.add(SourceFile::new(name(path), text).renumbered(checked.renumberings));
    if checked.library {
        sources.add(SourceFile::new("<base.bpl>", echis_boogie::LIBRARY));
    }
    Ok(Loaded { sources, program: checked.program, errors: checked.errors })
}

/// A procedure's body that was worked on.
pub(crate) struct Verified<T> {
    pub name: Name,
    span: Span,
    time: Duration,
    pub result: Result<T, Ended>,
}

/// Where a failure was found.
pub(crate) struct Place<'a> {
    pub program: &'a Program,
    pub member: &'a Name,
}

/// Verifies the members that the settings ask for, in the order of the program.
pub(crate) fn verify_members<T: Send>(
    program: &Program,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
    keep: impl Fn(Outcome, &Place<'_>) -> T + Sync,
) -> Vec<Verified<T>> {
    let named = |member: ImplementationId| {
        let implementation = &program.implementations[member];
        (program.procedures[implementation.procedure].name.clone(), program.syntax.span(implementation.id))
    };
    let wanted =
        |member: &ImplementationId| settings.members.as_ref().is_none_or(|pattern| pattern.matches(&named(*member).0));
    let members: Vec<ImplementationId> = echis_vcg::members(program).into_iter().filter(wanted).collect();
    let waits = vec![Vec::new(); members.len()];
    progress.begin(members.len());
    let verified = schedule::run(
        &waits,
        settings.jobs,
        || Worker { solvers, solver: None },
        |worker: &mut Worker<'_>, index| {
            let start = Instant::now();
            let (name, span) = named(members[index]);
            let mut solver = worker.solver.take().unwrap_or_else(|| solvers.take(&settings.cancel));
            let result = guarded(|| {
                solver.begin(false);
                let outcome = echis_vcg::verify(program, members[index], &mut solver);
                keep(outcome, &Place { program, member: &name })
            });
            // A solver that was left in the middle of something is not used again.
            if result.is_ok() {
                worker.solver = Some(solver);
            }
            progress.member_done(&name);
            Verified { name, span, time: start.elapsed(), result }
        },
    );
    progress.end();
    verified
}

/// A thread's own solver.
struct Worker<'a> {
    solvers: &'a Solvers,
    solver: Option<Solver>,
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.solver.take().into_iter().for_each(|solver| self.solvers.give_back(solver, false));
    }
}

/// What is kept of a member's outcome.
struct Digest {
    findings: Vec<Finding>,
    checks: usize,
    unsupported: bool,
    broken: Option<String>,
}

impl Digest {
    fn new(outcome: Outcome, place: &Place<'_>) -> Self {
        let mut findings: Vec<Finding> =
            outcome.failures.iter().filter_map(|check| finding(&outcome, *check, place)).collect();
        let unsupported = outcome.unsupported.is_some();
        if let Some((id, message)) = &outcome.unsupported {
            let span = place.program.syntax.span(*id);
            findings.push(Finding::new(Diagnostic::error("unsupported.feature", span, message.clone())));
        }
        let broken = outcome.tree.verdicts.iter().find_map(|(_, verdict)| match verdict {
            Verdict::Unknown(GaveUp::Solver(text)) => Some(text.clone()),
            _ => None,
        });
        Digest { findings, checks: outcome.tree.checks.len(), unsupported, broken }
    }
    fn verdict(&self) -> FileVerdict {
        let worst = |finding: &Finding| match finding.undecided {
            Some(_) => FileVerdict::Undecided,
            None => FileVerdict::Failed,
        };
        match (&self.broken, self.unsupported) {
            (Some(_), _) => FileVerdict::Error,
            (None, true) => FileVerdict::Invalid,
            (None, false) => self.findings.iter().map(worst).max().unwrap_or(FileVerdict::Verified),
        }
    }
}

fn finding(outcome: &Outcome, check: CheckId, place: &Place<'_>) -> Option<Finding> {
    let Role::Obligation(property) = &outcome.tree.checks[check].role else { return None };
    let undecided = outcome.tree.verdicts.get(check).and_then(Verdict::given_up).map(|reason| match reason {
        GaveUp::Solver(text) => text,
        GaveUp::Incomplete | GaveUp::Resources => {
            "the solver reached its bound, and found neither a proof nor a reason why there is none".to_string()
        }
    });
    let finding = Finding::new(diagnostic(property, place.program));
    Some(Finding { member: Some(place.member.clone()), undecided, ..finding })
}

/// Boogie's words for what could not be shown.
fn diagnostic(property: &Property, program: &Program) -> Diagnostic {
    let (message, related) = match property.error {
        ErrorKind::CallPrecondition => (
            "a precondition for this call could not be proved",
            Some("this is the precondition that could not be proved"),
        ),
        ErrorKind::PostconditionViolated => (
            "a postcondition could not be proved on this return path",
            Some("this is the postcondition that could not be proved"),
        ),
        ErrorKind::InvariantNotEstablished => ("this loop invariant could not be proved on entry", None),
        ErrorKind::InvariantNotPreserved => ("this invariant could not be proved to be maintained by the loop", None),
        ErrorKind::Assignment => ("the precondition for unpack could not be proved", None),
        ErrorKind::Termination => ("measure could not be proved to decrease", None),
        _ => ("this assertion could not be proved", None),
    };
    let id = format!("{}:{}", property.error.id(), property.reason.id());
    let diagnostic = Diagnostic::error(id, program.syntax.span(property.at), message);
    match related {
        Some(text) => diagnostic.related(program.syntax.span(property.offending), text),
        None => diagnostic,
    }
}

fn collect(member: Verified<Digest>, into: &mut FileResult, findings: &mut Vec<Finding>) {
    let Verified { name, span, time, result } = member;
    let (verdict, checks) = match result {
        Ok(digest) => {
            let verdict = digest.verdict();
            let broken = digest.broken.map(|message| Stopped::Defect { member: Some(name.clone()), message });
            into.stopped.extend(broken);
            findings.extend(digest.findings);
            (verdict, digest.checks)
        }
        Err(Ended::GaveUp(Over::TimeOut)) => {
            into.stopped.push(Stopped::TimeOut { member: name.clone(), span });
            (FileVerdict::Undecided, 0)
        }
        Err(Ended::GaveUp(Over::Interrupted)) => {
            into.stopped.push(Stopped::Interrupted { member: Some((name.clone(), span)) });
            (FileVerdict::Undecided, 0)
        }
        Err(Ended::GaveUp(Over::NoSolver(message)) | Ended::Defect(message)) => {
            into.stopped.push(Stopped::Defect { member: Some(name.clone()), message });
            (FileVerdict::Error, 0)
        }
    };
    into.verdict = into.verdict.max(verdict);
    into.members.push(MemberResult { name, kind: MemberKind::Procedure, verdict, time, checks });
}

/// Verifies a Boogie program and says which elements with a label its proofs need. Without a proof there is only what is
/// wrong with it.
pub fn cover_labels(
    path: &Path,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
) -> Result<(FileResult, LabelCoverage), Box<FileResult>> {
    let start = Instant::now();
    let mut loaded = match guarded(|| load(path)) {
        Ok(Ok(loaded)) => loaded,
        Ok(Err(front)) => return Err(Box::new(front_result(*front, start))),
        Err(ended) => return Err(Box::new(broken(path, ended, start))),
    };
    let Some(program) = loaded.program.take() else { return Err(Box::new(loaded.result(path, start))) };
    let explain = |mut outcome: Outcome, place: &Place<'_>| {
        let mut labels = None;
        if outcome.failures.is_empty() && outcome.unsupported.is_none() {
            let mut replaying = solvers.take_replay(&settings.cancel);
            replaying.replay.begin();
            labels = Some(echis_vcg::cover(&mut outcome, &mut replaying.replay));
            solvers.give_back_replay(replaying);
        }
        (Digest::new(outcome, place), labels)
    };
    let members = verify_members(&program, settings, solvers, progress, explain);
    let mut result = loaded.result(path, start);
    result.verdict = FileVerdict::Verified;
    let (mut findings, mut coverage) = (Vec::new(), LabelCoverage::default());
    for Verified { name, span, time, result: found } in members {
        let found = found.map(|(digest, labels)| {
            coverage.members.extend(labels.map(|labels| member_labels(&name, labels)));
            digest
        });
        collect(Verified { name, span, time, result: found }, &mut result, &mut findings);
    }
    result.errors = merge(findings);
    result.time = start.elapsed();
    if result.verdict == FileVerdict::Verified { Ok((result, coverage)) } else { Err(Box::new(result)) }
}

fn member_labels(name: &Name, coverage: Coverage) -> MemberLabels {
    let Coverage { labels, covered } = coverage;
    let uncovered = labels.into_iter().filter(|(label, _)| !covered.contains(label));
    let uncovered = uncovered.map(|(label, becomes)| (label, meaning(becomes))).collect();
    MemberLabels { name: name.clone(), covered, uncovered }
}

/// What it means that no proof needs an element.
fn meaning(becomes: Use) -> &'static str {
    match becomes {
        Use::Assumption => "the assumption is not needed, and can be removed",
        Use::Assertion => "the assertion is proved vacuously",
        Use::Code => "the code is not constrained by the specification, or not reached",
        Use::Postcondition => "the postcondition is proved vacuously",
        Use::Axiom => "the axiom is not needed here",
        Use::Required => "the precondition is established vacuously at this call",
        Use::RequiredAssumed => "the precondition is not needed as a lemma after the call",
        Use::Ensured => "this caller does not need the postcondition",
        Use::Established => "the invariant is established vacuously",
        Use::Maintained => "the invariant is maintained vacuously",
        Use::Assumed => "the invariant is not needed in the loop and behind it",
    }
}
