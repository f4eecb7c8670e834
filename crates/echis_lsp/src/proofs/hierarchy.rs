//! Dependencies as a call hierarchy: the callers of an assertion are its dependencies, and its callees are its
//! dependents.

use crate::refusal::Refusal;
use crate::text::{range, uri_of};
use echis::Dependencies;
use echis::depend::{Queries, UserId};
use serde_json::{Value, json};

/// Maximum length of a node's text, which is shown on one line.
const LONGEST: usize = 80;

pub(crate) fn item(uri: &str, found: &Dependencies, user: UserId) -> Option<Value> {
    let node = found.view.node(user)?;
    let span = found.nodes.all[user].span;
    let sources = &found.result.sources;
    let file = sources.file(span.file);
    let is_main = sources.files().next().is_some_and(|(main, _)| main == span.file);
    let range = range(&file.text, span.start as usize, span.end as usize);
    let construct = node.construct.name().replace('_', " ");
    let state = match (node.failed, node.vacuous, node.dead) {
        (true, _, _) => ", not proved",
        (_, _, true) => ", never reached",
        (_, true, _) => ", proved from a contradiction",
        _ => "",
    };
    Some(json!({
        "name": shortened(&node.text),
        "kind": 17,
        "detail": format!("{construct} in {}{state}", node.member),
        "uri": if is_main { uri.to_string() } else { uri_of(&file.path) },
        "range": range,
        "selectionRange": range,
        // Identifies the node by its position, which is stable as long as the text is.
        "data": { "document": uri, "start": span.start, "end": span.end, "text": node.text },
    }))
}

/// The direct dependencies of a node.
pub(crate) fn needs(uri: &str, found: &Dependencies, item: &Value) -> Result<Value, Refusal> {
    let of = node(found, item)?;
    let queries = Queries { view: &found.view, graph: &found.graph };
    let calls = queries.direct(of).into_iter().filter_map(|on| {
        let from = self::item(uri, found, on)?;
        Some(json!({ "fromRanges": [from["range"]], "from": from }))
    });
    Ok(calls.collect())
}

/// The direct dependents of a node.
pub(crate) fn supports(uri: &str, found: &Dependencies, item: &Value) -> Result<Value, Refusal> {
    let of = node(found, item)?;
    let queries = Queries { view: &found.view, graph: &found.graph };
    let calls = queries.dependents(of).direct.into_iter().filter_map(|user| {
        let to = self::item(uri, found, user)?;
        Some(json!({ "to": to, "fromRanges": [item["range"]] }))
    });
    Ok(calls.collect())
}

/// The node that an item was created from.
fn node(found: &Dependencies, item: &Value) -> Result<UserId, Refusal> {
    let data = &item["data"];
    let is_it = |user: &UserId| {
        let span = found.nodes.all[*user].span;
        data["start"].as_u64() == Some(span.start.into()) && data["end"].as_u64() == Some(span.end.into())
    };
    let nodes = found.view.nodes.iter().filter(|node| data["text"] == node.text);
    nodes.map(|node| node.id).find(is_it).ok_or(Refusal::Request("there is no such node in the text as it is now"))
}

pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}
