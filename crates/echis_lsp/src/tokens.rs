//! Semantic tokens for highlighting.

use crate::keywords::{TYPES, WORDS};
use crate::outline::{Declared, arguments, callables, members};
use crate::text::Text;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The token kinds; the protocol refers to them by index.
pub(crate) const KINDS: &[&str] = &[
    "keyword",
    "type",
    "class",
    "function",
    "method",
    "property",
    "macro",
    "parameter",
    "variable",
    "number",
    "decorator",
    "interface",
];
pub(crate) const MODIFIERS: &[&str] = &["declaration"];

/// The protocol's encoding: five numbers per token (line and column relative to the previous token, length, kind,
/// modifiers).
pub(crate) fn tokens(text: &Text) -> Value {
    let names = Names::new(text);
    let mut data: Vec<usize> = Vec::new();
    let (mut line, mut column) = (0, 0);
    for (index, word) in text.words.iter().enumerate() {
        let Some((kind, modifiers)) = names.kind(index) else { continue };
        let (at_line, at_column) = text.place(word.start);
        let back = if at_line == line { column } else { 0 };
        let number = KINDS.iter().position(|known| *known == kind).unwrap_or_default();
        data.extend([at_line - line, at_column - back, word.end - word.start, number, modifiers]);
        (line, column) = (at_line, at_column);
    }
    json!({ "data": data })
}

/// The meaning of names in a text.
struct Names<'a> {
    text: &'a Text,
    members: Vec<Declared>,
    declared: BTreeMap<&'a str, &'static str>,
    declarations: BTreeSet<usize>,
    /// The parameter names of each member.
    parameters: Vec<BTreeSet<&'a str>>,
}

impl<'a> Names<'a> {
    fn new(text: &'a Text) -> Self {
        let (members, callables) = (members(text), callables(text));
        let mut declared = BTreeMap::new();
        let mut declarations = BTreeSet::new();
        let inner = callables.iter().map(|callable| (callable.keyword, callable.name));
        for (keyword, name) in inner.chain(members.iter().map(|member| (member.keyword, member.name))) {
            let kind = match text.said(keyword).unwrap_or_default() {
                "method" => "method",
                "function" => "function",
                "predicate" => "interface",
                "field" => "property",
                "define" => "macro",
                _ => "class",
            };
            declared.insert(text.said(name).unwrap_or_default(), kind);
            declarations.insert(name);
        }
        let parameters = |member: &Declared| {
            let own = callables.iter().filter(|callable| member.contains(callable.name));
            let firsts = own.flat_map(|callable| callable.parameters.iter().map(|(first, _)| *first));
            firsts.filter_map(|first| text.said(first)).chain(results(text, member)).collect()
        };
        let parameters = members.iter().map(parameters).collect();
        Names { text, members, declared, declarations, parameters }
    }

    /// The kind and modifiers of a token, if it is highlighted.
    fn kind(&self, index: usize) -> Option<(&'static str, usize)> {
        let said = self.text.said(index)?;
        if !self.text.words[index].is_name {
            return said.starts_with(|first: char| first.is_ascii_digit()).then_some(("number", 0));
        }
        let before = index.checked_sub(1).and_then(|before| self.text.said(before));
        let kind = match before {
            Some("@") => "decorator",
            Some(".") => "property",
            _ if TYPES.contains(&said) => "type",
            _ if WORDS.contains(&said) => "keyword",
            _ => match self.declared.get(said) {
                Some(kind) => kind,
                None if self.is_parameter(index, said) => "parameter",
                None => "variable",
            },
        };
        Some((kind, usize::from(self.declarations.contains(&index))))
    }
    fn is_parameter(&self, index: usize, said: &str) -> bool {
        let around = self.members.iter().position(|member| member.contains(index));
        around.is_some_and(|around| self.parameters[around].contains(said))
    }
}

/// The names of a method's results.
fn results<'a>(text: &'a Text, member: &Declared) -> Vec<&'a str> {
    let head = member.body.unwrap_or(member.last);
    let returns = (member.name..head).find(|index| text.said(*index) == Some("returns"));
    let named = returns.and_then(|returns| arguments(text, returns)).map(|(found, _)| found).unwrap_or_default();
    named.into_iter().filter_map(|(first, _)| text.said(first)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_they_stand_for() {
        let text =
            Text::new("field f: Int\nmethod m(x: Ref) returns (y: Int)\n{ @a() y := x.f + 1 /* z */ var z: Int }");
        let names = Names::new(&text);
        let kinds = (0..text.words.len()).filter_map(|index| Some((text.said(index)?, names.kind(index)?.0)));
        let told: Vec<String> = kinds.map(|(said, kind)| format!("{said} {kind}")).collect();
        let expected = "field keyword, f property, Int type, method keyword, m method, x parameter, Ref type, returns keyword, \
                        y parameter, Int type, a decorator, y parameter, x parameter, f property, 1 number, var keyword, \
                        z variable, Int type";
        assert_eq!(told.join(", "), expected);
        let data = tokens(&text)["data"].as_array().cloned().expect("a list");
        // The second token is one line further, and `f` is in column 6 of its own line.
        assert_eq!(
            (&data[5..10], data[15].as_u64()),
            (&[json!(0), json!(6), json!(1), json!(5), json!(1)][..], Some(1))
        );
    }
}
