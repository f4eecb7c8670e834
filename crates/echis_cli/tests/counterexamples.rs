//! Counterexamples contain the facts that programs expect: `//:: ExpectedCounterexample(id, (fact, …))` above the line
//! of an error. A fact is an equality of variables, fields, elements, lengths, applications and literals, a permission
//! or membership such as `acc(location, amount)`, `x in s` or `wand(left, right)`, any of these in `old(…)`,
//! `irrelevant(x)`, `confirmed`, `unconfirmed`, or `more` if quantified permissions may cover more objects.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Expected {
    line: u64,
    id: String,
    facts: Vec<String>,
}

fn expected(source: &str) -> Vec<Expected> {
    let mut all = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let Some((_, rest)) = line.split_once("ExpectedCounterexample(") else { continue };
        let Some((id, facts)) = rest.trim_end().split_once(", (") else { continue };
        let facts = facts.strip_suffix("))").unwrap_or(facts);
        all.push(Expected { line: index as u64 + 2, id: id.to_string(), facts: split(facts) });
    }
    all
}

/// Splits at commas outside parentheses.
fn split(facts: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in facts.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        match (c, depth, parts.last_mut()) {
            (',', 0, _) => parts.push(String::new()),
            (c, _, Some(last)) => last.push(c),
            _ => {}
        }
    }
    parts.iter().map(|part| part.trim().to_string()).collect()
}

/// A counterexample, and the name of the state to evaluate in.
struct Example<'a>(&'a Value, &'static str);

impl<'a> Example<'a> {
    /// The entries of the heap, including those inside predicates.
    fn entries(&self) -> Vec<&'a Value> {
        let heaps = self.0["heaps"].as_array().into_iter().flatten();
        let heaps = heaps.filter(|heap| heap["state"] == self.1);
        let mut entries: Vec<&Value> =
            heaps.flat_map(|heap| heap["entries"].as_array().into_iter().flatten()).collect();
        let mut next = 0;
        while let Some(entry) = entries.get(next).copied() {
            entries.extend(entry["contents"].as_array().into_iter().flatten());
            next += 1;
        }
        entries
    }
    fn variable(&self, name: &str) -> Option<&'a Value> {
        self.0["store"].as_array()?.iter().find(|variable| variable["name"] == name)
    }
    /// The JSON object with the value of an expression.
    fn find(&self, expr: &str) -> Option<Value> {
        let expr = expr.trim();
        if expr.parse::<i64>().is_ok() || ["true", "false", "null"].contains(&expr) {
            return Some(serde_json::json!({ "value": expr }));
        }
        if let Some(inner) = within(expr, "old(", ")") {
            return Example(self.0, "old").find(inner);
        }
        if let Some(collection) = within(expr, "|", "|") {
            let length = self.find(collection)?["length"].as_u64()?;
            return Some(serde_json::json!({ "value": length.to_string() }));
        }
        if let Some(inner) = expr.strip_suffix(']') {
            let (sequence, index) = inner.rsplit_once('[')?;
            let (sequence, index) = (self.find(sequence)?, self.value(index)?);
            let elements = sequence["elements"].as_array()?;
            let place: Option<u64> = index.parse().ok();
            let is_it =
                |element: &&Value| element["key"] == *index || (place.is_some() && element["index"].as_u64() == place);
            return elements.iter().find(is_it).cloned();
        }
        if let Some((function, args)) = expr.strip_suffix(')').and_then(|expr| expr.split_once('(')) {
            let args = serde_json::json!(self.values(args)?);
            let functions = self.0["functions"].as_array()?.iter().filter(|known| known["name"] == function);
            let mut cases = functions.flat_map(|known| known["cases"].as_array().into_iter().flatten());
            return cases.find(|case| case["args"] == args && case["heap"] == self.1).cloned();
        }
        if let Some((receiver, field)) = expr.rsplit_once('.') {
            let receiver = self.value(receiver)?;
            let is_it = |entry: &&Value| entry["field"] == field && entry["receiver"] == *receiver;
            return self.entries().into_iter().find(is_it).cloned();
        }
        self.variable(expr).cloned()
    }
    fn value(&self, expr: &str) -> Option<String> {
        self.find(expr)?["value"].as_str().filter(|value| *value != "#unspecified").map(str::to_string)
    }
    fn values(&self, args: &str) -> Option<Vec<String>> {
        args.split(',').map(|arg| self.value(arg)).collect()
    }
    fn has(&self, fact: &str) -> bool {
        match fact {
            "confirmed" => return self.0["status"] == "confirmed",
            "unconfirmed" => return self.0["status"] == "possibly_spurious",
            "more" => return self.0["heaps"][0]["more_possible"] == true,
            _ => {}
        }
        if let Some(variable) = within(fact, "irrelevant(", ")") {
            return self.variable(variable).is_some_and(|variable| variable["irrelevant"] == true);
        }
        if let Some(inner) = within(fact, "old(", ")").filter(|_| !fact.contains("==")) {
            return Example(self.0, "old").has(inner);
        }
        if let Some(inner) = within(fact, "wand(", ")") {
            let sides = split(inner);
            return self.entries().iter().any(|entry| entry["left"] == *sides[0] && entry["right"] == *sides[1]);
        }
        if let Some(inner) = within(fact, "acc(", ")") {
            let Some((location, amount)) = inner.rsplit_once(", ") else { return false };
            return self.held(location).is_some_and(|entry| entry["perm"] == amount);
        }
        if let Some((item, set)) = fact.split_once(" in ") {
            let set = self.find(set).unwrap_or_default();
            let mut elements = set["elements"].as_array().into_iter().flatten();
            return elements.any(|element| element["value"] == item && element["member"] == true);
        }
        let Some((left, right)) = fact.split_once("==") else { return false };
        let left = self.value(left);
        // Constructor terms are compared as text.
        left.is_some() && (left == self.value(right) || left.as_deref() == Some(right.trim()))
    }
    fn held(&self, location: &str) -> Option<Value> {
        let Some((name, args)) = location.strip_suffix(')').and_then(|location| location.split_once('(')) else {
            return self.find(location);
        };
        let args = serde_json::json!(self.values(args)?);
        self.entries().into_iter().find(|entry| entry["name"] == name && entry["args"] == args).cloned()
    }
}

