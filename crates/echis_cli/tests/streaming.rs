//! Streamed errors, the state of unfinished members, and errors inside macros.

mod common;

use common::{Folder, out, run};
use serde_json::Value;

fn lines(args: &[&str]) -> Vec<Value> {
    let output = String::from_utf8_lossy(&run(args).stdout).into_owned();
    output.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn each_error_comes_before_its_member() {
    let program = "method m(a: Int) {\n  assert a != 3\n  assert a != 4\n}\nmethod n() { assert true }\n";
    let (_folder, file) = Folder::with("streaming-order", program);
    let found = lines(&["verify", "--format", "jsonl", "--jobs", "1", "--hints", "off", &file]);
    let kinds: Vec<&str> = found.iter().map(|line| line["type"].as_str().unwrap_or("")).collect();
    assert_eq!(kinds, ["run", "error", "error", "member", "member", "file", "end"]);
    let told: Vec<&Value> = found[1..3].iter().map(|line| &line["position"]).collect();
    let concluded: Vec<&Value> =
        found[3]["errors"].as_array().into_iter().flatten().map(|it| &it["position"]).collect();
    assert_eq!(told, concluded);
}

/// The error names the failing conjunct and its position in the macro.
#[test]
fn an_error_in_a_macro_names_the_conjunct() {
    let program = "\
define INV(x) (x > 0 && x < 10)
method m(a: Int)
  requires a > 0
{
  assert INV(a)
}
";
    let (_folder, file) = Folder::with("streaming-macro", program);
    let document: Value =
        serde_json::from_slice(&run(&["verify", "--format", "json", "--hints", "off", &file]).stdout).expect("JSON");
    let error = &document["files"][0]["errors"][0];
    assert_eq!(error["message"], "Assert might fail. Assertion x < 10 (in INV(a)) might not hold.");
    let related = error["related"].as_array().expect("there are related places");
    assert!(related.iter().any(|place| (&place["line"], &place["column"]) == (&1.into(), &25.into())), "{related:?}");
}

/// These axioms keep the solver busy.
#[test]
fn a_time_out_tells_where_it_was() {
    let program = "\
function f(i: Int): Int
method m(n: Int)
  requires forall i: Int, j: Int, k: Int :: {f(i), f(j), f(k)} f(i) * f(j) + f(k) == f(i + j * k)
{
  assert n == n
  assert f(n) * f(n + 1) * f(n + 2) == f(n) + 1
}
";
    let (_folder, file) = Folder::with("streaming-time", program);
    let args = ["verify", "--timeout", "1.5", "--rlimit", "0", "--hints", "off", &file];
    let document: Value =
        serde_json::from_slice(&run(&[&args[..], &["--format", "json"]].concat()).stdout).expect("JSON");
    let reached = &document["files"][0]["stopped"][0]["reached"];
    assert_eq!((&reached["id"], &reached["position"]["line"]), (&"assert.failed:assertion.false".into(), &6.into()));
    let text = String::from_utf8_lossy(&run(&args).stdout).into_owned();
    assert!(text.contains("m: stopped at line 6 (assert.failed:assertion.false)"), "{text}");
}

/// Without errors, there are no lines of type `error`.
#[test]
fn nothing_is_told_about_programs_that_verify() {
    let (_folder, file) = Folder::with("streaming-none", "method m() { assert true }\n");
    assert!(!out(&["verify", "--format", "jsonl", &file]).contains("\"type\":\"error\""));
}
