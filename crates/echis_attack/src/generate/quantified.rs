//! Methods with quantified permissions: to the objects of two possibly overlapping sets, and of a sequence.

use super::exprs::{ADTS, Scope, Ty, expr, leaf};
use super::probe::{Candidate, Probed, chosen};
use crate::random::Random;

const METHODS: usize = 16;
const CANDIDATES: usize = 12;

const PRELUDE: &str = "\
field f: Int
field g: Int
predicate cell(x: Ref) { acc(x.f) && x.f >= 0 }
predicate token(i: Int)
function sum(s: Seq[Ref], n: Int): Int
  requires 0 <= n && n <= |s|
  requires forall k: Int :: 0 <= k && k < n ==> acc(s[k].g, wildcard)
  decreases n
{ n == 0 ? 0 : s[n - 1].g + sum(s, n - 1) }
function most(A: Set[Ref], x: Ref): Int
  requires x in A
  requires forall o: Ref :: o in A ==> acc(o.f, wildcard)
{ x.f }
method visit(A: Set[Ref])
  requires forall o: Ref :: o in A ==> acc(o.f, 1/2)
  ensures forall o: Ref :: o in A ==> acc(o.f, 1/2)
{ }
method scramble(A: Set[Ref])
  requires forall o: Ref :: o in A ==> acc(o.f)
  ensures forall o: Ref :: o in A ==> acc(o.f)
";

/// Permission amounts in twelfths.
type Parts = u32;
const ALL: Parts = 12;

/// The generator's approximation of the state: lower bounds of the permissions held.
#[derive(Clone)]
struct Knowledge {
    /// To field `f` of each object of `A` and of `B`.
    sets: [Parts; 2],
    /// To the predicate of each object of `A`.
    folded: Parts,
    /// To field `g` of each item of `s`.
    items: Parts,
    ints: Vec<String>,
    labelled: bool,
    fresh: usize,
}

/// Generates a program of methods.
pub fn program(random: &mut Random) -> String {
    let candidates: Vec<Candidate> = (0..METHODS).map(|_| method(random)).collect();
    let mut text = format!("{ADTS}{PRELUDE}");
    let probed = Probed::new(&text, &candidates, random);
    for (index, one) in candidates.iter().enumerate() {
        let asserted = chosen(random, &probed.samples[index]);
        text += &one.method(&format!("m{index}"), &asserted);
    }
    text
}

const SETS: [&str; 2] = ["A", "B"];

fn over(set: &str, parts: Parts) -> String {
    format!("forall o: Ref :: o in {set} ==> acc(o.f, {parts}/12)")
}

fn along(from: &str, to: &str, parts: Parts) -> String {
    format!("forall k: Int :: {from} <= k && k < {to} ==> acc(s[k].g, {parts}/12)")
}

fn method(random: &mut Random) -> Candidate {
    // The sets may overlap, so the amounts add up to at most a full permission.
    let sets = *random.pick(&[[ALL, 0], [6, 6], [4, 8], [6, 3], [ALL, 0]]);
    let items = *random.pick(&[ALL, ALL, 6]);
    let mut knowledge =
        Knowledge { sets, folded: 0, items, ints: vec!["i".into(), "n".into()], labelled: false, fresh: 0 };
    let mut requires = vec![
        "forall k: Int, l: Int :: 0 <= k && k < l && l < |s| ==> s[k] != s[l]".to_string(),
        "0 <= i && i < |s| && x in A".into(),
    ];
    if random.once_in(4) && sets[1] == 0 {
        knowledge.sets[0] = 0;
        knowledge.folded = ALL;
        requires.push("forall o: Ref :: o in A ==> cell(o)".into());
    } else {
        let given = SETS.iter().zip(sets).filter(|(_, parts)| *parts > 0);
        requires.extend(given.map(|(set, parts)| over(set, parts)));
    }
    requires.push(along("0", "|s|", items));
    if random.once_in(2) {
        requires.push(random.pick(&["y in B", "!(y in A)", "y in A && y != x", "x in B", "|A| == 1"]).to_string());
    }
    let mut body = Vec::new();
    for _ in 0..2 + random.below(6) {
        statement(random, &mut knowledge, &mut body);
    }
    let scope = knowledge.scope();
    let mut asserted: Vec<String> = (0..CANDIDATES).map(|_| claim(random, &knowledge, &scope)).collect();
    asserted.push("false".into());
    let params = "A: Set[Ref], B: Set[Ref], s: Seq[Ref], x: Ref, y: Ref, i: Int, n: Int".into();
    Candidate { params, requires, body, asserted }
}

