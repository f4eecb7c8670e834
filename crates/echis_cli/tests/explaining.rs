//! Explaining why a program verifies: `echis deps`, `echis prune` and `echis explore` as seen by scripts.

mod common;

use common::{Folder, echis, out, run};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

/// Two members, with one node per line.
const PROGRAM: &str = "\
field val: Int

method inc(inp: Int, out: Ref)
  requires inp >= 0
  requires acc(out.val)
  ensures acc(out.val)
  ensures out.val == inp + 1
  ensures out.val > 0
{
  assume inp < 100
  out.val := inp + 1 // the only write
}

method client()
{
  var out: Ref
  out := new(val)
  var n: Int
  n := 7
  inc(n, out)
  assert out.val > 0
}
";

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&out(&[args, &["--format", "json"]].concat())).expect("standard output is JSON")
}

/// The lines of the nodes in a list of ids.
fn lines(document: &Value, ids: &Value) -> Vec<u64> {
    let nodes = document["nodes"].as_array().expect("there are nodes");
    let line = |id: &Value| nodes.iter().find(|node| node["id"] == *id).and_then(|node| node["line"].as_u64());
    let mut lines: Vec<u64> = ids.as_array().expect("a list").iter().filter_map(line).collect();
    lines.sort();
    lines
}

#[test]
fn an_assertion_has_four_sets_of_dependencies() {
    let (_folder, program) = Folder::with("explaining-of", PROGRAM);
    let document = json(&["deps", &program, "--of", "21"]);
    let answer = &document["dependencies"][0];
    assert_eq!(lines(&document, &answer["all"]), [4, 5, 6, 8, 11, 17, 19, 20]);
    assert_eq!(lines(&document, &answer["explicit"]), [4, 5]);
    assert_eq!(lines(&document, &answer["direct"]), [6, 8, 20]);
    assert_eq!(answer["all"], answer["without_infeasibility"]);
}

/// An infeasible branch sets `x`; there are too many such paths to follow all of them.
const CASES: &str = "\
method cases(a: Int, y: Int) returns (r: Int)
  requires a > 100
  requires y > 0
{
  var x: Int
  x := 5
  r := 0
  if (a > 1) { r := r + 1 }
  if (a > 2) { r := r + 1 }
  if (a > 3) { r := r + 1 }
  if (a > 4) { r := r + 1 }
  if (a > 5) { r := r + 1 }
  if (a > 6) { r := r + 1 }
  if (a > 7) { r := r + 1 }
  if (a < 50) { x := -1 }
  assert x > 0
  assert y > 0
  r := 5
}
";

#[test]
fn an_answer_that_may_be_larger_than_needed_says_so() {
    let (folder, program) = Folder::with("explaining-coarse", CASES);
    let coarse = |args: &[&str]| json(&[args, &["--of", "16,17"]].concat())["dependencies"][0]["coarse"].clone();
    let document = json(&["deps", &program, "--of", "16,17"]);
    assert_eq!(lines(&document, &document["dependencies"][0]["all"]), [2, 6, 15]);
    assert_eq!(lines(&document, &document["dependencies"][1]["all"]), [3]);
    assert_eq!(document["dependencies"][1]["coarse"], Value::Null);
    assert_eq!(document["dependencies"][0]["coarse"], "unfollowed");
    assert!(out(&["deps", &program, "--of", "16"]).contains("over-approximation: not all infeasible paths"));
    assert!(!out(&["deps", &program, "--of", "17"]).contains("may be more than needed"));
    // An assignment without obligations does not get any because paths were not followed.
    let asked = run(&["deps", &program, "--of", "18"]);
    assert!(String::from_utf8_lossy(&asked.stderr).contains("nothing there has to be proved"));
    let graph = folder.path("graph.json");
    out(&["deps", &program, "--save", &graph]);
    assert_eq!(coarse(&["deps", "--load", &graph]), "unfollowed");
}

/// A program with the given statement in an infeasible branch: it gives up permission, fails or jumps.
fn with_side(side: &str, rest: &str) -> String {
    let condition = |least: usize| format!("  if (a > {least}) {{ r := r + 1 }}\n");
    let conditions: String = (1..8).map(condition).collect();
    format!(
        "field f: Int\n\
         method cases(a: Int, x: Ref) returns (r: Int)\n  requires a > 100\n  requires acc(x.f) && x.f == 3\n{{\n\
         {conditions}  if (a < 50) {{ {side} }}\n  r := 7\n  {rest}\n}}\n"
    )
}

