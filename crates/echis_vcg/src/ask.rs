//! Checks the goals of a member as one conjunction. If that fails, the conjunction is halved until the failing goals
//! are found, or the maximum number of them.
//!
//! If the solver gave up on the conjunction, it is first asked in another form: as Boogie does, facts are hypotheses
//! of what comes after them instead of being assumed from the start. Then the solver sees only what precedes the goal
//! that it considers.

use crate::Outcome;
use echis_base::Key;
use echis_proof::{Bound, CheckId, GaveUp, NodeId, Prover, Role, Verdict};
use echis_term::TermId;

/// Stops after `errors` errors; 0 finds all.
pub fn ask(outcome: &mut Outcome, prover: &mut dyn Prover, errors: usize) {
    let checks: Vec<CheckId> = outcome.tree.checks.keys().collect();
    // Terms must not be added after the first question.
    let mut conjunctions = Vec::new();
    conjoin(outcome, &checks, &mut conjunctions);
    let nested = nested(outcome, &checks);
    let mut next = conjunctions.into_iter();
    let mut left = if errors == 0 { usize::MAX } else { errors };
    decide(outcome, prover, &checks, &mut next, nested, &mut left);
    for check in checks {
        let verdict = outcome.tree.verdicts.get(check);
        // Goals that were not asked are not errors, if enough errors were found.
        if !verdict.is_some_and(Verdict::is_proved) && (verdict.is_some() || left > 0) {
            let failure = crate::failed(outcome, check);
            outcome.failures.extend(failure);
        }
    }
}

/// The conjunctions of all groups that may be asked, in the order in which they are reached.
fn conjoin(outcome: &mut Outcome, checks: &[CheckId], into: &mut Vec<(usize, TermId)>) {
    if checks.is_empty() {
        return;
    }
    let goals: Vec<TermId> = checks.iter().map(|check| outcome.tree.checks[*check].goal).collect();
    let goal = outcome.tree.terms.and(goals);
    into.push((checks[0].index(), goal));
    if checks.len() > 1 {
        let (first, second) = checks.split_at(checks.len() / 2);
        conjoin(outcome, first, into);
        conjoin(outcome, second, into);
    }
}

/// All goals, each below the facts and the goals before it, and the node with the facts that this leaves out. Proving
/// it proves each goal from the facts on its path and earlier goals.
fn nested(outcome: &mut Outcome, checks: &[CheckId]) -> Option<(NodeId, TermId)> {
    let (start, [_, .., last]) = (outcome.notes.start?, checks) else { return None };
    let tree = &mut outcome.tree;
    let path = tree.path_since(start, tree.checks[*last].at);
    let mut rest = tree.terms.truth();
    let mut later = checks.iter().rev().peekable();
    for node in path.into_iter().rev().chain([start]) {
        while let Some(check) = later.next_if(|check| tree.checks[**check].at == node) {
            let goal = tree.checks[*check].goal;
            let after = tree.terms.implies(goal, rest);
            rest = tree.terms.and([goal, after]);
        }
        if let Some(fact) = tree.fact(node).filter(|_| node != start) {
            rest = tree.terms.implies(fact, rest);
        }
    }
    later.next().is_none().then_some((start, rest))
}

fn decide(
    outcome: &mut Outcome,
    prover: &mut dyn Prover,
    checks: &[CheckId],
    goals: &mut impl Iterator<Item = (usize, TermId)>,
    nested: Option<(NodeId, TermId)>,
    left: &mut usize,
) {
    if *left == 0 {
        return;
    }
    let (Some(last), Some((_, goal))) = (checks.last(), goals.next()) else { return };
    let at = outcome.tree.checks[*last].at;
    if let Role::Obligation(property) = outcome.tree.checks[checks[0]].role {
        prover.obliged(property);
    }
    let mut verdict = prover.check(&outcome.tree, at, goal, Bound::Full);
    if let (Verdict::Unknown(GaveUp::Resources), Some((start, nested))) = (&verdict, nested)
        && prover.check(&outcome.tree, start, nested, Bound::Patient).is_proved()
    {
        verdict = Verdict::Proved;
    }
    if checks.len() == 1 || verdict.is_proved() {
        checks.iter().for_each(|check| outcome.tree.verdicts.set(*check, verdict.clone()));
        if let Some(failure) = crate::failed(outcome, *last).filter(|_| !verdict.is_proved()) {
            prover.failed(&failure);
            *left -= 1;
        }
        // Parts of a proved group are not asked.
        goals.take(2 * checks.len() - 2).for_each(|_| {});
        return;
    }
    let (first, second) = checks.split_at(checks.len() / 2);
    decide(outcome, prover, first, goals, None, left);
    decide(outcome, prover, second, goals, None, left);
}
