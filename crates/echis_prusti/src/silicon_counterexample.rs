//! Counterexamples in Silicon's format.

use echis::counterexample::{Case, Counterexample, Entry, FunctionPart, HeapPart, Shown, Value};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A counterexample: a state in which an obligation fails.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SiliconCounterexample {
    /// The variables in the state in which the obligation fails.
    pub model: Model,
    pub functions: Functions,
    pub domains: Domains,
    /// The variables in earlier states, by label; `old` is the initial state.
    pub old_models: FxHashMap<String, Model>,
    pub label_order: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Heap {
    pub entries: Vec<HeapEntry>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum HeapEntry {
    FieldEntry { recv: ModelEntry, field: String, entry: ModelEntry },
    PredicateEntry { name: String, args: Vec<ModelEntry> },
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Model {
    pub entries: FxHashMap<String, ModelEntry>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ModelEntry {
    LitInt(String),
    LitFloat(String),
    LitBool(bool),
    LitPerm(String),
    /// A reference with the fields to which permission is held.
    Ref(String, FxHashMap<String, ModelEntry>),
    NullRef(String),
    /// A reference whose fields are already listed by an enclosing entry.
    RecursiveRef(String),
    Var(String),
    Seq(String, Vec<ModelEntry>),
    Other(String, String),
    DomainValue(String, String),
    UnprocessedModel,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Functions {
    pub entries: FxHashMap<String, FunctionEntry>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FunctionEntry {
    pub options: Vec<(Vec<Option<ModelEntry>>, Option<ModelEntry>)>,
    pub default: Option<ModelEntry>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Domains {
    pub entries: FxHashMap<String, DomainEntry>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DomainEntry {
    pub functions: Functions,
}

impl FunctionEntry {
    /// The function's value for the given arguments, or the default.
    pub fn get_function_value(&self, params: &Vec<Option<ModelEntry>>) -> &Option<ModelEntry> {
        self.options.iter().find(|(args, _)| args == params).map_or(&self.default, |(_, value)| value)
    }
}

const CURRENT: &str = "current";

impl SiliconCounterexample {
    pub(crate) fn new(found: &Counterexample) -> Self {
        let model = |heap: Option<&HeapPart>| {
            let heap = heap.map_or(&[][..], |heap| &heap.entries);
            let entries = found.store.iter().map(|variable| {
                (variable.name.clone(), entry(&variable.ty, &variable.value.value, heap, &mut BTreeSet::new()))
            });
            Model { entries: entries.collect() }
        };
        let current = found.heaps.iter().find(|heap| heap.state == CURRENT);
        let earlier = || found.heaps.iter().filter(|heap| heap.state != CURRENT);
        SiliconCounterexample {
            model: model(current),
            functions: functions(&found.functions),
            domains: Domains {
                entries: (found.domains.iter())
                    .map(|domain| (domain.ty.clone(), DomainEntry { functions: functions(&domain.functions) }))
                    .collect(),
            },
            old_models: earlier().map(|heap| (heap.state.clone(), model(Some(heap)))).collect(),
            label_order: earlier().map(|heap| heap.state.clone()).collect(),
        }
    }
}

/// Converts a value, including the fields that a reference has in `heap`. References in `outer` are already being
/// expanded.
fn entry(ty: &str, value: &Value, heap: &[Entry], outer: &mut BTreeSet<String>) -> ModelEntry {
    let text = value.to_string();
    match value {
        Value::Int(_) | Value::Large(_) => ModelEntry::LitInt(text),
        Value::Bool(value) => ModelEntry::LitBool(*value),
        Value::Perm { .. } => ModelEntry::LitPerm(text),
        Value::Null => ModelEntry::NullRef(text),
        Value::Ref(name) if outer.contains(name) => ModelEntry::RecursiveRef(text),
        Value::Ref(name) => {
            outer.insert(name.clone());
            let fields = fields_of(name, heap, outer);
            outer.remove(name);
            ModelEntry::Ref(text, fields)
        }
        Value::Seq(items) => {
            let element = ty.strip_prefix("Seq[").and_then(|rest| rest.strip_suffix(']')).unwrap_or_default();
            ModelEntry::Seq(text, items.iter().map(|item| entry(element, item, heap, outer)).collect())
        }
        Value::Element(_) | Value::Made { .. } => ModelEntry::DomainValue(ty.to_owned(), text),
        Value::Unspecified => ModelEntry::UnprocessedModel,
        _ => ModelEntry::Other(text, ty.to_owned()),
    }
}

fn fields_of(receiver: &str, heap: &[Entry], outer: &mut BTreeSet<String>) -> FxHashMap<String, ModelEntry> {
    let mut fields = FxHashMap::default();
    for held in heap {
        if let Entry::Field { receiver: found, field, value, ty, .. } = held
            && found == receiver
        {
            fields.insert(field.clone(), entry(ty, &value.value, heap, outer));
        }
    }
    fields
}

/// Converts function interpretations. Arguments and results are given as text.
fn functions(parts: &[FunctionPart]) -> Functions {
    let value = |shown: &Shown| Some(ModelEntry::Var(shown.text.clone()));
    let option = |case: &Case| (case.args.iter().map(value).collect(), value(&case.value));
    let function =
        |part: &FunctionPart| FunctionEntry { options: part.cases.iter().map(option).collect(), default: None };
    Functions { entries: parts.iter().map(|part| (part.name.clone(), function(part))).collect() }
}
