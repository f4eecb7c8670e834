//! Proof results shown next to the text, as far as they are already computed.

use super::answers::nodes_at;
use super::hierarchy::shortened;
use crate::text::Text;
use echis::counterexample::{Counterexample, Entry, Event, Variable};
use echis::depend::{Queries, UserId};
use echis::{Dependencies, FileResult, Finding};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of values and of dependencies that are shown.
const MOST_VALUES: usize = 6;
const MOST_NEEDS: usize = 12;

/// `rests on 4 assumptions · 1 trusted`, by member.
pub(crate) fn rests(found: &Dependencies) -> BTreeMap<String, String> {
    let queries = Queries { view: &found.view, graph: &found.graph };
    let title = |summary: &echis::depend::MemberSummary| {
        let proved: BTreeSet<UserId> = summary.proved.iter().copied().collect();
        let own = found.view.dependencies.iter().filter(|answer| proved.contains(&answer.of));
        let needed: BTreeSet<UserId> = own.flat_map(|answer| answer.all.iter().copied()).collect();
        let mut title = match needed.len() {
            0 => "rests on nothing".to_string(),
            1 => "rests on 1 assumption".to_string(),
            many => format!("rests on {many} assumptions"),
        };
        if !summary.trusted.is_empty() {
            title += &format!(" · {} trusted", summary.trusted.len());
        }
        if !summary.vacuous.is_empty() {
            title += &format!(" · {} proved from a contradiction", summary.vacuous.len());
        }
        title
    };
    let proved = queries.summary().into_iter().filter(|summary| !summary.proved.is_empty());
    proved.map(|summary| (summary.name.to_string(), title(&summary))).collect()
}

/// Highlights the node at an offset and its dependencies, or its dependents if it is not an assertion.
pub(crate) fn highlights(found: &Dependencies, text: &Text, at: usize) -> Option<Value> {
    let queries = Queries { view: &found.view, graph: &found.graph };
    let of = *nodes_at(found, at).first()?;
    let others = match queries.graph.is_asserted(of) {
        true => queries.dependencies(of, &BTreeSet::new()).all,
        false => queries.dependents(of).all,
    };
    let main = found.result.sources.files().next()?.0;
    let place = |user: UserId, kind: u8| {
        let span = found.nodes.all[user].span;
        let range = (span.file == main).then(|| text.range(span.start as usize, span.end as usize))?;
        Some(json!({ "range": range, "kind": kind }))
    };
    Some(std::iter::once(place(of, 3)).chain(others.into_iter().map(|user| place(user, 2))).flatten().collect())
}

/// A text that describes what the proof at an offset rests on.
pub(crate) fn hover(found: &Dependencies, at: usize) -> Option<String> {
    let queries = Queries { view: &found.view, graph: &found.graph };
    let proved = |user: &UserId| queries.graph.is_asserted(*user) && !queries.graph.failed.contains(user);
    let of = nodes_at(found, at).into_iter().find(proved)?;
    let answer = queries.dependencies(of, &BTreeSet::new());
    let mut said = format!("Proved. `{}` rests on", shortened(&found.view.node(of)?.text));
    if answer.all.is_empty() {
        return Some(said + " nothing.");
    }
    said += ":\n";
    for user in answer.all.iter().take(MOST_NEEDS) {
        let Some(node) = found.view.node(*user) else { continue };
        let trusted = if node.is_trusted() { ", trusted" } else { "" };
        let (line, text) = (node.position.start.line, shortened(&node.text));
        said += &format!("- `{text}` (line {line}{trusted})\n");
    }
    if answer.all.len() > MOST_NEEDS {
        said += &format!("- and {} more\n", answer.all.len() - MOST_NEEDS);
    }
    Some(said)
}

/// Counterexample values as inlay hints at the statements that assign them and at the failing assertion.
pub(crate) fn hints(examples: &FileResult, text: &Text) -> Vec<Value> {
    let Some((main, _)) = examples.sources.files().next() else { return Vec::new() };
    // Show only the first failure on each line.
    let mut labels: BTreeMap<usize, String> = BTreeMap::new();
    for finding in examples.errors.iter().filter(|finding| !finding.cascade) {
        let Finding { counterexample: Some(example), diagnostic, .. } = finding else { continue };
        for step in example.trace.iter().filter(|step| step.span.file == main) {
            let (Event::Assigned { target, value, .. } | Event::Loop { target, value }) = &step.event else { continue };
            let label = format!("{target} = {}", shortened(&value.text));
            labels.entry(line_end(text, step.span.start as usize)).or_insert(label);
        }
        if let Some(span) = diagnostic.span.filter(|span| span.file == main) {
            let values = values(example).join(", ");
            if !values.is_empty() {
                labels.entry(line_end(text, span.end as usize)).or_insert(format!("fails with {values}"));
            }
        }
    }
    let hint = |(at, label): (usize, String)| {
        let (line, character) = text.place(at);
        json!({ "position": { "line": line, "character": character }, "label": label, "kind": 1, "paddingLeft": true })
    };
    labels.into_iter().map(hint).collect()
}

/// The values relevant to a failure.
fn values(example: &Counterexample) -> Vec<String> {
    let known = |text: &str| !text.contains('#');
    // A reference held by only one variable is named after it, which adds nothing.
    let told = |variable: &&Variable| known(&variable.value.text) && variable.value.text != variable.name;
    let store = example.store.iter().filter(|variable| !variable.irrelevant).filter(told);
    let store = store.map(|variable| format!("{} = {}", variable.name, shortened(&variable.value.text)));
    let current = example.heaps.iter().filter(|heap| heap.state == "current").flat_map(|heap| &heap.entries);
    let fields = current.filter_map(|entry| match entry {
        Entry::Field { receiver, field, value, .. } if known(&value.text) => {
            Some(format!("{receiver}.{field} = {}", shortened(&value.text)))
        }
        _ => None,
    });
    store.chain(fields).take(MOST_VALUES).collect()
}

/// The end of the line that contains an offset, without trailing whitespace.
fn line_end(text: &Text, at: usize) -> usize {
    let rest = text.text.get(at..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    at + line.trim_end().len()
}
