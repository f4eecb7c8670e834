//! `--values`: counterexamples in terms of the source language of a translated program.

mod common;

use common::{Folder, run};
use serde_json::Value;

/// An encoding with boxed integers, classes, lists and an auxiliary variable.
const ENCODED: &str = "domain Class {
  unique function Number(): Class
  unique function Account(): Class
  function class_of(r: Ref): Class
}
function box(n: Int): Ref
  ensures class_of(result) == Number() && unbox(result) == n
function unbox(r: Ref): Int
  requires class_of(r) == Number()
  ensures box(result) == r
field balance: Ref
field items: Seq[Ref]
method withdraw_1(account_1: Ref, amount_2: Ref) returns (_err: Ref)
  requires acc(account_1.balance) && class_of(account_1) == Account() && class_of(account_1.balance) == Number()
  requires class_of(amount_2) == Number() && unbox(amount_2) > 0
  requires acc(account_1.items) && account_1.items == Seq(amount_2)
{
  var other_3: Ref
  _err := null
  assert unbox(account_1.balance) >= unbox(amount_2)
}
";

const MAPPING: &str = "language = \"Toy\"
[hide]
variables = [\"_err\"]
functions = [\"box\", \"unbox\"]
domains = [\"Class\"]
[[name]]
from = \"{name}_{n}\"
to = \"{name}\"
[[type]]
argument_of = \"class_of\"
shown = \"{result}\"
[[value]]
result_of = \"box\"
shown = \"{0}\"
[[value]]
argument_of = \"unbox\"
shown = \"{result}\"
[[value]]
result_of = \"{class}\"
shown = \"{call}\"
[words]
sequence = \"[{}]\"
";

fn verify(folder: &Folder, program: &str, more: &[&str]) -> String {
    let path = folder.file("program.vpr", program);
    let args = [&["verify", "--hints", "off", "--counterexample", "extended", &path], more].concat();
    let output = run(&args);
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The output without the error and its excerpt.
fn shown(text: &str) -> &str {
    text.find("counterexample (").map_or("", |at| &text[at..])
}

#[test]
fn values_are_shown_as_the_mapping_says() {
    let folder = Folder::new("mapping");
    let mapping = folder.file("toy.toml", MAPPING);
    let text = verify(&folder, ENCODED, &["--values", &mapping]);
    let text = shown(&text);
    assert!(text.contains("  amount: Number = 1\n"), "{text}");
    assert!(text.contains("  account: Account\n"), "{text}");
    assert!(text.contains("    account.items = [1]\n"), "{text}");
    assert!(!text.contains("_err") && !text.contains("Class!") && !text.contains("unbox("), "{text}");
    assert!(text.starts_with("counterexample (confirmed"), "{text}");
}

#[test]
fn the_values_of_the_program_stay_in_json() {
    let folder = Folder::new("mapping-json");
    let mapping = folder.file("toy.toml", MAPPING);
    let text = verify(&folder, ENCODED, &["--values", &mapping, "--format", "json"]);
    let report: Value = serde_json::from_str(&text).expect("it is JSON");
    let example = &report["files"][0]["errors"][0]["counterexample"];
    assert_eq!(example["in_source"]["language"], "Toy");
    let names = |list: &Value| -> Vec<String> {
        list.as_array().into_iter().flatten().map(|item| item["name"].as_str().unwrap_or("").to_string()).collect()
    };
    assert_eq!(names(&example["store"]), ["account_1", "amount_2", "_err", "other_3"]);
    // Nothing is known of the other object.
    assert_eq!(names(&example["in_source"]["variables"]), ["account", "amount"]);
}

#[test]
fn an_unknown_mapping_is_an_error() {
    let folder = Folder::new("mapping-unknown");
    let text = verify(&folder, ENCODED, &["--values", "cobol"]);
    assert!(text.contains("`cobol` is not known") && text.contains("nagini"), "{text}");
    let wrong = folder.file("wrong.toml", "language = \"Toy\"\n[[value]]\nshown = \"x\"\n");
    let text = verify(&folder, ENCODED, &["--values", &wrong]);
    assert!(text.contains("wrong.toml") && text.contains("result_of"), "{text}");
}

#[test]
fn without_a_mapping_the_values_are_those_of_the_program() {
    let folder = Folder::new("mapping-none");
    let text = verify(&folder, ENCODED, &["--values", "none"]);
    assert!(text.contains("  amount_2: Ref\n") && text.contains("Class!"), "{text}");
}

/// A simplified version of Nagini's encoding of integers.
#[test]
fn programs_of_known_front_ends_are_recognised() {
    let program = "domain PyType {
  unique function int(): PyType
  function typeof(obj: Ref): PyType
}
function __prim__int___box__(prim: Int): Ref
  ensures typeof(result) == int()
  ensures int___unbox__(result) == prim
function int___unbox__(box: Ref): Int
  requires typeof(box) == int()
  ensures __prim__int___box__(result) == box
method double(x_0: Ref) returns (_res: Ref)
  requires typeof(x_0) == int() && int___unbox__(x_0) > 2
  ensures typeof(_res) == int()
  ensures int___unbox__(_res) == 2 * int___unbox__(x_0) + 1
{
  _res := __prim__int___box__(2 * int___unbox__(x_0))
}
";
    let folder = Folder::new("mapping-nagini");
    let text = verify(&folder, program, &[]);
    assert!(text.contains("  x: int = ") && text.contains("  _res: int = "), "{text}");
    assert!(text.contains("(as Python;") && !text.contains("PyType!"), "{text}");
}
