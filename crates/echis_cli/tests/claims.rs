//! What users conclude from the output is true: marks, summaries, errors, positions and counts.

mod common;

use common::{Folder, out, run};
use serde_json::Value;
use std::path::PathBuf;

fn json(args: &[&str]) -> Value {
    serde_json::from_slice(&run(&[args, &["--format", "json"]].concat()).stdout).expect("standard output is JSON")
}

fn example(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).to_string_lossy().into_owned()
}

/// In these programs, case distinctions made by the engine have infeasible branches, but no assumptions are
/// contradictory.
#[test]
fn nothing_is_vacuous_where_nothing_is_contradictory() {
    for name in ["linked_list", "list_segments", "list_wand", "sorted_linked_list"] {
        let file = example(&format!("textbook/{name}.vpr"));
        let covered = out(&["cover", &file]);
        let marked: Vec<&str> =
            covered.lines().filter(|line| line.get(6..).is_some_and(|l| l.starts_with('∅'))).collect();
        assert!(marked.is_empty(), "{marked:?}");
        let members = json(&["deps", &file]);
        let vacuous = members["members"].as_array().expect("members").iter();
        let vacuous: Vec<&Value> = vacuous.flat_map(|member| member["vacuous"].as_array().expect("a list")).collect();
        assert!(vacuous.is_empty(), "{name}: {vacuous:?}");
    }
}

#[test]
fn what_follows_from_a_contradiction_is_marked() {
    let folder = Folder::new("claims-vacuous");
    let file = folder.file(
        "a.vpr",
        "\
function f(a: Int): Int
  requires a > 0 && a < 0
  ensures result == 7
{ a == 3 ? f(a) : a }

method m(a: Int) returns (r: Int)
  requires a > 0 && a < 0
  ensures r == 5
{
  r := 3
}
",
    );
    assert!(out(&["deps", &file, "--of", "8"]).contains("proved vacuously"));
    assert!(out(&["deps", &file, "--of", "3"]).contains("proved vacuously"));
    let warned = out(&["cover", &file]);
    assert_eq!(warned.matches("warning[proved.vacuously]").count(), 2, "{warned}");
}

#[test]
fn one_contradiction_is_one_warning() {
    let folder = Folder::new("claims-folded");
    let axioms = "domain D {\n  function f(): Int\n  axiom one { f() > 0 }\n  axiom two { f() < 0 }\n}\n";
    let member = |name: &str| format!("method {name}()\n  ensures f() == 3\n{{\n  assert f() == 1\n}}\n");
    let file = folder.file("a.vpr", &format!("{axioms}{}{}", member("a"), member("b")));
    let warned = out(&["cover", &file]);
    assert_eq!(warned.matches("warning[proved.vacuously]").count(), 1, "{warned}");
    assert!(warned.contains("The same contradiction proves 3 more obligations, in lines"), "{warned}");
    assert!(warned.contains("axiom one"), "{warned}");
    let warnings = json(&["cover", &file])["warnings"].as_array().cloned().expect("warnings");
    let consequences = warnings.iter().filter(|warning| warning["consequence"] == true).count();
    assert_eq!((warnings.len(), consequences), (4, 3), "programs get all of them");
}

const AXIOMS: &str = "\
domain Cell {
  function address(index: Int): Int
  axiom injective { forall i: Int, j: Int :: { address(i), address(j) } i != j ==> address(i) != address(j) }
  axiom idle { forall i: Int :: { address(i) } address(i) >= 0 }
}
function countdown(n: Int): Int
  requires n >= 0
  decreases n
{ n == 0 ? 0 : countdown(n - 1) }
method m(i: Int)
  requires i > 0
{
  assert address(i) != address(0)
}
";

#[test]
fn the_summary_agrees_with_coverage() {
    let folder = Folder::new("claims-summary");
    let file = folder.file("a.vpr", AXIOMS);
    let summary = out(&["deps", &file]);
    assert!(summary.contains("not covered   4:3  axiom idle"), "{summary}");
    assert!(!summary.contains("not covered   3:3  axiom injective"), "{summary}");
    assert!(!summary.contains("decreases/"), "{summary}");
    let members = |command: &str| json(&[command, &file])["members"].as_array().cloned().expect("members");
    let uncovered = |members: &[Value], key: &str| -> usize {
        members.iter().map(|member| member[key].as_array().map_or(0, Vec::len)).sum()
    };
    assert_eq!(uncovered(&members("deps"), "unneeded"), uncovered(&members("cover"), "uncovered"));
}

