//! Completion: what can stand at a position, such as fields after a dot and predicates after `fold`.

mod context;

use crate::imports::Imported;
use crate::keywords::{TYPES, WORDS};
use crate::outline::{Callable, Declared, callables, declaration, global, members};
use crate::text::{Language, Text};
use context::{Context, Place, place};
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

const MEMBERS: &[&str] = &["method", "function", "predicate", "field", "domain", "adt", "define", "import"];
const DOMAIN_ITEMS: &[&str] = &["function", "unique", "axiom"];
const HEADER_CLAUSES: &[&str] = &["requires", "ensures", "decreases", "returns"];
const LOOP_CLAUSES: &[&str] = &["invariant", "decreases"];
const STATEMENTS: &[&str] = &[
    "var",
    "if",
    "else",
    "elseif",
    "while",
    "assert",
    "assume",
    "inhale",
    "exhale",
    "refute",
    "fold",
    "unfold",
    "package",
    "apply",
    "label",
    "goto",
    "quasihavoc",
    "quasihavocall",
];
const EXPRESSIONS: &[&str] = &[
    "true",
    "false",
    "null",
    "result",
    "forall",
    "exists",
    "forperm",
    "let",
    "old",
    "acc",
    "perm",
    "write",
    "none",
    "wildcard",
    "epsilon",
    "unfolding",
    "applying",
    "asserting",
    "inhaling",
    "Seq",
    "Set",
    "Multiset",
    "Map",
];

pub(crate) fn completions(text: &Text, imported: &[Imported], position: &Value) -> Value {
    if text.language == Language::Boogie {
        return names(text);
    }
    let Place { context, member } = place(text, position);
    let texts: Vec<&Text> = std::iter::once(text).chain(imported.iter().map(|file| &file.text)).collect();
    let names = |keywords: &[&str]| in_scope(&texts, member.as_ref(), keywords);
    let found: Vec<Value> = match context {
        Context::Fields => texts.iter().flat_map(|text| fields(text)).collect(),
        Context::Predicates => texts.iter().flat_map(|text| named(text, &["predicate", "define"])).collect(),
        Context::Types => {
            let types = TYPES.iter().map(|name| json!({ "label": name, "kind": CLASS }));
            types.chain(texts.iter().flat_map(|text| declared(text, &["domain", "adt"]))).collect()
        }
        Context::Labels => labels(text),
        Context::NewName => Vec::new(),
        Context::Members => words(MEMBERS),
        Context::DomainItems => words(DOMAIN_ITEMS),
        Context::HeaderClauses => [words(HEADER_CLAUSES), words(MEMBERS)].concat(),
        Context::Statements => [names(&["method", "define"]), words(STATEMENTS)].concat(),
        Context::LoopClauses => [words(LOOP_CLAUSES), names(&["method", "define"]), words(STATEMENTS)].concat(),
        Context::Expressions => [names(&["function", "predicate", "define"]), words(EXPRESSIONS)].concat(),
        Context::AssignedValues => {
            [names(&["function", "predicate", "define", "method"]), words(EXPRESSIONS), words(&["new"])].concat()
        }
        Context::Any => all(text),
    };
    Value::Array(found)
}

/// Keywords, with their snippets.
fn words(offered: &[&str]) -> Vec<Value> {
    let plain = offered.iter().map(|word| json!({ "label": word, "kind": KEYWORD }));
    let snippets = SNIPPETS.iter().filter(|(word, _)| offered.contains(word)).map(|(word, body)| {
        json!({ "label": format!("{word} …"), "filterText": word, "kind": SNIPPET, "insertText": body, "insertTextFormat": 2 })
    });
    plain.chain(snippets).collect()
}

/// The local names of a member, and what the program declares with these keywords.
fn in_scope(texts: &[&Text], member: Option<&Declared>, keywords: &[&str]) -> Vec<Value> {
    let own = texts.first().zip(member).into_iter();
    let own = own.flat_map(|(text, member)| text.words[member.keyword..=member.last].iter().map(|word| (*text, word)));
    let own: BTreeSet<&str> = own.filter(|(_, word)| word.is_name).map(|(text, word)| text.word(word)).collect();
    let is_global = |name: &str| texts.iter().any(|text| global(text, name).is_some());
    let locals = own.into_iter().filter(|name| !WORDS.contains(name) && !is_global(name));
    let mut found: Vec<Value> = locals.map(|name| json!({ "label": name, "kind": VARIABLE })).collect();
    for text in texts {
        found.extend(named(text, keywords));
        found.extend(constructors(text).filter(|_| keywords.contains(&"function")));
    }
    found
}

/// Callable things that are declared with these keywords, functions of domains among them.
fn named(text: &Text, keywords: &[&str]) -> Vec<Value> {
    let found = callables(text).into_iter();
    let found = found.filter(|callable| text.said(callable.keyword).is_some_and(|word| keywords.contains(&word)));
    found.map(|callable| called(text, &callable)).collect()
}

fn item(text: &Text, member: &Declared) -> Value {
    let callable = callables(text).into_iter().find(|callable| callable.name == member.name);
    match callable {
        Some(callable) => called(text, &callable),
        None => plain(text, member.keyword, member.name),
    }
}

