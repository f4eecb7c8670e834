//! Counterexamples as text for the terminal.

use crate::draw::{Graph, arrays};
use echis_base::SourceMap;
use echis_findings::counterexample::{
    Account, Allowance, By, Case, Collection, CollectionKind, Counterexample, Entry, Event, FunctionPart, Shown,
    SourceVariable, SourceView, Status, TraceStep, UNNAMED_HEAP, UNSPECIFIED, Variable,
};
use echis_findings::{Condition, without_repetitions};
use std::fmt::Write;

/// The whole counterexample; every line except the first is indented.
pub(crate) fn text(sources: &SourceMap, example: &Counterexample) -> String {
    let mut out = String::new();
    let _ = match &example.status {
        Status::Confirmed => {
            writeln!(out, "counterexample (confirmed: all facts of the path hold in it{}):", sampled(example))
        }
        Status::PossiblySpurious(why) => writeln!(out, "counterexample (possibly spurious: {why}):"),
    };
    match &example.in_source {
        Some(view) => source_text(view, &mut out),
        None => state_text(example, &mut out),
    }
    // The error names the conditions; they are those of the encoding.
    if example.in_source.is_none() && example.trace.is_empty() && !example.path.is_empty() {
        let conditions: Vec<String> = without_repetitions(&example.path).into_iter().map(condition_text).collect();
        let _ = writeln!(out, "  on the path where {}", conditions.join(", "));
    }
    if !example.trace.is_empty() {
        let _ = writeln!(out, "  trace:");
        trace_text(sources, &example.trace, &mut out);
    }
    account_text(sources, example, &mut out);
    out + "\n"
}

/// Variables, heaps and functions in terms of another language.
fn source_text(view: &SourceView, out: &mut String) {
    for SourceVariable { name, ty, value } in &view.variables {
        let ty = if ty.is_empty() { String::new() } else { format!(": {ty}") };
        let value = value.as_ref().map_or_else(String::new, |value| format!(" = {value}"));
        let _ = writeln!(out, "  {name}{ty}{value}");
    }
    for (state, lines) in &view.states {
        let _ = writeln!(out, "  in state {state}:");
        for line in lines {
            let _ = writeln!(out, "    {line}");
        }
    }
    for line in &view.functions {
        let _ = writeln!(out, "  {line}");
    }
    let _ = writeln!(out, "  (as {}; `--values none` shows the values of the Viper program)", view.language);
}

fn state_text(example: &Counterexample, out: &mut String) {
    let (irrelevant, relevant): (Vec<&Variable>, Vec<&Variable>) =
        example.store.iter().partition(|variable| variable.irrelevant && variable.value.text != variable.name);
    relevant.into_iter().for_each(|variable| variable_text(variable, out));
    if !irrelevant.is_empty() {
        let names: Vec<&str> = irrelevant.iter().map(|variable| &*variable.name).collect();
        let _ = writeln!(out, "  any value: {}", names.join(", "));
    }
    if !example.collections.is_empty() {
        let _ = writeln!(out, "  collections of the model:");
    }
    for Variable { name, value, .. } in &example.collections {
        let _ = writeln!(out, "    {name} = {}", shown_text(value));
    }
    heaps_text(example, out);
    for line in drawings(example) {
        let _ = writeln!(out, "  {line}");
    }
    let domains = example.domains.iter().flat_map(|domain| &domain.functions);
    example.functions.iter().chain(domains).for_each(|function| function_text(function, out));
}

/// A note on what was checked only for some values.
fn sampled(example: &Counterexample) -> String {
    match example.sampled {
        0 => String::new(),
        1 => ", one axiom for the values that occur".to_string(),
        number => format!(", {number} axioms for the values that occur"),
    }
}

/// Drawings of object chains and arrays.
pub(crate) fn drawings(example: &Counterexample) -> Vec<String> {
    let mut lines = Graph::new(example).chains();
    lines.extend(arrays(example));
    lines
}

