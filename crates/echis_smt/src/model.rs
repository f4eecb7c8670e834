//! Parses models. Z3 prints them as `name -> value` and `name -> { args -> value … else -> value }`, all in one
//! string; with partial models the tables contain only what the solver fixed.

use echis_proof::{Array, Model, NoModel, Raw, Table};
use echis_term::{Integer, Rational};
use std::collections::{BTreeMap, HashMap};
use std::str::FromStr;

/// Parses the answer to `(check-sat)` and `(get-model)`, optionally with values of interpreted sorts.
pub fn read(lines: &[String], interpreted: bool) -> Result<Model, NoModel> {
    let verdict = lines.iter().position(|line| matches!(line.as_str(), "sat" | "unknown" | "unsat"));
    let verdict = verdict.ok_or_else(|| NoModel::Solver(lines.first().cloned().unwrap_or_default()))?;
    if lines[verdict] == "unsat" {
        return Err(NoModel::Proved);
    }
    let text = lines[verdict + 1..].join("\n");
    let text = text.trim().strip_prefix('"').ok_or(NoModel::GaveUp)?;
    let text = text.strip_suffix('"').unwrap_or(text);
    let tokens = tokens(text);
    let mut reader = Reader { tokens: &tokens, at: 0, bound: HashMap::new(), interpreted };
    let mut model = Model { definite: lines[verdict] == "sat", ..Model::default() };
    while let Some((name, table)) = reader.definition() {
        model.tables.insert(name, table);
    }
    resolve_arrays(&mut model);
    Ok(model)
}

/// Arrays that are the table of a function; they hold the function's name until all tables are parsed.
const AS_ARRAY: &str = "as-array ";

fn resolve_arrays(model: &mut Model) {
    let is_array = |raw: &Raw| matches!(raw, Raw::Element(name) if name.starts_with(AS_ARRAY));
    let mentions =
        |table: &Table| table.iter().any(|(args, value)| args.iter().chain([value]).any(|raw| any(raw, &is_array)));
    if !model.tables.values().any(mentions) {
        return;
    }
    let known = model.tables.clone();
    for table in model.tables.values_mut().filter(|table| mentions(table)) {
        let old = std::mem::take(table);
        let entries = old.into_iter().map(|(args, value)| {
            (args.into_iter().map(|arg| resolved(arg, &known)).collect(), resolved(value, &known))
        });
        table.extend(entries.collect::<Table>());
    }
}

fn any(raw: &Raw, test: &dyn Fn(&Raw) -> bool) -> bool {
    test(raw)
        || match raw {
            Raw::Combine(first, second) => any(first, test) || any(second, test),
            Raw::Made(_, parts) => parts.iter().any(|part| any(part, test)),
            Raw::Array(array) => {
                let entries = array.entries.iter().flat_map(|(key, value)| [key, value]);
                entries.chain(&array.otherwise).any(|part| any(part, test))
            }
            _ => false,
        }
}

