//! What is known about each document, by the analysis that found it.

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

/// What was found in a document.
#[derive(Default)]
pub(crate) struct Found {
    pub members: BTreeMap<String, Verdict>,
    /// What is to be said besides errors, of the document as it is.
    pub hints: Vec<Value>,
    /// Changes that may be offered, of the document as it is.
    pub offers: Vec<Offer>,
    /// The document as it was last verified, with all that is known of its proofs.
    pub verified: Option<(Generation, Arc<Verification>)>,
}

/// What was last found in a member, or in all implementations of a procedure.
#[derive(Clone)]
pub(crate) struct Verdict {
    pub generation: Generation,
    pub findings: Vec<Value>,
    /// `verified (0.12 s)`
    pub title: String,
    /// The line that the member's name was on.
    pub line: usize,
}

impl Verdict {
    /// Together with what was found in another implementation.
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

/// A change against something that was found.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Offer {
    pub title: String,
    /// Of the finding.
    pub range: Value,
    pub code: String,
    pub edits: Vec<Value>,
}

impl DocumentStore {
    pub fn documents(&self) -> MutexGuard<'_, BTreeMap<String, Found>> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// The document is another one: what was found in its members is all that stays, until they are verified.
    pub fn outdate(&self, uri: &str, offers: Vec<Offer>) {
        let mut documents = self.documents();
        let found = documents.entry(uri.to_string()).or_default();
        (found.hints, found.offers, found.verified) = (Vec::new(), offers, None);
    }
    /// What was found in members of a document, where they are now.
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
    /// Keeps a verification, unless the document has become another one.
    pub fn keep(&self, job: &Job, verification: &Arc<Verification>, cancel: &Cancel) {
        let mut documents = self.documents();
        if let Some(found) = documents.get_mut(&job.uri).filter(|_| !cancel.is_cancelled()) {
            found.verified = Some((job.generation, verification.clone()));
        }
    }
    /// One state of a document, if it was verified.
    pub fn verification(&self, uri: &str, generation: Generation) -> Option<Arc<Verification>> {
        let documents = self.documents();
        let (verified, verification) = documents.get(uri)?.verified.as_ref()?;
        (*verified == generation).then(|| verification.clone())
    }
}

/// Moves every place in a message by some lines.
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
