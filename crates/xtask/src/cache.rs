//! `cargo xtask cache`: that verdicts of earlier runs are those of this one, on many edited programs.

use std::process::{Command, ExitCode};

const USAGE: &str = "usage: cargo xtask cache [EDITS [SEED]]   (10000 edits where nothing is said)";

pub fn run(args: &[String]) -> ExitCode {
    let numbers: Option<Vec<u64>> = args.iter().map(|arg| arg.parse().ok()).collect();
    let (edits, seed) = match numbers.as_deref() {
        Some([]) => (10_000, 1),
        Some([edits]) => (*edits, 1),
        Some([edits, seed]) => (*edits, *seed),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let tests = ["test", "--workspace", "--test", "cache", "--", "--nocapture"];
    let status = Command::new(cargo)
        .args(tests)
        .env("ECHIS_EDITS", edits.to_string())
        .env("ECHIS_SEED", seed.to_string())
        .status();
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}
