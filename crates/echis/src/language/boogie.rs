//! Boogie programs: files whose names end in `.bpl`.

mod counterexample;
mod depend;
mod prune;
mod text;
mod values;
mod walk;

pub use depend::{BoogieDependencies, boogie_dependencies};
pub use prune::{boogie_assertions, prune_boogie};

use crate::checked::result::{broken, front_result};
use crate::checked::{Front, cannot_read, name};
use crate::defect::guarded;
use crate::verify::conclude::{Concluded, Digest, conclude, gather, undecided};
use crate::verify::members::{Progress, Silent, Verified, selects, verify_watched};
use crate::verify::part::restrict;
use crate::verify::settings::Settings;
use crate::verify::solvers::Solvers;
use echis_base::{Diagnostic, Name, SourceFile, SourceMap};
use echis_boogie::Program;
use echis_cover::labels::{LabelCoverage, MemberLabels};
use echis_findings::counterexample::View;
use echis_findings::{FileResult, FileVerdict, Finding};
use echis_proof::{ErrorKind, Failure, Member, Property, Reason};
use echis_syntax::Loader;
use echis_vcg::{Coverage, Engine, Outcome, Use};
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) fn check(path: &Path, beside: &[PathBuf], loader: &dyn Loader, start: Instant) -> FileResult {
    match load(path, beside, loader) {
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
    match load(path, &settings.beside, &*settings.loader) {
        Ok(loaded) => verify_loaded(path, loaded, settings, solvers, progress, start),
        Err(front) => front_result(*front, start),
    }
}

/// A text in the place of the one that the file has.
pub(crate) fn verify_text(path: &Path, text: String, settings: &Settings, solvers: &Solvers) -> FileResult {
    let start = Instant::now();
    let loaded = || load_texts(&[path], vec![text.clone()]);
    let verified = guarded(|| verify_loaded(path, loaded(), settings, solvers, &Silent, start));
    verified.unwrap_or_else(|ended| broken(path, ended, start))
}

fn verify_loaded(
    path: &Path,
    loaded: Loaded,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
    start: Instant,
) -> FileResult {
    let (front, program) = loaded.split(path);
    let Some(program) = program else { return front_result(front, start) };
    let engine = Engine::new(&program);
    if !selects(&engine, settings) {
        return front_result(front, start);
    }
    let examples = settings.counterexample.map(|view| (&front.sources, view));
    let keep = |member: &Member, outcome: Outcome, ()| digest(&program, member, outcome, examples);
    let finish = |verified| {
        let concluded = concluded(&program, verified);
        concluded.tell(&front, progress);
        concluded
    };
    let (settings, part) = restrict(&engine, settings, &front.path, |id| program.syntax.span(id));
    let members = verify_watched(&engine, &settings, solvers, progress, || (), keep, finish);
    let mut result = front_result(front, start);
    gather(members, &mut result);
    result.part = part;
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
        front_result(self.split(path).0, start)
    }
    fn split(self, path: &Path) -> (Front, Option<Program>) {
        let Loaded { sources, program, errors } = self;
        (Front { path: name(path), sources, program: None, diagnostics: errors }, program)
    }
}

/// A program, with other files that belong to it.
pub(crate) fn load(path: &Path, beside: &[PathBuf], loader: &dyn Loader) -> Result<Loaded, Box<Front>> {
    let paths: Vec<&Path> = [path].into_iter().chain(beside.iter().map(PathBuf::as_path)).collect();
    let mut texts = Vec::new();
    for path in &paths {
        let bytes = loader.open(path).map_err(|error| Box::new(cannot_read(path, &error)))?;
        texts.push(echis_syntax::decode(&bytes));
    }
    Ok(load_texts(&paths, texts))
}

fn load_texts(paths: &[&Path], texts: Vec<String>) -> Loaded {
    let mut sources = SourceMap::default();
    let all: Vec<&str> = texts.iter().map(String::as_str).collect();
    let checked = echis_boogie::check_texts(sources.next_file(), &all);
    for ((path, text), renumberings) in paths.iter().zip(texts).zip(checked.renumberings) {
        sources.add(SourceFile::new(name(path), text).renumbered(renumberings));
    }
    if checked.library {
        sources.add(SourceFile::new("<base.bpl>", echis_boogie::LIBRARY));
    }
    Loaded { sources, program: checked.program, errors: checked.errors }
}

/// What is kept of a member's outcome. One that cannot be verified here is no valid program for us.
/// Perhaps with counterexamples.
fn digest(program: &Program, member: &Member, outcome: Outcome, examples: Option<(&SourceMap, View)>) -> Digest {
    let is_unsupported = |failure: &Failure| failure.property.reason == Reason::FeatureUnsupported;
    let unsupported = outcome.failures.iter().any(is_unsupported);
    let mut findings: Vec<Finding> =
        outcome.failures.iter().map(|failure| finding(program, &member.name, failure)).collect();
    if let Some((sources, view)) = examples {
        counterexample::explain(program, sources, &outcome, &mut findings, view);
    }
    let mut digest = Digest::new(outcome, findings);
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

/// Verifies a Boogie program and says which elements with a label its proofs need. Without a proof there is only what is
/// wrong with it.
pub fn cover_labels(
    path: &Path,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
) -> Result<(FileResult, LabelCoverage), Box<FileResult>> {
    let start = Instant::now();
    let loaded = match guarded(|| load(path, &settings.beside, &*settings.loader)) {
        Ok(Ok(loaded)) => loaded,
        Ok(Err(front)) => return Err(Box::new(front_result(*front, start))),
        Err(ended) => return Err(Box::new(broken(path, ended, start))),
    };
    let (front, program) = loaded.split(path);
    let Some(program) = program else { return Err(Box::new(front_result(front, start))) };
    let engine = Engine::new(&program);
    if !selects(&engine, settings) {
        return Err(Box::new(front_result(front, start)));
    }
    let explain = |member: &Member, mut outcome: Outcome, ()| {
        let mut labels = None;
        if outcome.failures.is_empty() {
            let mut replaying = solvers.take_replay(&settings.cancel);
            replaying.replay.begin();
            labels = Some(echis_vcg::cover(&mut outcome, &mut replaying.replay));
            solvers.give_back_replay(replaying);
        }
        (digest(&program, member, outcome, None), labels)
    };
    let finish = |verified: Verified<(Digest, Option<Coverage>)>| {
        let Verified { member, time, result, found } = verified;
        let (result, labels) = match result {
            Ok((digest, labels)) => (Ok(digest), labels.map(|labels| member_labels(&member.name, labels))),
            Err(ended) => (Err(ended), None),
        };
        (concluded(&program, Verified { member, time, result, found }), labels)
    };
    let settings = Settings { counterexample: None, ..settings.clone() };
    let found = verify_watched(&engine, &settings, solvers, progress, || (), explain, finish);
    let (members, labels): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let coverage = LabelCoverage { members: labels.into_iter().flatten().collect() };
    let mut result = front_result(front, start);
    gather(members, &mut result);
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
