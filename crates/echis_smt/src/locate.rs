//! Which solver to run.

use std::path::{Path, PathBuf};

/// The environment variable that names a solver.
pub const SOLVER_VARIABLE: &str = "ECHIS_SOLVER";

/// The first of: the path that the user gave, the environment's, the solver that this program brings, `z3` on
/// the search path.
pub fn locate(given: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(path) = given {
        return existing(path);
    }
    if let Some(path) = std::env::var_os(SOLVER_VARIABLE).filter(|path| !path.is_empty()) {
        return existing(Path::new(&path)).map_err(|reason| format!("{SOLVER_VARIABLE}: {reason}"));
    }
    let embedded = echis_z3::executable();
    if let Some(Ok(path)) = embedded {
        return Ok(path);
    }
    on_search_path("z3").ok_or_else(|| match embedded {
        Some(Err(reason)) => reason,
        _ => format!("there is no Z3: name one with --solver or {SOLVER_VARIABLE}, or install z3"),
    })
}

/// A path as it is, or a bare name looked up on the search path.
fn existing(path: &Path) -> Result<PathBuf, String> {
    if path.is_file() {
        return Ok(path.to_owned());
    }
    let bare = path.components().count() == 1;
    path.to_str()
        .filter(|_| bare)
        .and_then(on_search_path)
        .ok_or_else(|| format!("there is no solver at {}", path.display()))
}

fn on_search_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(&file)).find(|path| path.is_file())
}
