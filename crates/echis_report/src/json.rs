//! The JSON that scripts rely on: the parts shared by all commands, and the document of `check` and `verify`. Fields
//! are only ever added. `schemas/` describes the documents, and tests validate them.

use crate::counterexample::{self, Example};
use crate::part::{self, PartJson};
use crate::position::{Position, position};
use crate::profile;
use crate::stopped::{Stop, stop};
use echis_base::{Diagnostic, Key, Name, SourceMap, Span};
use echis_depend::ViewNode;
use echis_findings::{Condition, FileResult, Finding, MemberResult};
use serde::Serialize;
use std::time::Duration;

/// The data about the run in every document.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    pub command: &'static str,
    /// `None` if no solver was used.
    pub solver: Option<Solver<'a>>,
    /// The results of a second solver, if there is one and the run is finished.
    pub second: Option<SecondSolver<'a>>,
}

#[derive(Clone, Copy, Serialize)]
pub struct SecondSolver<'a> {
    #[serde(flatten)]
    pub solver: Solver<'a>,
    pub purpose: &'static str,
    pub asked: usize,
    pub proved: usize,
    pub refuted: usize,
}

#[derive(Clone, Copy, Serialize)]
pub struct Solver<'a> {
    pub name: &'a str,
    /// `None` if it does not report one.
    pub version: Option<&'a str>,
}

#[derive(Serialize)]
pub(crate) struct Head<'a> {
    /// The version of the JSON format.
    version: u32,
    echis: &'static str,
    solver: Option<Solver<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_solver: Option<SecondSolver<'a>>,
    command: &'static str,
}

impl<'a> Head<'a> {
    pub fn new(run: Run<'a>) -> Self {
        let Run { command, solver, second } = run;
        Head { version: 1, echis: env!("CARGO_PKG_VERSION"), solver, second_solver: second, command }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    files: Vec<File<'a>>,
}

/// The result of a command other than `verify` for one file, as JSON objects.
pub struct Piece {
    /// The file's entry in the document.
    pub entry: String,
    /// Also added at the top level of the document if it has only this file, for scripts that process one file.
    pub alone: String,
}

impl Piece {
    pub(crate) fn new(entry: &impl Serialize, alone: &impl Serialize) -> Self {
        Piece { entry: compact(entry), alone: compact(alone) }
    }
    /// A file with nothing but errors.
    pub fn of_file(result: &FileResult) -> Self {
        Piece { entry: compact(&file(result)), alone: "{}".into() }
    }
}

pub(crate) fn compact(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data without maps always serialises")
}

/// A document of such pieces, with a trailing line break.
pub fn assembled(run: Run<'_>, pieces: &[Piece]) -> String {
    let head = compact(&Head::new(run));
    let mut text = head[..head.len() - 1].to_string();
    if let [Piece { alone, .. }] = pieces
        && alone.len() > 2
    {
        text += &format!(",{}", &alone[1..alone.len() - 1]);
    }
    let entries: Vec<&str> = pieces.iter().map(|piece| &*piece.entry).collect();
    text + &format!(",\"files\":[{}]}}\n", entries.join(","))
}

#[derive(Serialize)]
pub(crate) struct File<'a> {
    pub path: &'a str,
    /// `None` for a saved graph.
    pub verdict: Option<&'static str>,
    pub time_ms: Option<f64>,
    pub members: Vec<Member<'a>>,
    pub errors: Vec<Error<'a>>,
    pub warnings: Vec<Message<'a>>,
    /// Why the answer is incomplete: timeouts, interrupts and defects.
    pub stopped: Vec<Stop<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<Vec<profile::ProfileJson<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stability: Option<profile::StabilityJson<'a>>,
    /// Members that other parts of the run verify.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<PartJson<'a>>,
}

/// The verification results, for members that were verified; commands add their own results.
#[derive(Clone, Serialize)]
pub(crate) struct Member<'a> {
    pub name: &'a str,
    #[serde(flatten)]
    pub verified: Option<VerifiedMember>,
    #[serde(flatten)]
    pub found: Option<Found<'a>>,
}

#[derive(Clone, Copy, Serialize)]
pub(crate) struct VerifiedMember {
    kind: &'static str,
    verdict: &'static str,
    time_ms: f64,
    checks: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cached: bool,
}

/// A command's results for a member, besides its errors. Nodes are referred to by their ids.
#[derive(Clone, Serialize)]
#[serde(untagged)]
pub(crate) enum Found<'a> {
    Coverage {
        covered: usize,
        total: usize,
        uncovered: Vec<Node<'a>>,
    },
    Share {
        covered: usize,
        total: usize,
        coverage: f64,
        uncovered: Vec<usize>,
    },
    Impact {
        explicit: Vec<usize>,
        implicit: Vec<usize>,
    },
    Test {
        missing: Vec<Node<'a>>,
        superfluous: Vec<Node<'a>>,
        expected: usize,
        reported: usize,
        precision: f64,
    },
    Summary {
        proved: Vec<usize>,
        failed: Vec<usize>,
        vacuous: Vec<usize>,
        trusted: Vec<usize>,
        required: Vec<usize>,
        unneeded: Vec<usize>,
    },
}

