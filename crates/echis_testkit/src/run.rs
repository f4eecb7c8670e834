//! Verifies many programs in one process, in parallel.

use crate::corpus::Case;
use echis::{Cancel, Config, EngineChoice, FileResult, Settings, Silent, Source, Verifier};
use std::time::Duration;

/// Report one error per member, as the corpus expects.
pub const FIRST_ERROR: usize = 1;

/// A verifier whose solvers are stopped when `run` is cancelled.
pub fn verifier(run: &Cancel) -> Verifier {
    Verifier::new(Config { stop: run.clone(), ..Config::default() }).expect("Echis brings a solver")
}

/// Verifies programs with one engine. The solver is located only once.
pub struct Bench {
    verifier: Verifier,
    engine: EngineChoice,
}

impl Default for Bench {
    fn default() -> Self {
        Self::new()
    }
}

impl Bench {
    pub fn new() -> Self {
        Self::with_engine(EngineChoice::Symbolic)
    }

    pub fn with_engine(engine: EngineChoice) -> Self {
        let verifier = verifier(&Cancel::never());
        Bench { verifier, engine }
    }

    /// Verifies one program within a time limit.
    pub fn verify(&self, case: &Case, limit: Duration) -> FileResult {
        let cancel = Cancel::never().within(limit);
        let settings = Settings { errors: FIRST_ERROR, engine: self.engine, ..Settings::new(cancel) };
        self.verifier.verify_source(Source::file(&case.path), &settings, &Silent)
    }

    /// Verifies programs in parallel. The results are in the order of the cases.
    pub fn verify_all(&self, cases: &[Case], limit: Duration) -> Vec<FileResult> {
        let jobs = std::thread::available_parallelism().map_or(2, |jobs| jobs.get());
        let waits = vec![Vec::new(); cases.len()];
        echis::run(&waits, jobs, || (), |(), index| self.verify(&cases[index], limit))
    }
}

/// The errors of a file, as line and id.
pub fn reported(file: &FileResult) -> Vec<(u32, String)> {
    let line = |span| file.sources.position(span).start.line;
    let errors = file.errors.iter().map(|finding| &finding.diagnostic);
    let mut reported: Vec<_> = errors.map(|error| (error.span.map_or(0, line), error.id.clone())).collect();
    reported.sort();
    reported.dedup();
    reported
}
