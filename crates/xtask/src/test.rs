//! The test command: formatting, lints, all tests, and one line that sums them up.

use crate::command::{Ended, holds};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
}

pub fn run() -> Ended {
    let start = Instant::now();
    let mut tally = Tally::default();
    ensure_component("rustfmt", "fmt");
    ensure_component("clippy", "clippy");
    tally.step("formatting", &["fmt", "--all", "--check"]);
    tally.step("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]);
    tally.tests(&["test", "--workspace", "--no-fail-fast"]);
    println!("finished in {:.0} s", start.elapsed().as_secs_f64());
    println!("{} passed, {} failed", tally.passed, tally.failed);
    holds(tally.failed == 0)
}

/// What needs no solver: the tests within crates, but for those that run solvers, rules of the executor with scripted
/// answers, derivations, and how the repository is built.
pub fn units() -> Ended {
    let start = Instant::now();
    let mut tally = Tally::default();
    let within = ["test", "--workspace", "--no-fail-fast"];
    let solvers = ["--exclude", "echis_smt", "--exclude", "echis_z3", "--exclude", "echis"];
    let kinds = ["--lib", "--bins", "--test", "rules", "--test", "derivations", "--test", "models"];
    let repository = ["--test", "layering", "--test", "modules", "--test", "tidiness"];
    tally.tests(&[&within[..], &solvers, &kinds, &repository].concat());
    println!("finished in {:.0} s", start.elapsed().as_secs_f64());
    println!("{} passed, {} failed", tally.passed, tally.failed);
    holds(tally.failed == 0)
}

impl Tally {
    /// A command that succeeds or fails as a whole, counted as one test.
    fn step(&mut self, name: &str, args: &[&str]) {
        println!("== {name}: cargo {}", args.join(" "));
        match cargo(args).status() {
            Ok(status) if status.success() => self.passed += 1,
            Ok(_) => self.fail(&format!("{name} failed")),
            Err(error) => self.fail(&format!("{name}: cargo cannot be started: {error}")),
        }
    }

    fn fail(&mut self, message: &str) {
        println!("!! {message}");
        self.failed += 1;
    }

    /// Shows the output of the tests as it comes and adds up the results of all test programs.
    fn tests(&mut self, args: &[&str]) {
        println!("== tests: cargo {}", args.join(" "));
        let mut child = match cargo(args).stdout(Stdio::piped()).spawn() {
            Ok(child) => child,
            Err(error) => return self.fail(&format!("cargo cannot be started: {error}")),
        };
        let before = self.failed;
        let output = child.stdout.take().expect("the output is piped");
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            println!("{line}");
            self.count(&line);
        }
        match child.wait() {
            Ok(status) if status.success() => {}
            // A test program that does not compile, or dies, prints no result of its own.
            _ if self.failed == before => self.fail("the tests did not run to their end"),
            _ => {}
        }
    }

    /// Reads `test result: ok. 3 passed; 1 failed; …`.
    fn count(&mut self, line: &str) {
        let Some(result) = line.strip_prefix("test result: ") else { return };
        let number = |word: &str| {
            let before = result.split(word).next().unwrap_or("").trim_end();
            before.rsplit([' ', ';', '.']).next().and_then(|number| number.parse::<usize>().ok()).unwrap_or(0)
        };
        self.passed += number("passed");
        self.failed += number("failed");
    }
}

/// Toolchains may come without these; rustup can add them.
fn ensure_component(component: &str, command: &str) {
    let found = cargo(&[command, "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        println!("== installing {component}");
        let _ = Command::new("rustup").args(["component", "add", component]).status();
    }
}

fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    command.args(args);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_test_programs_are_added_up() {
        let mut tally = Tally::default();
        tally.count("test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s");
        tally.count("test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out");
        tally.count("test a ... ok");
        assert_eq!((tally.passed, tally.failed), (15, 2));
    }
}