/// A node of the dependency graph.
#[derive(Clone, Serialize)]
pub(crate) struct Node<'a> {
    pub id: usize,
    pub position: Position,
    /// Repeated here for scripts.
    #[serde(flatten)]
    pub at: Position,
    pub text: &'a str,
    pub member: &'a str,
    pub construct: &'static str,
    pub assumption: Option<&'static str>,
    pub assertion: Option<&'static str>,
    pub vacuous: bool,
    pub failed: bool,
    pub annotations: Vec<Annotation<'a>>,
}

#[derive(Clone, Serialize)]
pub(crate) struct Annotation<'a> {
    name: &'a str,
    args: Vec<&'a str>,
}

impl<'a> File<'a> {
    /// A program that was not verified in this run.
    pub fn unverified(path: &'a str) -> Self {
        let (members, errors, warnings, stopped) = Default::default();
        File {
            path,
            verdict: None,
            time_ms: None,
            members,
            errors,
            warnings,
            stopped,
            profile: None,
            stability: None,
            left_out: Vec::new(),
            part: None,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct Error<'a> {
    #[serde(flatten)]
    message: Message<'a>,
    /// The nodes of the error and the reason, for verification errors.
    #[serde(flatten)]
    nodes: Option<Blamed<'a>>,
    branch_conditions: Vec<Branch<'a>>,
    paths: Vec<Vec<Branch<'a>>>,
    /// Whether the obligation is undecided, which is not a failure.
    undecided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_undecided: Option<&'a str>,
    /// Whether it was found under the assumption that an earlier failed obligation holds.
    cascade: bool,
    note: Option<&'a str>,
    /// In addition to `fix`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_fixes: Vec<Fix<'a>>,
    counterexample: Option<Example<'a>>,
    /// Why there is none, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_counterexample: Option<&'a str>,
}

#[derive(Serialize)]
struct Blamed<'a> {
    offending: Named<'a>,
    reason: ReasonNode<'a>,
}

#[derive(Serialize)]
struct ReasonNode<'a> {
    /// The second part of the error's id.
    id: &'a str,
    message: Option<&'a str>,
    #[serde(flatten)]
    node: Named<'a>,
}

#[derive(Serialize)]
struct Named<'a> {
    position: Position,
    annotations: Vec<Annotation<'a>>,
}

#[derive(Serialize)]
pub(crate) struct Message<'a> {
    pub id: &'a str,
    pub message: &'a str,
    pub member: Option<&'a str>,
    pub position: Option<Position>,
    pub related: Vec<Related<'a>>,
    /// A change that removes the cause.
    pub fix: Option<Fix<'a>>,
    #[serde(flatten)]
    pub confirmed: Option<Confirmed<'a>>,
}

/// A warning confirmed by an edited program; its position is repeated for scripts.
#[derive(Serialize)]
pub(crate) struct Confirmed<'a> {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// The replacements for the program that verifies.
    pub confirmed_by: Vec<Replacement<'a>>,
    /// Whether it follows from the same contradiction as another warning.
    pub consequence: bool,
}

#[derive(Serialize)]
pub(crate) struct Fix<'a> {
    pub message: &'a str,
    /// The possible effect of the fix on users, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removal: Option<&'static str>,
    pub edits: Vec<Replacement<'a>>,
}

/// A text that replaces some bytes of a file.
#[derive(Serialize)]
pub(crate) struct Replacement<'a> {
    pub position: Position,
    pub start: u32,
    pub end: u32,
    pub text: &'a str,
}

pub(crate) fn replacement<'a>(sources: &SourceMap, span: Span, text: &'a str) -> Replacement<'a> {
    Replacement { position: position(sources, span), start: span.start, end: span.end, text }
}

#[derive(Serialize)]
pub(crate) struct Related<'a> {
    message: &'a str,
    position: Position,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Branch<'a> {
    text: &'a str,
    position: Position,
}

/// One document for the whole run, with a trailing line break.
pub fn document(run: Run<'_>, files: &[FileResult]) -> String {
    let document = Document { head: Head::new(run), files: files.iter().map(file).collect() };
    serde_json::to_string_pretty(&document).expect("plain data without maps always serialises") + "\n"
}

