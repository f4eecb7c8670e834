//! Shared by commands: results, the choice of Echis binary and programs, and running cargo.

use crate::corpus::{corpus, programs};
use crate::echis::{Echis, repository};
use clap::Args;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// The result of a command, or why it could not be completed.
pub type Ended = Result<ExitCode, String>;

/// Whether the measurements meet the goals.
pub fn holds(fine: bool) -> Ended {
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The binary of Echis to run.
#[derive(Args)]
pub struct Binary {
    /// The binary to run [default: a new release build]
    #[arg(long, value_name = "PATH")]
    echis: Option<PathBuf>,
    /// Run the existing release build
    #[arg(long, conflicts_with = "echis")]
    no_build: bool,
}

impl Binary {
    pub fn find(&self) -> Result<Echis, String> {
        self.echis.clone().map_or_else(|| Echis::find(!self.no_build), Echis::at)
    }
}

/// How hard to minimise dependencies.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Minimize {
    Off,
    Fast,
    Full,
}

impl Minimize {
    pub fn name(self) -> &'static str {
        match self {
            Minimize::Off => "off",
            Minimize::Fast => "fast",
            Minimize::Full => "full",
        }
    }
}

/// The given folders, or else the examples and the programs of the corpus.
pub fn folders(paths: &[PathBuf]) -> Vec<PathBuf> {
    if !paths.is_empty() {
        return paths.to_vec();
    }
    let corpus = corpus().map(|corpus| corpus.join("viper"));
    [repository().join("examples")].into_iter().chain(corpus).collect()
}

/// An evenly spread sample of the programs within a range of lengths.
pub fn spread(paths: &[PathBuf], lines: RangeInclusive<usize>, count: usize) -> Vec<String> {
    let fits = |path: &String| std::fs::read_to_string(path).is_ok_and(|text| lines.contains(&text.lines().count()));
    let fitting: Vec<String> = folders(paths).iter().flat_map(|path| programs(path)).filter(fits).collect();
    let step = fitting.len().div_ceil(count.max(1)).max(1);
    fitting.into_iter().step_by(step).take(count).collect()
}

/// Runs cargo and returns its exit status.
pub fn cargo(args: &[&str], environment: &[(&str, String)]) -> Ended {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let status = Command::new(cargo).args(args).envs(environment.iter().map(|(name, value)| (name, value))).status();
    let status = status.map_err(|error| format!("cargo cannot be started: {error}"))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(3)))
}
