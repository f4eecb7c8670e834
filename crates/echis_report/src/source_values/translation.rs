//! Translates a counterexample by a mapping.

use super::mapping::{By, Mapping, ValueRule};
use super::pattern::{Pattern, Words};
use echis_findings::counterexample::{
    Case, Counterexample, Entry, FunctionPart, HeapPart, Shown, SourceVariable, SourceView, UNNAMED_HEAP, UNSPECIFIED,
    Value, Variable,
};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum depth of nested values.
const DEEPEST: usize = 6;
/// Maximum number of listed values of a function.
const MOST_CASES: usize = 8;
/// Shown for open values.
const OPEN: &str = "_";

/// Translates the counterexample by the mapping.
pub fn in_source(example: &Counterexample, mapping: &Mapping) -> SourceView {
    let translation = Translation::new(example, mapping);
    let now = translation.state(example.heaps.iter().find(|heap| heap.state == "current"));
    let is_hidden = |patterns: &[Pattern], name: &str| patterns.iter().any(|pattern| pattern.matches(name));
    let shown = example.store.iter().filter(|variable| !is_hidden(&mapping.hide.variables, &variable.name));
    let variables: Vec<&Variable> = shown.collect();
    let states = example.heaps.iter().filter(|heap| !is_hidden(&mapping.hide.states, &heap.state));
    let states = states.map(|heap| (heap.state.clone(), translation.lines(heap, &now, &variables)));
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for (state, held) in states.filter(|(_, held)| !held.is_empty()) {
        match lines.iter_mut().find(|(_, known)| *known == held) {
            Some((states, _)) => *states = format!("{states}, {state}"),
            None => lines.push((state, held)),
        }
    }
    SourceView {
        language: mapping.language.clone(),
        variables: variables.iter().filter_map(|variable| translation.variable(variable, &now, &lines)).collect(),
        states: lines,
        functions: translation.functions(&now),
    }
}

struct Translation<'a> {
    example: &'a Counterexample,
    mapping: &'a Mapping,
    /// The printed names of variables, without clashes.
    names: BTreeMap<&'a str, String>,
}

/// The fields held in a heap, by receiver, directly or in predicates.
type State<'a> = BTreeMap<&'a str, Vec<(&'a str, &'a Shown)>>;

