//! Completion: fields after a dot, predicates after `fold`, types after a colon, and otherwise the names in the text
//! and the keywords.

use crate::keywords::{TYPES, WORDS};
use crate::outline::{Declared, callables, declaration, members};
use crate::text::{Language, Text, offset};
use serde_json::{Value, json};
use std::collections::BTreeSet;

// Completion item kinds of the protocol.
const METHOD: u8 = 2;
const FUNCTION: u8 = 3;
const FIELD: u8 = 5;
const VARIABLE: u8 = 6;
const CLASS: u8 = 7;
const INTERFACE: u8 = 8;
const KEYWORD: u8 = 14;
const SNIPPET: u8 = 15;
const CONSTANT: u8 = 21;

/// Keywords with snippets that have placeholders.
const SNIPPETS: &[(&str, &str)] = &[
    ("method", "method ${1:name}($2)\n  requires ${3:true}\n  ensures ${4:true}\n{\n  $0\n}"),
    ("function", "function ${1:name}($2): ${3:Int}\n{\n  $0\n}"),
    ("predicate", "predicate ${1:name}($2)\n{\n  $0\n}"),
    ("field", "field ${1:name}: ${2:Int}"),
    ("domain", "domain ${1:Name} {\n  $0\n}"),
    ("while", "while (${1:condition})\n  invariant ${2:true}\n{\n  $0\n}"),
    ("if", "if (${1:condition}) {\n  $0\n}"),
    ("forall", "forall ${1:x}: ${2:Int} :: $0"),
    ("exists", "exists ${1:x}: ${2:Int} :: $0"),
    ("acc", "acc(${1:x}.${2:f})"),
    ("unfolding", "unfolding ${1:p}(${2:x}) in $0"),
];

pub(crate) fn completions(text: &Text, position: &Value) -> Value {
    if text.language == Language::Boogie {
        return names(text);
    }
    match context(text, position) {
        Context::Fields => fields(text),
        Context::Predicates => declared(text, &["predicate"]),
        Context::Types => {
            let types = TYPES.iter().map(|name| json!({ "label": name, "kind": CLASS }));
            let own = declared(text, &["domain", "adt"]);
            types.chain(own.as_array().cloned().into_iter().flatten()).collect()
        }
        Context::Labels => labels(text),
        Context::NewName => json!([]),
        Context::Any => all(text),
    }
}

/// The kinds of completions at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Context {
    Fields,
    Predicates,
    Types,
    Labels,
    /// A name being declared, for which there are no completions.
    NewName,
    Any,
}

fn context(text: &Text, position: &Value) -> Context {
    let Some(at) = offset(&text.text, position) else { return Context::Any };
    // Ignore the part of the word that is already written.
    let before = text.words.iter().rposition(|word| word.end < at || word.end == at && !word.is_name);
    let Some(before) = before else { return Context::Any };
    match text.said(before) {
        Some(".") => Context::Fields,
        Some("fold" | "unfold" | "unfolding") => Context::Predicates,
        // `::` is followed by an expression.
        Some(":") if before == 0 || text.said(before - 1) != Some(":") => Context::Types,
        Some("goto") => Context::Labels,
        Some("method" | "function" | "predicate" | "field" | "domain" | "adt" | "define" | "label" | "axiom") => {
            Context::NewName
        }
        _ => Context::Any,
    }
}

fn item(text: &Text, member: &Declared) -> Value {
    let name = member.name(text);
    let detail = declaration(text, member.name);
    let kind = match member.keyword(text) {
        "method" => METHOD,
        "function" => FUNCTION,
        "field" => FIELD,
        "predicate" => INTERFACE,
        "domain" | "adt" => CLASS,
        _ => CONSTANT,
    };
    let callable = callables(text).into_iter().find(|callable| callable.name == member.name);
    let Some(callable) = callable.filter(|_| matches!(kind, METHOD | FUNCTION | INTERFACE)) else {
        return json!({ "label": name, "kind": kind, "detail": detail });
    };
    let parameters = callable.parameters.iter().enumerate();
    let places =
        parameters.map(|(index, (first, _))| format!("${{{}:{}}}", index + 1, text.said(*first).unwrap_or_default()));
    let call = format!("{name}({})", places.collect::<Vec<_>>().join(", "));
    json!({ "label": name, "kind": kind, "detail": detail, "insertText": call, "insertTextFormat": 2 })
}

