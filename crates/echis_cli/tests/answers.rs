//! `echis deps` on larger and generated programs: positions from front ends, merged callers, the trusted base,
//! filters, and comparison of two graphs. Also, which nodes of a pruned program are necessary.

mod common;

use common::{Folder, run};
use serde_json::Value;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn said(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&said(&[args, &["--format", "json"]].concat())).expect("standard output is JSON")
}

/// A user statement that is encoded as two statements, and statements without a position.
const GENERATED: &str = "\
method m(a: Int) returns (r: Int)
  requires @position(\"src/main.go\", \"3\", \"1\")(a > 0)
  ensures @position(\"src/main.go\", \"4\", \"1\")(r > 0)
{
  var t: Int
  @position(\"src/main.go\", \"7\", \"3\")
  t := a
  @position(\"src/main.go\", \"7\", \"3\")
  t := t + 1
  r := t
}

method client()
{
  var x: Int
  @position(\"src/main.go\", \"14\", \"3\")
  x := m(4)
  @position(\"src/main.go\", \"15\", \"3\")
  assert x > 0
}
";

#[test]
fn answers_speak_of_the_places_of_the_front_end() {
    let folder = Folder::new("answers-front-end");
    let file = folder.file("a.vpr", GENERATED);
    let answer = said(&["deps", &file, "--of", "main.go:15"]);
    assert!(answer.starts_with("src/main.go:15:3  assert x > 0  (in client)\n"), "{answer}");
    let lines: Vec<&str> = answer.lines().skip(2).take_while(|line| !line.is_empty()).collect();
    let expected = [
        "             x      src/main.go:3:1  a > 0 [explicit]  (in m)",
        "    x               src/main.go:4:1  r > 0 [implicit]  (in m)",
        "                    src/main.go:7:3  t := a [implicit]  (in m)",
        "    x               src/main.go:14:3  x := m(4) [implicit]  (in client)",
    ];
    assert_eq!(lines, expected, "one node for one place, and none without a place");
    let wrong = run(&["deps", &file, "--of", "other.go:15"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("there is nothing in other.go, only in"), "{}", text(&wrong.stderr));
    let from = said(&["deps", &file, "--from", "src/main.go:7:3"]);
    assert!(from.contains("src/main.go:15:3  assert x > 0"), "{from}");
}

#[test]
fn an_unknown_type_of_assumption_is_an_error() {
    let folder = Folder::new("answers-type");
    let file = folder
        .file("a.vpr", "method m(a: Int)\n{\n  @assumptionType(\"Expicit\")\n  assume a > 0\n  assert a > 0\n}\n");
    let output = run(&["deps", &file, "--all"]);
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stdout) + &text(&output.stderr);
    assert!(message.contains("There is no assumption type `Expicit`"), "{message}");
    let right = folder
        .file("b.vpr", "method m(a: Int)\n{\n  @assumptionType(\"Implicit\")\n  assume a > 0\n  assert a > 0\n}\n");
    assert!(said(&["deps", &right, "--of", "5"]).contains("assume a > 0 [implicit]"));
}

const CALLS: &str = "\
method callee(n: Int) returns (r: Int)
  requires n > 0
  ensures r > 0
{
  r := n
}

method caller()
{
  var k: Int
  assume k > 5
  var r: Int
  r := callee(k)
  assert r > 0
}

method outside(n: Int)
  requires n > 3
{
  assert n > 2
}
";

#[test]
fn preconditions_rest_on_what_callers_prove_where_they_are_joined() {
    let folder = Folder::new("answers-join");
    let file = folder.file("a.vpr", CALLS);
    let apart = said(&["deps", &file, "--of", "3"]);
    assert!(apart.contains("2:12  n > 0 [explicit]") && !apart.contains("assume k > 5"), "{apart}");
    let joined = said(&["deps", &file, "--of", "3", "--join", "callers"]);
    assert!(joined.contains("2:12  n > 0 [implicit]") && joined.contains("11:3  assume k > 5 [explicit]"), "{joined}");
    let both = run(&["deps", &file, "--of", "3", "--join", "callers", "--definition", "execution"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn the_trusted_base_is_what_is_not_proved() {
    let folder = Folder::new("answers-trusted");
    let file = folder.file("a.vpr", CALLS);
    let document = json(&["deps", &file, "--trusted"]);
    let nodes = document["nodes"].as_array().expect("nodes");
    let text_of = |id: &Value| nodes.iter().find(|node| node["id"] == *id).map(|node| node["text"].clone());
    let trusted: Vec<(Value, Value)> = document["trusted"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|found| (found["why"].clone(), text_of(&found["node"]).expect("a node")))
        .collect();
    let expected = [("assumed", "assume k > 5"), ("demanded", "n > 3")];
    assert_eq!(trusted, expected.map(|(why, text)| (Value::from(why), Value::from(text))));
}

#[test]
fn answers_can_be_filtered_grouped_and_joined() {
    let folder = Folder::new("answers-filter");
    let file = folder.file("a.vpr", CALLS);
    let explicit = said(&["deps", &file, "--of", "14", "--type", "explicit"]);
    assert!(explicit.contains("assume k > 5") && !explicit.contains("r := callee(k) ["), "{explicit}");
    let within = said(&["deps", &file, "--of", "14", "--in", "call*", "--in", "outside"]);
    assert!(within.contains("r := n"), "{within}");
    let within = said(&["deps", &file, "--of", "14", "--in", "caller"]);
    assert!(!within.contains("r := n"), "{within}");
    assert_eq!(run(&["deps", &file, "--of", "14", "--in", "unknown"]).status.code(), Some(2));
    let grouped = said(&["deps", &file, "--of", "14", "--group", "member"]);
    assert!(grouped.contains("  callee, precondition (1)\n             x      2:12  n > 0"), "{grouped}");
    let both = json(&["deps", &file, "--of", "14,20"]);
    let size = |answer: &Value| answer["all"].as_array().map_or(0, Vec::len);
    let each: usize = both["dependencies"].as_array().expect("answers").iter().map(size).sum();
    assert_eq!(size(&both["together"]), each, "they need nothing in common");
}

#[test]
fn two_graphs_tell_what_a_change_did() {
    let folder = Folder::new("answers-diff");
    let old = folder.file("a.vpr", CALLS);
    let new = folder.file("b.vpr", &format!("// moved\n{}", CALLS.replace("  r := n\n", "  assume n > 7\n  r := 1\n")));
    let graphs = [folder.path("old.json"), folder.path("new.json")];
    said(&["deps", &old, "--save", &graphs[0], "-q"]);
    said(&["deps", &new, "--save", &graphs[1], "-q"]);
    let difference = said(&["deps", "--diff", &graphs[0], &graphs[1]]);
    assert!(difference.contains("no longer there:\n  5:3  r := n"), "{difference}");
    assert!(difference.contains("new:\n  6:3  assume n > 7"), "{difference}");
    assert!(difference.contains("4:11  r > 0 [implicit]  (in callee)\n  now needs        7:3  r := 1"), "{difference}");
    assert!(difference.contains("  no longer needs  2:12  n > 0"), "{difference}");
    assert!(!difference.contains("(in outside)"), "{difference}");
    let same = said(&["deps", "--diff", &graphs[0], &graphs[0]]);
    assert_eq!(same, "no difference\n");
    let document = json(&["deps", "--diff", &graphs[0], &graphs[1]]);
    assert_eq!(document["removed"][0]["text"], "r := n");
}

#[test]
fn progress_is_specification_times_proof() {
    let folder = Folder::new("answers-progress");
    let file = folder.file("a.vpr", CALLS);
    let progress = &json(&["deps", &file, "--progress"])["progress"];
    assert_eq!((&progress["covered"], &progress["code"]), (&Value::from(2), &Value::from(2)));
    let (specification, proof) = (progress["specification"].as_f64(), progress["proof"].as_f64());
    let product = specification.zip(proof).map(|(specification, proof)| specification * proof);
    assert_eq!(progress["progress"].as_f64(), product);
    assert!(proof.is_some_and(|proof| proof > 0.0 && proof < 1.0), "{progress}");
    let said = said(&["deps", &file, "--progress"]);
    assert!(said.contains("to prove next") && said.contains("11:3  assume k > 5 [explicit]"), "{said}");
    assert!(!said.contains("n > 0"), "callers prove it: {said}");
}

/// `--necessary` reports which of the remaining nodes could be removed; here there are none.
#[test]
fn a_pruned_program_is_asked_what_it_can_do_without() {
    let folder = Folder::new("answers-necessary");
    let file = folder.file("a.vpr", CALLS);
    let document = json(&["prune", &file, "--keep", "14", "--necessary"]);
    let necessity = &document["programs"][0]["necessity"];
    assert_eq!(necessity["unneeded"].as_array().map(Vec::len), Some(0), "{necessity}");
    assert!(necessity["needed"].as_u64().is_some_and(|needed| needed >= 4), "{necessity}");
}

/// A call checks all preconditions, and a recursive call also the measure: whatever proves these checks is needed
/// wherever the call is needed, whether or not the program verifies without either.
const ENFORCED: &str = "\
function down(n: Int): Int
  requires n >= 0
  ensures result == 0
{
  n == 0 ? 0 : down(n - 1)
}
method callee(a: Int, b: Int) returns (r: Int)
  requires a > 0
  requires b > 0
  ensures r > 0
{
  r := a
}
method caller()
{
  var a: Int := 1
  var b: Int := 2
  var r: Int
  r := callee(a, b)
  assert r > 0
}
";

#[test]
fn what_calls_demand_is_necessary_where_they_are() {
    let folder = Folder::new("answers-enforced");
    let file = folder.file("a.vpr", ENFORCED);
    let necessity =
        |line: &str| json(&["prune", &file, "--keep", line, "--necessary"])["programs"][0]["necessity"].clone();
    let texts = |found: &Value, list: &str| -> Vec<String> {
        let nodes = found[list].as_array().expect("a list");
        nodes.iter().map(|node| node["text"].as_str().unwrap_or_default().to_string()).collect()
    };
    let recursive = necessity("3");
    assert_eq!(texts(&recursive, "demanded"), ["n >= 0"], "{recursive}");
    assert_eq!(texts(&recursive, "unneeded"), [""; 0], "{recursive}");
    let called = necessity("20");
    assert_eq!(texts(&called, "demanded"), ["var b: Int := 2"], "{called}");
    assert_eq!(texts(&called, "unneeded"), [""; 0], "{called}");
}

/// Without its body, the function's postcondition would be unproved.
#[test]
fn what_a_function_promises_is_proved_in_the_pruned_program() {
    let folder = Folder::new("answers-promise");
    let file = folder.file("a.vpr", "function f(n: Int): Int\n  requires n > 3\n  ensures n > 2\n{\n  7\n}\n");
    let document = json(&["prune", &file, "--keep", "3"]);
    assert!(document["programs"][0]["text"].as_str().is_some_and(|text| text.contains("7")), "{document}");
}

#[test]
fn who_looks_for_the_least_gets_no_more() {
    let folder = Folder::new("answers-full");
    for (name, program) in [("a.vpr", CALLS), ("b.vpr", ENFORCED)] {
        let file = folder.file(name, program);
        let sizes = |effort: &str| -> Vec<usize> {
            let document = json(&["deps", &file, "--all", "--minimize", effort]);
            let answers = document["dependencies"].as_array().expect("answers").iter();
            answers.map(|answer| answer["all"].as_array().map_or(0, Vec::len)).collect()
        };
        let (fast, full) = (sizes("fast"), sizes("full"));
        assert!(
            fast.len() == full.len() && fast.iter().zip(&full).all(|(fast, full)| full <= fast),
            "{fast:?} {full:?}"
        );
    }
}
