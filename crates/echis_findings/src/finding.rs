//! The results of a run, as plain data: the driver creates them, reports print them.

use crate::counterexample::Counterexample;
use crate::profile::{MemberProfile, Stability};
use echis_base::{Diagnostic, FileId, Fix, Name, SourceMap, Span};
use echis_proof::MemberKind;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The result for one program.
#[derive(Clone)]
pub struct FileResult {
    /// As given by the user.
    pub path: Name,
    pub verdict: FileVerdict,
    pub time: Duration,
    /// In source order, regardless of the order of verification.
    pub members: Vec<MemberResult>,
    pub errors: Vec<Finding>,
    pub warnings: Vec<Diagnostic>,
    /// Why there is no answer, or no complete one: defects, timeouts and interrupts.
    pub stopped: Vec<Stopped>,
    pub sources: Arc<SourceMap>,
    /// If requested, in member order.
    pub profile: Option<Vec<MemberProfile>>,
    pub stability: Option<Stability>,
    /// The part of the members, if the program is verified in parts.
    pub part: Option<Part>,
}

/// A part of a program's members, with everything that identifies the program and the run. Parts can be merged only
/// if they agree on all of that and contain each member once.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Part {
    /// Index and count, where the run was split by `--shard`.
    pub shard: Option<(usize, usize)>,
    /// The number of files of the run, if known.
    pub files: Option<usize>,
    /// The members of the part, as positions among all members that the run selects, in source order.
    pub at: Vec<usize>,
    /// The number of members that the run selects.
    pub total: usize,
    /// The selected members that are not in this part, in source order, if the part lists them.
    pub left_out: Vec<(Name, MemberKind)>,
    pub run: RunIdentity,
}

/// Everything that the verdicts of a run depend on. Digests are hexadecimal.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RunIdentity {
    /// The files that the program consists of, the main file first, each with the SHA-256 of its text.
    pub sources: Vec<(Name, String)>,
    /// A digest of the code of Echis.
    pub code: String,
    /// The options that affect verdicts or reports.
    pub options: String,
    /// A digest of the solver's executable and settings.
    pub solver: String,
    /// A digest of the names of all members that the run selects.
    pub members: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FileVerdict {
    /// The program was checked but not verified.
    Valid,
    Verified,
    /// No obligation failed, but some were not decided: the solver gave up, or the run ended early.
    Undecided,
    /// An obligation failed.
    Failed,
    /// The program has errors before verification, or cannot be read.
    Invalid,
    /// Echis or its solver failed.
    Error,
}

impl FileVerdict {
    pub fn name(self) -> &'static str {
        match self {
            FileVerdict::Valid => "valid",
            FileVerdict::Verified => "verified",
            FileVerdict::Undecided => "undecided",
            FileVerdict::Failed => "failed",
            FileVerdict::Invalid => "invalid",
            FileVerdict::Error => "error",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The time limit was reached before this member was finished.
    TimeOut { member: Name, span: Span, reached: Reached },
    /// The user ended the run before this member was finished, or before the file was processed.
    Interrupted { member: Option<(Name, Span)> },
    /// A defect of Echis or the solver; the text says what to report.
    Defect { member: Option<Name>, message: String },
}

/// The progress of a member's verification when it was stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reached {
    /// Number of obligations checked; one that is checked on several paths counts several times.
    pub obligations: usize,
    /// The location and the id of the current one.
    pub at: Option<(Span, String)>,
}

