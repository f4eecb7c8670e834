//! Counterexamples as a person reads them on a terminal.

use echis_analysis::counterexample::{
    Collection, CollectionKind, Counterexample, Entry, Event, FunctionPart, Shown, Status, TraceStep, UNSPECIFIED,
    Variable,
};
use echis_base::SourceMap;
use std::fmt::Write;

/// The whole, every line indented but the first.
pub(crate) fn text(sources: &SourceMap, example: &Counterexample) -> String {
    let mut out = String::new();
    let _ = match &example.status {
        Status::Confirmed => writeln!(out, "counterexample (confirmed: all facts of the path hold in it):"),
        Status::PossiblySpurious(why) => writeln!(out, "counterexample (possibly spurious: {why}):"),
    };
    example.store.iter().for_each(|variable| variable_text(variable, &mut out));
    if !example.collections.is_empty() {
        let _ = writeln!(out, "  collections of the model:");
    }
    for Variable { name, value, .. } in &example.collections {
        let _ = writeln!(out, "    {name} = {}", shown_text(value));
    }
    heaps_text(example, &mut out);
    let domains = example.domains.iter().flat_map(|domain| &domain.functions);
    example.functions.iter().chain(domains).for_each(|function| function_text(function, &mut out));
    if example.trace.is_empty() && !example.path.is_empty() {
        let conditions: Vec<&str> = example.path.iter().map(|condition| condition.text.as_str()).collect();
        let _ = writeln!(out, "  on the path where {}", conditions.join(", "));
    }
    if !example.trace.is_empty() {
        let _ = writeln!(out, "  trace:");
        example.trace.iter().for_each(|step| step_text(sources, step, &mut out));
    }
    out + "\n"
}

/// A reference that only this variable denotes has no other name to show.
fn variable_text(Variable { name, ty, value, irrelevant }: &Variable, out: &mut String) {
    let note = if *irrelevant { " (irrelevant)" } else { "" };
    let ty = if ty.is_empty() { String::new() } else { format!(": {ty}") };
    let _ = if value.collection.is_none() && value.text == *name {
        writeln!(out, "  {name}{ty}{note}")
    } else {
        writeln!(out, "  {name}{ty} = {}{note}", shown_text(value))
    };
}

/// States with the same heap are shown once.
fn heaps_text(example: &Counterexample, out: &mut String) {
    if example.heaps.iter().all(|heap| heap.entries.is_empty() && !heap.more_possible) {
        return;
    }
    let mut shown: Vec<(Vec<&str>, String)> = Vec::new();
    for heap in &example.heaps {
        let mut entries = String::new();
        entries_text(&heap.entries, 4, &mut entries);
        if heap.more_possible {
            entries += "    (there may be more: quantified permission is shown for the values of the model)\n";
        }
        if entries.is_empty() {
            entries += "    (nothing)\n";
        }
        match shown.iter_mut().find(|(_, known)| *known == entries) {
            Some((states, _)) => states.push(&heap.state),
            None => shown.push((vec![&heap.state], entries)),
        }
    }
    for (states, entries) in shown {
        let _ = write!(out, "  heap ({}):\n{entries}", states.join(", "));
    }
}

fn entries_text(entries: &[Entry], indent: usize, out: &mut String) {
    for entry in entries {
        let _ = match entry {
            Entry::Field { receiver, field, value, perm, .. } => {
                writeln!(out, "{:indent$}{receiver}.{field} = {}{}", "", shown_text(value), amount(perm))
            }
            Entry::Predicate { name, args, perm, contents } => {
                let holds = if contents.is_empty() { "" } else { " holding" };
                writeln!(out, "{:indent$}{name}({}){}{holds}", "", args.join(", "), amount(perm))
            }
            Entry::Wand { left, right, perm } => {
                writeln!(out, "{:indent$}{left} --* {right}{}", "", amount(perm))
            }
        };
        if let Entry::Predicate { contents, .. } = entry {
            entries_text(contents, indent + 2, out);
        }
    }
}

fn amount(perm: &str) -> String {
    if perm == "1/1" { String::new() } else { format!("  (permission {perm})") }
}

fn function_text(function: &FunctionPart, out: &mut String) {
    for case in &function.cases {
        let heap = match case.heap.as_deref() {
            None => String::new(),
            Some(state) => format!("  ({state} heap)"),
        };
        let _ = writeln!(out, "  {}({}) = {}{heap}", function.name, case.args.join(", "), case.value);
    }
}

fn step_text(sources: &SourceMap, step: &TraceStep, out: &mut String) {
    let line = sources.position(step.span).start.line;
    let _ = match &step.event {
        Event::Branch(text) => writeln!(out, "    line {line}: taking {text}"),
        Event::Assigned { target, value, statement } => {
            writeln!(out, "    line {line}: {statement}  gives {target} = {}", shown_text(value))
        }
        Event::Loop { target, value } => {
            writeln!(out, "    line {line}: in some iteration {target} = {}", shown_text(value))
        }
    };
}

fn shown_text(shown: &Shown) -> String {
    match &shown.collection {
        None => shown.text.clone(),
        Some(collection) => literal(collection).unwrap_or_else(|| described(collection)),
    }
}

/// Where everything is known, as it is written in programs.
fn literal(collection: &Collection) -> Option<String> {
    let length: usize = collection.length.as_deref()?.parse().ok()?;
    let known = |all: Vec<String>, name: &str| (all.len() == length).then(|| format!("{name}({})", all.join(", ")));
    let elements = &collection.elements;
    match collection.kind {
        CollectionKind::Seq => {
            let at = |index: usize| elements.iter().find(|(key, _)| *key == index.to_string());
            let items: Option<Vec<String>> = (0..length).map(|index| at(index).map(|(_, item)| item.clone())).collect();
            known(items?, "Seq")
        }
        CollectionKind::Set => {
            let inside = elements.iter().filter(|(_, inside)| inside == "true");
            known(inside.map(|(item, _)| item.clone()).collect(), "Set")
        }
        CollectionKind::Map => known(elements.iter().map(|(key, value)| format!("{key} := {value}")).collect(), "Map"),
        CollectionKind::Multiset => None,
    }
}

fn described(collection: &Collection) -> String {
    let size = match (&collection.length, collection.kind) {
        (None, CollectionKind::Seq) => format!("length {UNSPECIFIED}"),
        (None, _) => "size not fixed".to_string(),
        (Some(length), CollectionKind::Seq) => format!("length {length}"),
        (Some(length), _) => format!("size {length}"),
    };
    let element = |(key, value): &(String, String)| match collection.kind {
        CollectionKind::Seq | CollectionKind::Map => format!("[{key}] = {value}"),
        CollectionKind::Set if value == "true" => format!("{key} in it"),
        CollectionKind::Set => format!("{key} not in it"),
        CollectionKind::Multiset => format!("{key} {value} times"),
    };
    let elements: Vec<String> = collection.elements.iter().map(element).collect();
    let elements = if elements.is_empty() { String::new() } else { format!(", {}", elements.join(", ")) };
    let kind = match collection.kind {
        CollectionKind::Seq => "a sequence",
        CollectionKind::Set => "a set",
        CollectionKind::Multiset => "a multiset",
        CollectionKind::Map => "a map",
    };
    format!("{kind} of {size}{elements}")
}
