//! What is known about documents, by the analysis that found it.

use crate::job::Generation;
use crate::text::Text;
use echis::{Covered, Dependencies, FileResult};
use serde_json::Value;
use std::collections::BTreeMap;
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
    pub proofs: Proofs,
}

/// What was last found in a member.
#[derive(Clone)]
pub(crate) struct Verdict {
    pub generation: Generation,
    pub findings: Vec<Value>,
    /// `verified (0.12 s)`
    pub title: String,
    /// The line that the member's name was on.
    pub line: usize,
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

/// What is known of the proofs of one state of a document.
#[derive(Clone, Default)]
pub(crate) struct Proofs {
    pub generation: Generation,
    /// With what each assertion rests on.
    pub dependencies: Option<Arc<Dependencies>>,
    pub covered: Option<Arc<Covered>>,
    /// What failed, with values.
    pub examples: Option<Arc<FileResult>>,
}

impl DocumentStore {
    pub fn documents(&self) -> MutexGuard<'_, BTreeMap<String, Found>> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// The document is another one: what was found in its members is all that stays, until they are verified.
    pub fn outdate(&self, uri: &str, offers: Vec<Offer>) {
        let mut documents = self.documents();
        let found = documents.entry(uri.to_string()).or_default();
        (found.hints, found.offers, found.proofs) = (Vec::new(), offers, Proofs::default());
    }
    /// What was found in members of a document, where they are now.
    pub fn findings(&self, uri: &str, text: &Text) -> Vec<Value> {
        let documents = self.documents();
        let Some(found) = documents.get(uri) else { return Vec::new() };
        let mut all = Vec::new();
        for member in crate::outline::members(text) {
            let Some(verdict) = found.members.get(member.name(text)) else { continue };
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
    pub fn proofs(&self, uri: &str, generation: Generation) -> Option<Proofs> {
        let documents = self.documents();
        documents.get(uri).map(|found| found.proofs.clone()).filter(|proofs| proofs.generation == generation)
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
