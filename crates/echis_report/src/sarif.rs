//! SARIF 2.1.0, for code hosts and editors.

use crate::counterexample;
use crate::explain::page_uri;
use crate::human::focus;
use crate::json::{Run, Solver};
use crate::position::{Position, position};
use echis_base::{Diagnostic, FileId, Fix, Severity, SourceMap, Span};
use echis_findings::counterexample::Counterexample;
use echis_findings::diagnose::{Description, describe};
use echis_findings::{FileResult, FileVerdict, Finding, Stopped};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// One run over all files, with a trailing line break. Relative paths start at `folder`.
pub fn document(run: Run<'_>, folder: Option<&str>, files: &[FileResult]) -> String {
    let mut results: Vec<Value> = files.iter().flat_map(results).collect();
    let ids: BTreeSet<String> =
        results.iter().filter_map(|found| Some(found["ruleId"].as_str()?.to_string())).collect();
    let rules: Vec<Value> = ids.iter().map(|id| rule(id)).collect();
    for result in &mut results {
        let index = result["ruleId"].as_str().and_then(|id| ids.iter().position(|known| known == id));
        result["ruleIndex"] = json!(index);
    }
    identify(&mut results);
    let notifications: Vec<Value> = files.iter().flat_map(notifications).collect();
    // A run that ended early is not successful, whatever its results so far.
    let stopped = files.iter().any(|file| !file.stopped.is_empty());
    let verdict = files.iter().map(|file| file.verdict).max().unwrap_or(FileVerdict::Verified);
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": tool(run, rules),
            "originalUriBaseIds": bases(folder),
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

/// An undecided result is open in SARIF, which requires that it has no level.
fn open(mut result: Value, why: &str) -> Value {
    result["kind"] = json!("open");
    result["level"] = json!("none");
    result["properties"] = json!({ "verdict": FileVerdict::Undecided.name(), "why": why });
    result
}

/// A member that the run did not reach or finish.
fn undecided_member(file: &FileResult, stopped: &Stopped) -> Option<Value> {
    let (member, span, why) = match stopped {
        Stopped::TimeOut { member, span, .. } => (member, *span, "the time limit was reached"),
        Stopped::Interrupted { member } => {
            let (member, span) = member.as_ref()?;
            (member, *span, "the run was interrupted")
        }
        Stopped::Defect { .. } => return None,
    };
    let message = format!("Undecided: {member} was not verified to the end, because {why}.");
    let result = result(&file.sources, &Diagnostic::new(Severity::Error, "member.undecided", Some(span), message));
    Some(open(result, why))
}

fn error(sources: &SourceMap, finding: &Finding) -> Value {
    let mut result = result(sources, &finding.diagnostic);
    if let Value::Array(fixes) = &mut result["fixes"] {
        fixes.extend(finding.other_fixes.iter().map(|found| fix(sources, found)));
    }
    if let Some(member) = &finding.member {
        result["locations"][0]["logicalLocations"] = json!([{ "name": &**member, "kind": "function" }]);
    }
    if let Some(why) = &finding.undecided {
        result["message"]["text"] = json!(format!("Undecided: {} ({why})", finding.diagnostic.message));
        result = open(result, why);
    }
    if !finding.paths.is_empty() {
        let flow = |path: &Vec<echis_findings::Condition>| {
            let steps = path
                .iter()
                .map(|condition| json!({ "location": location(sources, condition.span, Some(&condition.text)) }));
            json!({ "locations": steps.collect::<Vec<_>>() })
        };
        let flows: Vec<Value> = finding.paths.iter().filter(|path| !path.is_empty()).map(flow).collect();
        if !flows.is_empty() {
            result["codeFlows"] =
                json!([{ "message": { "text": "the paths on which it happens" }, "threadFlows": flows }]);
        }
    }
    if let Some(example) = &finding.counterexample {
        let flow = of_counterexample(sources, finding, example);
        match result["codeFlows"].as_array_mut() {
            Some(flows) => flows.push(flow),
            None => result["codeFlows"] = json!([flow]),
        }
    }
    result
}

/// A state in which the failure occurs: the path to it, and the final values of variables.
fn of_counterexample(sources: &SourceMap, finding: &Finding, example: &Counterexample) -> Value {
    let shown = counterexample::json(sources, example);
    let example = serde_json::to_value(&shown).expect("plain data always serialises");
    let place = |step: &Value| {
        let position = &step["position"];
        let text = match (step["target"].as_str(), value_text(step)) {
            (Some(target), Some(value)) => format!("{target} = {value}"),
            _ => step["text"].as_str().unwrap_or("").to_string(),
        };
        json!({ "location": placed(position, &text) })
    };
    let steps = ["trace", "path"].iter().filter_map(|name| example[*name].as_array()).find(|steps| !steps.is_empty());
    let mut steps: Vec<Value> = steps.into_iter().flatten().map(place).collect();
    if let Some(span) = finding.diagnostic.span {
        let variables = example["store"].as_array().into_iter().flatten();
        let state: serde_json::Map<String, Value> = variables
            .filter_map(|variable| {
                Some((variable["name"].as_str()?.to_string(), json!({ "text": value_text(variable)? })))
            })
            .collect();
        steps.push(json!({ "location": location(sources, span, Some("it fails here")), "state": state }));
    }
    let text = match example["status"].as_str() {
        Some("confirmed") => "a state in which it happens (confirmed by replaying it)",
        _ => "a state in which it may happen (not confirmed)",
    };
    json!({ "message": { "text": text }, "threadFlows": [{ "locations": steps }], "properties": { "counterexample": example } })
}

/// The value of a variable or step, including collections.
fn value_text(shown: &Value) -> Option<String> {
    if let Some(value) = shown["value"].as_str() {
        return Some(value.to_string());
    }
    shown.get("elements").map(|elements| elements.to_string())
}

fn tool(run: Run<'_>, rules: Vec<Value>) -> Value {
    let solver = run.solver.map(|Solver { name, version }| match version {
        Some(version) => json!({ "name": name, "version": version }),
        None => json!({ "name": name }),
    });
    let driver = json!({
        "name": "Echis",
        "version": env!("CARGO_PKG_VERSION"),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "shortDescription": { "text": "A verifier for the Viper verification language that explains its proofs" },
        "rules": rules,
    });
    json!({ "driver": driver, "extensions": solver.into_iter().collect::<Vec<_>>() })
}

fn rule(id: &str) -> Value {
    let Description { short, help } = describe(id);
    let mut rule = json!({
        "id": id,
        "shortDescription": { "text": short },
        "fullDescription": { "text": format!("{short} {help}") },
        "help": { "text": help, "markdown": help },
    });
    if let Some(uri) = page_uri(id) {
        rule["helpUri"] = json!(uri);
    }
    rule
}

/// The base of relative paths.
fn bases(folder: Option<&str>) -> Value {
    match folder {
        Some(folder) => json!({ ROOT: { "uri": format!("{}/", file_uri(folder.trim_end_matches('/'))) } }),
        None => json!({}),
    }
}

const ROOT: &str = "%SRCROOT%";

/// Fingerprints are unaffected by moved lines: they depend on the id, the member, and the message.
fn identify(results: &mut [Value]) {
    let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
    for result in results {
        let location = &result["locations"][0];
        let parts = [
            result["ruleId"].as_str().unwrap_or(""),
            location["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap_or(""),
            location["logicalLocations"][0]["name"].as_str().unwrap_or(""),
            result["message"]["text"].as_str().unwrap_or(""),
        ];
        let hash = hash(&parts.join("\0"));
        let number = seen.entry(hash).or_default();
        result["partialFingerprints"] = json!({ "echis/v1": format!("{hash:016x}:{number}") });
        *number += 1;
    }
}

/// FNV-1a, which never changes.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
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
        "locations": focus(sources, diagnostic).map(|span| location(sources, span, None)).into_iter().collect::<Vec<_>>(),
        "relatedLocations": related.collect::<Vec<_>>(),
        "fixes": diagnostic.fix.iter().map(|found| fix(sources, found)).collect::<Vec<_>>(),
    })
}

