//! A program as shown by the web interface: the result of `verify`, with its text, the dependency graph, the coverage
//! state of each node, and outlines of the proofs.

use crate::cover::state::{States, UNCOVERED};
use crate::cover::{Share, entry, rounded};
use crate::json::{File, Found, Member, compact, file, verified};
use crate::position::{Position, position};
use echis_base::{Key, SourceMap};
use echis_cover::{Coverage, Portion};
use echis_depend::{Queries, UserId, ViewNode};
use echis_findings::outline::{MemberOutline, OutlineStep};
use echis_findings::{FileResult, FileVerdict};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The known data about the proofs of a program. Missing parts are not shown.
#[derive(Clone, Copy, Default)]
pub struct Proofs<'a> {
    pub queries: Option<Queries<'a>>,
    pub coverage: Option<&'a Coverage>,
    pub outlines: &'a [MemberOutline],
}

#[derive(Serialize)]
struct Program<'a> {
    #[serde(flatten)]
    file: File<'a>,
    /// The program's own text first, followed by imported ones.
    sources: Vec<Text<'a>>,
    coverage: Option<Share>,
    nodes: Vec<Node<'a>>,
    needs: Vec<Needs>,
    /// Parts of nodes that no proof needs.
    unneeded_parts: Vec<Position>,
    /// Texts that proof steps refer to by index.
    texts: Vec<&'a str>,
    proofs: Vec<Outline<'a>>,
}

#[derive(Serialize)]
struct Text<'a> {
    path: &'a str,
    text: &'a str,
}

#[derive(Serialize)]
struct Node<'a> {
    id: usize,
    position: Position,
    text: &'a str,
    member: &'a str,
    construct: &'static str,
    assumption: Option<&'static str>,
    assertion: Option<&'static str>,
    /// The state shown in the margin; `None` if coverage is unknown.
    state: Option<&'static str>,
    /// Whether its demands are goals.
    goal: bool,
    /// Why its dependencies may be over-approximated.
    #[serde(skip_serializing_if = "Option::is_none")]
    coarse: Option<&'static str>,
}

/// The dependencies of some nodes: each of them directly needs all of these, for these reasons.
#[derive(Serialize)]
struct Needs {
    of: Vec<usize>,
    on: BTreeMap<&'static str, Vec<usize>>,
}

#[derive(Serialize)]
struct Outline<'a> {
    member: &'a str,
    steps: Vec<Step>,
    left_out: usize,
}

#[derive(Serialize)]
struct Step {
    depth: u32,
    kind: &'static str,
    text: usize,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<u32>,
    because: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "is_zero")]
    effort: u64,
    #[serde(skip_serializing_if = "is_one")]
    count: usize,
}

// The signature required by serde.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_zero(effort: &u64) -> bool {
    *effort == 0
}

#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_one(count: &usize) -> bool {
    *count == 1
}

/// Texts without duplicates.
#[derive(Default)]
struct Texts<'a> {
    known: HashMap<&'a str, usize>,
    all: Vec<&'a str>,
}

impl<'a> Texts<'a> {
    fn index(&mut self, text: &'a str) -> usize {
        let Texts { known, all } = self;
        *known.entry(text).or_insert_with(|| {
            all.push(text);
            all.len() - 1
        })
    }
}