impl<'a> Translation<'a> {
    fn new(example: &'a Counterexample, mapping: &'a Mapping) -> Self {
        let mut translation = Translation { example, mapping, names: BTreeMap::new() };
        let mut taken = BTreeSet::new();
        for variable in &example.store {
            let name = translation.renamed(&variable.name);
            let name = if taken.insert(name.clone()) { name } else { variable.name.clone() };
            translation.names.insert(&variable.name, name);
        }
        translation
    }
    fn functions_of_all(&self) -> impl Iterator<Item = &'a FunctionPart> {
        let domains = self.example.domains.iter().flat_map(|domain| &domain.functions);
        self.example.functions.iter().chain(domains)
    }
    fn renamed(&self, name: &str) -> String {
        for rule in &self.mapping.name {
            if let Some(words) = rule.from.words(name) {
                return filled(&rule.to, |word| words.get(word).cloned());
            }
        }
        name.to_string()
    }
    fn name(&self, name: &str) -> String {
        self.names.get(name).cloned().unwrap_or_else(|| name.to_string())
    }
    fn state(&self, heap: Option<&'a HeapPart>) -> State<'a> {
        let mut state = State::new();
        heap.into_iter().for_each(|heap| collect(&heap.entries, &mut state));
        state
    }

    /// `None`: nothing is known of it but that it is an object.
    fn variable(
        &self,
        variable: &Variable,
        now: &State<'a>,
        lines: &[(String, Vec<String>)],
    ) -> Option<SourceVariable> {
        let name = self.name(&variable.name);
        let value = match &variable.value.value {
            _ if variable.irrelevant => None,
            Value::Unspecified => None,
            value => Some(self.text(value, now, DEEPEST)).filter(|text| *text != name),
        };
        let ty = match &variable.value.value {
            Value::Ref(object) => self.by(&self.mapping.types, object, now, DEEPEST),
            _ => None,
        };
        // A type that is only described as the type of this variable is unknown.
        let ty = ty.filter(|ty| !ty.contains(&format!("({})", variable.name)));
        let is_object = matches!(&variable.value.value, Value::Ref(_) | Value::Element(_) | Value::Unspecified);
        let place = format!("{name}.");
        let is_held = || lines.iter().flat_map(|(_, held)| held).any(|line| line.contains(&place));
        if is_object && value.is_none() && ty.is_none() && !is_held() {
            return None;
        }
        Some(SourceVariable { name, ty: ty.unwrap_or_else(|| self.renamed(&variable.ty)), value })
    }
    /// The contents of a state, and variables that have another value in it than now.
    fn lines(&self, heap: &'a HeapPart, now: &State<'a>, variables: &[&Variable]) -> Vec<String> {
        let state = self.state(Some(heap));
        let mut lines = Vec::new();
        for variable in variables {
            let Value::Ref(object) = &variable.value.value else { continue };
            let of = |state: &State<'a>| self.by(&self.mapping.value, object, state, DEEPEST);
            if let Some(then) = of(&state)
                && !variable.irrelevant
                && of(now).as_ref() != Some(&then)
            {
                lines.push(format!("{} = {then}", self.name(&variable.name)));
            }
        }
        self.held(&heap.entries, &state, 0, &mut lines);
        lines
    }
    fn held(&self, entries: &[Entry], state: &State<'a>, indent: usize, lines: &mut Vec<String>) {
        let hide = &self.mapping.hide;
        for entry in entries {
            let hidden = |patterns: &[Pattern], name: &str| patterns.iter().any(|pattern| pattern.matches(name));
            let amount = |perm: &str| if perm == "1/1" { String::new() } else { format!("  (permission {perm})") };
            let indented = |text: String| format!("{:indent$}{text}", "");
            match entry {
                Entry::Field { field, .. } if hidden(&hide.fields, field) => {}
                Entry::Field { receiver, field, value, perm, .. } => {
                    let value = self.text(&value.value, state, DEEPEST);
                    let place = format!("{}.{}", self.name(receiver), self.renamed(field));
                    lines.push(indented(format!("{place} = {value}{}", amount(perm))));
                }
                Entry::Predicate { name, contents, .. } if hidden(&hide.predicates, name) => {
                    self.held(contents, state, indent, lines);
                }
                Entry::Predicate { name, args, perm, contents } => {
                    let args: Vec<String> = args.iter().map(|arg| self.text(&arg.value, state, DEEPEST)).collect();
                    let holds = if contents.is_empty() { "" } else { " holding" };
                    let name = self.renamed(name);
                    lines.push(indented(format!("{name}({}){}{holds}", args.join(", "), amount(perm))));
                    self.held(contents, state, indent + 2, lines);
                }
                Entry::Wand { left, right, perm } => {
                    lines.push(indented(format!("{left} --* {right}{}", amount(perm))));
                }
            }
        }
    }
    fn functions(&self, now: &State<'a>) -> Vec<String> {
        let hide = &self.mapping.hide;
        let hidden = |patterns: &[Pattern], name: &str| patterns.iter().any(|pattern| pattern.matches(name));
        let domains = self.example.domains.iter().filter(|domain| {
            let name = domain.ty.split('[').next().unwrap_or_default();
            !hidden(&hide.domains, name)
        });
        let mut lines = Vec::new();
        for function in self.example.functions.iter().chain(domains.flat_map(|domain| &domain.functions)) {
            let name = function.name.split('<').next().unwrap_or_default();
            if hidden(&hide.functions, name) {
                continue;
            }
            let shown = |case: &&Case| case.heap.as_deref() != Some(UNNAMED_HEAP) && case.value.text != UNSPECIFIED;
            for case in function.cases.iter().filter(shown).take(MOST_CASES) {
                let args: Vec<String> = case.args.iter().map(|arg| self.text(&arg.value, now, DEEPEST)).collect();
                let heap = case.heap.as_ref().map_or_else(String::new, |heap| format!("  ({heap} heap)"));
                let value = self.text(&case.value.value, now, DEEPEST);
                lines.push(format!("{}({}) = {value}{heap}", self.renamed(name), args.join(", ")));
            }
        }
        lines.dedup();
        lines
    }

    fn text(&self, value: &Value, state: &State<'a>, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return "…".to_string() };
        let words = &self.mapping.words;
        let list = |form: &str, items: &[Value]| {
            let items: Vec<String> = items.iter().map(|item| self.text(item, state, depth)).collect();
            form.replacen("{}", &items.join(", "), 1)
        };
        match value {
            Value::Bool(true) => words.r#true.clone(),
            Value::Bool(false) => words.r#false.clone(),
            Value::Null => words.null.clone(),
            Value::Ref(name) | Value::Element(name) => {
                self.by(&self.mapping.value, name, state, depth).unwrap_or_else(|| self.name(name))
            }
            Value::Made { constructor, args } => list(&format!("{}({{}})", self.renamed(constructor)), args),
            Value::Seq(items) => list(&words.sequence, items),
            Value::Set(items) => list(&words.set, items),
            Value::Map(entries) => {
                let text = |value: &Value| self.text(value, state, depth);
                let entry = |(key, held): &(Value, Value)| format!("{}{}{}", text(key), words.entry, text(held));
                words.map.replacen("{}", &entries.iter().map(entry).collect::<Vec<_>>().join(", "), 1)
            }
            Value::Unspecified => OPEN.to_string(),
            value => value.to_string(),
        }
    }
    /// The text from the first rule that applies to the object.
    fn by(&self, rules: &[ValueRule], object: &str, state: &State<'a>, depth: usize) -> Option<String> {
        rules.iter().find_map(|rule| self.by_rule(rule, object, state, depth.checked_sub(1)?))
    }
    fn by_rule(&self, rule: &ValueRule, object: &str, state: &State<'a>, depth: usize) -> Option<String> {
        let is_it = |shown: &Shown| matches!(&shown.value, Value::Ref(name) | Value::Element(name) if name == object);
        let text = |value: &Value| self.text(value, state, depth);
        match &rule.by {
            By::ResultOf(pattern) => {
                let (function, case) = self.case(pattern, |case| is_it(&case.value) && !case.args.iter().any(is_it))?;
                Some(self.application(&rule.shown, function, case, &text))
            }
            By::ArgumentOf(pattern) => {
                let (function, case) = self.case(pattern, |case| case.args.first().is_some_and(is_it))?;
                Some(self.application(&rule.shown, function, case, &text))
            }
            By::Field(pattern) => {
                let held = state.get(object)?.iter().find(|(field, _)| pattern.matches(field))?;
                let value = text(&held.1.value);
                Some(filled(&rule.shown, |word| (word == "value").then(|| value.clone())))
            }
            By::Fields(pattern) => {
                let held = state.get(object)?.iter();
                let held: Vec<(Words, String)> =
                    held.filter_map(|(field, value)| Some((pattern.words(field)?, text(&value.value)))).collect();
                if held.is_empty() {
                    return None;
                }
                let field = |(words, value): &(Words, String)| {
                    let name = words.values().next().cloned().unwrap_or_default();
                    format!("{name}: {value}")
                };
                let fields = held.iter().map(field).collect::<Vec<_>>().join(", ");
                let values = held.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(", ");
                Some(filled(&rule.shown, |word| match word {
                    "fields" => Some(fields.clone()),
                    "values" => Some(values.clone()),
                    _ => None,
                }))
            }
        }
    }
    fn case(&self, pattern: &Pattern, is_it: impl Fn(&Case) -> bool) -> Option<(&'a FunctionPart, &'a Case)> {
        self.functions_of_all()
            .filter(|function| pattern.matches(function.name.split('<').next().unwrap_or_default()))
            .find_map(|function| Some((function, function.cases.iter().find(|case| is_it(case))?)))
    }
    fn application(&self, form: &str, function: &FunctionPart, case: &Case, text: &dyn Fn(&Value) -> String) -> String {
        filled(form, |word| {
            let (word, as_text) = word.strip_suffix("|text").map_or((word, false), |word| (word, true));
            let value = match word {
                "result" => &case.value.value,
                "call" => {
                    let name = self.renamed(function.name.split('<').next().unwrap_or_default());
                    let args: Vec<String> = case.args.iter().map(|arg| text(&arg.value)).collect();
                    return Some(if args.is_empty() { name } else { format!("{name}({})", args.join(", ")) });
                }
                position => &case.args.get(position.parse::<usize>().ok()?)?.value,
            };
            Some(if as_text { characters(value).unwrap_or_else(|| text(value)) } else { text(value) })
        })
    }
}

