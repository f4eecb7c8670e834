//! Magic wands that are being packaged, and what packages leave behind.

use crate::state::{Chunk, Taking};
use echis_base::FastMap;
use echis_term::{SymbolId, TermId};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The packages in progress, and what earlier ones left.
#[derive(Default)]
pub(crate) struct Wands {
    /// The variables that stand for snapshots of left sides of wands being packaged.
    pub hypotheses: BTreeSet<SymbolId>,
    /// For each package in progress what was taken, and where on its paths.
    pub takings: Vec<Vec<Taking>>,
    /// By the map of a wand that was packaged: what its footprint has more than a left side needs.
    pub surplus: FastMap<TermId, Rc<Surplus>>,
}

/// Permission that a wand's footprint has in excess. It comes back when the wand is applied.
pub(crate) struct Surplus {
    /// The left side's snapshot, of which the amounts speak.
    pub hypothesis: SymbolId,
    pub chunks: Vec<Chunk>,
}

impl Wands {
    /// Whether the variable stands for the snapshot of a left side.
    pub fn is_hypothesis(&self, var: SymbolId) -> bool {
        self.hypotheses.contains(&var)
    }
}
