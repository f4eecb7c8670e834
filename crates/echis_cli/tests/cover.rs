//! `echis cover` as seen by scripts: gates, formats, fixes and evidence.

mod common;

use common::{Folder, run};
use serde_json::Value;
use std::path::PathBuf;

const NEEDLESS: &str = "\
method m(n: Int) returns (r: Int)
  requires n > 0 && n < 9 && n != 5
  ensures r > 0
{
  r := n
}
";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_slice(&run(args).stdout).expect("standard output is JSON")
}

#[test]
fn gates_end_with_one() {
    let folder = Folder::new("cover-gates");
    let file = folder.file("a.vpr", NEEDLESS);
    let code = |options: &[&str]| run(&[&["cover", "-q", &file], options].concat()).status.code();
    assert_eq!(code(&[]), Some(0));
    assert_eq!(code(&["--min-coverage", "40"]), Some(0));
    assert_eq!(code(&["--min-coverage", "99"]), Some(1));
    assert_eq!(code(&["--deny", "branch.unreachable"]), Some(0));
    assert_eq!(code(&["--deny", "assumption.unused"]), Some(1));
    assert_eq!(code(&["--deny", "no.such.warning"]), Some(2));
}

/// The number of covered elements and of all elements of a program, for each metric.
fn number(args: &[&str]) -> (u64, u64) {
    let document: serde_json::Value =
        serde_json::from_str(&text(&run(&[args, &["--format", "json"]].concat()).stdout)).expect("JSON");
    let share = if document["program"].is_object() { &document["program"] } else { &document["coverage"] };
    (share["covered"].as_u64().expect("a number"), share["total"].as_u64().expect("a number"))
}

#[test]
fn there_is_one_number_and_it_is_honest() {
    for (name, program, expected) in [
        // Three of the assumptions are used, and one of the goals is proved twice.
        (
            "sum",
            "method m(a: Int, b: Int)\n  requires a > 0\n  requires b > 0\n  requires a < 9\n{ assert a + b > 1 }",
            (3, 4),
        ),
        (
            "vacuous",
            "method m(a: Int) returns (r: Int)\n  requires a > 0 && a < 0\n  ensures r == 5\n{ r := 3 }",
            (0, 4),
        ),
        (
            "dead",
            "method m(a: Int)\n  requires a > 0\n{\n  var b: Int\n  b := 1\n  if (a < 0) { b := 2\n assert b == 2 }\n  assert b == 1\n}",
            (4, 6),
        ),
        ("failed", "method m(a: Int)\n  requires a > 0\n{ assert a > 0\n  assert a > 5 }", (2, 3)),
    ] {
        let folder = Folder::new(&format!("cover-number-{name}"));
        let file = folder.file("a.vpr", program);
        let counted = number(&["cover", &file]);
        assert_eq!(counted, expected, "{name}");
        assert_eq!(counted, number(&["cover", "--no-confirm", &file]), "{name}");
        assert_eq!(counted, number(&["deps", "--coverage", &file]), "{name}");
    }
}

#[test]
fn what_fails_does_not_hide_what_is_needless_elsewhere() {
    let folder = Folder::new("cover-beside");
    let wrong = "method wrong(a: Int)\n  requires a > 0\n{ assert a > 5 }\n";
    let file = folder.file("a.vpr", &format!("{NEEDLESS}{wrong}"));
    let warnings = |file: &str| {
        let output = run(&["cover", "--format", "json", file]);
        let document: serde_json::Value = serde_json::from_str(&text(&output.stdout)).expect("JSON");
        document["warnings"].as_array().map(Vec::len)
    };
    assert_eq!(run(&["cover", &file]).status.code(), Some(1));
    assert_eq!(warnings(&file), Some(2));
    let data = folder.path("report.json");
    run(&["report", "--data", "-o", &data, &file]);
    let report: serde_json::Value = serde_json::from_str(&folder.read("report.json")).expect("JSON");
    let nodes = report["files"][0]["nodes"].as_array().expect("a list");
    let state = |state: &str| nodes.iter().filter(|node| node["state"] == state).count();
    assert_eq!((state("failed"), report["files"][0]["warnings"].as_array().map(Vec::len)), (1, Some(2)));
}

