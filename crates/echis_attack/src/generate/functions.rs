//! Pure functions: terminating recursive functions with and without `requires`. Their postconditions hold for all
//! tested arguments, or for all but a few.

use super::exprs::{ADTS, Scope, Signature, Ty, application, expr, leaf};
use super::probe::{Candidate, Probed, chosen};
use crate::random::Random;

/// Number of functions in one program.
const FUNCTIONS: usize = 8;
/// Number of postconditions tried for each function, and of assertions for each client.
const CANDIDATES: usize = 10;

struct Function {
    signature: Signature,
    names: Vec<(String, Ty)>,
    requires: Option<String>,
    decreases: String,
    body: String,
}

/// Generates a program of functions, and of methods that apply them.
pub fn program(random: &mut Random) -> String {
    let mut functions: Vec<Function> = Vec::new();
    for index in 0..FUNCTIONS {
        let known: Vec<Signature> =
            functions.iter().filter(|one| one.requires.is_none()).map(|one| one.signature.clone()).collect();
        functions.push(function(random, index, known));
    }
    let mut candidates: Vec<Candidate> = Vec::new();
    for one in &functions {
        candidates.push(postconditions(random, one));
        candidates.push(client(random, one));
    }
    let plain: String = functions.iter().map(|one| one.text(&[])).collect();
    let probed = Probed::new(&format!("{ADTS}{plain}"), &candidates, random);
    let mut text = ADTS.to_string();
    for (index, one) in functions.iter().enumerate() {
        let ensures = chosen(random, &probed.samples[2 * index]);
        let ensures: Vec<String> = ensures.iter().map(|text| in_postcondition(text)).collect();
        text += &one.text(&ensures);
    }
    for (index, _) in functions.iter().enumerate() {
        let client = &candidates[2 * index + 1];
        let asserted = chosen(random, &probed.samples[2 * index + 1]);
        text += &client.method(&format!("client{index}"), &asserted);
    }
    text
}

/// The name of the variable that stands for the result while candidates are probed.
const RESULT: &str = "result_";

fn in_postcondition(candidate: &str) -> String {
    candidate.replace(RESULT, "result")
}

impl Function {
    fn scope(&self) -> Scope {
        Scope { terms: self.names.clone(), ..Scope::default() }
    }

    fn applied(&self) -> String {
        let args: Vec<&str> = self.names.iter().map(|(name, _)| name.as_str()).collect();
        format!("{}({})", self.signature.name, args.join(", "))
    }

    fn params(&self) -> String {
        let params: Vec<String> = self.names.iter().map(|(name, ty)| format!("{name}: {}", ty.text())).collect();
        params.join(", ")
    }

    fn text(&self, ensures: &[String]) -> String {
        let opaque = if self.signature.opaque { "@opaque() " } else { "" };
        let mut text =
            format!("{opaque}function {}({}): {}\n", self.signature.name, self.params(), self.signature.result.text());
        if let Some(requires) = &self.requires {
            text += &format!("  requires {requires}\n");
        }
        text += &format!("  decreases {}\n", self.decreases);
        for clause in ensures {
            text += &format!("  ensures {clause}\n");
        }
        text + &format!("{{ {} }}\n", self.body)
    }
}

fn function(random: &mut Random, index: usize, functions: Vec<Signature>) -> Function {
    let primary = *random.pick(&[Ty::Int, Ty::Int, Ty::Seq, Ty::List, Ty::Tree]);
    let mut names = vec![("n".to_string(), primary)];
    for name in ["a", "b"].iter().take(random.below(3)) {
        names.push((name.to_string(), *random.pick(&[Ty::Int, Ty::Int, Ty::Bool, Ty::Seq, Ty::Set, Ty::Multiset])));
    }
    let result = *random.pick(&[Ty::Int, Ty::Int, Ty::Int, Ty::Bool, Ty::Seq, Ty::Set, Ty::Multiset, Ty::List]);
    let name = format!("f{index}");
    let params = names.iter().map(|(_, ty)| *ty).collect();
    let signature = Signature { name, params, result, opaque: random.once_in(8) };
    let scope = Scope { terms: names.clone(), functions, ..Scope::default() };
    let requires = match random.below(4) {
        0 if primary == Ty::Int => Some("n >= 0".to_string()),
        1 => Some("true".to_string()),
        _ => None,
    };
    let body = if random.percent(80) {
        recursive(random, &signature, primary, &scope)
    } else {
        expr(random, result, &scope, 3)
    };
    Function { signature, names, requires, decreases: "n".to_string(), body }
}

