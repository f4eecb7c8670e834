//! Counterexamples as text: what is shown, how it is phrased, and whether it is true.

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The output of a run with counterexamples.
fn shown(program: &str, view: &str) -> String {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("echis-shown-{}-{number}.vpr", std::process::id()));
    std::fs::write(&file, program).expect("the temporary folder can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_echis"));
    command.env_remove("ECHIS_SOLVER").args(["verify", "--no-cache", "--hints", "off", "--counterexample", view]);
    let output = command.arg(&file).output().expect("the program runs");
    let _ = std::fs::remove_file(&file);
    String::from_utf8_lossy(&output.stdout).to_string()
}

/// The suffix of a text that starts with the first occurrence of `from`.
fn since<'a>(text: &'a str, from: &str) -> &'a str {
    text.find(from).map_or("", |start| &text[start..])
}

const INC: &str = "field f: Int\n\
    method inc(x: Ref) requires acc(x.f) ensures acc(x.f) && x.f > old(x.f)\n\
    { x.f := x.f + 1 }\n";

#[test]
fn a_postcondition_that_is_too_weak_is_told_from_an_assertion_that_is_wrong() {
    let weak = format!("{INC}method m(x: Ref) requires acc(x.f)\n{{ x.f := 1\ninc(x)\nassert x.f == 2 }}\n");
    let text = shown(&weak, "extended");
    let line =
        "the postcondition of inc, called in line 6, allows this state, but its body does not: the postcondition";
    assert!(text.contains(line), "{text}");
    let wrong = format!("{INC}method m(x: Ref) requires acc(x.f)\n{{ x.f := 1\ninc(x)\nassert x.f == 3 }}\n");
    let text = shown(&wrong, "extended");
    assert!(text.contains("x.f = 2\n"), "{text}");
    assert!(text.contains("an execution with these values fails, with the body of inc\n"), "{text}");
}

/// The callee keeps permission, so executing its body would not show what the caller has left.
#[test]
fn callees_that_keep_permission_are_not_run() {
    let program = "field f: Int\nmethod take(x: Ref, y: Ref) requires acc(x.f) && acc(y.f) ensures acc(x.f) && x.f >= 0\n\
        { x.f := 0 }\nmethod m(x: Ref, y: Ref) requires acc(x.f) && acc(y.f)\n{ take(x, y)\nassert x.f == 0 }\n";
    let text = shown(program, "extended");
    assert!(text.contains("allows this state; if no call returns in it"), "{text}");
}

#[test]
fn loops_in_callees_are_not_run() {
    let program = "method up(n: Int) returns (r: Int) ensures r >= n\n\
        { r := n\nwhile (r < n + 3) invariant r >= n { r := r + 1 } }\n\
        method m() { var r: Int\nr := up(0)\nassert r == 3 }\n";
    let text = shown(program, "extended");
    assert!(text.contains("allows this state; if no call returns in it"), "{text}");
}

#[test]
fn wands_are_shown_as_they_are_written() {
    let program = "field f: Int\npredicate cell(x: Ref) { acc(x.f) }\n\
        method m(x: Ref, y: Ref) requires cell(x) && (cell(x) --* cell(y)) && (acc(x.f, 1/2) --* acc(y.f))\n\
        { assert x == y }\n";
    let text = shown(program, "extended");
    assert!(text.contains("    cell(x) --* cell(y)\n"), "{text}");
    assert!(text.contains("    acc(x.f, 1/2) --* acc(y.f)\n"), "{text}");
}

#[test]
fn the_same_object_has_the_name_of_its_first_variable() {
    let program = "method m(x: Ref, y: Ref) requires x == y && x != null { assert false }\n";
    let text = shown(program, "extended");
    assert!(text.contains("  x: Ref\n  y: Ref = x\n"), "{text}");
}

