//! `echis verify --profile` and `--stability`.

mod common;

use common::{Folder, out, run};
use serde_json::Value;

const PROGRAM: &str = "\
function f(i: Int): Int
method m(s: Seq[Int])
  requires forall i: Int :: { s[i] } 0 <= i && i < |s| ==> s[i] > 0
  requires |s| > 3
{
  assert s[1] + s[2] > 1
  assert forall i: Int :: { s[i] } 1 <= i && i < |s| ==> s[i] >= 0
}
";

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&out(args)).expect("it is JSON")
}

#[test]
fn a_profile_names_the_line_of_a_quantifier() {
    let (_folder, file) = Folder::with("profile", PROGRAM);
    let document = json(&["verify", "--profile", "--format", "json", &file]);
    let profile = &document["files"][0]["profile"];
    let member = profile.as_array().and_then(|members| members.iter().find(|member| member["name"] == "m"));
    let member = member.expect("the method has a profile");
    let quantifiers = member["quantifiers"].as_array().expect("a list");
    let written = quantifiers.iter().find(|found| found["position"]["line"] == 3).expect("the one that was written");
    assert!(written["instances"].as_u64().is_some_and(|count| count >= 2), "{written}");
    let laws: Vec<&Value> = quantifiers.iter().filter(|found| found["position"].is_null()).collect();
    assert!(laws.iter().any(|law| law["name"].as_str().is_some_and(|name| name.starts_with("seq."))), "{laws:?}");
    let obligations = member["obligations"].as_array().expect("a list");
    let asserted = obligations.iter().find(|found| found["position"]["line"] == 6 && found["verdict"] == "verified");
    assert!(asserted.is_some_and(|found| found["effort"].as_u64() > Some(0)), "{obligations:?}");
    let text = out(&["verify", "--profile", &file]);
    assert!(text.contains("profile of method m: effort ") && text.contains("background law seq."), "{text}");
    assert!(!out(&["verify", &file]).contains("profile of"));
}

#[test]
fn two_profiles_are_the_same() {
    let (_folder, file) = Folder::with("profiles", PROGRAM);
    let profile = || json(&["verify", "--profile", "--format", "json", &file])["files"][0]["profile"].clone();
    assert_eq!(profile(), profile());
}

#[test]
fn stability_tells_how_verdicts_and_efforts_vary() {
    let (_folder, file) = Folder::with("stability", PROGRAM);
    let document = json(&["verify", "--stability", "3", "--format", "json", &file]);
    let stability = &document["files"][0]["stability"];
    assert_eq!((&stability["runs"], &stability["unstable"]), (&3.into(), &0.into()));
    let member = &stability["members"][1];
    assert_eq!((&member["name"], &member["verified"]), (&"m".into(), &3.into()));
    let obligation = &member["obligations"][0];
    assert_eq!((&obligation["proved"], &obligation["failed"]), (&3.into(), &0.into()));
    assert!(member["effort"]["min"].as_u64() > Some(0) && document["files"][0]["profile"].is_null());
    let text = out(&["verify", "--stability", "2", &file]);
    assert!(text.contains("stability over 2 runs: 0 of "), "{text}");
    assert_eq!(run(&["verify", "--stability", "1", &file]).status.code(), Some(2));
}

/// An obligation that fails in all runs is wrong, not unstable.
#[test]
fn what_fails_always_is_not_unstable() {
    let (_folder, file) = Folder::with("always", "method m(x: Int)\n{\n  assert x > 3\n}\n");
    let output = run(&["verify", "--stability", "3", "--format", "json", &file]);
    assert_eq!(output.status.code(), Some(1));
    let document: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let stability = &document["files"][0]["stability"];
    assert_eq!((&stability["unstable"], &stability["members"][0]["obligations"][0]["failed"]), (&0.into(), &3.into()));
}

/// Snapshots of a range are compared only with those to which the same function is applied. Comparing all pairs took
/// twelve times the effort.
#[test]
fn sums_of_two_ranges_are_cheap() {
    let program = "\
field v: Int
domain Cells {
  function cell(c: Cells, i: Int): Ref
  function index(r: Ref): Int
  axiom apart { forall c: Cells, i: Int :: { cell(c, i) } index(cell(c, i)) == i }
}
function total(c: Cells, from: Int, to: Int): Int
  requires 0 <= from && from <= to
  requires forall i: Int :: { cell(c, i) } from <= i && i < to ==> acc(cell(c, i).v, wildcard)
{ from == to ? 0 : total(c, from, to - 1) + cell(c, to - 1).v }
method grow(c: Cells, from: Int, middle: Int, to: Int)
  requires 0 <= from && from <= middle && middle < to
  requires forall i: Int :: { cell(c, i) } from <= i && i < to ==> acc(cell(c, i).v, 1/2)
  requires total(c, from, to - 1) == total(c, from, middle) + total(c, middle, to - 1)
  ensures forall i: Int :: { cell(c, i) } from <= i && i < to ==> acc(cell(c, i).v, 1/2)
  ensures total(c, from, to) == total(c, from, middle) + total(c, middle, to)
{}
";
    let (_folder, file) = Folder::with("ranges", program);
    let document = json(&["verify", "--profile", "--format", "json", &file]);
    assert_eq!(document["files"][0]["verdict"], "verified");
    let profile = document["files"][0]["profile"].as_array().cloned().unwrap_or_default();
    let method = profile.iter().find(|member| member["name"] == "grow").expect("the method has a profile");
    let effort = method["effort"].as_u64().expect("a number");
    assert!(effort < 1_000_000, "{effort}");
}

/// All queries for one obligation share its resource limit, including the engine's initial attempt to prove the
/// assertion without facts about pairs of locations.
#[test]
fn an_obligation_takes_no_more_than_its_bound() {
    let program = "\
field v: Int
predicate P(x: Ref) { acc(x.v) }
function f(i: Int): Int
method m(x: Ref, y: Ref)
  requires P(x) && acc(y.v, 1/2)
  requires forall i: Int :: { f(i) } f(i) > f(i + 1) + f(2 * i)
{
  assert unfolding P(x) in f(x.v) < y.v
}
";
    let (_folder, file) = Folder::with("bounded", program);
    let output = run(&["verify", "--profile", "--rlimit", "600000", "--format", "json", &file]);
    assert_eq!(output.status.code(), Some(1));
    let document: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(document["files"][0]["verdict"], "undecided");
    let profile = document["files"][0]["profile"].as_array().cloned().unwrap_or_default();
    let method = profile.iter().find(|member| member["name"] == "m").expect("the method has a profile");
    let effort = method["effort"].as_u64().expect("a number");
    assert!((500_000..1_200_000).contains(&effort), "{method}");
}
