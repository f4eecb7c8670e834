//! Counterexamples, as text and as JSON. Values are strings in Viper syntax.

use crate::json::{Position, position};
use echis_analysis::counterexample::{
    Collection, CollectionKind, Counterexample, Entry, FunctionPart, HeapPart, Shown, Status, UNSPECIFIED, Variable,
};
use echis_base::SourceMap;
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
pub(crate) struct Example<'a> {
    status: &'static str,
    why: Option<&'a str>,
    store: Vec<Var<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    collections: Vec<Var<'a>>,
    heaps: Vec<Heap<'a>>,
    functions: Vec<Function<'a>>,
    domains: Vec<Domain<'a>>,
    path: Vec<Branch<'a>>,
}

#[derive(Serialize)]
struct Var<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'a str,
    #[serde(flatten)]
    value: Value<'a>,
}

/// A value; for collections with the length and the elements that are fixed.
#[derive(Serialize)]
struct Value<'a> {
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elements: Option<Vec<serde_json::Value>>,
}

#[derive(Serialize)]
struct Heap<'a> {
    state: &'a str,
    entries: Vec<Item<'a>>,
    more_possible: bool,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Item<'a> {
    Field {
        receiver: &'a str,
        field: &'a str,
        #[serde(flatten)]
        value: Value<'a>,
        #[serde(rename = "type")]
        ty: &'a str,
        perm: &'a str,
    },
    Predicate {
        name: &'a str,
        args: &'a [String],
        perm: &'a str,
        contents: Vec<Item<'a>>,
    },
    Wand {
        args: &'a [String],
        perm: &'a str,
    },
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    cases: Vec<Case<'a>>,
    #[serde(rename = "else")]
    otherwise: &'static str,
}

#[derive(Serialize)]
struct Case<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    heap: Option<&'a str>,
    args: &'a [String],
    value: &'a str,
}

#[derive(Serialize)]
struct Domain<'a> {
    #[serde(rename = "type")]
    ty: &'a str,
    functions: Vec<Function<'a>>,
}

#[derive(Serialize)]
struct Branch<'a> {
    text: &'a str,
    position: Position,
}

pub(crate) fn json<'a>(sources: &SourceMap, example: &'a Counterexample) -> Example<'a> {
    let (status, why) = match &example.status {
        Status::Confirmed => ("confirmed", None),
        Status::PossiblySpurious(why) => ("possibly_spurious", Some(why.as_str())),
    };
    Example {
        status,
        why,
        store: example.store.iter().map(variable).collect(),
        collections: example.collections.iter().map(variable).collect(),
        heaps: example.heaps.iter().map(heap).collect(),
        functions: example.functions.iter().map(function).collect(),
        domains: example
            .domains
            .iter()
            .map(|domain| Domain { ty: &domain.ty, functions: domain.functions.iter().map(function).collect() })
            .collect(),
        path: example
            .path
            .iter()
            .map(|condition| Branch { text: &condition.text, position: position(sources, condition.span) })
            .collect(),
    }
}

fn variable(variable: &Variable) -> Var<'_> {
    Var { name: &variable.name, ty: &variable.ty, value: value(&variable.value) }
}

fn value(shown: &Shown) -> Value<'_> {
    let collection = shown.collection.as_ref();
    Value {
        value: &shown.text,
        length: collection.map(|collection| match &collection.length {
            Some(length) => length.parse::<u64>().map_or_else(|_| length.as_str().into(), Into::into),
            None => UNSPECIFIED.into(),
        }),
        elements: collection.map(elements),
    }
}

fn elements(collection: &Collection) -> Vec<serde_json::Value> {
    let element = |(key, value): &(String, String)| match collection.kind {
        CollectionKind::Seq => {
            let index = key.parse::<u64>().map_or_else(|_| key.as_str().into(), serde_json::Value::from);
            serde_json::json!({"index": index, "value": value})
        }
        CollectionKind::Set => serde_json::json!({"value": key, "member": value == "true"}),
        CollectionKind::Multiset => serde_json::json!({"value": key, "count": value}),
        CollectionKind::Map => serde_json::json!({"key": key, "value": value}),
    };
    collection.elements.iter().map(element).collect()
}

