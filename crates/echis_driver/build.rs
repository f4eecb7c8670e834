//! A digest of the code that verdicts depend on, so that verdicts of other code are not mistaken for those of this one.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The driver, and all that it uses of the workspace.
const CRATES: &[&str] = &[
    "echis_analysis",
    "echis_base",
    "echis_boogie",
    "echis_driver",
    "echis_exec",
    "echis_program",
    "echis_proof",
    "echis_smt",
    "echis_syntax",
    "echis_term",
    "echis_vcg",
    "echis_z3",
];

fn main() {
    let around = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for name in CRATES {
        let sources = around.join(name).join("src");
        println!("cargo::rerun-if-changed={}", sources.display());
        collect(&sources, &mut files);
    }
    let lock = around.join("..").join("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    files.push(lock);
    files.sort();
    let mut hasher = Sha256::new();
    for file in files {
        // Where a file is not there, as outside the workspace, the version says which code it is.
        let Ok(bytes) = std::fs::read(&file) else { continue };
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    let digest: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=ECHIS_CODE={digest}");
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, into);
        } else {
            into.push(path);
        }
    }
}
