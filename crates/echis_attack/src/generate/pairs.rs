//! Contracts with inhale-exhale pairs. What is assumed and what is checked differ: in permissions, in what is stated, in what
//! makes the rest defined. For a function, what is assumed is true of every application, so nothing may follow from it that
//! is false.

use super::probe::{Candidate, Probed, chosen};
use crate::random::Random;

const CALLEES: usize = 4;
const FUNCTIONS: usize = 3;
const METHODS: usize = 8;
const PARAMS: &str = "x: Ref, y: Ref, a: Int";

/// Where a clause stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Before,
    /// There is an earlier state, and a result.
    After,
}

/// A program of functions and methods with pairs, and of methods that call them.
pub fn program(random: &mut Random) -> String {
    let mut prelude = "field f: Int\nfield g: Int\n".to_string();
    for index in 0..FUNCTIONS {
        prelude += &function(random, index);
    }
    for index in 0..CALLEES {
        prelude += &callee(random, index);
    }
    let candidates: Vec<Candidate> = (0..METHODS).map(|_| caller(random)).collect();
    let probed = Probed::new(&prelude, &candidates, random);
    for (index, one) in candidates.iter().enumerate() {
        prelude += &one.method(&format!("m{index}"), &chosen(random, &probed.samples[index]));
    }
    prelude
}

fn function(random: &mut Random, index: usize) -> String {
    let more = random.between(0, 2);
    let next = (index + 1) % FUNCTIONS;
    let own = format!("h{index}(a)");
    let true_ones = [
        "true".to_string(),
        format!("result == a + {more}"),
        "result >= a".to_string(),
        format!("{own} == {own}"),
        format!("{own} == result"),
        format!("h{next}(a) == h{next}(a)"),
        "(result > 0 || a <= 0)".to_string(),
    ];
    let any = [
        format!("result == a + {}", random.between(0, 2)),
        "result > a".to_string(),
        "result != 0".to_string(),
        format!("result == h{next}(a) + {}", random.between(-1, 1)),
        format!("h{next}(a) >= {}", random.between(0, 2)),
        format!("{own} == a + 1"),
        "true".to_string(),
    ];
    let mut text = format!("function h{index}(a: Int): Int\n  decreases *\n");
    for _ in 0..1 + random.below(2) {
        let (assumed, checked) = (random.pick(&true_ones), random.pick(&any));
        text += &match random.below(6) {
            0 => format!("  ensures {checked}\n"),
            1 => format!("  ensures a > {} ==> [{assumed}, {checked}]\n", random.between(-1, 1)),
            2 => format!("  ensures [{assumed}, {checked}] && {}\n", random.pick(&true_ones)),
            _ => format!("  ensures [{assumed}, {checked}]\n"),
        };
    }
    text + &format!("{{ a + {more} }}\n")
}

fn callee(random: &mut Random, index: usize) -> String {
    let mut text = format!("method c{index}({PARAMS}) returns (r: Int)\n");
    for (word, place) in [("requires", Place::Before), ("ensures", Place::After)] {
        for _ in 0..1 + random.below(2) {
            text += &format!("  {word} {}\n", clause(random, place));
        }
    }
    let mut body = Vec::new();
    for _ in 0..random.below(4) {
        body.push(statement(random));
    }
    body.push(format!("r := {}", random.pick(&["a", "x.f", "3", "h0(a)", "a + 1"])));
    text + &format!("{{\n  {}\n}}\n", body.join("\n  "))
}

fn clause(random: &mut Random, place: Place) -> String {
    let (one, two) = (side(random, place), side(random, place));
    match random.below(8) {
        0 => format!("{} && [{one}, {two}]", permission(random)),
        1 => format!("[{one}, {two}] && {}", fact(random, place)),
        2 => format!("(a > 0 ==> [{one}, {two}])"),
        3 => format!("[{}, {}] && {}", permission(random), permission(random), fact(random, place)),
        4 => format!("{} && {}", permission(random), fact(random, place)),
        5 => format!("{} && [{}, {}]", permission(random), fact(random, place), fact(random, place)),
        6 => format!("(x != y ==> [{one}, {two}])"),
        _ => format!("[{one}, {two}]"),
    }
}

fn side(random: &mut Random, place: Place) -> String {
    match random.below(4) {
        0 => fact(random, place),
        1 => permission(random),
        _ => format!("{} && {}", permission(random), fact(random, place)),
    }
}

fn permission(random: &mut Random) -> String {
    let amount = random.pick(&["", "", ", 1/2", ", 1/3", ", wildcard"]);
    format!("acc({}{amount})", random.pick(&["x.f", "x.f", "x.g", "y.f"]))
}

fn fact(random: &mut Random, place: Place) -> String {
    let earlier = place == Place::After;
    let number = random.between(-1, 3);
    match random.below(if earlier { 10 } else { 6 }) {
        0 => format!("x.f {} {number}", random.pick(&["==", ">", "!="])),
        1 => "x.f == x.g".into(),
        2 => format!("a {} {number}", random.pick(&["==", ">", "<="])),
        3 => "x != null".into(),
        4 => "x.f >= a".into(),
        5 => format!("h{}(a) > {number}", random.below(FUNCTIONS)),
        6 => format!("r == a + {number}"),
        7 => format!("x.f == old(x.f) + {number}"),
        8 => "x.f == r".into(),
        _ => "r >= old(x.f)".into(),
    }
}

fn statement(random: &mut Random) -> String {
    let number = random.between(-1, 3);
    match random.below(7) {
        0 | 1 => format!("x.f := {}", random.pick(&["a", "x.f + 1", "3", "h1(a)"])),
        2 => format!("inhale {}", clause(random, Place::Before)),
        3 => format!("exhale {}", clause(random, Place::Before)),
        4 => format!("assert {}", clause(random, Place::Before)),
        5 => format!("if (a > {number}) {{ x.f := {number} }}"),
        _ => "assert true".into(),
    }
}

fn caller(random: &mut Random) -> Candidate {
    let mut requires = vec!["acc(x.f) && acc(x.g) && acc(y.f)".to_string()];
    if random.once_in(3) {
        requires.push(clause(random, Place::Before));
    }
    let mut body = vec!["var r: Int := 0".to_string()];
    for _ in 0..1 + random.below(3) {
        body.push(match random.below(4) {
            0 => statement(random),
            _ => format!("r := c{}(x, y, {})", random.below(CALLEES), random.pick(&["a", "1", "x.f"])),
        });
    }
    let mut asserted: Vec<String> = (0..8).map(|_| fact(random, Place::After)).collect();
    asserted.extend((0..FUNCTIONS).map(|index| format!("h{index}(a) == a + {}", random.between(0, 2))));
    asserted.push("false".into());
    asserted.push(format!("perm(x.f) {} {}", random.pick(&["==", ">="]), random.pick(&["write", "1/2", "none"])));
    Candidate { params: PARAMS.into(), requires, body, asserted }
}
