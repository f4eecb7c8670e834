//! Goals, before they are asserted.

use crate::labels::Label;
use echis_base::SyntaxId;
use echis_proof::{ErrorKind, Origin, Reason};
use echis_term::TermId;

/// A proposition to prove.
pub(super) struct Goal {
    pub term: TermId,
    pub error: ErrorKind,
    pub reason: Reason,
    pub at: SyntaxId,
    pub related: Option<SyntaxId>,
    pub origin: Origin,
    pub label: Option<Label>,
    /// Whether it is assumed afterwards, and under which label.
    pub known: Option<Option<Label>>,
}

impl Goal {
    pub fn new(term: TermId, error: ErrorKind, at: SyntaxId, origin: Origin) -> Self {
        let reason = Reason::AssertionFalse;
        Goal { term, error, reason, at, related: None, origin, label: None, known: None }
    }
}
