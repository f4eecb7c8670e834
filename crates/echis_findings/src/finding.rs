//! What a run found, as plain data: the driver fills it, reports print it.

use crate::counterexample::Counterexample;
use crate::profile::{MemberProfile, Stability};
use echis_base::{Diagnostic, FileId, Fix, Name, SourceMap, Span};
use echis_proof::MemberKind;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The conclusion about one program.
#[derive(Clone)]
pub struct FileResult {
    /// As the user named it.
    pub path: Name,
    pub verdict: FileVerdict,
    pub time: Duration,
    /// In source order, whatever order they were verified in.
    pub members: Vec<MemberResult>,
    pub errors: Vec<Finding>,
    pub warnings: Vec<Diagnostic>,
    /// Why there is no answer, or no complete one: defects, time-outs and interrupts.
    pub stopped: Vec<Stopped>,
    pub sources: Arc<SourceMap>,
    /// If it was asked for, in the order of the members.
    pub profile: Option<Vec<MemberProfile>>,
    pub stability: Option<Stability>,
    /// Which members these are, where the program is verified in parts.
    pub part: Option<Part>,
}

/// A part of a program's members, and everything that says of which program and which run it is a part. Parts make a whole
/// only if they agree on all of that and have each member once.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Part {
    /// Index and count, where the run was split by `--shard`.
    pub shard: Option<(usize, usize)>,
    /// The number of files of the run, where it is known.
    pub files: Option<usize>,
    /// The members of the part, as positions among all members that the run selects, in source order.
    pub at: Vec<usize>,
    /// The number of members that the run selects.
    pub total: usize,
    /// The selected members that are not in this part, in source order, where the part names them.
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
    /// The options that change verdicts or reports, in words.
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
    /// No obligation failed, but some were not decided: the solver gave up, or the run ended before.
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
    /// The run's time was over before this member was done.
    TimeOut { member: Name, span: Span, reached: Reached },
    /// The user ended the run before this member was done, or before the file was looked at.
    Interrupted { member: Option<(Name, Span)> },
    /// A defect of ours or of the solver; the text says what to report.
    Defect { member: Option<Name>, message: String },
}

/// How far a member was when it was stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reached {
    /// Obligations that were checked; one that is checked on several paths counts as often.
    pub obligations: usize,
    /// The place and the id of the one that was being checked.
    pub at: Option<(Span, String)>,
}

impl Stopped {
    /// The member that was not finished, where it is about one.
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
    /// The verdict is of another time.
    pub cached: bool,
}

/// One error, with everything known about how it comes about.
#[derive(Clone, Debug)]
pub struct Finding {
    pub diagnostic: Diagnostic,
    /// Where an execution is when it fails, if that is not where it is reported: a postcondition fails at the end.
    pub happens: Option<Span>,
    pub member: Option<Name>,
    /// The sentence of the message that says why, for errors of verification.
    pub reason: Option<String>,
    /// What that sentence speaks of, in the words of the member: of a conjunct of a macro, the use of the macro.
    pub subject: Option<String>,
    /// The nodes that the error and its reason speak of, for errors of verification.
    pub nodes: Option<Blamed>,
    /// The conditions of each path on which the same thing fails; empty where it fails unconditionally.
    pub paths: Vec<Vec<Condition>>,
    /// The error was found under the assumption that an earlier failed obligation holds.
    pub cascade: bool,
    /// The obligation was not decided; the sentence says why.
    pub undecided: Option<String>,
    pub note: Option<String>,
    /// Further fixes besides the diagnostic's own, which is the best one.
    pub other_fixes: Vec<Fix>,
    /// Where one was asked for and found.
    pub counterexample: Option<Box<Counterexample>>,
    /// Why there is none although one was asked for.
    pub no_counterexample: Option<String>,
}

/// The two nodes that an error names, for those who made the program and know its nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blamed {
    /// The node that the error is reported at.
    pub offending: Named,
    /// The node that the reason speaks of.
    pub reason: Named,
}

/// A node of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub span: Span,
    /// `@name("args")`, as they were written before it.
    pub annotations: Vec<(Name, Vec<Name>)>,
}

/// A branch condition as it was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// In source text, negated where the other branch was taken: `!(a && b)`.
    pub text: String,
    pub span: Span,
    /// Whether it was false.
    pub negated: bool,
    /// Where it speaks of values that changed later: what they were, or until when.
    pub when: Option<String>,
}

/// Conditions as people read them: what is repeated is said once, and what became the opposite is said in order.
pub fn without_repetitions(path: &[Condition]) -> Vec<&Condition> {
    let mut latest: BTreeMap<&str, bool> = BTreeMap::new();
    path.iter()
        .filter(|condition| latest.insert(condition.base(), condition.negated) != Some(condition.negated))
        .collect()
}

impl Condition {
    /// As it would be if it were true.
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

/// Sorts by the file, line and column at which executions fail, so that causes come first, and by id, and makes one
/// finding of those that say the same.
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

/// Findings without a place come first.
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
    // A failure that needs no assumption makes the error real, however else it was found.
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
