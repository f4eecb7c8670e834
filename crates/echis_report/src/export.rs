//! The graph for other tools: comma-separated tables, GraphML, DOT, and an import for Neo4j.
//!
//! All nodes are exported, internal ones with the type `internal`, so that reachability in another tool gives the
//! same results. The picture (DOT), and other formats on request, omit them and connect their neighbours directly.

mod csv;
mod dot;
mod graphml;
mod neo4j;
#[cfg(test)]
mod tests;

use echis_base::Key;
use echis_depend::{Graph, UserId, Via, View, ViewNode};
use std::collections::BTreeSet;

/// A graph with the name of its program.
#[derive(Clone, Copy)]
pub struct Exported<'a> {
    pub path: &'a str,
    pub view: &'a View,
    pub graph: &'a Graph,
    /// Whether internal nodes are included. Without them, their neighbours are connected directly.
    pub internal: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    Csv,
    GraphMl,
    Dot,
    Neo4j,
}

/// The files of an export: names and texts.
pub fn files(exported: Exported, tool: Tool) -> Vec<(&'static str, String)> {
    match tool {
        Tool::Csv => vec![("nodes.csv", csv::nodes(exported)), ("edges.csv", csv::edges(exported))],
        Tool::GraphMl => vec![("graph.graphml", graphml::document(exported))],
        Tool::Dot => vec![("graph.dot", dot::document(exported))],
        Tool::Neo4j => vec![
            ("import.cypher", neo4j::script(exported)),
            ("nodes.csv", neo4j::nodes(exported)),
            ("edges.csv", neo4j::edges(exported)),
        ],
    }
}

/// A property of a node.
enum Value {
    Number(u32),
    Text(String),
    Flag(bool),
}

/// The names of properties, in the order of [`properties`].
const PROPERTIES: [&str; 13] = [
    "file",
    "line",
    "column",
    "end_line",
    "end_column",
    "member",
    "construct",
    "assumption",
    "assertion",
    "vacuous",
    "failed",
    "annotations",
    "text",
];

impl Exported<'_> {
    /// All nodes: those of the view, and others that edges mention.
    fn nodes(self) -> Vec<(UserId, Option<ViewNode>)> {
        let mut ids: BTreeSet<UserId> = self.view.nodes.iter().map(|node| node.id).collect();
        if self.internal {
            ids.extend(self.graph.asserted());
            ids.extend(self.graph.edges().map(|(_, on, _)| on));
        }
        ids.into_iter().map(|id| (id, self.view.node(id).cloned())).collect()
    }
    /// All edges between these nodes.
    fn edges(self) -> Vec<(UserId, UserId, Via)> {
        if self.internal {
            return self.graph.edges().collect();
        }
        let mut edges = Vec::new();
        for of in self.graph.asserted().filter(|of| self.view.node(*of).is_some()) {
            let shown = |on: UserId| self.view.node(on).is_some();
            edges.extend(self.graph.direct_via(of, shown).into_iter().map(|(on, via)| (of, on, via)));
        }
        edges
    }
}

fn properties(node: Option<&ViewNode>) -> [Value; PROPERTIES.len()] {
    use Value::{Flag, Number, Text};
    let Some(node) = node else {
        let empty = || Text(String::new());
        let internal = Text("internal".into());
        let zero = || Number(0);
        return [
            empty(),
            zero(),
            zero(),
            zero(),
            zero(),
            empty(),
            empty(),
            internal,
            empty(),
            Flag(false),
            Flag(false),
            empty(),
            empty(),
        ];
    };
    let (start, end) = (node.position.start, node.position.end);
    let annotations: Vec<String> = node.annotations.iter().map(|(name, args)| annotation(name, args)).collect();
    [
        Text(node.position.file.to_string()),
        Number(start.line),
        Number(start.column),
        Number(end.line),
        Number(end.column),
        Text(node.member.to_string()),
        Text(node.construct.name().into()),
        Text(node.assumption.map_or("", |kind| kind.name()).into()),
        Text(node.assertion.map_or("", |kind| kind.name()).into()),
        Flag(node.vacuous),
        Flag(node.failed),
        Text(annotations.join(" ")),
        Text(node.text.clone()),
    ]
}

fn annotation(name: &str, args: &[echis_base::Name]) -> String {
    let args: Vec<String> = args.iter().map(|arg| format!("\"{arg}\"")).collect();
    format!("@{name}({})", args.join(", "))
}

fn via(via: Via) -> &'static str {
    match via {
        Via::Infeasibility => "infeasibility",
        _ => "proof",
    }
}

fn number(user: UserId) -> usize {
    user.index()
}
