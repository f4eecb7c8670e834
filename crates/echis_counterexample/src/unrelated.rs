//! Axioms over unrelated functions and types, which are ignored: they share no symbol and no type of the program with
//! the path or the goal, not even through other axioms. If they have a model at all, it combines with any model of
//! the rest. Whether they contradict each other is a question about the whole program, not about one failure.
//!
//! Sharing the type `Ref` does not count: there are infinitely many references, and no axiom can name one but `null`,
//! so the references of two models can be identified.

use super::structure::defined::Functions;
use echis_program::program::Program;
use echis_proof::{NodeId, ProofTree};
use echis_term::{QuantifierRole, Sort, SortId, SymbolId, SymbolKind, TermId, TermKind, Terms};
use std::collections::BTreeSet;

/// A symbol or sort that facts can share. Numbers are the same in all models.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shared {
    Symbol(SymbolId),
    Sort(SortId),
}

/// The axioms that are unrelated to the goal and the other facts.
pub fn unrelated_axioms(
    program: &Program,
    tree: &ProofTree,
    facts: &[(NodeId, TermId)],
    goal: TermId,
    functions: &Functions<'_>,
) -> BTreeSet<NodeId> {
    let axioms = super::sampling::axioms(program);
    let shared = |term: TermId| shared(&tree.terms, term, functions);
    let mut found = shared(goal);
    // Facts about a function matter where it is applied.
    let mut waiting: Vec<(NodeId, Option<Shared>, BTreeSet<Shared>)> = Vec::new();
    for (node, fact) in facts {
        let quant = if let TermKind::Quant(quant) = tree.terms.kind(*fact) { Some(quant) } else { None };
        if quant.is_some_and(|quant| quant.role == QuantifierRole::Limited) {
            continue;
        }
        let of = quant.and_then(|quant| functions.guarded(quant)).map(Shared::Symbol);
        if of.is_some() || axioms.contains(&tree.origin_of(*node).clause) {
            waiting.push((*node, of, shared(*fact)));
        } else {
            found.extend(shared(*fact));
        }
    }
    loop {
        let is_near = |(_, of, shared): &(NodeId, Option<Shared>, BTreeSet<Shared>)| match of {
            Some(function) => found.contains(function),
            None => !shared.is_disjoint(&found),
        };
        let (near, far): (Vec<_>, Vec<_>) = waiting.into_iter().partition(is_near);
        if near.is_empty() {
            return far.into_iter().filter(|(_, of, _)| of.is_none()).map(|(node, _, _)| node).collect();
        }
        found.extend(near.into_iter().flat_map(|(_, _, shared)| shared));
        waiting = far;
    }
}

fn shared(terms: &Terms, term: TermId, functions: &Functions<'_>) -> BTreeSet<Shared> {
    let mut found = BTreeSet::new();
    terms.for_each_subterm(term, |part| {
        carriers(terms, terms.sort_of(part), &mut found);
        let bound = if let TermKind::Quant(quant) = terms.kind(part) { &*quant.vars } else { &[] };
        bound.iter().for_each(|var| carriers(terms, terms.symbol(*var).result, &mut found));
        if let TermKind::App(symbol, _) = terms.kind(part)
            && terms.symbol(*symbol).kind() == SymbolKind::Function
        {
            let function = functions.function(*symbol).or_else(|| functions.precondition(*symbol));
            found.insert(Shared::Symbol(function.unwrap_or(*symbol)));
        }
    });
    found
}

/// The uninterpreted types in a sort.
fn carriers(terms: &Terms, sort: SortId, found: &mut BTreeSet<Shared>) {
    match terms.sort_data(sort) {
        Sort::Bool | Sort::Int | Sort::Perm | Sort::Ref => {}
        Sort::Seq(of) | Sort::Set(of) | Sort::Multiset(of) => carriers(terms, *of, found),
        Sort::Map(key, value) => {
            carriers(terms, *key, found);
            carriers(terms, *value, found);
        }
        _ => drop(found.insert(Shared::Sort(sort))),
    }
}
