//! From an error to changes that take it away. Each change was *tried*: the edited program was verified, the error is gone, no
//! other error has come except in callers, which are named, and no contract has become contradictory.
//!
//! One module for each kind of mistake proposes [`Candidate`]s by looking at the program, without a solver. [`search`] tries them,
//! the likely and harmless ones first, within an allowance that is counted in the solver's units. Nothing here decides a verdict.

mod apply;
mod assertions;
mod bounds;
mod branches;
mod calls;
mod clause;
mod conjuncts;
mod defined;
mod effects;
mod follow;
mod header;
mod injective;
mod judge;
mod lemmas;
mod limits;
mod macros;
mod measure;
mod old_values;
mod order;
mod origin;
mod permission;
mod pool;
mod predicates;
mod ranges;
mod reveal;
mod search;
mod site;
mod slips;
mod slips_of_form;
mod slips_of_words;
mod strengthen;
mod terms;
mod text;
mod triggers;
mod unfolded;
mod variables;

pub use limits::Effort;
pub use search::{Found, fixes, hints};
pub use slips::slips;

use echis::coverage::Edit;
use echis::{Fix, SourceMap, Span};

/// A change that might take an error away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub edits: Vec<Edit>,
    /// What to do, as one says it: `unfold list(x) first`.
    pub explanation: String,
    pub kind: Kind,
}

/// What a candidate changes, in the order in which changes are preferred: code and proof hints, then loops, then contracts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A typing mistake.
    Slip,
    /// An `unfold`, `fold`, `apply` or `unfolding` is missing, or a definition is not revealed.
    Ghost,
    /// Several statements.
    GhostBlock,
    /// An invariant is missing, or says too much.
    Invariant,
    /// The condition of a loop or a branch.
    Condition,
    /// A lemma is not called.
    Lemma,
    /// An assertion on the way to what fails is missing.
    Assertion,
    /// A quantifier lacks a trigger.
    Trigger,
    /// A termination measure.
    Measure,
    Postcondition,
    Precondition,
    /// The body of a predicate.
    Predicate,
    /// The contract of a member that is called.
    Callee,
}

impl Candidate {
    pub(crate) fn new(kind: Kind, explanation: impl Into<String>, edits: Vec<Edit>) -> Self {
        Candidate { edits, explanation: explanation.into(), kind }
    }
    /// The change as a part of a diagnostic. `sources` are those of the program that was edited.
    pub fn fix(&self, sources: &SourceMap, outcome: &str) -> Option<Fix> {
        let main = sources.files().next()?.0;
        let span = |edit: &Edit| Some(Span::new(main, u32::try_from(edit.start).ok()?, u32::try_from(edit.end).ok()?));
        let edits: Option<Vec<_>> = self.edits.iter().map(|edit| Some((span(edit)?, edit.text.clone()))).collect();
        Some(Fix { message: format!("{} ({outcome})", self.explanation), edits: edits? })
    }
}
