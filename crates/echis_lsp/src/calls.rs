//! Calls: signature help, parameter hints and the call hierarchy.

use crate::outline::{Callable, Declared, arguments, callables, members};
use crate::text::{Text, offset};
use serde_json::{Value, json};

/// The signature of the call around a position, and the index of the current argument.
pub(crate) fn signature(text: &Text, position: &Value) -> Value {
    let Some(offset) = offset(&text.text, position) else { return Value::Null };
    let callables = callables(text);
    // Find the innermost open call.
    let mut open: Vec<(Option<usize>, usize)> = Vec::new();
    for (index, word) in text.words.iter().enumerate().take_while(|(_, word)| word.end <= offset) {
        match text.word(word) {
            "(" | "[" | "{" => open.push((index.checked_sub(1), 0)),
            ")" | "]" | "}" => drop(open.pop()),
            "," => {
                if let Some((_, argument)) = open.last_mut() {
                    *argument += 1;
                }
            }
            _ => {}
        }
    }
    let called = open.iter().rev().find_map(|(name, argument)| {
        let said = text.said((*name)?)?;
        let callable = callables.iter().find(|callable| text.said(callable.name) == Some(said))?;
        Some((callable, *argument)).filter(|(callable, _)| Some(callable.name) != *name)
    });
    let Some((callable, argument)) = called else { return Value::Null };
    let parameters: Vec<Value> = (0..callable.parameters.len())
        .map(|index| json!({ "label": parameter(text, callable, index).unwrap_or_default() }))
        .collect();
    let label = slice(text, callable.keyword, callable.last);
    let signature = json!({ "label": label, "parameters": parameters, "activeParameter": argument });
    json!({ "signatures": [signature], "activeSignature": 0, "activeParameter": argument })
}

/// Parameter names as inlay hints for arguments in a range, unless the argument has the same name.
pub(crate) fn parameter_hints(text: &Text, range: &Value) -> Vec<Value> {
    let (from, to) = (offset(&text.text, &range["start"]), offset(&text.text, &range["end"]));
    let shown = from.unwrap_or(0)..=to.unwrap_or(text.text.len());
    let callables = callables(text);
    let mut hints = Vec::new();
    for (name, callable) in calls(text, &callables) {
        if callable.parameters.len() < 2 || !shown.contains(&text.words[name].start) {
            continue;
        }
        let Some((given, _)) = arguments(text, name) else { continue };
        for ((first, last), (parameter, _)) in given.iter().zip(&callable.parameters) {
            let parameter = text.said(*parameter).unwrap_or_default();
            if slice(text, *first, *last) != parameter {
                let (line, character) = text.place(text.words[*first].start);
                let position = json!({ "line": line, "character": character });
                let label = format!("{parameter}:");
                hints.push(json!({ "position": position, "label": label, "kind": 2, "paddingRight": true }));
            }
        }
    }
    hints
}

/// The member referenced or declared at a position.
pub(crate) fn prepare_at(uri: &str, text: &Text, position: &Value) -> Option<Value> {
    let name = text.name_at(position)?;
    let members = members(text);
    let member = members.iter().find(|member| text.said(member.name) == text.said(name))?;
    is_called(text, member).then(|| item(uri, text, member))
}

/// The callers of a member, with the call sites.
pub(crate) fn incoming(uri: &str, text: &Text, called: &str) -> Value {
    let (members, callables) = (members(text), callables(text));
    let caller = |member: &Declared| {
        let calls = calls(text, &callables).filter(|(name, _)| member.contains(*name));
        let ranges: Vec<Value> = calls
            .filter(|(_, callable)| text.said(callable.name) == Some(called))
            .map(|(name, _)| text.between(name, name))
            .collect();
        (!ranges.is_empty()).then(|| json!({ "from": item(uri, text, member), "fromRanges": ranges }))
    };
    members.iter().filter_map(caller).collect()
}