/// Preconditions are proved by callers; only those without a caller are trusted.
#[test]
fn preconditions_are_not_trusted() {
    let list = example("list.vpr");
    let summary = out(&["deps", &list]);
    assert!(!summary.contains("trusted"), "{summary}");
    assert!(summary.contains("required      20:12  list(tail)"), "{summary}");
    let progress = out(&["deps", &list, "--progress"]);
    assert!(progress.starts_with("progress 100 %") && !progress.contains("to prove next"), "{progress}");
    let folder = Folder::new("claims-trusted");
    let file = folder.file(
        "a.vpr",
        "method lib() returns (r: Int)\n  ensures r > 3\nmethod m(n: Int)\n  requires n > 0\n{\n  var r: Int\n  \
         r := lib()\n  assume n < 5\n  assert n + r > 4 && n < 5\n}\n",
    );
    let summary = out(&["deps", &file]);
    for trusted in ["trusted       2:11  r > 3", "trusted       8:3  assume n < 5", "required      4:12  n > 0"] {
        assert!(summary.contains(trusted), "{summary}");
    }
    assert!(!out(&["deps", &file, "--progress"]).starts_with("progress 100 %"));
}

/// Fermat's last theorem for cubes: without the precondition `d != 0`, the assertion is undecided.
#[test]
fn what_is_not_decided_is_not_fine() {
    let folder = Folder::new("claims-undecided");
    let file = folder.file(
        "a.vpr",
        "\
method m(a: Int, b: Int, c: Int, d: Int)
  requires a > 0 && b > 0 && c > 0
  requires d == a * a * a + b * b * b - c * c * c
  requires d != 0
{
  assert a * a * a + b * b * b != c * c * c
}
",
    );
    let denied = run(&["cover", "--deny", "proved.vacuously", &file]);
    let said = String::from_utf8_lossy(&denied.stderr).into_owned() + &String::from_utf8_lossy(&denied.stdout);
    assert_eq!(denied.status.code(), Some(1), "{said}");
    assert!(said.contains("undecided: the solver reached its limit"), "{said}");
    let stopped = run(&["cover", "--timeout", "0.001", &file]);
    assert_eq!(stopped.status.code(), Some(1));
}

/// A function that cannot prove `false` itself does not affect the goals that apply it.
#[test]
fn goals_that_apply_conditional_functions_are_covered() {
    let folder = Folder::new("claims-conditional");
    let file = folder.file(
        "a.vpr",
        "\
function get(x: Int): Int { x == 0 ? 0 : 1 }
method push(v: Int) returns (r: Int)
  requires v > 9
  ensures get(r) == 1
{ r := 5 }
",
    );
    let covered = out(&["cover", &file]);
    assert!(covered.contains("warning[assumption.unused]: No proof needs the precondition v > 9."), "{covered}");
}

/// `&&` evaluates its right-hand side only if the left-hand side is true.
#[test]
fn a_conjunct_is_blamed_only_where_those_before_it_hold() {
    let folder = Folder::new("claims-conjuncts");
    let file = folder.file(
        "a.vpr",
        "field f: Int\nmethod m(x: Ref, z: Ref)\n  requires z != null ==> acc(x.f)\n{\n  assert z != null && x.f > 0\n}\n",
    );
    let said = String::from_utf8_lossy(&run(&["verify", &file]).stdout).into_owned();
    assert!(!said.contains("insufficient.permission"), "{said}");
    assert_eq!(said.matches("error[assert.failed:assertion.false]").count(), 2, "{said}");
    assert_eq!(said.matches("on the path where !(z != null)").count(), 1, "{said}");
}

#[test]
fn columns_count_characters() {
    let folder = Folder::new("claims-columns");
    let text =
        "field f: Int\r\nmethod m(x: Ref)\r\n  requires acc(x.f)\r\n{\r\n\tassert /* 日本 😀 */ x.f > 0\r\n}\r\n";
    let file = folder.file("a.vpr", text);
    let said = String::from_utf8_lossy(&run(&["verify", &file]).stdout).into_owned();
    assert!(said.contains("a.vpr:5:20\n"), "{said}");
    assert!(said.lines().all(|line| line == line.trim_end()), "{said:?}");
    let (source, marks) = (said.lines().nth(4).expect("the line"), said.lines().nth(5).expect("the marks"));
    let width = |text: &str| text.chars().map(|c| if c.len_utf8() > 2 { 2 } else { 1 }).sum::<usize>();
    let before = |line: &str, part: &str| width(&line[..line.find(part).expect("it is there")]);
    assert_eq!(before(source, "x.f"), before(marks, "^"), "{said}");
    let error = json(&["verify", &file])["files"][0]["errors"][0].clone();
    assert_eq!((&error["position"]["line"], &error["position"]["column"]), (&Value::from(5), &Value::from(20)));
}

