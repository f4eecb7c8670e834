//! SARIF 2.1.0, for code hosts and editors.

use crate::json::position;
use echis_analysis::{FileResult, FileVerdict, Finding, Stopped};
use echis_base::{Diagnostic, Severity, SourceMap, Span};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// One run over all files, with a line break at the end.
pub fn document(files: &[FileResult]) -> String {
    let results: Vec<Value> = files.iter().flat_map(results).collect();
    let rules: BTreeSet<&str> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    let rules: Vec<Value> = rules.iter().map(|id| json!({ "id": id })).collect();
    let notifications: Vec<Value> = files.iter().flat_map(notifications).collect();
    // A run that ended early is no success, whatever it had found by then.
    let stopped = files.iter().any(|file| !file.stopped.is_empty());
    let verdict = files.iter().map(|file| file.verdict).max().unwrap_or(FileVerdict::Verified);
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "Echis", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{ "executionSuccessful": !stopped, "toolExecutionNotifications": notifications }],
            "properties": { "verdict": verdict.name() },
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&document).expect("a JSON value always serialises") + "\n"
}

fn results(file: &FileResult) -> Vec<Value> {
    let errors = file.errors.iter().map(|finding| error(&file.sources, finding));
    let warnings = file.warnings.iter().map(|warning| result(&file.sources, warning));
    let stopped = file.stopped.iter().filter_map(|stopped| undecided_member(file, stopped));
    errors.chain(stopped).chain(warnings).collect()
}

/// SARIF calls what was not decided open, and demands that such a result has no level.
fn open(mut result: Value, why: &str) -> Value {
    result["kind"] = json!("open");
    result["level"] = json!("none");
    result["properties"] = json!({ "verdict": FileVerdict::Undecided.name(), "why": why });
    result
}

/// A member that the run did not come to, or not to its end.
fn undecided_member(file: &FileResult, stopped: &Stopped) -> Option<Value> {
    let (member, span, why) = match stopped {
        Stopped::TimeOut { member, span } => (member, *span, "the time given was over"),
        Stopped::Interrupted { member } => {
            let (member, span) = member.as_ref()?;
            (member, *span, "the run was interrupted")
        }
        Stopped::Defect { .. } => return None,
    };
    let message = format!("Undecided: {member} was not verified to its end, since {why}.");
    let result = result(&file.sources, &Diagnostic::new(Severity::Error, "member.undecided", Some(span), message));
    Some(open(result, why))
}

fn error(sources: &SourceMap, finding: &Finding) -> Value {
    let mut result = result(sources, &finding.diagnostic);
    if let Some(member) = &finding.member {
        result["locations"][0]["logicalLocations"] = json!([{ "name": &**member, "kind": "function" }]);
    }
    if let Some(why) = &finding.undecided {
        result["message"]["text"] = json!(format!("Undecided: {} ({why})", finding.diagnostic.message));
        result = open(result, why);
    }
    if !finding.paths.is_empty() {
        let flow = |path: &Vec<echis_analysis::Condition>| {
            let steps = path
                .iter()
                .map(|condition| json!({ "location": location(sources, condition.span, Some(&condition.text)) }));
            json!({ "locations": steps.collect::<Vec<_>>() })
        };
        let flows: Vec<Value> = finding.paths.iter().filter(|path| !path.is_empty()).map(flow).collect();
        if !flows.is_empty() {
            result["codeFlows"] = json!([{ "threadFlows": flows }]);
        }
    }
    result
}

fn result(sources: &SourceMap, diagnostic: &Diagnostic) -> Value {
    let related = diagnostic.related.iter().enumerate().map(|(id, related)| {
        let mut location = location(sources, related.span, Some(&related.message));
        location["id"] = json!(id);
        location
    });
    json!({
        "ruleId": diagnostic.id,
        "level": match diagnostic.severity { Severity::Error => "error", Severity::Warning => "warning" },
        "message": { "text": diagnostic.message },
        "locations": diagnostic.span.iter().map(|span| location(sources, *span, None)).collect::<Vec<_>>(),
        "relatedLocations": related.collect::<Vec<_>>(),
    })
}

fn location(sources: &SourceMap, span: Span, message: Option<&str>) -> Value {
    let position = position(sources, span);
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&position.file) },
            "region": {
                "startLine": position.line,
                "startColumn": position.column,
                "endLine": position.end_line,
                "endColumn": position.end_column,
            },
        },
    });
    if let Some(message) = message {
        location["message"] = json!({ "text": message });
    }
    location
}

/// A path as a relative URI reference: everything that is not plainly allowed is percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn notifications(file: &FileResult) -> Vec<Value> {
    let text = |stopped: &Stopped| match stopped {
        Stopped::TimeOut { member, .. } => {
            ("error", format!("{}: {member} was not decided in the time given", file.path))
        }
        Stopped::Interrupted { member: Some((member, _)) } => {
            ("error", format!("{}: {member} was not decided, since the run was interrupted", file.path))
        }
        Stopped::Interrupted { member: None } => {
            ("error", format!("{} was not looked at, since the run was interrupted", file.path))
        }
        Stopped::Defect { member: Some(member), message } => ("error", format!("{}: {member}: {message}", file.path)),
        Stopped::Defect { member: None, message } => ("error", format!("{}: {message}", file.path)),
    };
    let notification = |stopped| {
        let (level, text) = text(stopped);
        json!({ "level": level, "message": { "text": text } })
    };
    file.stopped.iter().map(notification).collect()
}
