//! One file from its path to the result of verifying it.

use crate::boogie::{self, is_boogie};
use crate::check::{broken, front_result, sort};
use crate::defect::{Ended, Over, guarded};
use crate::front::check_file;
use crate::interpretations::understood;
use crate::measure::Meter;
use crate::solvers::Solvers;
use crate::verify::{Progress, Settings, Verified, describe, failing, guards, selects, verify_watched};
use echis_analysis::counterexample::{Counterexample, Failing, View, build};
use echis_analysis::measure::MemberProfile;
use echis_analysis::{FileResult, FileVerdict, Finding, MemberResult, Stopped, diagnose, merge};
use echis_base::{Diagnostic, Name, SourceMap, Span};
use echis_exec::{Failure, Outcome};
use echis_program::program::Program;
use echis_proof::{GaveUp, NoModel, ProofTree, Reason, Role, Verdict};
use std::path::Path;
use std::time::Instant;

/// Reads, checks and verifies a file.
pub fn verify(path: &Path, settings: &Settings, solvers: &Solvers, progress: &dyn Progress) -> FileResult {
    let start = Instant::now();
    solvers.warm_up();
    if is_boogie(path) {
        let verified = guarded(|| boogie::verify(path, settings, solvers, progress, start));
        return verified.unwrap_or_else(|ended| broken(path, ended, start));
    }
    let mut front = match guarded(|| check_file(path)) {
        Ok(front) => understood(front, solvers, &settings.cancel),
        Err(ended) => return broken(path, ended, start),
    };
    let Some(program) = front.program.take().filter(|program| selects(program, settings)) else {
        return front_result(front, start);
    };
    let view = settings.counterexample;
    let keep = |member: &Name, outcome: Outcome, meter: Meter| {
        let place = diagnose::Place { program: &program, sources: &front.sources, member };
        let profile = settings.measure.then(|| meter.profile(place, describe(&program, outcome.member).1, &outcome));
        Digest { profile, ..Digest::with(&program, &front.sources, member, outcome, view) }
    };
    let finish = |verified| {
        let concluded = conclude(&program, &front.sources, verified);
        let Concluded { member, findings, stopped, .. } = &concluded;
        progress.member_verified(&front.path, &front.sources, member, findings, stopped.as_ref());
        concluded
    };
    let meter = || Meter::new(settings.measure);
    let members = verify_watched(&program, settings, solvers, progress, meter, keep, finish);
    let mut result = front_result(front, start);
    result.verdict = FileVerdict::Verified;
    gather(members, &mut result);
    result.time = start.elapsed();
    result
}

/// What is kept of a member's outcome.
pub(crate) struct Digest {
    findings: Vec<Finding>,
    warnings: Vec<Diagnostic>,
    checks: usize,
    /// The solver broke twice over an obligation, which therefore has no answer, whatever else was found.
    broken: Option<String>,
    profile: Option<MemberProfile>,
}

impl Digest {
    pub fn new(program: &Program, sources: &SourceMap, member: &Name, outcome: Outcome) -> Self {
        Digest::with(program, sources, member, outcome, None)
    }

    /// With counterexamples, if a view of them is asked for.
    pub fn with(
        program: &Program,
        sources: &SourceMap,
        member: &Name,
        mut outcome: Outcome,
        view: Option<View>,
    ) -> Self {
        let place = diagnose::Place { program, sources, member };
        let mut findings: Vec<Finding> = outcome.failures.iter().map(|failure| finding(place, failure)).collect();
        if let Some(view) = view {
            for (failure, finding) in outcome.failures.iter().zip(&mut findings) {
                match counterexample(place, &mut outcome.tree, failure, finding, view) {
                    Ok(example) => finding.counterexample = Some(example),
                    Err(reason) => finding.no_counterexample = Some(reason),
                }
            }
        }
        let broken = solver_failure(&outcome.tree);
        Digest { findings, warnings: outcome.warnings, checks: outcome.checks, broken, profile: None }
    }

    fn verdict(&self) -> FileVerdict {
        match self.broken {
            Some(_) => FileVerdict::Error,
            None => worst(&self.findings),
        }
    }
}

fn worst(findings: &[Finding]) -> FileVerdict {
    let verdict = |finding: &Finding| match finding.undecided {
        Some(_) => FileVerdict::Undecided,
        None => FileVerdict::Failed,
    };
    findings.iter().map(verdict).max().unwrap_or(FileVerdict::Verified)
}

fn finding(place: diagnose::Place<'_>, failure: &Failure) -> Finding {
    Finding {
        cascade: failure.cascade,
        undecided: failure.undecided.as_ref().map(undecided),
        note: failure.note.clone().filter(|_| matters(place, failure)),
        ..diagnose::finding(place, &failure.property, &guards(&failure.paths))
    }
}

