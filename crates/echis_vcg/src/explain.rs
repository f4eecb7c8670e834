//! The statements and clauses that the proof of each goal needs.

use crate::Outcome;
use crate::overall::{self, Cores, Needs};
use crate::question::CoreQuery;
use echis_base::SyntaxId;
use echis_proof::{Because, CheckId, Explainer, NodeId, Step, Verdict};

/// A goal, and the dependencies of its proof.
pub struct Explanation {
    pub check: CheckId,
    /// The clause, and the statement where it is demanded, if different.
    pub goal: Element,
    pub proved: bool,
    /// Whether the facts there are contradictory.
    pub vacuous: bool,
    /// Whether no proof was found again, so that it may need every fact there.
    pub lost: bool,
    pub needs: Vec<Element>,
    /// The cost of the proof, in the solver's units, if known.
    pub effort: u64,
}

/// A clause or statement; with the call, if it is used at one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Element {
    pub clause: SyntaxId,
    pub site: Option<SyntaxId>,
}

/// Explains each goal of a member separately. Only elements that are `shown` count; all other facts are assumed.
pub fn explain(
    outcome: &mut Outcome,
    explainer: &mut dyn Explainer,
    shown: &dyn Fn(SyntaxId) -> bool,
) -> Vec<Explanation> {
    let stated = |outcome: &Outcome, node: NodeId| said(outcome, node, shown);
    overall::give(outcome, explainer, &stated);
    let (proved, failed) = judged(outcome);
    let found = proved.into_iter().map(|check| overall::alone(outcome, explainer, &stated, check)).collect();
    explained(outcome, found, failed, shown)
}

/// Explains all goals of a member together: the needs of one are attributed to each, unless a more precise answer is
/// cheap.
pub fn explain_together(
    outcome: &mut Outcome,
    explainer: &mut dyn Explainer,
    shown: &dyn Fn(SyntaxId) -> bool,
) -> Vec<Explanation> {
    let stated = |outcome: &Outcome, node: NodeId| said(outcome, node, shown);
    overall::give(outcome, explainer, &stated);
    let (proved, failed) = judged(outcome);
    let found = overall::together(outcome, explainer, &stated, Cores::Confirmed, proved);
    explained(outcome, found, failed, shown)
}

/// Proves all goals of a member at once, and explains them by that proof. The verdicts are set if there is one within the
/// bound.
pub fn prove_explained(
    outcome: &mut Outcome,
    explainer: &mut dyn Explainer,
    shown: &dyn Fn(SyntaxId) -> bool,
    bound: u64,
) -> Option<Vec<Explanation>> {
    let stated = |outcome: &Outcome, node: NodeId| said(outcome, node, shown);
    overall::give(outcome, explainer, &stated);
    let found = overall::prove(outcome, explainer, &stated, Cores::Confirmed, bound)?;
    Some(explained(outcome, found, Vec::new(), shown))
}

/// The goals that were proved, and the others.
fn judged(outcome: &Outcome) -> (Vec<CheckId>, Vec<CheckId>) {
    let is_proved = |check: &CheckId| outcome.tree.verdicts.get(*check).is_some_and(Verdict::is_proved);
    outcome.tree.checks.keys().partition(is_proved)
}

fn explained(
    outcome: &Outcome,
    found: Vec<Needs<Element>>,
    failed: Vec<CheckId>,
    shown: &dyn Fn(SyntaxId) -> bool,
) -> Vec<Explanation> {
    let goal = |check: CheckId| {
        let origin = outcome.tree.origins[outcome.tree.checks[check].origin];
        Element { clause: origin.clause, site: origin.site }
    };
    let explanation = |found: Needs<Element>| {
        let Needs { check, vacuous, lost, needs, effort } = found;
        Explanation { check, goal: goal(check), proved: true, vacuous, lost, needs, effort }
    };
    let mut explanations: Vec<Explanation> = found.into_iter().map(explanation).collect();
    // A failed goal may depend on every fact there.
    explanations.extend(failed.into_iter().map(|check| {
        let needs = CoreQuery::new(outcome, check, |node| said(outcome, node, shown)).names;
        Explanation { check, goal: goal(check), proved: false, vacuous: false, lost: false, needs, effort: 0 }
    }));
    explanations.sort_by_key(|explanation| explanation.check);
    explanations
}

/// The element that states a fact.
fn said(outcome: &Outcome, node: NodeId, shown: &dyn Fn(SyntaxId) -> bool) -> Option<Element> {
    let origin = outcome.tree.origin_of(node);
    let step = &outcome.tree.nodes[node].step;
    let is_said = matches!(step, Step::Assume { because: Because::Written | Because::Checked, .. });
    (is_said && shown(origin.clause)).then_some(Element { clause: origin.clause, site: origin.site })
}
