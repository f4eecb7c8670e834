//! Boogie's output for a program.

use echis_base::{Diagnostic, SourceMap, Span, counted};
use echis_findings::{FileResult, FileVerdict, Finding, IF_VERIFIED, MemberResult, Stopped};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Output options besides errors.
#[derive(Clone, Copy, Debug)]
pub struct Boogie {
    /// Maximum number of errors per procedure; 0 means all.
    pub error_limit: usize,
    /// Whether to name each procedure.
    pub trace: bool,
    /// Whether to print counterexamples.
    pub models: bool,
    /// Whether to print the number of verified procedures.
    pub counts: bool,
}

/// The results for procedures.
#[derive(Default)]
struct Tally {
    verified: usize,
    errors: usize,
    time_outs: usize,
    out_of_resource: usize,
    inconclusive: usize,
}

impl Boogie {
    /// The errors of a program and the summary line.
    pub fn file(&self, file: &FileResult) -> String {
        self.file_with(file, "")
    }
    /// Like [`file`](Self::file), with a text before the summary line.
    pub fn file_with(&self, file: &FileResult, last: &str) -> String {
        let front: Vec<&Finding> = file.errors.iter().filter(|finding| finding.member.is_none()).collect();
        let mut text = String::new();
        for warning in file.warnings.iter().filter(|warning| &*warning.id != IF_VERIFIED) {
            text += &located(&file.sources, warning.span, &format!("Warning: {}", warning.message));
        }
        if file.members.is_empty() && !front.is_empty() {
            return text + &invalid(file, &front);
        }
        for finding in front {
            text += &error(&file.sources, &finding.diagnostic, "Error");
        }
        let mut tally = Tally::default();
        let mut told = BTreeSet::new();
        for member in &file.members {
            // Errors of several bodies of one procedure have the same name.
            let errors: Vec<&Finding> = match member.verdict != FileVerdict::Verified && told.insert(&member.name) {
                true => file.errors.iter().filter(|finding| finding.member.as_ref() == Some(&member.name)).collect(),
                false => Vec::new(),
            };
            text += &self.member(file, member, errors, &mut tally);
        }
        for told in file.warnings.iter().filter(|warning| &*warning.id == IF_VERIFIED) {
            let _ = writeln!(text, "{}", told.message);
        }
        for stopped in &file.stopped {
            if let Stopped::Defect { message, .. } = stopped {
                let _ = writeln!(text, "*** Error: {message}");
            }
        }
        text + last + &self.summary(&tally)
    }

    fn member(&self, file: &FileResult, member: &MemberResult, errors: Vec<&Finding>, tally: &mut Tally) -> String {
        let (undecided, failed): (Vec<&Finding>, Vec<&Finding>) =
            errors.into_iter().partition(|finding| finding.undecided.is_some());
        let shown = if self.error_limit == 0 { failed.len() } else { self.error_limit.min(failed.len()) };
        let mut text = String::new();
        for finding in &failed[..shown] {
            text += &error(&file.sources, &finding.diagnostic, "Error");
            text += &self.model(finding);
        }
        tally.errors += shown;
        let about = |stopped: &&Stopped| stopped.member() == Some(&member.name);
        let stopped = file.stopped.iter().find(about);
        let (outcome, line) = match (member.verdict, stopped) {
            (FileVerdict::Verified, _) => {
                tally.verified += 1;
                ("verified", None)
            }
            (_, Some(Stopped::TimeOut { span, .. })) => {
                tally.time_outs += 1;
                ("timed out", Some((Some(*span), format!("Verification of '{}' timed out", member.name))))
            }
            (_, Some(Stopped::Interrupted { .. } | Stopped::Defect { .. })) => {
                tally.inconclusive += 1;
                ("inconclusive", Some((None, format!("Verification inconclusive ({})", member.name))))
            }
            (FileVerdict::Undecided, _) => {
                tally.out_of_resource += 1;
                let span = undecided.first().and_then(|finding| finding.diagnostic.span);
                ("out of resource", Some((span, format!("Verification out of resource ({})", member.name))))
            }
            _ if failed.len() == 1 => ("error", None),
            _ => ("errors", None),
        };
        if let Some((span, line)) = line {
            text += &located(&file.sources, span, &line);
        }
        if !self.trace {
            return text;
        }
        let seconds = member.time.as_secs_f64();
        let (name, checks) = (&member.name, member.checks);
        let checks = counted(checks, "proof obligation");
        format!("\nVerifying {name} ...\n  [{seconds:.3} s, {checks}]  {outcome}\n{text}")
    }

    fn model(&self, finding: &Finding) -> String {
        let Some(example) = finding.counterexample.as_ref().filter(|_| self.models) else { return String::new() };
        let variables = example.store.iter().filter(|variable| !variable.irrelevant);
        let lines: String =
            variables.map(|variable| format!("{} -> {}\n", variable.name, variable.value.text)).collect();
        format!("*** MODEL\n{lines}*** END_MODEL\n")
    }

    fn summary(&self, tally: &Tally) -> String {
        let mut text = "\nBoogie program verifier finished with ".to_string();
        if self.counts {
            let _ = write!(text, "{} verified, ", tally.verified);
        }
        let _ = write!(text, "{}", counted(tally.errors, "error"));
        for (count, what) in [
            (tally.inconclusive, "inconclusive"),
            (tally.time_outs, "time out"),
            (tally.out_of_resource, "out of resource"),
        ] {
            if count > 0 {
                let _ = write!(text, ", {}", counted(count, what));
            }
        }
        text + "\n"
    }
}

/// A program that was not verified because of other errors.
fn invalid(file: &FileResult, front: &[&Finding]) -> String {
    let mut text = String::new();
    if let [finding] = front
        && file.sources.files().next().is_none()
    {
        return format!("Error opening file \"{}\": {}\n", file.path, finding.diagnostic.message);
    }
    let kind = front.first().map_or("", |finding| &*finding.diagnostic.id);
    let (severity, phase) = match kind {
        "parser.error" => ("error", "parse"),
        "resolver.error" => ("Error", "name resolution"),
        _ => ("Error", "type checking"),
    };
    for Finding { diagnostic, .. } in front {
        let message = format!("{severity}: {}", diagnostic.message);
        text += &match diagnostic.span.map(|span| file.sources.position(span)) {
            // Except for parser errors, columns count from 0.
            Some(at) if phase != "parse" => {
                let (line, column) = (at.start.line, at.start.column.saturating_sub(1));
                format!("{}({line},{column}): {message}\n", at.file)
            }
            Some(_) => located(&file.sources, diagnostic.span, &message),
            None => format!("(0,-1): {message}\n"),
        };
    }
    text + &format!("{} {phase} errors detected in {}\n", front.len(), file.path)
}

fn error(sources: &SourceMap, diagnostic: &Diagnostic, severity: &str) -> String {
    let mut text = located(sources, diagnostic.span, &format!("{severity}: {}", diagnostic.message));
    for related in &diagnostic.related {
        text += &located(sources, Some(related.span), &format!("Related location: {}", related.message));
    }
    text
}

fn located(sources: &SourceMap, span: Option<Span>, message: &str) -> String {
    match span.map(|span| sources.position(span)) {
        Some(at) => format!("{}({},{}): {message}\n", at.file, at.start.line, at.start.column),
        None => format!("{message}\n"),
    }
}