/// The text with these character codes.
fn characters(value: &Value) -> Option<String> {
    let Value::Seq(items) = value else { return None };
    let code = |item: &Value| match item {
        Value::Int(code) => char::from_u32(u32::try_from(*code).ok()?),
        _ => None,
    };
    items.iter().map(code).collect()
}

/// The fields held directly and in predicates.
fn collect<'a>(entries: &'a [Entry], state: &mut State<'a>) {
    for entry in entries {
        match entry {
            Entry::Field { receiver, field, value, .. } => state.entry(receiver).or_default().push((field, value)),
            Entry::Predicate { contents, .. } => collect(contents, state),
            Entry::Wand { .. } => {}
        }
    }
}

/// Replaces words in braces. Other braces are kept.
fn filled(form: &str, word: impl Fn(&str) -> Option<String>) -> String {
    let (mut text, mut rest) = (String::new(), form);
    while let Some((before, after)) = rest.split_once('{') {
        text += before;
        let inside = after.split_once('}').and_then(|(name, after)| Some((word(name)?, after)));
        match inside {
            Some((word, after)) => {
                text += &word;
                rest = after;
            }
            None => {
                text.push('{');
                rest = after;
            }
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_that_name_nothing_stay() {
        assert_eq!(filled("{ {fields} }", |word| (word == "fields").then(|| "x: 1".to_string())), "{ x: 1 }");
        assert_eq!(filled("{0} {", |_| Some("a".to_string())), "a {");
    }

    #[test]
    fn codes_are_text() {
        let codes = Value::Seq(vec![Value::Int(104), Value::Int(105)]);
        assert_eq!(characters(&codes).as_deref(), Some("hi"));
        assert_eq!(characters(&Value::Seq(vec![Value::Null])), None);
    }
}
