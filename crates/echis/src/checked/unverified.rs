//! Results for files that were not verified.

use crate::defect::Ended;
use crate::source::name;
use echis_base::Diagnostic;
use echis_findings::{FileResult, FileVerdict, Stopped};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The result for a file on which Echis failed.
pub(crate) fn broken(path: &Path, ended: Ended, start: Instant) -> FileResult {
    let message = match ended {
        Ended::Defect(text) => text,
        Ended::GaveUp(_) => "the front end was interrupted".to_string(),
    };
    let stopped = Stopped::Defect { member: None, message };
    FileResult { time: start.elapsed(), ..unread(path, FileVerdict::Error, stopped) }
}

/// The result for a file that was not reached because the user interrupted the run.
pub fn not_looked_at(path: &Path) -> FileResult {
    unread(path, FileVerdict::Undecided, Stopped::Interrupted { member: None })
}

pub(super) fn unread(path: &Path, verdict: FileVerdict, stopped: Stopped) -> FileResult {
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

/// Sorts by location and removes duplicates.
pub(crate) fn sort(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| (a.span, &a.id, &a.message).cmp(&(b.span, &b.id, &b.message)));
    diagnostics.dedup();
}
