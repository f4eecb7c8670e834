//! Methods over a small heap. The generator tracks permissions approximately, so that most of the code is
//! well-defined; candidate assertions are selected by executing them.

use super::exprs::{ADTS, Scope, Ty, expr, leaf};
use super::probe::{Candidate, Probed, chosen};
use crate::random::Random;

/// Number of methods in one program.
const METHODS: usize = 16;
const CANDIDATES: usize = 12;

/// The declarations of every program. They are verified once per program and used by its methods.
pub const PRELUDE: &str = "\
field f: Int
field g: Int
field next: Ref
predicate P(x: Ref) { acc(x.f) && acc(x.g, 1/2) }
predicate Pos(x: Ref) { acc(x.f) && x.f > 0 }
predicate Amount(x: Ref, p: Perm) { none <= p && acc(x.f, p) }
predicate list(x: Ref) { x != null ==> acc(x.f) && acc(x.next) && list(x.next) }
function get(x: Ref): Int requires acc(x.f, wildcard) { x.f }
function sumP(x: Ref): Int requires acc(P(x), wildcard) { unfolding acc(P(x), wildcard) in x.f + x.g }
function len(x: Ref): Int requires list(x) decreases list(x) ensures result >= 0
{ unfolding list(x) in x == null ? 0 : 1 + len(x.next) }
method inc(x: Ref, by: Int) returns (before: Int)
  requires acc(x.f)
  ensures acc(x.f) && x.f == old(x.f) + by && before == old(x.f)
{ before := x.f; x.f := x.f + by }
method look(x: Ref) returns (seen: Int)
  requires acc(x.f, wildcard)
  ensures acc(x.f, wildcard) && seen >= x.f
{ seen := x.f + 1 }
method half(x: Ref) returns (y: Ref)
  requires acc(x.f, 1/2)
  ensures acc(x.f, 1/2) && acc(y.f) && y.f == x.f
{ y := new(f); y.f := x.f }
method cons(x: Ref, v: Int) returns (y: Ref)
  requires list(x)
  ensures list(y) && len(y) == old(len(x)) + 1
{ y := new(f, next); y.f := v; y.next := x; fold list(y) }
";

/// Permission amounts in twelfths.
type Parts = u32;
const ALL: Parts = 12;

/// The generator's approximation of the state.
#[derive(Clone)]
struct Knowledge {
    /// Variables of type `Ref`, with the permissions held to their fields `f` and `g`, and their predicates.
    objects: Vec<Object>,
    ints: Vec<String>,
    bools: Vec<String>,
    labels: Vec<String>,
    fresh: usize,
    /// Nesting depth of branches and loops.
    depth: usize,
}

