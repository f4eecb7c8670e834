//! The test command: formatting, lints and all tests; `quick` is the part of it to run after every edit.

use crate::command::{Ended, holds};
use crate::suite::{Tally, TestProgram, build, cargo};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The slowest test programs, started before the others.
const SLOW: &[&str] = &["conformance", "engines", "smoke", "cache", "dependencies", "coverage", "explained", "prune"];

/// Everything that must hold before a change is accepted.
pub fn run() -> Ended {
    let start = Instant::now();
    let mut tally = Tally::default();
    ensure_component("rustfmt", "fmt");
    ensure_component("clippy", "clippy");
    tally.step("formatting", &["fmt", "--all", "--check"]);
    tally.step("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]);
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

/// Under a minute once built: unit tests, tests that need no solver, the repository's own programs, and a dialogue with
/// the language server.
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

/// With which arguments `quick` runs a test program, if it does.
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
