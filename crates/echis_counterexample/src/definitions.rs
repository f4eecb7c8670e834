//! Names defined by facts of the path: of amounts of quantified permission, and of collections.

use echis_term::{Op, Quant, Quantifier, QuantifierRole, Sort, SymbolId, TermId, TermKind, Terms};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Names of amounts of quantified permission, each with the quantifier and term that define it. Each is introduced
/// once.
pub fn introduced(terms: &Terms, facts: impl Iterator<Item = TermId>) -> HashMap<SymbolId, (&Quant, TermId)> {
    let mut found: HashMap<SymbolId, (&Quant, TermId)> = HashMap::new();
    let mut twice = BTreeSet::new();
    for fact in facts {
        let TermKind::Quant(quant) = terms.kind(fact) else { continue };
        if quant.role != QuantifierRole::Amount || quant.quantifier != Quantifier::Forall {
            continue;
        }
        let parts = match terms.as_op(quant.body) {
            Some((Op::And, parts)) => parts,
            _ => std::slice::from_ref(&quant.body),
        };
        for part in parts {
            let Some((Op::Eq, [left, right])) = terms.as_op(*part) else { continue };
            for (name, value) in [(left, right), (right, left)] {
                let TermKind::App(symbol, args) = terms.kind(*name) else { continue };
                let is_variable = |(arg, var): (&TermId, &SymbolId)| matches!(terms.kind(*arg), TermKind::App(symbol, none) if symbol == var && none.is_empty());
                let at_variables =
                    !args.is_empty() && args.len() == quant.vars.len() && args.iter().zip(&quant.vars).all(is_variable);
                if at_variables
                    && !terms.symbols_of(*value).contains(symbol)
                    && found.insert(*symbol, (quant, *value)).is_some()
                {
                    twice.insert(*symbol);
                }
            }
        }
    }
    found.retain(|symbol, _| !twice.contains(symbol));
    found
}

/// Equations `name == term` for names of collections, where the term is older than the name.
pub fn equations(terms: &Terms, facts: impl Iterator<Item = TermId>) -> BTreeMap<TermId, TermId> {
    let mut found = BTreeMap::new();
    for fact in facts {
        let Some((Op::Eq, [left, right])) = terms.as_op(fact) else { continue };
        for (name, term) in [(left, right), (right, left)] {
            let is_collection = matches!(
                terms.sort_data(terms.sort_of(*name)),
                Sort::Seq(_) | Sort::Set(_) | Sort::Multiset(_) | Sort::Map(..)
            );
            let TermKind::App(symbol, args) = terms.kind(*name) else { continue };
            let before = || terms.symbols_of(*term).iter().all(|other| other < symbol);
            if is_collection && args.is_empty() && before() {
                found.entry(*name).or_insert(*term);
            }
        }
    }
    found
}