#[test]
fn a_folder_is_summed_up() {
    let folder = Folder::new("claims-folder");
    folder.file("a.vpr", "method a() { assert true }\n");
    folder.file("b.vpr", "method b() { assert false }\n");
    let path = folder.path(".");
    let said = String::from_utf8_lossy(&run(&["verify", &path]).stdout).into_owned();
    assert!(!said.contains("a.vpr: verified"), "{said}");
    assert!(said.contains("2 programs: 1 verified, 1 failed (") && said.contains("; slowest: "), "{said}");
}

/// Files that import each other form one program, whichever of them is the main file.
#[test]
fn a_pruned_program_is_complete() {
    let folder = Folder::new("claims-prune");
    folder.file(
        "b.vpr",
        "import \"a.vpr\"\nfunction two(): Int\n  ensures result == 2\n{ one() + 1 }\nmethod other() { assert two() == 2 }\n",
    );
    let file = folder.file(
        "a.vpr",
        "\
import \"b.vpr\"
function one(): Int
  ensures result == 1
{ 1 }
method m(n: Int)
  requires n > 0
{
  if (n > 7) {
    var rest: Int
  }
  assert two() == 2
}
",
    );
    std::fs::create_dir_all(folder.path("elsewhere")).expect("a folder");
    let target = folder.path("elsewhere/pruned.vpr");
    out(&["prune", &file, "--keep", "11", "-o", &target]);
    let pruned = std::fs::read_to_string(&target).expect("it was written");
    assert!(["import", "other", "rest", "n > 0", "choice"].iter().all(|word| !pruned.contains(word)), "{pruned}");
    assert!(out(&["verify", &target]).contains("verified"), "{pruned}");
    assert_eq!(run(&["fmt", "--check", &target]).status.code(), Some(0), "{pruned}");
}

/// The goal fails for the second element of the set, which has no name.
#[test]
fn a_model_has_what_the_goal_fails_for() {
    let folder = Folder::new("claims-witness");
    let file = folder.file(
        "a.vpr",
        "\
field bal: Int
method pay(s: Set[Ref], x: Ref)
  requires forall r: Ref :: r in s ==> acc(r.bal)
  requires forall r: Ref :: r in s ==> r.bal >= 0
  requires x in s
  ensures forall r: Ref :: r in s ==> acc(r.bal)
  ensures forall r: Ref :: r in s ==> r.bal == 5
{
  x.bal := 5
}
",
    );
    let said = String::from_utf8_lossy(&run(&["verify", "--counterexample", "extended", &file]).stdout).into_owned();
    assert!(said.contains("counterexample (confirmed"), "{said}");
    assert!(!said.contains("#unspecified"), "{said}");
}

/// Whether a part is dead depends on the rest of the predicate, the left-hand side of the wand, and the goals.
#[test]
fn dead_parts_of_predicates_wands_and_axioms_are_found() {
    let folder = Folder::new("claims-dead-parts");
    let file = folder.file(
        "a.vpr",
        "\
field f: Int
domain D {
  function weight(n: Int): Int
  axiom both { forall n: Int :: {weight(n)} weight(n) > 0 && weight(n) != -3 }
}
predicate cell(x: Ref) {
  acc(x.f) && x.f >= 0 && (x.f < 0 ==> x.f == 7) && (x.f > 5 ==> x.f != 6)
}
method heavy(n: Int)
{
  assert weight(n) > 0
}
method never(x: Ref)
{
  package (acc(x.f) && x.f > 0 && x.f < 0) --* acc(x.f, 1/2) && x.f == 9
}
method sometimes(x: Ref)
{
  package (acc(x.f) && x.f > 0) --* acc(x.f) && x.f != 0
}
method empty(x: Ref)
  requires cell(x)
{
  package acc(x.f) --* acc(x.f) {
    if (x.f < x.f) {
      assert x.f == 1
    }
  }
}
",
    );
    let warned = json(&["cover", &file])["warnings"].as_array().cloned().expect("warnings");
    let found: Vec<(u64, &str)> = warned
        .iter()
        .map(|warning| (warning["position"]["line"].as_u64().unwrap_or(0), warning["id"].as_str().unwrap_or("")))
        .collect();
    let expected = [
        (4, "assumption.unused"),
        (7, "part.unused"),
        (15, "proved.vacuously"),
        (19, "code.unconstrained"),
        (22, "assumption.unused"),
        (25, "branch.unreachable"),
    ];
    assert_eq!(found, expected, "{warned:?}");
}

fn warnings(file: &str) -> Vec<(u64, String)> {
    let warned = json(&["cover", file])["warnings"].as_array().cloned().expect("warnings");
    let at = |warning: &Value| warning["position"]["line"].as_u64().unwrap_or(0);
    let id = |warning: &Value| warning["id"].as_str().unwrap_or("").to_string();
    warned.iter().map(|warning| (at(warning), id(warning))).collect()
}

