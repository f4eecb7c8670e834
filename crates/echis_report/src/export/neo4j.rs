//! Neo4j, in both of its import formats: a script of statements for `cypher-shell --file import.cypher`, which adds
//! to a running database, and tables for
//! `neo4j-admin database import full --nodes=nodes.csv --relationships=edges.csv`, which creates a new one.
//!
//! Nodes have the label `Node` and one of `Assumption`, `Assertion`, `Both`, `Internal`; relationships are `NEEDS`.

use super::{Exported, PROPERTIES, Value, csv, number, properties, via};
use echis_depend::ViewNode;
use std::fmt::Write;

/// Maximum number of rows of a statement: very long ones are slow to parse.
const ROWS: usize = 500;

pub(super) fn script(exported: Exported) -> String {
    let mut out = String::from("CREATE CONSTRAINT echis_node IF NOT EXISTS FOR (n:Node) REQUIRE n.id IS UNIQUE;\n");
    let nodes: Vec<(&str, String)> =
        exported.nodes().into_iter().map(|(id, node)| (role(node.as_ref()), row(number(id), node.as_ref()))).collect();
    for wanted in ROLES {
        let rows: Vec<&str> = nodes.iter().filter(|(role, _)| *role == wanted).map(|(_, row)| &**row).collect();
        for rows in rows.chunks(ROWS) {
            let _ = writeln!(out, "UNWIND [\n{}\n] AS row\nCREATE (n:Node:{wanted}) SET n = row;", rows.join(",\n"));
        }
    }
    let edges = exported.edges().into_iter();
    let edge = |(of, on, how)| format!("  {{of: {}, on: {}, via: '{}'}}", number(of), number(on), via(how));
    let edges: Vec<String> = edges.map(edge).collect();
    for rows in edges.chunks(ROWS) {
        let _ = writeln!(
            out,
            "UNWIND [\n{}\n] AS row\nMATCH (a:Node {{id: row.of}}), (b:Node {{id: row.on}})\n\
             CREATE (a)-[:NEEDS {{via: row.via}}]->(b);",
            rows.join(",\n")
        );
    }
    out
}

pub(super) fn nodes(exported: Exported) -> String {
    let typed = PROPERTIES.iter().zip(properties(None)).map(|(name, value)| match value {
        Value::Number(_) => format!("{name}:int"),
        Value::Flag(_) => format!("{name}:boolean"),
        Value::Text(_) => name.to_string(),
    });
    let mut out = format!("id:ID,{},:LABEL\n", typed.collect::<Vec<_>>().join(","));
    for (id, node) in exported.nodes() {
        let fields: Vec<String> = properties(node.as_ref()).iter().map(csv::value).collect();
        let _ = writeln!(out, "{},{},Node;{}", number(id), fields.join(","), role(node.as_ref()));
    }
    out
}

pub(super) fn edges(exported: Exported) -> String {
    let mut out = String::from(":START_ID,:END_ID,via,:TYPE\n");
    for (of, on, how) in exported.edges() {
        let _ = writeln!(out, "{},{},{},NEEDS", number(of), number(on), via(how));
    }
    out
}

const ROLES: [&str; 4] = ["Assumption", "Assertion", "Both", "Internal"];

fn role(node: Option<&ViewNode>) -> &'static str {
    match node.map(|node| (node.assumption, node.assertion)) {
        Some((Some(_), Some(_))) => "Both",
        Some((Some(_), None)) => "Assumption",
        Some((None, _)) => "Assertion",
        None => "Internal",
    }
}

fn row(id: usize, node: Option<&ViewNode>) -> String {
    let mut out = format!("  {{id: {id}");
    for (name, value) in PROPERTIES.iter().zip(properties(node)) {
        let value = match value {
            Value::Number(number) => number.to_string(),
            Value::Flag(flag) => flag.to_string(),
            Value::Text(text) => literal(&text),
        };
        let _ = write!(out, ", {name}: {value}");
    }
    out + "}"
}

fn literal(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\r', "\\r");
    format!("'{text}'")
}
