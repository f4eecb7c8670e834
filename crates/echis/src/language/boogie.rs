//! Boogie programs by verification conditions: files whose names end in `.bpl`.

mod attributes;
mod confirm;
mod counterexample;
mod depend;
mod explaining;
mod prune;
mod rounds;
mod text;
mod values;
mod walk;

pub(crate) use confirm::{Wanted, confirm};
pub(crate) use depend::{BoogieDependencies, dependencies};
pub(crate) use prune::{assertions, prune};

use self::explaining::{Explain, Explained, Explaining, apart};
use crate::checked::Checked;
use crate::verify::members::{Progress, Verified, Watcher, selects, verify_watched};
use crate::verify::part::restrict;
use crate::verify::results::{Concluded, Digest, conclude, gather, undecided};
use crate::verify::run::Run;
use crate::verify::settings::{Settings, Trees};
use crate::verify::solvers::Solvers;
use echis_base::{Diagnostic, Name, SourceMap};
use echis_boogie::Program;
use echis_boogie::attributes::Known;
use echis_cover::labels::{LabelCoverage, MemberLabels};
use echis_findings::counterexample::View;
use echis_findings::{FileResult, FileVerdict, Finding};
use echis_proof::{ErrorKind, Explainer, Failure, Member, Property, Reason};
use echis_vcg::{Coverage, Engine, Outcome, Use};
use std::collections::BTreeMap;
use std::time::Instant;

pub(crate) fn verify(
    checked: &Checked,
    program: &Program,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
) -> Run {
    let start = Instant::now();
    let engine = Engine::new(program).eager();
    if !selects(&engine, settings) {
        return Run::unverified(checked.result());
    }
    let examples = settings.counterexample.map(|view| (&**checked.sources(), view));
    let keep = |member: &Member, outcome: Outcome, _: Telling<'_>| digest(program, member, outcome, examples);
    let tell = |member: &Name, failure: &Failure| {
        progress.error_found(checked.name(), checked.sources(), &finding(program, member, failure));
    };
    let finish = |verified| {
        let concluded = concluded(program, verified);
        concluded.tell(checked, progress);
        concluded
    };
    let (settings, part) = restrict(&engine, settings, checked.name(), |id| program.syntax.span(id));
    let settings = Settings { trees: Trees::Dropped, ..settings };
    let members = verify_watched(&engine, &settings, solvers, progress, || Telling(&tell), keep, finish);
    let mut result = checked.result();
    result.warnings.extend(attributes::ignored(program));
    gather(members.clone(), &mut result);
    (result.part, result.time) = (part, result.time + start.elapsed());
    Run { result, members, kept: BTreeMap::new() }
}

/// Reports errors as they are found.
struct Telling<'a>(&'a (dyn Fn(&Name, &Failure) + Sync));

impl Watcher for Telling<'_> {
    fn failed(&mut self, member: &Name, failure: &Failure) {
        (self.0)(member, failure);
    }
}

/// The digest of a member's outcome, with counterexamples if requested. A member that cannot be verified is reported
/// as invalid.
fn digest(program: &Program, member: &Member, outcome: Outcome, examples: Option<(&SourceMap, View)>) -> Digest {
    let is_unsupported = |failure: &Failure| failure.property.reason == Reason::FeatureUnsupported;
    let unsupported = outcome.failures.iter().any(is_unsupported);
    let mut findings: Vec<Finding> =
        outcome.failures.iter().map(|failure| finding(program, &member.name, failure)).collect();
    if let Some((sources, view)) = examples {
        counterexample::explain(program, sources, &outcome, &mut findings, view);
    }
    let mut digest = Digest::new(&outcome, findings);
    if digest.verdict == FileVerdict::Verified {
        digest.warnings.extend(attributes::if_verified(program, member.id));
    }
    if unsupported {
        digest.verdict = digest.verdict.max(FileVerdict::Invalid);
    }
    digest
}

fn concluded(program: &Program, verified: Verified<Digest>) -> Concluded {
    conclude(verified, |id| program.syntax.span(id), |member, failure| finding(program, member, failure))
}

fn finding(program: &Program, member: &Name, failure: &Failure) -> Finding {
    if let (Reason::FeatureUnsupported, Some(message)) = (failure.property.reason, &failure.note) {
        let span = program.syntax.span(failure.property.at);
        return Finding::new(Diagnostic::error("unsupported.feature", span, message.clone()));
    }
    let finding = Finding::new(diagnostic(&failure.property, program));
    Finding { member: Some(member.clone()), undecided: failure.undecided.as_ref().map(undecided), ..finding }
}

/// Boogie's message for an unproved property.
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
    let clause = if related.is_some() { property.offending } else { property.at };
    let own = attributes::text_of(program, clause, Known::Message);
    let message = own.as_deref().unwrap_or(message);
    let diagnostic = Diagnostic::error(id, program.syntax.span(property.at), message);
    match related {
        Some(text) => diagnostic.related(program.syntax.span(property.offending), text),
        None => diagnostic,
    }
}

/// Verifies a Boogie program and returns the labelled elements that its proofs need. Without a proof, returns the
/// errors.
pub(crate) fn labels(
    checked: &Checked,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
) -> Result<(FileResult, LabelCoverage), Box<FileResult>> {
    let start = Instant::now();
    let Some(program) = checked.boogie() else { return Err(Box::new(checked.result())) };
    let engine = Engine::new(program).eager();
    if !selects(&engine, settings) {
        return Err(Box::new(checked.result()));
    }
    let explain = |member: &Member, explained: Explained<Coverage>, ()| {
        let (outcome, labels) = apart(explained);
        (digest(program, member, outcome, None), labels)
    };
    let finish = |verified: Verified<(Digest, Option<Coverage>)>| {
        let Verified { member, time, result, found, reached } = verified;
        let (result, labels) = match result {
            Ok((digest, labels)) => (Ok(digest), labels.map(|labels| member_labels(&member.name, labels))),
            Err(ended) => (Err(ended), None),
        };
        (concluded(program, Verified { member, time, result, found, reached }), labels)
    };
    let settings = Settings { counterexample: None, trees: Trees::Dropped, ..settings.clone() };
    let engine = Explaining { engine, explain: Labels, solvers, cancel: &settings.cancel };
    let found = verify_watched(&engine, &settings, solvers, progress, || (), explain, finish);
    let (members, labels): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let coverage = LabelCoverage { members: labels.into_iter().flatten().collect() };
    let mut result = checked.result();
    gather(members, &mut result);
    result.time += start.elapsed();
    if result.verdict == FileVerdict::Verified { Ok((result, coverage)) } else { Err(Box::new(result)) }
}

struct Labels;

impl Explain for Labels {
    type Found = Coverage;
    fn prove(&self, outcome: &mut Outcome, explainer: &mut dyn Explainer, bound: u64) -> Option<Coverage> {
        echis_vcg::prove_covered(outcome, explainer, bound)
    }
    fn explain(&self, outcome: &mut Outcome, explainer: &mut dyn Explainer) -> Option<Coverage> {
        outcome.failures.is_empty().then(|| echis_vcg::cover(outcome, explainer))
    }
}

fn member_labels(name: &Name, coverage: Coverage) -> MemberLabels {
    let Coverage { labels, covered } = coverage;
    let uncovered = labels.into_iter().filter(|(label, _)| !covered.contains(label));
    let uncovered = uncovered.map(|(label, becomes)| (label, meaning(becomes))).collect();
    MemberLabels { name: name.clone(), covered, uncovered }
}

/// The consequence for an element that no proof needs, for messages.
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
