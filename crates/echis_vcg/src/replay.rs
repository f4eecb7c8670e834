//! Determines whether a solver's model is a counterexample, by evaluating all facts before a goal in it.
//!
//! The model is completed first: constants, functions and arrays get arbitrary values where the model has none.
//! Whatever is chosen, a structure in which all facts hold and the goal does not is a counterexample. Only
//! quantifiers over finitely many values are evaluated, and definitions of functions, which hold because the
//! functions are computed by them; any other quantified fact leaves a doubt.

mod bits;
mod builtin;
mod eval;
mod values;

pub use eval::Evaluator;

use crate::limits::TERMS_WATCHED;
use echis_proof::{CheckId, Head, Model, NodeId, ProofTree, Raw, Wanted};
use echis_term::{Sort, SymbolKind, SymbolRole, TermId, TermKind, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Preferred bounds for numbers, the stricter first.
const SMALL: [i32; 2] = [10, 1000];

/// Why a model may not be a counterexample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// This fact is false in it.
    Violated(NodeId),
    /// This fact was not evaluated.
    Open(NodeId),
    GoalHolds,
    GoalOpen,
}

/// A model under evaluation.
pub struct Replay<'a> {
    pub values: Evaluator<'a>,
    pub doubt: Option<Doubt>,
}

impl<'a> Replay<'a> {
    pub fn new(tree: &'a ProofTree, check: CheckId, model: &'a Model, head: Head<'a>) -> Self {
        let goal = &tree.checks[check];
        let facts = facts(tree, check);
        let values = Evaluator::new(&tree.terms, model, head, facts.iter().map(|(_, fact)| *fact));
        let mut open = None;
        let mut doubt = None;
        for (node, fact) in facts.into_iter().filter(|(_, fact)| !values.defines(*fact)) {
            match values.truth(fact) {
                Some(true) => {}
                Some(false) => {
                    doubt = Some(Doubt::Violated(node));
                    break;
                }
                None => open = open.or(Some(Doubt::Open(node))),
            }
        }
        let of_goal = match values.truth(goal.goal) {
            Some(true) => Some(Doubt::GoalHolds),
            Some(false) => None,
            None => Some(Doubt::GoalOpen),
        };
        Replay { values, doubt: doubt.or(of_goal).or(open) }
    }
}

/// An instance of a quantified fact that a model violates: it follows from the quantifier, but the solver may not
/// have considered it.
pub fn learn(tree: &mut ProofTree, check: CheckId, model: &Model, head: Head<'_>) -> Option<TermId> {
    let (quant, values) = {
        let replay = Replay::new(tree, check, model, head);
        if !matches!(replay.doubt, Some(Doubt::Violated(_))) {
            return None;
        }
        replay.values.witness()?
    };
    let TermKind::Quant(stated) = tree.terms.kind(quant) else { return None };
    let body = stated.body;
    let mut map = BTreeMap::new();
    for (var, value) in values {
        let value = match value {
            Raw::Int(value) => tree.terms.int(value),
            Raw::Bool(value) => tree.terms.bool(value),
            _ => return None,
        };
        map.insert(var, value);
    }
    let instance = tree.terms.substitute(body, &map);
    Some(tree.terms.implies(quant, instance))
}

/// The facts before a check, in program order.
fn facts(tree: &ProofTree, check: CheckId) -> Vec<(NodeId, TermId)> {
    let path = tree.path(tree.checks[check].at);
    let mut facts: Vec<_> = path.filter_map(|node| Some((node, tree.fact(node)?))).collect();
    facts.reverse();
    facts
}

/// The terms to query: values of variables, and arguments of functions and maps.
pub fn wanted(tree: &mut ProofTree, check: CheckId, variables: &[TermId]) -> Wanted {
    let mut watched: BTreeSet<TermId> = variables.iter().copied().collect();
    let all: Vec<TermId> =
        facts(tree, check).into_iter().map(|(_, fact)| fact).chain([tree.checks[check].goal]).collect();
    for term in applications(&tree.terms, &all) {
        if watched.len() < TERMS_WATCHED {
            watched.insert(term);
        }
    }
    watched.retain(|term| tree.terms.term(*term).free.is_empty() && !is_literal(&tree.terms, *term));
    let numbers: Vec<TermId> = variables
        .iter()
        .copied()
        .filter(|term| *tree.terms.sort_data(tree.terms.sort_of(*term)) == Sort::Int && watched.contains(term))
        .collect();
    let wishes = SMALL.map(|bound| {
        let (low, high) = (tree.terms.int(-bound), tree.terms.int(bound));
        numbers.iter().flat_map(|term| [tree.terms.le(low, *term), tree.terms.le(*term, high)]).collect()
    });
    Wanted { watched: watched.into_iter().collect(), wishes: wishes.into(), interpreted: true, ..Wanted::default() }
}

/// Ground reads of maps and applications of functions.
pub fn applications(terms: &Terms, of: &[TermId]) -> BTreeSet<TermId> {
    let mut found = BTreeSet::new();
    for term in of {
        terms.for_each_subterm(*term, |part| {
            let TermKind::App(symbol, args) = terms.kind(part) else { return };
            let symbol = terms.symbol(*symbol);
            let is_read = symbol.role == SymbolRole::Select;
            let is_applied = symbol.kind() == SymbolKind::Function && !args.is_empty();
            if (is_read || is_applied) && terms.term(part).free.is_empty() {
                found.insert(part);
            }
        });
    }
    found
}

fn is_literal(terms: &Terms, term: TermId) -> bool {
    matches!(terms.kind(term), TermKind::Bool(_) | TermKind::Int(_) | TermKind::Perm(_))
}
