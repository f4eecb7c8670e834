//! A dependency graph as a file: everything that queries need, without the program or a solver.

use crate::unreadable::Unreadable;
use echis_base::{Key, LineColumn, Name, Position};
use echis_depend::{
    Assertion, Assumption, Coarse, Construct, Definition, Event, EventKind, Graph, InnerGraph, Needs, UserId, Via,
    View, ViewNode,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Incremented when the meaning of the file changes.
const VERSION: u32 = 4;
const WHAT: &str = "saved graph";

#[derive(Serialize, Deserialize)]
struct Document {
    version: u32,
    kind: String,
    path: String,
    /// The program's main file, as named in nodes.
    #[serde(default)]
    main: String,
    /// The members whose proofs were explained, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    members: Option<BTreeSet<String>>,
    nodes: Vec<Node>,
    /// The distinct sets of dependencies, each with how it is needed.
    sets: Vec<Vec<(usize, u8)>>,
    /// For each node with demands, the index of its set.
    needs: Vec<(usize, usize)>,
    failed: Vec<usize>,
    vacuous: Vec<usize>,
    /// Nodes that no execution reaches.
    dead: Vec<usize>,
    /// Nodes whose dependencies may be over-approximated, and why.
    coarse: Vec<(usize, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inner: Option<Within>,
    /// The flow of permission.
    #[serde(default)]
    flow: Vec<Moved>,
}

/// The kind of event, the node that causes it, the clause, the resource, and the events it takes from.
type Moved = (String, usize, Option<usize>, String, Vec<usize>);

/// The vertices between nodes: facts and demands of single paths, and the nodes responsible for the facts.
#[derive(Serialize, Deserialize)]
struct Within {
    definition: String,
    needs: Vec<Edges>,
    stands_for: Vec<(usize, usize)>,
}

type Edges = (usize, Vec<(usize, How)>);

/// Graphs saved before reasons were recorded only tell whether an unreachable path is the reason.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum How {
    Numbered(u8),
    Infeasible(bool),
}

/// Zero and one keep their original meaning.
const NUMBERS: [Via; 5] = [Via::Value, Via::Infeasibility, Via::Permission, Via::WellDefinedness, Via::Definition];

fn number(via: Via) -> u8 {
    NUMBERS.iter().zip(0u8..).find(|(known, _)| **known == via).map_or(0, |(_, number)| number)
}

fn numbered(number: u8) -> Via {
    NUMBERS.get(usize::from(number)).copied().unwrap_or(Via::Value)
}

#[derive(Serialize, Deserialize)]
struct Node {
    id: usize,
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    text: String,
    member: String,
    construct: String,
    assumption: Option<String>,
    assertion: Option<String>,
    /// Whether it is a goal; `counts`: whether coverage counts it.
    goal: bool,
    counts: bool,
    annotations: Vec<(String, Vec<String>)>,
}

/// The kind of document.
const KIND: &str = "echis dependency graph";

pub fn save(path: &str, view: &View, graph: &Graph) -> String {
    let mut known: BTreeMap<&Needs, usize> = BTreeMap::new();
    let mut sets = Vec::new();
    let mut needs = Vec::new();
    for (user, all) in graph.needs() {
        let set = *known.entry(all).or_insert_with(|| {
            sets.push(all.iter().map(|(on, via)| (on.index(), number(*via))).collect());
            sets.len() - 1
        });
        needs.push((user.index(), set));
    }
    let inner = (graph.definition == Definition::Execution).then(|| within(graph));
    let indices = |users: &BTreeSet<UserId>| users.iter().map(|user| user.index()).collect();
    let document = Document {
        version: VERSION,
        kind: KIND.into(),
        path: path.into(),
        main: view.main.to_string(),
        members: view.members.as_ref().map(|names| names.iter().map(|name| name.to_string()).collect()),
        nodes: view.nodes.iter().map(node).collect(),
        sets,
        needs,
        failed: indices(&graph.failed),
        vacuous: indices(&graph.vacuous),
        dead: indices(&graph.dead),
        coarse: graph.coarse.iter().map(|(user, coarse)| (user.index(), coarse.name().into())).collect(),
        inner,
        flow: graph.flow.iter().map(moved).collect(),
    };
    let mut text = serde_json::to_string(&document).expect("plain data has a JSON form");
    text.push('\n');
    text
}

/// The path of the program, its nodes and the graph, or why the text is not a saved graph.
pub fn load(text: &str) -> Result<(String, View, Graph), Unreadable> {
    let document: Document =
        serde_json::from_str(text).map_err(|error| Unreadable::Form { what: WHAT, reason: error.to_string() })?;
    if document.kind != KIND || document.version != VERSION {
        return Err(Unreadable::Version { what: WHAT, version: VERSION, again: "save it again" });
    }
    let set = |set: Vec<(usize, u8)>| set.into_iter().map(|(on, how)| (UserId::new(on), numbered(how)));
    let sets: Vec<Arc<Needs>> = document.sets.into_iter().map(|all| Arc::new(set(all).collect())).collect();
    let needs = document.needs.into_iter().map(|(user, set)| {
        let all = sets.get(set).ok_or_else(|| missing(&format!("set {set}")))?;
        Ok((UserId::new(user), all.clone()))
    });
    let needs: Vec<(UserId, Arc<Needs>)> = needs.collect::<Result<_, Unreadable>>()?;
    let users = |all: Vec<usize>| all.into_iter().map(UserId::new).collect::<BTreeSet<UserId>>();
    let (failed, vacuous) = (users(document.failed), users(document.vacuous));
    let dead = users(document.dead);
    let coarse = document.coarse.into_iter().map(|(user, name)| {
        let coarse = Coarse::parse(&name).ok_or_else(|| missing(&format!("kind `{name}`")))?;
        Ok((UserId::new(user), coarse))
    });
    let coarse = coarse.collect::<Result<_, Unreadable>>()?;
    let mut graph = match document.inner {
        None => Graph::from_parts(needs, failed, vacuous),
        Some(Within { definition, .. }) if Definition::parse(&definition) != Some(Definition::Execution) => {
            return Err(missing(&format!("definition `{definition}` with inner vertices")));
        }
        Some(within) => {
            let pairs = within.stands_for.into_iter().map(|(vertex, node)| (UserId::new(vertex), UserId::new(node)));
            let inner =
                InnerGraph { needs: within.needs.into_iter().map(read_edges).collect(), stands_for: pairs.collect() };
            Graph::from_inner(needs, inner, failed, vacuous)
        }
    };
    (graph.dead, graph.coarse) = (dead, coarse);
    graph.flow =
        document.flow.into_iter().map(read_event).collect::<Option<_>>().ok_or_else(|| missing("such event"))?;
    let known = graph.flow.len();
    if graph.flow.iter().flat_map(|event| &event.of).any(|of| *of >= known) {
        return Err(missing("event that another one is about"));
    }
    let mut nodes: Vec<ViewNode> =
        document.nodes.into_iter().map(|node| read(node, &graph)).collect::<Result<_, Unreadable>>()?;
    nodes.sort_by_key(|node| node.id);
    let members = document.members.map(|names| names.into_iter().map(Name::from).collect());
    let main = if document.main.is_empty() { &document.path } else { &document.main };
    let view = View { members, ..View::of(Name::from(&**main), nodes) };
    Ok((document.path, view, graph))
}

fn within(graph: &Graph) -> Within {
    let edges = |(vertex, needs): (&UserId, &BTreeMap<UserId, Via>)| {
        let needs = needs.iter().map(|(on, via)| (on.index(), How::Numbered(number(*via))));
        (vertex.index(), needs.collect())
    };
    let inner = graph.inner();
    Within {
        definition: graph.definition.name().into(),
        needs: inner.needs.iter().map(edges).collect(),
        stands_for: inner.stands_for.iter().map(|(vertex, node)| (vertex.index(), node.index())).collect(),
    }
}

fn read_edges((vertex, on): Edges) -> (UserId, BTreeMap<UserId, Via>) {
    let via = |how: How| match how {
        How::Numbered(number) => numbered(number),
        How::Infeasible(infeasible) => numbered(u8::from(infeasible)),
    };
    (UserId::new(vertex), on.into_iter().map(|(on, how)| (UserId::new(on), via(how))).collect())
}

fn moved(event: &Event) -> Moved {
    let Event { kind, by, clause, resource, of } = event;
    (
        kind.name().into(),
        by.index(),
        clause.map(|clause| clause.index()),
        resource.to_string(),
        of.iter().copied().collect(),
    )
}

fn read_event((kind, by, clause, resource, of): Moved) -> Option<Event> {
    Some(Event {
        kind: EventKind::parse(&kind)?,
        by: UserId::new(by),
        clause: clause.map(UserId::new),
        resource: Name::from(resource),
        of: of.into_iter().collect(),
    })
}

fn node(node: &ViewNode) -> Node {
    let Position { file, start, end } = &node.position;
    let strings = |args: &[Name]| args.iter().map(|arg| arg.to_string()).collect();
    Node {
        id: node.id.index(),
        file: file.to_string(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        text: node.text.clone(),
        member: node.member.to_string(),
        construct: node.construct.name().into(),
        assumption: node.assumption.map(|kind| kind.name().into()),
        assertion: node.assertion.map(|kind| kind.name().into()),
        goal: node.goal,
        counts: node.counts,
        annotations: node.annotations.iter().map(|(name, args)| (name.to_string(), strings(args))).collect(),
    }
}

fn missing(what: &str) -> Unreadable {
    Unreadable::Unknown { what: WHAT, missing: what.to_string() }
}

fn read(node: Node, graph: &Graph) -> Result<ViewNode, Unreadable> {
    let id = UserId::new(node.id);
    let unknown = |name: &str| missing(&format!("kind `{name}`"));
    let start = LineColumn { line: node.line, column: node.column };
    let end = LineColumn { line: node.end_line, column: node.end_column };
    let assumption = node.assumption.map(|name| Assumption::parse(&name).ok_or_else(|| unknown(&name))).transpose()?;
    let assertion = node.assertion.map(|name| Assertion::parse(&name).ok_or_else(|| unknown(&name))).transpose()?;
    let names = |args: Vec<String>| args.into_iter().map(Name::from).collect();
    Ok(ViewNode {
        id,
        position: Position { file: node.file.into(), start, end },
        text: node.text,
        member: node.member.into(),
        construct: Construct::parse(&node.construct).ok_or_else(|| unknown(&node.construct))?,
        assumption,
        assertion,
        vacuous: graph.vacuous.contains(&id),
        failed: graph.failed.contains(&id),
        dead: graph.dead.contains(&id),
        goal: node.goal,
        counts: node.counts,
        coarse: graph.coarse.get(&id).copied(),
        annotations: node.annotations.into_iter().map(|(name, args)| (name.into(), names(args))).collect(),
    })
}