impl Knowledge {
    /// The terms that are readable in the current state.
    fn scope(&self) -> Scope {
        let mut scope = Scope::default();
        scope.terms.extend(self.ints.iter().map(|name| (name.clone(), Ty::Int)));
        if self.sets[0] > 0 {
            scope.terms.push(("x.f".into(), Ty::Int));
            scope.terms.push(("most(A, x)".into(), Ty::Int));
        }
        if self.folded > 0 {
            scope.terms.push(("(unfolding acc(cell(x), 1/12) in x.f)".into(), Ty::Int));
        }
        if self.items > 0 {
            scope.terms.push(("s[i].g".into(), Ty::Int));
            scope.terms.push(("sum(s, i)".into(), Ty::Int));
            scope.terms.push(("sum(s, |s|)".into(), Ty::Int));
        }
        scope
    }
}

fn statement(random: &mut Random, knowledge: &mut Knowledge, body: &mut Vec<String>) {
    let scope = knowledge.scope();
    let which = random.below(2);
    let (set, parts) = (SETS[which], knowledge.sets[which]);
    let careless = random.once_in(25);
    match random.below(18) {
        0 | 1 if knowledge.sets[0] == ALL || careless => {
            body.push(format!("x.f := {}", expr(random, Ty::Int, &scope, 2)));
        }
        2 | 3 if knowledge.items == ALL || careless => {
            body.push(format!("s[i].g := {}", expr(random, Ty::Int, &scope, 2)));
        }
        4 if parts > 0 => {
            let given = *random.pick(&[parts, parts.div_ceil(2)]);
            body.push(format!("exhale {}", over(set, given)));
            knowledge.sets[which] -= given;
        }
        5 if knowledge.sets[0] + knowledge.sets[1] < ALL && knowledge.folded == 0 => {
            let more = ALL - knowledge.sets[0] - knowledge.sets[1];
            body.push(format!("inhale {}", over(set, more)));
            knowledge.sets[which] += more;
        }
        // One object is singled out; the permissions to the others are unchanged.
        6 if knowledge.sets[0] > 1 => {
            let half = knowledge.sets[0] / 2;
            body.push(format!("exhale acc(x.f, {half}/12)"));
            if random.once_in(2) {
                body.push(format!("inhale acc(x.f, {half}/12)"));
            } else {
                knowledge.sets[0] -= half;
            }
        }
        7 if knowledge.sets[0] > 0 => {
            let parts = knowledge.sets[0];
            body.push(format!("exhale forall o: Ref :: o in A && o != x ==> acc(o.f, {parts}/12)"));
            body.push(format!("inhale forall o: Ref :: o in A && o != x ==> acc(o.f, {parts}/12)"));
        }
        8 if knowledge.items > 0 => {
            let parts = knowledge.items;
            let (from, to) = *random.pick(&[("0", "i"), ("i", "|s|"), ("i + 1", "|s|"), ("0", "|s|")]);
            body.push(format!("exhale {}", along(from, to, parts)));
            body.push(format!("inhale {}", along(from, to, parts)));
        }
        9 => {
            let local = fresh(knowledge, "k");
            body.push(format!("var {local}: Int := {}", expr(random, Ty::Int, &scope, 2)));
            knowledge.ints.push(local);
        }
        10 if parts >= 6 => body.push(format!("visit({set})")),
        11 if knowledge.sets[0] == ALL => body.push("scramble(A)".into()),
        12 if parts > 0 => {
            let condition = random.pick(&["", " && o != x", " && o != y"]);
            body.push(format!("quasihavocall o: Ref :: o in {set}{condition} ==> o.f"));
        }
        13 if knowledge.sets[0] == ALL => {
            body.push(format!("x.f := {}", random.between(0, 3)));
            body.push("fold cell(x)".into());
            if random.once_in(2) {
                body.push("quasihavoc cell(x)".into());
            }
            body.push("unfold cell(x)".into());
        }
        14 if knowledge.folded == ALL => {
            body.push("unfold cell(x)".into());
            body.push(format!("x.f := x.f + {}", random.between(-1, 2)));
            body.push("fold cell(x)".into());
        }
        15 if knowledge.items == ALL => fill(random, knowledge, body),
        16 if !knowledge.labelled => {
            body.push("label l".into());
            knowledge.labelled = true;
        }
        17 => {
            let (low, high) = (random.between(-1, 1), random.between(1, 3));
            let tokens = format!("forall k: Int :: {low} <= k && k < {high} ==> token(k)");
            body.push(format!("inhale {tokens}"));
            if random.once_in(2) {
                let at = random.between(low, high);
                body.push(format!("exhale token({at})"));
                body.push(format!("inhale token({at})"));
            }
            body.push(format!("exhale {tokens}"));
        }
        _ => {}
    }
}

