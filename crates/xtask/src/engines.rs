//! `cargo xtask engines`: how verification conditions judge the Viper programs of the shared corpus, beside symbolic
//! execution. What they disagree on is written to `target/engines.tsv`.

use std::process::{Command, ExitCode};

pub fn run() -> ExitCode {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let tests = ["test", "--workspace", "--test", "engines", "--", "--nocapture"];
    match Command::new(cargo).args(tests).env("ECHIS_ENGINES", "1").status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}
