//! Usability of the command line: selecting members and files, and messages.

mod common;

use common::{Folder, echis, run};
use std::io::Write;
use std::process::{Output, Stdio};

fn code(args: &[&str]) -> Option<i32> {
    run(args).status.code()
}

fn said(args: &[&str]) -> String {
    String::from_utf8_lossy(&run(args).stdout).into_owned()
}

fn complained(args: &[&str]) -> String {
    String::from_utf8_lossy(&run(args).stderr).into_owned()
}

fn titles(args: &[&str]) -> Vec<String> {
    said(args).lines().filter(|line| line.starts_with("error")).map(str::to_string).collect()
}

const TWO: &str = "method good(x: Int) requires x > 3 ensures x > 2 { assert x > 1 }
method bad(x: Int) requires x > 7 { assert false }
";

#[test]
fn a_pattern_that_matches_no_member_is_an_error() {
    let (_folder, program) = Folder::with("pattern", TWO);
    for pattern in ["nosuch", "", "good,bad", "x*"] {
        for command in ["verify", "cover", "deps"] {
            let output = run(&[command, &program, "--member", pattern]);
            let said = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(2), "{command} --member '{pattern}'");
            assert!(!said.contains("verified"), "{said}");
        }
    }
    assert!(complained(&["verify", &program, "--member", "god"]).contains("did you mean `good`?"));
    assert!(complained(&["verify", &program, "--member", "good,bad"]).contains("write --member good --member bad"));
    // One of the two names is wrong.
    assert_eq!(code(&["verify", &program, "--member", "good", "--member", "nosuch"]), Some(2));
}

#[test]
fn members_may_be_named_several_times_and_in_one_of_several_files() {
    let (folder, program) = Folder::with("several", TWO);
    let other = folder.file("other.vpr", "method other() { assert true }\n");
    assert_eq!(code(&["verify", &program, "--member", "good"]), Some(0));
    assert!(said(&["verify", &program, "--member", "good", "--member", "bad"]).contains("2 members"));
    assert_eq!(code(&["verify", &program, &other, "--member", "good", "--member", "other"]), Some(0));
    assert_eq!(code(&["verify", &program, &other, "--member", "other"]), Some(0));
}

const SELECTED: &str = "method callee(x: Int) returns (y: Int) requires x > 0 ensures y > 0 { y := x }
method caller() { var z: Int  z := callee(3)  assert z > 0 }
method unrelated(a: Int, b: Int) requires a > 0 requires b > 0 { var c: Int := b  assert a > 0 }
";

#[test]
fn coverage_speaks_of_what_was_selected() {
    let (_folder, program) = Folder::with("selected", SELECTED);
    let whole = said(&["cover", &program]);
    assert!(whole.contains("warning[assumption.unused]") && whole.contains("unrelated"), "{whole}");
    let selected = said(&["cover", &program, "--member", "callee"]);
    assert!(!selected.contains("warning[") && !selected.contains("unrelated"), "{selected}");
    assert!(selected.contains("all: 3 of 3 covered"), "{selected}");
    let shares = said(&["deps", &program, "--coverage", "--member", "callee"]);
    assert!(!shares.contains("unrelated") && !shares.contains("caller:"), "{shares}");
    // A saved graph records what it was created from.
    let saved = format!("{program}.json");
    assert_eq!(code(&["deps", &program, "--member", "callee", "--save", &saved]), Some(0));
    assert_eq!(said(&["deps", "--load", &saved, "--coverage"]), shares);
    let _ = std::fs::remove_file(saved);
}

#[test]
fn dead_code_and_silencers_of_other_members_are_none_of_the_selected() {
    let program = "method chosen(x: Int) requires x > 0 { assert x > 0 }
method other(x: Int) requires @unused() (x > 0) { if (x < 0) { assert x > 5 }  assert x > 0 }
";
    let (_folder, program) = Folder::with("silencers", program);
    assert!(said(&["cover", &program]).contains("silencer.unused"));
    let selected = said(&["cover", &program, "--member", "chosen"]);
    assert!(!selected.contains("warning["), "{selected}");
}

