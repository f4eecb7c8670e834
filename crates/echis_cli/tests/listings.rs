//! The examples of chapters 3 to 8 of the thesis on dependency analysis: each has the stated result or a more precise
//! one. They are rewritten in `tests/dependency/listings`.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

fn listing(name: &str) -> String {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = here.join("../../tests/dependency/listings");
    folder.join(format!("{name}.vpr")).to_string_lossy().into_owned()
}

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_echis"));
    command.env_remove("ECHIS_SOLVER").args(args).output().expect("the binary runs")
}

fn json(args: &[&str]) -> Value {
    let output = run(&[args, &["--format", "json"]].concat());
    serde_json::from_slice(&output.stdout).expect("standard output is JSON")
}

fn lines(document: &Value, ids: &Value) -> Vec<u64> {
    let nodes = document["nodes"].as_array().expect("there are nodes");
    let line = |id: &Value| nodes.iter().find(|node| node["id"] == *id).and_then(|node| node["line"].as_u64());
    ids.as_array().expect("a list").iter().filter_map(line).collect()
}

/// At every level of effort, all nodes annotated as dependencies are reported, and none annotated as irrelevant.
#[test]
fn annotated_listings_have_exactly_their_dependencies() {
    for (name, members) in [("definitions", 6), ("control", 8), ("precision", 8), ("failed", 1)] {
        for effort in ["fast", "full"] {
            let document = json(&["deps", &listing(name), "--test", "--minimize", effort]);
            let tests = document["members"].as_array().expect("a list");
            assert_eq!(tests.len(), members, "{name}");
            for test in tests {
                assert_eq!(test["missing"], Value::Array(Vec::new()), "{name}, {effort}: {test}");
                assert_eq!(test["superfluous"], Value::Array(Vec::new()), "{name}, {effort}: {test}");
            }
        }
    }
}

/// The dependencies of executions are annotated; everything else that verification needs is annotated as irrelevant.
#[test]
fn executions_need_less_than_verifying_takes() {
    let program = listing("executions");
    let text = std::fs::read_to_string(&program).expect("the listing is there");
    let tests = |definition: &str| json(&["deps", &program, "--test", "--definition", definition])["members"].clone();
    let count = |tests: &Value, what: &str| -> usize {
        let tests = tests.as_array().expect("a list").iter();
        tests.map(|test| test[what].as_array().expect("a list").len()).sum()
    };
    let (verification, execution) = (tests("verification"), tests("execution"));
    assert_eq!(execution.as_array().map(Vec::len), Some(text.matches("@testAssertion").count()));
    assert_eq!((count(&execution, "missing"), count(&execution, "superfluous")), (0, 0), "{execution}");
    // Verification does not need one of the conditions: the assertion after it holds without it, on an infeasible
    // path.
    let less = text.matches("@irrelevant").count();
    assert_eq!((count(&verification, "missing"), count(&verification, "superfluous")), (1, less), "{verification}");
}

#[test]
fn nodes_are_assumptions_assertions_or_both() {
    let document = json(&["deps", &listing("roles"), "--all"]);
    let role = |node: &Value| (node["line"].as_u64(), !node["assumption"].is_null(), !node["assertion"].is_null());
    let roles: Vec<_> = document["nodes"].as_array().expect("a list").iter().map(role).take(14).collect();
    let (assumed, both, asserted) = ((true, false), (true, true), (false, true));
    let expected = [
        (6, assumed),
        (7, assumed),
        (8, both),
        (9, both),
        (11, assumed),
        // The thesis omits that a write requires permission.
        (12, both),
        (13, assumed),
        (14, both),
        (15, both),
        (16, both),
        (17, both),
        (19, assumed),
        (20, both),
        (22, asserted),
    ];
    assert_eq!(roles, expected.map(|(line, (assumed, asserted))| (Some(line), assumed, asserted)));
}

#[test]
fn of_two_assumptions_that_each_suffice_one_is_reported() {
    for effort in ["fast", "full"] {
        let document = json(&["deps", &listing("roles"), "--of", "31", "--minimize", effort]);
        let found = lines(&document, &document["dependencies"][0]["all"]);
        assert!(found == [29] || found == [30], "{found:?}");
    }
}

#[test]
fn a_query_has_four_result_sets() {
    let document = json(&["deps", &listing("result_sets"), "--of", "16"]);
    let set = |name: &str| lines(&document, &document["dependencies"][0][name]);
    assert_eq!(set("all"), [7, 7, 10, 13, 14, 15]);
    assert_eq!(set("explicit"), [7, 7]);
    assert_eq!(set("direct"), [7, 10, 13, 14, 15]);
    assert_eq!(set("without_infeasibility"), [7, 7, 10, 13, 15]);
}

#[test]
fn coverage_is_that_of_the_definitions() {
    let share = |share: &Value| (share["covered"].as_u64().unwrap_or(0), share["total"].as_u64().unwrap_or(0));
    let document = json(&["deps", &listing("coverage"), "--coverage"]);
    // The assumptions that some goal needs, and the proved goals.
    assert_eq!(share(&document["members"][0]), (3, 4));
    assert_eq!(share(&document["members"][1]), (6, 6));
    for line in ["20", "21"] {
        let document = json(&["deps", &listing("coverage"), "--coverage-of", line]);
        assert_eq!(share(&document["members"][0]), (2, 4), "line {line}");
    }
}

#[test]
fn a_condition_that_does_not_matter_becomes_a_choice() {
    let output = run(&["prune", &listing("pruned"), "--keep", "13"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let body = "method foo(a: Int)\n{\n  var n: Int\n  var choice_1: Bool\n  if (choice_1) {\n    n := 1\n  } else {\n    n := 2\n  }\n  assert n >= 0\n}\n";
    assert!(text.ends_with(body), "{text}");
}
