//! Going on after a failure. A failed pure obligation is assumed; missing permission is treated as if it had been
//! there, with values that nothing is known about. Errors that follow from such values are marked as cascades.

use crate::executor::Executor;
use crate::state::{Cx, State, Step, Stop};
use echis_proof::{Because, Bound, CheckId, Part, Premise, Property, Question, Step as TreeStep};
use echis_term::{TermId, TermKind};
use std::collections::HashSet;

/// Names of symbols that stand for what was missing.
const MISSING: [&str; 2] = ["recovered@", "missing@"];

impl Executor<'_> {
    /// Assumes a failed goal. If that contradicts the path, the rest of the path cannot be checked.
    pub fn assume_failed(
        &mut self,
        st: &mut State,
        goal: TermId,
        check: CheckId,
        property: Property,
        cx: &Cx,
    ) -> Step<()> {
        let origin = cx.origin(Part::Value);
        let before = st.at;
        let assumed = self.assume(st, goal, Because::Recovered, &[Premise::Check(check)], origin);
        let falsity = self.terms().falsity();
        let contradiction =
            assumed.is_err() || self.probe(st, falsity, Question::Infeasible, Bound::Quick, cx);
        if contradiction {
            if let Some(failure) = self.failures.iter_mut().find(|failure| failure.property == property) {
                failure.note = Some("the rest of this path was not checked, since it cannot be reached if this holds".into());
            }
            if !self.follows_dead(st) {
                return Err(Stop::Infeasible);
            }
            st.at = before;
            return self.go_on_dead(st, goal, Because::Recovered, &[Premise::Check(check)], origin);
        }
        Ok(())
    }
    /// Whether a failed check is about something that an earlier failure left unknown.
    pub fn is_cascade(&self, check: Option<CheckId>) -> bool {
        let Some(check) = check.map(|check| &self.tree.checks[check]) else { return false };
        let rests_on_recovered = check.premises.iter().any(|premise| match premise {
            Premise::Fact(node) => matches!(
                &self.tree.nodes[*node].step,
                TreeStep::Assume { because: Because::Recovered, .. }
            ),
            Premise::Check(_) => false,
        });
        rests_on_recovered || self.mentions_missing(check.goal)
    }
    fn mentions_missing(&self, goal: TermId) -> bool {
        let terms = &self.tree.terms;
        let mut seen: HashSet<TermId> = HashSet::new();
        let mut pending = vec![goal];
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let TermKind::App(symbol, _) = terms.kind(term)
                && MISSING.iter().any(|name| terms.symbol(*symbol).name.starts_with(name))
            {
                return true;
            }
            pending.extend(terms.children(term));
            pending.extend(self.definition_of(term));
        }
        false
    }
}
