//! Tests of `bridge/jvm`. They need a JDK and Silver's classes: those of an installed `nagini`, or of the jar given by
//! ECHIS_SILVER_JAR.

mod common;

use common::{Folder, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compiles the bridge and its tests. Returns the folder of classes and Silver's jar, or the reason why this is not
/// possible.
fn compiled(folder: &Folder) -> Result<(String, String), String> {
    let build = |args: &[&str]| -> Result<String, String> {
        let script = repository().join("bridge/jvm/build.py");
        let built = Command::new("python3").arg(script).args(args).output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&built.stderr).into_owned();
        match built.status.code() {
            Some(0) => Ok(String::from_utf8_lossy(&built.stdout).trim().to_string()),
            Some(3) => Err(said),
            _ => panic!("the bridge does not compile: {said}"),
        }
    };
    let silver = build(&["--find"])?;
    let classes = folder.path("classes");
    build(&["--classes", &classes])?;
    Ok((classes, silver))
}

fn java(classes: &(String, String), main: &str, args: &[&str]) -> String {
    let path = std::env::join_paths([&classes.0, &classes.1]).expect("paths without separators");
    let mut command = Command::new("java");
    command.env("ECHIS", env!("CARGO_BIN_EXE_echis")).env("ECHIS_CACHE", "").arg("-Xss64m").arg("-cp").arg(path);
    let output = command.arg(main).args(args).output().expect("javac was found, so java is");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

/// Error ids, with the lines of both nodes.
fn direct(path: &str) -> BTreeSet<String> {
    let output = run(&["verify", path, "--format", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let errors = document["files"][0]["errors"].as_array().cloned().unwrap_or_default();
    let told = errors.iter().filter(|error| error["cascade"] == false);
    told.map(|error| {
        let line = |node: &str| error[node]["position"]["line"].as_u64().unwrap_or_default();
        format!("{} {} {}", error["id"].as_str().unwrap_or_default(), line("offending"), line("reason"))
    })
    .collect()
}

#[test]
fn every_error_of_silver_comes_back_with_the_nodes_of_the_client() {
    let folder = Folder::new("bridge");
    let classes = match compiled(&folder) {
        Ok(classes) => classes,
        Err(why) => return println!("skipped: {why}"),
    };
    let kinds = repository().join("bridge/jvm/test/all_kinds.vpr");
    let said = java(&classes, "viper.echis.RoundTrip", &[&kinds.to_string_lossy()]);
    assert!(said.contains(" passed, 0 failed"), "{said}");
    let said = java(&classes, "viper.echis.Trials", &[]);
    assert!(said.contains(" passed, 0 failed"), "{said}");

    // No published jar contains ViperServer; this imitates its use of a custom backend.
    let wrong = repository().join("examples/wrong.vpr").to_string_lossy().into_owned();
    let said = java(&classes, "viper.echis.Host", &["viper.echis.EchisFrontend", &wrong, "--disableCaching"]);
    let told: Vec<&str> = said.lines().filter(|line| line.starts_with("Echis: ")).collect();
    let output = run(&["verify", &wrong, "--format", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(told.len(), document["files"][0]["members"].as_array().map_or(0, Vec::len), "{said}");
    assert!(said.ends_with("failed\n"), "{said}");

    let programs = ["examples/list.vpr", "examples/wrong.vpr", "tests/programs/members/contracts_well_formed.vpr"];
    let more = [
        "tests/programs/members/opaque.vpr",
        "tests/programs/termination/functions.vpr",
        "bridge/jvm/test/odd_nodes.vpr",
    ];
    let paths: Vec<String> =
        programs.iter().chain(&more).map(|path| repository().join(path).to_string_lossy().into_owned()).collect();
    let mut args = vec!["--numberOfErrorsToReport=0"];
    args.extend(paths.iter().map(|path| &**path));
    let said = java(&classes, "viper.echis.Lines", &args);
    let mut files = said.split("= ").skip(1);
    for path in &paths {
        let file = files.next().expect("each file is told");
        let told: BTreeSet<String> = file.lines().skip(1).map(str::to_string).collect();
        assert_eq!(told, direct(path), "{path}");
    }
}
