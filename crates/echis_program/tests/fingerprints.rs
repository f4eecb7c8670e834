//! What changes a member's fingerprint, and what does not.

mod common;

use common::checked;
use echis_program::Fingerprints;
use echis_program::reach::{Member, reach};
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

/// Replaces a text that occurs, and says which members have another fingerprint then.
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

/// Renaming nothing, moving a member behind those that it is not compared with.
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