/// Whether an execution reaches the state.
fn account_text(sources: &SourceMap, example: &Counterexample, out: &mut String) {
    if example.status != Status::Confirmed {
        return;
    }
    let Account::Allowed(allowed) = &example.account else {
        let ran = if example.ran.is_empty() {
            String::new()
        } else {
            format!(", with the body of {}", example.ran.join(" and "))
        };
        let _ = writeln!(out, "  an execution with these values fails{ran}");
        return;
    };
    for Allowance { by, span, ruled_out } in allowed {
        let line = sources.position(*span).start.line;
        let _ = match by {
            By::Invariant => writeln!(
                out,
                "  the invariant of the loop in line {line} allows this state; if no execution reaches it, strengthen the invariant"
            ),
            By::Postcondition(method) if *ruled_out => writeln!(
                out,
                "  the postcondition of {method}, called in line {line}, allows this state, but its body does not: the \
                 postcondition should say more"
            ),
            By::Postcondition(method) => writeln!(
                out,
                "  the postcondition of {method}, called in line {line}, allows this state; if no call returns in it, \
                 strengthen the postcondition"
            ),
            By::Wand => writeln!(
                out,
                "  the wand applied in line {line} allows this state: only its right side says what it gives"
            ),
            By::Declaration => writeln!(out, "  what precedes it in the declaration allows this state"),
            By::Function(function) => {
                writeln!(
                    out,
                    "  {function} has no body: its contract (line {line}) is all that is known about its values"
                )
            }
        };
    }
}

/// A reference that is denoted only by this variable has no other name to show.
fn variable_text(Variable { name, ty, value, .. }: &Variable, out: &mut String) {
    let ty = if ty.is_empty() { String::new() } else { format!(": {ty}") };
    let _ = if value.collection.is_none() && value.text == *name {
        writeln!(out, "  {name}{ty}")
    } else {
        writeln!(out, "  {name}{ty} = {}", shown_text(value))
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
                writeln!(out, "{:indent$}{name}({}){}{holds}", "", args_text(args), amount(perm))
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
    if perm == "1/1" { String::new() } else { format!("  (permission {})", plain(perm)) }
}

/// Maximum number of arguments for which a function is shown.
const MOST_CASES: usize = 8;

fn function_text(function: &FunctionPart, out: &mut String) {
    // A dependency on a heap that is not shown cannot be seen.
    let shown = |case: &&Case| case.heap.as_deref() != Some(UNNAMED_HEAP) && case.value.text != UNSPECIFIED;
    let cases: Vec<&Case> = function.cases.iter().filter(shown).collect();
    // A generic domain has a function for each type it is used with.
    let name = function.name.split('<').next().unwrap_or_default();
    for case in cases.iter().take(MOST_CASES) {
        let heap = match case.heap.as_deref() {
            None => String::new(),
            Some(state) => format!("  ({state} heap)"),
        };
        let _ = writeln!(out, "  {name}({}) = {}{heap}", args_text(&case.args), plain(&case.value.text));
    }
    if let Some(more) = cases.len().checked_sub(MOST_CASES).filter(|more| *more > 0) {
        let _ = writeln!(out, "  {name} has values for {more} more arguments");
    }
}

fn args_text(args: &[Shown]) -> String {
    args.iter().map(|arg| plain(&arg.text)).collect::<Vec<_>>().join(", ")
}

fn condition_text(condition: &Condition) -> String {
    match &condition.when {
        None => condition.text.clone(),
        Some(when) => format!("{} ({when})", condition.text),
    }
}

/// Variables of an iteration are on one line. An object named after its variable is omitted.
fn trace_text(sources: &SourceMap, steps: &[TraceStep], out: &mut String) {
    let mut steps = steps.iter().peekable();
    while let Some(step) = steps.next() {
        let line = sources.position(step.span).start.line;
        let _ = match &step.event {
            Event::Branch(text) => writeln!(out, "    line {line}: taking {text}"),
            Event::Assigned { target, value, statement } if value.text == *target => {
                writeln!(out, "    line {line}: {statement}")
            }
            Event::Assigned { target, value, statement } => {
                writeln!(out, "    line {line}: {statement}  gives {target} = {}", shown_text(value))
            }
            Event::Loop { .. } => {
                let mut values = iteration_value(step);
                while let Some(next) =
                    steps.next_if(|next| next.span == step.span && matches!(next.event, Event::Loop { .. }))
                {
                    values.extend(iteration_value(next));
                }
                if values.is_empty() {
                    continue;
                }
                writeln!(out, "    line {line}: in some iteration {}", values.join(", "))
            }
        };
    }
}

fn iteration_value(step: &TraceStep) -> Vec<String> {
    match &step.event {
        Event::Loop { target, value } if value.text != *target => vec![format!("{target} = {}", shown_text(value))],
        _ => Vec::new(),
    }
}

/// In the view with the solver's names, a value is the solver's name, followed by what is known of it.
fn shown_text(shown: &Shown) -> String {
    match &shown.collection {
        Some(collection) if shown.text.contains("!val!") => described(collection),
        _ => plain(&shown.text),
    }
}

/// Open values can be anything.
fn plain(text: &str) -> String {
    if text == UNSPECIFIED { "any value".to_string() } else { text.replace(UNSPECIFIED, "_") }
}

fn described(collection: &Collection) -> String {
    let size = match (&collection.length, collection.kind) {
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