fn within<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    text.trim().strip_prefix(before)?.strip_suffix(after)
}

/// The missing facts, and the total number of facts.
fn check(file: &Path) -> (Vec<String>, usize) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_echis"));
    command.env_remove("ECHIS_SOLVER").args(["verify", "--format", "json", "--counterexample", "extended"]).arg(file);
    let output = command.output().expect("the program runs");
    let document: Value = serde_json::from_slice(&output.stdout).expect("the output is JSON");
    let errors = document["files"][0]["errors"].as_array().cloned().unwrap_or_default();
    let source = std::fs::read_to_string(file).expect("the file is there");
    let (mut missing, mut count) = (Vec::new(), 0);
    for Expected { line, id, facts } in expected(&source) {
        let error = errors.iter().find(|error| error["position"]["line"] == line && error["id"] == *id);
        let nothing = Value::Null;
        let example = Example(error.map_or(&nothing, |error| &error["counterexample"]), "current");
        count += facts.len();
        let lost = facts.iter().filter(|fact| !example.has(fact));
        missing.extend(lost.map(|fact| format!("{}:{line}: {fact}", file.display())));
    }
    (missing, count)
}

fn check_folder(folder: &Path) {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut missing = Vec::new();
    let mut count = 0;
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "vpr")) {
        let (lost, facts) = check(file);
        missing.extend(lost);
        count += facts;
    }
    assert!(count > 0, "{} expects nothing", folder.display());
    assert!(missing.is_empty(), "{} of {count} facts are missing:\n{}", missing.len(), missing.join("\n"));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn our_own_programs_have_the_facts_that_they_expect() {
    check_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counterexamples"));
}

#[test]
fn the_corpus_has_the_facts_that_it_expects() {
    let corpus = root().join("../shared/corpus/counterexamples");
    if !corpus.is_dir() {
        eprintln!("skipped: there is no {}", corpus.display());
        return;
    }
    for part in ["general", "mapped", "variables"].map(|part| corpus.join(part)).iter().filter(|part| part.is_dir()) {
        check_folder(part);
    }
}