pub(crate) fn file(file: &FileResult) -> File<'_> {
    let sources = &file.sources;
    let left_out = file.part.iter().flat_map(|part| &part.left_out);
    let found = File {
        path: &file.path,
        verdict: Some(file.verdict.name()),
        time_ms: Some(milliseconds(file.time)),
        members: file.members.iter().map(member).collect(),
        errors: file.errors.iter().map(|finding| error(sources, finding)).collect(),
        warnings: file.warnings.iter().map(|diagnostic| message(sources, diagnostic, None)).collect(),
        stopped: file.stopped.iter().map(|stopped| stop(sources, stopped)).collect(),
        profile: file
            .profile
            .as_ref()
            .map(|profile| profile.iter().map(|member| profile::profile_json(sources, member)).collect()),
        stability: file.stability.as_ref().map(|stability| profile::stability_json(sources, stability)),
        left_out: left_out.map(|(name, _)| &**name).collect(),
        part: file.part.as_ref().map(|found| part::json(found, file)),
    };
    sealed(found)
}

/// Adds the digest of the entry, if it is a part of a run.
fn sealed(mut file: File<'_>) -> File<'_> {
    let digest = file.part.is_some().then(|| part::seal(&compact(&file)));
    if let Some(part) = &mut file.part {
        part.seal = digest;
    }
    file
}

pub(crate) fn member(member: &MemberResult) -> Member<'_> {
    Member { name: &member.name, verified: Some(verified(member)), found: None }
}

pub(crate) fn verified(member: &MemberResult) -> VerifiedMember {
    VerifiedMember {
        kind: member.kind.name(),
        verdict: member.verdict.name(),
        time_ms: milliseconds(member.time),
        checks: member.checks,
        cached: member.cached,
    }
}

pub(crate) fn node(node: &ViewNode) -> Node<'_> {
    let echis_base::Position { file, start, end } = &node.position;
    let position = Position {
        file: file.to_string(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    };
    Node {
        id: node.id.index(),
        at: position.clone(),
        position,
        text: &node.text,
        member: &node.member,
        construct: node.construct.name(),
        assumption: node.assumption.map(|kind| kind.name()),
        assertion: node.assertion.map(|kind| kind.name()),
        vacuous: node.vacuous,
        failed: node.failed,
        annotations: annotations(&node.annotations),
    }
}

pub(crate) fn error<'a>(sources: &SourceMap, finding: &'a Finding) -> Error<'a> {
    let paths: Vec<Vec<_>> = finding.paths.iter().map(|path| branches(sources, path)).collect();
    Error {
        message: message(sources, &finding.diagnostic, finding.member.as_deref()),
        nodes: finding.nodes.as_ref().map(|nodes| blamed(sources, finding, nodes)),
        branch_conditions: finding.paths.first().map(|path| branches(sources, path)).unwrap_or_default(),
        paths,
        undecided: finding.undecided.is_some(),
        why_undecided: finding.undecided.as_deref(),
        cascade: finding.cascade,
        note: finding.note.as_deref(),
        other_fixes: finding.other_fixes.iter().map(|found| fix(sources, found)).collect(),
        counterexample: finding.counterexample.as_deref().map(|example| counterexample::json(sources, example)),
        no_counterexample: finding.no_counterexample.as_deref(),
    }
}

fn blamed<'a>(sources: &SourceMap, finding: &'a Finding, nodes: &'a echis_findings::Blamed) -> Blamed<'a> {
    let id = finding.diagnostic.id.split_once(':').map_or("", |(_, reason)| reason);
    let reason = ReasonNode { id, message: finding.reason.as_deref(), node: named(sources, &nodes.reason) };
    Blamed { offending: named(sources, &nodes.offending), reason }
}

fn named<'a>(sources: &SourceMap, node: &'a echis_findings::Named) -> Named<'a> {
    Named { position: position(sources, node.span), annotations: annotations(&node.annotations) }
}

fn annotations(written: &[(Name, Vec<Name>)]) -> Vec<Annotation<'_>> {
    written.iter().map(|(name, args)| Annotation { name, args: args.iter().map(|arg| &**arg).collect() }).collect()
}

pub(crate) fn message<'a>(sources: &SourceMap, diagnostic: &'a Diagnostic, member: Option<&'a str>) -> Message<'a> {
    let related = diagnostic.related.iter().map(|related| {
        let position = position(sources, related.span);
        let (line, column) = (position.line, position.column);
        Related { message: &related.message, position, line, column }
    });
    Message {
        id: &diagnostic.id,
        message: &diagnostic.message,
        member,
        position: diagnostic.span.map(|span| position(sources, span)),
        related: related.collect(),
        fix: diagnostic.fix.as_ref().map(|found| fix(sources, found)),
        confirmed: None,
    }
}

pub(crate) fn fix<'a>(sources: &SourceMap, fix: &'a echis_base::Fix) -> Fix<'a> {
    let edits = fix.edits.iter().map(|(span, text)| replacement(sources, *span, text));
    Fix { message: &fix.message, removal: None, edits: edits.collect() }
}

fn branches<'a>(sources: &SourceMap, path: &'a [Condition]) -> Vec<Branch<'a>> {
    path.iter().map(|condition| Branch { text: &condition.text, position: position(sources, condition.span) }).collect()
}

/// Microseconds are precise enough, and keep the number short.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}
