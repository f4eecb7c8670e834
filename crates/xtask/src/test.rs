//! The test command: formatting, lints and all tests; `quick` runs a subset, for use after every edit.

use crate::command::{Ended, holds};
use crate::suite::{Tally, TestProgram, build, cargo};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The slowest test programs, which are started first.
const SLOW: &[&str] = &[
    "smoke",
    "conformance",
    "independence",
    "edits",
    "derived",
    "corpus",
    "refused",
    "textbook",
    "attempts",
    "trees",
    "cache",
];

/// For `cargo doc`.
const WARNINGS_ARE_ERRORS: &str = r#"build.rustdocflags=["-D", "warnings"]"#;

/// Runs everything that must pass before a change is accepted.
pub fn run() -> Ended {
    let start = Instant::now();
    let mut tally = Tally::default();
    ensure_component("rustfmt", "fmt");
    ensure_component("clippy", "clippy");
    tally.step("formatting", &["fmt", "--all", "--check"]);
    tally.step("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]);
    tally.step("documentation", &["doc", "--workspace", "--no-deps", "--quiet", "--config", WARNINGS_ARE_ERRORS]);
    match build(&["--workspace"]) {
        Ok(mut programs) => {
            programs.sort_by_key(|program| SLOW.iter().position(|name| *name == program.name).unwrap_or(SLOW.len()));
            tally.run(programs.into_iter().map(|program| (program, Vec::new())).collect());
            tally.doc_tests();
        }
        Err(message) => tally.fail(&message),
    }
    finish(&tally, start)
}

/// Integration tests that need no solver.
const WITHOUT_SOLVER: &[&str] = &["rules", "derivations", "models", "layering", "modules", "tidiness"];

/// Takes under a minute once built: unit tests, tests without a solver, the repository's own programs, and a dialogue
/// with the language server.
pub fn quick() -> Ended {
    let start = Instant::now();
    let mut tally = Tally::default();
    match build(&["--workspace"]) {
        Ok(programs) => {
            let chosen = programs.into_iter().filter_map(|program| Some((quick_arguments(&program)?, program)));
            tally.run(chosen.map(|(arguments, program)| (program, arguments)).collect());
        }
        Err(message) => tally.fail(&message),
    }
    finish(&tally, start)
}

/// The arguments with which `quick` runs a test program; `None` if it does not run it.
fn quick_arguments(program: &TestProgram) -> Option<Vec<&'static str>> {
    match &*program.name {
        "conformance" => Some(vec!["tests/programs/"]),
        "lsp" => Some(vec!["an_editor_opens_edits_asks_and_leaves"]),
        name if program.is_unit || WITHOUT_SOLVER.contains(&name) => Some(Vec::new()),
        _ => None,
    }
}

fn finish(tally: &Tally, start: Instant) -> Ended {
    println!("finished in {:.0} s", start.elapsed().as_secs_f64());
    println!("{} passed, {} failed", tally.passed, tally.failed);
    holds(tally.failed == 0)
}

/// Installs a component of the toolchain if it is missing.
fn ensure_component(component: &str, command: &str) {
    let found = cargo(&[command, "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        println!("== installing {component}");
        let _ = Command::new("rustup").args(["component", "add", component]).status();
    }
}
