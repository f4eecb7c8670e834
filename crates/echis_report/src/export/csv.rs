//! Two RFC 4180 tables, from which the graph can be reconstructed.

use super::{Exported, PROPERTIES, Value, number, properties, via};
use std::fmt::Write;

pub(super) fn nodes(exported: Exported) -> String {
    let mut out = format!("id,{}\n", PROPERTIES.join(","));
    for (id, node) in exported.nodes() {
        let fields = properties(node.as_ref());
        let fields: Vec<String> = fields.iter().map(value).collect();
        let _ = writeln!(out, "{},{}", number(id), fields.join(","));
    }
    out
}

/// The asserted node, the node it needs, and how.
pub(super) fn edges(exported: Exported) -> String {
    let mut out = "of,on,via\n".to_string();
    for (of, on, how) in exported.edges() {
        let _ = writeln!(out, "{},{},{}", number(of), number(on), via(how));
    }
    out
}

pub(super) fn value(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Text(text) => quoted(text),
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}