/// A name as declared, without arguments.
fn plain(text: &Text, keyword: usize, name: usize) -> Value {
    let kind = match text.said(keyword).unwrap_or_default() {
        "method" => METHOD,
        "function" => FUNCTION,
        "field" => FIELD,
        "predicate" => INTERFACE,
        "domain" | "adt" => CLASS,
        _ => CONSTANT,
    };
    json!({ "label": text.said(name), "kind": kind, "detail": declaration(text, name) })
}

/// A call with placeholders for the arguments.
fn called(text: &Text, callable: &Callable) -> Value {
    let mut item = plain(text, callable.keyword, callable.name);
    let parameters = callable.parameters.iter().enumerate();
    let places =
        parameters.map(|(index, (first, _))| format!("${{{}:{}}}", index + 1, text.said(*first).unwrap_or_default()));
    let name = text.said(callable.name).unwrap_or_default();
    item["insertText"] = json!(format!("{name}({})", places.collect::<Vec<_>>().join(", ")));
    item["insertTextFormat"] = json!(2);
    item
}

fn declared(text: &Text, keywords: &[&str]) -> Vec<Value> {
    let members = members(text);
    members.iter().filter(|member| keywords.contains(&member.keyword(text))).map(|member| item(text, member)).collect()
}

/// The constructors of algebraic types.
fn constructors(text: &Text) -> impl Iterator<Item = Value> {
    let parts = adt_parts(text).into_iter();
    parts.filter(|(_, depth)| *depth == 0).map(|(name, _)| json!({ "label": name, "kind": FUNCTION }))
}

/// The names of constructors, with depth 0, and of their fields, with depth 1.
fn adt_parts(text: &Text) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    for adt in members(text).iter().filter(|member| member.keyword(text) == "adt") {
        let Some(body) = adt.body else { continue };
        let mut depth = 0_usize;
        for index in body + 1..=adt.last {
            let follows = text.said(index + 1);
            match text.said(index) {
                Some("(") => depth += 1,
                Some(")") => depth = depth.saturating_sub(1),
                Some(name) if depth == 0 && follows == Some("(") || depth == 1 && follows == Some(":") => {
                    found.push((name, depth));
                }
                _ => {}
            }
        }
    }
    found
}

/// The fields of the program and of the constructors of algebraic types.
fn fields(text: &Text) -> Vec<Value> {
    let parts = adt_parts(text).into_iter().map(|(name, depth)| match depth {
        0 => json!({ "label": format!("is{name}"), "kind": FIELD }),
        _ => json!({ "label": name, "kind": FIELD }),
    });
    declared(text, &["field"]).into_iter().chain(parts).collect()
}

fn labels(text: &Text) -> Vec<Value> {
    let after = (1..text.words.len()).filter(|index| text.said(index - 1) == Some("label"));
    after.filter_map(|index| Some(json!({ "label": text.said(index)?, "kind": CONSTANT }))).collect()
}

/// All names in the text.
fn names(text: &Text) -> Value {
    let names: BTreeSet<&str> = text.words.iter().filter(|word| word.is_name).map(|word| text.word(word)).collect();
    names.into_iter().map(|name| json!({ "label": name, "kind": VARIABLE })).collect()
}

/// All names in the text and all keywords; editors filter them.
fn all(text: &Text) -> Vec<Value> {
    let mut names: Vec<&str> = text.words.iter().filter(|word| word.is_name).map(|word| text.word(word)).collect();
    names.sort_unstable();
    names.dedup();
    let declared = members(text);
    let of_name = |name: &str| match declared.iter().find(|member| member.name(text) == name) {
        Some(member) => item(text, member),
        None => json!({ "label": name, "kind": VARIABLE }),
    };
    let names = names.into_iter().filter(|name| !WORDS.contains(name)).map(of_name);
    names.chain(words(&WORDS)).collect()
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
        let found = completions(&text, &[], &json!({ "line": line, "character": character }));
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
    }

    fn check_offered(typed: &str, offered: &[&str], not_offered: &[&str]) {
        let labels = labels_after(typed);
        let has = |label: &&&str| labels.iter().any(|found| found == **label);
        assert!(offered.iter().all(|label| has(&label)), "{typed}: {labels:?}");
        assert!(!not_offered.iter().any(|label| has(&label)), "{typed}: {labels:?}");
    }

    #[test]
    fn expressions_are_offered_after_keywords_and_operators() {
        check_offered("assert ce", &["cell", "x", "forall …", "old", "Cons"], &["assert", "m", "while", "val"]);
        check_offered("assert x != null && ", &["cell", "x", "unfolding …"], &["assert", "m"]);
        check_offered("x := ", &["m", "new", "x", "cell"], &["assert", "method"]);
        check_offered("assert (", &["cell"], &["assert"]);
    }

    #[test]
    fn statements_clauses_and_members_are_offered_where_they_start() {
        check_offered("wh", &["while …", "assert", "x", "m"], &["requires", "method", "acc", "cell"]);
        check_offered("while (true)\n  inv", &["invariant"], &["requires"]);
        check_offered("}\nme", &["method …", "predicate"], &["assert", "requires"]);
        check_offered("}\nmethod other(y: Ref)\n  req", &["requires", "ensures"], &["assert", "invariant"]);
        check_offered("}\nfunction one(): Int\n{ ", &["cell", "forall …"], &["assert", "m", "x"]);
        check_offered("}\ndomain D {\n  ", &["function", "axiom"], &["assert", "method"]);
        check_offered("}\nmethod other(", &[], &["x", "method"]);
    }
}
