//! Which statements and clauses the proof of each goal needs.

use crate::Outcome;
use crate::limits::{CONTRADICTION_EFFORT, CORE_EFFORT};
use crate::question::CoreQuery;
use echis_base::SyntaxId;
use echis_proof::{Because, CheckId, Explainer, Step};
use std::collections::BTreeSet;

/// A goal that was demanded, and what its proof rests on.
pub struct Explanation {
    pub check: CheckId,
    /// The clause, and the statement at which it is demanded if that is another one.
    pub goal: Element,
    pub proved: bool,
    /// What holds there is contradictory.
    pub vacuous: bool,
    /// No proof was found again, so it may need anything that is known there.
    pub lost: bool,
    pub needs: Vec<Element>,
}

/// A clause or statement; where it is used at a call, the call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Element {
    pub clause: SyntaxId,
    pub site: Option<SyntaxId>,
}

/// Explains all goals of a member. Only what is `shown` counts as an element; whatever else is known is taken for granted.
pub fn explain(
    outcome: &mut Outcome,
    explainer: &mut dyn Explainer,
    shown: &dyn Fn(SyntaxId) -> bool,
) -> Vec<Explanation> {
    let failed: BTreeSet<CheckId> = outcome.failures.iter().filter_map(|failure| failure.check).collect();
    let falsity = outcome.tree.terms.falsity();
    let mut explanations = Vec::new();
    for check in outcome.tree.checks.keys() {
        let origin = outcome.tree.origins[outcome.tree.checks[check].origin];
        let goal = Element { clause: origin.clause, site: origin.site };
        let element = |node| {
            let origin = outcome.tree.origin_of(node);
            let step = &outcome.tree.nodes[node].step;
            let is_said = matches!(step, Step::Assume { because: Because::Written | Because::Checked, .. });
            let element = Element { clause: origin.clause, site: origin.site };
            (is_said && shown(origin.clause)).then_some(element)
        };
        let question = CoreQuery::new(outcome, check, element);
        let proved = !failed.contains(&check);
        if !proved {
            // Anything that is known there may have been relied on.
            let needs = question.names.clone();
            explanations.push(Explanation { check, goal, proved, vacuous: false, lost: false, needs });
            continue;
        }
        let contradiction = question.needs(outcome, explainer, falsity, CONTRADICTION_EFFORT);
        let vacuous = contradiction.is_some();
        let bare = outcome.notes.parts[&check].1;
        let needs = contradiction.or_else(|| question.needs(outcome, explainer, bare, CORE_EFFORT));
        let lost = needs.is_none();
        let needs = needs.unwrap_or_else(|| question.names.clone());
        explanations.push(Explanation { check, goal, proved, vacuous, lost, needs });
    }
    explanations
}
