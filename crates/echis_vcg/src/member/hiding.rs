//! Determines the hidden functions.

use echis_boogie::program::FunctionId;
use std::collections::BTreeSet;

/// The functions whose axioms are hidden, with a stack of earlier states, one for each `push`.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Hiding {
    pub all: bool,
    pub except: BTreeSet<FunctionId>,
    pub outer: Vec<(bool, BTreeSet<FunctionId>)>,
}

impl Hiding {
    pub fn hides(&self, function: FunctionId) -> bool {
        self.all != self.except.contains(&function)
    }
    pub fn set(&mut self, function: Option<FunctionId>, hidden: bool) {
        match function {
            None => (self.all, self.except) = (hidden, BTreeSet::new()),
            Some(function) if self.all == hidden => drop(self.except.remove(&function)),
            Some(function) => drop(self.except.insert(function)),
        }
    }
}