fn has(found: &[(u64, String)], line: u64, id: &str) -> bool {
    found.iter().any(|(at, what)| *at == line && what == id)
}

/// Conjuncts that are only needed to preserve each other are unused, even if they are adjacent.
#[test]
fn neighbours_that_need_each_other_are_not_needed() {
    let folder = Folder::new("claims-neighbours");
    let file = folder.file(
        "a.vpr",
        "\
method count(n: Int) returns (i: Int)
  requires n >= 0
  ensures i == n
{
  var a: Int := 0
  var b: Int := 1
  i := 0
  while (i < n)
    invariant i <= n
    invariant a >= 0 && b >= 0
  {
    var t: Int := a + b
    a := b
    b := t
    i := i + 1
  }
}
",
    );
    let found = warnings(&file);
    assert_eq!(found.iter().filter(|(line, id)| *line == 10 && id == "assumption.unused").count(), 2, "{found:?}");
}

/// A part of a predicate may be unused even though the predicate is unfolded.
#[test]
fn parts_of_predicates_and_axioms_that_nothing_needs_are_found() {
    let folder = Folder::new("claims-parts");
    let file = folder.file(
        "a.vpr",
        "\
field f: Int
field owner: Ref
domain D {
  function low(): Int
  axiom both { low() == 1 && low() < 9 }
}
predicate cell(x: Ref) {
  acc(x.f)
  && acc(x.owner, 1/2)
  && x.f > 0
}
method read(x: Ref) returns (r: Int)
  requires cell(x)
  ensures cell(x)
  ensures r >= low()
{
  unfold cell(x)
  r := x.f
  fold cell(x)
}
",
    );
    let found = warnings(&file);
    for line in [5, 9] {
        assert!(has(&found, line, "assumption.unused"), "{line}: {found:?}");
    }
    for line in [8, 10] {
        assert!(!found.iter().any(|(at, _)| *at == line), "{line}: {found:?}");
    }
}

/// A non-terminating function can have any postcondition; a terminating one cannot.
#[test]
fn promises_of_functions_without_an_end_are_vacuous() {
    let folder = Folder::new("claims-endless");
    let file = folder.file(
        "a.vpr",
        "\
function spin(n: Int): Int
  ensures result == 17
{ n > 0 ? spin(n + 1) : spin(n - 1) }
function length(n: Int): Int
  requires n >= 0
  ensures result == n
{ n == 0 ? 0 : 1 + length(n - 1) }
method m()
{
  assert spin(3) == 17
  assert length(2) == 2
}
",
    );
    let found = warnings(&file);
    assert!(has(&found, 2, "proved.vacuously"), "{found:?}");
    assert!(!has(&found, 6, "proved.vacuously"), "{found:?}");
}

/// A failed obligation is assumed afterwards; dependencies on it are attributed to the clause that it comes from.
#[test]
fn what_rests_on_a_failure_rests_on_its_clause() {
    let folder = Folder::new("claims-believed-failure");
    let file = folder.file(
        "a.vpr",
        "\
field f: Int
method m(s: Seq[Ref])
  requires |s| == 2
  requires forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].f, 1/3)
{
  assert s[0] != s[1]
}
",
    );
    let said = String::from_utf8_lossy(&run(&["deps", &file, "--of", "6"]).stdout).into_owned();
    assert!(said.contains("4:12  forall i: Int"), "{said}");
}

/// Each conjunct of an assumption is shown with its own text.
#[test]
fn a_conjunct_is_not_shown_as_the_statement() {
    let folder = Folder::new("claims-conjunct-text");
    let file =
        folder.file("a.vpr", "method m(y: Int)\n{\n  assume y > 2 && y < 5\n  assume y != 4\n  assert y < 7\n}\n");
    let summary = out(&["deps", &file]);
    assert!(summary.contains("not covered   3:10  y > 2 [explicit]"), "{summary}");
    assert!(summary.contains("trusted       3:19  y < 5 [explicit]"), "{summary}");
    assert!(summary.contains("not covered   4:3  assume y != 4 [explicit]"), "{summary}");
}

/// The target of a jump is reachable, even if the statement before it is not.
#[test]
fn labels_are_reached_by_jumps() {
    let folder = Folder::new("claims-labels");
    let file = folder.file(
        "a.vpr",
        "\
method m(x: Int) returns (r: Int)
  ensures r == x + 1
{
  r := x + 1
  goto end
  r := 7
  label end
}
method n(x: Int) returns (r: Int)
  ensures r == x
{
  r := x
  goto end
  label end
}
",
    );
    assert_eq!(warnings(&file), [(6, "branch.unreachable".to_string())]);
}
