//! One file from its path to the result of checking it.

use crate::checked::check_file;
use crate::checked::result::{broken, front_result};
use crate::defect::guarded;
use crate::language::boogie;
use crate::source::files::is_boogie;
use echis_findings::FileResult;
use echis_syntax::Loader;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Checks a file.
pub fn check(path: &Path, loader: &dyn Loader) -> FileResult {
    check_together(path, &[], loader)
}

/// The same, where other files are one program with it, which only Boogie programs have.
pub fn check_together(path: &Path, beside: &[PathBuf], loader: &dyn Loader) -> FileResult {
    let start = Instant::now();
    if is_boogie(path) {
        let checked = guarded(|| boogie::check(path, beside, loader, start));
        return checked.unwrap_or_else(|ended| broken(path, ended, start));
    }
    match guarded(|| check_file(path, loader)) {
        Ok(front) => front_result(front, start),
        Err(ended) => broken(path, ended, start),
    }
}
