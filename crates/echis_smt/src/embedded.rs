//! The bundled Z3: its executable is embedded in the program and unpacked once into the user's cache folder, under a
//! name made of its version and checksum.

#[cfg(has_z3)]
mod private;
#[cfg(has_z3)]
mod unpack;

use std::fmt;
use std::path::PathBuf;

/// Why the executable could not be unpacked: each folder that was tried, with the system's error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotUnpacked {
    pub reasons: Vec<(PathBuf, String)>,
}

impl fmt::Display for NotUnpacked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (folder, reason)) in self.reasons.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}Z3 cannot be unpacked into {}: {reason}", folder.display())?;
        }
        Ok(())
    }
}

impl std::error::Error for NotUnpacked {}

/// The version of the embedded solver, if this build has one.
pub fn version() -> Option<&'static str> {
    #[cfg(has_z3)]
    return Some(unpack::VERSION);
    #[cfg(not(has_z3))]
    None
}

/// The path of the unpacked executable; `None` if this build has no embedded solver. Unpacked once per process and
/// user.
pub fn executable() -> Option<Result<PathBuf, NotUnpacked>> {
    #[cfg(has_z3)]
    return Some(unpack::executable());
    #[cfg(not(has_z3))]
    None
}

#[cfg(all(test, has_z3))]
mod tests {
    use super::*;

    #[test]
    fn the_unpacked_solver_answers() {
        let path = executable().expect("this build has a solver").expect("it unpacks");
        let output = std::process::Command::new(path).arg("--version").output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version: String = version().expect("it has a version").trim_end_matches(".0").into();
        assert!(text.contains(&version), "{text} does not name {version}");
    }
}
