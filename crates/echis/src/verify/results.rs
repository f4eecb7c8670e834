//! Builds the result of a file from the results of its members.

use crate::checked::Checked;
use crate::checked::unverified::sort;
use crate::defect::{Ended, Over};
use crate::verify::members::{Progress, Verified, failing};
use echis_base::{Diagnostic, Name, Span, SyntaxId};
use echis_counterexample::{Failed, FailedObligation, build};
use echis_findings::counterexample::{Counterexample, View};
use echis_findings::diagnose::{self, Place};
use echis_findings::profile::MemberProfile;
use echis_findings::{FileResult, FileVerdict, Finding, MemberResult, Reached, Stopped, merge};
use echis_proof::{Failure, GaveUp, Member, Needed, NoModel, Outcome, ProofTree, Property, Reason, Role, Verdict};

/// The part of a member's outcome that is kept.
pub(crate) struct Digest {
    pub verdict: FileVerdict,
    pub findings: Vec<Finding>,
    pub warnings: Vec<Diagnostic>,
    pub checks: usize,
    /// Set if the solver broke twice on an obligation, which therefore has no answer.
    pub broken: Option<String>,
    pub profile: Option<MemberProfile>,
}

impl Digest {
    /// The digest of an outcome and its findings.
    pub fn new<N>(outcome: &Outcome<N>, findings: Vec<Finding>) -> Self {
        let broken = solver_failure(&outcome.tree);
        let verdict = if broken.is_some() { FileVerdict::Error } else { worst(&findings) };
        let (checks, warnings) = (outcome.checks, outcome.warnings.clone());
        Digest { verdict, findings, checks, warnings, broken, profile: None }
    }

    /// The digest of a member with a known verdict.
    pub fn recalled(findings: Vec<Finding>, checks: usize) -> Self {
        Digest { verdict: worst(&findings), findings, checks, warnings: Vec::new(), broken: None, profile: None }
    }

    /// The digest of a Viper member, with counterexamples if a view is given.
    pub fn viper(place: Place<'_>, outcome: &mut Outcome, view: Option<View>) -> Self {
        let findings = findings(place, outcome, view);
        Digest::new(outcome, findings)
    }
}

/// The findings of a Viper member, with counterexamples if a view is given.
pub(crate) fn findings(place: Place<'_>, outcome: &mut Outcome, view: Option<View>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = outcome.failures.iter().map(|failure| finding(place, failure)).collect();
    if let Some(view) = view {
        for (failure, finding) in outcome.failures.iter().zip(&mut findings) {
            match counterexample(place, &mut outcome.tree, failure, finding, view) {
                Ok(example) => finding.counterexample = Some(example),
                Err(reason) => finding.no_counterexample = Some(reason),
            }
        }
    }
    findings
}

fn worst(findings: &[Finding]) -> FileVerdict {
    let verdict = |finding: &Finding| match finding.undecided {
        Some(_) => FileVerdict::Undecided,
        None => FileVerdict::Failed,
    };
    findings.iter().map(verdict).max().unwrap_or(FileVerdict::Verified)
}

/// The finding for a failure.
pub(crate) fn finding(place: Place<'_>, failure: &Failure) -> Finding {
    Finding {
        cascade: failure.cascade,
        undecided: failure.undecided.as_ref().map(undecided),
        note: failure.note.clone().filter(|_| matters(place, failure)),
        ..diagnose::finding(place, &failure.property, &failure.paths)
    }
}

/// Whether a note about unchecked code after the failure is useful: only if there is such code.
fn matters(place: Place<'_>, failure: &Failure) -> bool {
    failure.property.reason == Reason::FeatureUnsupported || diagnose::something_follows(place, failure.property.at)
}

/// The message for an undecided obligation.
pub(crate) fn undecided(reason: &GaveUp) -> String {
    match reason {
        GaveUp::Incomplete | GaveUp::Resources => {
            "the solver reached its limit and found neither a proof nor a counterexample".to_string()
        }
        GaveUp::Solver(text) => text.clone(),
    }
}

pub(crate) fn counterexample(
    place: Place<'_>,
    tree: &mut ProofTree,
    failure: &Failure,
    finding: &Finding,
    view: View,
) -> Result<Box<Counterexample>, String> {
    let model = match &failure.model {
        Some(Ok(model)) => model,
        Some(Err(reason)) => return Err(no_counterexample(place, reason)),
        None => return Err("the solver was not asked".to_string()),
    };
    let (at, goal) = failing(tree, failure);
    let path = finding.paths.first().cloned().unwrap_or_default();
    let failing = FailedObligation { state: &failure.state, at, goal };
    let Property { at, offending, error, .. } = failure.property;
    let failed = Failed { at, offending, error, id: &finding.diagnostic.id, path };
    Ok(Box::new(build(place, tree, failing, model, &echis_smt::head, view, failed)))
}

