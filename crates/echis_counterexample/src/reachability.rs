//! Whether a counterexample is a state of an actual execution or one that contracts and invariants merely allow.

use super::{Account, Allowance, By, Failed, FailedObligation};
use echis_base::{Name, SyntaxId};
use echis_findings::diagnose::Place;
use echis_program::program::{Method, Program, StmtKind};
use echis_proof::{ErrorKind, ProofTree, Step};
use echis_term::{Mark, SymbolRole, TermId, TermKind, Terms};
use std::collections::BTreeSet;

pub fn account(place: Place<'_>, tree: &ProofTree, failing: FailedObligation<'_>, failed: &Failed<'_>) -> Account {
    let program = place.program;
    let mut allowed: BTreeSet<Allowance> = BTreeSet::new();
    // No execution evaluates it: its values are those that a reader of the declaration may have in mind.
    if failed.error == ErrorKind::ContractNotWellformed {
        allowed.insert(Allowance::new(By::Declaration, program.syntax.span(failed.at)));
    }
    let passed: BTreeSet<SyntaxId> = failing.state.trace.iter().map(|written| written.at).collect();
    for method in program.methods.values().filter(|method| *method.name == **place.member) {
        if let Some(body) = &method.body {
            body.visit_stmts(&mut |stmt| {
                if matches!(stmt.kind, StmtKind::While { .. }) && passed.contains(&stmt.id) {
                    allowed.insert(Allowance::new(By::Invariant, program.syntax.span(stmt.id)));
                }
            });
        }
    }
    for node in tree.path(failing.at).filter(|node| matches!(tree.nodes[*node].step, Step::Assume { .. })) {
        let origin = tree.origin_of(node);
        let (clause, Some(site)) = (program.syntax.span(origin.clause), origin.site) else { continue };
        let is_post = |method: &&Method| {
            method.post.iter().any(|post| program.syntax.span(program.exprs[*post].id).contains(clause))
        };
        if let Some(method) = program.methods.values().find(is_post) {
            let by = By::Postcondition(method.name.to_string());
            allowed.insert(Allowance::new(by, program.syntax.span(site)));
        }
    }
    allowed.extend(wands(program, tree, failing));
    allowed.extend(functions(program, tree, failing));
    if allowed.is_empty() { Account::Run } else { Account::Allowed(allowed.into_iter().collect()) }
}

/// Applied wands that were not packaged on the path: nothing but their right sides says what they gave.
fn wands(program: &Program, tree: &ProofTree, failing: FailedObligation<'_>) -> BTreeSet<Allowance> {
    let terms = &tree.terms;
    let mut packaged: BTreeSet<TermId> = BTreeSet::new();
    let mut applied: Vec<(TermId, SyntaxId)> = Vec::new();
    for node in tree.path(failing.at) {
        let Some(fact) = tree.fact(node) else { continue };
        if let Some(map) = applied_wand(terms, fact) {
            let origin = tree.origin_of(node);
            applied.push((map, origin.site.unwrap_or(origin.clause)));
            continue;
        }
        terms.for_each_subterm(fact, |term| {
            packaged.extend(applied_wand(terms, term).filter(|_| !terms.term(term).free.is_empty()));
        });
    }
    let received = applied.into_iter().filter(|(map, _)| !packaged.contains(map));
    received.map(|(_, at)| Allowance::new(By::Wand, program.syntax.span(at))).collect()
}

/// The wand that a term says to have been applied.
fn applied_wand(terms: &Terms, term: TermId) -> Option<TermId> {
    let TermKind::App(symbol, args) = terms.kind(term) else { return None };
    matches!(terms.symbol(*symbol).role, SymbolRole::WandApplied).then(|| args[0])
}

/// Functions without a body that the path or the failure mentions.
fn functions(program: &Program, tree: &ProofTree, failing: FailedObligation<'_>) -> BTreeSet<Allowance> {
    let facts = tree.path(failing.at).filter_map(|node| tree.fact(node)).chain([failing.goal]);
    let mut applied = BTreeSet::new();
    for fact in facts {
        tree.terms.for_each_subterm(fact, |term| {
            if let TermKind::App(symbol, _) = tree.terms.kind(term)
                && tree.terms.term(term).free.is_empty()
            {
                applied.insert(*symbol);
            }
        });
    }
    let names = applied.iter().filter_map(|symbol| match &tree.terms.symbol(*symbol).role {
        SymbolRole::Function(name)
        | SymbolRole::Limited(name)
        | SymbolRole::Precondition(name)
        | SymbolRole::Called(name)
        | SymbolRole::Mark(Mark::Paid, name) => Some(name),
        _ => None,
    });
    let names: BTreeSet<&Name> = names.collect();
    let of_functions = program.functions.values().filter(|function| function.body.is_none());
    of_functions
        .filter(|function| names.contains(&function.name))
        .map(|function| Allowance::new(By::Function(function.name.to_string()), program.syntax.span(function.id)))
        .collect()
}
