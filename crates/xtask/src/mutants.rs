//! `cargo xtask mutants`: removes each check of the engines and of the front end in turn; some test program must
//! fail.

use crate::command::{Ended, holds};
use std::process::Command;

#[derive(clap::Args)]
pub struct Options {
    /// Remove only checks of this engine (symbolic or vcg)
    engine: Option<String>,
}

pub fn run(options: &Options) -> Ended {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let args = ["test", "--package", "echis_testkit", "--features", "mutants", "--test", "mutants"];
    let engine = options.engine.iter().flat_map(|engine| ["--", engine]);
    let status = Command::new(cargo)
        .args(args)
        .args(engine)
        .status()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    holds(status.success())
}
