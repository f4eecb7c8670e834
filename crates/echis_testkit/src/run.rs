//! Verifying many programs in one process, in parallel.

use crate::corpus::Case;
use echis::{Cancel, EngineChoice, FileResult, Settings, Silent, Solvers};
use std::time::Duration;

/// One error for each member, as the corpus expects it.
pub const FIRST_ERROR: usize = 1;

/// Verifies each program on a worker of its own, at most `limit` for each. The results are in the order of the cases.
pub fn verify_all(cases: &[Case], limit: Duration) -> Vec<FileResult> {
    verify_all_by(EngineChoice::Symbolic, cases, limit)
}

/// The same by another engine.
pub fn verify_all_by(engine: EngineChoice, cases: &[Case], limit: Duration) -> Vec<FileResult> {
    let run = Cancel::never();
    let solvers = Solvers::locate(None, None, &run).expect("there is a solver");
    let jobs = std::thread::available_parallelism().map_or(2, |jobs| jobs.get());
    let waits = vec![Vec::new(); cases.len()];
    echis::run(
        &waits,
        jobs,
        || (),
        |(), index| {
            let settings = Settings { errors: FIRST_ERROR, engine, ..Settings::new(run.within(limit)) };
            echis::verify(&cases[index].path, &settings, &solvers, &Silent)
        },
    )
}

/// The errors of a file as line and id.
pub fn reported(file: &FileResult) -> Vec<(u32, String)> {
    let line = |span| file.sources.position(span).start.line;
    let errors = file.errors.iter().map(|finding| &finding.diagnostic);
    let mut reported: Vec<_> = errors.map(|error| (error.span.map_or(0, line), error.id.clone())).collect();
    reported.sort();
    reported.dedup();
    reported
}
