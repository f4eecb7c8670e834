//! JUnit XML for build servers: a suite per file, a case per member.

use crate::human::focus;
use echis_base::SourceMap;
use echis_findings::{FileResult, FileVerdict, Finding, MemberResult, Stopped};
use std::fmt::Write;
use std::time::Duration;

/// One document for the whole run.
pub fn document(files: &[FileResult]) -> String {
    let suites: Vec<Suite> = files.iter().map(Suite::new).collect();
    let sum = |count: fn(&Suite) -> usize| suites.iter().map(count).sum::<usize>();
    let time: Duration = files.iter().map(|file| file.time).sum();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<testsuites name=\"Echis\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{}\">",
        sum(|suite| suite.cases.len()),
        sum(|suite| suite.failures()),
        sum(|suite| suite.errors()),
        seconds(time),
    );
    for suite in &suites {
        suite.write(&mut out);
    }
    out + "</testsuites>\n"
}

struct Suite<'a> {
    file: &'a FileResult,
    cases: Vec<Case<'a>>,
}

struct Case<'a> {
    name: &'a str,
    time: Duration,
    /// Obligations that failed or were not decided.
    failures: Vec<&'a Finding>,
    /// Why there is no answer, with its type.
    errors: Vec<(&'static str, String)>,
}

impl<'a> Suite<'a> {
    fn new(file: &'a FileResult) -> Self {
        let mut cases: Vec<Case> = file.members.iter().map(|member| Case::of_member(file, member)).collect();
        let whole = Case::of_file(file);
        // A file without members was not verified, or could not be.
        if cases.is_empty() || !whole.failures.is_empty() || !whole.errors.is_empty() {
            cases.insert(0, whole);
        }
        Suite { file, cases }
    }
    fn failures(&self) -> usize {
        self.cases.iter().filter(|case| case.has_failed()).count()
    }
    fn errors(&self) -> usize {
        self.cases.iter().filter(|case| !case.has_failed() && !case.has_passed()).count()
    }
    fn write(&self, out: &mut String) {
        let _ = writeln!(
            out,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{}\">",
            attribute(&self.file.path),
            self.cases.len(),
            self.failures(),
            self.errors(),
            seconds(self.file.time),
        );
        for case in &self.cases {
            case.write(self.file, out);
        }
        out.push_str("  </testsuite>\n");
    }
}

impl<'a> Case<'a> {
    fn of_member(file: &'a FileResult, member: &'a MemberResult) -> Self {
        let own = |finding: &&Finding| finding.member.as_deref() == Some(&*member.name);
        let mut errors: Vec<(&str, String)> = file.stopped.iter().filter_map(|it| stopped(it, &member.name)).collect();
        if errors.is_empty() && member.verdict == FileVerdict::Error {
            errors.push(("error", "it could not be verified".to_string()));
        }
        Case { name: &member.name, time: member.time, failures: file.errors.iter().filter(own).collect(), errors }
    }
    /// Findings that belong to no member.
    fn of_file(file: &'a FileResult) -> Self {
        let is_member = |name: &str| file.members.iter().any(|member| &*member.name == name);
        let own = |finding: &&Finding| !finding.member.as_deref().is_some_and(is_member);
        let errors = file.stopped.iter().filter_map(|stopped| match stopped {
            Stopped::Defect { member, message } if !member.as_deref().is_some_and(is_member) => {
                Some(("error", message.clone()))
            }
            Stopped::Interrupted { member: None } => {
                Some(("undecided", "the run was interrupted before this file".to_string()))
            }
            _ => None,
        });
        let time = if file.members.is_empty() { file.time } else { Duration::ZERO };
        let failures = file.errors.iter().filter(own).collect();
        Case { name: "the program", time, failures, errors: errors.collect() }
    }
    fn has_passed(&self) -> bool {
        self.failures.is_empty() && self.errors.is_empty()
    }
    /// Whether something definitely fails.
    fn has_failed(&self) -> bool {
        self.errors.is_empty() && self.failures.iter().any(|finding| finding.undecided.is_none())
    }
    fn write(&self, file: &FileResult, out: &mut String) {
        let (class, name, time) = (attribute(&file.path), attribute(self.name), seconds(self.time));
        let _ = write!(out, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{time}\"");
        if self.has_passed() {
            out.push_str("/>\n");
            return;
        }
        out.push_str(">\n");
        for (kind, message) in &self.errors {
            let _ = writeln!(out, "      <error type=\"{kind}\" message=\"{}\"/>", attribute(message));
        }
        for finding in &self.failures {
            let diagnostic = &finding.diagnostic;
            let (kind, message) = (attribute(&diagnostic.id), attribute(&diagnostic.message));
            let details = text(&details(&file.sources, finding));
            let (element, kind) =
                if finding.undecided.is_some() { ("error", "undecided") } else { ("failure", &*kind) };
            let _ = writeln!(out, "      <{element} type=\"{kind}\" message=\"{message}\">{details}</{element}>");
        }
        out.push_str("    </testcase>\n");
    }
}

fn stopped(stopped: &Stopped, name: &str) -> Option<(&'static str, String)> {
    match stopped {
        Stopped::TimeOut { member, .. } if **member == *name => {
            Some(("undecided", "not decided within the time limit".to_string()))
        }
        Stopped::Interrupted { member: Some((member, _)) } if **member == *name => {
            Some(("undecided", "not decided, because the run was interrupted".to_string()))
        }
        Stopped::Defect { member: Some(member), message } if **member == *name => Some(("error", message.clone())),
        _ => None,
    }
}

/// The location and the path of a failure.
fn details(sources: &SourceMap, finding: &Finding) -> String {
    let mut details = finding.diagnostic.message.clone();
    if let Some(span) = focus(sources, &finding.diagnostic) {
        let at = sources.position(span);
        let _ = write!(details, "\n{}:{}:{}", at.file, at.start.line, at.start.column);
    }
    for path in finding.paths.iter().filter(|path| !path.is_empty()) {
        let conditions: Vec<&str> = path.iter().map(|condition| &*condition.text).collect();
        let _ = write!(details, "\non the path where {}", conditions.join(", "));
    }
    if let Some(why) = &finding.undecided {
        let _ = write!(details, "\nnot decided: {why}");
    }
    if let Some(note) = &finding.note {
        let _ = write!(details, "\n{note}");
    }
    details
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// Characters that XML cannot represent are omitted.
fn text(text: &str) -> String {
    let allowed = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let text: String = text.chars().filter(allowed).filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}')).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn attribute(value: &str) -> String {
    text(value).replace('"', "&quot;").replace('\n', "&#10;").replace('\t', "&#9;")
}
