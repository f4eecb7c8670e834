//! Results of files that were not verified.

use crate::checked::{Front, name};
use crate::defect::Ended;
use echis_base::{Diagnostic, Severity};
use echis_findings::{FileResult, FileVerdict, Finding, Stopped, merge};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A file that was not verified: its errors, or that it has none.
pub(crate) fn front_result(front: Front, start: Instant) -> FileResult {
    let (errors, mut warnings): (Vec<Diagnostic>, Vec<Diagnostic>) =
        front.diagnostics.into_iter().partition(|diagnostic| diagnostic.severity == Severity::Error);
    sort(&mut warnings);
    FileResult {
        path: front.path,
        verdict: if errors.is_empty() { FileVerdict::Valid } else { FileVerdict::Invalid },
        time: start.elapsed(),
        members: Vec::new(),
        errors: merge(errors.into_iter().map(Finding::new).collect()),
        warnings,
        stopped: Vec::new(),
        sources: Arc::new(front.sources),
        profile: None,
        stability: None,
        part: None,
    }
}

/// A file over which the front end failed.
pub(crate) fn broken(path: &Path, ended: Ended, start: Instant) -> FileResult {
    let message = match ended {
        Ended::Defect(text) => text,
        Ended::GaveUp(_) => "the front end was interrupted".to_string(),
    };
    let stopped = Stopped::Defect { member: None, message };
    FileResult { time: start.elapsed(), ..unread(path, FileVerdict::Error, stopped) }
}

/// A file that a run did not come to, because the user ended it.
pub fn not_looked_at(path: &Path) -> FileResult {
    unread(path, FileVerdict::Undecided, Stopped::Interrupted { member: None })
}

fn unread(path: &Path, verdict: FileVerdict, stopped: Stopped) -> FileResult {
    FileResult {
        path: name(path),
        verdict,
        time: Duration::ZERO,
        members: Vec::new(),
        errors: Vec::new(),
        warnings: Vec::new(),
        stopped: vec![stopped],
        sources: Arc::default(),
        profile: None,
        stability: None,
        part: None,
    }
}

/// In the order of places, each once.
pub(crate) fn sort(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| (a.span, &a.id, &a.message).cmp(&(b.span, &b.id, &b.message)));
    diagnostics.dedup();
}
