//! Checks the dependencies between crates against the table in ARCHITECTURE.md.

use echis_testkit::repository;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The crates of the workspace, with the workspace crates that each may use. Siblings of the third layer (`exec`,
/// `smt`, `depend`, `findings`) never use each other; `program` and `proof` share only `base` and `term`.
const ALLOWED: &[(&str, &[&str])] = &[
    ("echis_base", &[]),
    ("echis_syntax", &["echis_base"]),
    ("echis_term", &["echis_base"]),
    ("echis_build", &["echis_base", "echis_syntax"]),
    ("echis_boogie", &["echis_base"]),
    ("echis_program", &["echis_base", "echis_syntax", "echis_term"]),
    ("echis_derive", &["echis_base", "echis_term"]),
    ("echis_proof", &["echis_base", "echis_term"]),
    ("echis_vcg", &["echis_base", "echis_term", "echis_boogie", "echis_proof"]),
    ("echis_encode", &["echis_base", "echis_boogie", "echis_program", "echis_proof"]),
    ("echis_exec", &["echis_base", "echis_term", "echis_program", "echis_proof"]),
    ("echis_smt", &["echis_base", "echis_term", "echis_proof"]),
    ("echis_depend", &["echis_base", "echis_term", "echis_derive", "echis_program", "echis_proof"]),
    ("echis_findings", &["echis_base", "echis_program", "echis_proof"]),
    ("echis_cover", &["echis_base", "echis_depend", "echis_findings", "echis_program", "echis_proof"]),
    ("echis_counterexample", &["echis_base", "echis_term", "echis_findings", "echis_program", "echis_proof"]),
    (
        "echis",
        &[
            "echis_base",
            "echis_build",
            "echis_syntax",
            "echis_term",
            "echis_program",
            "echis_proof",
            "echis_exec",
            "echis_smt",
            "echis_counterexample",
            "echis_cover",
            "echis_depend",
            "echis_findings",
            "echis_boogie",
            "echis_vcg",
            "echis_encode",
        ],
    ),
    ("echis_report", &["echis_base", "echis_cover", "echis_depend", "echis_findings"]),
    ("echis_fix", &["echis_base", "echis_program", "echis"]),
    ("echis_lsp", &["echis", "echis_fix", "echis_report"]),
    ("echis_cli", &["echis", "echis_fix", "echis_report", "echis_lsp"]),
    ("echis_prusti", &["echis", "echis_build"]),
    ("echis_testkit", &["echis_base", "echis", "echis_report"]),
    ("echis_attack", &["echis_base", "echis_syntax", "echis_program", "echis"]),
    ("xtask", &[]),
];

#[test]
fn crates_use_only_what_the_table_allows() {
    let allowed: BTreeMap<&str, BTreeSet<&str>> =
        ALLOWED.iter().map(|(name, uses)| (*name, uses.iter().copied().collect())).collect();
    let mut wrong = Vec::new();
    for (name, used) in uses() {
        let Some(allowed) = allowed.get(&*name) else {
            wrong.push(format!("{name} is not in the table"));
            continue;
        };
        wrong.extend(used.iter().filter(|used| !allowed.contains(&***used)).map(|used| format!("{name} uses {used}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The dependencies of each crate within the workspace, except for tests.
fn uses() -> BTreeMap<String, BTreeSet<String>> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(repository())
        .output()
        .expect("cargo runs: it runs this test");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    packages.iter().map(|package| (text(&package["name"]), dependencies(package))).collect()
}

fn dependencies(package: &Value) -> BTreeSet<String> {
    let dependencies = package["dependencies"].as_array().expect("a package lists its dependencies");
    let ours = dependencies.iter().filter(|dependency| dependency["path"].is_string() && dependency["kind"] != "dev");
    ours.map(|dependency| text(&dependency["name"])).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("names are text").to_string()
}