impl Stopped {
    /// The unfinished member, if it is about one.
    pub fn member(&self) -> Option<&Name> {
        match self {
            Stopped::TimeOut { member, .. } => Some(member),
            Stopped::Interrupted { member } => member.as_ref().map(|(name, _)| name),
            Stopped::Defect { member, .. } => member.as_ref(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct MemberResult {
    pub name: Name,
    pub kind: MemberKind,
    /// Never `Valid` or `Invalid`.
    pub verdict: FileVerdict,
    pub time: Duration,
    pub checks: usize,
    /// Whether the verdict is from an earlier run.
    pub cached: bool,
}

/// An error, with everything known about its cause.
#[derive(Clone, Debug)]
pub struct Finding {
    pub diagnostic: Diagnostic,
    /// The location of the failing execution, if it differs from the reported one: a postcondition fails at the end.
    pub happens: Option<Span>,
    pub member: Option<Name>,
    /// The sentence of the message with the reason, for verification errors.
    pub reason: Option<String>,
    /// The text that this sentence is about, in terms of the member: for a conjunct of a macro, the use of the macro.
    pub subject: Option<String>,
    /// The nodes of the error and its reason, for verification errors.
    pub nodes: Option<Blamed>,
    /// The conditions of each path with this failure; empty if it fails unconditionally.
    pub paths: Vec<Vec<Condition>>,
    /// Whether it was found under the assumption that an earlier failed obligation holds.
    pub cascade: bool,
    /// Why the obligation was not decided, as a sentence, if it was not.
    pub undecided: Option<String>,
    pub note: Option<String>,
    /// Fixes other than the diagnostic's own, which is the best one.
    pub other_fixes: Vec<Fix>,
    /// If requested and found.
    pub counterexample: Option<Box<Counterexample>>,
    /// Why there is none, if it was requested.
    pub no_counterexample: Option<String>,
}

/// The two nodes that an error names, for front ends that built the program and know its nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blamed {
    /// The node at which the error is reported.
    pub offending: Named,
    /// The node that the reason is about.
    pub reason: Named,
}

/// A node of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub span: Span,
    /// `@name("args")`, as written before the node.
    pub annotations: Vec<(Name, Vec<Name>)>,
}

/// A branch condition, as it evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The source text, negated if the other branch was taken: `!(a && b)`.
    pub text: String,
    pub span: Span,
    /// Whether it was false.
    pub negated: bool,
    /// If it mentions values that changed later: what they were, or until when.
    pub when: Option<String>,
}

/// Conditions for users: repetitions are removed, and conditions that changed are listed in order.
pub fn without_repetitions(path: &[Condition]) -> Vec<&Condition> {
    let mut latest: BTreeMap<&str, bool> = BTreeMap::new();
    path.iter()
        .filter(|condition| latest.insert(condition.base(), condition.negated) != Some(condition.negated))
        .collect()
}

impl Condition {
    /// The text of the unnegated condition.
    fn base(&self) -> &str {
        let negated = |text: &'_ str| text.len() > 3 && text.starts_with("!(") && text.ends_with(')');
        match &*self.text {
            text if !self.negated => text,
            text if negated(text) => &text[2..text.len() - 1],
            text => text.strip_prefix('!').unwrap_or(text),
        }
    }
}

impl Finding {
    pub fn new(diagnostic: Diagnostic) -> Self {
        Finding {
            cascade: diagnostic.consequence,
            diagnostic,
            happens: None,
            member: None,
            reason: None,
            subject: None,
            nodes: None,
            paths: Vec::new(),
            undecided: None,
            note: None,
            other_fixes: Vec::new(),
            counterexample: None,
            no_counterexample: None,
        }
    }
}

/// Sorts by the location at which executions fail, so that causes come first, and by id, and merges findings with the
/// same message.
pub fn merge(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
    let mut merged: Vec<Finding> = Vec::new();
    for finding in findings {
        match merged.last_mut() {
            Some(last) if says_the_same(last, &finding) => absorb(last, finding),
            _ => merged.push(finding),
        }
    }
    merged
}

/// Findings without a location come first.
fn sort_key(finding: &Finding) -> (Option<(FileId, u32)>, Option<Span>, &str, &str) {
    let diagnostic = &finding.diagnostic;
    let start = finding.happens.or(diagnostic.span).map(|span| (span.file, span.start));
    (start, diagnostic.span, &diagnostic.id, &diagnostic.message)
}

fn says_the_same(a: &Finding, b: &Finding) -> bool {
    let (a, b) = (&a.diagnostic, &b.diagnostic);
    a.id == b.id && a.span == b.span && a.message == b.message
}

fn absorb(into: &mut Finding, other: Finding) {
    // A failure that needs no assumption makes the error definite.
    into.cascade &= other.cascade;
    into.undecided = into.undecided.take().filter(|_| other.undecided.is_some());
    into.counterexample = into.counterexample.take().or(other.counterexample);
    into.no_counterexample =
        into.no_counterexample.take().or(other.no_counterexample).filter(|_| into.counterexample.is_none());
    for path in other.paths {
        if !into.paths.contains(&path) {
            into.paths.push(path);
        }
    }
}