/// One program as JSON.
pub fn program(result: &FileResult, proofs: Proofs<'_>) -> String {
    let Proofs { queries, coverage, outlines } = proofs;
    let sources = &*result.sources;
    let states = coverage.map(|coverage| States::new(result, coverage));
    let shown = queries.into_iter().flat_map(|queries| {
        let explained = queries.view.nodes.iter().filter(move |node| queries.view.is_explained(node));
        explained.map(|node| Node {
            state: states.as_ref().and_then(|states| state(result, states, node)),
            ..self::node(node)
        })
    });
    let parts = coverage.into_iter().flat_map(|coverage| &coverage.warnings);
    let parts = parts.filter(|warning| warning.portion == Portion::Part).filter_map(|warning| warning.diagnostic.span);
    let mut file = File { members: members(result, coverage), ..file(result) };
    file.warnings
        .extend(coverage.into_iter().flat_map(|coverage| &coverage.warnings).map(|found| entry(sources, found)));
    let share = coverage.map(|coverage| {
        let (covered, total) = coverage.counts();
        Share { covered, total, percent: rounded(coverage.percent()) }
    });
    let mut texts = Texts::default();
    let proofs = outlines.iter().map(|outline| self::outline(sources, outline, &mut texts)).collect();
    compact(&Program {
        sources: sources.files().map(|(_, file)| Text { path: &file.path, text: &file.text }).collect(),
        coverage: share,
        nodes: shown.collect(),
        needs: queries.map(needs).unwrap_or_default(),
        unneeded_parts: parts.map(|span| position(sources, span)).collect(),
        texts: texts.all,
        proofs,
        file,
    })
}

fn members<'a>(result: &'a FileResult, coverage: Option<&'a Coverage>) -> Vec<Member<'a>> {
    let member = |member: &'a echis_findings::MemberResult| {
        let known = coverage.and_then(|coverage| coverage.members.iter().find(|known| known.name == member.name));
        let found = known.map(|known| {
            let (covered, total) = (known.covered, known.total);
            let uncovered = known.uncovered.iter().map(|user| user.index()).collect();
            Found::Share { covered, total, coverage: covered as f64 / total.max(1) as f64, uncovered }
        });
        Member { name: &member.name, verified: Some(verified(member)), found }
    };
    result.members.iter().map(member).collect()
}

/// The coverage state of a node. In a member with failures, unneeded nodes may be needed once it verifies.
fn state(result: &FileResult, states: &States<'_>, node: &ViewNode) -> Option<&'static str> {
    let is_verified =
        |member: &echis_findings::MemberResult| member.name == node.member && member.verdict == FileVerdict::Verified;
    let class = states.of_node(node);
    (class != UNCOVERED || result.members.iter().any(is_verified)).then_some(class)
}

fn node(node: &ViewNode) -> Node<'_> {
    let echis_base::Position { file, start, end } = &node.position;
    Node {
        id: node.id.index(),
        position: Position {
            file: file.to_string(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        },
        text: &node.text,
        member: &node.member,
        construct: node.construct.name(),
        assumption: node.assumption.map(|kind| kind.name()),
        assertion: node.assertion.map(|kind| kind.name()),
        state: None,
        goal: node.goal,
        coarse: node.coarse.map(echis_depend::Coarse::name),
    }
}

/// The dependencies between shown nodes; neighbours of internal nodes are connected directly. Nodes with the same
/// dependencies are grouped.
fn needs(queries: Queries<'_>) -> Vec<Needs> {
    let Queries { view, graph } = queries;
    let is_shown = |user: UserId| view.node(user).is_some();
    let mut groups: BTreeMap<BTreeMap<&'static str, Vec<usize>>, Vec<usize>> = BTreeMap::new();
    for of in graph.asserted().filter(|of| is_shown(*of)) {
        let mut on: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
        for (user, via) in graph.direct_via(of, is_shown) {
            on.entry(via.name()).or_default().push(user.index());
        }
        groups.entry(on).or_default().push(of.index());
    }
    let mut needs: Vec<Needs> = groups.into_iter().map(|(on, of)| Needs { of, on }).collect();
    needs.sort_by(|a, b| a.of.cmp(&b.of));
    needs
}

fn outline<'a>(sources: &SourceMap, outline: &'a MemberOutline, texts: &mut Texts<'a>) -> Outline<'a> {
    let line = |span| sources.position(span).start.line;
    let mut step = |step: &'a OutlineStep| Step {
        depth: step.depth,
        kind: step.kind.name(),
        text: texts.index(&step.text),
        line: line(step.span),
        site: step.site.map(line),
        because: texts.index(&step.because),
        verdict: step.verdict.map(|verdict| verdict.name()),
        effort: step.effort,
        count: step.count,
    };
    Outline { member: &outline.name, steps: outline.steps.iter().map(&mut step).collect(), left_out: outline.left_out }
}
