//! `echis verify`

use super::cover::with_fix;
use crate::args::{self, Cascade, Counterexample, Solving, Warn};
use crate::exit::Exit;
use crate::output::{Output, complain};
use crate::paths::programs;
use crate::progress::{Bar, Reporting};
use echis_driver::depend::Account;
use echis_driver::{
    Cancel, Confirmation, Diagnostic, FileResult, FileVerdict, Finding, Pattern, Settings, Severity, Solvers, Variant,
    View,
};
use std::path::Path;
use std::time::Duration;

pub fn run(args: &args::Verify) -> Exit {
    let output = Output::new(&args.common, "verify");
    let (mut settings, solvers) = match prepare(&args.solving, args.errors) {
        Ok(prepared) => prepared,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    settings.counterexample = match args.counterexample {
        Counterexample::Off => None,
        Counterexample::Variables => Some(View::Variables),
        Counterexample::Intermediate => Some(View::Intermediate),
        Counterexample::Extended => Some(View::Extended),
        Counterexample::Trace => Some(View::Trace),
    };
    settings.measure = args.profile;
    let solvers = match args.profile {
        true => solvers.varied(Variant { profile: true, ..Variant::default() }),
        false => solvers,
    };
    let hides = match args.cascade {
        Some(cascade) => cascade == Cascade::Hide,
        None => output.is_for_people(),
    };
    let output = output.solved_by(&solvers);
    output.begin();
    let progress = Reporting { bar: Bar::new(output.shows_progress()), output: &output };
    let mut files = Vec::new();
    let paths = match programs(&args.files) {
        Ok(paths) => paths,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    for path in &paths {
        let mut file = match settings.cancel.is_cancelled() {
            true => echis_driver::not_looked_at(path),
            false => verify(path, &settings, &solvers, &progress, args),
        };
        file = with_unselected(file, &settings, &output, paths.len());
        let hidden = if hides { hide_cascades(&mut file) } else { 0 };
        output.file(&file);
        output.hidden_cascades(hidden);
        output.measures(&file);
        files.push(file);
    }
    let exit = Exit::of(&files).max(selected(&settings));
    output.end(&files, exit);
    exit
}

/// Says which patterns of `--member` selected nothing.
pub fn selected(settings: &Settings) -> Exit {
    let complaints = settings.members.iter().flat_map(Pattern::complaints).map(|text| complain(&text)).count();
    if complaints > 0 { Exit::Invalid } else { Exit::Success }
}

/// The same as errors of the only file, for programs, which do not read what is said on standard error.
pub fn with_unselected(mut file: FileResult, settings: &Settings, output: &Output, files: usize) -> FileResult {
    if !output.is_for_people() && files == 1 {
        for text in settings.members.iter().flat_map(Pattern::complaints) {
            file.errors.push(Finding::new(Diagnostic::new(Severity::Error, "clioption.error", None, text)));
            file.verdict = file.verdict.max(FileVerdict::Invalid);
        }
    }
    file
}

/// With warnings about coverage, if they are wanted and the file verifies.
fn verify(
    path: &Path,
    settings: &Settings,
    solvers: &Solvers,
    progress: &Reporting,
    args: &args::Verify,
) -> FileResult {
    if let Some(runs) = args.stability {
        let file = echis_driver::verify_repeatedly(path, settings, solvers, progress, runs as usize);
        let profile = file.profile.filter(|_| args.profile);
        return FileResult { profile, ..file };
    }
    if args.warn.contains(&Warn::Coverage)
        && let Ok(covered) =
            echis_driver::cover(path, settings, solvers, progress, Confirmation::Run, Account::Together)
    {
        let mut file = covered.found.result;
        if file.verdict == FileVerdict::Verified {
            let sources = file.sources.clone();
            file.warnings.extend(covered.coverage.warnings.iter().map(|warning| with_fix(&sources, warning)));
            return file;
        }
    }
    echis_driver::verify(path, settings, solvers, progress)
}

/// The settings that the options mean, or what is wrong with the options.
pub fn prepare(solving: &Solving, errors: usize) -> Result<(Settings, Solvers), String> {
    let limit = match solving.timeout {
        Some(seconds) if !seconds.is_finite() || seconds < 0.0 => {
            return Err("--timeout takes a number of seconds".into());
        }
        Some(seconds) if seconds > 0.0 => Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
        _ => None,
    };
    let jobs = match solving.jobs {
        Some(0) => return Err("--jobs takes a number from 1 on".into()),
        Some(jobs) => jobs,
        None => std::thread::available_parallelism().map_or(1, |jobs| jobs.get()),
    };
    let cancel = Cancel::after(limit);
    let solvers = Solvers::locate(solving.solver.as_deref(), solving.rlimit, &cancel)?;
    end_on_interrupt(&cancel);
    let members = (!solving.member.is_empty()).then(|| Pattern::new(solving.member.iter().map(|pattern| &**pattern)));
    Ok((Settings { jobs, errors, members, ..Settings::new(cancel) }, solvers))
}

/// Interrupts end the solvers and then the run, which reports what it has. The second interrupt does not wait.
fn end_on_interrupt(cancel: &Cancel) {
    let cancel = cancel.clone();
    let handler = move || {
        if cancel.is_cancelled() {
            std::process::exit(Exit::Failed as i32);
        }
        complain("interrupted");
        cancel.cancel();
    };
    // Without a handler the system's own way to end a process is all there is; that is no reason to fail.
    let _ = ctrlc::set_handler(handler);
}

/// The verdict stays: a file whose only errors are hidden has still failed.
pub fn hide_cascades(file: &mut FileResult) -> usize {
    let before = file.errors.len();
    file.errors.retain(|finding| !finding.cascade);
    before - file.errors.len()
}
