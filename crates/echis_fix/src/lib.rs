//! From an error to changes that fix it. Each change was *tried*: the edited program was verified, the error is gone,
//! there are no new errors except in callers, which are named, and no contract has become contradictory.
//!
//! Each module proposes [`Candidate`]s for one kind of mistake by inspecting the program, without a solver.
//! `search` tries them, the likely and harmless ones first, within a budget in the solver's units. Nothing here
//! affects verdicts.

mod apply;
mod asserted;
mod assertions;
mod bounds;
mod branches;
mod calls;
mod clause;
mod conjuncts;
mod defined;
mod effects;
mod follow;
mod functions;
mod header;
mod injective;
mod judge;
mod lemmas;
mod limits;
mod macros;
mod measure;
mod mirror;
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

/// A change that may fix an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub edits: Vec<Edit>,
    /// Instruction for users: `unfold list(x) first`.
    pub explanation: String,
    pub kind: Kind,
}

/// The kind of change, in order of preference: code and proof hints, then loops, then contracts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A typo.
    Slip,
    /// A missing `unfold`, `fold`, `apply` or `unfolding`, or a hidden definition.
    Ghost,
    /// Several statements.
    GhostBlock,
    /// A missing or too strong invariant.
    Invariant,
    /// The condition of a loop or a branch.
    Condition,
    /// A missing call of a lemma.
    Lemma,
    /// A missing intermediate assertion.
    Assertion,
    /// A missing trigger of a quantifier.
    Trigger,
    /// A termination measure.
    Measure,
    Postcondition,
    Precondition,
    /// The body of a predicate.
    Predicate,
    /// The contract of a called member.
    Callee,
}

impl Candidate {
    pub(crate) fn new(kind: Kind, explanation: impl Into<String>, edits: Vec<Edit>) -> Self {
        Candidate { edits, explanation: explanation.into(), kind }
    }
    /// The change as part of a diagnostic. `sources` are those of the edited program.
    pub fn fix(&self, sources: &SourceMap, outcome: &str) -> Option<Fix> {
        let main = sources.files().next()?.0;
        let span = |edit: &Edit| Some(Span::new(main, u32::try_from(edit.start).ok()?, u32::try_from(edit.end).ok()?));
        let edits: Option<Vec<_>> = self.edits.iter().map(|edit| Some((span(edit)?, edit.text.clone()))).collect();
        Some(Fix { message: format!("{} ({outcome})", self.explanation), edits: edits? })
    }
}
