//! Finds the available programs.

use crate::echis::repository;
use std::path::{Path, PathBuf};

/// The program collections next to the repository.
pub fn corpus() -> Option<PathBuf> {
    repository().parent().map(|parent| parent.join("shared").join("corpus"))
}

/// A program, or all programs in a folder, recursively, in order.
pub fn programs(path: &Path) -> Vec<String> {
    let mut found = Vec::new();
    collect(path, &mut found);
    found.sort();
    found
}

fn collect(path: &Path, found: &mut Vec<String>) {
    if path.is_file() {
        found.push(path.to_string_lossy().into_owned());
    }
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "vpr") {
            found.push(path.to_string_lossy().into_owned());
        }
    }
}
