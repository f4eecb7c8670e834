//! A digest of the code that verdicts depend on, so that verdicts of other code are not mistaken for those of this one.

use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn main() {
    // Asked for when the script runs: one that was compiled in another checkout must not read the code there.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it for build scripts");
    let crates = Path::new(&here).join("..");
    let mut files = Vec::new();
    for name in workspace_dependencies(&crates) {
        let sources = crates.join(name).join("src");
        println!("cargo::rerun-if-changed={}", sources.display());
        collect(&sources, &mut files);
    }
    let lock = crates.join("..").join("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    files.push(lock);
    files.sort();
    // Outside of the workspace there are no files, and the version says which code it is.
    let mut hasher = Sha256::new().chain_update(env!("CARGO_PKG_VERSION"));
    for file in files {
        let Ok(bytes) = std::fs::read(&file) else { continue };
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    let digest: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=ECHIS_CODE={digest}");
}

/// This crate and all crates of the workspace that it depends on, read from their manifests.
fn workspace_dependencies(crates: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut pending = vec![env!("CARGO_PKG_NAME").to_owned()];
    while let Some(name) = pending.pop() {
        if !found.insert(name.clone()) {
            continue;
        }
        let manifest = crates.join(&name).join("Cargo.toml");
        println!("cargo::rerun-if-changed={}", manifest.display());
        let text = std::fs::read_to_string(manifest).unwrap_or_default();
        let word = |line: &str| line.split(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap_or("").to_owned();
        pending.extend(text.lines().map(word).filter(|word| word.starts_with("echis_")));
    }
    found
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
