//! `--definition`: what counts as a dependency, in every command that supports the option.

mod common;

use common::{Folder, out, run};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

/// Verifying line 12 needs line 10, but executing it does not.
const PROGRAM: &str = "\
method twice(n: Int) returns (res: Int)
  requires n > 0
  ensures res == n + n
{
  res := n + n
}

method client()
{
  var n: Int := 10
  var res: Int := twice(n)
  assert res == n + n
}
";

/// The exit code and the error message.
fn refused(args: &[&str]) -> (Option<i32>, String) {
    let output = run(args);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&out(&[args, &["--format", "json"]].concat())).expect("standard output is JSON")
}

fn lines(document: &Value, ids: &Value) -> Vec<u64> {
    let nodes = document["nodes"].as_array().expect("there are nodes");
    let line = |id: &Value| nodes.iter().find(|node| node["id"] == *id).and_then(|node| node["line"].as_u64());
    ids.as_array().expect("a list").iter().filter_map(line).collect()
}

const EXECUTION: [&str; 2] = ["--definition", "execution"];

#[test]
fn queries_answer_by_the_definition() {
    let (_folder, program) = Folder::with("definitions-queries", PROGRAM);
    let needs = |definition: &[&str]| {
        let document = json(&[&["deps", &program, "--of", "12"], definition].concat());
        lines(&document, &document["dependencies"][0]["all"])
    };
    assert_eq!(needs(&[]), [3, 5, 10, 11]);
    assert_eq!(needs(&["--definition", "verification"]), [3, 5, 10, 11]);
    assert_eq!(needs(&EXECUTION), [3, 5, 11]);
    let falls = |definition: &[&str]| out(&[&["deps", &program, "--impact", "10"], definition].concat());
    assert!(falls(&[]).contains("assert res"));
    assert!(!falls(&EXECUTION).contains("assert res"));
    let rests = |definition: &[&str]| out(&[&["deps", &program, "--from", "10"], definition].concat());
    assert!(rests(&[]).contains("assert res"));
    assert!(!rests(&EXECUTION).contains("assert res"));
    let between = |definition: &[&str]| json(&[&["deps", &program, "--between", "12,10"], definition].concat());
    assert_eq!(between(&[])["dependency"], true);
    assert_eq!(between(&EXECUTION)["dependency"], false);
    let ignoring = json(&[&["deps", &program, "--of", "12", "--ignore", "3"], &EXECUTION[..]].concat());
    assert_eq!(lines(&ignoring, &ignoring["dependencies"][0]["all"]), [11]);
    let covered = |definition: &[&str]| {
        json(&[&["deps", &program, "--coverage-of", "12"], definition].concat())["members"][0]["covered"].as_u64()
    };
    assert_eq!((covered(&[]), covered(&EXECUTION)), (Some(2), Some(1)));
}

#[test]
fn answers_name_their_definition() {
    let (_folder, program) = Folder::with("definitions-named", PROGRAM);
    let queries: [&[&str]; 7] = [
        &["--all"],
        &["--of", "12"],
        &["--from", "10"],
        &["--between", "12,10"],
        &["--impact", "10"],
        &["--coverage-of", "12"],
        &["--test"],
    ];
    for query in queries {
        let named =
            |definition: &[&str]| json(&[&["deps", &program], query, definition].concat())["definition"].clone();
        assert_eq!((named(&[]), named(&EXECUTION)), ("verification".into(), "execution".into()), "{query:?}");
    }
}

#[test]
fn a_saved_graph_keeps_its_definition() {
    let (folder, program) = Folder::with("definitions-saved", PROGRAM);
    let graph = folder.path("graph.json");
    out(&[&["deps", &program, "--save", &graph], &EXECUTION[..]].concat());
    let fresh = out(&[&["deps", &program, "--all"], &EXECUTION[..]].concat());
    assert_ne!(fresh, out(&["deps", &program, "--all"]));
    assert_eq!(out(&["deps", "--load", &graph, "--all"]), fresh);
    assert_eq!(out(&[&["deps", "--load", &graph, "--all"], &EXECUTION[..]].concat()), fresh);
    let again = folder.path("again.json");
    out(&["deps", "--load", &graph, "--save", &again]);
    let read = |path: &str| std::fs::read_to_string(path).expect("it was written");
    assert_eq!(read(&graph), read(&again));
    for command in ["deps", "explore"] {
        let mut args = vec![command, "--load", &graph, "--definition", "verification"];
        args.extend((command == "deps").then_some("--all"));
        let (code, message) = refused(&args);
        assert_eq!(code, Some(2), "{command}");
        assert!(message.contains("saved with --definition execution"), "{message}");
    }
}

/// Tools that follow edges would merge what the definition keeps apart, and the part needed for execution does not
/// verify by itself.
#[test]
fn what_cannot_follow_the_definition_says_so() {
    let (folder, program) = Folder::with("definitions-refused", PROGRAM);
    let target = folder.path("export");
    for form in ["csv", "graphml", "dot", "neo4j"] {
        let (code, message) =
            refused(&[&["deps", &program, "--export", &target, "--as", form], &EXECUTION[..]].concat());
        assert_eq!(code, Some(2), "{form}");
        assert!(message.contains("--definition verification"), "{message}");
    }
    assert!(!std::path::Path::new(&target).exists());
    for command in [["prune", "--keep=12"], ["cover", "--no-confirm"]] {
        assert_eq!(refused(&[&command[..1], &[&program], &command[1..], &EXECUTION].concat()).0, Some(2));
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_echis"))
        .args([&["explore", &program], &EXECUTION[..]].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let words = format!("of 12\nprune 12\nexport {target}\n");
    child.stdin.take().expect("it is piped").write_all(words.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("11:3") && !said.contains("10:3"), "{said}");
    assert_eq!(complained.matches("--definition verification").count(), 2, "{complained}");
}
