//! The trace of assignments.

use super::Heap;
use echis_base::{IndexVec, key};
use echis_proof::Written;

key!(WrittenId, "a");

/// The assignments of all paths. Each points to the previous one on its path, so a path's trace follows from its
/// latest.
#[derive(Default)]
pub(crate) struct Trace(pub IndexVec<WrittenId, Noted>);

pub(crate) struct Noted {
    /// The previous assignment on its path.
    pub before: Option<WrittenId>,
    pub written: Written,
    pub heap: Option<Heap>,
}
