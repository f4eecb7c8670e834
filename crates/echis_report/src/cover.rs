//! Coverage as text and as JSON.

mod baseline;
mod listing;
pub(crate) mod state;
mod tally;

pub use baseline::Baseline;
pub use listing::listing;
pub use tally::Tally;

use crate::human::shortened;
use crate::json::{
    Confirmed, File, Fix, Found, Member, Message, Node, Piece, Replacement, file, message, node, verified,
};
use echis_base::{SourceMap, Span, counted};
use echis_cover::{Coverage, Edit, Warning};
use echis_depend::View;
use echis_findings::FileResult;
use serde::Serialize;
use std::fmt::Write;

/// The definition of covered.
pub const COVERED: &str =
    "covered: what some goal needs, and goals that are proved, unless from a contradiction or where nothing is reached";

/// The coverage results besides members and warnings.
#[derive(Serialize)]
struct Counts<'a> {
    coverage: Share,
    trigger_only: Vec<Node<'a>>,
    silenced: usize,
    confirmation_runs: usize,
    untried: usize,
    left_out: usize,
}

#[derive(Serialize)]
pub(crate) struct Share {
    pub covered: usize,
    pub total: usize,
    pub percent: f64,
}

#[derive(Serialize)]
struct Entry<'a> {
    #[serde(flatten)]
    file: File<'a>,
    times_ms: Times,
    #[serde(flatten)]
    counts: &'a Counts<'a>,
}

#[derive(Serialize)]
struct Alone<'a> {
    path: &'a str,
    verdict: &'a str,
    members: &'a [Member<'a>],
    warnings: Vec<Message<'a>>,
    #[serde(flatten)]
    counts: &'a Counts<'a>,
    time_ms: Times,
}

/// In milliseconds.
#[derive(Clone, Copy, Serialize)]
pub struct Times {
    pub verify: f64,
    pub analyse: f64,
    pub confirm: f64,
}

/// The coverage warnings are added to those of the file.
pub fn piece(result: &FileResult, view: &View, coverage: &Coverage, times: Times) -> Piece {
    let (covered, total) = coverage.counts();
    let counts = Counts {
        coverage: Share { covered, total, percent: rounded(coverage.percent()) },
        trigger_only: coverage.trigger_only.iter().filter_map(|id| view.node(*id)).map(node).collect(),
        silenced: coverage.silenced,
        confirmation_runs: coverage.runs,
        untried: coverage.untried,
        left_out: coverage.left_out,
    };
    let members = members(result, view, coverage);
    let own = || coverage.warnings.iter().map(|warning| entry(&result.sources, warning));
    let mut file = File { members: members.clone(), ..file(result) };
    file.warnings.extend(own());
    let (path, verdict) = (&*result.path, result.verdict.name());
    let warnings = own().collect();
    let alone = Alone { path, verdict, members: &members, warnings, counts: &counts, time_ms: times };
    Piece::new(&Entry { file, times_ms: times, counts: &counts }, &alone)
}

/// Members with something to cover, followed by those that were only verified.
fn members<'a>(result: &'a FileResult, view: &'a View, coverage: &'a Coverage) -> Vec<Member<'a>> {
    let covered = coverage.members.iter().map(|member| {
        let known = result.members.iter().find(|known| known.name == member.name);
        let uncovered = member.uncovered.iter().filter_map(|id| view.node(*id)).map(node).collect();
        let found = Found::Coverage { covered: member.covered, total: member.total, uncovered };
        Member { name: &member.name, verified: known.map(verified), found: Some(found) }
    });
    let is_known = |name: &str| coverage.members.iter().any(|member| &*member.name == name);
    let others = result.members.iter().filter(|member| !is_known(&member.name)).map(|member| {
        let found = Found::Coverage { covered: 0, total: 0, uncovered: Vec::new() };
        Member { found: Some(found), ..crate::json::member(member) }
    });
    covered.chain(others).collect()
}

pub(crate) fn rounded(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}

pub(crate) fn entry<'a>(sources: &SourceMap, warning: &'a Warning) -> Message<'a> {
    let edits = |edits: &'a [Edit]| -> Vec<Replacement<'a>> {
        let main = sources.files().next().map(|(main, _)| main);
        let span = |edit: &Edit| main.map(|main| Span::new(main, edit.start as u32, edit.end as u32));
        edits.iter().filter_map(|edit| Some(crate::json::replacement(sources, span(edit)?, &edit.text))).collect()
    };
    let confirmed = warning.diagnostic.span.map(|span| {
        let at = sources.position(span);
        Confirmed {
            line: at.start.line,
            column: at.start.column,
            end_line: at.end.line,
            end_column: at.end.column,
            confirmed_by: edits(&warning.evidence),
            consequence: warning.diagnostic.consequence,
        }
    });
    let fix = warning.fix.as_ref().map(|fix| {
        let removal = Some(fix.removal.name());
        Fix { message: fix.removal.describe(), removal, edits: edits(&fix.edits) }
    });
    Message { fix, confirmed, ..message(sources, &warning.diagnostic, Some(&warning.member)) }
}

/// The summary for users; warnings are printed like all other warnings.
pub fn human(view: &View, coverage: &Coverage) -> String {
    let mut out = String::new();
    let width = coverage.members.iter().map(|member| member.name.chars().count()).max().unwrap_or(0);
    for member in &coverage.members {
        let percent = 100 * member.covered / member.total.max(1);
        let _ = writeln!(out, "{:width$}  {percent:3} %  {} of {} covered", member.name, member.covered, member.total);
        for node in member.uncovered.iter().filter_map(|id| view.node(*id)) {
            let text = shortened(&node.text, 80);
            let _ = writeln!(out, "{:width$}         not covered: {} {text}", "", view.place(node));
        }
    }
    for node in coverage.trigger_only.iter().filter_map(|id| view.node(*id)) {
        let text = shortened(&node.text, 80);
        let _ = writeln!(out, "trigger only: {} {text}", view.place(node));
    }
    let (covered, total) = coverage.counts();
    let _ = write!(out, "all: {covered} of {total} covered ({:.1} %)", coverage.percent());
    let warnings = counted(coverage.causes().count(), "warning");
    let runs = counted(coverage.runs, "edited program");
    let _ = writeln!(out, ", {warnings}, {} silenced; {runs} verified to confirm warnings", coverage.silenced);
    let _ = writeln!(out, "({COVERED})");
    if coverage.untried > 0 {
        let _ = writeln!(out, "undecided: {}, within the limits", counted(coverage.untried, "candidate warning"));
    }
    if coverage.left_out > 0 {
        let what = if coverage.left_out == 1 {
            "assumption that a proof uses was"
        } else {
            "assumptions that proofs use were"
        };
        let _ = writeln!(out, "{} {what} not tried, to bound the effort; --thorough tries all", coverage.left_out);
    }
    out
}