#[test]
fn values_are_small_and_differ() {
    let program = "field f: Int\nmethod m(x: Ref, y: Ref, n: Int, k: Int)\n\
        requires acc(x.f) && acc(y.f) && n > 0 && k >= 0\n{ assert x.f + n > y.f + k }\n";
    let text = shown(program, "extended");
    let value = |name: &str| -> i64 {
        let rest = since(&text, name).trim_start_matches(name);
        let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
        digits.parse().unwrap_or_else(|_| panic!("{name} has a number in {text}"))
    };
    let (n, k, x, y) = (value("n: Int = "), value("k: Int = "), value("x.f = "), value("y.f = "));
    assert!([n, k, x, y].iter().all(|value| (-4..=4).contains(value)), "{text}");
    assert!(n != k && x != y, "{text}");
}

#[test]
fn conditions_about_earlier_values_say_which() {
    let program = "method m(n: Int) requires n >= 0\n{ var i: Int := n\nif (i > 2) { i := 0\nassert n < 3 } }\n";
    let text = shown(program, "extended");
    assert!(text.contains("  on the path where i > 2 (i = 3)\n"), "{text}");
    let field = "field f: Int\nmethod m(x: Ref) requires acc(x.f)\n\
        { if (x.f > 2) { if (x.f > 2) {\nx.f := 0\nassert x.f > 0 } } }\n";
    let text = shown(field, "extended");
    assert!(text.contains("  on the path where x.f > 2 (before line 4)\n"), "{text}");
    assert!(text.contains("note: on the path where x.f > 2 (line 3)\n"), "{text}");
}

/// An error at the end of the path comes after errors on the way, and permissions that were missing before are not in
/// the heap.
#[test]
fn causes_come_before_what_fails_at_the_end() {
    let program = "field f: Int\npredicate cell(x: Ref) { acc(x.f) }\nmethod m(x: Ref, y: Ref) requires cell(x)\n\
        ensures cell(y)\n{ assert x.f > 0 }\n";
    let text = shown(program, "extended");
    let end = since(&text, "error[assert.failed:insufficient.permission]");
    assert!(end.contains("error[postcondition.violated:insufficient.permission]"), "{text}");
    assert!(!text.contains("possibly spurious"), "{text}");
}

#[test]
fn a_trace_says_nothing_that_goes_without_saying() {
    let program = "field next: Ref\nmethod m(x: Ref, n: Int) requires acc(x.next) && x.next != null\n\
        { var y: Ref := x.next\nvar i: Int := 0\nvar j: Int := 0\n\
        while (i < n) invariant acc(x.next)\n{ i := i + 1\nj := j + 1 }\nassert i == j\ny.next := null }\n";
    let text = shown(program, "trace");
    assert!(text.contains("line 3: var y: Ref := x.next\n"), "{text}");
    assert!(text.lines().any(|line| line.contains("in some iteration i = ") && line.contains(", j = ")), "{text}");
    let failing = since(&text, "error[assignment.failed");
    assert!(!failing.contains("y.next := null  gives"), "{text}");
}

/// The value that is shown is the one that was confirmed, however large it is.
#[test]
fn large_multisets_are_shown_completely() {
    let program =
        "method m(s: Multiset[Int])\nrequires (1 in s) == 99999999999999999999999\n{ assert (1 in s) == 2 }\n";
    let text = shown(program, "extended");
    assert!(text.contains("1 /* 99999999999999999999999 times */"), "{text}");
}

/// A member that only the size of a set implies has no name in the facts, and what exists in a refuted model must not
/// exist in the next one.
#[test]
fn members_implied_by_a_size_satisfy_what_holds_for_all() {
    let program = "field bal: Int\nmethod rich(s: Set[Ref])\n\
        requires forall r: Ref :: r in s ==> acc(r.bal, 1/3) && r.bal > 10\nrequires |s| >= 2\n\
        { assert exists r: Ref :: r in s && r.bal > 12 }\n";
    let text = shown(program, "extended");
    assert!(text.contains("confirmed: all facts"), "{text}");
    assert!(!text.contains("there may be more"), "{text}");
}