fn heap(heap: &HeapPart) -> Heap<'_> {
    Heap { state: &heap.state, entries: heap.entries.iter().map(item).collect(), more_possible: heap.more_possible }
}

fn item(entry: &Entry) -> Item<'_> {
    match entry {
        Entry::Field { receiver, field, value: shown, ty, perm } => {
            Item::Field { receiver, field, value: value(shown), ty, perm }
        }
        Entry::Predicate { name, args, perm, contents } => {
            Item::Predicate { name, args, perm, contents: contents.iter().map(item).collect() }
        }
        Entry::Wand { args, perm } => Item::Wand { args, perm },
    }
}

fn function(function: &FunctionPart) -> Function<'_> {
    let cases = function
        .cases
        .iter()
        .map(|case| Case { heap: case.heap.as_deref(), args: &case.args, value: &case.value })
        .collect();
    Function { name: &function.name, cases, otherwise: UNSPECIFIED }
}

/// As a person reads it, every line indented.
pub(crate) fn text(example: &Counterexample) -> String {
    let mut out = String::new();
    let _ = match &example.status {
        Status::Confirmed => writeln!(out, "counterexample (confirmed):"),
        Status::PossiblySpurious(why) => writeln!(out, "counterexample (possibly spurious: {why}):"),
    };
    for Variable { name, ty, value } in &example.store {
        let _ = writeln!(out, "  {name}: {ty} = {}", shown_text(value));
    }
    if !example.collections.is_empty() {
        let _ = writeln!(out, "  collections:");
    }
    for Variable { value, .. } in &example.collections {
        let _ = writeln!(out, "    {}", shown_text(value));
    }
    for heap in &example.heaps {
        let _ = writeln!(out, "  {} heap:", heap.state);
        entries_text(&heap.entries, 4, &mut out);
        if heap.more_possible {
            let _ = writeln!(out, "    (quantified permission may cover more)");
        }
    }
    let domains = example.domains.iter().flat_map(|domain| &domain.functions);
    for function in example.functions.iter().chain(domains) {
        for case in &function.cases {
            let _ = writeln!(out, "  {}({}) = {}", function.name, case.args.join(", "), case.value);
        }
    }
    for (position, condition) in example.path.iter().enumerate() {
        let _ = writeln!(out, "  {} {}", if position == 0 { "path:" } else { "     " }, condition.text);
    }
    out + "\n"
}

fn entries_text(entries: &[Entry], indent: usize, out: &mut String) {
    for entry in entries {
        let _ = match entry {
            Entry::Field { receiver, field, value, perm, .. } => {
                writeln!(out, "{:indent$}{receiver}.{field} = {} (perm {perm})", "", shown_text(value))
            }
            Entry::Predicate { name, args, perm, .. } => {
                writeln!(out, "{:indent$}{name}({}) (perm {perm})", "", args.join(", "))
            }
            Entry::Wand { args, perm } => writeln!(out, "{:indent$}a wand over {} (perm {perm})", "", args.join(", ")),
        };
        if let Entry::Predicate { contents, .. } = entry {
            entries_text(contents, indent + 2, out);
        }
    }
}

fn shown_text(shown: &Shown) -> String {
    let Some(collection) = &shown.collection else { return shown.text.clone() };
    let length = collection.length.as_deref().unwrap_or(UNSPECIFIED);
    let element = |(key, value): &(String, String)| match collection.kind {
        CollectionKind::Seq => format!("[{key}] = {value}"),
        CollectionKind::Set if value == "true" => format!("{key} in"),
        CollectionKind::Set => format!("{key} not in"),
        CollectionKind::Multiset => format!("{key} {value} times"),
        CollectionKind::Map => format!("[{key}] = {value}"),
    };
    let elements: Vec<String> = collection.elements.iter().map(element).collect();
    let elements = if elements.is_empty() { String::new() } else { format!(": {}", elements.join(", ")) };
    format!("{} of length {length}{elements}", shown.text)
}
