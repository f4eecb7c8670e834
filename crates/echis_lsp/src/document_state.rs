//! The analysis results of each document.

use crate::job::{Generation, Job};
use crate::text::Text;
use echis::{Cancel, Verification};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Default)]
pub(crate) struct DocumentStore {
    documents: Mutex<BTreeMap<String, Found>>,
}

/// Analysis results of a document.
#[derive(Default)]
pub(crate) struct Found {
    pub members: BTreeMap<String, Verdict>,
    /// Hints for the current text.
    pub hints: Vec<Value>,
    /// Code actions for the current text.
    pub offers: Vec<Offer>,
    /// The last verification of the document, with its proofs.
    pub verified: Option<(Generation, Arc<Verification>)>,
}

/// The last result of a member, or of all implementations of a procedure.
#[derive(Clone)]
pub(crate) struct Verdict {
    pub generation: Generation,
    pub findings: Vec<Value>,
    /// `verified (0.12 s)`
    pub title: String,
    /// The line of the member's name at that time.
    pub line: usize,
}

impl Verdict {
    /// Merges the result with that of another implementation.
    pub fn with(mut self, other: &Verdict) -> Self {
        if self.findings.is_empty() && !other.findings.is_empty() {
            self.title.clone_from(&other.title);
        }
        let new = other.findings.iter().filter(|finding| !self.findings.contains(finding));
        let new: Vec<Value> = new.cloned().collect();
        self.findings.extend(new);
        self
    }
}

/// A code action for a finding.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Offer {
    pub title: String,
    /// The range of the finding.
    pub range: Value,
    pub code: String,
    pub edits: Vec<Value>,
}

impl DocumentStore {
    pub fn documents(&self) -> MutexGuard<'_, BTreeMap<String, Found>> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Drops all results of a changed document except the findings of its members, which stay until they are verified.
    pub fn outdate(&self, uri: &str, offers: Vec<Offer>) {
        let mut documents = self.documents();
        let found = documents.entry(uri.to_string()).or_default();
        (found.hints, found.offers, found.verified) = (Vec::new(), offers, None);
    }
    /// The findings of a document's members, moved to the members' current lines.
    pub fn findings(&self, uri: &str, text: &Text) -> Vec<Value> {
        let documents = self.documents();
        let Some(found) = documents.get(uri) else { return Vec::new() };
        let mut all = Vec::new();
        let mut seen = BTreeSet::new();
        for member in crate::outline::members(text) {
            let name = member.name(text);
            let Some(verdict) = found.members.get(name).filter(|_| seen.insert(name)) else { continue };
            let (line, _) = text.place(text.words[member.name].start);
            let moved = |finding: &Value| {
                let mut finding = finding.clone();
                shift(&mut finding, line as i64 - verdict.line as i64);
                finding
            };
            all.extend(verdict.findings.iter().map(moved));
        }
        all.extend(found.hints.iter().cloned());
        all
    }
    /// Stores a verification, unless the document has changed.
    pub fn keep(&self, job: &Job, verification: &Arc<Verification>, cancel: &Cancel) {
        let mut documents = self.documents();
        if let Some(found) = documents.get_mut(&job.uri).filter(|_| !cancel.is_cancelled()) {
            found.verified = Some((job.generation, verification.clone()));
        }
    }
    /// The verification of the given generation of a document, if there is one.
    pub fn verification(&self, uri: &str, generation: Generation) -> Option<Arc<Verification>> {
        let documents = self.documents();
        let (verified, verification) = documents.get(uri)?.verified.as_ref()?;
        (*verified == generation).then(|| verification.clone())
    }
}

/// Shifts all positions in a message by a number of lines.
fn shift(value: &mut Value, by: i64) {
    match value {
        Value::Array(parts) => parts.iter_mut().for_each(|part| shift(part, by)),
        Value::Object(fields) => {
            for (name, field) in fields {
                match field.as_i64().filter(|_| name == "line") {
                    Some(line) => *field = Value::from((line + by).max(0)),
                    None => shift(field, by),
                }
            }
        }
        _ => {}
    }
}
