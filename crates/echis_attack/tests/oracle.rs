//! Tests of the oracle on programs with known semantics: it refutes exactly the wrong ones.

use echis_attack::judge::{executed, judge_with};
use echis_attack::program::{Text, Verdict};
use echis_attack::random::Random;
use std::collections::BTreeMap;

/// The members refuted if all members are assumed to be verified.
fn refuted(text: &str) -> Vec<String> {
    let text = Text::parse(text).expect("the program is valid");
    let program = &text.program;
    let mut verdicts = BTreeMap::new();
    verdicts.extend(program.functions.values().map(|one| (one.name.clone(), Verdict::Verified)));
    verdicts.extend(program.predicates.values().map(|one| (one.name.clone(), Verdict::Verified)));
    verdicts.extend(program.methods.values().map(|one| (one.name.clone(), Verdict::Verified)));
    let judged = judge_with(&text, verdicts, &executed(&text, &mut Random::new(1)));
    judged.wrong.iter().map(|wrong| format!("{}:{}: {}", wrong.member, wrong.line, wrong.fault.what)).collect()
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(refuted(text), expected, "{text}");
}

#[test]
fn a_verdict_that_is_wrong_is_refuted() {
    check("method m(i: Int) { assert i != 3 }", &["m:1: an assertion does not hold"]);
    check("method m(i: Int) requires i > 3 { assert i != 3 }", &[]);
    check("function f(n: Int): Int ensures result != 2 { n }", &["f:1: an assertion does not hold"]);
    check("function f(n: Int): Int requires n > 2 ensures result != 2 { n }", &[]);
}

#[test]
fn a_function_that_is_not_applied_says_nothing() {
    let text = "function f(n: Int): Int decreases n ensures n != 3 { n > 0 ? f(n - 1) : 0 }";
    check(text, &["f:1: an assertion does not hold"]);
}

#[test]
fn a_function_without_a_measure_may_be_contradictory() {
    check("function f(n: Int): Int ensures n != 3 { n > 0 ? f(n - 1) : 0 }", &[]);
}

#[test]
fn permissions_are_counted() {
    let fields = "field f: Int\n";
    let check = |text: &str, expected: &[&str]| check(&format!("{fields}{text}"), expected);
    check("method m(x: Ref) requires acc(x.f, 1/2) { x.f := 1 }", &["m:2: a field is written without permission"]);
    check("method m(x: Ref) requires acc(x.f, 1/2) { var i: Int := x.f; exhale acc(x.f, 1/2) }", &[]);
    check("method m(x: Ref) { var i: Int := x.f }", &["m:2: a field is read without permission"]);
    check("method m(x: Ref, y: Ref) requires acc(x.f) && acc(y.f) { assert x != y }", &[]);
    check(
        "method m(x: Ref, y: Ref) requires acc(x.f, 1/2) && acc(y.f, 1/2) { assert x != y }",
        &["m:2: an assertion does not hold"],
    );
    check(
        "method m(x: Ref) requires acc(x.f) { exhale acc(x.f, wildcard); assert acc(x.f) }",
        &["m:2: permission is missing"],
    );
    check("method m(x: Ref) requires acc(x.f) { exhale acc(x.f, wildcard); assert acc(x.f, wildcard) }", &[]);
    let half = "predicate P(x: Ref) { acc(x.f) } method m(x: Ref) requires acc(x.f, 1/2)";
    check(&format!("{half} {{ fold acc(P(x), wildcard); var i: Int := x.f }}"), &[]);
    check(
        "method m(x: Ref) requires acc(x.f) { x.f := 1; exhale acc(x.f); inhale acc(x.f); assert x.f == 1 }",
        &["m:2: an assertion does not hold"],
    );
}

