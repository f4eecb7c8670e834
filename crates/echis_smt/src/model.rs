//! Reading models. Z3 prints them as `name -> value` and `name -> { args -> value … else -> value }`, the whole as one
//! string; with partial models the tables hold what the solver fixed and nothing else.

use echis_proof::{Model, NoModel, Raw, Table};
use echis_term::{Integer, Rational};
use std::collections::HashMap;
use std::str::FromStr;

/// The lines of an answer to `(check-sat)` and `(get-model)`.
pub fn read(lines: &[String]) -> Result<Model, NoModel> {
    let verdict = lines.iter().position(|line| matches!(line.as_str(), "sat" | "unknown" | "unsat"));
    let verdict = verdict.ok_or_else(|| NoModel::Solver(lines.first().cloned().unwrap_or_default()))?;
    if lines[verdict] == "unsat" {
        return Err(NoModel::Proved);
    }
    let text = lines[verdict + 1..].join("\n");
    let text = text.trim().strip_prefix('"').ok_or(NoModel::GaveUp)?;
    let text = text.strip_suffix('"').unwrap_or(text);
    let tokens = tokens(text);
    let mut reader = Reader { tokens: &tokens, at: 0, bound: HashMap::new() };
    let mut model = Model { definite: lines[verdict] == "sat", ..Model::default() };
    while let Some((name, table)) = reader.definition() {
        model.tables.insert(name, table);
    }
    Ok(model)
}

fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            c if c.is_whitespace() => {
                rest = &rest[c.len_utf8()..];
                continue;
            }
            '(' | ')' | '{' | '}' => 1,
            '|' => rest[1..].find('|').map_or(rest.len(), |end| end + 2),
            _ => rest.find(|c: char| c.is_whitespace() || "(){}".contains(c)).unwrap_or(rest.len()),
        };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
    tokens
}

struct Reader<'a> {
    tokens: &'a [&'a str],
    at: usize,
    /// Names that a `let` gives to values.
    bound: HashMap<&'a str, Option<Raw>>,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).copied()
    }
    fn next(&mut self) -> Option<&'a str> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }
    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn definition(&mut self) -> Option<(String, Table)> {
        let name = self.next()?.to_string();
        if !self.eat("->") {
            return None;
        }
        let mut table = Table::new();
        if !self.eat("{") {
            if let Some(value) = self.value() {
                table.insert(Vec::new(), value);
            }
            return Some((name, table));
        }
        while !self.eat("}") {
            self.entry(&mut table)?;
        }
        Some((name, table))
    }
    /// `args -> value`; what holds elsewhere is not fixed, and left out.
    fn entry(&mut self, table: &mut Table) -> Option<()> {
        let mut args = Some(Vec::new());
        let mut otherwise = false;
        while !self.eat("->") {
            match self.peek()? {
                "}" => return Some(()),
                "else" => {
                    otherwise = true;
                    self.at += 1;
                }
                _ => {
                    let value = self.value();
                    args = args.zip(value).map(|(mut args, value)| {
                        args.push(value);
                        args
                    });
                }
            }
        }
        let value = self.value();
        if let (false, Some(args), Some(value)) = (otherwise, args, value) {
            table.insert(args, value);
        }
        Some(())
    }

    /// Always moves on. `None`: the value is not one that we know to read.
    fn value(&mut self) -> Option<Raw> {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            let token = self.next()?;
            if token == "(" { self.application() } else { self.atom(token) }
        })
    }
    fn atom(&self, token: &'a str) -> Option<Raw> {
        if let Some(value) = self.bound.get(token) {
            return value.clone();
        }
        match token {
            "true" => Some(Raw::Bool(true)),
            "false" => Some(Raw::Bool(false)),
            "Snap.unit" => Some(Raw::Unit),
            _ if token.starts_with(|c: char| c.is_ascii_digit()) => number(token),
            _ if token.contains("!val!") => Some(Raw::Element(token.into())),
            _ => None,
        }
    }
    /// After the opening parenthesis.
    fn application(&mut self) -> Option<Raw> {
        if self.eat("let") {
            return self.binding();
        }
        let head = self.next()?;
        let mut args = Vec::new();
        let mut known = true;
        while !self.eat(")") {
            self.peek()?;
            match self.value() {
                Some(value) => args.push(value),
                None => known = false,
            }
        }
        if !known {
            return None;
        }
        match (head, args.as_slice()) {
            ("Snap.combine", [first, second]) => Some(Raw::Combine(first.clone().into(), second.clone().into())),
            ("-", [Raw::Int(value)]) => Some(Raw::Int(-value.clone())),
            ("-", [Raw::Perm(value)]) => Some(Raw::Perm(-value.clone())),
            ("/", [Raw::Perm(above), Raw::Perm(below)]) if *below != Rational::ZERO => {
                Some(Raw::Perm(above.clone() / below.clone()))
            }
            _ => None,
        }
    }
    /// `((name value) …) body)`
    fn binding(&mut self) -> Option<Raw> {
        if !self.eat("(") {
            return None;
        }
        while self.eat("(") {
            let name = self.next()?;
            let value = self.value();
            self.bound.insert(name, value);
            if !self.eat(")") {
                return None;
            }
        }
        if !self.eat(")") {
            return None;
        }
        let value = self.value();
        self.eat(")");
        value
    }
}

/// `12` is an integer, `12.0` a permission.
fn number(token: &str) -> Option<Raw> {
    match token.split_once('.') {
        None => Integer::from_str(token).ok().map(Raw::Int),
        Some((whole, part)) if part.bytes().all(|digit| digit == b'0') => {
            Some(Raw::Perm(Rational::from(Integer::from_str(whole).ok()?)))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_hold_what_the_solver_fixed() {
        let text = "unknown\n(:reason-unknown \"(incomplete quantifiers)\")\n\"x -> (- 3)\n\
            p -> (/ 1.0 2.0)\n\
            s -> (let ((a!1 (Snap.combine Snap.unit Snap.unit)))\n (Snap.combine a!1 a!1))\n\
            f -> {\n  Seq<Ref>!val!1 0 -> Ref!val!1\n  else -> #unspecified\n}\n\
            g -> {\n  #unspecified\n}\n\
            h -> {\n  2 -> 3\n  else -> 7\n}\"";
        let lines: Vec<String> = text.lines().filter(|line| !line.starts_with("(:")).map(str::to_string).collect();
        let model = read(&lines).expect("there is a model");
        assert!(!model.definite);
        assert_eq!(model.value("x", &[]), Some(&Raw::Int((-3).into())));
        assert_eq!(model.value("p", &[]), Some(&Raw::Perm(Rational::from_parts(1.into(), 2u8.into()))));
        let seq = Raw::Element("Seq<Ref>!val!1".into());
        assert_eq!(model.value("f", &[seq.clone(), Raw::Int(0.into())]), Some(&Raw::Element("Ref!val!1".into())));
        assert_eq!(model.value("f", &[seq, Raw::Int(1.into())]), None);
        assert!(model.tables["g"].is_empty());
        assert_eq!(model.tables["h"].len(), 1);
        assert!(matches!(model.value("s", &[]), Some(Raw::Combine(..))));
    }

    #[test]
    fn a_proof_has_no_model() {
        let lines = ["unsat".to_string(), "(error \"no model\")".to_string()];
        assert_eq!(read(&lines).err(), Some(NoModel::Proved));
    }
}