fn fresh(knowledge: &mut Knowledge, stem: &str) -> String {
    knowledge.fresh += 1;
    format!("{stem}{}", knowledge.fresh)
}

/// A loop over the sequence.
fn fill(random: &mut Random, knowledge: &mut Knowledge, body: &mut Vec<String>) {
    let at = fresh(knowledge, "t");
    let value = *random.pick(&["0", "n", "n + 1"]);
    let said = match random.below(3) {
        0 => format!("forall k: Int :: 0 <= k && k < {at} ==> s[k].g == {value}"),
        1 => format!("forall k: Int :: {at} <= k && k < |s| ==> s[k].g == old(s[k].g)"),
        _ => "true".into(),
    };
    body.push(format!("var {at}: Int := 0"));
    body.push(format!("while ({at} < |s|)"));
    body.push(format!("  invariant 0 <= {at} && {at} <= |s|"));
    body.push(format!("  invariant {}", along("0", "|s|", ALL)));
    body.push(format!("  invariant {said}"));
    body.push("{".into());
    body.push(format!("s[{at}].g := {value}"));
    body.push(format!("{at} := {at} + {}", random.pick(&["1", "1", "1", "2"])));
    body.push("}".into());
    knowledge.ints.push(at);
}

/// A candidate assertion.
fn claim(random: &mut Random, knowledge: &Knowledge, scope: &Scope) -> String {
    let set = *random.pick(&SETS);
    let object = *random.pick(&["x", "x", "y", "s[i]"]);
    let past = if knowledge.labelled && random.once_in(2) { "old[l]" } else { "old" };
    let shares = [0, 3, 4, 6, 8, 12];
    match random.below(14) {
        0 | 1 => {
            let field = random.pick(&["f", "g"]);
            format!("perm({object}.{field}) {} {}/12", random.pick(&["==", ">=", "<="]), random.pick(&shares))
        }
        2 => format!("acc({object}.f, {}/12)", random.pick(&shares[1..])),
        3 => format!("({})", over(set, *random.pick(&shares[1..]))),
        4 => {
            let to = *random.pick(&["i", "i + 1", "|s|"]);
            format!("({})", along("0", to, *random.pick(&shares[1..])))
        }
        5 => format!("(forall o: Ref :: o in {set} ==> o.f == {past}(o.f))"),
        6 => format!("(forall o: Ref :: o in {set} && o != x ==> o.f == {past}(o.f))"),
        7 => format!("(forall k: Int :: 0 <= k && k < |s| ==> s[k].g == {past}(s[k].g))"),
        8 => format!("(forall k: Int :: 0 <= k && k < |s| && k != i ==> s[k].g == {past}(s[k].g))"),
        9 => format!("(forperm o: Ref [o.f] :: o in {set})"),
        10 => format!("x {} {}", random.pick(&["==", "!="]), random.pick(&["y", "s[i]", "s[0]", "null"])),
        11 => {
            let term = random.pick(&["x.f", "s[i].g", "sum(s, |s|)", "sum(s, i)", "most(A, x)"]);
            format!("{term} == {past}({term}) + {}", random.between(-1, 2))
        }
        12 => format!("{object} in {set}"),
        _ => format!(
            "{} {} {}",
            leaf(random, Ty::Int, scope),
            random.pick(&["==", "<=", "!="]),
            leaf(random, Ty::Int, scope)
        ),
    }
}