#[test]
fn predicates_own_what_they_are_made_of() {
    let declared = "field f: Int\npredicate P(x: Ref) { acc(x.f) && x.f > 0 }\n";
    let check = |text: &str, expected: &[&str]| check(&format!("{declared}{text}"), expected);
    check("method m(x: Ref) requires P(x) { unfold P(x); assert x.f > 0; x.f := 2; fold P(x); assert P(x) }", &[]);
    check("method m(x: Ref) requires P(x) { unfold P(x); assert x.f > 1 }", &["m:3: an assertion does not hold"]);
    check("method m(x: Ref) requires P(x) { var i: Int := x.f }", &["m:3: a field is read without permission"]);
    check("method m(x: Ref) requires acc(x.f) { fold P(x) }", &["m:3: an assertion does not hold"]);
    check("method m(x: Ref, y: Ref) requires P(x) && acc(y.f) { unfold P(x); assert x != y }", &[]);
    check(
        "method m(x: Ref) requires acc(P(x), 1/2) { unfold acc(P(x), 1/2); x.f := 1 }",
        &["m:3: a field is written without permission"],
    );
}

#[test]
fn calls_and_loops_keep_to_their_contracts() {
    let declared =
        "field f: Int\nmethod inc(x: Ref) requires acc(x.f) ensures acc(x.f) && x.f > old(x.f) { x.f := x.f + 1 }\n";
    let check = |text: &str, expected: &[&str]| check(&format!("{declared}{text}"), expected);
    check("method m(x: Ref) requires acc(x.f) { inc(x); assert x.f > old(x.f) }", &[]);
    check(
        "method m(x: Ref) requires acc(x.f) { inc(x); assert x.f == old(x.f) + 1 }",
        &["m:3: an assertion does not hold"],
    );
    check("method m(x: Ref) requires acc(x.f, 1/2) { inc(x) }", &["m:3: permission is missing"]);
    let count = "method m(x: Ref, n: Int) requires acc(x.f) && n >= 0 { var i: Int := 0; while (i < n)
      invariant 0 <= i && i <= n { i := i + 1 } assert i == n && x.f == old(x.f) }";
    check(count, &[]);
    check(&count.replace("i <= n {", "i < n {"), &["m:4: an assertion does not hold"]);
    check(&count.replace("i := i + 1", "i := i + 1; x.f := 1"), &["m:4: a field is written without permission"]);
}

#[test]
fn wands_are_run_when_they_are_applied() {
    let declared = "field f: Int\nfield g: Int\n";
    let check = |text: &str, expected: &[&str]| check(&format!("{declared}{text}"), expected);
    let wand = "acc(x.f) --* acc(x.f) && acc(x.g)";
    let method = |script: &str, after: &str| {
        format!(
            "method m(x: Ref) requires acc(x.f) && acc(x.g) {{ x.g := 7; package {wand} {{ {script} }} x.f := 1; {after} }}"
        )
    };
    check(&method("", &format!("apply {wand}; assert x.g == 7 && x.f == 1")), &[]);
    check(&method("", &format!("apply {wand}; assert x.f == 2")), &["m:3: an assertion does not hold"]);
    check(&method("", "assert acc(x.g)"), &["m:3: permission is missing"]);
    check(
        &method("assert acc(x.g); assume x.g == x.f + 6", &format!("apply {wand}; assert false")),
        &["m:3: an assertion does not hold"],
    );
}

#[test]
fn axioms_may_be_contradictory() {
    check("domain D { axiom { false } }\nmethod m(i: Int) { assert i != 3 }", &[]);
}

/// Left-hand sides whose values differ from the current state end early; one whose values agree determines the
/// footprint.
#[test]
fn a_package_takes_what_any_left_side_needs() {
    let text = "field f: Int
        method m(s: Set[Ref]) requires forall x: Ref :: x in s ==> acc(x.f)
        {
          package (forall x: Ref :: x in s ==> acc(x.f, 1/2)) --* (forall x: Ref :: x in s ==> acc(x.f))
          assert forall x: Ref :: x in s ==> perm(x.f) == 1/2
        }";
    check(text, &[]);
}

/// The footprint is owned together with the left-hand side, even though the right-hand side gives the latter away
/// first.
#[test]
fn a_left_side_that_cannot_be_owned_beside_what_was_taken_says_nothing() {
    check(
        "field f: Int method m(x: Ref) requires acc(x.f) { package acc(x.f) --* acc(x.f) && acc(x.f) && false }",
        &[],
    );
}

#[test]
fn small_values_of_types_without_recursion_are_found() {
    let text = "adt Leaf { Some(v: Seq[Seq[Leaf]]) Number(n: Int) }
        function f(x: Leaf): Bool ensures result { true }";
    check(text, &[]);
}