/// The counterexample of the first error, with its trace.
fn traced(program: &str, name: &str) -> Value {
    let folder = std::env::temp_dir().join(format!("echis-trace-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    let file = folder.join("trace.vpr");
    std::fs::write(&file, program).expect("the temporary folder can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_echis"));
    command.env_remove("ECHIS_SOLVER").args(["verify", "--format", "json", "--counterexample", "trace"]).arg(&file);
    let output = command.output().expect("the program runs");
    let _ = std::fs::remove_dir_all(&folder);
    let document: Value = serde_json::from_slice(&output.stdout).expect("the output is JSON");
    document["files"][0]["errors"][0]["counterexample"].clone()
}

/// The steps of the trace, one per line.
fn trace(program: &str) -> String {
    let steps = traced(program, "order")["trace"].as_array().cloned().unwrap_or_default();
    let step = |step: &Value| {
        let text = |key: &str| step[key].as_str().unwrap_or_default();
        match text("kind") {
            "branch" => format!("{} taking {}", step["position"]["line"], text("text")),
            kind => format!("{} {kind} {} = {}", step["position"]["line"], text("target"), text("value")),
        }
    };
    steps.iter().map(step).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_trace_has_branches_and_assignments_in_order() {
    let program = "field f: Int\n\
        method m(x: Ref, b: Bool) requires acc(x.f) {\n\
        var i: Int := 1\n\
        if (b) {\n\
        i := i + 2\n\
        x.f := i\n\
        }\n\
        assert !b\n\
        }\n";
    assert_eq!(trace(program), "3 assignment i = 1\n4 taking b\n5 assignment i = 3\n6 assignment x.f = 3");
}

#[test]
fn a_trace_tells_what_is_held_after_each_assignment() {
    let program = "field f: Int\n\
        predicate cell(x: Ref) { acc(x.f) }\n\
        method m(x: Ref, b: Bool) requires acc(x.f) && x.f == 7 {\n\
        var i: Int := 1\n\
        i := 2\n\
        exhale acc(x.f, 1/4)\n\
        i := x.f\n\
        inhale acc(x.f, 1/4)\n\
        x.f := 8\n\
        fold cell(x)\n\
        i := 9\n\
        assert b\n\
        }\n";
    let example = traced(program, "held");
    let steps = example["trace"].as_array().cloned().unwrap_or_default();
    let held = |step: &Value| {
        let heap = &example["step_heaps"][step["heap"].as_u64().map_or(usize::MAX, |at| at as usize)];
        let entries = heap["entries"].as_array().cloned().unwrap_or_default();
        let entry = |entry: &Value| match entry["kind"].as_str() {
            Some("field") => format!("{} of f = {}", entry["perm"], entry["value"]),
            _ => format!("{} of {}", entry["perm"], entry["name"]),
        };
        entries.iter().map(entry).collect::<Vec<_>>().join(", ").replace('"', "")
    };
    let held: Vec<String> = steps.iter().map(held).collect();
    let full = "1/1 of f = 7";
    assert_eq!(held, [full, full, "3/4 of f = 7", "1/1 of f = 8", "1/1 of cell"]);
    // The first two steps share a heap.
    assert_eq!(example["step_heaps"].as_array().map(Vec::len), Some(4));
}

/// The standard output of a run on a program in its own folder.
fn run(program: &str, options: &[&str], name: &str) -> (String, PathBuf) {
    let folder = std::env::temp_dir().join(format!("echis-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    let file = folder.join("wrong.vpr");
    std::fs::write(&file, program).expect("the temporary folder can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_echis"));
    command.env_remove("ECHIS_SOLVER").args(["verify", "--counterexample", "extended"]).args(options).arg(&file);
    let output = command.current_dir(&folder).output().expect("the program runs");
    (String::from_utf8_lossy(&output.stdout).to_string(), folder)
}

const LIST: &str = "field val: Int\nfield next: Ref\n\
    predicate list(x: Ref) { x != null ==> acc(x.val) && acc(x.next) && list(x.next) }\n\
    method m(x: Ref) requires list(x) && x != null\n\
      requires unfolding list(x) in x.val == 3 && x.next == null\n\
    { assert unfolding list(x) in x.val == 4 }\n";

#[test]
fn a_list_is_drawn_on_a_line() {
    let (text, folder) = run(LIST, &[], "line");
    let _ = std::fs::remove_dir_all(folder);
    assert!(text.contains("  x → [3] → null\n"), "{text}");
}

#[test]
fn heaps_are_drawn_as_graphs() {
    let (_, folder) = run(LIST, &["--draw", "drawn"], "graph");
    let read = |name: &str| std::fs::read_to_string(folder.join("drawn").join(name)).unwrap_or_default();
    let (dot, svg) = (read("wrong-6.dot"), read("wrong-6.svg"));
    let _ = std::fs::remove_dir_all(&folder);
    assert!(dot.contains("\"x\" -> \"null\" [label=\"next\"]"), "{dot}");
    assert!(svg.starts_with("<svg") && svg.contains("val = 3") && svg.trim_end().ends_with("</svg>"), "{svg}");
}

#[test]
fn an_exported_test_fails_the_same_way() {
    let program = "field f: Int\n\
        method m(x: Ref, n: Int) requires acc(x.f) && n > 0\n{\n  x.f := n\n  assert x.f > 1\n}\n";
    let (_, folder) = run(program, &["--export-test", "tests"], "export");
    let exported = std::fs::read_to_string(folder.join("tests/wrong-5.vpr")).unwrap_or_default();
    assert!(exported.contains("inhale n == 1\n") && exported.contains("inhale x.f == 1\n"), "{exported}");
    let (text, _) = run(&exported, &[], "export");
    let _ = std::fs::remove_dir_all(&folder);
    assert!(text.contains("error[assert.failed:assertion.false]") && text.contains("assert x.f > 1"), "{text}");
}

/// Local variables of inner blocks and variables bound by `let` are shown, but cannot be named everywhere.
#[test]
fn exported_tests_name_only_variables_in_scope() {
    let inner = "method m(n: Int)\n  ensures n > 5\n{\n  if (n > 0) {\n    var inner: Int := n\n  }\n}\n";
    let bound = "function f(n: Int): Int\n  requires n > 0\n{ let half == (n \\ 2) in 1 \\ half }\n";
    let typed = "domain _1 {}\ndomain _2 {}\n\
        method m(a: Seq[_1], b: Seq[_2]) {\n  assert |a| == 0 || |b| == 0 || a[0] == a[|a| - 1] && b[0] == b[|b| - 1]\n}\n";
    for (program, name) in [(inner, "wrong-2"), (bound, "wrong-1"), (typed, "wrong-4")] {
        let (_, folder) = run(program, &["--export-test", "tests"], "scope");
        let exported = std::fs::read_to_string(folder.join(format!("tests/{name}.vpr"))).unwrap_or_default();
        let (text, again) = run(&exported, &[], "scope-again");
        let _ = std::fs::remove_dir_all(&folder);
        let _ = std::fs::remove_dir_all(&again);
        assert!(text.contains("might") && !text.contains("expected"), "{exported}{text}");
    }
}

#[test]
fn it_is_told_whether_a_run_fails() {
    let straight = "method m(n: Int) { assert n > 0 }\n";
    let (text, folder) = run(straight, &[], "why");
    assert!(text.contains("  an execution with these values fails\n"), "{text}");
    let around = "method m(n: Int) requires n > 0\n{ var i: Int := 0\n\
        while (i < n) invariant true { i := i + 1 }\nassert i == n }\n";
    let (text, _) = run(around, &[], "why");
    assert!(text.contains("  the invariant of the loop in line 3 allows this state"), "{text}");
    let called = "method callee() returns (r: Int) ensures r > 0\n\
        method m() { var r: Int\nr := callee()\nassert r == 1 }\n";
    let (text, _) = run(called, &[], "why");
    let _ = std::fs::remove_dir_all(folder);
    assert!(text.contains("  the postcondition of callee, called in line 3, allows this state"), "{text}");
}

#[test]
fn what_is_true_is_not_refuted_but_explained() {
    let program = "function fac(n: Int): Int requires n >= 0 { n == 0 ? 1 : n * fac(n - 1) }\n\
        method m() { assert fac(7) == 5040 }\n";
    let (text, folder) = run(program, &[], "true");
    let _ = std::fs::remove_dir_all(folder);
    assert!(text.contains("the obligation is valid, but was not proved") && text.contains("`fac(6)`"), "{text}");
}

/// An axiom whose trigger does not occur still constrains existing terms. A model that violates it is not a
/// counterexample; the violated instance is added, and then the proof succeeds.
#[test]
fn axioms_count_where_their_triggers_do_not_occur() {
    let whatever_the_trigger_is = "domain D {
  function tall(i: Int): Int
  function flag(i: Int): Bool
  axiom { forall i: Int :: { flag(i) } (flag(i) || i < 0 || i >= 0) && tall(i) > 0 }
}
method m(n: Int) { assert tall(n) > 0 }
";
    let about_values_alone = "domain Alone {
  function mark(a: Alone): Bool
  axiom { forall a: Alone, b: Alone :: { mark(a), mark(b) } (mark(a) || !mark(a) || mark(b)) && a == b }
}
method m(n: Alone, k: Alone) { assert n == k }
";
    let one_after_the_other = "domain Chain {
  function first(i: Int): Int
  function second(i: Int): Int
  function key(i: Int): Bool
  axiom { forall i: Int :: { key(i) } first(i) == second(i) }
  axiom { forall i: Int :: { key(i) } second(i) > 0 }
}
method m(n: Int) { assert first(n) > 0 }
";
    for (program, needed) in [(whatever_the_trigger_is, 1), (about_values_alone, 1), (one_after_the_other, 2)] {
        let (text, folder) = run(program, &[], "untriggered");
        let _ = std::fs::remove_dir_all(folder);
        assert!(text.contains("the obligation is valid, but was not proved"), "{text}");
        let explained = text.matches(" at i = n").count() + text.matches(" at a = ").count();
        assert_eq!(explained, needed, "{text}");
    }
}

