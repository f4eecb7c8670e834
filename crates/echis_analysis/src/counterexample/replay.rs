//! Whether a counterexample is one: the facts of the path and the goal are evaluated in a structure made from it.
//!
//! What is said about a program's functions holds under their preconditions, and is checked wherever these were met.

use super::structure::Structure;
use super::tables::Tables;
use super::{Failing, Status};
use crate::diagnose::Place;
use echis_proof::{NodeId, ProofTree};
use echis_term::{TermId, TermKind};

/// So many applications of functions are checked.
const MOST_APPLICATIONS: usize = 500;

pub fn status(place: Place<'_>, tree: &ProofTree, failing: Failing<'_>, tables: &Tables<'_>) -> Status {
    let mut facts: Vec<(NodeId, TermId)> =
        tree.path(failing.at).filter_map(|node| Some((node, tree.fact(node)?))).collect();
    facts.reverse();
    let structure = Structure::new(place.program, tables, facts.iter().map(|(_, fact)| *fact).chain([failing.goal]));
    let mut open = None;
    let mut guarded = Vec::new();
    for (node, fact) in &facts {
        if let TermKind::Quant(quant) = tree.terms.kind(*fact)
            && let Some(function) = structure.functions.guarded(quant)
        {
            guarded.push((*node, quant, function));
            continue;
        }
        let is_quantifier = matches!(tree.terms.kind(*fact), TermKind::Quant(_));
        if is_quantifier && structure.decoder.adts.is_axiom(tables, *fact) && is_of_adt(place, tree, *node) {
            continue;
        }
        match structure.truth(*fact) {
            Some(true) => {}
            Some(false) => return Status::PossiblySpurious(violated(place, tree, *node)),
            None => open = open.or(Some(*node)),
        }
    }
    match structure.truth(failing.goal) {
        Some(true) => return Status::PossiblySpurious("what should fail holds in it".to_string()),
        Some(false) => {}
        None => return Status::PossiblySpurious("the model does not say enough to evaluate what fails".to_string()),
    }
    // Checking at one point may lead to others.
    let mut position = 0;
    while let Some((function, args)) = structure.functions.point(position) {
        position += 1;
        if position > MOST_APPLICATIONS {
            return Status::PossiblySpurious("functions were applied too often to check them all".to_string());
        }
        for (node, quant, _) in guarded.iter().filter(|(_, _, of)| *of == function) {
            match structure.at(quant, &args, || structure.truth(quant.body)) {
                Some(true) => {}
                Some(false) => return Status::PossiblySpurious(violated(place, tree, *node)),
                None => open = open.or(Some(*node)),
            }
        }
    }
    if structure.decoder.late() {
        return Status::PossiblySpurious("a set has members that the model does not name".to_string());
    }
    match open {
        None => Status::Confirmed,
        Some(node) => Status::PossiblySpurious(undetermined(place, tree, node)),
    }
}

/// Whether the fact is written in an ADT, or stands for what is.
fn is_of_adt(place: Place<'_>, tree: &ProofTree, node: NodeId) -> bool {
    let clause = tree.origin_of(node).clause;
    let program = place.program;
    let of_adt = |domain| program.domains[domain].adt.is_some();
    program.domains.iter().any(|(domain, declared)| declared.id == clause && of_adt(domain))
        || program
            .axioms
            .values()
            .any(|axiom| (axiom.id == clause || program.exprs[axiom.body].id == clause) && of_adt(axiom.domain))
}

fn violated(place: Place<'_>, tree: &ProofTree, node: NodeId) -> String {
    format!("the model violates {}", clause(place, tree, node))
}

fn undetermined(place: Place<'_>, tree: &ProofTree, node: NodeId) -> String {
    let quantified = tree.fact(node).is_some_and(|fact| has_quantifier(tree, fact));
    let reason = if quantified { ", which speaks of too many values" } else { "" };
    format!("not everything is known to check {}{reason}", clause(place, tree, node))
}

/// What the program says there, and where.
fn clause(place: Place<'_>, tree: &ProofTree, node: NodeId) -> String {
    let origin = tree.origin_of(node);
    let span = place.program.syntax.span(origin.clause);
    let text = crate::diagnose::source_text(place.sources, span);
    let line = place.sources.position(span).start.line;
    format!("`{text}` (line {line})")
}

/// Whether any of what is evaluated has a quantifier.
pub fn is_quantified(tree: &ProofTree, failing: Failing<'_>) -> bool {
    let facts = tree.path(failing.at).filter_map(|node| tree.fact(node));
    facts.chain([failing.goal]).any(|fact| has_quantifier(tree, fact))
}

fn has_quantifier(tree: &ProofTree, fact: TermId) -> bool {
    let mut found = false;
    tree.terms.for_each_subterm(fact, |term| found |= matches!(tree.terms.kind(term), TermKind::Quant(_)));
    found
}
