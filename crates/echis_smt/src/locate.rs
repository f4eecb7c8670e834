//! Finds the solver to run.

use crate::embedded::{self, NotUnpacked};
use std::path::{Path, PathBuf};

/// The environment variable with the path of a solver.
pub const SOLVER_VARIABLE: &str = "ECHIS_SOLVER";

/// Why no solver was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoSolver {
    /// There is no solver at the given path.
    NotThere(PathBuf),
    /// There is no solver at the path in the environment variable.
    NotInEnvironment(PathBuf),
    /// The bundled solver cannot be unpacked.
    NotUnpacked(NotUnpacked),
    /// No solver is given, bundled or installed.
    NotInstalled,
    /// There is no second solver.
    NoSecond,
}

impl std::fmt::Display for NoSolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoSolver::NotThere(path) => write!(f, "there is no solver at {}", path.display()),
            NoSolver::NotInEnvironment(path) => {
                write!(f, "{SOLVER_VARIABLE}: there is no solver at {}", path.display())
            }
            NoSolver::NotUnpacked(reason) => reason.fmt(f),
            NoSolver::NotInstalled => {
                write!(f, "there is no solver: name one with --solver or {SOLVER_VARIABLE}, or install z3")
            }
            NoSolver::NoSecond => {
                write!(f, "there is no second solver: install cvc5 or z3, or name one, as in --cross-check=PATH")
            }
        }
    }
}

impl std::error::Error for NoSolver {}

/// The solver from, in this order: the user's path, the environment variable, the bundled executable, `z3` on the
/// search path.
pub fn locate(given: Option<&Path>) -> Result<PathBuf, NoSolver> {
    if let Some(path) = given {
        return existing(path).ok_or_else(|| NoSolver::NotThere(path.to_owned()));
    }
    if let Some(path) = std::env::var_os(SOLVER_VARIABLE).filter(|path| !path.is_empty()) {
        let path = PathBuf::from(path);
        return existing(&path).ok_or(NoSolver::NotInEnvironment(path));
    }
    let embedded = embedded::executable();
    if let Some(Ok(path)) = embedded {
        return Ok(path);
    }
    on_search_path("z3").ok_or(match embedded {
        Some(Err(reason)) => NoSolver::NotUnpacked(reason),
        _ => NoSolver::NotInstalled,
    })
}

/// The second solver: the given one, or else the first of cvc5 and z3 that is installed and is not `first`.
pub fn locate_second(given: Option<&Path>, first: &Path) -> Result<PathBuf, NoSolver> {
    if let Some(path) = given {
        return existing(path).ok_or_else(|| NoSolver::NotThere(path.to_owned()));
    }
    let mut installed = ["cvc5", "z3"].into_iter().filter_map(on_search_path);
    installed.find(|path| path != first).ok_or(NoSolver::NoSecond)
}

/// A path as it is, or a bare name looked up on the search path.
fn existing(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_owned());
    }
    let bare = path.components().count() == 1;
    path.to_str().filter(|_| bare).and_then(on_search_path)
}

fn on_search_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(&file)).find(|path| path.is_file())
}
