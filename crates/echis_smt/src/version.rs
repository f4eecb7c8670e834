//! Identifies the solver by its answer to `(get-info)`.

use crate::dialect::{Dialect, Z3};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A solver's name and version, for reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverVersion {
    pub name: String,
    /// `None` if it does not report one.
    pub version: Option<String>,
}

/// Time limit for the answer.
const LIMIT: Duration = Duration::from_secs(2);

/// Whether it is the bundled solver.
pub fn is_own(path: &Path) -> bool {
    matches!(crate::embedded::executable(), Some(Ok(own)) if own == path)
}

/// The version of a solver. That of the bundled one is known; others are asked.
pub fn version(path: &Path) -> SolverVersion {
    identify(path).1
}

/// The dialect and version of a solver. The default is Z3.
pub fn identify(path: &Path) -> (&'static Dialect, SolverVersion) {
    if let (true, Some(version)) = (is_own(path), crate::embedded::version()) {
        let version = version.trim_end_matches(".0").to_string();
        return (&Z3, SolverVersion { name: Z3.name.into(), version: Some(version) });
    }
    asked(path).as_deref().map_or_else(|| (&Z3, unknown(path)), |said| told(path, said))
}

/// "Z3 version 4.13.0 - 64 bit", "This is cvc5 version 1.0.3"
fn told(path: &Path, said: &str) -> (&'static Dialect, SolverVersion) {
    match Dialect::told(said) {
        Some((dialect, version)) => {
            (dialect, SolverVersion { name: dialect.name.into(), version: Some(version.to_string()) })
        }
        None => (&Z3, unknown(path)),
    }
}

fn unknown(path: &Path) -> SolverVersion {
    let name = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
    SolverVersion { name: name.into_owned(), version: None }
}

/// The output of `--version`. A process that does not end is not a solver, and is not waited for.
fn asked(path: &Path) -> Option<String> {
    let mut command = Command::new(path);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(_)) => break,
            Ok(None) if start.elapsed() < LIMIT => std::thread::sleep(Duration::from_millis(2)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
    let output = child.wait_with_output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solver_tells_its_version_and_others_do_not() {
        let said = |text: &str| told(Path::new("/usr/bin/other"), text).1;
        assert_eq!(said("Z3 version 4.13.0 - 64 bit\n").version.as_deref(), Some("4.13.0"));
        assert_eq!(said("something 9.1"), SolverVersion { name: "other".into(), version: None });
        assert_eq!(told(Path::new("any"), "This is cvc5 version 1.0.3\ncompiled with GCC\n").0.name, "cvc5");
        let own = crate::locate(None).expect("there is a solver");
        assert_eq!(version(&own).name, "Z3");
    }
}
