//! Determines the variables that are relevant to a failure: those connected to the goal through facts, directly or
//! indirectly.

use super::FailedObligation;
use echis_proof::{ProofTree, Step};
use echis_term::{SymbolId, TermId};
use std::collections::BTreeSet;

/// `None`: all variables.
pub struct Relevant(Option<BTreeSet<SymbolId>>);

impl Relevant {
    /// Starts with the goal, and follows facts that share a constant with what was found so far. Functions do not
    /// connect: they have values at all arguments.
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
        // Branch conditions matter too: without them the path would be different.
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
    /// Whether the value of a term matters. Literals do not affect relevance.
    pub fn matters(&self, tree: &ProofTree, term: TermId) -> bool {
        let Some(found) = &self.0 else { return true };
        let symbols = tree.terms.symbols_of(term);
        symbols.is_empty() || symbols.iter().any(|symbol| found.contains(symbol))
    }
}
