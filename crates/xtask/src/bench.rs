//! Speed, beside Silicon where it can be had.

use std::process::ExitCode;

pub fn run(_args: &[String]) -> ExitCode {
    eprintln!("the benchmarks are not available yet");
    ExitCode::from(2)
}
