//! Settings shared by the commands that verify.

use crate::args::Solving;
use crate::error::Fallible;
use crate::exit::Exit;
use crate::output::{Output, complain};
use echis::{
    Cache, Cancel, Config, Diagnostic, FileResult, FileVerdict, Finding, Injectivity, Pattern, Settings, Severity,
    Verifier,
};
use std::sync::Arc;
use std::time::Duration;

/// The settings for the options and the verifier, or errors in the options.
pub fn prepare(solving: &Solving, errors: usize, cache: Option<Arc<Cache>>) -> Fallible<(Settings, Verifier)> {
    prepare_with(solving, errors, Config { cache, ..Config::default() })
}

/// Like [`prepare`], with a given configuration.
pub fn prepare_with(solving: &Solving, errors: usize, config: Config) -> Fallible<(Settings, Verifier)> {
    let limit = match solving.timeout {
        Some(seconds) if !seconds.is_finite() || seconds < 0.0 => {
            return Err("--timeout takes a number of seconds that is not negative".into());
        }
        Some(seconds) if seconds > 0.0 => Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
        _ => None,
    };
    let jobs = match solving.jobs {
        Some(0) => return Err("--jobs must be at least 1".into()),
        Some(jobs) => jobs,
        None => std::thread::available_parallelism().map_or(1, |jobs| jobs.get()),
    };
    let cancel = Cancel::after(limit);
    let (solver, rlimit, stop) = (solving.solver.clone(), solving.rlimit, cancel.clone());
    let verifier = Verifier::new(Config { solver, rlimit, stop, ..config })?;
    end_on_interrupt(&cancel);
    let members = (!solving.member.is_empty()).then(|| Pattern::new(solving.member.iter().map(|pattern| &**pattern)));
    let injectivity = match solving.assume_injectivity_on_inhale {
        true => Injectivity::Assumed,
        false => Injectivity::Checked,
    };
    Ok((Settings { jobs, errors, members, injectivity, ..Settings::new(cancel) }, verifier))
}

/// An interrupt ends the solvers and then the run, which reports its results so far. The second interrupt ends the
/// process immediately.
fn end_on_interrupt(cancel: &Cancel) {
    let cancel = cancel.clone();
    let handler = move || {
        if cancel.is_cancelled() {
            std::process::exit(Exit::Failed as i32);
        }
        complain("interrupted");
        cancel.cancel();
    };
    // Without a handler, an interrupt ends the process in the default way, which is acceptable.
    let _ = ctrlc::set_handler(handler);
}

/// Reports which patterns of `--member` selected nothing.
pub fn selected(settings: &Settings) -> Exit {
    let complaints = settings.members.iter().flat_map(Pattern::complaints).map(|text| complain(&text)).count();
    if complaints > 0 { Exit::Invalid } else { Exit::Success }
}

/// Reports patterns without a match as errors of the only file, for programs, which do not read standard error.
pub fn with_unselected(mut file: FileResult, settings: &Settings, output: &Output, files: usize) -> FileResult {
    if !output.is_for_people() && files == 1 {
        for text in settings.members.iter().flat_map(Pattern::complaints) {
            file.errors.push(Finding::new(Diagnostic::new(Severity::Error, "clioption.error", None, text)));
            file.verdict = file.verdict.max(FileVerdict::Invalid);
        }
    }
    file
}
