//! Functions with mutually dependent contracts, in cycles of length one to four: through bodies, postconditions, a
//! predicate, `asserting` and axioms, with and without measures, `@opaque` or not. Every body terminates, because its
//! applications are to smaller arguments, and axioms only define symbols. Everything that verifies must therefore be
//! true.

use crate::random::Random;

/// The position in which one function applies the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Link {
    /// In the body, to a smaller argument.
    Body,
    Post,
    /// Under a quantifier of the postcondition.
    Quantified,
    /// In `asserting`.
    Asserting,
    /// Through a symbol that an axiom defines.
    Axiom,
}

/// The part of the heap that the functions of a program read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reads {
    Nothing,
    /// `r.f`
    Field,
    /// A list, whose predicate applies the first function.
    List,
}

impl Reads {
    fn param(self) -> &'static str {
        match self {
            Reads::Nothing => "",
            Reads::Field | Reads::List => ", r: Ref",
        }
    }
    fn permission(self) -> Option<&'static str> {
        match self {
            Reads::Nothing => None,
            Reads::Field => Some("acc(r.f, wildcard)"),
            Reads::List => Some("acc(p(r), wildcard)"),
        }
    }
    fn applied(self, index: usize, arg: &str) -> String {
        match self {
            Reads::Nothing => format!("g{index}({arg})"),
            Reads::Field | Reads::List => format!("g{index}({arg}, r)"),
        }
    }
}

pub fn program(random: &mut Random) -> String {
    let length = 1 + random.below(4);
    let reads = *random.pick(&[Reads::Nothing, Reads::Nothing, Reads::Field, Reads::List]);
    let mut text = String::from("field f: Int\nfield n: Ref\n");
    if reads == Reads::List {
        let stated = relation(random, "q.f", "g0(1, q.n)");
        text +=
            &format!("predicate p(q: Ref) {{ acc(q.f) && acc(q.n) && (q.n != null ==> acc(p(q.n)) && {stated}) }}\n");
    }
    for index in 0..length {
        text += &function(random, index, (index + 1) % length, reads);
    }
    for index in 0..length {
        text += &client(random, index, reads);
    }
    text
}

fn function(random: &mut Random, index: usize, next: usize, reads: Reads) -> String {
    let link = match random.below(8) {
        0 => Link::Body,
        1 => Link::Quantified,
        2 => Link::Asserting,
        3 if reads == Reads::Nothing => Link::Axiom,
        _ => Link::Post,
    };
    let arg = *random.pick(&["x", "x", "x", "x - 1", "x + 1", "0"]);
    let mention = reads.applied(next, arg);
    let (mut before, mut ensures) = (String::new(), Vec::new());
    let mut body = body(random, link, next, reads);
    match link {
        Link::Body => {}
        Link::Post => ensures.push(guarded(random, "result", &mention)),
        Link::Quantified => {
            let other = reads.applied(next, "y");
            ensures.push(format!("(forall y: Int :: {{ {other} }} {})", relation(random, "result", &other)));
        }
        Link::Asserting => body = format!("(asserting ({}) in {body})", guarded(random, "1", &mention)),
        Link::Axiom => {
            let symbol = format!("d{index}(x)");
            let axiom = format!("forall x: Int :: {{ {symbol} }} {symbol} == {}", reads.applied(next, "x"));
            before = format!("domain D{index} {{\n  function d{index}(x: Int): Int\n  axiom {{ {axiom} }}\n}}\n");
            ensures.push(guarded(random, "result", &format!("d{index}({arg})")));
        }
    }
    if random.once_in(4) {
        let constant = random.between(-1, 2).to_string();
        ensures.push(guarded(random, "result", &constant));
    }
    if random.once_in(4) {
        ensures.push(guarded(random, "result", &mention));
    }
    let opaque = if random.once_in(6) { "@opaque() " } else { "" };
    let mut text = format!("{before}{opaque}function g{index}(x: Int{}): Int\n", reads.param());
    if let Some(permission) = reads.permission() {
        text += &format!("  requires {permission}\n");
    }
    // A postcondition may apply its own function only if there is a `decreases` clause.
    text += match random.below(4) {
        0 => "  decreases x\n",
        1 => "  decreases *\n",
        _ if index == next => "  decreases *\n",
        _ => "",
    };
    for clause in ensures {
        text += &format!("  ensures {clause}\n");
    }
    text + &format!("{{ {body} }}\n")
}

fn body(random: &mut Random, link: Link, next: usize, reads: Reads) -> String {
    let base = match random.below(4) {
        0 => "x".to_string(),
        1 if reads == Reads::Field => "r.f".to_string(),
        _ => random.between(-1, 2).to_string(),
    };
    if link != Link::Body && !random.once_in(3) {
        return base;
    }
    let more = random.between(-1, 1);
    match reads {
        Reads::List if random.once_in(2) => {
            format!("unfolding acc(p(r), wildcard) in (r.n == null ? {base} : g{next}(x, r.n) + {more})")
        }
        _ => format!("(x > 0 ? {} + {more} : {base})", reads.applied(next, "x - 1")),
    }
}

fn relation(random: &mut Random, left: &str, right: &str) -> String {
    match random.below(5) {
        0 => format!("{left} == {right}"),
        1 => format!("{left} == {right} + {}", random.between(-1, 1)),
        2 => format!("{left} {} {right}", random.pick(&["<=", ">=", "<", ">", "!="])),
        3 => format!("{left} != {right} + {}", random.between(-1, 1)),
        _ => format!("{left} + {right} {} {}", random.pick(&[">=", "<=", "!="]), random.between(-1, 2)),
    }
}

/// A relation, possibly restricted to some arguments.
fn guarded(random: &mut Random, left: &str, right: &str) -> String {
    let plain = relation(random, left, right);
    match random.below(4) {
        0 => format!("(x {} {} ==> {plain})", random.pick(&["==", ">", "<"]), random.between(-1, 2)),
        _ => plain,
    }
}

/// A method that applies a function and asserts a proposition that is usually false.
fn client(random: &mut Random, index: usize, reads: Reads) -> String {
    let asserted = *random.pick(&["false", "false", "x > 0", "t != 0", "t == 1"]);
    let mut text = format!("method client{index}(x: Int{})\n", reads.param());
    if let Some(permission) = reads.permission() {
        text += &format!("  requires {permission}\n");
    }
    let applied = reads.applied(index, "x");
    text + &format!("  requires x >= 0\n{{\n  var t: Int := {applied}\n  assert {asserted}\n}}\n")
}
