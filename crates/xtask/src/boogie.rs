//! `cargo xtask boogie`: how many Boogie programs of the shared corpus are judged as Boogie judges them.

use std::process::{Command, ExitCode};

pub fn run() -> ExitCode {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let tests = ["test", "-p", "echis_testkit", "--test", "boogie", "--", "--nocapture"];
    match Command::new(cargo).args(tests).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}