fn recursive(random: &mut Random, signature: &Signature, primary: Ty, scope: &Scope) -> String {
    let (guard, smaller): (&str, &[&str]) = match primary {
        Ty::Seq => ("|n| > 0", &["n[1..]", "n[..|n| - 1]"]),
        Ty::List => ("n.isCons", &["n.tail"]),
        Ty::Tree => ("n.isNode", &["n.left", "n.right"]),
        _ => ("n > 0", &["n - 1", "n - 1", "n \\ 2"]),
    };
    let call = |random: &mut Random| {
        let mut args = vec![random.pick(smaller).to_string()];
        args.extend(signature.params[1..].iter().map(|ty| leaf(random, *ty, scope)));
        format!("{}({})", signature.name, args.join(", "))
    };
    let result = signature.result;
    // The recursive application is a term in scope, so that it may occur anywhere in the step.
    let rec = call(random);
    let mut inner = Scope { functions: scope.functions.clone(), ..scope.with(rec.clone(), result) };
    if random.once_in(3) {
        inner = inner.with(call(random), result);
    }
    let step = match random.below(3) {
        0 => rec.clone(),
        1 => combined(random, result, &rec, &inner),
        _ => expr(random, result, &inner, 2),
    };
    let base = expr(random, result, scope, 1);
    match random.below(7) {
        0 if result == Ty::Bool => format!("({guard}) && {step}"),
        1 if result == Ty::Bool => format!("!({guard}) || {step}"),
        2 => format!("!({guard}) ? {base} : {step}"),
        3 => format!("let r == ({guard} ? {rec} : {base}) in {}", combined(random, result, "r", scope)),
        4 => combined(random, result, &format!("({guard} ? {rec} : {base})"), scope),
        _ => format!("{guard} ? {step} : {base}"),
    }
}

fn combined(random: &mut Random, ty: Ty, term: &str, scope: &Scope) -> String {
    let other = leaf(random, ty, scope);
    match ty {
        Ty::Int => format!("({term} {} {other})", random.pick(&["+", "-", "+"])),
        Ty::Bool => format!("({term} {} {other})", random.pick(&["&&", "||", "==>"])),
        Ty::Seq => format!("({term} ++ {other})"),
        Ty::Set | Ty::Multiset => format!("({term} {} {other})", random.pick(&["union", "setminus", "intersection"])),
        Ty::List => format!("Cons({}, {term})", leaf(random, Ty::Int, scope)),
        Ty::Tree => format!("Node({term}, {}, {other})", leaf(random, Ty::Int, scope)),
    }
}

fn postconditions(random: &mut Random, function: &Function) -> Candidate {
    let ty = function.signature.result;
    let scope = function.scope().with(RESULT, ty);
    let mut asserted: Vec<String> = (0..CANDIDATES).map(|_| statement(random, &scope)).collect();
    asserted.push("false".to_string());
    if ty == Ty::Int {
        for operator in [">=", "<=", "=="] {
            asserted.push(format!("{RESULT} {operator} {}", leaf(random, Ty::Int, &function.scope())));
        }
    }
    Candidate {
        params: function.params(),
        requires: function.requires.clone().into_iter().collect(),
        body: vec![format!("var {RESULT}: {} := {}", ty.text(), function.applied())],
        asserted,
    }
}

/// A proposition that often holds in only one case of a case distinction.
fn statement(random: &mut Random, scope: &Scope) -> String {
    match random.below(4) {
        0 => {
            let (name, ty) = random.pick(&scope.terms).clone();
            let not = match ty {
                Ty::Int => format!("{name} != {}", random.between(0, 4)),
                Ty::Bool => name,
                Ty::Seq | Ty::Set | Ty::Multiset => {
                    format!("|{name}| {} {}", random.pick(&["!=", ">=", "<="]), random.below(3))
                }
                Ty::List => format!("{name}.isCons"),
                Ty::Tree => format!("{name}.isNode"),
            };
            if random.once_in(2) { not } else { format!("({not} || {})", expr(random, Ty::Bool, scope, 1)) }
        }
        1 => expr(random, Ty::Bool, scope, 1),
        _ => expr(random, Ty::Bool, scope, 2),
    }
}

fn client(random: &mut Random, function: &Function) -> Candidate {
    let result = function.signature.result;
    let scope = Scope {
        terms: vec![("i".to_string(), Ty::Int), ("s".to_string(), Ty::Seq), ("l".to_string(), Ty::List)],
        ..Scope::default()
    };
    let applied = application(random, &function.signature, &scope, 1);
    let again = application(random, &function.signature, &scope, 1);
    let mut body =
        vec![format!("var r: {} := {applied}", result.text()), format!("var q: {} := {again}", result.text())];
    if function.requires.as_deref() == Some("n >= 0") {
        body = vec![format!(
            "var r: {} := {}",
            result.text(),
            application(random, &function.signature, &Scope::default(), 0)
        )];
        body.push(format!("var q: {} := r", result.text()));
    }
    let scope = scope.with("r", result).with("q", result);
    let mut asserted: Vec<String> = (0..CANDIDATES).map(|_| statement(random, &scope)).collect();
    asserted.push("false".to_string());
    Candidate { params: "i: Int, s: Seq[Int], l: List".to_string(), requires: Vec::new(), body, asserted }
}
