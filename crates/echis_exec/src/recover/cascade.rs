//! Errors that follow from an earlier failure: they are about values or permissions that the failure left unknown.

use crate::executor::Executor;
use crate::state::State;
use echis_proof::{Because, Bound, CheckId, ErrorKind, NodeId, Premise, Property, Reason, Rule, Step as TreeStep};
use echis_term::{TermId, TermKind};
use std::collections::HashSet;

/// Amounts that were missing.
const MISSING: &str = "missing@";
/// Values that were missing, and amounts taken in the place of missing ones.
const RECOVERED: &str = "recovered@";

impl Executor<'_> {
    /// Whether a failed check is about something that an earlier failure left unknown.
    pub fn is_cascade(&mut self, st: &State, property: Property, check: Option<CheckId>) -> bool {
        if self.is_ill_formed(property) {
            return true;
        }
        let Some(check) = check.map(|check| &self.tree.checks[check]) else { return false };
        let goal = check.goal;
        let unknown = self.missing_in(goal);
        if matches!(property.reason, Reason::InsufficientPermission | Reason::WandNotFound) {
            return self.would_suffice(st, goal, &unknown);
        }
        let facts = check.premises.iter().filter_map(|premise| match premise {
            Premise::Fact(node) => Some(*node),
            Premise::Check(_) => None,
        });
        !unknown.is_empty() || self.rests_on_recovered(facts.collect())
    }
    /// Whether permission would be there if what was missing earlier had been there in full, and nothing had been taken
    /// in its place.
    fn would_suffice(&mut self, st: &State, goal: TermId, unknown: &[TermId]) -> bool {
        let sort = self.terms().perm_sort();
        let mut premises = Vec::new();
        for &term in unknown {
            if self.tree.terms.sort_of(term) == sort {
                let ideal = if self.is_named(term, MISSING) { self.terms().write() } else { self.terms().no_perm() };
                premises.push(self.tree.terms.eq(term, ideal));
            }
        }
        if premises.is_empty() {
            return false;
        }
        let premise = self.terms().and(premises);
        let goal = self.terms().implies(premise, goal);
        self.ask(st, goal, Bound::Quick).is_proved()
    }
    /// A clause that was found to be ill-formed fails for the same reason wherever it is used.
    fn is_ill_formed(&self, property: Property) -> bool {
        property.reason != Reason::AssertionFalse
            && property.error != ErrorKind::ContractNotWellformed
            && self.failures.iter().any(|failure| {
                failure.property.error == ErrorKind::ContractNotWellformed
                    && (failure.property.offending, failure.property.reason) == (property.offending, property.reason)
            })
    }
    /// Whether permission was missing once, however it was passed on since.
    fn rests_on_recovered(&self, mut pending: Vec<NodeId>) -> bool {
        let mut seen: HashSet<NodeId> = HashSet::new();
        while let Some(node) = pending.pop() {
            if !seen.insert(node) {
                continue;
            }
            let TreeStep::Assume { because, premises, .. } = &self.tree.nodes[node].step else { continue };
            match because {
                Because::Recovered => return true,
                Because::Rule(Rule::Kept | Rule::Merge) => {
                    pending.extend(premises.iter().filter_map(|premise| match premise {
                        Premise::Fact(node) => Some(*node),
                        Premise::Check(_) => None,
                    }));
                }
                _ => {}
            }
        }
        false
    }
    /// The symbols in a term that stand for something missing, looking through definitions.
    fn missing_in(&self, goal: TermId) -> Vec<TermId> {
        let terms = &self.tree.terms;
        let mut found = Vec::new();
        let mut seen: HashSet<TermId> = HashSet::new();
        let mut pending = vec![goal];
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            if self.is_named(term, MISSING) || self.is_named(term, RECOVERED) {
                found.push(term);
            }
            pending.extend(terms.children(term));
            pending.extend(self.definition_of(term));
        }
        found
    }
    fn is_named(&self, term: TermId, prefix: &str) -> bool {
        let terms = &self.tree.terms;
        matches!(terms.kind(term), TermKind::App(symbol, _) if terms.symbol(*symbol).name.starts_with(prefix))
    }
}
