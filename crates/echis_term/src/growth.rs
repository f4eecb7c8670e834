//! Copies of a table of terms that grow with it, for readers in other threads.

use crate::sort::Sort;
use crate::store::Terms;
use crate::term::{Symbol, Term};

/// The part that a copy lacks.
pub struct TermGrowth {
    sorts: Vec<Sort>,
    symbols: Vec<Symbol>,
    terms: Vec<Term>,
}

/// The size of the copied part of a table.
#[derive(Clone, Copy, Default, Debug)]
pub struct TermCount {
    sorts: usize,
    symbols: usize,
    terms: usize,
}

impl Terms {
    pub fn growth(&self, copied: &mut TermCount) -> TermGrowth {
        let growth = TermGrowth {
            sorts: self.sorts.since(copied.sorts).to_vec(),
            symbols: self.symbols.since(copied.symbols).to_vec(),
            terms: self.terms.since(copied.terms).to_vec(),
        };
        *copied = TermCount { sorts: self.sorts.len(), symbols: self.symbols.len(), terms: self.terms.len() };
        growth
    }
    /// Adds the growth. All keys are those of the original. A copy is for reading: it does not deduplicate terms.
    pub fn grow(&mut self, growth: TermGrowth) {
        self.sorts.extend(growth.sorts);
        self.symbols.extend(growth.symbols);
        self.terms.extend(growth.terms);
    }
}