#[test]
fn paths_that_were_not_followed_are_excluded_where_they_matter() {
    for (side, rest, needed) in [
        ("exhale acc(x.f)", "exhale acc(x.f)", true),
        ("x.f := 4", "assert x.f == 3", true),
        ("assert r > 1000", "assert r == 7", false),
        ("r := 1", "assert r == 7", false),
        ("r := 1", "r := r + 0 * r\n  assert r == 7", false),
        ("goto end", "x.f := 5\n  label end\n  assert x.f == 5", true),
        ("while (a < 0) invariant acc(x.f) { r := r + 1 }", "assert x.f == 3", true),
        ("assert false", "assert x != null", false),
    ] {
        let (_folder, program) = Folder::with("explaining-sides", &with_side(side, rest));
        let last = 15 + rest.matches('\n').count();
        let document = json(&["deps", &program, "--of", &last.to_string()]);
        let all = lines(&document, &document["dependencies"][0]["all"]);
        assert_eq!(all.contains(&13), needed, "{side}: {all:?}");
        // The pruned program verifies, otherwise nothing would be printed.
        for line in [13, last] {
            let is_asserted = json(&["deps", &program, "--all"])["dependencies"].as_array().is_some_and(|all| {
                all.iter().any(|of| lines(&document, &Value::from(vec![of["of"].clone()])) == [line as u64])
            });
            if is_asserted {
                out(&["prune", &program, "--keep", &line.to_string()]);
            }
        }
    }
}

#[test]
fn a_node_can_be_declared_irrelevant() {
    let (_folder, program) = Folder::with("explaining-ignore", PROGRAM);
    let document = json(&["deps", &program, "--of", "21", "--ignore", "8,20"]);
    assert_eq!(lines(&document, &document["dependencies"][0]["all"]), [5, 6]);
}

#[test]
fn what_rests_on_an_assumption_is_found_across_members() {
    let (_folder, program) = Folder::with("explaining-from", PROGRAM);
    let document = json(&["deps", &program, "--from", "4"]);
    let answer = &document["dependents"][0];
    assert_eq!(lines(&document, &answer["all"]), [8, 21]);
    assert_eq!(lines(&document, &answer["direct"]), [8]);
    let impact = out(&["deps", &program, "--impact", "4"]);
    assert_eq!(
        impact,
        "  if these do not hold:\n    4:12  inp >= 0 [explicit]\n\
         in inc:\n  assertions that fail:\n    8:11  out.val > 0 [implicit]\n\
         in client:\n  assertions that fail:\n    21:3  assert out.val > 0\n"
    );
    assert!(out(&["deps", &program, "--impact", "10"]).contains("nothing falls"));
}

#[test]
fn the_shortest_way_says_why_one_needs_another() {
    let (_folder, program) = Folder::with("explaining-why", PROGRAM);
    assert_eq!(
        out(&["deps", &program, "--why", "21", "4"]),
        "21:3  assert out.val > 0\n  needs 8:11  out.val > 0 [implicit]\n  needs 4:12  inp >= 0 [explicit]\n"
    );
    assert_eq!(out(&["deps", &program, "--why", "6", "4"]), "no dependency\n");
    let document = json(&["deps", &program, "--why", "21", "4"]);
    let steps = document["chain"].as_array().expect("a way");
    let nodes: Vec<Value> = steps.iter().map(|step| step["node"].clone()).collect();
    assert_eq!(lines(&document, &Value::from(nodes)), [4, 8, 21]);
    assert_eq!(json(&["deps", &program, "--why", "6", "4"])["chain"], Value::Null);
    assert_eq!(run(&["deps", &program, "--why", "21"]).status.code(), Some(2));
}

#[test]
fn an_answer_about_one_member_says_what_it_left_out() {
    let (_folder, program) = Folder::with("explaining-member", PROGRAM);
    let document = json(&["deps", &program, "--of", "21", "--member", "client"]);
    assert_eq!(document["dependencies"][0]["left_out"], serde_json::json!(["inc"]));
    let text = out(&["deps", &program, "--of", "21", "--member", "client"]);
    assert!(text.contains("left out: what the proofs of inc need"), "{text}");
    assert_eq!(json(&["deps", &program, "--of", "21"])["dependencies"][0]["left_out"], serde_json::json!([]));
}