#[test]
fn all_formats_have_the_warnings() {
    let folder = Folder::new("cover-formats");
    let file = folder.file("a.vpr", NEEDLESS);
    let human = text(&run(&["cover", "--color", "never", &file]).stdout);
    assert!(human.contains("warning[assumption.unused]: No proof needs the precondition n < 9."), "{human}");
    assert!(human.contains("60 %  3 of 5 covered"), "{human}");
    let coloured = text(&run(&["cover", "--color", "always", &file]).stdout);
    assert!(coloured.contains("\x1b[33mn < 9\x1b[0m"), "{coloured}");
    let document = json(&["cover", "--format", "json", &file]);
    let ids: Vec<&str> =
        document["warnings"].as_array().into_iter().flatten().filter_map(|warning| warning["id"].as_str()).collect();
    assert_eq!(ids, ["assumption.unused", "assumption.unused"]);
    assert_eq!(document["warnings"][0]["fix"]["removal"], "safe");
    assert_eq!(document["coverage"]["percent"], 60.0);
    let sarif = json(&["cover", "--format", "sarif", &file]);
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "assumption.unused");
    let verified = json(&["verify", "--warn", "coverage", "--format", "json", &file]);
    assert_eq!(verified["files"][0]["verdict"], "verified");
    assert_eq!(verified["files"][0]["warnings"].as_array().map(Vec::len), Some(2));
}

#[test]
fn fixes_leave_a_program_that_verifies_without_warnings() {
    let folder = Folder::new("cover-fix");
    let file = folder.file("a.vpr", NEEDLESS);
    assert_eq!(run(&["cover", "-q", "--fix", &file]).status.code(), Some(0));
    let fixed = std::fs::read_to_string(&file).expect("the program is there");
    assert_eq!(fixed, NEEDLESS.replace(" && n < 9 && n != 5", ""));
    assert_eq!(json(&["cover", "--format", "json", &file])["warnings"].as_array().map(Vec::len), Some(0));
}

#[test]
fn evidence_verifies() {
    let folder = Folder::new("cover-evidence");
    folder.file("other.vpr", "field f: Int\n");
    let file = folder.file("a.vpr", &format!("import \"other.vpr\"\n{NEEDLESS}"));
    let evidence = std::path::PathBuf::from(folder.path("evidence"));
    assert_eq!(run(&["cover", "-q", "--evidence", &evidence.to_string_lossy(), &file]).status.code(), Some(0));
    let written: Vec<PathBuf> =
        std::fs::read_dir(&evidence).expect("there is evidence").flatten().map(|entry| entry.path()).collect();
    assert_eq!(written.len(), 2);
    for program in written {
        assert_eq!(run(&["verify", "-q", &program.to_string_lossy()]).status.code(), Some(0), "{}", program.display());
    }
}

