//! A program with a counterexample's values assumed just before the statement that fails.

use serde_json::Value;
use std::collections::BTreeMap;

/// The program, and the line that the failing statement has in it.
pub struct Inserted {
    pub text: String,
    pub line: u64,
}

/// `None`: nothing of the counterexample can be said there. What is said is as much as expressions can say: scalars,
/// which references are the same, elements of sequences, members of sets, and fields of variables in both states.
pub fn insert(source: &str, error: &Value) -> Option<Inserted> {
    let line = error["position"]["line"].as_u64()?;
    let mut assumed = store(&error["counterexample"]);
    assumed.extend(fields(error));
    if assumed.is_empty() {
        return None;
    }
    let inhales: Vec<String> = assumed.iter().map(|fact| format!("inhale {fact}")).collect();
    let before = source.lines().take(line as usize - 1);
    let after = source.lines().skip(line as usize - 1);
    let added = inhales.iter().map(String::as_str).chain(["refute false"]);
    let text: Vec<&str> = before.chain(added).chain(after).collect();
    Some(Inserted { text: text.join("\n") + "\n", line: line + inhales.len() as u64 + 1 })
}

fn store(example: &Value) -> Vec<String> {
    let mut facts = Vec::new();
    let mut references: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for variable in example["store"].as_array().into_iter().flatten() {
        let text = |key: &str| variable[key].as_str().unwrap_or_default();
        let (name, ty, value) = (text("name"), text("type"), text("value"));
        if name == "result" {
            continue;
        }
        match ty {
            "Int" | "Bool" | "Perm" if is_literal(value) => facts.push(format!("{name} == {}", literal(value))),
            "Ref" if value == "null" => facts.push(format!("{name} == null")),
            "Ref" if value != "#unspecified" => references.entry(value).or_default().push(name),
            _ => facts.extend(collection(name, ty, variable)),
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

fn collection(name: &str, ty: &str, variable: &Value) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(length) = variable["length"].as_u64() {
        facts.push(format!("|{name}| == {length}"));
    }
    for element in variable["elements"].as_array().into_iter().flatten() {
        let value = element["value"].as_str().unwrap_or_default();
        if !is_literal(value) {
            continue;
        }
        if ty.starts_with("Seq[")
            && let Some(index) = element["index"].as_u64()
        {
            facts.push(format!("{name}[{index}] == {}", literal(value)));
        } else if ty.starts_with("Set[")
            && let Some(inside) = element["member"].as_bool()
        {
            facts.push(format!("({} in {name}) == {inside}", literal(value)));
        } else if ty.starts_with("Multiset[")
            && let Some(count) = element["count"].as_str()
        {
            facts.push(format!("({} in {name}) == {count}", literal(value)));
        }
    }
    facts
}

/// Fields of references that a variable names, where they can be read.
fn fields(error: &Value) -> Vec<String> {
    let example = &error["counterexample"];
    let names: Vec<&str> = example["store"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|variable| variable["type"] == "Ref" && variable["name"] == variable["value"])
        .filter_map(|variable| variable["name"].as_str())
        .collect();
    let mut facts = Vec::new();
    for heap in example["heaps"].as_array().into_iter().flatten() {
        let state = heap["state"].as_str().unwrap_or_default();
        // While a wand is packaged, the current heap is one that the statement before does not have.
        let hidden = state == "current" && error["id"].as_str().is_some_and(|id| id.starts_with("package"));
        if hidden || (state != "current" && state != "old") {
            continue;
        }
        for entry in heap["entries"].as_array().into_iter().flatten() {
            let text = |key: &str| entry[key].as_str().unwrap_or_default();
            let known = entry["kind"] == "field" && text("perm") != "#unspecified" && is_literal(text("value"));
            if !known || !names.contains(&text("receiver")) || !["Int", "Bool", "Perm"].contains(&text("type")) {
                continue;
            }
            let location = format!("{}.{}", text("receiver"), text("field"));
            let location = if state == "old" { format!("old({location})") } else { location };
            facts.push(format!("{location} == {}", literal(text("value"))));
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_stand_before_the_failing_statement() {
        let error = json!({"position": {"line": 2}, "counterexample": {
            "store": [{"name": "i", "type": "Int", "value": "-3"}, {"name": "x", "type": "Ref", "value": "x"},
                      {"name": "s", "type": "Seq[Int]", "value": "s", "length": 1, "elements": [{"index": 0, "value": "7"}]}],
            "heaps": [{"state": "current", "entries": [
                {"kind": "field", "receiver": "x", "field": "f", "value": "5", "type": "Int", "perm": "1/1"}]}]}});
        let inserted = insert("method m() {\n  assert false\n}\n", &error).expect("there is something to say");
        let lines: Vec<&str> = inserted.text.lines().collect();
        assert_eq!(lines[1], "inhale i == (-3)");
        assert!(lines.contains(&"inhale x.f == 5") && lines.contains(&"inhale s[0] == 7"));
        assert_eq!(lines[inserted.line as usize - 1], "  assert false");
    }
}