fn fix(sources: &SourceMap, fix: &Fix) -> Value {
    let mut files: BTreeMap<FileId, Vec<Value>> = BTreeMap::new();
    for (span, text) in &fix.edits {
        let replacement =
            json!({ "deletedRegion": region(&position(sources, *span)), "insertedContent": { "text": text } });
        files.entry(span.file).or_default().push(replacement);
    }
    let change = |(file, replacements): (FileId, Vec<Value>)| json!({ "artifactLocation": artifact(&sources.file(file).path), "replacements": replacements });
    let changes: Vec<Value> = files.into_iter().map(change).collect();
    json!({ "description": { "text": fix.message }, "artifactChanges": changes })
}

fn location(sources: &SourceMap, span: Span, message: Option<&str>) -> Value {
    let position = position(sources, span);
    let mut location = json!({
        "physicalLocation": { "artifactLocation": artifact(&position.file), "region": region(&position) },
    });
    if let Some(message) = message {
        location["message"] = json!({ "text": message });
    }
    location
}

/// A location for a position in JSON.
fn placed(position: &Value, message: &str) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": artifact(position["file"].as_str().unwrap_or("")),
            "region": {
                "startLine": position["line"],
                "startColumn": position["column"],
                "endLine": position["end_line"],
                "endColumn": position["end_column"],
            },
        },
        "message": { "text": message },
    })
}

fn region(position: &Position) -> Value {
    json!({
        "startLine": position.line,
        "startColumn": position.column,
        "endLine": position.end_line,
        "endColumn": position.end_column,
    })
}

/// An absolute path becomes a URI; a relative one is based on the folder of the run.
fn artifact(path: &str) -> Value {
    match path.starts_with('/') {
        true => json!({ "uri": file_uri(path) }),
        false => json!({ "uri": encoded(path), "uriBaseId": ROOT }),
    }
}

fn file_uri(path: &str) -> String {
    format!("file://{}", encoded(path))
}

/// Percent-encodes everything except characters that are always allowed in URIs.
fn encoded(path: &str) -> String {
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
            ("error", format!("{}: {member} was not decided within the time limit", file.path))
        }
        Stopped::Interrupted { member: Some((member, _)) } => {
            ("error", format!("{}: {member} was not decided, because the run was interrupted", file.path))
        }
        Stopped::Interrupted { member: None } => {
            ("error", format!("{} was not looked at, because the run was interrupted", file.path))
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
