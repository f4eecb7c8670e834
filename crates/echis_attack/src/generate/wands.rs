//! Wands that are packaged once and applied to two left-hand sides. The effect of a proof script may depend on the
//! left-hand side; the final assertions about both hold for at most one of them.

use super::probe::{Candidate, Probed, chosen};
use crate::random::Random;

const METHODS: usize = 14;

const PRELUDE: &str = "\
field f: Int
field g: Int
field n: Ref
predicate P(x: Ref) { acc(x.f) && acc(x.g) }
predicate Some(x: Ref, i: Int) { acc(x.f) && x.f != i }
function get(x: Ref): Int requires acc(x.f, wildcard) { x.f }
method any() returns (r: Int)
{ r := 3 }
method positive() returns (r: Int)
  ensures r > 0
{ r := 3 }
method touch(x: Ref)
  requires acc(x.g)
  ensures acc(x.g)
{ x.g := 5 }
method swap(x: Ref)
  requires acc(x.f) && acc(x.g)
  ensures acc(x.f) && acc(x.g) && x.f == old(x.g) && x.g == old(x.f)
{ var t: Int := x.f; x.f := x.g; x.g := t }
";

/// Generates a program of methods.
pub fn program(random: &mut Random) -> String {
    let candidates: Vec<Candidate> = (0..METHODS).map(|_| method(random)).collect();
    let probed = Probed::new(PRELUDE, &candidates, random);
    let mut text = PRELUDE.to_string();
    for (index, one) in candidates.iter().enumerate() {
        let mut asserted = chosen(random, &probed.samples[index]);
        if random.once_in(2) {
            asserted.push("false".to_string());
        }
        text += &one.method(&format!("w{index}"), &asserted);
    }
    text
}

fn method(random: &mut Random) -> Candidate {
    let many = random.once_in(6);
    let others: Vec<String> = (0..if many { 26 } else { 0 }).map(|index| format!("c{index}")).collect();
    let mut params = vec!["x: Ref".to_string(), "y: Ref".into(), "c: Ref".into(), "a: Ref".into(), "b: Ref".into()];
    params.push("s: Set[Ref]".into());
    params.extend(others.iter().map(|name| format!("{name}: Ref")));
    let mut requires: Vec<String> =
        vec!["acc(x.f) && acc(x.g) && acc(x.n)".into(), "acc(y.f) && acc(y.g) && acc(y.n)".into()];
    if many || random.once_in(3) {
        requires.push("acc(a.f) && acc(b.f)".into());
    }
    requires.extend(others.iter().map(|name| format!("acc({name}.f)")));
    let quantified = !many && random.once_in(3);
    let all = "(forall o: Ref :: { o in s } o in s ==> acc(o.g))";
    if quantified {
        requires.retain(|clause| clause.contains("acc(a.f)"));
        requires.push("acc(x.f) && acc(x.n) && acc(y.f)".into());
        requires.push(format!("{all} && c in s"));
    }
    let chain: String = others.iter().map(|name| format!(" && acc({name}.f)")).collect();
    let (left, mut right) = match random.below(5) {
        _ if many && random.once_in(2) => {
            let both = format!("acc(x.n) && acc(y.n) && acc(x.n.f) && acc(y.n.f){chain}");
            (both.clone(), both)
        }
        _ if quantified => ("acc(x.f)".to_string(), format!("acc(x.f) && {all}")),
        0 => ("acc(x.f)".into(), format!("acc(x.f) && acc(x.g){chain}")),
        1 => ("acc(x.f) && acc(x.g, 1/2)".into(), "acc(x.f) && acc(x.g, 1/2) && acc(y.g)".into()),
        2 => ("acc(x.f)".into(), format!("acc(x.f) && acc(y.f) && acc(y.g){chain}")),
        3 => ("acc(x.f)".into(), "P(x)".into()),
        _ => ("acc(x.f) && acc(x.n)".into(), "acc(x.f) && acc(x.n) && acc(y.g)".into()),
    };
    if random.once_in(4) && !right.contains("P(") {
        right =
            format!("{right} && {}", random.pick(&["x.f == old[lhs](x.f)", "(x.f >= 0 || x.f < 0)", "get(x) == x.f"]));
        if !right.contains("acc(x.f)") {
            right = left.clone();
        }
    }
    let wand = format!("{left} --* {right}");
    let script = script(random, &left, &right, quantified);
    let mut body = vec![format!("package {wand} {{")];
    body.extend(script);
    body.push("}".into());
    let claims = claims(&right);
    let mut asserted = Vec::new();
    if left.contains("x.n.f") {
        body.push("x.n := a; y.n := b".into());
        body.push(format!("assert applying ({wand}) in true"));
        body.push("x.n := b; y.n := a".into());
    } else {
        body.push(format!("x.f := {}", random.between(0, 2)));
        if random.percent(70) {
            body.push(format!(
                "assert applying ({wand}) in {}",
                if random.once_in(2) { "true" } else { random.pick(&claims) }
            ));
        }
        body.push(format!("x.f := {}", random.between(3, 5)));
    }
    for claim in &claims {
        asserted.push(format!("applying ({wand}) in {claim}"));
    }
    asserted.push(format!("applying ({wand}) in true"));
    if random.once_in(3) {
        body.push(format!("apply {wand}"));
        asserted = claims;
    }
    asserted.push("false".into());
    // Assertions within the body are not candidates.
    body.iter_mut().for_each(|line| *line = line.replace("assert applying", "inhale applying"));
    Candidate { params: params.join(", "), requires, body, asserted }
}

