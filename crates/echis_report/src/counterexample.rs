//! Counterexamples as JSON. Values are strings in Viper syntax.

use crate::counterexample_text::drawings;
use crate::position::{Position, position};
use echis_base::SourceMap;
use echis_findings::counterexample::{
    Account, Allowance, By, Collection, CollectionKind, Counterexample, Entry, Event, FunctionPart, HeapPart, Shown,
    SourceVariable, SourceView, Status, TraceStep, UNSPECIFIED, Variable,
};
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Example<'a> {
    status: &'static str,
    why: Option<&'a str>,
    quantified: bool,
    sampled_axioms: usize,
    store: Vec<Var<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    collections: Vec<Var<'a>>,
    heaps: Vec<Heap<'a>>,
    functions: Vec<Function<'a>>,
    domains: Vec<Domain<'a>>,
    path: Vec<Branch<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trace: Vec<Step<'a>>,
    /// The heaps after steps of the trace, which refer to them by index.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    step_heaps: Vec<Heap<'a>>,
    /// The clauses that allow the state, besides the values themselves; if empty, an execution with these values
    /// fails.
    allowed_by: Vec<Allowed<'a>>,
    /// Methods whose bodies were executed.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    ran: &'a [String],
    drawings: Vec<String>,
    /// The state in terms of the language that the program was translated from.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_source: Option<InSource<'a>>,
}

#[derive(Serialize)]
struct InSource<'a> {
    language: &'a str,
    variables: Vec<SourceVar<'a>>,
    states: Vec<SourceState<'a>>,
    functions: &'a [String],
}

#[derive(Serialize)]
struct SourceVar<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
}

#[derive(Serialize)]
struct SourceState<'a> {
    state: &'a str,
    lines: &'a [String],
}

/// The only source of information about some values.
#[derive(Serialize)]
struct Allowed<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    /// Whether the body of the method was executed, and does not lead there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ruled_out: bool,
    position: Position,
}

/// A branch or an assignment.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Step<'a> {
    Branch {
        text: &'a str,
        position: Position,
    },
    Assignment {
        target: &'a str,
        #[serde(flatten)]
        value: Value<'a>,
        text: &'a str,
        position: Position,
        #[serde(skip_serializing_if = "Option::is_none")]
        heap: Option<usize>,
    },
    /// An arbitrary value at a loop head.
    Loop {
        target: &'a str,
        #[serde(flatten)]
        value: Value<'a>,
        position: Position,
    },
}

#[derive(Serialize)]
struct Var<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'a str,
    #[serde(flatten)]
    value: Value<'a>,
    /// Whether any value will do.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    irrelevant: bool,
    /// The position of the declaration.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Position>,
}

/// A value; for collections with the length and the fixed elements.
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
        args: Vec<&'a str>,
        perm: &'a str,
        contents: Vec<Item<'a>>,
    },
    Wand {
        left: &'a str,
        right: &'a str,
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
    args: Vec<&'a str>,
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
    /// Earlier values of what changed later.
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<&'a str>,
    position: Position,
}

pub(crate) fn json<'a>(sources: &SourceMap, example: &'a Counterexample) -> Example<'a> {
    let (status, why) = match &example.status {
        Status::Confirmed => ("confirmed", None),
        Status::PossiblySpurious(why) => ("possibly_spurious", Some(why.as_str())),
    };
    let (trace, step_heaps) = steps(sources, &example.trace);
    Example {
        status,
        why,
        quantified: example.quantified,
        sampled_axioms: example.sampled,
        store: example.store.iter().map(|variable| self::variable(sources, variable)).collect(),
        collections: example.collections.iter().map(|variable| self::variable(sources, variable)).collect(),
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
            .map(|condition| Branch {
                text: &condition.text,
                when: condition.when.as_deref(),
                position: position(sources, condition.span),
            })
            .collect(),
        trace,
        step_heaps: step_heaps.into_iter().map(heap).collect(),
        allowed_by: match &example.account {
            Account::Run => Vec::new(),
            Account::Allowed(allowed) => allowed.iter().map(|allowance| allowed_by(sources, allowance)).collect(),
        },
        ran: &example.ran,
        drawings: drawings(example),
        in_source: example.in_source.as_ref().map(in_source),
    }
}

/// Steps that leave the heap unchanged share it.
fn steps<'a>(sources: &SourceMap, trace: &'a [TraceStep]) -> (Vec<Step<'a>>, Vec<&'a HeapPart>) {
    let mut heaps: Vec<&HeapPart> = Vec::new();
    let mut steps = Vec::new();
    for step in trace {
        if step.heap.is_some() && heaps.last() != step.heap.as_ref().as_ref() {
            heaps.extend(&step.heap);
        }
        let held = step.heap.as_ref().map(|_| heaps.len() - 1);
        steps.push(trace_step(sources, step, held));
    }
    (steps, heaps)
}

fn trace_step<'a>(sources: &SourceMap, step: &'a TraceStep, heap: Option<usize>) -> Step<'a> {
    let position = position(sources, step.span);
    match &step.event {
        Event::Branch(text) => Step::Branch { text, position },
        Event::Assigned { target, value: shown, statement } => {
            Step::Assignment { target, value: value(shown), text: statement, position, heap }
        }
        Event::Loop { target, value: shown } => Step::Loop { target, value: value(shown), position },
    }
}

fn allowed_by<'a>(sources: &SourceMap, Allowance { by, span, ruled_out }: &'a Allowance) -> Allowed<'a> {
    let (kind, name) = match by {
        By::Invariant => ("invariant", None),
        By::Postcondition(method) => ("postcondition", Some(method.as_str())),
        By::Function(function) => ("function", Some(function.as_str())),
        By::Wand => ("wand", None),
        By::Declaration => ("declaration", None),
    };
    Allowed { kind, name, ruled_out: *ruled_out, position: position(sources, *span) }
}

fn variable<'a>(sources: &SourceMap, variable: &'a Variable) -> Var<'a> {
    Var {
        name: &variable.name,
        ty: &variable.ty,
        value: value(&variable.value),
        irrelevant: variable.irrelevant,
        position: variable.span.map(|span| position(sources, span)),
    }
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
            Item::Predicate { name, args: texts(args), perm, contents: contents.iter().map(item).collect() }
        }
        Entry::Wand { left, right, perm } => Item::Wand { left, right, perm },
    }
}

fn in_source(view: &SourceView) -> InSource<'_> {
    InSource {
        language: &view.language,
        variables: view.variables.iter().map(source_variable).collect(),
        states: view.states.iter().map(|(state, lines)| SourceState { state, lines }).collect(),
        functions: &view.functions,
    }
}

fn source_variable(variable: &SourceVariable) -> SourceVar<'_> {
    SourceVar { name: &variable.name, ty: &variable.ty, value: variable.value.as_deref() }
}

fn texts(shown: &[Shown]) -> Vec<&str> {
    shown.iter().map(|shown| shown.text.as_str()).collect()
}

fn function(function: &FunctionPart) -> Function<'_> {
    let cases = function
        .cases
        .iter()
        .map(|case| Case { heap: case.heap.as_deref(), args: texts(&case.args), value: &case.value.text })
        .collect();
    Function { name: &function.name, cases, otherwise: UNSPECIFIED }
}
