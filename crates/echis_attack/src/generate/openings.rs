//! Predicates whose bodies open further instances of themselves, also below quantifiers whose variables have the same names
//! everywhere, and methods and functions that open several of them within each other.

use super::probe::{Candidate, Probed, chosen};
use crate::random::Random;

const METHODS: usize = 4;

/// A program with one such predicate.
pub fn program(random: &mut Random) -> String {
    let step = random.between(-1, 1);
    let mut prelude = String::from("field f: Int\nfield n: Ref\n");
    let mut facts: Vec<String> = (0..1 + random.below(2)).map(|_| within(random, step)).collect();
    facts.push("true".into());
    prelude += &format!(
        "predicate p(r: Ref, i: Int) {{ acc(r.f) && acc(r.n) && (r.n != null ==> p(r.n, i + {step})) && {} }}\n",
        facts.join(" && ")
    );
    prelude += &format!(
        "function sum(r: Ref, i: Int): Int\n  requires p(r, i)\n  decreases p(r, i)\n\
         {{ unfolding p(r, i) in r.f + (r.n == null ? 0 : sum(r.n, i + {step})) }}\n"
    );
    prelude += &format!(
        "function first(r: Ref, i: Int): Int\n  requires acc(p(r, i), wildcard)\n\
         {{ unfolding acc(p(r, i), wildcard) in {} }}\n",
        random.pick(&["r.f", "r.f + i", "(r.n == null ? i : r.f)"])
    );
    let candidates: Vec<Candidate> = (0..METHODS).map(|_| method(random, step)).collect();
    let probed = Probed::new(&prelude, &candidates, random);
    for (index, one) in candidates.iter().enumerate() {
        prelude += &one.method(&format!("m{index}"), &chosen(random, &probed.samples[index]));
    }
    prelude
}

/// What the body says of the instance and of those behind it.
fn within(random: &mut Random, step: i64) -> String {
    let next = |inner: &str| format!("(r.n != null ==> (unfolding p(r.n, i + {step}) in {inner}))");
    match random.below(6) {
        0 => format!("r.f {} i", random.pick(&["<=", ">=", "!="])),
        1 => next(&compared(random, "r.n.f", "r.f")),
        2 => {
            let inner = next(&compared(random, "r.n.f + k", "r.f + i"));
            format!("(r.n != null ==> (forall k: Int :: 0 <= k && k < 2 ==> {inner}))")
        }
        3 => next(&format!(
            "(forall k: Int :: 0 <= k && k < 2 ==> {})",
            opened("r.n.n", &format!("i + {step} + {step}"), &compared(random, "r.n.n.f + k", "r.f"))
        )),
        4 => next(&format!("(forall k: Int :: k == i ==> {})", compared(random, "r.n.f + k", "r.f"))),
        _ => next(&format!("(let k == (r.n.f) in {})", compared(random, "k + i", "r.f"))),
    }
}

fn compared(random: &mut Random, left: &str, right: &str) -> String {
    let number = random.between(-1, 1);
    format!("{left} {} {right} + {number}", random.pick(&["<=", ">=", "!=", "<=", "=="]))
}

fn opened(object: &str, index: &str, inner: &str) -> String {
    format!("({object} != null ==> (unfolding p({object}, {index}) in {inner}))")
}

fn method(random: &mut Random, step: i64) -> Candidate {
    let mut body = Vec::new();
    for _ in 0..random.below(4) {
        statement(random, step, &mut body);
    }
    let mut asserted: Vec<String> = (0..10).map(|_| claim(random, step)).collect();
    asserted.push("false".into());
    Candidate { params: "x: Ref, y: Ref, i: Int, j: Int".into(), requires: vec!["p(x, i)".into()], body, asserted }
}

fn statement(random: &mut Random, step: i64, body: &mut Vec<String>) {
    let number = random.between(-1, 2);
    match random.below(6) {
        0 => body.extend(["unfold p(x, i)".into(), format!("x.f := x.f + {number}"), "fold p(x, i)".into()]),
        1 => {
            let inner = format!("unfold p(x.n, i + {step}) x.n.f := x.n.f + {number} fold p(x.n, i + {step})");
            body.extend(["unfold p(x, i)".into(), format!("if (x.n != null) {{ {inner} }}"), "fold p(x, i)".into()]);
        }
        2 => body.push("inhale y != x && p(y, j)".into()),
        3 => body.extend(["exhale acc(p(x, i), 1/2)".into(), "inhale acc(p(x, i), 1/2)".into()]),
        4 => body.push(format!("assume {}", compared(random, "first(x, i)", "i"))),
        _ => body.extend(["exhale p(x, i)".into(), "inhale p(x, i)".into()]),
    }
}

fn claim(random: &mut Random, step: i64) -> String {
    let open = |inner: &str| format!("(unfolding p(x, i) in {inner})");
    let below = |inner: &str| format!("(forall k: Int :: 0 <= k && k < 3 ==> {inner})");
    let next = format!("i + {step}");
    match random.below(9) {
        0 => open(&compared(random, "x.f", "i")),
        1 => open(&opened("x.n", &next, &compared(random, "x.n.f", "x.f"))),
        2 => below(&open(&compared(random, "x.f + k", "i"))),
        3 => open(&below(&opened("x.n", &next, &compared(random, "x.n.f + k", "x.f + i")))),
        4 => below(&open(&opened("x.n", &next, &compared(random, "x.n.f + k", "x.f")))),
        5 => compared(random, "sum(x, i)", "old(sum(x, i))"),
        6 => compared(random, "first(x, i)", "old(first(x, i))"),
        7 => open(&opened("x.n", &next, &compared(random, "sum(x.n, i)", "x.f")))
            .replace("sum(x.n, i)", &format!("sum(x.n, {next})")),
        _ => open(&opened(
            "x.n",
            &next,
            &opened("x.n.n", &format!("i + {step} + {step}"), &compared(random, "x.n.n.f", "x.f")),
        )),
    }
}