#[derive(Clone)]
struct Object {
    name: String,
    f: Parts,
    g: Parts,
    /// The predicates held, with their amounts.
    folded: Vec<(&'static str, Parts)>,
}

/// Generates a program of methods.
pub fn program(random: &mut Random) -> String {
    let candidates: Vec<Candidate> = (0..METHODS).map(|_| method(random)).collect();
    let probed = Probed::new(&format!("{ADTS}{PRELUDE}"), &candidates, random);
    let mut text = format!("{ADTS}{PRELUDE}");
    for (index, one) in candidates.iter().enumerate() {
        let asserted = chosen(random, &probed.samples[index]);
        text += &one.method(&format!("m{index}"), &asserted);
    }
    text
}

fn method(random: &mut Random) -> Candidate {
    let mut knowledge = Knowledge {
        objects: Vec::new(),
        ints: vec!["i".into(), "j".into()],
        bools: vec!["b".into()],
        labels: Vec::new(),
        fresh: 0,
        depth: 0,
    };
    let mut requires = Vec::new();
    for name in ["x", "y", "z"] {
        let (mut f, mut g) = (*random.pick(&[ALL, ALL, ALL, 6, 4, 0]), *random.pick(&[ALL, 6, 0]));
        let mut folded = Vec::new();
        match random.below(8) {
            0 => {
                (f, g) = (0, 6);
                folded.push(("P", ALL));
                requires.push(format!("acc(P({name})) && acc({name}.g, 1/2)"));
            }
            1 => {
                (f, g) = (0, 0);
                folded.push(("Pos", ALL));
                requires.push(format!("Pos({name})"));
            }
            2 => {
                (f, g) = (0, 0);
                folded.push(("list", ALL));
                requires.push(format!("list({name})"));
            }
            _ => {
                requires.extend(access(name, "f", f));
                requires.extend(access(name, "g", g));
            }
        }
        knowledge.objects.push(Object { name: name.into(), f, g, folded });
    }
    if random.once_in(3) {
        let scope = knowledge.scope();
        requires.push(leafy(random, &scope));
    }
    let mut body = Vec::new();
    for _ in 0..2 + random.below(7) {
        statement(random, &mut knowledge, &mut body);
    }
    let scope = knowledge.scope_with_old(random);
    let mut asserted: Vec<String> = (0..CANDIDATES).map(|_| claim(random, &knowledge, &scope)).collect();
    asserted.push("false".into());
    Candidate { params: "x: Ref, y: Ref, z: Ref, i: Int, b: Bool, j: Int".into(), requires, body, asserted }
}

fn access(name: &str, field: &str, parts: Parts) -> Option<String> {
    match parts {
        0 => None,
        ALL => Some(format!("acc({name}.{field})")),
        parts => Some(format!("acc({name}.{field}, {parts}/12)")),
    }
}

fn leafy(random: &mut Random, scope: &Scope) -> String {
    expr(random, Ty::Bool, scope, 1)
}

impl Knowledge {
    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    /// The terms that are readable in the current state.
    fn scope(&self) -> Scope {
        let mut scope = Scope::default();
        scope.terms.extend(self.ints.iter().map(|name| (name.clone(), Ty::Int)));
        scope.terms.extend(self.bools.iter().map(|name| (name.clone(), Ty::Bool)));
        for object in &self.objects {
            let name = &object.name;
            for (field, parts) in [("f", object.f), ("g", object.g)] {
                if parts > 0 {
                    scope.terms.push((format!("{name}.{field}"), Ty::Int));
                }
            }
            if object.f > 0 {
                scope.terms.push((format!("get({name})"), Ty::Int));
            }
            for (predicate, _) in &object.folded {
                match *predicate {
                    "P" => {
                        scope.terms.push((format!("sumP({name})"), Ty::Int));
                        scope.terms.push((format!("(unfolding P({name}) in {name}.f)"), Ty::Int));
                    }
                    "Pos" => scope.terms.push((format!("(unfolding acc(Pos({name}), wildcard) in {name}.f)"), Ty::Int)),
                    "list" => scope.terms.push((format!("len({name})"), Ty::Int)),
                    _ => {}
                }
            }
        }
        scope
    }