/// Resolves arrays. The tables of a model are not cyclic.
fn resolved(raw: Raw, known: &BTreeMap<String, Table>) -> Raw {
    match raw {
        Raw::Element(name) => match name.strip_prefix(AS_ARRAY).and_then(|name| known.get(name)) {
            Some(table) => {
                let one = |(args, value): (&Vec<Raw>, &Raw)| {
                    Some((resolved(args.first()?.clone(), known), resolved(value.clone(), known)))
                };
                Raw::Array(Box::new(Array { entries: table.iter().filter_map(one).collect(), otherwise: None }))
            }
            None => Raw::Element(name),
        },
        Raw::Made(head, parts) => Raw::Made(head, parts.into_iter().map(|part| resolved(part, known)).collect()),
        Raw::Array(array) => {
            let entries = array.entries.into_iter();
            let entries = entries.map(|(key, value)| (resolved(key, known), resolved(value, known))).collect();
            Raw::Array(Box::new(Array { entries, otherwise: array.otherwise.map(|value| resolved(value, known)) }))
        }
        other => other,
    }
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
    /// Names bound by `let`.
    bound: HashMap<&'a str, Option<Raw>>,
    interpreted: bool,
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
    /// Parses `args -> value`; the `else` value is not fixed and left out.
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

    /// Parses a value, always advancing. `None` if the value is not supported.
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
            _ if !self.interpreted => None,
            // Constructors of datatypes declared by engines have quoted names.
            _ if token.starts_with('|') => Some(Raw::Made(token.into(), Vec::new())),
            _ => bits(token),
        }
    }
    /// Parses an application, after its opening parenthesis.
    fn application(&mut self) -> Option<Raw> {
        if self.eat("let") {
            return self.binding();
        }
        let head = self.next()?;
        if self.interpreted && head == "_" && self.eat("as-array") {
            let name = self.next()?;
            return self.eat(")").then(|| Raw::Element(format!("{AS_ARRAY}{name}").into()));
        }
        // `(_ bv255 8)`
        if self.interpreted
            && head == "_"
            && let Some(digits) = self.peek().and_then(|token| token.strip_prefix("bv"))
        {
            self.at += 1;
            let width = self.next()?.parse().ok()?;
            return self.eat(")").then_some(Raw::Bits(Integer::from_str(digits).ok()?, width));
        }
        // `((as const (Array Int Int)) 0)`
        let constant = head == "(" && self.eat("as") && self.eat("const");
        if head == "(" {
            self.skip_rest();
        }
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
            _ if !self.interpreted => None,
            ("(", [value]) if constant => {
                Some(Raw::Array(Box::new(Array { otherwise: Some(value.clone()), ..Array::default() })))
            }
            ("store", [Raw::Array(array), key, value]) => {
                let mut array = array.clone();
                array.entries.insert(key.clone(), value.clone());
                Some(Raw::Array(array))
            }
            (head, _) if head.starts_with('|') => Some(Raw::Made(head.into(), args)),
            _ => None,
        }
    }
    /// Skips to the matching closing parenthesis.
    fn skip_rest(&mut self) {
        let mut depth = 1;
        while depth > 0
            && let Some(token) = self.next()
        {
            match token {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
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

/// `#x1f` and `#b101`
fn bits(token: &str) -> Option<Raw> {
    let (digits, radix, per_digit) = match token.strip_prefix("#x") {
        Some(digits) => (digits, 16, 4),
        None => (token.strip_prefix("#b")?, 2, 1),
    };
    let width = u32::try_from(digits.len()).ok()? * per_digit;
    Some(Raw::Bits(Integer::from_str_radix(digits, radix).ok()?, width))
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
        let model = read(&lines, false).expect("there is a model");
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
    fn arrays_bitvectors_and_datatypes_are_values() {
        let text = "sat\n\"v -> #x31\nw -> #b101\nu -> (_ bv255 8)\nl -> (|cons of L| 4 |nil of L|)\na -> (_ as-array k!7)\n\
                    c -> (store ((as const (Array type R (Array Int Int))) ((as const (Array Int Int)) 5)) |type R!val!0| (_ as-array k!7))\n\
                    k!7 -> {\n  3 -> 8\n  else -> #unspecified\n}\n\"";
        let lines: Vec<String> = text.lines().map(str::to_string).collect();
        let model = read(&lines, true).expect("there is a model");
        let value = |name: &str| model.value(name, &[]).cloned();
        assert_eq!(value("v"), Some(Raw::Bits(Integer::from(49), 8)));
        assert_eq!(value("w"), Some(Raw::Bits(Integer::from(5), 3)));
        assert_eq!(value("u"), Some(Raw::Bits(Integer::from(255), 8)));
        let nil = Raw::Made("|nil of L|".into(), Vec::new());
        assert_eq!(value("l"), Some(Raw::Made("|cons of L|".into(), vec![Raw::Int(4.into()), nil])));
        let table = Array { entries: [(Raw::Int(3.into()), Raw::Int(8.into()))].into(), otherwise: None };
        let table = Raw::Array(Box::new(table));
        assert_eq!(value("a"), Some(table.clone()));
        let five = Array { otherwise: Some(Raw::Int(5.into())), ..Array::default() };
        let entries = [(Raw::Element("|type R!val!0|".into()), table)].into();
        let outer = Array { entries, otherwise: Some(Raw::Array(Box::new(five))) };
        assert_eq!(value("c"), Some(Raw::Array(Box::new(outer))));
    }

    #[test]
    fn a_proof_has_no_model() {
        let lines = ["unsat".to_string(), "(error \"no model\")".to_string()];
        assert_eq!(read(&lines, false).err(), Some(NoModel::Proved));
    }
}
