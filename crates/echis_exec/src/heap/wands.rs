//! Magic wands that are being packaged, and what packages leave behind.

use crate::state::{Chunk, Taking};
use echis_base::FastMap;
use echis_term::{SymbolId, TermId};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The packages in progress, and data kept for wands packaged earlier.
#[derive(Default)]
pub(crate) struct Wands {
    /// The variables for snapshots of left sides of wands being packaged.
    pub hypotheses: BTreeSet<SymbolId>,
    /// For each package in progress, the points on its paths where something was taken.
    pub takings: Vec<Vec<Taking>>,
    /// By the map of a packaged wand: the part of its footprint that exceeds what a left side needs.
    pub surplus: FastMap<TermId, Rc<Surplus>>,
}

/// Excess permission in a wand's footprint, which is returned when the wand is applied.
pub(crate) struct Surplus {
    /// The left side's snapshot, which the amounts mention.
    pub hypothesis: SymbolId,
    pub chunks: Vec<Chunk>,
}

impl Wands {
    /// Whether the variable represents the snapshot of a left side.
    pub fn is_hypothesis(&self, var: SymbolId) -> bool {
        self.hypotheses.contains(&var)
    }
}
