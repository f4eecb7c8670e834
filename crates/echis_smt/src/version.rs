//! Which solver answers.

use crate::dialect::Z3;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A solver as reports name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverVersion {
    pub name: String,
    /// None where it does not tell.
    pub version: Option<String>,
}

/// How long a solver may take to tell.
const LIMIT: Duration = Duration::from_secs(2);

/// Whether it is the one that Echis brings.
pub fn is_own(path: &Path) -> bool {
    matches!(echis_z3::executable(), Some(Ok(own)) if own == path)
}

/// The one that Echis brings is known; another one is asked.
pub fn version(path: &Path) -> SolverVersion {
    if let (true, Some(version)) = (is_own(path), echis_z3::version()) {
        return SolverVersion { name: Z3.name.into(), version: Some(version.trim_end_matches(".0").to_string()) };
    }
    asked(path).as_deref().map_or_else(|| unknown(path), |said| told(path, said))
}

/// "Z3 version 4.13.0 - 64 bit"
fn told(path: &Path, said: &str) -> SolverVersion {
    let line = said.lines().next().unwrap_or("").trim();
    match line.strip_prefix(Z3.version).and_then(|rest| rest.split_whitespace().next()) {
        Some(version) => SolverVersion { name: Z3.name.into(), version: Some(version.to_string()) },
        None => unknown(path),
    }
}

fn unknown(path: &Path) -> SolverVersion {
    let name = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
    SolverVersion { name: name.into_owned(), version: None }
}

/// What `--version` prints. What does not end is no solver, and is not waited for.
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
        let said = |text: &str| told(Path::new("/usr/bin/other"), text);
        assert_eq!(said("Z3 version 4.13.0 - 64 bit\n").version.as_deref(), Some("4.13.0"));
        assert_eq!(said("something 9.1"), SolverVersion { name: "other".into(), version: None });
        let own = crate::locate(None).expect("there is a solver");
        assert_eq!(version(&own).name, "Z3");
    }
}
