//! Prints values of a solver's model, by their Boogie types.

use echis_boogie::Program;
use echis_boogie::types::{Instance, Type};
use echis_counterexample::datum;
use echis_findings::counterexample::{Collection, CollectionKind, Shown, UNSPECIFIED, Value};
use echis_proof::{Array, Raw};
use echis_term::{Rational, SymbolRole, TermId, TermKind, Terms};
use echis_vcg::Evaluator;
use std::collections::{BTreeMap, BTreeSet};

pub struct Values<'a> {
    program: &'a Program,
    evaluator: &'a Evaluator<'a>,
    /// The indices at which maps are read.
    reads: BTreeMap<Array, BTreeSet<Raw>>,
}

impl<'a> Values<'a> {
    pub fn new(program: &'a Program, terms: &Terms, evaluator: &'a Evaluator<'a>, applied: &BTreeSet<TermId>) -> Self {
        let mut reads: BTreeMap<Array, BTreeSet<Raw>> = BTreeMap::new();
        for term in applied {
            if let TermKind::App(symbol, args) = terms.kind(*term)
                && terms.symbol(*symbol).role == SymbolRole::Select
                && let (Some(Raw::Array(array)), Some(index)) = (evaluator.value(args[0]), evaluator.value(args[1]))
            {
                reads.entry(*array).or_default().insert(index);
            }
        }
        Values { program, evaluator, reads }
    }
    /// Prints a value; `#unspecified` if the model leaves it open.
    pub fn shown(&self, term: TermId, ty: &Type) -> Shown {
        if !is_read(ty) {
            return unread();
        }
        let Some(value) = self.evaluator.told(term) else {
            return Shown::unspecified();
        };
        // Arrays are completed to make reads succeed.
        let value = if matches!(value, Raw::Array(_)) { self.evaluator.value(term).unwrap_or(value) } else { value };
        let collection = match (&value, ty.head()) {
            (Raw::Array(_), Type::Map(map)) if map.params.is_empty() => {
                let entries = self.entries(&value, &map.args, &map.result).into_iter();
                let elements = entries.filter_map(|(key, value)| Some((key?, value))).collect();
                Some(Collection { kind: CollectionKind::Map, length: None, elements })
            }
            _ => None,
        };
        let text = self.text(&value, Some(ty));
        Shown { value: datum(&value).unwrap_or_else(|| Value::Other(text.clone())), text, collection }
    }

    fn text(&self, value: &Raw, ty: Option<&Type>) -> String {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match value {
            Raw::Bool(value) => value.to_string(),
            Raw::Int(value) => value.to_string(),
            Raw::Perm(value) => real(value),
            Raw::Bits(value, width) => format!("{value}bv{width}"),
            Raw::Element(name) => element(name),
            Raw::Made(head, parts) => self.made(head, parts, ty),
            Raw::Array(_) => match ty.map(Type::head) {
                Some(Type::Map(map)) => list(self.entries(value, &map.args, &map.result)),
                _ => list(self.entries(value, &[Type::Int], &Type::Int)),
            },
            Raw::Unit | Raw::Combine(..) => UNSPECIFIED.to_string(),
        })
    }
    /// A value of a datatype, or the arrays of a map with type parameters.
    fn made(&self, head: &str, parts: &[Raw], ty: Option<&Type>) -> String {
        if head.starts_with("|mk ") {
            let depth = match ty.map(Type::head) {
                Some(Type::Map(map)) => map.args.len(),
                _ => 1,
            };
            let any = vec![Type::Int; depth];
            return list(parts.iter().flat_map(|part| self.entries(part, &any, &Type::Int)).collect());
        }
        let name = head.trim_matches('|').split(" of ").next().unwrap_or_default();
        let fields = self.fields(name, ty);
        let part = |(at, part): (usize, &Raw)| self.text(part, fields.get(at));
        format!("{name}({})", parts.iter().enumerate().map(part).collect::<Vec<_>>().join(", "))
    }
    fn fields(&self, constructor: &str, ty: Option<&Type>) -> Vec<Type> {
        let Some(Type::Named(id, args)) = ty.map(Type::head) else { return Vec::new() };
        let Some(datatype) = &self.program.constructors[*id].datatype else { return Vec::new() };
        let instance: Instance = datatype.params.iter().copied().zip(args.iter().cloned()).collect();
        let mut functions = datatype.constructors.iter().map(|function| &self.program.functions[*function]);
        let found = functions.find(|function| *function.name == *constructor);
        let params = found.map(|function| &function.params[..]).unwrap_or_default();
        params.iter().map(|param| self.program.vars[*param].ty.replace(&instance)).collect()
    }
    /// The elements of a map, by the indices of all its dimensions, and its default value without indices.
    fn entries(&self, value: &Raw, args: &[Type], result: &Type) -> Vec<(Option<String>, String)> {
        let mut found = Vec::new();
        self.collect(value, args, &mut Vec::new(), &mut |indices, value| {
            let key = match indices {
                [one] => one.clone(),
                several => format!("({})", several.join(", ")),
            };
            found.push((Some(key), self.text(value, Some(result))));
        });
        if let Some(value) = elsewhere(value, args.len()) {
            found.push((None, self.text(value, Some(result))));
        }
        found
    }
    fn collect(&self, value: &Raw, args: &[Type], indices: &mut Vec<String>, found: &mut dyn FnMut(&[String], &Raw)) {
        let (Raw::Array(array), Some((first, rest))) = (value, args.split_first()) else {
            return found(indices, value);
        };
        let mut entries: BTreeMap<&Raw, &Raw> = array.entries.iter().collect();
        for index in self.reads.get(&**array).into_iter().flatten() {
            if let Some(value) = array.entries.get(index).or(array.otherwise.as_ref()) {
                entries.insert(index, value);
            }
        }
        for (index, value) in entries {
            indices.push(self.text(index, Some(first)));
            self.collect(value, rest, indices, found);
            indices.pop();
        }
    }
}

/// Whether values of a type are read from models.
fn is_read(ty: &Type) -> bool {
    !matches!(ty.head(), Type::Float(_) | Type::RoundingMode | Type::Text | Type::Regex)
}

/// The model has a value, but it is not read.
fn unread() -> Shown {
    let text = "(value not available)".to_string();
    Shown { value: Value::Other(text.clone()), text, collection: None }
}

/// The default value of a map.
fn elsewhere(value: &Raw, dimensions: usize) -> Option<&Raw> {
    match value {
        Raw::Array(array) if dimensions > 0 => elsewhere(array.otherwise.as_ref()?, dimensions - 1),
        _ => Some(value),
    }
}

/// `[1 := 2, else := 0]`
fn list(entries: Vec<(Option<String>, String)>) -> String {
    let entry = |(key, value): (Option<String>, String)| format!("{} := {value}", key.as_deref().unwrap_or("else"));
    format!("[{}]", entries.into_iter().map(entry).collect::<Vec<_>>().join(", "))
}

/// Prints a real in Boogie syntax, as a division if necessary.
fn real(value: &Rational) -> String {
    let (above, below) = (value.numerator(), value.denominator());
    if *below == 1u8.into() { format!("{above}.0") } else { format!("{above}.0 / {below}.0") }
}

/// `|type Ref!val!0|`: `Ref!0`
fn element(name: &str) -> String {
    name.trim_matches('|').trim_start_matches("type ").replace("|!val!", "!").replace("!val!", "!")
}
