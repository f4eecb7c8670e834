//! Instantiates function definitions at the applications on a path, and a few levels deeper. Without them a model could
//! give functions arbitrary values there.

use super::FailedObligation;
use super::lemma::Lemma;
use super::structure::defined::{FunctionKey, Functions};
use crate::limits::LIMITS;
use echis_proof::ProofTree;
use echis_term::{Op, SymbolId, TermId, TermKind, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Instances of definitions, and soft constraints that nothing beyond them matters.
#[derive(Default)]
pub struct Unfolded {
    pub definitions: Vec<(Lemma, TermId)>,
    pub ends: Vec<TermId>,
}

struct Definition {
    fact: TermId,
    vars: Vec<SymbolId>,
    body: TermId,
    precondition: SymbolId,
}

type Applications = BTreeSet<(FunctionKey, Vec<TermId>)>;

pub fn unfold(tree: &mut ProofTree, failing: FailedObligation<'_>) -> Unfolded {
    let facts: Vec<TermId> = tree.path(failing.at).filter_map(|node| tree.fact(node)).chain([failing.goal]).collect();
    let (definitions, versions) = definitions(&tree.terms, &facts);
    let mut unfolded = Unfolded::default();
    let mut seen = Applications::new();
    let mut next = Applications::new();
    facts.iter().for_each(|fact| applications(&tree.terms, &versions, *fact, &mut next));
    for _ in 0..LIMITS.unfolding_depth {
        for (function, args) in std::mem::take(&mut next) {
            let Some(definition) = definitions.get(&function) else { continue };
            if unfolded.definitions.len() == LIMITS.unfolded_definitions || !seen.insert((function, args.clone())) {
                continue;
            }
            let at: Vec<(SymbolId, TermId)> = definition.vars.iter().copied().zip(args).collect();
            let instance = tree.terms.substitute(definition.body, &at.iter().copied().collect());
            applications(&tree.terms, &versions, instance, &mut next);
            unfolded.definitions.push((Lemma::At { fact: definition.fact, terms: at }, instance));
        }
    }
    let beyond = next.into_iter().filter(|application| !seen.contains(application));
    let beyond = beyond.filter_map(|(function, args)| {
        let precondition = definitions.get(&function)?.precondition;
        Some(tree.terms.app(precondition, args))
    });
    let beyond: BTreeSet<TermId> = beyond.collect();
    for (_, instance) in &unfolded.definitions {
        let mut reached = Vec::new();
        conditions(&tree.terms, *instance, &beyond, &mut Vec::new(), &mut reached);
        for conditions in reached {
            let reached = tree.terms.and(conditions);
            unfolded.ends.push(tree.terms.not(reached));
        }
    }
    unfolded
}

/// The conditions under which one of these preconditions holds.
fn conditions(
    terms: &Terms,
    term: TermId,
    met: &BTreeSet<TermId>,
    given: &mut Vec<TermId>,
    found: &mut Vec<Vec<TermId>>,
) {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match terms.as_op(term) {
        _ if met.contains(&term) => found.push(given.clone()),
        Some((Op::And, parts)) => parts.iter().for_each(|part| conditions(terms, *part, met, given, found)),
        Some((Op::Implies, [condition, rest])) => {
            given.push(*condition);
            conditions(terms, *rest, met, given, found);
            given.pop();
        }
        _ => {}
    });
}

fn definitions(
    terms: &Terms,
    facts: &[TermId],
) -> (BTreeMap<FunctionKey, Definition>, BTreeMap<SymbolId, FunctionKey>) {
    let functions = Functions::new(terms, facts.iter().copied());
    let of = functions.definitions().filter_map(|(function, fact, quant)| {
        let precondition = functions.precondition_of(function)?;
        Some((function, Definition { fact, vars: quant.vars.to_vec(), body: quant.body, precondition }))
    });
    (of.collect(), functions.versions().clone())
}

/// Ground applications.
fn applications(terms: &Terms, versions: &BTreeMap<SymbolId, FunctionKey>, of: TermId, found: &mut Applications) {
    terms.for_each_subterm(of, |term| {
        if let TermKind::App(symbol, args) = terms.kind(term)
            && let Some(function) = versions.get(symbol)
            && terms.term(term).free.is_empty()
        {
            found.insert((*function, args.to_vec()));
        }
    });
}
