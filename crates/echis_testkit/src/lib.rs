//! Shared test utilities: paths, expectation comments, and evaluation of runs against them.

pub mod corpus;
pub mod edits;
mod expectation;
mod ratchet;
pub mod rewrite;
pub mod run;

pub use expectation::{Expectation, Expectations, Judgement, judge};
pub use ratchet::{Ratchet, Row, UPDATE};

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root folder of the repository.
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().and_then(Path::parent).expect("the crate lies two folders down").to_path_buf()
}

/// The paths of all files under version control, sorted; without git, of all files.
pub fn tracked_files() -> Vec<String> {
    let output = Command::new("git").args(["ls-files"]).current_dir(repository()).output();
    let listed = output.ok().filter(|output| output.status.success() && !output.stdout.is_empty());
    let mut files = match listed {
        Some(output) => String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect(),
        None => files_below(&repository().join("crates"), &repository()),
    };
    files.retain(|path| repository().join(path).is_file());
    files.sort();
    files
}

/// All files below a folder, relative to `base`, sorted.
pub fn files_below(folder: &Path, base: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(path) = path.strip_prefix(base) {
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// Prints a message that is visible even if the test passes.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
