//! The graph as plain data for reports: positions, texts and lists, nothing to look up any more.

use crate::depend::graph::Graph;
use crate::depend::kind::{Assertion, Assumption, Construct};
use crate::depend::nodes::{Nodes, Owner, UserId, UserNode};
use crate::depend::query::Queries;
use echis_base::{Key, Name, Position, SourceMap};
use echis_program::program::Program;
use std::collections::BTreeSet;

/// What reports show of a program's dependencies.
#[derive(Clone, Debug)]
pub struct View {
    pub nodes: Vec<ViewNode>,
    /// For every node that is asserted and proved.
    pub dependencies: Vec<ViewDependencies>,
    /// The members whose proofs were explained, where that was not done for all.
    pub members: Option<BTreeSet<Name>>,
}

#[derive(Clone, Debug)]
pub struct ViewNode {
    pub id: UserId,
    pub position: Position,
    pub text: String,
    pub member: Name,
    pub construct: Construct,
    pub assumption: Option<Assumption>,
    pub assertion: Option<Assertion>,
    /// All its proofs are vacuous.
    pub vacuous: bool,
    /// Something that it demands was not proved.
    pub failed: bool,
    pub annotations: Vec<(Name, Vec<Name>)>,
}

/// The four result sets of a query.
#[derive(Clone, Debug)]
pub struct ViewDependencies {
    pub of: UserId,
    pub all: Vec<UserId>,
    pub explicit: Vec<UserId>,
    pub direct: Vec<UserId>,
    pub without_infeasibility: Vec<UserId>,
}

impl View {
    pub fn new(program: &Program, sources: &SourceMap, nodes: &Nodes, graph: &Graph) -> Self {
        let shown = nodes.all.iter().filter(|(_, node)| node.is_shown());
        let shown: Vec<ViewNode> =
            shown.map(|(id, node)| view_node(program, sources, nodes, graph, id, node)).collect();
        let mut view = View { nodes: shown, dependencies: Vec::new(), members: None };
        view.dependencies = Queries { view: &view, graph }.all(&BTreeSet::new());
        view
    }
    /// Whether the proofs of the member that a node stands in were explained.
    pub fn is_explained(&self, node: &ViewNode) -> bool {
        self.members.as_ref().is_none_or(|members| members.contains(&node.member))
    }
    pub fn node(&self, id: UserId) -> Option<&ViewNode> {
        self.nodes.binary_search_by_key(&id.index(), |node| node.id.index()).ok().map(|index| &self.nodes[index])
    }
    /// The nodes at a line, or only those that contain the column there.
    pub fn at(&self, line: u32, column: Option<u32>) -> Vec<UserId> {
        let contains = |node: &&ViewNode| {
            let (start, end) = (node.position.start, node.position.end);
            match column {
                None => start.line == line,
                Some(column) => {
                    let point = (line, column);
                    (start.line, start.column) <= point && point <= (end.line, end.column)
                }
            }
        };
        let found: Vec<UserId> = self.nodes.iter().filter(contains).map(|node| node.id).collect();
        if !found.is_empty() || column.is_some() {
            return found;
        }
        // A line in the middle of a node that spans several.
        let inside = |node: &&ViewNode| node.position.start.line < line && line <= node.position.end.line;
        self.nodes.iter().filter(inside).map(|node| node.id).collect()
    }
}

pub fn owner_name(program: &Program, owner: Owner) -> Name {
    match owner {
        Owner::Domain(id) => program.domains[id].name.clone(),
        Owner::Function(id) => program.functions[id].name.clone(),
        Owner::Method(id) => program.methods[id].name.clone(),
    }
}

fn view_node(
    program: &Program,
    sources: &SourceMap,
    nodes: &Nodes,
    graph: &Graph,
    id: UserId,
    node: &UserNode,
) -> ViewNode {
    let text = sources.text(node.span).split_whitespace().collect::<Vec<_>>().join(" ");
    ViewNode {
        id,
        position: front_end_position(node).unwrap_or_else(|| sources.position(node.span)),
        text,
        member: owner_name(program, node.owner),
        construct: node.construct,
        assumption: graph.assumption(nodes, id),
        assertion: graph.assertion(nodes, id),
        vacuous: graph.vacuous.contains(&id),
        failed: graph.failed.contains(&id),
        annotations: node.annotations.iter().map(|found| (found.name.clone(), found.args.clone())).collect(),
    }
}

/// `@position("file", "line", "column")`: where a front end's user wrote it, with optional end line and column.
fn front_end_position(node: &UserNode) -> Option<Position> {
    let args = &node.annotation("position")?.args;
    let number = |index: usize| args.get(index).and_then(|text| text.parse::<u32>().ok());
    let start = echis_base::LineColumn { line: number(1)?, column: number(2).unwrap_or(1) };
    let end = match (number(3), number(4)) {
        (Some(line), Some(column)) => echis_base::LineColumn { line, column },
        _ => start,
    };
    Some(Position { file: args.first()?.clone(), start, end })
}
