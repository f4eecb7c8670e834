//! The JSON document that scripts rely on. Fields are only ever added.

use crate::counterexample::{self, Example};
use echis_analysis::{Condition, FileResult, Finding, MemberResult, Stopped};
use echis_base::{Diagnostic, SourceMap, Span};
use serde::Serialize;
use std::time::Duration;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    verdict: &'static str,
    time_ms: f64,
    members: Vec<Member<'a>>,
    errors: Vec<Error<'a>>,
    warnings: Vec<Message<'a>>,
    /// Why the answer is not complete: time-outs, interrupts and defects.
    stopped: Vec<Stop<'a>>,
}

#[derive(Serialize)]
struct Member<'a> {
    name: &'a str,
    kind: &'static str,
    verdict: &'static str,
    time_ms: f64,
    checks: usize,
}

#[derive(Serialize)]
struct Error<'a> {
    #[serde(flatten)]
    message: Message<'a>,
    branch_conditions: Vec<Branch<'a>>,
    paths: Vec<Vec<Branch<'a>>>,
    /// Nobody knows whether the obligation holds: this is no failure.
    undecided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_undecided: Option<&'a str>,
    /// Found under the assumption that an earlier failed obligation holds.
    cascade: bool,
    note: Option<&'a str>,
    counterexample: Option<Example<'a>>,
    /// Why there is none, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_counterexample: Option<&'a str>,
}

#[derive(Serialize)]
struct Message<'a> {
    id: &'a str,
    message: &'a str,
    member: Option<&'a str>,
    position: Option<Position>,
    related: Vec<Related<'a>>,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    position: Position,
}

#[derive(Serialize)]
struct Branch<'a> {
    text: &'a str,
    position: Position,
}

#[derive(Serialize)]
struct Stop<'a> {
    kind: &'static str,
    member: Option<&'a str>,
    message: &'a str,
}

#[derive(Serialize)]
pub(crate) struct Position {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// One document for the whole run, with a line break at the end.
pub fn document(files: &[FileResult]) -> String {
    let document = Document { version: 1, files: files.iter().map(file).collect() };
    serde_json::to_string_pretty(&document).expect("plain data without maps always serialises") + "\n"
}

fn file(file: &FileResult) -> File<'_> {
    let sources = &file.sources;
    File {
        path: &file.path,
        verdict: file.verdict.name(),
        time_ms: milliseconds(file.time),
        members: file.members.iter().map(member).collect(),
        errors: file.errors.iter().map(|finding| error(sources, finding)).collect(),
        warnings: file.warnings.iter().map(|diagnostic| message(sources, diagnostic, None)).collect(),
        stopped: file.stopped.iter().map(stop).collect(),
    }
}

fn member(member: &MemberResult) -> Member<'_> {
    Member {
        name: &member.name,
        kind: member.kind.name(),
        verdict: member.verdict.name(),
        time_ms: milliseconds(member.time),
        checks: member.checks,
    }
}

fn error<'a>(sources: &SourceMap, finding: &'a Finding) -> Error<'a> {
    let paths: Vec<Vec<_>> = finding.paths.iter().map(|path| branches(sources, path)).collect();
    Error {
        message: message(sources, &finding.diagnostic, finding.member.as_deref()),
        branch_conditions: finding.paths.first().map(|path| branches(sources, path)).unwrap_or_default(),
        paths,
        undecided: finding.undecided.is_some(),
        why_undecided: finding.undecided.as_deref(),
        cascade: finding.cascade,
        note: finding.note.as_deref(),
        counterexample: finding.counterexample.as_deref().map(|example| counterexample::json(sources, example)),
        no_counterexample: finding.no_counterexample.as_deref(),
    }
}

fn message<'a>(sources: &SourceMap, diagnostic: &'a Diagnostic, member: Option<&'a str>) -> Message<'a> {
    let related = diagnostic
        .related
        .iter()
        .map(|related| Related { message: &related.message, position: position(sources, related.span) });
    Message {
        id: &diagnostic.id,
        message: &diagnostic.message,
        member,
        position: diagnostic.span.map(|span| position(sources, span)),
        related: related.collect(),
    }
}

fn branches<'a>(sources: &SourceMap, path: &'a [Condition]) -> Vec<Branch<'a>> {
    path.iter().map(|condition| Branch { text: &condition.text, position: position(sources, condition.span) }).collect()
}

fn stop(stopped: &Stopped) -> Stop<'_> {
    match stopped {
        Stopped::TimeOut { member, .. } => {
            Stop { kind: "timeout", member: Some(member), message: "not decided in the time given" }
        }
        Stopped::Interrupted { member } => {
            let member = member.as_ref().map(|(member, _)| &**member);
            Stop { kind: "interrupted", member, message: "not decided, since the run was interrupted" }
        }
        Stopped::Defect { member, message } => Stop { kind: "defect", member: member.as_deref(), message },
    }
}

pub(crate) fn position(sources: &SourceMap, span: Span) -> Position {
    let position = sources.position(span);
    Position {
        file: position.file.to_string(),
        line: position.start.line,
        column: position.start.column,
        end_line: position.end.line,
        end_column: position.end.column,
    }
}

/// Microseconds are enough, and keep the number short.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}