/// Candidate assertions about the state after applying the wand.
fn claims(right: &str) -> Vec<String> {
    let mut claims = Vec::new();
    if right.contains("P(") {
        claims.push("(unfolding P(x) in x.f) >= 3".into());
        claims.push("(unfolding P(x) in x.f) == 4".into());
        claims.push("(unfolding P(x) in x.g) == old(x.g)".into());
        return claims;
    }
    let terms: &[&str] = if right.contains("acc(y.g)") {
        &["x.f", "y.g"]
    } else if right.contains("acc(x.g)") {
        &["x.f", "x.g"]
    } else if right.contains("o.g") {
        &["x.f", "c.g"]
    } else {
        &["x.n.f", "y.n.f"]
    };
    for term in terms {
        for claim in ["== 4", ">= 3", "< 3", "== 5"] {
            claims.push(format!("{term} {claim}"));
        }
        claims.push(format!("{term} == old({term})"));
    }
    claims.push(format!("{} == {}", terms[0], terms[1]));
    claims.push(format!("{} == {} + 1", terms[0], terms[1]));
    claims
}

/// Statements for the proof script of a package.
fn script(random: &mut Random, left: &str, right: &str, quantified: bool) -> Vec<String> {
    let mut script = Vec::new();
    let owned = if right.contains("acc(y.g)") { "y.g" } else { "x.g" };
    if left.contains("x.n.f") {
        script.push(
            random
                .pick(&["assert x.n != y.n", "assume x.n.f != y.n.f", "label m", "if (x.n == a) { assert true }"])
                .to_string(),
        );
        return script;
    }
    if quantified {
        script.push("assert (forall o: Ref :: { o in s } o in s ==> acc(o.g))".into());
        for _ in 0..1 + random.below(3) {
            script.push(
                random
                    .pick(&[
                        "quasihavocall o: Ref :: o in s ==> o.g",
                        "quasihavoc c.g",
                        "assume c.g == x.f",
                        "assume c.g >= x.f",
                        "touch(c)",
                        "if (x.f > 2) { quasihavoc c.g }",
                    ])
                    .to_string(),
            );
        }
        return script;
    }
    if right == "P(x)" {
        if random.once_in(2) {
            script.push("assert acc(x.g)".into());
            script.push("swap(x)".into());
        }
        script.push("fold P(x)".into());
        return script;
    }
    let mut declared = Vec::new();
    if owned == "x.g" && left.contains("x.g") {
        return Vec::new();
    }
    for index in 0..1 + random.below(4) {
        match random.below(14) {
            0 => script.push(format!("assert acc({owned})")),
            1 => {
                script.push(format!("assert acc({owned})"));
                script.push(format!("quasihavoc {owned}"));
            }
            2 => {
                script.push(format!("assert acc({owned})"));
                script.push(format!("touch({})", &owned[..1]));
            }
            3 => {
                script.push(format!("assert acc({owned})"));
                script.push(format!("assume {owned} == x.f"));
            }
            4 => {
                script.push(format!("var k{index}: Int := x.f"));
                declared.push(format!("k{index}"));
            }
            5 => {
                script.push(format!("var k{index}: Int"));
                script.push(format!("k{index} := {}()", random.pick(&["any", "positive"])));
                declared.push(format!("k{index}"));
            }
            6 => script.push(format!("if (x.f > 3) {{ assert acc({owned}) }}")),
            7 => script.push(format!("if (x.f > 3) {{ inhale x.f < 10 }} else {{ assert acc({owned}) }}")),
            8 => {
                script.push(format!("exhale acc({owned})"));
                script.push(format!("inhale acc({owned})"));
            }
            9 if owned == "x.g" => {
                script.push("assert acc(x.g)".into());
                script.push("swap(x)".into());
            }
            10 if owned == "x.g" => {
                script.push("fold P(x)".into());
                script.push("unfold P(x)".into());
            }
            11 => {
                script.push("var i: Int".replace('i', &format!("v{index}")));
                script.push(format!("assume v{index} != x.f"));
                script.push(format!("fold Some(x, v{index})"));
                script.push(format!("unfold Some(x, v{index})"));
                declared.push(format!("v{index}"));
            }
            12 => {
                script.push("exhale acc(x.f)".into());
                script.push("inhale acc(x.f) && x.f == old[lhs](x.f) + 1".into());
            }
            _ => match declared.last() {
                Some(name) => {
                    script.push(format!("assert acc({owned})"));
                    script.push(format!("assume {owned} == {name}"));
                }
                None => script.push(format!("label m{index}")),
            },
        }
    }
    script
}