/// Smoke detection only searches for unreachable code. The coverage numbers are the same with and without it.
#[test]
fn smoke_detection_finds_what_nothing_reaches_and_nothing_else() {
    let folder = Folder::new("cover-smoke");
    let dead = "method m(n: Int) returns (r: Int)\n  requires n > 0\n  requires n < 9\n  ensures r > 0\n{\n  r := n\n  \
                if (n < 0) {\n    r := 0\n    assert r == 7\n  }\n}\n";
    let file = folder.file("dead.vpr", dead);
    let found = |file: &str, options: &[&str]| {
        let document = json(&[&["cover", "--format", "json", file], options].concat());
        let warnings = document["warnings"].as_array().cloned().unwrap_or_default();
        let places = warnings.iter().map(|warning| format!("{} in line {}", warning["id"], warning["line"]));
        places.collect::<Vec<String>>().join(", ").replace('"', "")
    };
    assert_eq!(found(&file, &[]), "assumption.unused in line 3, branch.unreachable in line 7");
    assert_eq!(found(&file, &["--smoke"]), "branch.unreachable in line 7");
    assert_eq!(number(&["cover", "--smoke", &file]), number(&["cover", &file]));
    let contradicted = "method m(n: Int)\n  requires n > 0\n  requires n < 0\n{\n  assert n == 5\n}\n";
    let vacuous = folder.file("vacuous.vpr", contradicted);
    assert_eq!(found(&vacuous, &["--smoke"]), "proved.vacuously in line 5");
    let alive = folder.file("alive.vpr", NEEDLESS);
    assert_eq!(found(&alive, &["--smoke"]), "");
    let code = |file: &str| run(&["cover", "-q", "--smoke", "--deny", "all", file]).status.code();
    assert_eq!((code(&file), code(&vacuous), code(&alive)), (Some(1), Some(1), Some(0)));
    for other in ["--no-confirm", "--thorough", "--fix"] {
        assert_eq!(run(&["cover", "-q", "--smoke", other, &alive]).status.code(), Some(2), "{other}");
    }
}

/// By default, only some of the used assumptions are tested for redundancy; `--thorough` tests all of them. The number
/// of untested ones is reported.
#[test]
fn what_proofs_could_do_without_is_found_if_it_may_take_long() {
    let folder = Folder::new("cover-thorough");
    let pairs: String = (0..40).map(|index| format!("  requires a{index} > 3\n  requires 3 < a{index}\n")).collect();
    let params: Vec<String> = (0..40).map(|index| format!("a{index}: Int")).collect();
    let goals: String = (0..40).map(|index| format!("  assert a{index} > 3\n")).collect();
    let file = folder.file("a.vpr", &format!("method m({})\n{pairs}{{\n{goals}}}\n", params.join(", ")));
    let tried = |options: &[&str]| {
        let document = json(&[&["cover", "--format", "json", &file], options].concat());
        let warnings = document["warnings"].as_array().cloned().unwrap_or_default();
        let redundant = warnings.iter().filter(|warning| warning["id"] == "assumption.redundant").count() as u64;
        (redundant, document["left_out"].as_u64().expect("a number"))
    };
    let ((some, left_out), (all, none)) = (tried(&[]), tried(&["--thorough"]));
    assert!(0 < some && some < all, "{some} of {all}");
    // In each pair, one assumption is used but redundant, so every test here succeeds.
    assert_eq!((all, none, some + left_out), (40, 0, 40));
    let told = "assumptions that proofs use were not tried, to bound the effort";
    let human = text(&run(&["cover", "--color", "never", &file]).stdout);
    assert!(human.contains(&format!("{left_out} {told}; --thorough tries all")), "{human}");
    let thorough = text(&run(&["cover", "--color", "never", "--thorough", &file]).stdout);
    assert!(!thorough.contains("not tried"), "{thorough}");
}

/// Members are verified separately, so removals in different members are tested in one program, and all apparently
/// unused code is removed together. Nevertheless each warning has its own verified program as evidence.
#[test]
fn few_programs_confirm_many_warnings() {
    let folder = Folder::new("cover-together");
    let method = |index: usize| {
        format!(
            "method m{index}(a: Int, b: Int)\n  requires a > 0\n  requires b > {index}\n  requires b != 3\n{{\n  assert a >= 0\n}}\n"
        )
    };
    let file = folder.file("a.vpr", &(0..6).map(method).collect::<String>());
    let evidence = PathBuf::from(folder.path("evidence"));
    let document = json(&["cover", "--format", "json", "--evidence", &evidence.to_string_lossy(), &file]);
    let warnings = document["warnings"].as_array().cloned().unwrap_or_default();
    assert_eq!(warnings.iter().filter(|warning| warning["id"] == "assumption.unused").count(), 12);
    assert_eq!(warnings.len(), 12, "what the assertion needs is not redundant");
    // One run for unreachable code, one without all unused assumptions, and one without what the assertions need.
    assert_eq!(document["confirmation_runs"], 3);
    for program in std::fs::read_dir(&evidence).expect("there is evidence").flatten() {
        let program = program.path();
        assert_eq!(run(&["verify", "-q", &program.to_string_lossy()]).status.code(), Some(0), "{}", program.display());
    }
}

