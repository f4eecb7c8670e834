//! The output of `cover` for all programs of a run: totals, files for other tools, the baseline, HTML pages.

use super::write;
use crate::args;
use crate::error::Fallible;
use crate::exit::Exit;
use crate::output::complain;
use echis::coverage::Coverage;
use echis::depend::Queries;
use echis_report::cover::{Baseline, Tally};

#[derive(Default)]
pub struct Gathered {
    tally: Tally,
    /// The uncovered elements now.
    uncovered: Baseline,
    /// The elements that may be uncovered.
    allowed: Option<Baseline>,
    covered: usize,
    total: usize,
}

impl Gathered {
    /// Reads the baseline, if requested.
    pub fn new(args: &args::Cover) -> Fallible<Self> {
        let Some(path) = &args.baseline else { return Ok(Gathered::default()) };
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{} cannot be read: {error}; write it with --write-baseline", path.display()))?;
        let allowed = Baseline::parse(&text).map_err(|message| format!("{}: {message}", path.display()))?;
        Ok(Gathered { allowed: Some(allowed), ..Gathered::default() })
    }

    /// Adds a program, and checks it against the baseline.
    pub fn add(&mut self, queries: Queries<'_>, coverage: &Coverage) -> Exit {
        self.tally.add(queries);
        self.uncovered.add(queries);
        let (hit, all) = coverage.counts();
        self.covered += hit;
        self.total += all;
        let new = self.allowed.as_ref().map(|allowed| allowed.newly_uncovered(queries)).unwrap_or_default();
        for node in new.iter().filter_map(|user| queries.view.node(*user)) {
            let place = queries.view.place(node);
            complain(format!("{}: {place} {} is not covered, and not in the baseline", node.member, node.text));
        }
        if new.is_empty() { Exit::Success } else { Exit::Failed }
    }

    pub fn summary(&self) -> String {
        let percent = if self.total == 0 { 100.0 } else { 100.0 * self.covered as f64 / self.total as f64 };
        format!("all programs: {} of {} covered ({percent:.1} %)\n", self.covered, self.total)
    }

    /// Writes the requested files.
    pub fn write(&self, args: &args::Cover) -> Exit {
        let mut exit = Exit::Success;
        let mut put = |path: &Option<std::path::PathBuf>, text: &dyn Fn() -> String| {
            if let Some(path) = path {
                exit = exit.max(write(path, &text()));
            }
        };
        put(&args.lcov, &|| self.tally.lcov());
        put(&args.cobertura, &|| self.tally.cobertura());
        put(&args.write_baseline, &|| self.uncovered.to_text());
        exit
    }
}
