//! A concrete state in which an obligation fails, from a solver's model.
//!
//! [`watch`] says which terms of a symbolic state the solver shall give values to, [`build`] turns its model into what
//! a person reads. Whatever the model leaves open is `#unspecified`. Every counterexample is replayed with an evaluator
//! of our own; only one in which everything on the path was found to hold, and the goal to be false, is confirmed.

mod collections;
mod contents;
mod heap;
mod names;
mod replay;
mod scalar;
mod semantic;
mod tables;
mod types;
mod watch;

pub use watch::watch;

use crate::Condition;
use echis_program::program::Program;
use echis_proof::{Head, HeapState, Model, NodeId, ProofTree, Raw, StateView};
use echis_term::{SymbolKind, TermId};
use heap::Heaps;
use names::Names;
use std::collections::BTreeMap;
use tables::Tables;

/// How values are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Variables only, named as in `Extended`.
    Variables,
    /// The solver's names.
    Intermediate,
    /// The program's names.
    Extended,
}

#[derive(Clone, Debug)]
pub struct Counterexample {
    pub status: Status,
    pub store: Vec<Variable>,
    /// Every collection of the model, in the intermediate view.
    pub collections: Vec<Variable>,
    pub heaps: Vec<HeapPart>,
    pub functions: Vec<FunctionPart>,
    pub domains: Vec<DomainPart>,
    pub path: Vec<Condition>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    Confirmed,
    /// With the reason.
    PossiblySpurious(String),
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: String,
    pub value: Shown,
}

/// A value as text, and what is known of its elements where it is a collection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    pub text: String,
    pub collection: Option<Collection>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    pub kind: CollectionKind,
    /// The length or cardinality.
    pub length: Option<String>,
    /// Index and element, element and multiplicity or membership, or key and value.
    pub elements: Vec<(String, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CollectionKind {
    Seq,
    Set,
    Multiset,
    Map,
}

#[derive(Clone, Debug)]
pub struct HeapPart {
    /// `current`, `old`, or a label.
    pub state: String,
    pub entries: Vec<Entry>,
    /// Quantified permission may cover more than the references of the model.
    pub more_possible: bool,
}

#[derive(Clone, Debug)]
pub enum Entry {
    Field { receiver: String, field: String, value: Shown, ty: String, perm: String },
    Predicate { name: String, args: Vec<String>, perm: String, contents: Vec<Entry> },
    Wand { args: Vec<String>, perm: String },
}

#[derive(Clone, Debug)]
pub struct FunctionPart {
    pub name: String,
    pub cases: Vec<Case>,
}

#[derive(Clone, Debug)]
pub struct Case {
    /// The state whose heap the function reads; none where it reads no heap.
    pub heap: Option<String>,
    pub args: Vec<String>,
    pub value: String,
}

#[derive(Clone, Debug)]
pub struct DomainPart {
    pub ty: String,
    pub functions: Vec<FunctionPart>,
}

pub const UNSPECIFIED: &str = "#unspecified";

/// What failed.
#[derive(Clone, Copy)]
pub struct Failing<'a> {
    pub state: &'a StateView,
    pub at: NodeId,
    pub goal: TermId,
}

/// The counterexample that a model is.
pub fn build(
    program: &Program,
    tree: &ProofTree,
    failing: Failing<'_>,
    model: &Model,
    head: Head<'_>,
    view: View,
    path: Vec<Condition>,
) -> Counterexample {
    let tables = Tables::new(&tree.terms, model, head);
    let store = types::variables(program, failing.state);
    let names = Names::new(program, &tables, &store, view);
    let variables = store.iter().map(|local| {
        let value = tables.eval(local.term);
        let sort = tree.terms.sort_of(local.term);
        Variable { name: local.name.clone(), ty: local.ty.clone(), value: names.shown(value.as_ref(), sort) }
    });
    let store: Vec<Variable> = variables.collect();
    let full = view != View::Variables;
    let heaps = Heaps { program, tables: &tables, names: &names };
    let heap = |heap: &echis_proof::HeapView| heaps.part(state_name(program, heap.state), heap);
    let (functions, domains) = if full { function_tables(&tables, &names) } else { Default::default() };
    Counterexample {
        status: replay::status(tree, failing, &tables),
        store,
        collections: if view == View::Intermediate { names.collections() } else { Vec::new() },
        heaps: if full { failing.state.heaps.iter().map(heap).collect() } else { Vec::new() },
        functions,
        domains,
        path,
    }
}

fn state_name(program: &Program, state: HeapState) -> String {
    match state {
        HeapState::Current => "current".to_string(),
        HeapState::Old => "old".to_string(),
        HeapState::Lhs => "lhs".to_string(),
        HeapState::Label(id) => {
            let label = program.labels.iter().find(|(_, label)| label.id == id);
            label.map_or_else(|| "label".to_string(), |(_, label)| label.name.to_string())
        }
    }
}

/// The tables of the program's functions and of its domains' functions.
fn function_tables(tables: &Tables<'_>, names: &Names<'_>) -> (Vec<FunctionPart>, Vec<DomainPart>) {
    let mut functions = Vec::new();
    let mut domains: BTreeMap<String, Vec<FunctionPart>> = BTreeMap::new();
    for (id, symbol) in tables.terms.symbols() {
        if symbol.kind != SymbolKind::Function {
            continue;
        }
        let Some(table) = tables.of_symbol(id).filter(|table| !table.is_empty()) else { continue };
        let is_snapshot = |position: usize| {
            position == 0 && matches!(tables.terms.sort_data(symbol.params[0]), echis_term::Sort::Snap)
        };
        let cases = table.iter().map(|(args, value): (&Vec<Raw>, &Raw)| {
            let reads_heap = !args.is_empty() && is_snapshot(0);
            let shown = args.iter().zip(symbol.params.iter()).enumerate();
            let args = shown
                .filter(|(position, _)| !is_snapshot(*position))
                .map(|(_, (arg, sort))| names.text(Some(arg), *sort))
                .collect();
            let heap = reads_heap.then(|| "current".to_string());
            Case { heap, args, value: names.text(Some(value), symbol.result) }
        });
        if let Some(name) = symbol.name.strip_prefix("fn.").filter(|name| !name.contains('%')) {
            functions.push(FunctionPart { name: name.to_string(), cases: cases.collect() });
        } else if let Some(name) = symbol.name.strip_prefix("dom.") {
            let ty = types::domain_of(names.program, name);
            domains.entry(ty).or_default().push(FunctionPart { name: name.to_string(), cases: cases.collect() });
        }
    }
    functions.sort_by(|a, b| a.name.cmp(&b.name));
    (functions, domains.into_iter().map(|(ty, functions)| DomainPart { ty, functions }).collect())
}
