//! The assignments of all paths.

use super::Heap;
use echis_base::{IndexVec, key};
use echis_proof::Written;

key!(WrittenId, "a");

/// The assignments of all paths. Each knows the one before it, so a path's are found from its latest.
#[derive(Default)]
pub(crate) struct Trace(pub IndexVec<WrittenId, Noted>);

pub(crate) struct Noted {
    /// The assignment before it on its path.
    pub before: Option<WrittenId>,
    pub written: Written,
    pub heap: Option<Heap>,
}
