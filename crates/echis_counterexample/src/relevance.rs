//! Which variables are relevant to a failure: those connected to the goal through facts, directly or indirectly.

use super::FailedObligation;
use echis_proof::{ProofTree, Step};
use echis_term::{SymbolId, TermId};
use std::collections::BTreeSet;

/// `None`: everything.
pub struct Relevant(Option<BTreeSet<SymbolId>>);

impl Relevant {
    /// From the goal along the facts that share a constant with what was found so far. Functions tie nothing: they
    /// have values at all arguments.
    pub fn new(tree: &ProofTree, failing: FailedObligation<'_>) -> Self {
        let constants = |term: TermId| -> BTreeSet<SymbolId> {
            let symbols = tree.terms.symbols_of(term).into_iter();
            symbols.filter(|symbol| tree.terms.symbol(*symbol).params.is_empty()).collect()
        };
        let mut facts: Vec<BTreeSet<SymbolId>> =
            tree.path(failing.at).filter_map(|node| tree.fact(node)).map(constants).collect();
        let mut found = constants(failing.goal);
        if found.is_empty() {
            return Relevant(None);
        }
        // What a branch was taken for matters too: without it the path is another one.
        for node in tree.path(failing.at) {
            if let Step::Split { guard, .. } = tree.nodes[node].step {
                found.extend(constants(guard));
            }
        }
        loop {
            let (near, far): (Vec<_>, Vec<_>) = facts.into_iter().partition(|fact| !fact.is_disjoint(&found));
            if near.is_empty() {
                return Relevant(Some(found));
            }
            found.extend(near.into_iter().flatten());
            facts = far;
        }
    }
    /// Whether the value of a term matters. A literal is what it is, and says nothing about relevance.
    pub fn matters(&self, tree: &ProofTree, term: TermId) -> bool {
        let Some(found) = &self.0 else { return true };
        let symbols = tree.terms.symbols_of(term);
        symbols.is_empty() || symbols.iter().any(|symbol| found.contains(symbol))
    }
}
