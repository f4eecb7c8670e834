//! Obligations that could not be proved.

use crate::check::{GaveUp, Property};
use crate::model::{Model, NoModel};
use crate::premise::{CheckId, NodeId};
use crate::view::StateView;
use echis_base::SyntaxId;

/// An obligation that could not be proved.
#[derive(Clone, Debug)]
pub struct Failure {
    pub property: Property,
    pub check: Option<CheckId>,
    pub at: NodeId,
    /// The case distinctions of every path on which it fails.
    pub paths: Vec<Vec<Guard>>,
    /// Whether it rests on an assumption that an earlier failure made.
    pub cascade: bool,
    /// Undecided: the solver gave up on all these paths, on the first for this reason.
    pub undecided: Option<GaveUp>,
    /// What else a person should know, in one sentence.
    pub note: Option<String>,
    /// The symbolic state on the first failing path.
    pub state: StateView,
    /// The solver's model of that state or why there is none, if one was requested.
    pub model: Option<Result<Model, NoModel>>,
}

impl Failure {
    /// A failure of which nothing is known but what should hold where.
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
    /// The call, fold or the like that brought the condition into play, where it stands in a contract or predicate.
    pub site: Option<SyntaxId>,
    pub negated: bool,
}
