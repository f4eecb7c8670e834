//! `echis report`

use crate::args;
use crate::error::Fallible;
use crate::exit::Exit;
use crate::output::{complain, print};
use crate::paths::{programs, shown};
use crate::progress::Bar;
use crate::settings::{prepare, selected};
use echis::depend::Minimization;
use echis::{
    Confirmation, Covered, Explained, FileResult, Settings, Source, Trees, Variant, Verification, Verifier, View,
};
use echis_report::{Run, Solver, web};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub fn run(args: &args::Report) -> Exit {
    match prepared(args) {
        Ok((paths, settings, verifiers)) => write(args, &paths, &settings, &verifiers),
        Err(message) => {
            complain(&message);
            Exit::Invalid
        }
    }
}

/// The verifiers for explanations and for profiles. Quantifier instances are counted by solvers that are used for
/// nothing else.
struct Verifiers {
    verifier: Verifier,
    profiler: Option<Verifier>,
}

fn prepared(args: &args::Report) -> Fallible<(Vec<PathBuf>, Settings, Verifiers)> {
    if args.timeout_each.is_some_and(|seconds| !seconds.is_finite() || seconds <= 0.0) {
        return Err("--timeout-each takes a positive number of seconds".into());
    }
    let paths = programs(&args.files)?;
    let (settings, verifier) = prepare(&args.solving, 0, None)?;
    let profiler = args.profile.then(|| verifier.varied(Variant { profile: true, ..Variant::default() }));
    Ok((paths, Settings { trees: Trees::Kept, ..settings }, Verifiers { verifier, profiler }))
}

fn write(args: &args::Report, paths: &[PathBuf], settings: &Settings, verifiers: &Verifiers) -> Exit {
    let bar = Bar::new(!args.quiet && std::io::stderr().is_terminal());
    let (mut exit, mut entries) = (Exit::Success, Vec::new());
    for path in paths {
        let (entry, found) = of_program(args, path, settings, verifiers, &bar);
        exit = exit.max(found);
        entries.push(entry);
    }
    exit = exit.max(selected(settings));
    let solver = verifiers.verifier.solver();
    let solver = Solver { name: &solver.name, version: solver.version.as_deref() };
    let document = web::document(Run { command: "report", solver: Some(solver), second: None }, &entries);
    let text = if args.data { document } else { web::page(&title(paths), &document) };
    match std::fs::write(&args.output, &text) {
        Ok(()) if !args.quiet => print(&format!("{} ({} KB)\n", args.output.display(), text.len() / 1000)),
        Ok(()) => {}
        Err(error) => {
            complain(format!("{} cannot be written: {error}", args.output.display()));
            return Exit::Invalid;
        }
    }
    exit
}

fn title(paths: &[PathBuf]) -> String {
    match paths {
        [path] => format!("{} – Echis", shown(path)),
        several => format!("{} programs – Echis", several.len()),
    }
}

/// One program as JSON.
fn of_program(
    args: &args::Report,
    path: &Path,
    settings: &Settings,
    Verifiers { verifier, profiler }: &Verifiers,
    bar: &Bar,
) -> (String, Exit) {
    let limit = args.timeout_each.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let cancel = limit.map_or_else(|| settings.cancel.clone(), |limit| settings.cancel.within(limit));
    let settings = &Settings { cancel, ..settings.clone() };
    let checked = verifier.check(Source::file(path));
    if checked.source().is_boogie() {
        let verification = verifier.explain_any(&checked, settings, Minimization::Fast, bar);
        return of_boogie(&verification);
    }
    let verification = verifier.verify(&checked, settings, bar);
    let confirmation = if args.no_confirm { Confirmation::Skip } else { Confirmation::Run };
    let found = verification.dependencies(Minimization::Fast).ok();
    let covered = verification.coverage(confirmation).ok();
    let examples = verification.counterexamples(View::Trace);
    let profile = profiler.as_ref().and_then(|profiler| {
        let settings = Settings { measure: true, trees: Trees::Dropped, ..settings.clone() };
        profiler.verify(&checked, &settings, bar).result().profile.clone()
    });
    let result = FileResult { profile, ..FileResult::clone(&examples) };
    let outlines = verification.outlines();
    let explained = found.map(Explained::Viper);
    let queries = explained.as_ref().map(Explained::queries);
    let coverage = covered.as_deref().map(|Covered { coverage, .. }| coverage);
    let entry = web::program(&result, web::Proofs { queries, coverage, outlines: &outlines });
    (entry, Exit::from(result.verdict))
}

fn of_boogie(verification: &Verification) -> (String, Exit) {
    match verification.explanation(Minimization::Fast) {
        Ok(found) => {
            let coverage = found.boogie_coverage();
            let proofs = web::Proofs { queries: Some(found.queries()), coverage: coverage.as_ref(), outlines: &[] };
            (web::program(found.result(), proofs), Exit::from(found.result().verdict))
        }
        Err(result) => (web::program(&result, web::Proofs::default()), Exit::from(result.verdict)),
    }
}
