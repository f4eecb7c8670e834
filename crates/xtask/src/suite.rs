//! Builds test programs with cargo and runs several in parallel, so that no core waits for the slowest one.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A test executable built by cargo.
pub struct TestProgram {
    pub package: String,
    /// The name of the target: the crate for unit tests, the file for integration tests.
    pub name: String,
    /// Whether these are a crate's unit tests, as opposed to a file of its `tests` folder.
    pub is_unit: bool,
    executable: PathBuf,
    folder: PathBuf,
}

/// Number of tests that passed and failed so far.
#[derive(Default)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
}

/// Builds the test programs of the selected packages and targets.
pub fn build(selection: &[&str]) -> Result<Vec<TestProgram>, String> {
    println!("== building tests: cargo test --no-run {}", selection.join(" "));
    let mut command = cargo(&["test", "--no-run", "--message-format", "json-render-diagnostics"]);
    let output = command.args(selection).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot start cargo: {error}"))?;
    if !output.status.success() {
        return Err("the tests do not compile".into());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    Ok(messages.filter_map(|message| test_program(&message)).collect())
}

fn test_program(message: &Value) -> Option<TestProgram> {
    let is_test = message["profile"]["test"].as_bool()?;
    let executable = PathBuf::from(message["executable"].as_str()?);
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_path_buf();
    let package = folder.file_name()?.to_string_lossy().into_owned();
    let target = &message["target"];
    let is_unit = target["kind"][0] != "test";
    is_test.then_some(TestProgram { package, name: target["name"].as_str()?.into(), is_unit, executable, folder })
}

impl Tally {
    /// Runs a cargo command as one test.
    pub fn step(&mut self, name: &str, args: &[&str]) {
        println!("== {name}: cargo {}", args.join(" "));
        let start = Instant::now();
        match cargo(args).status() {
            Ok(status) if status.success() => self.passed += 1,
            Ok(_) => self.fail(&format!("{name} failed")),
            Err(error) => self.fail(&format!("{name}: cannot start cargo: {error}")),
        }
        println!("{name}: {:.0} s", start.elapsed().as_secs_f64());
    }

    pub fn fail(&mut self, message: &str) {
        println!("!! {message}");
        self.failed += 1;
    }

    /// Runs test programs with their arguments, in order, and shows the output of each when it is finished.
    pub fn run(&mut self, programs: Vec<(TestProgram, Vec<&str>)>) {
        let workers = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        let waiting = Mutex::new(programs.into_iter());
        let tally = Mutex::new(self);
        let next = || waiting.lock().ok()?.next();
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some((program, arguments)) = next() {
                        let start = Instant::now();
                        let output = program.command(&arguments).output();
                        let Ok(mut tally) = tally.lock() else { return };
                        tally.finished(&program, output, start.elapsed());
                    }
                });
            }
        });
    }

    fn finished(&mut self, program: &TestProgram, output: std::io::Result<Output>, time: Duration) {
        println!("== {} {} ({:.1} s)", program.package, program.name, time.as_secs_f64());
        let output = match output {
            Ok(output) => output,
            Err(error) => return self.fail(&format!("{} cannot be started: {error}", program.name)),
        };
        let text = String::from_utf8_lossy(&output.stdout);
        let failed_before = self.failed;
        // Passing tests are only counted.
        for line in text.lines().filter(|line| !line.is_empty() && !line.ends_with(" ... ok")) {
            println!("{line}");
        }
        self.count(&text);
        let _ = std::io::stdout().write_all(&output.stderr);
        if !output.status.success() && self.failed == failed_before {
            self.fail(&format!("{} ended with {} before it could report a result", program.name, output.status));
        }
    }

    /// Runs the examples in doc comments.
    pub fn doc_tests(&mut self) {
        println!("== doc tests: cargo test --doc --workspace");
        match cargo(&["test", "--doc", "--workspace", "--quiet"]).stderr(Stdio::inherit()).output() {
            Ok(output) => {
                let text = String::from_utf8_lossy(&output.stdout);
                let failed_before = self.failed;
                self.count(&text);
                if !output.status.success() {
                    println!("{text}");
                    if self.failed == failed_before {
                        self.fail("the doc tests did not run");
                    }
                }
            }
            Err(error) => self.fail(&format!("cannot start cargo: {error}")),
        }
    }

    /// Adds up lines such as `test result: ok. 3 passed; 1 failed; …`.
    fn count(&mut self, text: &str) {
        for result in text.lines().filter_map(|line| line.strip_prefix("test result: ")) {
            let number = |word: &str| {
                let before = result.split(word).next().unwrap_or("").trim_end();
                before.rsplit([' ', ';', '.']).next().and_then(|number| number.parse::<usize>().ok()).unwrap_or(0)
            };
            self.passed += number("passed");
            self.failed += number("failed");
        }
    }
}

impl TestProgram {
    /// The command with which cargo would start the program.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.executable);
        command.args(arguments).current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        command.env("CARGO", cargo_path()).stdin(Stdio::null());
        command
    }
}

pub fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(cargo_path());
    command.args(args);
    command
}

fn cargo_path() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_test_programs_are_added_up() {
        let mut tally = Tally::default();
        tally.count(
            "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n\
             test a ... ok\n",
        );
        assert_eq!((tally.passed, tally.failed), (15, 2));
    }

    #[test]
    fn only_test_executables_are_run() {
        let message = |test: bool| {
            serde_json::json!({
                "manifest_path": "/x/crates/echis_smt/Cargo.toml", "executable": "/x/target/debug/deps/pair-0",
                "profile": { "test": test }, "target": { "name": "pair", "kind": ["test"] },
            })
        };
        assert!(test_program(&message(false)).is_none());
        let program = test_program(&message(true)).expect("this is a test program");
        assert_eq!((&*program.package, &*program.name, program.is_unit), ("echis_smt", "pair", false));
    }
}
