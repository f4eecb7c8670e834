//! `cargo xtask cache`: checks that cached verdicts equal fresh ones, on many edited programs.

use crate::command::{Ended, cargo};
use clap::Args;

#[derive(Args)]
pub struct Options {
    /// How many edits
    #[arg(default_value_t = 10_000)]
    edits: u64,
    #[arg(default_value_t = 1)]
    seed: u64,
}

pub fn run(options: &Options) -> Ended {
    let environment = [("ECHIS_EDITS", options.edits.to_string()), ("ECHIS_SEED", options.seed.to_string())];
    cargo(&["test", "--workspace", "--test", "cache", "--", "--nocapture"], &environment)
}