fn no_counterexample(place: Place<'_>, reason: &NoModel) -> String {
    match reason {
        NoModel::Follows(needed) => {
            let needed: Vec<String> = needed.iter().map(|needed| needed_text(place, needed)).collect();
            format!(
                "the obligation is valid, but was not proved: it follows from {}; assert that before, or unfold it",
                needed.join(", ")
            )
        }
        _ => no_model(reason),
    }
}

/// The message for a missing counterexample.
pub(crate) fn no_model(reason: &NoModel) -> String {
    match reason {
        NoModel::Proved => {
            "asked for values, the solver found a proof: the obligation exceeds its limit, but is not refuted"
                .to_string()
        }
        NoModel::Follows(_) => "the obligation is valid, but was not proved".to_string(),
        NoModel::GaveUp => "the solver reached its limit before it found values".to_string(),
        NoModel::Solver(text) => format!("the solver failed when asked for values: {text}"),
        NoModel::TimeUp => "the time limit of the run was reached".to_string(),
        NoModel::Unsupported => "the construct is not supported, so nothing was evaluated".to_string(),
    }
}

/// `fac(3)`, or a quantified fact instantiated at some values.
fn needed_text(place: Place<'_>, needed: &Needed) -> String {
    if needed.is_application {
        return format!("`{}`", needed.at);
    }
    let span = place.program.syntax.span(needed.clause);
    let line = place.sources.position(span).start.line;
    format!("`{}` (line {line}) at {}", place.sources.text(span), needed.at)
}

fn solver_failure(tree: &ProofTree) -> Option<String> {
    tree.verdicts.iter().find_map(|(check, verdict)| match (verdict, &tree.checks[check].role) {
        (Verdict::Unknown(GaveUp::Solver(text)), Role::Obligation(_)) => Some(text.clone()),
        _ => None,
    })
}

/// The reported result of a finished member.
#[derive(Clone)]
pub(crate) struct Concluded {
    pub member: MemberResult,
    span: Span,
    pub findings: Vec<Finding>,
    warnings: Vec<Diagnostic>,
    pub stopped: Option<Stopped>,
    profile: Option<MemberProfile>,
}

impl Concluded {
    pub fn is_verified(&self) -> bool {
        self.member.verdict == FileVerdict::Verified && self.warnings.is_empty() && self.stopped.is_none()
    }
    /// Reports it before the file is finished.
    pub fn tell(&self, checked: &Checked, progress: &dyn Progress) {
        let Concluded { member, findings, stopped, .. } = self;
        progress.member_verified(checked.name(), checked.sources(), member, findings, stopped.as_ref());
    }
}

/// Concludes a member, given how its language names locations and failures.
pub(crate) fn conclude(
    verified: Verified<Digest>,
    place: impl Fn(SyntaxId) -> Span,
    words: impl Fn(&Name, &Failure) -> Finding,
) -> Concluded {
    let Verified { member: Member { name, kind, id, .. }, time, result, found, reached } = verified;
    // Failures found before a member ended early are reported.
    let mut findings: Vec<Finding> = found.iter().map(|failure| words(&name, failure)).collect();
    let found_verdict = worst(&findings);
    let (mut warnings, mut profile) = (Vec::new(), None);
    let span = place(id);
    let defect = |message| Stopped::Defect { member: Some(name.clone()), message };
    let (verdict, checks, stopped) = match result {
        Ok(digest) => {
            let verdict = digest.verdict;
            findings.extend(digest.findings);
            (warnings, profile) = (digest.warnings, digest.profile);
            (verdict, digest.checks, digest.broken.map(defect))
        }
        Err(Ended::GaveUp(Over::TimeOut)) => {
            let at = reached
                .latest
                .map(|property| (place(property.at), format!("{}:{}", property.error.id(), property.reason.id())));
            let reached = Reached { obligations: reached.obligations, at };
            let stopped = Stopped::TimeOut { member: name.clone(), span, reached };
            (found_verdict.max(FileVerdict::Undecided), 0, Some(stopped))
        }
        Err(Ended::GaveUp(Over::Interrupted)) => {
            let stopped = Stopped::Interrupted { member: Some((name.clone(), span)) };
            (found_verdict.max(FileVerdict::Undecided), 0, Some(stopped))
        }
        Err(Ended::GaveUp(Over::NoSolver(text)) | Ended::Defect(text)) => (FileVerdict::Error, 0, Some(defect(text))),
    };
    let member = MemberResult { name, kind, verdict, time, checks, cached: false };
    Concluded { member, span, findings, warnings, stopped, profile }
}

/// Puts members in source order and adds their findings to the file's.
pub(crate) fn gather(mut members: Vec<Concluded>, into: &mut FileResult) {
    // Otherwise part of the program was left out.
    if into.verdict == FileVerdict::Valid {
        into.verdict = FileVerdict::Verified;
    }
    members.sort_by(|a, b| (a.span, &a.member.name).cmp(&(b.span, &b.member.name)));
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
    into.errors.extend(merge(errors));
}