fn declared(text: &Text, keywords: &[&str]) -> Value {
    let members = members(text);
    members.iter().filter(|member| keywords.contains(&member.keyword(text))).map(|member| item(text, member)).collect()
}

/// The fields of the program and of the constructors of algebraic types.
fn fields(text: &Text) -> Value {
    let mut found: Vec<Value> = declared(text, &["field"]).as_array().cloned().unwrap_or_default();
    let members = members(text);
    for adt in members.iter().filter(|member| member.keyword(text) == "adt") {
        let Some(body) = adt.body else { continue };
        let mut depth = 0;
        for index in body + 1..=adt.last {
            let follows = text.said(index + 1);
            match text.said(index) {
                Some("(") => depth += 1,
                Some(")") => depth -= 1,
                Some(name) if depth == 0 && follows == Some("(") => {
                    found.push(json!({ "label": format!("is{name}"), "kind": FIELD }));
                }
                Some(name) if depth == 1 && follows == Some(":") => {
                    found.push(json!({ "label": name, "kind": FIELD }));
                }
                _ => {}
            }
        }
    }
    Value::Array(found)
}

fn labels(text: &Text) -> Value {
    let after = (1..text.words.len()).filter(|index| text.said(index - 1) == Some("label"));
    after.filter_map(|index| Some(json!({ "label": text.said(index)?, "kind": CONSTANT }))).collect()
}

/// All names in the text.
fn names(text: &Text) -> Value {
    let names: BTreeSet<&str> = text.words.iter().filter(|word| word.is_name).map(|word| text.word(word)).collect();
    names.into_iter().map(|name| json!({ "label": name, "kind": VARIABLE })).collect()
}

/// All names in the text and all keywords; editors filter them.
fn all(text: &Text) -> Value {
    let mut names: Vec<&str> = text.words.iter().filter(|word| word.is_name).map(|word| text.word(word)).collect();
    names.sort_unstable();
    names.dedup();
    let declared = members(text);
    let of_name = |name: &str| match declared.iter().find(|member| member.name(text) == name) {
        Some(member) => item(text, member),
        None => json!({ "label": name, "kind": VARIABLE }),
    };
    let names = names.into_iter().filter(|name| !WORDS.contains(name)).map(of_name);
    let words = WORDS.iter().map(|word| json!({ "label": word, "kind": KEYWORD }));
    let snippets = SNIPPETS.iter().map(|(word, body)| {
        json!({ "label": format!("{word} …"), "filterText": word, "kind": SNIPPET, "insertText": body, "insertTextFormat": 2 })
    });
    names.chain(words).chain(snippets).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "\
field val: Int
adt List { Nil() Cons(head: Int, tail: List) }
predicate cell(x: Ref) { acc(x.val) }
method m(x: Ref)
{
  label start
  HERE
}
";

    fn labels_after(typed: &str) -> Vec<String> {
        let program = PROGRAM.replace("HERE", typed);
        let text = Text::new(&program);
        let (line, character) = text.place(program.find(typed).expect("it is there") + typed.len());
        let found = completions(&text, &json!({ "line": line, "character": character }));
        let found = found.as_array().cloned().unwrap_or_default();
        found.iter().filter_map(|item| item["label"].as_str().map(str::to_string)).collect()
    }

    #[test]
    fn only_what_can_stand_there_is_offered() {
        assert_eq!(labels_after("assert x."), ["val", "isNil", "isCons", "head", "tail"]);
        assert_eq!(labels_after("assert x.va"), ["val", "isNil", "isCons", "head", "tail"]);
        assert_eq!(labels_after("fold ce"), ["cell"]);
        assert_eq!(labels_after("goto "), ["start"]);
        assert!(labels_after("var y: ").contains(&"List".to_string()));
        assert_eq!(labels_after("label "), Vec::<String>::new());
        let any = labels_after("assert ce");
        assert!(["cell", "assert", "forall …"].iter().all(|label| any.contains(&label.to_string())), "{any:?}");
    }
}
