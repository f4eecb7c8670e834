//! Unproved obligations.

use crate::check::{GaveUp, Property};
use crate::model::{Model, NoModel};
use crate::premise::{CheckId, NodeId};
use crate::view::StateView;
use echis_base::SyntaxId;

/// An unproved obligation.
#[derive(Clone, Debug)]
pub struct Failure {
    pub property: Property,
    pub check: Option<CheckId>,
    pub at: NodeId,
    /// The case distinctions of every path on which it fails.
    pub paths: Vec<Vec<Guard>>,
    /// Whether it rests on an assumption made after an earlier failure.
    pub cascade: bool,
    /// If undecided on all these paths, the reason on the first one.
    pub undecided: Option<GaveUp>,
    /// An additional note for users, as one sentence.
    pub note: Option<String>,
    /// The symbolic state on the first failing path.
    pub state: StateView,
    /// The solver's model of that state, or why there is none, if requested.
    pub model: Option<Result<Model, NoModel>>,
}

impl Failure {
    /// A failure with only its property and node known.
    pub fn new(property: Property, at: NodeId) -> Self {
        Failure {
            property,
            check: None,
            at,
            paths: Vec::new(),
            cascade: false,
            undecided: None,
            note: None,
            state: StateView::default(),
            model: None,
        }
    }
}

/// The branch that a path took at a condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Guard {
    pub condition: SyntaxId,
    /// The call, fold or similar that uses the condition, if it is in a contract or predicate.
    pub site: Option<SyntaxId>,
    pub negated: bool,
}
