//! `cargo xtask ray`: tests `echis.cluster` on a local Ray cluster of three nodes, the cache in an object store, and
//! the examples for build systems. Needs
//! `pip install ray moto[server] cmake ninja check-jsonschema kubernetes-validate` and, for the object store,
//! `--echis` with the path of a build with `--features object-store`.

use crate::command::{Binary, Ended, holds};
use crate::echis::repository;
use std::process::Command;

pub fn run(binary: &Binary) -> Ended {
    let echis = binary.find()?;
    let package = repository().join("python");
    let status = Command::new("python3")
        .args(["-m", "unittest", "discover", "-v", "-s"])
        .arg(package.join("tests_ray"))
        .env("PYTHONPATH", package.join("src"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("ECHIS", echis.binary())
        .env("ECHIS_CACHE", "")
        .env("RAY_DEDUP_LOGS", "0")
        .status()
        .map_err(|error| format!("python3 cannot be run: {error}"))?;
    holds(status.success())
}