/// What a failure leaves unchecked is worth a note only where there is something to check.
fn matters(place: diagnose::Place<'_>, failure: &Failure) -> bool {
    failure.property.reason == Reason::FeatureUnsupported || diagnose::something_follows(place, failure.property.at)
}

fn undecided(reason: &GaveUp) -> String {
    match reason {
        GaveUp::Incomplete | GaveUp::Resources => {
            "the solver reached its bound, and found neither a proof nor a reason why there is none".to_string()
        }
        GaveUp::Solver(text) => text.clone(),
    }
}

fn counterexample(
    place: diagnose::Place<'_>,
    tree: &mut ProofTree,
    failure: &Failure,
    finding: &Finding,
    view: View,
) -> Result<Box<Counterexample>, String> {
    let model = match &failure.model {
        Some(Ok(model)) => model,
        Some(Err(reason)) => return Err(no_counterexample(reason)),
        None => return Err("the solver was not asked".to_string()),
    };
    let (at, goal) = failing(tree, failure);
    let path = finding.paths.first().cloned().unwrap_or_default();
    let failing = Failing { state: &failure.state, at, goal };
    Ok(Box::new(build(place, tree, failing, model, &echis_smt::head, view, path)))
}

fn no_counterexample(reason: &NoModel) -> String {
    match reason {
        NoModel::Proved => {
            "asked for values, the solver found a proof: the obligation is beyond its effort, and not refuted"
                .to_string()
        }
        NoModel::GaveUp => "the solver reached its bound before it had values".to_string(),
        NoModel::Solver(text) => format!("the solver failed when asked for values: {text}"),
        NoModel::TimeUp => "the time of the run was over".to_string(),
        NoModel::Unsupported => "the construct is not supported, so nothing was evaluated".to_string(),
    }
}

fn solver_failure(tree: &ProofTree) -> Option<String> {
    tree.verdicts.iter().find_map(|(check, verdict)| match (verdict, &tree.checks[check].role) {
        (Verdict::Unknown(GaveUp::Solver(text)), Role::Obligation(_)) => Some(text.clone()),
        _ => None,
    })
}

/// What is to be said about a member that is done.
pub(crate) struct Concluded {
    member: MemberResult,
    span: Span,
    findings: Vec<Finding>,
    warnings: Vec<Diagnostic>,
    stopped: Option<Stopped>,
    profile: Option<MemberProfile>,
}

pub(crate) fn conclude(program: &Program, sources: &SourceMap, verified: Verified<Digest>) -> Concluded {
    let Verified { name, kind, id, time, result, found, .. } = verified;
    // What was found before a member ended early was found all the same.
    let place = diagnose::Place { program, sources, member: &name };
    let mut findings: Vec<Finding> = found.iter().map(|failure| finding(place, failure)).collect();
    let found_verdict = worst(&findings);
    let (mut warnings, mut profile) = (Vec::new(), None);
    let span = program.syntax.span(id);
    let defect = |message| Stopped::Defect { member: Some(name.clone()), message };
    let (verdict, checks, stopped) = match result {
        Ok(digest) => {
            let verdict = digest.verdict();
            findings.extend(digest.findings);
            (warnings, profile) = (digest.warnings, digest.profile);
            (verdict, digest.checks, digest.broken.map(defect))
        }
        Err(Ended::GaveUp(Over::TimeOut)) => {
            (found_verdict.max(FileVerdict::Undecided), 0, Some(Stopped::TimeOut { member: name.clone(), span }))
        }
        Err(Ended::GaveUp(Over::Interrupted)) => {
            let stopped = Stopped::Interrupted { member: Some((name.clone(), span)) };
            (found_verdict.max(FileVerdict::Undecided), 0, Some(stopped))
        }
        Err(Ended::GaveUp(Over::NoSolver(text)) | Ended::Defect(text)) => (FileVerdict::Error, 0, Some(defect(text))),
    };
    let member = MemberResult { name, kind, verdict, time, checks };
    Concluded { member, span, findings, warnings, stopped, profile }
}

/// Puts members into source order and their findings into the file's.
pub(crate) fn collect(program: &Program, verified: Vec<Verified<Digest>>, into: &mut FileResult) {
    let sources = into.sources.clone();
    gather(verified.into_iter().map(|verified| conclude(program, &sources, verified)).collect(), into);
}

fn gather(mut members: Vec<Concluded>, into: &mut FileResult) {
    members.sort_by_key(|member| member.span);
    let mut errors = Vec::new();
    for Concluded { member, findings, warnings, stopped, profile, .. } in members {
        errors.extend(findings);
        into.warnings.extend(warnings);
        into.stopped.extend(stopped);
        if let Some(profile) = profile {
            into.profile.get_or_insert_default().push(profile);
        }
        into.verdict = into.verdict.max(member.verdict);
        into.members.push(member);
    }
    sort(&mut into.warnings);
    into.errors = merge(errors);
}