#[test]
fn nodes_are_compared_in_pairs() {
    let (_folder, program) = Folder::with("explaining-between", PROGRAM);
    let document = json(&["deps", &program, "--between", "21,11,10"]);
    assert_eq!(document["dependency"], true);
    let pairs = document["pairs"].as_array().expect("a list");
    assert_eq!(pairs.iter().map(|pair| lines(&document, pair)).collect::<Vec<_>>(), [[11, 21]]);
    assert_eq!(json(&["deps", &program, "--between", "21,10"])["dependency"], false);
}

#[test]
fn coverage_counts_what_assertions_need() {
    let (_folder, program) = Folder::with("explaining-coverage", PROGRAM);
    let document = json(&["deps", &program, "--coverage"]);
    let inc = &document["members"][0];
    assert_eq!((&inc["name"], &inc["covered"], &inc["total"]), (&"inc".into(), &6.into(), &7.into()));
    assert_eq!(lines(&document, &inc["uncovered"]), [10]);
    assert_eq!((&document["program"]["covered"], &document["program"]["total"]), (&10.into(), &11.into()));
    let post = json(&["deps", &program, "--coverage-of", "6"]);
    assert_eq!(lines(&post, &post["members"][0]["uncovered"]), [4, 10, 11]);
}

#[test]
fn a_saved_graph_answers_without_the_program() {
    let (folder, program) = Folder::with("explaining-saved", PROGRAM);
    let graph = folder.path("graph.json");
    out(&["deps", &program, "--save", &graph]);
    let fresh = out(&["deps", &program, "--all"]);
    std::fs::remove_file(&program).expect("it was written");
    assert_eq!(out(&["deps", "--load", &graph, "--all"]), fresh);
    assert_eq!(run(&["deps", "--load", &program, "--all"]).status.code(), Some(2));
}

#[test]
fn a_graph_is_exported_for_other_tools() {
    let (folder, program) = Folder::with("explaining-export", PROGRAM);
    for (form, file) in
        [("csv", "edges.csv"), ("graphml", "graph.graphml"), ("dot", "graph.dot"), ("neo4j", "import.cypher")]
    {
        let target = folder.path(form);
        assert_eq!(out(&["deps", &program, "--export", &target, "--as", form]), "");
        assert!(!folder.read(&format!("{form}/{file}")).is_empty());
    }
}

/// The postcondition is proved from the body, so a proof from the body alone rests on less.
#[test]
fn full_minimization_prefers_the_body_of_a_function_to_its_postcondition() {
    let text = "\
function wrap(i: Int, n: Int): Int
  requires 0 <= i && i < 2 * n
  ensures result < n
{ i < n ? i : i - n }

method step(i: Int, n: Int)
  requires 0 <= i && i < n
{
  assert wrap(i + 1, n) < n
}
";
    let (_folder, program) = Folder::with("explaining-body", text);
    let all = |minimize: &str| {
        let document = json(&["deps", &program, "--of", "9", "--minimize", minimize]);
        lines(&document, &document["dependencies"][0]["all"])
    };
    assert!(all("fast").contains(&3));
    assert_eq!(all("full"), [4, 7, 7]);
}

/// The assertion does not rest on termination, but it is the measure that says that literals are counted down.
#[test]
fn a_measure_along_which_a_proof_unrolls_a_function_stays_without_its_demand() {
    let text = "\
function power(n: Int): Int
  decreases n
{ n <= 0 ? 1 : 2 * power(n - 1) }

method client()
{
  assert power(6) == 64
}
";
    let (_folder, program) = Folder::with("explaining-measure", text);
    let pruned = out(&["prune", &program, "--strict", "--keep", "7"]);
    assert!(pruned.ends_with(&text.replace("decreases n", "decreases n if false")), "{pruned}");
}

#[test]
fn a_pruned_program_is_what_one_proof_needs() {
    let (folder, program) = Folder::with("explaining-prune", PROGRAM);
    let target = folder.path("pruned.vpr");
    let said = out(&["prune", &program, "--keep", "21", "-o", &target]);
    assert!(said.contains("9 of 11 nodes kept, verifies"), "{said}");
    assert_eq!(
        folder.read("pruned.vpr"),
        "\
field val: Int

method inc(inp: Int, out: Ref)
  requires inp >= 0
  requires acc(out.val)
  ensures acc(out.val)
  ensures out.val > 0
{
  out.val := inp + 1 // the only write
}

method client()
{
  var out: Ref
  out := new(val)
  var n: Int
  n := 7
  inc(n, out)
  assert out.val > 0
}
"
    );
    assert_eq!(run(&["verify", &target]).status.code(), Some(0));
}