    fn scope_with_old(&self, random: &mut Random) -> Scope {
        let mut scope = self.scope();
        for term in scope.terms.clone() {
            if term.0.contains('(') || term.0.contains('.') {
                // The location may not have been readable in that state; executions filter such terms out.
                scope.terms.push((format!("old({})", term.0), term.1));
                if let Some(label) = self.labels.first()
                    && random.once_in(2)
                {
                    scope.terms.push((format!("old[{label}]({})", term.0), term.1));
                }
            }
        }
        scope
    }
}

/// A candidate assertion.
fn claim(random: &mut Random, knowledge: &Knowledge, scope: &Scope) -> String {
    let object = |random: &mut Random| random.pick(&knowledge.objects).name.clone();
    let int = |random: &mut Random| leaf(random, Ty::Int, scope);
    match random.below(12) {
        0 => format!("{} {} {}", object(random), random.pick(&["==", "!="]), object(random)),
        1 => format!(
            "perm({}.{}) {} {}/12",
            object(random),
            random.pick(&["f", "g"]),
            random.pick(&["==", ">=", "<="]),
            random.pick(&[0, 4, 6, 8, 12])
        ),
        2 => format!("acc({}.f, {}/12)", object(random), random.pick(&[1, 4, 6, 12])),
        3 => format!("{} != null", object(random)),
        4..=7 => format!("{} == {} {} {}", int(random), int(random), random.pick(&["+", "-"]), random.between(0, 2)),
        8 => format!("{} {} {}", int(random), random.pick(&["<=", "<", "!="]), int(random)),
        9 => {
            let guard = format!("{} {} {}", object(random), random.pick(&["==", "!="]), object(random));
            format!("({guard} ==> {} == {})", int(random), int(random))
        }
        10 => format!("(forperm o: Ref [o.f] :: o.f {} {})", random.pick(&[">=", "!="]), random.between(-1, 3)),
        _ => expr(random, Ty::Bool, scope, 2),
    }
}

fn statement(random: &mut Random, knowledge: &mut Knowledge, body: &mut Vec<String>) {
    let scope = knowledge.scope();
    let which = random.below(knowledge.objects.len());
    let name = knowledge.objects[which].name.clone();
    let careless = random.once_in(25);
    let object = knowledge.objects[which].clone();
    match random.below(24) {
        0..=4 if object.f == ALL || careless => body.push(format!("{name}.f := {}", expr(random, Ty::Int, &scope, 2))),
        5 if object.g == ALL || careless => body.push(format!("{name}.g := {}", expr(random, Ty::Int, &scope, 2))),
        6 => {
            let local = knowledge.name("k");
            body.push(format!("var {local}: Int := {}", expr(random, Ty::Int, &scope, 2)));
            knowledge.ints.push(local);
        }
        7 => {
            let local = knowledge.name("c");
            body.push(format!("var {local}: Bool := {}", expr(random, Ty::Bool, &scope, 2)));
            knowledge.bools.push(local);
        }
        8 if object.f == ALL && object.g >= 6 && object.folded.is_empty() => {
            body.push(format!("fold P({name})"));
            let known = &mut knowledge.objects[which];
            (known.f, known.g) = (0, known.g - 6);
            known.folded.push(("P", ALL));
        }
        9 if object.f >= 6 && object.g >= 3 => {
            body.push(format!("fold acc(P({name}), 1/2)"));
            let known = &mut knowledge.objects[which];
            (known.f, known.g) = (known.f - 6, known.g - 3);
            known.folded.push(("P", 6));
        }
        10 if object.f == ALL => {
            if random.once_in(2) {
                body.push(format!("{name}.f := {}", random.between(1, 3)));
            }
            body.push(format!("fold Pos({name})"));
            let known = &mut knowledge.objects[which];
            known.f = 0;
            known.folded.push(("Pos", ALL));
        }
        11 | 12 => {
            let Some((predicate, parts)) = object.folded.last().copied() else { return };
            let amount = if parts == ALL { String::new() } else { format!(", {parts}/12") };
            body.push(format!("unfold acc({predicate}({name}){amount})"));
            let known = &mut knowledge.objects[which];
            known.folded.pop();
            match predicate {
                "P" => (known.f, known.g) = (known.f + parts, known.g + parts / 2),
                "Pos" => known.f += parts,
                _ => known.f = 0,
            }
        }
        13 if object.f > 0 => {
            let parts = *random.pick(&[object.f, object.f / 2]);
            body.push(format!("exhale acc({name}.f, {parts}/12)"));
            knowledge.objects[which].f -= parts;
        }
        14 if object.f < ALL => {
            let parts = *random.pick(&[ALL - object.f, (ALL - object.f).div_ceil(2)]);
            body.push(format!("inhale acc({name}.f, {parts}/12)"));
            knowledge.objects[which].f += parts;
        }
        15 if object.f == ALL => {
            let local = knowledge.name("r");
            body.push(format!("var {local}: Int"));
            body.push(format!("{local} := inc({name}, {})", leaf(random, Ty::Int, &scope)));
            knowledge.ints.push(local);
        }
        16 if object.f >= 6 => {
            let local = knowledge.name("n");
            body.push(format!("var {local}: Ref"));
            body.push(format!("{local} := half({name})"));
            knowledge.objects.push(Object { name: local, f: ALL, g: 0, folded: Vec::new() });
        }
        17 => {
            let local = knowledge.name("n");
            body.push(format!("var {local}: Ref := new(f, g)"));
            knowledge.objects.push(Object { name: local, f: ALL, g: ALL, folded: Vec::new() });
        }
        18 if knowledge.depth < 2 => branch(random, knowledge, body),
        19 if knowledge.depth < 2 && object.f == ALL => repeat(random, knowledge, which, body),
        20 if knowledge.depth == 0 => {
            let label = knowledge.name("l");
            body.push(format!("label {label}"));
            knowledge.labels.push(label);
        }
        21 if object.folded.iter().any(|(predicate, _)| *predicate == "list") => {
            let local = knowledge.name("n");
            body.push(format!("var {local}: Ref"));
            body.push(format!("{local} := cons({name}, {})", leaf(random, Ty::Int, &scope)));
            knowledge.objects[which].folded.retain(|(predicate, _)| *predicate != "list");
            knowledge.objects.push(Object { name: local, f: 0, g: 0, folded: vec![("list", ALL)] });
        }
        22 => match random.below(8) {
            0 if object.f > 0 => body.push(format!("quasihavoc {name}.f")),
            1 if object.f > 1 => {
                body.push(format!("exhale acc({name}.f, wildcard)"));
                knowledge.objects[which].f = 1;
            }
            2 if object.f > 0 => {
                body.push(format!("inhale acc({name}.f, wildcard)"));
            }
            3 => body.push(format!("assume {}", leafy(random, &scope))),
            4 if object.f > 1 => {
                let amount = random.pick(&["none", "1/12", "perm(y.f)", "perm(x.g)"]);
                let of = random.pick(&["write", "wildcard", "1/2", "perm(x.g)"]);
                body.push(format!("fold acc(Amount({name}, {amount}), {of})"));
                knowledge.objects[which].f = 1;
            }
            5 => body.push(format!("refute asserting ({}) in {}", leafy(random, &scope), leafy(random, &scope))),
            6 => body.push(format!(
                "inhale {0}; exhale {0}",
                access(&name, "g", 6 - object.g.min(6)).unwrap_or("true".into())
            )),
            _ => {
                let local = knowledge.name("q");
                body.push(format!("var {local}: Int"));
                body.push(format!("{local} := look({name})"));
                knowledge.ints.push(local);
            }
        },
        _ => {
            let target = random.pick(&knowledge.ints).clone();
            if target != "i" && target != "j" {
                body.push(format!("{target} := {}", expr(random, Ty::Int, &scope, 2)));
            }
        }
    }
}

/// A branch: values differ between its sides, but permissions agree at the end.
fn branch(random: &mut Random, knowledge: &mut Knowledge, body: &mut Vec<String>) {
    let condition = match random.below(3) {
        0 => format!("{} == {}", random.pick(&knowledge.objects).name, random.pick(&knowledge.objects).name),
        _ => leafy(random, &knowledge.scope()),
    };
    body.push(format!("if ({condition}) {{"));
    values(random, knowledge, body);
    if random.once_in(2) {
        body.push("} else {".into());
        values(random, knowledge, body);
    }
    body.push("}".into());
}

fn values(random: &mut Random, knowledge: &Knowledge, body: &mut Vec<String>) {
    let mut inner = knowledge.clone();
    inner.depth += 1;
    for _ in 0..1 + random.below(2) {
        let writable: Vec<&Object> = inner.objects.iter().filter(|object| object.f == ALL).collect();
        if writable.is_empty() {
            return;
        }
        let name = random.pick(&writable).name.clone();
        match random.below(4) {
            0 => body.push(format!("quasihavoc {name}.f")),
            _ => body.push(format!("{name}.f := {}", expr(random, Ty::Int, &inner.scope(), 2))),
        }
    }
}

fn repeat(random: &mut Random, knowledge: &mut Knowledge, which: usize, body: &mut Vec<String>) {
    let counter = knowledge.name("t");
    let name = knowledge.objects[which].name.clone();
    let bound = random.between(1, 3);
    let step = random.pick(&["1", "1", "2"]);
    let added = random.between(-1, 2);
    let start = knowledge.name("s");
    body.push(format!("var {counter}: Int := 0"));
    body.push(format!("var {start}: Int := {name}.f"));
    let invariant = match random.below(4) {
        0 => format!("{name}.f == {start} + {added} * {counter}"),
        1 => format!("{name}.f {} {start}", random.pick(&["<=", ">="])),
        2 => format!("{name}.f == {start} + {counter}"),
        _ => "true".into(),
    };
    body.push(format!("while ({counter} < {bound})"));
    body.push(format!("  invariant acc({name}.f) && 0 <= {counter} && {counter} <= {bound} && {invariant}"));
    body.push("{".into());
    body.push(format!("{name}.f := {name}.f + {added}"));
    body.push(format!("{counter} := {counter} + {step}"));
    body.push("}".into());
    knowledge.ints.push(counter);
    knowledge.ints.push(start);
}
