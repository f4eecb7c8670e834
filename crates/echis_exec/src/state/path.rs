//! The kinds of paths, by which executions take them.

use super::State;
use echis_program::cfg::LoopId;
use std::rc::Rc;

/// The executions that take a path.
#[derive(Clone)]
pub(crate) enum Course {
    /// Executions of the member.
    Regular,
    /// No execution. The path is followed to explain proofs (see `tree::dead`); the state is the one where it left
    /// the others.
    Dead { parted: Rc<State> },
    /// Executions that run through a loop whose invariant failed.
    Again(Again),
}

/// How a path runs through a loop whose invariant failed, instead of assuming the invariant (see `exec::again`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Again {
    Within(LoopId),
    Behind,
}