#[test]
fn there_is_a_pruned_program_for_each_assertion() {
    let (folder, program) = Folder::with("explaining-each", PROGRAM);
    let document = json(&["prune", &program, "--each", "--strict", "-o", &folder.path("each")]);
    let programs = document["programs"].as_array().expect("a list");
    let kept: Vec<u64> = programs.iter().filter_map(|pruned| pruned["keep"][0]["line"].as_u64()).collect();
    assert_eq!(kept, [6, 7, 8, 21]);
    assert!(programs.iter().all(|pruned| pruned["verdict"] == "verified"));
    assert!(!folder.read("each/6-11.vpr").contains(":="));
}

#[test]
fn the_parts_of_a_macro_stay_together() {
    let (folder, program) = Folder::with("explaining-macro", PROGRAM);
    // Each conjunct needs a different precondition, but the conjuncts come from one macro.
    let text = "define inside(i, n) 0 <= i && i < n\n\
                method m(i: Int, n: Int)\n  requires 3 <= i\n  requires i + 3 <= n\n{\n  exhale inside(i, n)\n}\n";
    std::fs::write(&program, text).expect("it can be written");
    let document = json(&["prune", &program, "--each", "--strict", "-o", &folder.path("each")]);
    let programs = document["programs"].as_array().expect("a list");
    assert_eq!(programs.len(), 2);
    assert!(programs.iter().all(|pruned| pruned["verdict"] == "verified"), "{document:#}");
}

/// The body follows from holding the predicate, but needs an `unfolding` as a trigger.
#[test]
fn a_look_into_a_predicate_is_a_hint() {
    let (folder, program) = Folder::with("explaining-look", PROGRAM);
    let text = "domain D { function good(i: Int, n: Int): Bool }\n\
                predicate all(n: Int) { forall i: Int :: {good(i, n)} 0 <= i && i < 9 ==> good(i, n) }\n\
                method m(n: Int)\n{\n  inhale all(n)\n  var seen: Bool := unfolding all(n) in true\n  assert good(0, n)\n}\n";
    std::fs::write(&program, text).expect("it can be written");
    let said = out(&["prune", &program, "--keep", "7", "--strict", "-o", &folder.path("pruned.vpr")]);
    assert!(said.contains("hints: no proof needs these") && said.contains("unfolding all(n)"), "{said}");
}

/// The predicate's body is well-formed only because of the axiom.
const DEMANDING: &str = "\
field f: Int
domain Places {
  function place(i: Int): Ref
  function index(r: Ref): Int
  axiom apart { forall i: Int :: { place(i) } index(place(i)) == i }
}
predicate all(n: Int) { 0 <= n && forall i: Int :: 0 <= i && i < n ==> acc(place(i).f) }
function size(n: Int): Int
  requires acc(all(n))
  ensures result >= 0
{
  unfolding acc(all(n)) in n
}
method m(n: Int)
  requires acc(all(n))
{
  assert acc(all(n))
  unfold acc(all(n))
  assert n >= 0
}
";

/// A predicate that is never unfolded loses its body; where it is unfolded, the well-formedness conditions of its body
/// are dependencies, in functions as well as in methods.
#[test]
fn a_predicate_demands_what_its_body_needs_where_it_is_opened() {
    let (folder, program) = Folder::with("explaining-opened", PROGRAM);
    std::fs::write(&program, DEMANDING).expect("it can be written");
    let document = json(&["prune", &program, "--each", "--strict", "-o", &folder.path("each")]);
    let programs = document["programs"].as_array().expect("a list");
    assert!(programs.iter().all(|pruned| pruned["verdict"] == "verified"), "{document:#}");
    for (name, opens) in [("each/10-11.vpr", true), ("each/17-3.vpr", false), ("each/19-3.vpr", true)] {
        let text = folder.read(name);
        assert_eq!((text.contains("axiom"), text.contains("acc(place(i).f)")), (opens, opens), "{name}: {text}");
    }
}

