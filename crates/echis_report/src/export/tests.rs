//! Exports can be read back: each format is parsed again, giving the same graph.

use super::{Exported, Tool, files};
use crate::saved;
use echis_base::{Key, LineColumn, Position};
use echis_depend::{Assertion, Assumption, Construct, Graph, UserId, Via, View, ViewNode};
use std::collections::BTreeMap;

const TEXTS: [&str; 3] = ["requires x > 0 && \"y\" != 'z'", "x := a, b\\c", "assert <x> & y"];

fn id(index: usize) -> UserId {
    UserId::new(index)
}

/// Three shown nodes, and an internal one between the first two.
fn example() -> (View, Graph) {
    let node = |index: usize, construct, assumption, assertion| ViewNode {
        id: id([0, 1, 3][index]),
        position: Position {
            file: "a,b.vpr".into(),
            start: LineColumn { line: index as u32 + 1, column: 3 },
            end: LineColumn { line: index as u32 + 1, column: 9 },
        },
        text: TEXTS[index].into(),
        member: "m".into(),
        construct,
        assumption,
        assertion,
        vacuous: false,
        dead: false,
        goal: false,
        counts: false,
        coarse: None,
        failed: false,
        annotations: vec![("dependency".into(), vec!["Explicit".into()])],
    };
    let nodes = vec![
        node(0, Construct::Precondition, Some(Assumption::Explicit), None),
        node(1, Construct::Assignment, Some(Assumption::Implicit), Some(Assertion::Implicit)),
        node(2, Construct::Assert, None, Some(Assertion::Explicit)),
    ];
    let needs = [
        (id(1), BTreeMap::from([(id(2), Via::Value)])),
        (id(2), BTreeMap::from([(id(0), Via::Value)])),
        (id(3), BTreeMap::from([(id(1), Via::Infeasibility)])),
    ]
    .map(|(user, needs)| (user, std::sync::Arc::new(needs)));
    (View::of("a,b.vpr".into(), nodes), Graph::from_parts(needs, [id(3)].into(), [id(1)].into()))
}

fn exported(tool: Tool) -> Vec<String> {
    let (view, graph) = example();
    files(Exported { path: "a.vpr", view: &view, graph: &graph, internal: true }, tool)
        .into_iter()
        .map(|(_, text)| text)
        .collect()
}

/// The records of a table with quoted fields.
fn records(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut fields, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                fields.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut fields));
            }
            c => field.push(c),
        }
    }
    records
}

#[test]
fn tables_hold_the_whole_graph() {
    let tables = exported(Tool::Csv);
    let (nodes, edges) = (records(&tables[0]), records(&tables[1]));
    assert_eq!(nodes[0].len(), 14);
    assert!(nodes.iter().all(|record| record.len() == 14));
    let ids: Vec<&str> = nodes[1..].iter().map(|record| &*record[0]).collect();
    assert_eq!(ids, ["0", "1", "2", "3"]);
    assert_eq!(nodes[1][13], TEXTS[0]);
    assert_eq!(nodes[1][12], "@dependency(\"Explicit\")");
    assert_eq!(nodes[3][8], "internal");
    assert_eq!(edges[1..], [["1", "2", "proof"], ["2", "0", "proof"], ["3", "1", "infeasibility"]]);
}

#[test]
fn tables_for_neo4j_have_its_headers() {
    let tables = exported(Tool::Neo4j);
    let (nodes, edges) = (records(&tables[1]), records(&tables[2]));
    assert_eq!((&*nodes[0][0], &*nodes[0][2], &*nodes[0][14]), ("id:ID", "line:int", ":LABEL"));
    let labels: Vec<&str> = nodes[1..].iter().map(|record| &*record[14]).collect();
    assert_eq!(labels, ["Node;Assumption", "Node;Both", "Node;Internal", "Node;Assertion"]);
    assert_eq!(edges[0], [":START_ID", ":END_ID", "via", ":TYPE"]);
    assert_eq!(edges[3], ["3", "1", "infeasibility", "NEEDS"]);
}

#[test]
fn the_script_for_neo4j_is_statements_whose_quotes_and_brackets_close() {
    let script = exported(Tool::Neo4j).remove(0);
    let (mut open, mut quoted, mut statements) = (Vec::new(), false, 0);
    let mut chars = script.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => drop(chars.next()),
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => open.push(c),
            ')' => assert_eq!(open.pop(), Some('(')),
            ']' => assert_eq!(open.pop(), Some('[')),
            '}' => assert_eq!(open.pop(), Some('{')),
            ';' => {
                assert!(open.is_empty());
                statements += 1;
            }
            _ => {}
        }
    }
    assert!(open.is_empty() && !quoted);
    assert_eq!(statements, 6, "the constraint, one for each of four roles, the edges");
    assert!(script.contains(r"text: 'requires x > 0 && "), "{script}");
    assert!(script.contains(r#""y" != \'z\''"#) && script.contains(r"b\\c"), "{script}");
}

#[test]
fn graphml_is_well_formed() {
    let text = exported(Tool::GraphMl).remove(0);
    let mut open: Vec<&str> = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for tag in text.split('<').skip(1).map(|rest| rest.split('>').next().unwrap_or_default()) {
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        match tag {
            tag if tag.starts_with('?') || tag.ends_with('/') => {}
            tag if tag.starts_with('/') => assert_eq!(open.pop(), Some(name)),
            _ => {
                open.push(name);
                *counts.entry(name).or_default() += 1;
            }
        }
    }
    assert!(open.is_empty());
    assert_eq!((counts["node"], counts["edge"]), (4, 3));
    assert!(text.contains("assert &lt;x&gt; &amp; y"));
}

#[test]
fn the_picture_joins_what_hidden_nodes_connect() {
    let text = exported(Tool::Dot).remove(0);
    assert!(text.contains("n1 -> n0\n") && text.contains("n3 -> n1\n"), "{text}");
    assert!(!text.contains("n2"), "{text}");
    assert!(text.contains(r#"label="2: x := a, b\\c""#), "{text}");
}

#[test]
fn a_saved_graph_is_the_same_graph() {
    let (view, graph) = example();
    let text = saved::save("a.vpr", &view, &graph);
    let (path, view, graph) = saved::load(&text).expect("what was saved can be loaded");
    assert_eq!(path, "a.vpr");
    assert_eq!(saved::save("a.vpr", &view, &graph), text);
    assert!(view.nodes[2].failed && view.nodes[1].vacuous);
    let broken = text.replace("\"version\":4", "\"version\":9");
    assert!(saved::load(&broken).is_err_and(|error| error.to_string().contains("version 4")));
    let lacking = text.replace("\"sets\":[[", "\"sets\":[], \"more\":[[");
    assert!(saved::load(&lacking).is_err_and(|error| error.to_string().contains("no set")), "{text}");
    assert!(saved::load("{}").is_err() && saved::load("no JSON").is_err());
}

#[test]
fn without_the_nodes_of_the_engine_what_they_connect_is_joined() {
    let (view, graph) = example();
    let exported = Exported { path: "a.vpr", view: &view, graph: &graph, internal: false };
    let tables: Vec<String> = files(exported, Tool::Neo4j).into_iter().map(|(_, text)| text).collect();
    let (nodes, edges) = (records(&tables[1]), records(&tables[2]));
    let ids: Vec<&str> = nodes[1..].iter().map(|record| &*record[0]).collect();
    assert_eq!(ids, ["0", "1", "3"]);
    assert_eq!(edges[1..], [["1", "0", "proof", "NEEDS"], ["3", "1", "infeasibility", "NEEDS"]]);
}
