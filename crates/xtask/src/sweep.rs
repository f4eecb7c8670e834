//! Shared by commands that run over many programs: options, the binary, and parallelism.

use crate::command::Binary;
use crate::corpus::{corpus, programs};
use crate::echis::Echis;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Args)]
#[group(skip)]
pub struct Options {
    /// The folder [default: the shared corpus]
    folder: Option<PathBuf>,
    /// Every Nth program only
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
    /// Time limit per file; files that take longer are omitted
    #[arg(long, value_name = "N", default_value_t = 20)]
    seconds: u64,
    /// Number of parallel runs
    #[arg(long, value_name = "N", default_value = "2")]
    jobs: NonZeroUsize,
    #[command(flatten)]
    binary: Binary,
}

/// The programs to run, and how.
pub struct Sweep {
    pub echis: Echis,
    /// The time limit of one run.
    pub seconds: String,
    pub jobs: usize,
    pub files: Vec<String>,
}

impl Sweep {
    pub fn new(options: &Options) -> Result<Self, String> {
        let echis = options.binary.find()?;
        let folder = options.folder.clone().or_else(|| Some(corpus()?.join("viper")));
        let files = folder.map(|folder| programs(&folder)).unwrap_or_default();
        let files = files.into_iter().step_by(options.every.get()).collect();
        Ok(Sweep { echis, seconds: options.seconds.to_string(), jobs: options.jobs.get(), files })
    }
    /// Processes every program, several in parallel. The number is the program's index.
    pub fn each(&self, look: impl Fn(usize, &str) + Sync) {
        each(&self.files, self.jobs, |number, file| look(number, file));
    }
}

/// Processes every item, several in parallel.
pub fn each<T: Sync>(items: &[T], jobs: usize, work: impl Fn(usize, &T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(number) else { break };
                    work(number, item);
                }
            });
        }
    });
}