#[test]
fn variables_know_their_declarations() {
    let (text, folder) = run("method m(n: Int)\n{ assert n > 0 }\n", &["--format", "json"], "node");
    let _ = std::fs::remove_dir_all(folder);
    let document: Value = serde_json::from_str(&text).expect("the output is JSON");
    let variable = &document["files"][0]["errors"][0]["counterexample"]["store"][0];
    assert_eq!((&variable["name"], &variable["position"]["line"]), (&"n".into(), &1.into()));
}

/// Axioms that are unrelated to the failing goal cannot rule the counterexample out.
#[test]
fn axioms_about_something_else_are_left_aside() {
    let names = "domain Name {
  function kind(n: Name): Bool
  function single(n: Int): Name
  function isSingle(n: Name): Bool
  function isCombined(n: Name): Bool
  function value(n: Name): Int
  axiom composed { forall n: Name :: { value(n) } isSingle(n) ==> n == single(value(n)) }
  axiom kinds { forall n: Name :: { kind(n) } kind(n) == isSingle(n) }
  axiom ofSingle { forall i: Int :: { single(i) } kind(single(i)) }
  axiom taken { forall i: Int :: { single(i) } value(single(i)) == i }
  axiom others { forall n: Name :: { kind(n) } !kind(n) == isCombined(n) }
}
";
    let (aside, _) = run(&format!("{names}method m(x: Int) {{ assert x > 0 }}\n"), &[], "aside");
    assert!(aside.contains("counterexample (confirmed"), "{aside}");
    // An axiom about the type itself is related: here, no two names are different.
    let one = "domain One { axiom one { forall a: Name, b: Name :: { kind(a), kind(b) } a == b } }\n";
    let (tied, _) = run(&format!("{names}{one}method m(a: Name, b: Name) {{ assert a == b }}\n"), &[], "tied");
    assert!(!tied.contains("counterexample (confirmed"), "{tied}");
}

#[test]
fn an_axiom_may_say_several_things_at_once() {
    let sign = "domain M {
  function sign(n: Int): Int
  axiom s { sign(0) == 0 && (forall a: Int :: { sign(a) } (a > 0 ==> sign(a) == 1) && (a < 0 ==> sign(a) == -1)) }
}
method m(x: Int) { assert sign(x) != -1 }
";
    let (found, _) = run(sign, &[], "sign");
    assert!(found.contains("counterexample (confirmed"), "{found}");
}

/// Symmetry alone leads back and forth between two pairs of arguments; the other conjunct determines the values.
#[test]
fn relations_are_symmetric_and_reflexive() {
    let same = "domain Same {
  function same(a: Ref, b: Ref): Bool
  axiom s { forall a: Ref, b: Ref :: { same(a, b) } same(a, b) == same(b, a) && (a == b ==> same(a, b)) }
}
method m(x: Ref, y: Ref) { assert same(x, y) }
";
    let (found, _) = run(same, &[], "same");
    assert!(found.contains("counterexample (confirmed"), "{found}");
}