/// The callees of a member, with the call sites.
pub(crate) fn outgoing(uri: &str, text: &Text, caller: &str) -> Value {
    let (members, callables) = (members(text), callables(text));
    let Some(caller) = members.iter().find(|member| member.name(text) == caller) else { return json!([]) };
    let callee = |member: &Declared| {
        let calls = calls(text, &callables).filter(|(name, _)| caller.contains(*name));
        let ranges: Vec<Value> = calls
            .filter(|(_, callable)| callable.name == member.name)
            .map(|(name, _)| text.between(name, name))
            .collect();
        (!ranges.is_empty()).then(|| json!({ "to": item(uri, text, member), "fromRanges": ranges }))
    };
    members.iter().filter_map(callee).collect()
}

fn item(uri: &str, text: &Text, member: &Declared) -> Value {
    json!({
        "name": member.name(text),
        "detail": member.keyword(text),
        "kind": crate::symbols::kind(member.keyword(text)),
        "uri": uri,
        "range": text.between(member.keyword, member.last),
        "selectionRange": text.between(member.name, member.name),
        "data": { "member": member.name(text) },
    })
}

fn is_called(text: &Text, member: &Declared) -> bool {
    matches!(member.keyword(text), "method" | "function" | "predicate" | "define")
}

/// Names followed by arguments, with the members they refer to.
fn calls<'a>(text: &'a Text, callables: &'a [Callable]) -> impl Iterator<Item = (usize, &'a Callable)> {
    let called = move |index: usize| {
        let word = text.words.get(index).filter(|word| word.is_name)?;
        if text.said(index + 1) != Some("(") {
            return None;
        }
        let callable = callables.iter().find(|callable| text.said(callable.name) == Some(text.word(word)))?;
        let is_declaration = callables.iter().any(|callable| callable.name == index);
        (!is_declaration).then_some((index, callable))
    };
    (0..text.words.len()).filter_map(called)
}

fn parameter<'a>(text: &'a Text, callable: &Callable, index: usize) -> Option<&'a str> {
    callable.parameters.get(index).map(|(first, last)| slice(text, *first, *last))
}

fn slice(text: &Text, first: usize, last: usize) -> &str {
    text.text.get(text.words[first].start..text.words[last].end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "method m(x: Ref, k: Seq[Int]) returns (y: Int)\nfunction f(a: Int): Int { a }\n\
                           method n(x: Ref) { var r: Int r := m(x, Seq(f(1), 2)) r := m(";

    #[test]
    fn the_innermost_call_is_explained_also_where_it_is_not_finished() {
        let text = Text::new(PROGRAM);
        let at = |said: &str| {
            let (line, character) = text.place(PROGRAM.find(said).expect("it is there") + said.len());
            let help = signature(&text, &json!({ "line": line, "character": character }));
            let label = help["signatures"][0]["label"].as_str().map(str::to_string);
            (label, help["activeParameter"].as_u64())
        };
        let method = "method m(x: Ref, k: Seq[Int]) returns (y: Int)".to_string();
        assert_eq!(at("r := m(x, "), (Some(method.clone()), Some(1)));
        assert_eq!(at("Seq(f(1"), (Some("function f(a: Int): Int".to_string()), Some(0)));
        assert_eq!(at("2)) r := m("), (Some(method), Some(0)));
        assert_eq!(at("method n(x"), (None, None));
    }

    #[test]
    fn callers_and_callees_are_found() {
        let text = Text::new(PROGRAM);
        assert_eq!(incoming("u", &text, "f")[0]["from"]["name"], "n");
        let called = outgoing("u", &text, "n");
        let names: Vec<&str> =
            called.as_array().expect("a list").iter().filter_map(|to| to["to"]["name"].as_str()).collect();
        assert_eq!(names, ["m", "f"]);
        assert_eq!(called[0]["fromRanges"].as_array().map(Vec::len), Some(2));
        let hints = parameter_hints(&text, &text.range(0, PROGRAM.len()));
        let labels: Vec<&str> = hints.iter().filter_map(|hint| hint["label"].as_str()).collect();
        assert_eq!(labels, ["k:"]);
    }
}
