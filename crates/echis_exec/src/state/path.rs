//! Which executions take a path.

use super::State;
use echis_program::cfg::LoopId;
use std::rc::Rc;

/// Which executions take a path.
#[derive(Clone)]
pub(crate) enum Course {
    /// Those of the member.
    Regular,
    /// None. It is followed to explain proofs (see `tree::dead`); the state is the one where it parted from the others.
    Dead { parted: Rc<State> },
    /// Those that run through a loop whose invariant failed.
    Again(Again),
}

/// A path that runs through a loop whose invariant failed, instead of believing the invariant (see `exec::again`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Again {
    Within(LoopId),
    Behind,
}
