//! The Z3 that Echis brings: its executable is packed into the program and unpacked once into the user's
//! cache folder, under a name made of its version and checksum.

#[cfg(has_z3)]
mod private;
#[cfg(has_z3)]
mod unpack;

use std::path::PathBuf;

/// The version of the solver inside, if this build has one.
pub fn version() -> Option<&'static str> {
    #[cfg(has_z3)]
    return Some(unpack::VERSION);
    #[cfg(not(has_z3))]
    None
}

/// The path of the unpacked executable; `None` if this build has no solver inside. The work is done once for
/// each process and user.
pub fn executable() -> Option<Result<PathBuf, String>> {
    #[cfg(has_z3)]
    return Some(unpack::executable());
    #[cfg(not(has_z3))]
    None
}

#[cfg(all(test, has_z3))]
mod tests {
    #[test]
    fn the_unpacked_solver_answers() {
        let path = super::executable().expect("this build has a solver").expect("it unpacks");
        let output = std::process::Command::new(path).arg("--version").output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version: String = super::version().expect("it has a version").trim_end_matches(".0").into();
        assert!(text.contains(&version), "{text} does not name {version}");
    }
}
