//! The flow of permissions (`echis deps --flow`), and the reasons given by `--why`.

mod common;

use common::{Folder, run};
use serde_json::Value;

fn said(args: &[&str]) -> String {
    let output = run(args);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The permission transfers, as `LINE kind` with the lines they refer to.
fn flow(name: &str, program: &str, place: &[&str]) -> Vec<String> {
    let folder = Folder::new(&format!("flow-{name}"));
    let file = folder.file("a.vpr", program);
    let graph = folder.path("a.json");
    said(&["deps", &file, "--save", &graph, "-q"]);
    let asked = |from: &[&str]| events(&said(&[&["deps"], from, &["--format", "json", "--flow"], place].concat()));
    let found = asked(&[&file]);
    assert_eq!(found, asked(&["--load", &graph]), "a saved graph has it too");
    found
}

fn events(text: &str) -> Vec<String> {
    let document: Value = serde_json::from_str(text).expect("standard output is JSON");
    let nodes = document["nodes"].as_array().expect("nodes");
    let line =
        |id: &Value| nodes.iter().find(|node| node["id"] == *id).map_or(Value::Null, |node| node["line"].clone());
    let flow = document["flow"].as_array().expect("a list");
    let numbered = |number: &Value| flow.iter().find(|event| event["number"] == *number);
    let one = |event: &Value| {
        let of = event["of"].as_array().expect("a list").iter().filter_map(numbered);
        let of: Vec<String> = of.map(|event| line(&event["node"]).to_string()).collect();
        let kind = event["kind"].as_str().expect("a kind");
        format!("{} {kind} {}", line(&event["node"]), of.join(",")).trim_end().to_string()
    };
    flow.iter().map(one).collect()
}

const FRACTIONS: &str = "\
field f: Int
method m(x: Ref)
  requires acc(x.f)
{
  exhale acc(x.f, 1/2)
  inhale acc(x.f, 1/4)
  assert x.f == x.f
  exhale acc(x.f, 3/4)
}
";

#[test]
fn fractions_are_split_and_put_together() {
    assert_eq!(
        flow("fractions", FRACTIONS, &[]),
        ["3 created", "5 split 3", "6 created", "6 joined 3,6", "8 given_away 6"]
    );
}

/// Permissions that are only checked are not transferred.
#[test]
fn assertions_and_applications_move_nothing() {
    let program = "\
field f: Int
predicate P(x: Ref) { acc(x.f) }
function get(x: Ref): Int
  requires acc(x.f)
{ x.f }
method m(x: Ref, y: Ref)
  requires acc(x.f)
  requires P(y)
{
  assert acc(x.f)
  var a: Int := get(x)
  assert unfolding P(y) in y.f == y.f
  x.f := 2
}
";
    assert_eq!(flow("looks", program, &[]), ["4 created", "7 created", "8 created"]);
}

#[test]
fn calls_take_and_give() {
    let program = "\
field f: Int
method callee(y: Ref)
  requires acc(y.f, 1/2)
  ensures acc(y.f, 1/2)
{
}
method m(x: Ref)
  requires acc(x.f)
{
  callee(x)
  x.f := 1
}
";
    let found = flow("calls", program, &["10"]);
    assert_eq!(found, ["8 created", "10 split 8", "10 created", "10 joined 8,10"]);
    // A use of a permission reports where the permission came from.
    assert_eq!(flow("uses", program, &["11"]), found);
}

#[test]
fn predicates_are_exchanged_for_what_they_hold() {
    let program = "\
field f: Int
predicate P(x: Ref) { acc(x.f) }
method m(x: Ref, y: Ref)
  requires acc(x.f)
  requires acc(y.f)
{
  fold P(x)
  unfold P(x)
  x.f := 1
}
";
    let found = flow("folds", program, &["9"]);
    assert_eq!(found, ["4 created", "7 given_away 4", "7 created", "8 given_away 7", "8 created"]);
}

#[test]
fn loops_take_by_their_invariants() {
    let program = "\
field f: Int
method m(x: Ref, n: Int)
  requires acc(x.f)
{
  var i: Int := 0
  while (i < n)
    invariant acc(x.f)
  {
    i := i + 1
  }
  x.f := 1
}
";
    let found = flow("loops", program, &[]);
    assert!(found.contains(&"3 created".to_string()), "{found:?}");
    assert!(found.contains(&"7 given_away 3,7".to_string()), "{found:?}");
    assert!(found.contains(&"7 created".to_string()), "{found:?}");
}

#[test]
fn quantified_permission_moves_as_a_whole_and_in_parts() {
    let program = "\
field f: Int
method m(s: Set[Ref], x: Ref)
  requires forall r: Ref :: {r in s} r in s ==> acc(r.f)
  requires x in s
{
  exhale acc(x.f)
  inhale acc(x.f)
  exhale forall r: Ref :: {r in s} r in s ==> acc(r.f)
}
";
    let found = flow("quantified", program, &[]);
    assert!(found.contains(&"3 created".to_string()) && found.contains(&"7 created".to_string()), "{found:?}");
    assert!(found.iter().any(|event| event.starts_with("6 split 3")), "{found:?}");
    assert!(found.iter().any(|event| event.starts_with("8 given_away")), "{found:?}");
}

#[test]
fn people_are_told_in_words() {
    let folder = Folder::new("flow-text");
    let file = folder.file("a.vpr", FRACTIONS);
    let text = said(&["deps", &file, "--flow", "5"]);
    assert!(text.contains("3:12  acc(x.f) [explicit]\n  gives permission to f\n"), "{text}");
    assert!(text.contains("  takes a part of permission to f, which came from 3:12"), "{text}");
    // Given permissions are reported with their field, whether or not they are taken.
    let all = said(&["deps", &file, "--flow"]);
    assert!(!all.lines().any(|line| line.ends_with("permission") || line.contains("permission,")), "{all}");
    let nothing = folder.file("b.vpr", "method m(a: Int) requires a > 0 { assert a > 0 }");
    assert_eq!(said(&["deps", &nothing, "--flow"]), "no permission moves there\n");
}

const REASONS: &str = "\
field f: Int
domain D {
  function d(i: Int): Int
  axiom a { forall i: Int :: {d(i)} d(i) > i }
}
function twice(i: Int): Int
{ i + i }
method m(x: Ref, k: Int)
  requires acc(x.f)
  requires k != 0
  requires x.f == 6
{
  var n: Int := x.f
  assert n == 6
  assert 6 / k == 6 / k
  assert twice(3) == 6
  assert d(1) > 1
  if (k == 0) {
    n := 7
  }
  assert n == 6
}
";

#[test]
fn each_step_has_its_reason() {
    let folder = Folder::new("why-reasons");
    let file = folder.file("a.vpr", REASONS);
    let reasons = |of: &str, on: &str| -> Vec<String> {
        let text = said(&["deps", &file, "--why", of, on, "--format", "json"]);
        let document: Value = serde_json::from_str(&text).expect("standard output is JSON");
        let steps = document["chain"].as_array().unwrap_or_else(|| panic!("{of} needs {on}: {text}"));
        assert_eq!(steps[0]["reason"], Value::Null);
        steps[1..].iter().map(|step| step["reason"].as_str().expect("a reason").to_string()).collect()
    };
    assert_eq!(reasons("14", "13"), ["value"]);
    assert_eq!(reasons("13", "9"), ["permission"]);
    assert_eq!(reasons("15", "10"), ["well-definedness"]);
    assert_eq!(reasons("16", "7"), ["definition"]);
    assert_eq!(reasons("17", "4"), ["definition"]);
    assert_eq!(reasons("21", "10").last().map(String::as_str), Some("infeasibility"));
    let text = said(&["deps", &file, "--why", "15", "10"]);
    assert!(text.contains("  needs, to be well-defined, 10:12  k != 0"), "{text}");
    let text = said(&["deps", &file, "--why", "13", "9"]);
    assert!(text.contains("  needs, for permission, 9:12  acc(x.f)"), "{text}");
}
