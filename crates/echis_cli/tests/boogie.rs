//! Boogie programs on the command line: `echis boogie` as a replacement for Boogie, coverage without labels, streamed
//! errors, and attributes.

mod common;

use common::{Folder, run};
use serde_json::Value;

const WRONG: &str = "\
procedure P(x: int) returns (y: int)
  requires x > 0;
  ensures y > 1;
{
  y := x;
}
procedure Q()
{
  var z: int;
  call z := P(0);
  assert z > 1;
}
procedure R(x: int) { assert {:msg \"x must be small\"} x < 5; assert x < 6; }
";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn boogie(args: &[&str]) -> (String, String, Option<i32>) {
    let output = run(&[&["boogie"], args].concat());
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

fn lines(args: &[&str]) -> Vec<Value> {
    let output = text(&run(args).stdout);
    output.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn it_prints_what_boogie_prints() {
    let folder = Folder::new("boogie-output");
    let file = folder.file("wrong.bpl", WRONG);
    let (out, err, code) = boogie(&["/nologo", &file]);
    let expected = format!(
        "{file}(6,1): Error: a postcondition could not be proved on this return path\n\
         {file}(3,3): Related location: this is the postcondition that could not be proved\n\
         {file}(10,3): Error: a precondition for this call could not be proved\n\
         {file}(2,3): Related location: this is the precondition that could not be proved\n\
         {file}(13,23): Error: x must be small\n\
         \nBoogie program verifier finished with 0 verified, 3 errors\n"
    );
    assert_eq!((out, err, code), (expected, String::new(), Some(0)));
    let (out, _, _) = boogie(&["-proc:Q", "-trace", "-printModel:1", &file]);
    assert!(out.starts_with("Boogie program verifier version "), "{out}");
    assert!(out.contains("\nVerifying Q ...\n") && !out.contains("Verifying P"), "{out}");
    assert!(out.ends_with("\nBoogie program verifier finished with 0 verified, 1 error\n"), "{out}");
}

#[test]
fn options_of_boogie_are_followed_ignored_or_unknown() {
    let folder = Folder::new("boogie-options");
    let file = folder.file("wrong.bpl", WRONG);
    let (_, err, code) = boogie(&["/infer:t", "-typeEncoding:m", "/noVerify", &file]);
    assert!(err.ends_with("ignored: /infer:t -typeEncoding:m\n") && code == Some(0), "{err}");
    let (_, err, code) = boogie(&["-nosuch", &file]);
    assert_eq!((&*err, code), ("Boogie: Error: unknown switch: -nosuch\nUse /help for available options\n", Some(1)));
    let (out, _, _) = boogie(&["/nologo", "/noVerify", "/print:-", &file]);
    assert_eq!(out, format!("{WRONG}\nBoogie program verifier finished with 0 verified, 0 errors\n"));
    assert_eq!(boogie(&["/help"]).2, Some(0));
}

/// The lines of errors.
fn failing(args: &[&str]) -> Vec<u32> {
    let (out, _, _) = boogie(&[&["/nologo"], args].concat());
    let line = |line: &str| line.split_once("): Error: ")?.0.rsplit_once('(')?.1.split_once(',')?.0.parse().ok();
    out.lines().filter_map(line).collect()
}

#[test]
fn unrolled_loops_are_followed_a_few_times() {
    let folder = Folder::new("boogie-unrolled");
    let program = "\
procedure P(n: int)
{
  var i, j: int;
  i := 0;
  while (i < n)
  {
    j := 0;
    while (j < 2)
    {
      j := j + 1;
    }
    assert j == 2;
    i := i + 1;
  }
  assert i != 3;
}
";
    let file = folder.file("loops.bpl", program);
    assert_eq!(failing(&[&file]), [12, 15]);
    assert_eq!(failing(&["/loopUnroll:2", &file]), [0u32; 0]);
    assert_eq!(failing(&["/loopUnroll:3", &file]), [15]);
    // The inner loop does not terminate within the bound, so nothing after it is reached.
    assert_eq!(failing(&["/loopUnroll:1", &file]), [0u32; 0]);
}

#[test]
fn bounds_and_modifies_clauses_are_inferred() {
    let folder = Folder::new("boogie-inferred");
    let program = "\
var g: int;
procedure Set() { g := 1; }
procedure P()
  ensures g == old(g);
{
  call Set();
}
procedure Count()
{
  var i: int;
  i := 0;
  while (i < 100) { i := i + 1; }
  assert i == 100;
}
procedure Down(n: int)
{
  var i: int;
  i := 10;
  while (i < n) { i := i - 1; }
  assert i <= 10;
  assert i >= 0;
}
";
    let file = folder.file("inferred.bpl", program);
    assert_eq!(failing(&[&file]), [2]);
    assert_eq!(failing(&["/inferModifies", &file]), [7, 13, 20, 21]);
    assert_eq!(failing(&["/inferModifies", "/infer:j", &file]), [7, 21]);
}

#[test]
fn a_procedure_that_verifies_says_what_it_is_to_say() {
    let folder = Folder::new("boogie-messages");
    let program = "procedure {:msg_if_verifies \"nothing holds\"} P() { assume false; }\n\
                   procedure {:msg_if_verifies \"all is well\"} Q() { assert false; }\n";
    let file = folder.file("messages.bpl", program);
    let (out, _, _) = boogie(&["/nologo", &file]);
    assert!(out.contains("\nnothing holds\n") && !out.contains("all is well"), "{out}");
}

/// Concurrency constructs are reported as unsupported, and the rest is verified.
#[test]
fn a_concurrent_program_is_verified_in_part() {
    let folder = Folder::new("boogie-concurrent");
    let program = "yield procedure {:layer 1} Main();\nprocedure P() { assert true; }\n";
    let file = folder.file("threads.bpl", program);
    let (out, _, code) = boogie(&["/nologo", &file]);
    let expected = format!(
        "{file}(1,1): Error: Main is not verified: concurrent programs (CIVL) are not supported\n\
         \nBoogie program verifier finished with 1 verified, 0 errors\n"
    );
    assert_eq!((out, code), (expected, Some(1)));
    assert_eq!(run(&["verify", &file]).status.code(), Some(2));
}

/// Each implementation of a procedure reports its own errors, once each.
#[test]
fn an_error_is_told_once() {
    let folder = Folder::new("boogie-bodies");
    let program = "\
procedure P(x: int);
implementation P(x: int)
{
  assert x > 0;
}
implementation P(x: int)
{
  assert x > 1;
}
";
    let file = folder.file("bodies.bpl", program);
    let (out, _, _) = boogie(&["/nologo", &file]);
    let expected = format!(
        "{file}(4,3): Error: this assertion could not be proved\n\
         {file}(8,3): Error: this assertion could not be proved\n\
         \nBoogie program verifier finished with 0 verified, 2 errors\n"
    );
    assert_eq!(out, expected);
}

#[test]
fn programs_that_are_not_valid_are_told_as_boogie_tells_them() {
    let folder = Folder::new("boogie-invalid");
    let file = folder.file("names.bpl", "procedure P()\n{\n  x := 1;\n}\n");
    let (out, _, code) = boogie(&["/nologo", &file]);
    assert_eq!(
        out,
        format!("{file}(3,2): Error: undeclared identifier: x\n1 name resolution errors detected in {file}\n")
    );
    assert_eq!(code, Some(1));
    let (out, _, code) = boogie(&["/nologo", &folder.path("none.bpl")]);
    assert!(out.starts_with("Error opening file ") && code == Some(1), "{out}");
}

#[test]
fn several_files_are_one_program() {
    let folder = Folder::new("boogie-files");
    let first = folder.file("first.bpl", "procedure P(x: int) returns (y: int); ensures y > x;\n");
    let second = folder.file("second.bpl", "procedure Q() { var z: int; call z := P(1); assert z > 1; }\n");
    let (out, _, _) = boogie(&["/nologo", &first, &second]);
    assert_eq!(out, "\nBoogie program verifier finished with 1 verified, 0 errors\n");
}

/// The limit comes from the attribute: with one unit, nothing that needs the solver is decided.
#[test]
fn a_procedure_has_the_bound_that_it_asks_for() {
    let folder = Folder::new("boogie-bounds");
    let body = |name: &str, attribute: &str| {
        format!(
            "procedure {attribute} {name}(a: [int]int, n: int)\n  requires (forall i: int :: 0 <= i && i < n ==> a[i] == i * i);\n\
             {{\n  assert (forall i, j: int :: 0 <= i && i < j && j < n ==> a[i] < a[j]);\n}}\n"
        )
    };
    let file = folder.file("bounds.bpl", &(body("Free", "") + &body("Bounded", "{:rlimit 1}")));
    let (out, _, _) = boogie(&["/nologo", &file]);
    assert!(out.contains("Verification out of resource (Bounded)"), "{out}");
    assert!(!out.contains("out of resource (Free)"), "{out}");
}

#[test]
fn errors_are_told_as_they_are_found() {
    let folder = Folder::new("boogie-stream");
    let file = folder.file("wrong.bpl", WRONG);
    let found = lines(&["verify", "--format", "jsonl", "--jobs", "1", &file]);
    let kinds: Vec<&str> = found.iter().map(|line| line["type"].as_str().unwrap_or("")).collect();
    assert_eq!(kinds, ["run", "error", "member", "error", "member", "error", "member", "file", "end"]);
    assert_eq!(found[1]["id"], found[2]["errors"][0]["id"]);
}

const UNLABELLED: &str = "\
procedure Contradictory(x: int) returns (y: int)
  requires x > 0;
  requires x < 0;
  ensures y == 7;
{
  y := 1;
}
procedure Loose(x: int, z: int) returns (y: int, t: int)
  requires x > 0;
  requires z > 0;
  ensures y > 0;
{
  assume z != 9;
  t := 5;
  y := x;
}
procedure Needed(x: int) returns (y: int)
  requires x > 0;
  ensures y > 1;
{
  assume x != 1;
  y := x;
}
";

/// The lines of the warnings with the given id.
fn warned(document: &Value, id: &str) -> Vec<u64> {
    let warnings = document["files"][0]["warnings"].as_array().expect("there is a list");
    let of_id = warnings.iter().filter(|warning| warning["id"] == id);
    of_id.filter_map(|warning| warning["position"]["line"].as_u64()).collect()
}

#[test]
fn coverage_needs_no_labels() {
    let folder = Folder::new("boogie-cover");
    let file = folder.file("unlabelled.bpl", UNLABELLED);
    let cover = |options: &[&str]| -> Value {
        let output = run(&[&["cover", "--format", "json", &file], options].concat());
        serde_json::from_slice(&output.stdout).expect("standard output is JSON")
    };
    let document = cover(&[]);
    assert_eq!(warned(&document, "proved.vacuously"), [4]);
    assert_eq!(warned(&document, "assumption.unused"), [10, 13]);
    assert_eq!(warned(&document, "code.unconstrained"), [14]);
    let smoke = cover(&["--smoke"]);
    assert_eq!(warned(&smoke, "proved.vacuously"), [4]);
    assert_eq!(warned(&smoke, "assumption.unused"), [0u64; 0]);
    assert_eq!(warned(&cover(&["--no-confirm"]), "proved.vacuously"), [0u64; 0]);
    let code = |options: &[&str]| run(&[&["cover", "-q", &file], options].concat()).status.code();
    assert_eq!(code(&["--deny", "branch.unreachable"]), Some(0));
    assert_eq!(code(&["--deny", "proved.vacuously"]), Some(1));
    assert_eq!(code(&["--min-coverage", "100"]), Some(1));
    let written = folder.path("lines.info");
    assert_eq!(code(&["--lcov", &written]), Some(0));
    assert!(folder.read("lines.info").contains("DA:14,0"));
}

/// The dependencies of one proof may omit an assumption that another proof needs, such as a callee's precondition:
/// only verifying the edited program shows this.
#[test]
fn what_a_call_demands_is_not_unneeded() {
    let folder = Folder::new("boogie-cover-call");
    let program = "\
function F(x: int): bool;
procedure Lemma(x: int);
  requires x > 0;
  ensures F(x);
procedure Caller(x: int)
{
  assume x > 3;
  call Lemma(x);
}
";
    let file = folder.file("call.bpl", program);
    let output = run(&["cover", "--format", "json", &file]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("standard output is JSON");
    assert_eq!(warned(&document, "assumption.unused"), [8], "the call proves nothing, but needs the assumption");
}

#[test]
fn attributes_that_are_not_followed_are_named_once() {
    let folder = Folder::new("boogie-attributes");
    let program = "\
procedure P(x: int)
{
  assume {:add_to_pool \"L\", x} true;
  assume {:add_to_pool \"L\", x + 1} true;
  assert x == x;
}
";
    let file = folder.file("pool.bpl", program);
    let output = text(&run(&["verify", &file]).stdout);
    assert_eq!(output.matches("{:add_to_pool}").count(), 1, "{output}");
    let program = "\
procedure {:smt_option \"smt.arith.solver\", \"6\"} P(x: int);
  requires x > 0;
procedure Q(b: bool)
{
  call {:verified_under b} P(1);
  call {:verified_under b} P(2);
}
";
    let file = folder.file("calls.bpl", program);
    let output = text(&run(&["verify", &file]).stdout);
    assert_eq!(output.matches("{:verified_under}").count(), 0, "it is followed: {output}");
    assert_eq!(output.matches("{:smt_option} is ignored").count(), 1, "{output}");
}

/// The minimum number of corpus programs with the same output as Boogie, ignoring columns, order and execution traces.
const LIKE_BOOGIE: usize = 155;

#[test]
fn most_programs_of_the_corpus_are_told_in_the_words_of_boogie() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/boogie");
    let Ok(manifest) = std::fs::read_to_string(corpus.join("manifest.tsv")) else { return };
    let mut like = 0;
    let mut unlike = Vec::new();
    for row in manifest.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let path = corpus.join(columns[0]);
        let (folder, name) = (path.parent().expect("in a folder"), path.file_name().expect("a file"));
        let expected = std::fs::read_to_string(corpus.join(format!("{}.expect", columns[0]))).expect("it is there");
        let mut command = common::echis();
        command.args(["boogie", "/nologo"]).args(columns[2].split_whitespace()).arg(name).current_dir(folder);
        let out = text(&command.output().expect("the binary runs").stdout);
        if without_traces(&out) == without_traces(&expected) {
            like += 1;
        } else {
            unlike.push(columns[0]);
        }
    }
    assert!(like >= LIKE_BOOGIE, "{like} programs; others: {unlike:?}");
}

/// The lines of an output, sorted, without columns and execution traces.
fn without_traces(output: &str) -> Vec<String> {
    let told = |line: &&str| !line.starts_with("Execution trace") && !line.starts_with("    ") && !line.is_empty();
    let without_column = |line: &str| match line.split_once("): ").and_then(|(place, rest)| {
        let (before, _) = place.rsplit_once(',')?;
        Some(format!("{before}: {rest}"))
    }) {
        Some(line) => line,
        None => line.to_string(),
    };
    let mut lines: Vec<String> = output.lines().filter(told).map(without_column).collect();
    lines.sort();
    lines
}

/// Edits of procedures that do not call each other are tried in one program; an edit that breaks a proof is found by
/// bisection.
#[test]
fn warnings_of_several_procedures_are_confirmed_together() {
    let folder = Folder::new("boogie-cover-together");
    let body = "(a: int, b: int) returns (r: int)\n  ensures r > a;\n{\n  assume b > 7;\n  r := a + 1;\n}\n";
    let program: String = ["P", "Q", "R"].iter().map(|name| format!("procedure {name}{body}")).collect();
    let file = folder.file("program.bpl", &program);
    let output = run(&["cover", "--format", "json", &file]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(warned(&document, "assumption.unused"), [4, 10, 16]);
    assert!(text(&run(&["cover", &file]).stdout).contains("1 edited program verified to confirm warnings"));
}

/// The number of errors reported per procedure is limited by an option.
#[test]
fn errors_are_limited() {
    let folder = Folder::new("boogie-errors");
    let file = folder.file("program.bpl", "procedure P(x: int) { assert x < 1; assert x < 0; assert x > 0; }\n");
    let errors = |options: &[&str]| {
        let output = run(&[&["verify", "--format", "json", &file], options].concat());
        let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        document["files"][0]["errors"].as_array().map(Vec::len)
    };
    assert_eq!(errors(&[]), Some(3));
    assert_eq!(errors(&["--errors", "1"]), Some(1));
}

/// A value that is not read from the model is not said to be arbitrary.
#[test]
fn counterexamples_do_not_say_that_floats_are_arbitrary() {
    let folder = Folder::new("boogie-floats");
    let program = "procedure P(f: float24e8, i: int) { assert f < 0x1.0e0f24e8 || i < 3; }\n";
    let file = folder.file("program.bpl", program);
    let out = text(&run(&["verify", "--counterexample", "variables", &file]).stdout);
    assert!(out.contains("f: float24e8 = (value not available)"), "{out}");
    assert!(!out.contains("#unspecified"), "{out}");
    assert!(out.contains("the model does not determine the value of the goal"), "{out}");
}

/// An option or a command that would do nothing is refused: no warning must not be taken for "nothing to warn about".
#[test]
fn options_that_do_not_apply_are_refused() {
    let folder = Folder::new("boogie-options");
    let file = folder.file("program.bpl", "procedure P(x: int) { assert x + 1 > x; }\n");
    let refused: [&[&str]; 6] = [
        &["--warn", "coverage"],
        &["--profile"],
        &["--stability", "2"],
        &["--engine", "both"],
        &["--export-test", "tests"],
        &["--draw", "pictures"],
    ];
    for options in refused {
        let output = run(&[&["verify", &file], options].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(text(&output.stderr).contains("does not apply to Boogie programs"), "{options:?}");
    }
    for command in [&["fix"][..], &["fmt"], &["dump", "ast"], &["dump", "smt"]] {
        let output = run(&[command, &[&*file]].concat());
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let told = text(&output.stdout) + &text(&output.stderr);
        assert!(told.contains("is for Viper programs"), "{command:?}: {told}");
    }
}
