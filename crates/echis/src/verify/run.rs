//! The output of verifying a program.

use crate::verify::members::Proof;
use crate::verify::results::Concluded;
use echis_findings::FileResult;
use echis_proof::{MemberId, Outcome};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The results, and the kept trees.
pub(crate) struct Run {
    pub result: FileResult,
    pub members: Vec<Concluded>,
    pub kept: BTreeMap<MemberId, Kept>,
}

impl Run {
    /// A run in which no member was verified.
    pub fn unverified(result: FileResult) -> Self {
        Run { result, members: Vec::new(), kept: BTreeMap::new() }
    }
}

/// A member's outcome and its proofs. Requesting models adds terms to the tree.
pub(crate) struct Kept {
    pub outcome: Mutex<Outcome>,
    pub proofs: Vec<Proof>,
}