fn piped(args: &[&str], input: &str) -> Output {
    let mut child = echis()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

#[test]
fn a_dash_is_standard_input() {
    let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    let output = piped(&["verify", "-"], TWO);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("<stdin>:2:44") && text(&output).contains("<stdin>: failed"), "{}", text(&output));
    assert_eq!(piped(&["check", "-"], TWO).status.code(), Some(0));
    let formatted = piped(&["fmt", "-"], "method   m( )   {   assert true   }\n");
    assert_eq!((formatted.status.code(), text(&formatted).contains("method m()")), (Some(0), true));
    assert_eq!(text(&piped(&["fmt", "-"], &text(&formatted))), text(&formatted));
    assert_eq!(piped(&["fmt", "--check", "-"], "method   m( ) { }\n").status.code(), Some(1));
    assert_eq!(piped(&["verify", "-", "-"], TWO).status.code(), Some(2));
    assert_eq!(piped(&["cover", "--fix", "-"], TWO).status.code(), Some(2));
}

#[test]
fn commands_take_several_files_and_folders() {
    let folder = Folder::new("folders");
    std::fs::create_dir_all(folder.path("inner")).expect("the folder can be made");
    folder.file("a.vpr", "method a(x: Int) requires x > 3 { assert x > 2 }\n");
    folder.file("inner/b.vpr", "method b(x: Int) requires x > 3 { assert x > 2 }\n");
    folder.file("inner/notes.txt", "no program\n");
    let all = folder.path(".");
    for command in ["check", "verify", "cover", "deps"] {
        let output = run(&[command, &all]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{command}: {said}");
        let named = said.contains("a.vpr") && said.contains("b.vpr");
        assert!(named || said.contains("2 programs: 2 verified"), "{command}: {said}");
        assert!(!said.contains("notes"), "{command}: {said}");
    }
    let pruned = folder.path("pruned");
    assert_eq!(code(&["prune", &folder.path("a.vpr"), &folder.path("inner"), "--each", "-o", &pruned]), Some(0));
    assert!(
        std::path::Path::new(&folder.path("pruned/a/1-45.vpr")).exists()
            || std::path::Path::new(&pruned).join("b").exists()
    );
    // Line numbers are only accepted for a single program.
    assert_eq!(code(&["deps", &all, "--of", "1"]), Some(2));
    assert_eq!(code(&["prune", &all, "--keep", "1"]), Some(2));
    std::fs::create_dir_all(folder.path("empty")).expect("the folder can be made");
    assert_eq!(code(&["verify", &folder.path("empty")]), Some(2));
}

#[test]
fn dependencies_without_a_question_are_summed_up() {
    let (_folder, program) = Folder::with("summary", SELECTED);
    let output = run(&["deps", &program]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("unrelated: 1 proof, ") && said.contains("not covered   3:58  b > 0"), "{said}");
    assert!(said.contains("required") && said.contains("--of LINE"), "{said}");
}

/// Messages quote text of the failing member, not of the callee.
#[test]
fn messages_speak_the_language_of_the_caller() {
    let program = "field f: Int
field next: Ref
predicate list(x: Ref) { acc(x.f) && acc(x.next) && (x.next != null ==> list(x.next)) && x.f > 0 }
function at(s: Seq[Int], i: Int): Int requires 0 <= i && i < |s| { s[i] }
function above(n: Int): Bool requires forall k: Int :: k > n ==> k > 0 { true }
method callee(x: Int, r: Ref) requires x > 0 requires list(r)
method writes(y: Ref) { y.f := 1 }
method call(k: Int, y: Ref) { callee(k, y) }
method sum(k: Int, y: Ref) requires list(y) { callee(k + 1, y) }
method folds(y: Ref) requires acc(y.f) && acc(y.next) && (y.next != null ==> list(y.next)) { fold list(y) }
method reads(s: Seq[Int], j: Int) { var q: Int := at(s, j - 1) }
method captured(k: Int) { assert above(k - 1) }
";
    let (_folder, program) = Folder::with("caller", program);
    let said = said(&["verify", &program]);
    for part in [
        "insufficient permission to access y.f.\n",
        "Assertion k > 0 might not hold.",
        "insufficient permission to access list(y).",
        "Assertion k + 1 > 0 might not hold.",
        "Assertion y.f > 0 might not hold.",
        "on the path where y.next != null (line 10)\n",
        "Assertion 0 <= j - 1 && j - 1 < |s| might not hold.",
        "Assertion forall k: Int :: k > n ==> k > 0 (where n is k - 1) might not hold.",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("access y.f := 1"), "{said}");
}

#[test]
fn a_loop_shows_its_condition_and_no_reason_is_printed_twice() {
    let program = "method m(n: Int)
{
  var i: Int := 0
  while (i < n)
    invariant i < 10
  {
    i := i + 1
  }
}
";
    let (_folder, program) = Folder::with("loops", program);
    let said = said(&["verify", &program]);
    assert!(said.contains("invariant.not.preserved") && said.contains("on the path where i < n (line 4)"), "{said}");
    assert_eq!(said.matches("might not hold").count(), 1, "{said}");
}

#[test]
fn an_error_in_the_body_of_a_function_is_underlined_where_it_is() {
    let program = "field f: Int
function get(x: Ref): Int
  requires x != null
{
  1 +
  x.f
}
";
    let (_folder, program) = Folder::with("function", program);
    let said = said(&["verify", &program]);
    assert!(said.contains(":6:3\n") && said.contains("6 |   x.f\n  |   ^^^"), "{said}");
    // In JSON, the function is named.
    let text = self::said(&["verify", "--format", "json", &program]);
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["files"][0]["errors"][0]["position"]["line"], 2);
}