/// One of several apparently unused assumptions is needed: the others are still found. Here, the terms of an assertion
/// trigger an axiom.
#[test]
fn what_cannot_go_with_others_is_found() {
    let folder = Folder::new("cover-halves");
    let chain = "domain Chain {\n  function step(n: Int): Int\n  function weight(n: Int): Int\n  \
                 axiom heavy { forall n: Int :: {weight(n)} weight(n) > 0 }\n  \
                 axiom far { forall n: Int :: {weight(n)} step(n) == n + 1 }\n}\n\n";
    let hop = "method hop(n: Int) returns (out: Int)\n  requires n > 1\n  requires n != 5\n  requires n < 9\n  \
               ensures out == n + 1\n{\n  out := step(n)\n  assert weight(n) > 0\n}\n";
    let file = folder.file("a.vpr", &format!("{chain}{hop}"));
    let document = json(&["cover", "--format", "json", &file]);
    let lines = |list: &Value| -> Vec<u64> {
        list.as_array().into_iter().flatten().filter_map(|entry| entry["line"].as_u64()).collect()
    };
    assert_eq!((lines(&document["warnings"]), lines(&document["trigger_only"])), (vec![9, 10, 11], vec![15]));
}

#[test]
fn errors_that_follow_from_others_are_folded() {
    let folder = Folder::new("cover-cascade");
    let file = folder.file(
        "a.vpr",
        "field f: Int\nmethod m(z: Ref)\n  requires z != null ==> acc(z.f)\n{ assert z != null && z.f > 0 }\n",
    );
    let shown = text(&run(&["cover", &file]).stdout);
    assert!(!shown.contains("insufficient.permission"), "{shown}");
    assert!(shown.contains("1 more error follows from these failures"), "{shown}");
}

/// The text of a macro stands for all its uses; branches in statements are looked at if there is one use.
#[test]
fn macros_have_warnings_of_their_own() {
    let folder = Folder::new("cover-macros");
    let file = folder.file(
        "a.vpr",
        "define positive(x) ((x) > 0 && (x) > -1)\n\
         define sign(x) (x > 0 ? 1 : 0)\n\
         define step(x, y) {\n  \
           if (x < 0 && x > 0) {\n    y := 1\n  } else {\n    y := x + 1\n  }\n}\n\
         define abs(x, y) {\n  \
           if (x < 0) {\n    y := 0 - x\n  } else {\n    y := x\n  }\n}\n\
         method one(a: Int) returns (b: Int)\n  requires positive(a)\n  ensures b > 1\n{\n  step(a, b)\n  assert sign(b) == 1\n}\n\
         method two(a: Int) returns (b: Int)\n  requires positive(a)\n  ensures b >= 1\n{\n  b := a + sign(a) - 1\n}\n\
         method three(a: Int) returns (b: Int)\n  requires a >= 0\n  ensures b == a\n{\n  abs(a, b)\n}\n\
         method four(a: Int) returns (b: Int)\n  requires a < 0\n  ensures b == -a\n{\n  abs(a, b)\n}\n",
    );
    let shown = text(&run(&["cover", &file]).stdout);
    let warnings: Vec<&str> = shown.lines().filter(|line| line.starts_with("warning")).collect();
    let expected = [
        "warning[assumption.unused]: No proof needs the part (x) > -1 of this macro.",
        "warning[branch.unreachable]: The other branch is never taken: the condition always holds here.",
        "warning[branch.unreachable]: This branch is never taken: the condition never holds here.",
        "warning[assertion.redundant]: No later proof needs sign(b) == 1 as a step. If it is a goal of its own, it should stay.",
    ];
    assert_eq!(warnings, expected, "{shown}");
}