#[test]
fn an_expression_of_a_contract_that_is_not_well_formed_is_not_executed() {
    let program = "field f: Int\nmethod m(x: Ref, ok: Bool)\nensures ok ==> x.f > 0\n{ }\n";
    let text = shown(program, "extended");
    assert!(text.contains("what precedes it in the declaration allows this state"), "{text}");
    assert!(!text.contains("an execution with these values fails"), "{text}");
}

/// A wand that was received may give anything that its right side allows, also what no execution gives.
#[test]
fn what_a_received_wand_gives_is_known_from_its_right_side_only() {
    let program = "field f: Int\nfield g: Int\nmethod m(x: Ref)\n\
        requires acc(x.f) && (acc(x.f) --* acc(x.f) && acc(x.g))\n\
        { x.f := 5\napply acc(x.f) --* acc(x.f) && acc(x.g)\nassert x.f == 5 }\n\
        method own(x: Ref)\nrequires acc(x.f)\n\
        { package acc(x.g) --* acc(x.f) && acc(x.g)\ninhale acc(x.g)\n\
        apply acc(x.g) --* acc(x.f) && acc(x.g)\nassert x.f == 5 }\n";
    let text = shown(program, "extended");
    let (received, packaged) = text.split_at(text.rfind("error[assert").expect("two errors"));
    assert!(received.contains("the wand applied in line 6 allows this state"), "{text}");
    assert!(packaged.contains("an execution with these values fails"), "{text}");
}

#[test]
fn functions_of_built_in_files_are_not_shown() {
    let program = "method down(n: Int)\n{ var i: Int := n\nwhile (i != 0)\ndecreases i\n{ i := i - 1 } }\n";
    let text = shown(program, "extended");
    assert!(text.contains("confirmed: all facts"), "{text}");
    assert!(!text.contains("bounded(") && !text.contains("decreasing("), "{text}");
}

#[test]
fn a_sequence_of_objects_is_not_shown_as_that_of_their_values() {
    let program = "field rank: Int\nmethod m(nodes: Seq[Ref])\nrequires |nodes| == 2 && nodes[0] != nodes[1]\n\
        requires forall i: Int :: 0 <= i && i < |nodes| ==> acc(nodes[i].rank)\n\
        { nodes[0].rank := 1\nassert nodes[1].rank == 1 }\n";
    let text = shown(program, "extended");
    assert!(text.contains("  nodes[..].rank = [1, "), "{text}");
    assert!(!text.contains("  nodes = ["), "{text}");
}

#[test]
fn elements_of_sequences_are_small() {
    let program = "method m(a: Seq[Int])\n\
        requires forall i: Int, j: Int :: 0 <= i && i < j && j < |a| ==> a[i] < a[j]\nrequires |a| == 3\n\
        { assert a[2] >= a[0] + 3 }\n";
    let text = shown(program, "extended");
    let line = text.lines().find(|line| line.contains("a: Seq[Int] = Seq(")).unwrap_or_default();
    let digits = |number: &str| number.chars().filter(char::is_ascii_digit).count();
    assert!(!line.is_empty() && line.split(',').all(|number| digits(number) <= 2), "{text}");
}

const COUNT: &str = "method count(n: Int) returns (r: Int) requires n >= 0 ensures r >= n\n\
    { if (n == 0) { r := 0 } else { r := count(n - 1)\nr := r + 2 } }\n";

#[test]
fn recursive_callees_are_run_where_they_end_at_once() {
    let wrong = format!("{COUNT}method m(n: Int) requires n >= 0\n{{ var r: Int\nr := count(n)\nassert r > n }}\n");
    let text = shown(&wrong, "extended");
    assert!(text.contains("an execution with these values fails, with the body of count\n"), "{text}");
    let weak = format!("{COUNT}method m(n: Int) requires n >= 0\n{{ var r: Int\nr := count(n)\nassert r != 1 }}\n");
    let text = shown(&weak, "extended");
    assert!(text.contains("allows this state; if no call returns in it"), "{text}");
}
