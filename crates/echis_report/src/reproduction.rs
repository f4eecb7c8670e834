//! Reproduces a failure: a program that assumes the counterexample's values just before the failing statement.

use echis_base::SourceMap;
use echis_findings::counterexample::{Collection, CollectionKind, Counterexample, Entry, Variable};
use std::collections::BTreeMap;

/// `None`: nothing of the counterexample can be said there. What is said is as much as expressions can say: scalars, which
/// references are the same, elements of sequences, members of sets, and fields of variables in both states.
pub fn export_test(sources: &SourceMap, example: &Counterexample) -> Option<String> {
    let at = example.insertion?;
    let source = &*sources.file(at.file).text;
    let (before, after) = source.split_at_checked(at.start as usize)?;
    let mut assumed = store(example);
    assumed.extend(fields(example));
    if assumed.is_empty() {
        return None;
    }
    let indent: String = before.rsplit('\n').next().unwrap_or_default().chars().take_while(|c| *c == ' ').collect();
    let lines: Vec<String> = assumed.iter().map(|fact| format!("inhale {fact}\n{indent}")).collect();
    let apart = if before.ends_with(|c: char| c.is_whitespace() || c == ';' || c == '{') { "" } else { "\n  " };
    Some(format!("// Fails with the values of a counterexample.\n{before}{apart}{}{after}", lines.concat()))
}

fn store(example: &Counterexample) -> Vec<String> {
    let mut facts = Vec::new();
    let mut references: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Variable { name, ty, value, .. } in example.store.iter().filter(|variable| variable.name != "result") {
        match (ty.as_str(), value.text.as_str()) {
            ("Int" | "Bool" | "Perm", text) if is_literal(text) => facts.push(format!("{name} == {}", literal(text))),
            ("Ref", "null") => facts.push(format!("{name} == null")),
            ("Ref", text) if !text.starts_with('#') => references.entry(text).or_default().push(name),
            _ => facts.extend(value.collection.iter().flat_map(|collection| self::collection(name, collection))),
        }
    }
    let groups: Vec<&Vec<&str>> = references.values().collect();
    for (position, group) in groups.iter().enumerate() {
        facts.push(format!("{} != null", group[0]));
        facts.extend(group[1..].iter().map(|other| format!("{} == {other}", group[0])));
        facts.extend(groups[..position].iter().map(|other| format!("{} != {}", group[0], other[0])));
    }
    facts
}

fn collection(name: &str, collection: &Collection) -> Vec<String> {
    let mut facts = Vec::new();
    if let (Some(length), true) = (&collection.length, collection.kind != CollectionKind::Map) {
        facts.push(format!("|{name}| == {length}"));
    }
    for (key, value) in &collection.elements {
        match collection.kind {
            CollectionKind::Seq if is_literal(value) => facts.push(format!("{name}[{key}] == {}", literal(value))),
            CollectionKind::Set if is_literal(key) => facts.push(format!("({} in {name}) == {value}", literal(key))),
            CollectionKind::Multiset if is_literal(key) => {
                facts.push(format!("({} in {name}) == {value}", literal(key)))
            }
            _ => {}
        }
    }
    facts
}

/// Fields of references that a variable names, where they can be read.
fn fields(example: &Counterexample) -> Vec<String> {
    let named = |receiver: &str| {
        example.store.iter().any(|variable| variable.name == receiver && variable.value.text == receiver)
    };
    let mut facts = Vec::new();
    for heap in example.heaps.iter().filter(|heap| heap.state == "current" || heap.state == "old") {
        for entry in &heap.entries {
            let Entry::Field { receiver, field, value, ty, perm } = entry else { continue };
            let is_scalar = ["Int", "Bool", "Perm"].contains(&ty.as_str()) && is_literal(&value.text);
            if !is_scalar || !named(receiver) || perm.starts_with('#') {
                continue;
            }
            let location = format!("{receiver}.{field}");
            let location = if heap.state == "old" { format!("old({location})") } else { location };
            facts.push(format!("{location} == {}", literal(&value.text)));
        }
    }
    facts
}

fn is_literal(value: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = value.strip_prefix('-').unwrap_or(value);
    ["true", "false", "null"].contains(&value)
        || number(unsigned)
        || unsigned.split_once('/').is_some_and(|(above, below)| number(above) && number(below))
}

fn literal(value: &str) -> String {
    if value.starts_with('-') { format!("({value})") } else { value.to_string() }
}
