//! `echis verify`

use super::cover::with_fix;
use crate::args::{self, Cascade, Counterexample, Engine, Warn};
use crate::error::Fallible;
use crate::exit::Exit;
use crate::output::{Output, complain, hide_cascades};
use crate::paths::{shown, together};
use crate::progress::{Bar, Reporting};
use crate::settings::{prepare_with, selected, with_unselected};
use crate::source_values::Values;
use echis::{
    Checked, Config, Confirmation, Costs, EngineChoice, FileResult, Purpose, SecondOpinion, Settings, Share, Source,
    Status, Trees, Variant, Verifier, View,
};
use echis_fix::{Effort, hints};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub fn run(args: &args::Verify) -> Exit {
    let output = Output::new(&args.common, "verify");
    if let Err(message) = combinable(args) {
        complain(&message);
        return Exit::Invalid;
    }
    let cache = args.sharing.open(&args.caching);
    let prepared = cache.and_then(|cache| {
        // Cached verdicts have not been cross-checked.
        let cache = cache.filter(|_| args.cross_check.is_none());
        let config = Config { cache, second: second(args), ..Config::default() };
        Ok((prepare_with(&args.solving, args.errors, config)?, costs(args)?))
    });
    let ((mut settings, verifier), costs) = match prepared {
        Ok(prepared) => prepared,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    settings.counterexample = match args.counterexample {
        Counterexample::Off if args.export_test.is_some() || args.draw.is_some() => Some(View::Extended),
        Counterexample::Off => None,
        Counterexample::Variables => Some(View::Variables),
        Counterexample::Intermediate => Some(View::Intermediate),
        Counterexample::Extended => Some(View::Extended),
        Counterexample::Trace => Some(View::Trace),
    };
    let values = match Values::new(&args.values) {
        Ok(values) => values,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    settings.share = args.shard.map(|shard| Share::shard(shard, costs));
    settings.measure = args.profile;
    settings.engine = match args.engine {
        Engine::Symbolic => EngineChoice::Symbolic,
        Engine::Vcg => EngineChoice::Conditions,
        Engine::Both => EngineChoice::Both,
    };
    let verifier = match args.profile {
        true => verifier.varied(Variant { profile: true, ..Variant::default() }),
        false => verifier,
    };
    let hides = match args.cascade {
        Some(cascade) => cascade == Cascade::Hide,
        None => output.is_for_people(),
    };
    let mut output = output.solved_by(&verifier);
    output.begin();
    let progress = Reporting { bar: Bar::new(output.shows_progress()), output: &output };
    let mut files = Vec::new();
    let found = together(&args.files, args.together);
    let (paths, beside) = match found.and_then(|found| fit(args, &found.0).map(|()| found)) {
        Ok(found) => found,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    let many = args.files.iter().any(|path| path.is_dir());
    for (index, path) in paths.iter().enumerate() {
        progress.bar.file(index, paths.len());
        let mut file = match settings.cancel.is_cancelled() {
            true => echis::not_looked_at(path),
            false => {
                let source = Source::file(path).beside(beside.clone());
                verify(source, &settings, &verifier, &progress, args)
            }
        };
        // A part of a program cannot tell whether a change breaks members of other parts.
        let tries_changes = args.engine == Engine::Symbolic && args.shard.is_none();
        if let Some(effort) = args.hints.effort().filter(|_| tries_changes) {
            with_hints(&mut file, path, &settings, &verifier, effort);
        }
        values.show(&mut file);
        if let Some(part) = &mut file.part {
            part.files = Some(paths.len());
        }
        file = with_unselected(file, &settings, &output, paths.len());
        let hidden = if hides { hide_cascades(&mut file) } else { 0 };
        if many {
            output.one_of_many(&file)
        } else {
            output.file(&file)
        }
        output.hidden_cascades(hidden);
        output.measures(&file);
        files.push(file);
    }
    let mut exit = Exit::of(&files).max(selected(&settings));
    let depfile = args.depfile.as_deref().map_or(Ok(()), |path| crate::depfile::write(path, &files));
    if many {
        output.summary(&files);
    }
    if let Err(message) = written(&files, args, &output).and(depfile) {
        complain(&message);
        exit = exit.max(Exit::Invalid);
    }
    let opinion = verifier.second_opinion();
    if opinion.as_ref().is_some_and(SecondOpinion::contradicts) {
        exit = Exit::Defect;
    }
    drop(progress);
    output.second_opinion(opinion);
    output.end(&files, exit);
    exit
}

/// The requested second solver.
fn second(args: &args::Verify) -> Option<(Option<PathBuf>, Purpose)> {
    let portfolio = args.portfolio.clone().map(|path| (path, Purpose::Portfolio));
    portfolio.or_else(|| args.cross_check.clone().map(|path| (path, Purpose::CrossCheck)))
}

/// Rejects options that the engine does not support.
fn combinable(args: &args::Verify) -> Fallible<()> {
    let wants_counterexamples =
        args.counterexample != Counterexample::Off || args.export_test.is_some() || args.draw.is_some();
    if args.engine == Engine::Vcg && wants_counterexamples {
        return Err("--engine vcg has no counterexamples: use --engine symbolic, or both".into());
    }
    let explains = !args.warn.is_empty() || args.profile || args.stability.is_some();
    if args.engine != Engine::Symbolic && explains {
        return Err("--warn, --profile and --stability are about symbolic execution: leave out --engine".into());
    }
    Ok(())
}

/// Rejects options that do nothing for Boogie programs.
fn fit(args: &args::Verify, paths: &[PathBuf]) -> Fallible<()> {
    let Some(path) = paths.iter().find(|path| echis::is_boogie(path)) else { return Ok(()) };
    let given = [
        ("--engine both", args.engine == Engine::Both, ": they have one engine"),
        ("--warn", !args.warn.is_empty(), ": use `echis cover`"),
        ("--profile", args.profile, ""),
        ("--stability", args.stability.is_some(), ""),
        ("--export-test", args.export_test.is_some(), ""),
        ("--draw", args.draw.is_some(), ""),
    ];
    match given.into_iter().find(|(_, is_given, _)| *is_given) {
        Some((option, _, instead)) => {
            Err(format!("{option} does not apply to Boogie programs, and {} is one{instead}", shown(path)).into())
        }
        None => Ok(()),
    }
}

/// Writes the requested files for counterexamples, named after the program and the line of the error.
fn written(files: &[FileResult], args: &args::Verify, output: &Output) -> Fallible<()> {
    let mut names = BTreeSet::new();
    for (file, error) in files.iter().flat_map(|file| file.errors.iter().map(move |error| (file, error))) {
        let (Some(example), Some(span)) = (&error.counterexample, error.diagnostic.span) else { continue };
        let position = file.sources.position(span);
        let stem = Path::new(&*file.sources.file(span.file).path).file_stem().unwrap_or_default().to_string_lossy();
        let mut name = format!("{stem}-{}", position.start.line);
        while !names.insert(name.clone()) {
            name.push('b');
        }
        if let Some(folder) = &args.export_test
            && example.status == Status::Confirmed
            && let Some(program) = echis_report::export_test(&file.sources, example)
        {
            save(folder, &format!("{name}.vpr"), &program, output)?;
        }
        let graph = echis_report::Graph::new(example);
        if let (Some(folder), true) = (&args.draw, graph.has_pointers()) {
            save(folder, &format!("{name}.dot"), &graph.dot(), output)?;
            save(folder, &format!("{name}.svg"), &graph.svg(), output)?;
        }
    }
    Ok(())
}

fn save(folder: &Path, name: &str, text: &str, output: &Output) -> Fallible<()> {
    let path = folder.join(name);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
    written.map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    output.wrote(&path);
    Ok(())
}

/// The costs of members in earlier runs.
fn costs(args: &args::Verify) -> Fallible<Costs> {
    let Some(path) = &args.shard_by else { return Ok(Costs::new()) };
    let wrong = |why: String| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let report: serde_json::Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let files = report["files"]
        .as_array()
        .ok_or_else(|| wrong("this is not a report of `echis verify --format json`".into()))?;
    let members = files.iter().flat_map(|file| file["members"].as_array().into_iter().flatten());
    Ok(members.filter_map(|member| Some((member["name"].as_str()?.to_string(), member["time_ms"].as_f64()?))).collect())
}

/// Adds fixes. The program is the text that was verified, whatever the file contains by now.
fn with_hints(file: &mut FileResult, path: &Path, settings: &Settings, verifier: &Verifier, effort: Effort) {
    let text = file.sources.files().next().map(|(_, file)| file.text.to_string());
    let Some(text) = text.filter(|_| !file.errors.is_empty() && !echis::is_boogie(path) && !settings.cancel.is_over())
    else {
        return;
    };
    let checked = Checked::new(Source::text(path, text));
    hints(verifier, &checked, settings, file, effort, |_| true);
}

/// Adds warnings about coverage, if requested and the program verifies.
fn verify(
    source: Source,
    settings: &Settings,
    verifier: &Verifier,
    progress: &Reporting,
    args: &args::Verify,
) -> FileResult {
    if let Some(runs) = args.stability {
        let file = verifier.verify_repeatedly(&verifier.check(source), settings, progress, runs as usize);
        let profile = file.profile.filter(|_| args.profile);
        return FileResult { profile, ..file };
    }
    if !args.warn.contains(&Warn::Coverage) {
        return verifier.verify_source(source, settings, progress);
    }
    let settings = Settings { trees: Trees::Kept, fresh: true, ..settings.clone() };
    let verification = verifier.verify(&verifier.check(source), &settings, progress);
    let mut file = FileResult::clone(verification.result());
    if verification.is_verified()
        && let Ok(covered) = verification.coverage(Confirmation::Run)
    {
        let sources = file.sources.clone();
        file.warnings.extend(covered.coverage.causes().map(|warning| with_fix(&sources, warning)));
    }
    file
}