#[test]
fn misspelt_names_and_words_are_recognised() {
    let program = "field val: Int
predicate lst(r: Ref)
adt Colour { Red() Green() }
function inc(i: Int): Int { i + 1 }
method foo(count: Int, c: Colour) returns (res: Int)
{
  var x: Ref
  rse := 1
  res := coutn
  x.vall := 3
  fooo(1)
  res := incc(3)
  inhale lsst(x)
  var t: Itn
  assert c.isGren
}
";
    let (folder, program) = Folder::with("meant", program);
    let found = titles(&["check", &program]);
    let meant = ["res", "count", "val", "foo", "inc", "lst", "Int", "isGreen"];
    assert_eq!(found.len(), meant.len(), "{found:#?}");
    for (title, meant) in found.iter().zip(meant) {
        assert!(title.ends_with(&format!("did you mean `{meant}`?")), "{meant}: {title}");
    }
    for (text, meant) in [
        ("mehtod m() { }", "did you mean `method`?"),
        ("method m()\n  require true\n{ }", "did you mean `requires`?"),
        ("method m()\n{\n  asert true && false\n}", "did you mean `assert` instead of `asert`?"),
        ("method m()\n{\n  whlie (true) { }\n}", "did you mean `while`?"),
        ("method m()\n{\n  assert ture\n}", "did you mean `true`?"),
        ("method m(x: Int)\n{\n  assert odl(x) == x\n}", "did you mean `old`?"),
        ("method m() {\n  goto ende\n  label end\n}", "Did you mean `end`?"),
        ("method m() retruns (x: Int) { }", "did you mean `returns`?"),
    ] {
        let file = folder.file("word.vpr", text);
        let said = said(&["check", &file]);
        assert!(said.contains(meant), "{meant}: {said}");
    }
    // A completely different name is not a misspelling.
    let file = folder.file("word.vpr", "method m(count: Int) { assert value > 0 }");
    assert!(!said(&["check", &file]).contains("did you mean"));
}

/// `x.vall := 3` shows only the unknown field to users; JSON also has the follow-up error about the assignment's
/// target.
#[test]
fn what_follows_from_an_error_is_not_shown_to_people() {
    let (_folder, program) = Folder::with("follows", "field val: Int\nmethod m(x: Ref) { x.vall := 3 }\n");
    assert_eq!(titles(&["check", &program]).len(), 1);
    assert_eq!(titles(&["verify", &program]).len(), 1);
    let text = said(&["check", "--format", "json", &program]);
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let errors = document["files"][0]["errors"].as_array().expect("errors");
    assert_eq!(errors.iter().map(|error| error["cascade"] == true).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn what_was_not_checked_is_told_only_where_there_is_something() {
    let program = "method last(x: Int) { assert x != x }
method branch(x: Int) { if (x > 0) { assert x != x } }
";
    let (_folder, program) = Folder::with("last", program);
    let said = said(&["verify", &program]);
    assert!(said.contains("2 errors") && !said.contains("not checked"), "{said}");
}

#[test]
fn wrong_options_are_answered_with_what_to_do() {
    let (_folder, program) = Folder::with("options", SELECTED);
    assert!(complained(&["deps", &program, "--of", "99"]).contains("the nearest line with something is 3"));
    assert_eq!(code(&["cover", &program, "--min-coverage", "200"]), Some(2));
    assert!(
        complained(&["cover", &program, "--deny", "assumption.unsued"]).contains("did you mean `assumption.unused`?")
    );
    // In JSON, patterns that match nothing are reported too.
    let text = said(&["verify", "--format", "json", "--member", "calee", &program]);
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let error = &document["files"][0]["errors"][0];
    assert_eq!((&error["id"], &document["files"][0]["verdict"]), (&"clioption.error".into(), &"invalid".into()));
}
