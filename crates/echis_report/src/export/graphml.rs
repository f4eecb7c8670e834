//! GraphML, which most graph tools read.

use super::{Exported, PROPERTIES, Value, number, properties, via};
use std::fmt::Write;

pub(super) fn document(exported: Exported) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out += "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
    for (name, value) in PROPERTIES.iter().zip(properties(None)) {
        let ty = match value {
            Value::Number(_) => "int",
            Value::Text(_) => "string",
            Value::Flag(_) => "boolean",
        };
        let _ = writeln!(out, "  <key id=\"{name}\" for=\"node\" attr.name=\"{name}\" attr.type=\"{ty}\"/>");
    }
    out += "  <key id=\"via\" for=\"edge\" attr.name=\"via\" attr.type=\"string\"/>\n";
    let _ = writeln!(out, "  <graph id=\"{}\" edgedefault=\"directed\">", escaped(exported.path));
    for (id, node) in exported.nodes() {
        let _ = writeln!(out, "    <node id=\"n{}\">", number(id));
        for (name, value) in PROPERTIES.iter().zip(properties(node.as_ref())) {
            let _ = writeln!(out, "      <data key=\"{name}\">{}</data>", text(&value));
        }
        out += "    </node>\n";
    }
    for (index, (of, on, how)) in exported.edges().into_iter().enumerate() {
        let (of, on, how) = (number(of), number(on), via(how));
        let _ = writeln!(
            out,
            "    <edge id=\"e{index}\" source=\"n{of}\" target=\"n{on}\"><data key=\"via\">{how}</data></edge>"
        );
    }
    out + "  </graph>\n</graphml>\n"
}

fn text(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Text(text) => escaped(text),
    }
}

/// Control characters, which XML cannot represent, become spaces.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
