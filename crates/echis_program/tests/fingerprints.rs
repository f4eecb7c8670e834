//! Which changes affect a member's fingerprint, and which do not.

mod common;

use common::checked;
use echis_program::Fingerprints;
use echis_program::reach::{Member, reach};
use echis_program::weaken::{clauses, weakened};
use std::collections::BTreeMap;

const PROGRAM: &str = "\
field f: Int
field g: Int
function twice(x: Int): Int { x + x }
predicate P(r: Ref) { acc(r.f) && r.f > twice(1) }
method callee(r: Ref) requires acc(r.f) ensures acc(r.f) { r.f := 1 }
method caller(r: Ref) requires acc(r.f) { callee(r) assert r.f > 0 }
method opens(r: Ref) requires P(r) { unfold P(r) assert r.f > 2 }
method apart(r: Ref) requires acc(r.g) { var x: Int := 1 r.g := x }
";

fn prints(text: &str) -> BTreeMap<String, ([u8; 32], usize)> {
    let program = checked(text).program.expect("it is a program");
    let fingerprints = Fingerprints::new(&program);
    let print = |member: Member| {
        let print = fingerprints.of(member, &reach(&program, member));
        (member.name(&program).to_string(), (print.digest, print.nodes.len()))
    };
    Member::all(&program).map(print).collect()
}

/// Replaces a text that must occur, and lists the members whose fingerprint changes.
fn touched(from: &str, to: &str) -> Vec<String> {
    assert!(PROGRAM.contains(from), "{from} is there");
    let (before, after) = (prints(PROGRAM), prints(&PROGRAM.replacen(from, to, 1)));
    let differs = |name: &&String| after.get(*name) != before.get(*name);
    before.keys().filter(differs).cloned().collect()
}

#[test]
fn layout_comments_and_what_is_out_of_sight_change_nothing() {
    assert!(touched("field f", "// words\n\n\nfield f").is_empty());
    assert!(touched("r.f > 0", "r.f  /* words */ >\n 0").is_empty());
    assert!(touched("field g: Int\n", "field g: Int\nfield h: Bool\n").is_empty());
    assert!(touched("method apart", "method another() { }\nmethod apart").is_empty());
    assert!(touched("function twice", "function thrice(x: Int): Int { x + x + x }\nfunction twice").is_empty());
}

#[test]
fn what_a_member_sees_changes_it() {
    assert_eq!(touched("r.f := 1", "r.f := 2"), ["callee"]);
    assert_eq!(touched("ensures acc(r.f)", "ensures acc(r.f) && r.f > 0"), ["callee", "caller"]);
    assert_eq!(touched("{ x + x }", "{ x * 2 }"), ["P", "opens", "twice"]);
    assert_eq!(touched("r.f > twice(1)", "r.f >= twice(1)"), ["P", "opens"]);
}

#[test]
fn which_variable_is_meant_and_annotations_count() {
    let with = |used: &str| prints(&format!("method m(a: Int, b: Int) {{ assert {used} > 0 }}"));
    assert_ne!(with("a"), with("b"));
    let marked = |mark: &str| prints(&format!("method m(s: Seq[Int]) {{ assert {mark} (forall i: Int :: s[i] > 0) }}"));
    assert_ne!(marked(""), marked("@weight(\"3\")"));
}

/// Only the layout changes, so corresponding nodes stay the same.
#[test]
fn nodes_of_equal_fingerprints_correspond() {
    let program = checked(PROGRAM).program.expect("it is a program");
    let moved = checked(&format!("\n\n{}", PROGRAM.replace("r.f > 0", "r.f\n > 0"))).program.expect("it is a program");
    let nodes = |program: &echis_program::program::Program| {
        let fingerprints = Fingerprints::new(program);
        let found = Member::all(program).map(|member| fingerprints.of(member, &reach(program, member)).nodes);
        found.map(|nodes| nodes.len()).collect::<Vec<_>>()
    };
    assert_eq!(nodes(&program), nodes(&moved));
}

#[test]
fn one_member_alone_has_the_fingerprint_that_it_has_among_others() {
    let program = checked(PROGRAM).program.expect("it is a program");
    let fingerprints = Fingerprints::new(&program);
    for member in Member::all(&program) {
        let reach = reach(&program, member);
        assert_eq!(fingerprints.of(member, &reach), Fingerprints::only(&program, member, &reach));
    }
}

/// Clauses that are dropped from a program for a member do not affect its fingerprint, wherever they were.
#[test]
fn programs_that_differ_in_what_is_left_out_have_the_same_weakened_form() {
    const CALLS: &str = "\
        method callee(i: Int) returns (j: Int) requires i > 0 ensures j > i && j != 7 ensures j > 1\n\
        method caller() { var k: Int k := callee(1) }\n";
    let form = |text: &str| {
        let program = checked(text).program.expect("it is a program");
        let caller = Member::all(&program).last().expect("there are members");
        let weak = weakened(&program, caller, |clause| clause.digest(&program) == j_above_i());
        Fingerprints::only(&weak, caller, &reach(&weak, caller)).digest
    };
    fn j_above_i() -> [u8; 32] {
        let program = checked(CALLS).program.expect("it is a program");
        clauses(&program)[0].digest(&program)
    }
    for (from, to) in [(" && j != 7", ""), ("ensures j > 1", "ensures j > 2 ensures j > 3"), ("j != 7", "j != 8")] {
        assert_eq!(form(CALLS), form(&CALLS.replace(from, to)), "{from} -> {to}");
    }
    for (from, to) in [("i > 0", "i > 1"), ("j > i", "j >= i"), ("callee(1)", "callee(2)")] {
        assert_ne!(form(CALLS), form(&CALLS.replace(from, to)), "{from} -> {to}");
    }
}
