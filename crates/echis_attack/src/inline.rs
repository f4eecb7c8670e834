//! Inlines method calls. Bodies are at least as strong as contracts, so whatever verified before must still verify.

use crate::tree::parsed;
use echis_syntax::ast::{Formal, MemberKind};
use echis_syntax::{print_program, print_type};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A method that can be inlined.
struct Callee {
    params: Vec<(String, String)>,
    returns: Vec<(String, String)>,
    /// The lines of the body.
    body: Vec<String>,
}

/// Inlines all calls of such methods, except calls within inlined bodies.
pub fn inlined(text: &str) -> String {
    let program = parsed(text);
    let text = print_program(&program);
    let formals = |formals: &[Formal]| -> Vec<(String, String)> {
        formals.iter().map(|formal| (formal.name.name.to_string(), print_type(&formal.ty))).collect()
    };
    let mut callees = BTreeMap::new();
    for member in &program.members {
        let MemberKind::Method(method) = &member.kind else { continue };
        let name = method.name.name.to_string();
        let Some((contract, body)) = body_of(&text, &name) else { continue };
        // Not inlined: with a wildcard, permissions that the contract loses would remain; with the other keywords, the
        // contract determines what is known about old states and in loops.
        let kept = ["wildcard", "while", "label", "goto", "old", "refute", "package"];
        if contract.contains("wildcard") || body.iter().any(|line| words(line).any(|word| kept.contains(&word))) {
            continue;
        }
        callees.insert(name, Callee { params: formals(&method.params), returns: formals(&method.returns), body });
    }
    let mut result = String::new();
    let mut count = 0;
    for line in text.lines() {
        match call(line).and_then(|(targets, name, args)| Some((targets, callees.get(name)?, args))) {
            Some((targets, callee, args)) if callee.params.len() == args.len() => {
                count += 1;
                result += &callee.at(count, &targets, &args);
            }
            _ => {
                result += line;
                result.push('\n');
            }
        }
    }
    result
}

impl Callee {
    fn at(&self, count: usize, targets: &[&str], args: &[String]) -> String {
        let new = |name: &str| format!("inlined{count}_{name}");
        let mut text = String::new();
        for ((name, ty), arg) in self.params.iter().zip(args) {
            let _ = writeln!(text, "  var {}: {ty} := {}", new(name), arg.trim());
        }
        for (name, ty) in &self.returns {
            let _ = writeln!(text, "  var {}: {ty}", new(name));
        }
        let locals = self.body.iter().filter_map(|line| line.trim().strip_prefix("var ")?.split(':').next());
        let own: Vec<&str> =
            self.params.iter().chain(&self.returns).map(|(name, _)| name.as_str()).chain(locals).collect();
        for line in &self.body {
            text += &renamed(line, &own, &new);
            text.push('\n');
        }
        for (target, (name, _)) in targets.iter().zip(&self.returns) {
            let _ = writeln!(text, "  {target} := {}", new(name));
        }
        text
    }
}

/// The printed contract and body lines of a method.
fn body_of(text: &str, name: &str) -> Option<(String, Vec<String>)> {
    let start = format!("method {name}(");
    let mut lines = text.lines().skip_while(|line| !line.starts_with(&start));
    let mut contract = String::new();
    for line in lines.by_ref() {
        if line == "{" {
            return Some((contract, lines.take_while(|line| *line != "}").map(str::to_string).collect()));
        }
        if !line.starts_with(&start) && !line.starts_with(' ') {
            return None;
        }
        contract += line;
    }
    None
}

/// Parses a call with results: `a, b := name(c, d)` gives the targets, the name and the arguments.
fn call(line: &str) -> Option<(Vec<&str>, &str, Vec<String>)> {
    let (targets, rest) = line.trim().split_once(" := ")?;
    let (name, args) = rest.strip_suffix(')')?.split_once('(')?;
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let targets: Vec<&str> = targets.split(", ").collect();
    if !is_name(name) || !targets.iter().all(|target| is_name(target)) {
        return None;
    }
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in args.chars() {
        depth += i32::from("([".contains(c)) - i32::from(")]".contains(c));
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut()?.push(c),
        }
        // The final parenthesis does not match the one after the name.
        if depth < 0 {
            return None;
        }
    }
    Some((targets, name, parts))
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Renames the variables of a line, but not fields, which follow a dot.
fn renamed(line: &str, own: &[&str], new: &dyn Fn(&str) -> String) -> String {
    let mut result = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (word, after) = rest.split_at(length);
        if own.contains(&word) && !result.ends_with('.') {
            result += &new(word);
        } else {
            result += word;
        }
        rest = after;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_become_bodies() {
        let text = "field f: Int
            method inc(f: Ref, by: Int) returns (r: Int) requires acc(f.f) { var k: Int := f.f + by\n f.f := k\n r := k }
            method m(x: Ref) { var z: Int\n z := inc(x, (1 + 2)) }";
        let found = inlined(text);
        let end = "var z: Int\n  var inlined1_f: Ref := x\n  var inlined1_by: Int := 1 + 2\n  var inlined1_r: Int\n  \
                   var inlined1_k: Int := inlined1_f.f + inlined1_by\n  inlined1_f.f := inlined1_k\n  \
                   inlined1_r := inlined1_k\n  z := inlined1_r\n}\n";
        assert!(found.ends_with(end), "{found}");
    }
}
