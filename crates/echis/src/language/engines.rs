//! Selects the engine for a program: that of its language or, for Viper programs, the chosen one.

use crate::checked::unverified::{broken, sort};
use crate::checked::{Checked, Language};
use crate::defect::guarded;
use crate::language::{boogie, vcg, viper};
use crate::verify::members::{Progress, Silent};
use crate::verify::part::identify;
use crate::verify::run::Run;
use crate::verify::settings::{EngineChoice, Settings};
use crate::verify::verifier::Verifier;
use echis_base::{Diagnostic, Name, Severity, Span};
use echis_findings::{FileResult, FileVerdict};
use echis_program::program::Program;
use echis_proof::Reason;
use std::collections::BTreeMap;
use std::time::Instant;

/// Verifies a program; one with errors is only reported.
pub(crate) fn verify(checked: &Checked, settings: &Settings, verifier: &Verifier, progress: &dyn Progress) -> Run {
    let run = verify_share(checked, settings, verifier, progress);
    Run { result: identify(run.result, settings, verifier.solvers()), ..run }
}

fn verify_share(checked: &Checked, settings: &Settings, verifier: &Verifier, progress: &dyn Progress) -> Run {
    let start = Instant::now();
    match checked.program() {
        None => Run::unverified(checked.result()),
        Some(Language::Boogie(program)) => {
            let verified = guarded(|| boogie::verify(checked, program, settings, verifier.solvers(), progress));
            verified.unwrap_or_else(|ended| Run::unverified(broken(checked.source().path(), ended, start)))
        }
        Some(Language::Viper(program)) => match settings.engine {
            EngineChoice::Symbolic => viper::verify(checked, program, settings, verifier, progress),
            EngineChoice::Conditions => vcg::verify(checked, program, settings, verifier.solvers(), progress),
            EngineChoice::Both => verify_both(checked, program, settings, verifier, progress),
        },
    }
}

/// The id of the warning that the engines disagree.
pub const DISAGREEMENT: &str = "engines.disagree";

/// Verifies with both engines. The verdict is that of symbolic execution; a warning is reported if verification
/// conditions disagree.
fn verify_both(
    checked: &Checked,
    program: &Program,
    settings: &Settings,
    verifier: &Verifier,
    progress: &dyn Progress,
) -> Run {
    let mut run = viper::verify(checked, program, settings, verifier, progress);
    let result = &mut run.result;
    if !matches!(result.verdict, FileVerdict::Verified | FileVerdict::Failed | FileVerdict::Undecided) {
        return run;
    }
    let other = vcg::verify(checked, program, settings, verifier.solvers(), &Silent).result;
    result.time += other.time;
    if other.verdict == FileVerdict::Error {
        result.verdict = FileVerdict::Error;
        result.stopped.extend(other.stopped.iter().cloned());
    } else if !other.stopped.is_empty() {
        let message = "verification conditions came to no answer for some members";
        result.warnings.push(Diagnostic::new(Severity::Warning, DISAGREEMENT, None, message));
    }
    let differences = differences(&told(result), &told(&other));
    result.warnings.extend(differences);
    sort(&mut result.warnings);
    run
}

/// An engine's results: errors by line and id, each with its member.
type Told<'a> = BTreeMap<(u32, &'a str), (Option<&'a Name>, &'a Diagnostic)>;

fn told(file: &FileResult) -> Told<'_> {
    let line = |span: Option<Span>| span.map_or(0, |span| file.sources.position(span).start.line);
    let errors = file.errors.iter().map(|error| (&error.diagnostic, error.member.as_ref()));
    errors.map(|(found, member)| ((line(found.span), &*found.id), (member, found))).collect()
}

fn differences(symbolic: &Told<'_>, conditions: &Told<'_>) -> Vec<Diagnostic> {
    let warning = |found: &Diagnostic, message| Diagnostic::new(Severity::Warning, DISAGREEMENT, found.span, message);
    // After an obligation that cannot hold, verification conditions prove everything.
    let hidden = |at: u32, member: Option<&Name>| {
        conditions.iter().any(|((line, _), (other, _))| *other == member && *line <= at)
    };
    let mut differences = Vec::new();
    for ((line, id), (member, found)) in symbolic {
        if !conditions.contains_key(&(*line, *id)) && !hidden(*line, *member) {
            let message = format!("symbolic execution finds `{id}` here, verification conditions do not");
            differences.push(warning(found, message));
        }
    }
    for ((line, id), (_, found)) in conditions {
        if !symbolic.contains_key(&(*line, *id)) {
            let message = match id.contains(Reason::FeatureUnsupported.id()) {
                true => format!("verification conditions cannot say anything here: {}", found.message),
                false => format!("verification conditions find `{id}` here, symbolic execution does not"),
            };
            differences.push(warning(found, message));
        }
    }
    differences
}
