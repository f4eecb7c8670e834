//! Coverage as text and as JSON.

mod listing;
pub(crate) mod state;

pub use listing::listing;

use echis_analysis::cover::{Coverage, Edit, Warning};
use echis_analysis::depend::{View, ViewNode};
use echis_base::{Key, SourceMap};
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    path: &'a str,
    verdict: &'a str,
    coverage: Share,
    members: Vec<Member<'a>>,
    warnings: Vec<Entry<'a>>,
    trigger_only: Vec<Node<'a>>,
    silenced: usize,
    confirmation_runs: usize,
    untried: usize,
    time_ms: Times,
}

#[derive(Serialize)]
struct Share {
    covered: usize,
    total: usize,
    percent: f64,
}

#[derive(Serialize)]
struct Member<'a> {
    name: &'a str,
    covered: usize,
    total: usize,
    uncovered: Vec<Node<'a>>,
}

#[derive(Serialize)]
struct Node<'a> {
    id: usize,
    line: u32,
    column: u32,
    text: &'a str,
}

#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    member: &'a str,
    message: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    related: Vec<Place<'a>>,
    /// The program with these replacements verifies.
    confirmed_by: Vec<Replacement<'a>>,
    fix: Option<Fix<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    message: &'a str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Fix<'a> {
    removal: &'static str,
    edits: Vec<Replacement<'a>>,
}

/// Of bytes in the file.
#[derive(Serialize)]
struct Replacement<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

fn replacements(edits: &[Edit]) -> Vec<Replacement<'_>> {
    edits.iter().map(|edit| Replacement { start: edit.start, end: edit.end, text: &edit.text }).collect()
}

/// Milliseconds.
#[derive(Clone, Copy, Serialize)]
pub struct Times {
    pub verify: f64,
    pub analyse: f64,
    pub confirm: f64,
}

pub fn json(
    path: &str,
    verdict: &str,
    sources: &SourceMap,
    view: &View,
    coverage: &Coverage,
    time_ms: Times,
) -> String {
    let (covered, total) = coverage.counts();
    let members = coverage.members.iter().map(|member| Member {
        name: &member.name,
        covered: member.covered,
        total: member.total,
        uncovered: member.uncovered.iter().filter_map(|id| view.node(*id)).map(node).collect(),
    });
    let document = Document {
        version: 1,
        path,
        verdict,
        coverage: Share { covered, total, percent: rounded(coverage.percent()) },
        members: members.collect(),
        warnings: coverage.warnings.iter().filter_map(|warning| entry(sources, warning)).collect(),
        trigger_only: coverage.trigger_only.iter().filter_map(|id| view.node(*id)).map(node).collect(),
        silenced: coverage.silenced,
        confirmation_runs: coverage.runs,
        untried: coverage.untried,
        time_ms,
    };
    serde_json::to_string(&document).expect("plain data has a JSON form") + "\n"
}

fn rounded(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}

fn entry<'a>(sources: &SourceMap, warning: &'a Warning) -> Option<Entry<'a>> {
    let at = sources.position(warning.diagnostic.span?);
    let related = warning.diagnostic.related.iter().map(|related| {
        let at = sources.position(related.span).start;
        Place { message: &related.message, line: at.line, column: at.column }
    });
    Some(Entry {
        id: &warning.diagnostic.id,
        member: &warning.member,
        message: &warning.diagnostic.message,
        line: at.start.line,
        column: at.start.column,
        end_line: at.end.line,
        end_column: at.end.column,
        related: related.collect(),
        confirmed_by: replacements(&warning.evidence),
        fix: warning.fix.as_ref().map(|fix| Fix { removal: fix.removal.name(), edits: replacements(&fix.edits) }),
    })
}

fn node(node: &ViewNode) -> Node<'_> {
    let at = node.position.start;
    Node { id: node.id.index(), line: at.line, column: at.column, text: &node.text }
}

/// The summary for a person; warnings are printed like all other warnings.
pub fn human(view: &View, coverage: &Coverage) -> String {
    let mut out = String::new();
    let width = coverage.members.iter().map(|member| member.name.chars().count()).max().unwrap_or(0);
    for member in &coverage.members {
        let percent = 100 * member.covered / member.total.max(1);
        let _ = writeln!(out, "{:width$}  {percent:3} %  {} of {} covered", member.name, member.covered, member.total);
        for node in member.uncovered.iter().filter_map(|id| view.node(*id)) {
            let text: String = node.text.chars().take(80).collect();
            let at = node.position.start;
            let _ = writeln!(out, "{:width$}         not covered: {}:{} {text}", "", at.line, at.column);
        }
    }
    for node in coverage.trigger_only.iter().filter_map(|id| view.node(*id)) {
        let text: String = node.text.chars().take(80).collect();
        let _ = writeln!(out, "trigger only: {}:{} {text}", node.position.start.line, node.position.start.column);
    }
    let (covered, total) = coverage.counts();
    let _ = write!(out, "all: {covered} of {total} covered ({:.1} %)", coverage.percent());
    let _ = write!(out, ", {} warnings, {} silenced", coverage.warnings.len(), coverage.silenced);
    let _ = writeln!(out, "; {} programs verified to confirm", coverage.runs);
    if coverage.untried > 0 {
        let _ = writeln!(out, "{} candidates for warnings were not decided in the time given", coverage.untried);
    }
    out
}
