//! `cargo xtask mutants`: removes each check of the engines and of the front end in turn; some test program must
//! fail.

use crate::command::{Ended, holds};
use std::process::Command;

#[derive(clap::Args)]
pub struct Options {
    /// Remove only checks of this engine (symbolic or vcg)
    engine: Option<String>,
    /// And only in source files whose paths contain one of these; with `ECHIS_CORPUS_ONLY` programs are selected as well
    files: Vec<String>,
}

pub fn run(options: &Options) -> Ended {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let args = ["test", "--package", "echis_testkit", "--features", "mutants", "--test", "mutants"];
    let mut wanted: Vec<&String> = options.engine.iter().chain(&options.files).collect();
    let separator = "--".to_string();
    if !wanted.is_empty() {
        wanted.insert(0, &separator);
    }
    let status = Command::new(cargo)
        .args(args)
        .args(wanted)
        .status()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    holds(status.success())
}