#[test]
fn only_what_is_proved_can_be_kept() {
    let (folder, program) = Folder::with("explaining-goals", PROGRAM);
    for (place, complaint) in
        [("10", "nothing there has to be proved"), ("1", "nothing is assumed or proved at line 1")]
    {
        let output = run(&["prune", &program, "--keep", place]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(complaint), "{place}");
    }
    let failing = folder.path("failing.vpr");
    std::fs::write(&failing, "method m(x: Int) {\n  assert x > 0\n  assert x >= 0\n}\n").expect("it can be written");
    let output = run(&["prune", &failing, "--keep", "2"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("was not proved"));
    let output = run(&["prune", &failing, "--keep", "3"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("verifies except for an error that the whole program has, too"), "{said}");
    let kept = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(kept.contains("assert x > 0"), "what failed is believed, and the proof rests on it: {kept}");
}

/// The message quotes the invariant, of which only one conjunct is left.
#[test]
fn a_failure_that_was_there_before_is_known_when_less_text_is_left() {
    let (folder, program) = Folder::with("explaining-failing", PROGRAM);
    let text = "method m(x: Int) {\n  var i: Int := 0\n  while (i < 9)\n    invariant x > 0 && i >= 0\n  {\n    \
                i := i + 1\n    assert x > 0 || i > 99\n  }\n}\n";
    std::fs::write(&program, text).expect("it can be written");
    let document = json(&["prune", &program, "--keep", "7", "--strict", "-o", &folder.path("pruned.vpr")]);
    let program = &document["programs"][0];
    assert_eq!((&program["verdict"], &program["believed"]), (&"failed".into(), &1.into()), "{document:#}");
    assert!(folder.read("pruned.vpr").contains("invariant x > 0\n"), "{}", folder.read("pruned.vpr"));
}

#[test]
fn exploring_reads_one_question_a_line() {
    let (folder, program) = Folder::with("explaining-explore", PROGRAM);
    let script = format!(
        "help from\nmembers\nof 21\nignore 8\nof 21\nrestore\nimpact 4\nuncovered\ncoverage 6\nnodes 11\nsing\nof\n\
         save {graph}\nload {graph}\nprune 21\nbetween 10,11\nquit\nmembers\n",
        graph = folder.path("graph.json")
    );
    let mut child = echis()
        .args(["explore", &program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child.stdin.take().expect("it is piped").write_all(script.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("what depends on the nodes there"), "{said}");
    assert_eq!(said.matches("inc\nclient\n").count(), 1, "nothing is read behind `quit`: {said}");
    assert!(said.contains("ignored:\n  8:11") && said.contains("nothing is ignored"), "{said}");
    assert!(said.contains("in client:") && said.contains("  10:3  assume inp < 100"), "{said}");
    assert!(said.contains("inc: 1 of 4 covered") && said.contains("no dependency"), "{said}");
    let complaints: Vec<&str> = complained.lines().collect();
    assert_eq!(
        complaints,
        [
            "echis: there is no command `sing`; `help` lists all",
            "echis: which line?",
            "echis: a saved graph has no program to prune; open the file itself",
        ]
    );
}

/// Generated code is explained in terms of the source language.
#[test]
fn positions_and_types_of_a_front_end_replace_those_of_the_text() {
    let (folder, _) = Folder::with("explaining-front-end", PROGRAM);
    let generated = folder.path("generated.vpr");
    let text = r#"method main()
{
  var x: Int
  @position("main.go", "7", "3", "7", "12")
  @assumptionType("Implicit")
  inhale x > 0
  @assumptionType("Internal")
  inhale x < 100
  @position("main.go", "9", "5")
  assert x > 0 && x < 200
}
"#;
    std::fs::write(&generated, text).expect("the temporary folder can be written");
    let document = json(&["deps", &generated, "--of", "9"]);
    let answers = document["dependencies"].as_array().expect("a list");
    assert_eq!(answers.len(), 1, "the conjuncts stand at one place");
    assert_eq!(lines(&document, &answers[0]["all"]), [7], "what is internal is not shown");
    assert_eq!(answers[0]["explicit"], Value::Array(Vec::new()));
    let assumed = &document["nodes"][0];
    assert_eq!((&assumed["file"], &assumed["end_column"]), (&"main.go".into(), &12.into()));
    let impact = json(&["deps", &generated, "--impact", "7"]);
    assert_eq!(lines(&impact, &impact["members"][0]["explicit"]), [9]);
}
