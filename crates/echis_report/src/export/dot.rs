//! A picture for Graphviz: one box per member; asserted nodes point to their direct dependencies.

use super::{Exported, number};
use echis_depend::{Assertion, Assumption, Queries, ViewNode};
use std::fmt::Write;

pub(super) fn document(exported: Exported) -> String {
    let Exported { path, view, graph, .. } = exported;
    let mut out = String::new();
    let _ = writeln!(out, "digraph {} {{", quoted(path));
    out += "  rankdir=RL\n  node [shape=box, style=filled, fontname=\"monospace\"]\n";
    let mut members: Vec<&str> = Vec::new();
    for node in &view.nodes {
        if !members.contains(&&*node.member) {
            members.push(&node.member);
        }
    }
    for (index, member) in members.into_iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{index} {{\n    label={}", quoted(member));
        for node in view.nodes.iter().filter(|node| &*node.member == member) {
            let label = format!("{}: {}", node.position.start.line, node.text);
            let label: String = label.chars().take(80).collect();
            let _ = writeln!(out, "    n{} [label={}, fillcolor={}]", number(node.id), quoted(&label), colour(node));
        }
        out += "  }\n";
    }
    let queries = Queries { view, graph };
    for of in graph.asserted().filter(|of| view.node(*of).is_some()) {
        for on in queries.direct(of) {
            let _ = writeln!(out, "  n{} -> n{}", number(of), number(on));
        }
    }
    out + "}\n"
}

/// Assumptions are blue, assertions red, and nodes that are both are purple; unproved assumptions are darker.
fn colour(node: &ViewNode) -> &'static str {
    match (node.assumption, node.assertion) {
        (_, Some(Assertion::Explicit)) if node.assumption.is_none() => "lightcoral",
        (Some(Assumption::Explicit), _) => "deepskyblue",
        (Some(_), Some(_)) => "plum",
        (Some(_), None) => "lightblue",
        (None, _) => "mistyrose",
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " "))
}
