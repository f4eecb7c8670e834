//! The graph as plain data for reports: positions, texts and lists, without further lookups.

use crate::graph::Graph;
use crate::kind::{Assertion, Assumption, Construct};
use crate::needs::Coarse;
use crate::nodes::{Nodes, UserId, UserNode};
use crate::owner::owner_name;
use crate::read::front_end::{FrontEnd, is_position, position, without_annotations};
use echis_base::{Key, Name, Position, SourceMap};
use echis_program::program::Program;
use std::collections::BTreeSet;

/// The data that reports show about a program's dependencies.
#[derive(Clone, Debug)]
pub struct View {
    pub nodes: Vec<ViewNode>,
    /// For every node that is asserted and proved.
    pub dependencies: Vec<ViewDependencies>,
    /// The members whose proofs were explained, if not all.
    pub members: Option<BTreeSet<Name>>,
    /// The program's main file. Other locations are printed with their file.
    pub main: Name,
    pub front_end: FrontEnd,
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
    /// Whether all its proofs are vacuous.
    pub vacuous: bool,
    /// Whether something that it demands was not proved.
    pub failed: bool,
    /// Whether no execution reaches it.
    pub dead: bool,
    /// Whether its demands are goals.
    pub goal: bool,
    /// Whether coverage counts it.
    pub counts: bool,
    /// Why its needs may be over-approximated, if they may.
    pub coarse: Option<Coarse>,
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
    /// Why the answer may be over-approximated, if it may.
    pub coarse: Option<Coarse>,
    /// Members whose postconditions are included and whose own proofs were not analysed.
    pub left_out: Vec<Name>,
}

impl View {
    /// The nodes of a program, without answers.
    pub fn new(program: &Program, sources: &SourceMap, nodes: &Nodes, graph: &Graph) -> Self {
        let written = |node: &UserNode| !sources.file(node.span.file).is_provided();
        let shown = nodes.all.iter().filter(|(_, node)| node.is_shown() && written(node));
        let shown: Vec<ViewNode> =
            shown.map(|(id, node)| view_node(program, sources, nodes, graph, id, node)).collect();
        let main = sources.files().next().map_or_else(|| Name::from(""), |(_, file)| Name::from(&*file.path));
        View::of(main, shown)
    }
    pub fn of(main: Name, nodes: Vec<ViewNode>) -> Self {
        let placed = |node: &ViewNode| node.annotations.iter().any(|(name, args)| is_position(name, args));
        let front_end =
            FrontEnd::new(nodes.iter().map(|node| (node.id, node.assumption, placed(node).then_some(&node.position))));
        View { nodes, dependencies: Vec::new(), members: None, main, front_end }
    }
    /// The location of a node: line and column, with the file unless it is the main file.
    pub fn place(&self, node: &ViewNode) -> String {
        let Position { file, start, .. } = &node.position;
        match *file == self.main {
            true => format!("{}:{}", start.line, start.column),
            false => format!("{file}:{}:{}", start.line, start.column),
        }
    }
    /// The files that contain nodes.
    pub fn files(&self) -> BTreeSet<&Name> {
        self.nodes.iter().map(|node| &node.position.file).collect()
    }
    /// Whether the proofs of the node's member were explained.
    pub fn is_explained(&self, node: &ViewNode) -> bool {
        self.members.as_ref().is_none_or(|members| members.contains(&node.member))
    }
    pub fn node(&self, id: UserId) -> Option<&ViewNode> {
        self.nodes.binary_search_by_key(&id.index(), |node| node.id.index()).ok().map(|index| &self.nodes[index])
    }
    /// The nodes on a line of a file (any file for `None`), or only those that contain the column. A suffix of the
    /// file's path suffices.
    pub fn at(&self, file: Option<&str>, line: u32, column: Option<u32>) -> Vec<UserId> {
        let in_file = |node: &&ViewNode| {
            let path = &*node.position.file;
            file.is_none_or(|file| path == file || path.strip_suffix(file).is_some_and(|rest| rest.ends_with('/')))
        };
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
        let found: Vec<UserId> = self.nodes.iter().filter(in_file).filter(contains).map(|node| node.id).collect();
        if !found.is_empty() || column.is_some() {
            return found;
        }
        // A line in the middle of a multi-line node.
        let inside = |node: &&ViewNode| node.position.start.line < line && line <= node.position.end.line;
        self.nodes.iter().filter(in_file).filter(inside).map(|node| node.id).collect()
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
    let text = without_annotations(sources.text(node.span));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    ViewNode {
        id,
        position: position(&node.annotations).unwrap_or_else(|| sources.position(node.span)),
        text,
        member: owner_name(program, node.owner),
        construct: node.construct,
        assumption: graph.assumption(nodes, id),
        assertion: graph.assertion(nodes, id),
        vacuous: graph.vacuous.contains(&id),
        failed: graph.failed.contains(&id),
        dead: graph.dead.contains(&id),
        goal: nodes.is_goal(program, id),
        counts: nodes.counts(program, id) && sources.files().next().is_some_and(|(main, _)| node.span.file == main),
        coarse: graph.coarse.get(&id).copied(),
        annotations: node.annotations.iter().map(|found| (found.name.clone(), found.args.clone())).collect(),
    }
}
