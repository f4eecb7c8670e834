//! Recognises consequential errors: those about values or permissions that an earlier failure left unknown.

use crate::state::{Claim, Concern, Obligation, State};
use crate::tree::Writer;
use echis_base::FastSet;
use echis_proof::{Because, Bound, CheckId, NodeId, Premise, Property, Rule, Step as TreeStep};
use echis_term::{FreshRole, Made, SymbolRole, TermId, TermKind};

impl Writer<'_> {
    /// Whether a failed check is about something that an earlier failure left unknown, or is evaluated only if an
    /// earlier conjunct holds that cannot hold here.
    pub fn is_cascade(&mut self, st: &State, obligation: Obligation, check: Option<CheckId>) -> bool {
        if self.is_ill_formed(obligation) || st.unmet.is_past_conjunct() {
            return true;
        }
        let Some(check) = check.map(|check| &self.tree.checks[check]) else { return false };
        let goal = check.goal;
        let unknown = self.missing_in(goal);
        if matches!(obligation.claim, Claim::Permission | Claim::Wand) {
            return self.would_suffice(st, goal, &unknown);
        }
        let facts = check.premises.iter().filter_map(|premise| match premise {
            Premise::Fact(node) => Some(*node),
            Premise::Check(_) => None,
        });
        !unknown.is_empty()
            || self.rests_on_recovered(facts.collect())
            || self.repeats_unmet(st, goal)
            || self.holds_through_aliases(st, goal)
    }
    /// Whether the goal would hold if an earlier failed goal did that cannot hold.
    fn repeats_unmet(&mut self, st: &State, goal: TermId) -> bool {
        let root = self.tree.root();
        st.unmet.goals.clone().iter().any(|&unmet| {
            let follows = self.terms().implies(unmet, goal);
            let absurd = self.terms().not(unmet);
            self.ask_at(st, root, follows, Bound::Quick).is_proved()
                && !self.ask_at(st, root, absurd, Bound::Quick).is_proved()
        })
    }
    /// Whether the goal would hold if all missing permission had been held through aliases of its locations.
    fn holds_through_aliases(&mut self, st: &State, goal: TermId) -> bool {
        let zero = self.terms().no_perm();
        let defined = self.tree.path(st.at).filter_map(|node| match &self.tree.nodes[node].step {
            TreeStep::Assume { because: Because::Rule(Rule::Definition), fact, .. } => {
                self.tree.terms.children(*fact).iter().copied().find(|side| self.is_made(*side, Made::Missing))
            }
            _ => None,
        });
        let missing: Vec<TermId> = defined.collect();
        if missing.is_empty() {
            return false;
        }
        let none: Vec<TermId> = missing.iter().map(|missing| self.tree.terms.eq(*missing, zero)).collect();
        let elsewhere = self.terms().and(none);
        let goal = self.terms().implies(elsewhere, goal);
        let absurd = self.terms().not(elsewhere);
        self.ask(st, goal, Bound::Quick).is_proved() && !self.ask(st, absurd, Bound::Quick).is_proved()
    }
    /// Whether permission would suffice if everything missing earlier had been held in full, and nothing had been
    /// taken instead.
    fn would_suffice(&mut self, st: &State, goal: TermId, unknown: &[TermId]) -> bool {
        let sort = self.terms().perm_sort();
        let mut premises = Vec::new();
        for &term in unknown {
            if self.tree.terms.sort_of(term) == sort {
                let ideal =
                    if self.is_made(term, Made::Missing) { self.terms().write() } else { self.terms().no_perm() };
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
    /// Whether the clause was found to be ill-formed; it then fails for the same reason wherever it is used.
    fn is_ill_formed(&self, Obligation { property, claim, concern }: Obligation) -> bool {
        let is_same = |failed: Property| (failed.offending, failed.reason) == (property.offending, property.reason);
        claim != Claim::Assertion
            && concern != Concern::WellFormedness
            && self.failures_in(Concern::WellFormedness).any(|(_, failure)| is_same(failure.property))
    }
    /// Whether a value stems from recovery, however it was passed on. A write gives a known value.
    fn rests_on_recovered(&self, facts: Vec<NodeId>) -> bool {
        self.comes_from_recovery(facts, &[Rule::Merge])
    }
    /// Whether permission from a grant was partly missing, however it was passed on.
    pub fn is_partly_missing(&self, grant: NodeId) -> bool {
        self.comes_from_recovery(vec![grant], &[Rule::Merge, Rule::Kept])
    }
    fn comes_from_recovery(&self, mut pending: Vec<NodeId>, through: &[Rule]) -> bool {
        let mut seen: FastSet<NodeId> = FastSet::default();
        while let Some(node) = pending.pop() {
            if !seen.insert(node) {
                continue;
            }
            let TreeStep::Assume { because, premises, .. } = &self.tree.nodes[node].step else { continue };
            match because {
                Because::Recovered => return true,
                Because::Rule(rule) if through.contains(rule) => {
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
    /// The symbols in a term that stand for missing values or amounts, looking through definitions.
    fn missing_in(&self, goal: TermId) -> Vec<TermId> {
        let terms = &self.tree.terms;
        let mut found = Vec::new();
        let mut seen: FastSet<TermId> = FastSet::default();
        let mut pending = vec![goal];
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            if self.is_made(term, Made::Missing) || self.is_made(term, Made::Recovered) {
                found.push(term);
            }
            pending.extend(terms.children(term));
            pending.extend(self.definition_of(term));
        }
        found
    }
    fn is_made(&self, term: TermId, wanted: Made) -> bool {
        let TermKind::App(symbol, _) = self.tree.terms.kind(term) else { return false };
        matches!(&self.tree.terms.symbol(*symbol).role, SymbolRole::Fresh { role: FreshRole::Made(made), .. } if *made == wanted)
    }
}
