//! The options of `echis report`.

use super::{LIMITS, OUTPUT, Solving, VERIFICATION};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Report {
    /// Programs, or folders with programs
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where to write the page: one self-contained file, with an index where there are several programs
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    pub output: PathBuf,
    /// Write the data of the page as JSON instead of the page
    #[arg(long, help_heading = OUTPUT)]
    pub data: bool,
    /// Add the instances of each quantifier
    #[arg(long, help_heading = OUTPUT)]
    pub profile: bool,
    /// Count what is covered without confirming coverage warnings, which takes less time
    #[arg(long, help_heading = VERIFICATION)]
    pub no_confirm: bool,
    #[command(flatten)]
    pub solving: Solving,
    /// Skip a program that takes longer than this
    #[arg(long, value_name = "SECONDS", help_heading = LIMITS)]
    pub timeout_each: Option<f64>,
    /// Print errors only
    #[arg(short, long)]
    pub quiet: bool,
}
