//! Annotations for GitHub workflows: one line per finding, which the runner shows at its location in a change.

use crate::human::focus;
use echis_base::{Diagnostic, Severity, SourceMap};
use echis_findings::{FileResult, Finding, Stopped};

pub fn file(file: &FileResult) -> String {
    let errors = file.errors.iter().map(|finding| of_finding(&file.sources, finding));
    let warnings = file.warnings.iter().map(|warning| annotation(&file.sources, warning, "warning", ""));
    let stopped = file.stopped.iter().map(|stopped| of_stopped(&file.path, stopped));
    errors.chain(stopped).chain(warnings).collect()
}

fn of_finding(sources: &SourceMap, finding: &Finding) -> String {
    let mut notes = String::new();
    if let Some(member) = &finding.member {
        notes += &format!("\nwhile verifying {member}");
    }
    if let Some(path) = finding.paths.first().filter(|path| !path.is_empty()) {
        let conditions: Vec<&str> = path.iter().map(|condition| &*condition.text).collect();
        notes += &format!("\non the path where {}", conditions.join(", "));
    }
    if let Some(why) = &finding.undecided {
        notes += &format!("\nnot decided: {why}");
    }
    if let Some(note) = &finding.note {
        notes += &format!("\n{note}");
    }
    let level = match finding.diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut diagnostic = finding.diagnostic.clone();
    if finding.undecided.is_some() {
        diagnostic.message = format!("Undecided: {}", diagnostic.message);
    }
    annotation(sources, &diagnostic, level, &notes)
}

fn of_stopped(path: &str, stopped: &Stopped) -> String {
    let (title, message) = match stopped {
        Stopped::TimeOut { member, .. } => ("undecided", format!("{member} was not decided within the time limit")),
        Stopped::Interrupted { member: Some((member, _)) } => {
            ("undecided", format!("{member} was not decided, because the run was interrupted"))
        }
        Stopped::Interrupted { member: None } => ("undecided", "the run was interrupted before this file".to_string()),
        Stopped::Defect { member: Some(member), message } => ("failure of the tool", format!("{message} ({member})")),
        Stopped::Defect { member: None, message } => ("failure of the tool", message.clone()),
    };
    format!("::error file={},title={title}::{}\n", property(path), data(&message))
}

fn annotation(sources: &SourceMap, diagnostic: &Diagnostic, level: &str, notes: &str) -> String {
    let title = property(&diagnostic.id);
    let message = data(&format!("{}{notes}", diagnostic.message));
    match focus(sources, diagnostic).map(|span| sources.position(span)) {
        // Columns are not allowed for a range over several lines.
        Some(at) if at.start.line < at.end.line => {
            let (file, line, end) = (property(&at.file), at.start.line, at.end.line);
            format!("::{level} file={file},line={line},endLine={end},title={title}::{message}\n")
        }
        Some(at) => {
            let (file, line) = (property(&at.file), at.start.line);
            let (column, end) = (at.start.column, at.end.column);
            format!("::{level} file={file},line={line},col={column},endColumn={end},title={title}::{message}\n")
        }
        None => format!("::{level} title={title}::{message}\n"),
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
