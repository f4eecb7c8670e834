//! Whether a counterexample is one: the facts of the path and the goal are evaluated in it.
//!
//! Collections are evaluated by what they mean and not by what the model says about operators on them, since the
//! solver's axioms for these are not complete. A quantified fact cannot be evaluated, so nothing is confirmed on a path
//! with one, nor where a function is applied whose meaning quantified facts give.

use super::semantic::{Semantic, Value};
use super::tables::Tables;
use super::{Failing, Status};
use echis_proof::ProofTree;
use echis_term::{TermId, TermKind};

pub fn status(tree: &ProofTree, failing: Failing<'_>, tables: &Tables<'_>) -> Status {
    let semantic = Semantic::new(tables);
    let facts: Vec<TermId> = tree.path(failing.at).filter_map(|node| tree.fact(node)).collect();
    let mut open = None;
    for fact in facts.iter().rev() {
        match semantic.truth(*fact) {
            Some(true) => {}
            Some(false) => return spurious("a fact of the path does not hold in it", tree, *fact),
            None => open = open.or(Some(*fact)),
        }
    }
    match semantic.truth(failing.goal) {
        Some(true) => return spurious("what fails holds in it", tree, failing.goal),
        Some(false) => {}
        None => open = Some(failing.goal),
    }
    match open {
        None => Status::Confirmed,
        Some(fact) if is_quantified(tree, fact) => spurious("a quantified fact was not checked", tree, fact),
        Some(fact) => spurious("values are missing to check a fact", tree, fact),
    }
}

fn spurious(reason: &str, tree: &ProofTree, fact: TermId) -> Status {
    const LONGEST: usize = 160;
    let mut text = tree.terms.text(fact);
    if text.chars().count() > LONGEST {
        text = text.chars().take(LONGEST).chain(['…']).collect();
    }
    Status::PossiblySpurious(format!("{reason}: {text}"))
}

fn is_quantified(tree: &ProofTree, fact: TermId) -> bool {
    let mut found = false;
    tree.terms.for_each_subterm(fact, |term| found |= matches!(tree.terms.kind(term), TermKind::Quant(_)));
    found
}

impl Semantic<'_> {
    fn truth(&self, term: TermId) -> Option<bool> {
        match self.eval(term)? {
            Value::Plain(echis_proof::Raw::Bool(value)) => Some(value),
            _ => None,
        }
    }
}
