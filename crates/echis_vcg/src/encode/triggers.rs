//! Triggers in programs with exclusions.

use super::Encoder;
use echis_term::{SymbolId, SymbolKind, TermId, TermKind};

impl Encoder<'_> {
    /// Applications of functions marked `{:never_pattern}`.
    pub(super) fn never_patterns(&self, body: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        if !self.never_patterns.is_empty() {
            self.terms.for_each_subterm(body, |term| {
                if let TermKind::App(symbol, _) = self.terms.kind(term)
                    && self.never_patterns.contains(symbol)
                {
                    found.push(term);
                }
            });
        }
        found
    }
    /// `{:nopats}`: the smallest applications that mention all variables, except the excluded ones.
    pub(super) fn other_triggers(&self, body: TermId, vars: &[SymbolId], excluded: &[TermId]) -> Vec<Box<[TermId]>> {
        let mut found: Vec<TermId> = Vec::new();
        self.terms.for_each_subterm(body, |term| {
            let is_application = match self.terms.kind(term) {
                TermKind::App(symbol, args) => {
                    !args.is_empty() && self.terms.symbol(*symbol).kind() == SymbolKind::Function
                }
                _ => false,
            };
            if is_application
                && !excluded.contains(&term)
                && vars.iter().all(|var| self.terms.is_free(*var, term))
                && self.terms.term(term).free.iter().all(|free| vars.contains(free))
            {
                found.push(term);
            }
        });
        found.sort();
        found.dedup();
        let contains = |outer: TermId, inner: TermId| {
            let mut inside = false;
            self.terms.for_each_subterm(outer, |term| inside |= term == inner && term != outer);
            inside
        };
        let smallest = found.iter().filter(|outer| !found.iter().any(|inner| contains(**outer, *inner)));
        smallest.map(|term| Box::from([*term])).collect()
    }
}
