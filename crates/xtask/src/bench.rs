//! Benchmarks, compared with Silicon where available, with the same Z3 on the same machine in the same run.

mod boogie;
mod cover;
mod deps;
mod editor;
mod explain;
mod files;
mod front;
mod growth;
mod library;
mod quantified;
mod silicon;
mod start;

use crate::command::{Binary, Ended, holds};
pub use boogie::on_path;
use clap::{Args, ValueEnum};
pub use silicon::Silicon;
use std::num::NonZeroUsize;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// A one-method program, cold
    Start,
    /// Programs of ../shared/corpus, warm, beside Silicon in one JVM
    Files,
    /// Methods with 10 to 1000 statements, programs with 10 to 1000 methods
    Growth,
    /// Exhales with 1 to 16 quantified chunks alive
    Quantified,
    /// Lines a second before verification, and how that grows
    Front,
    /// What counting and confirming coverage costs beside verifying, on the same programs
    Cover,
    /// What explaining proofs costs beside verifying, and whether the verdicts agree
    Deps,
    /// What `deps` and `cover` cost beside `verify`, in processor time
    Explain,
    /// Boogie's tests and a one-procedure program, beside Boogie with the same Z3
    Boogie,
    /// How long an editor waits for diagnostics and verdicts, and what the server holds
    Editor,
    /// Programs built through the Rust library, beside the same programs as text; many small programs in one process
    Library,
}

#[derive(Args)]
pub struct Options {
    /// What is measured [default: everything]
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// For `files`, `deps`, `cover`, `explain`, `boogie` and `library`: every Nth program only; 1 takes long
    #[arg(long, value_name = "N", default_value = "10")]
    sample: NonZeroUsize,
    /// For `files`, `deps`, `cover`, `explain`, `boogie` and `library`: programs whose path contains the text
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub only: String,
    /// For `files`, `deps`, `cover` and `explain`: seconds for each program
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub limit: u64,
    #[command(flatten)]
    binary: Binary,
}

pub fn run(options: &Options) -> Ended {
    let echis = options.binary.find()?;
    let wants = |part: Part| options.parts.is_empty() || options.parts.contains(&part);
    let compared = wants(Part::Start) || wants(Part::Files);
    let silicon = if compared { Silicon::fetch() } else { Err("not asked for".into()) };
    if let Err(reason) = &silicon {
        println!("Silicon is skipped: {reason}");
    }
    let silicon = silicon.ok();
    for part in Part::value_variants().iter().filter(|part| wants(**part)) {
        match part {
            Part::Start => start::run(&echis, silicon.as_ref()),
            Part::Files => files::run(&echis, silicon.as_ref(), options),
            Part::Growth => growth::run(&echis),
            Part::Quantified => quantified::run(&echis),
            Part::Front => front::run(&echis),
            Part::Cover => cover::run(&echis, options),
            Part::Deps => deps::run(&echis, options),
            Part::Explain => explain::run(&echis, options),
            Part::Boogie => boogie::run(&echis, options),
            Part::Editor => editor::run(&echis),
            Part::Library => library::run(options),
        }
    }
    holds(true)
}

impl Options {
    pub fn sample(&self) -> usize {
        self.sample.get()
    }
}

/// The median of some measurements.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
