//! Checks the goals of a member together. If that fails, their conjunction is halved until the failing goals are
//! found, or the maximum number of them.
//!
//! There are two forms in which all goals can be asked together: as a conjunction, where all facts are assumed from the
//! start, and nested as in Boogie, where facts are hypotheses of what comes after them, so that the solver sees only what
//! precedes the goal that it considers. Programs for Boogie are mostly proved faster in the nested form, and translated
//! Viper programs as a conjunction. If the nested form is not proved, or the solver gives up on the conjunction, the
//! other form is tried.

use crate::Outcome;
use echis_base::Key;
use echis_proof::{Bound, CheckId, GaveUp, NodeId, ProofTree, Prover, Role, Verdict};
use echis_term::TermId;

/// The form in which all goals are asked first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Conjunction,
    Nested,
}

/// Stops after `errors` errors; 0 finds all.
pub fn ask(outcome: &mut Outcome, prover: &mut dyn Prover, first: Form, errors: usize) {
    let checks: Vec<CheckId> = outcome.tree.checks.keys().collect();
    // Terms must not be added after the first question.
    let mut conjunctions = Vec::new();
    conjoin(outcome, &checks, &mut conjunctions);
    let nested = nested(outcome, &checks).map(|(start, goal)| Nested { start, goal, first });
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

/// All goals in the nested form, below this node.
struct Nested {
    start: NodeId,
    goal: TermId,
    first: Form,
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
    nested: Option<Nested>,
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
    let verdict = together(&outcome.tree, prover, (at, goal), nested);
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

/// The verdict about a group of goals. The nested form only proves: errors are located among parts of the conjunction.
fn together(
    tree: &ProofTree,
    prover: &mut dyn Prover,
    (at, goal): (NodeId, TermId),
    nested: Option<Nested>,
) -> Verdict {
    let first = nested.as_ref().map(|nested| nested.first);
    let proves = |prover: &mut dyn Prover| {
        nested.is_some_and(|nested| prover.check(tree, nested.start, nested.goal, Bound::Patient).is_proved())
    };
    if first == Some(Form::Nested) {
        return if proves(prover) { Verdict::Proved } else { prover.check(tree, at, goal, Bound::Full) };
    }
    match prover.check(tree, at, goal, Bound::Full) {
        Verdict::Unknown(GaveUp::Resources) if proves(prover) => Verdict::Proved,
        verdict => verdict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use echis_base::SourceMap;
    use echis_proof::MemberId;
    use echis_term::{Op, TermKind, Terms};
    use std::collections::BTreeMap;

    /// Proves all goals in the nested form, or nothing; notes each question.
    struct Fake {
        proves_nested: bool,
        start: Option<NodeId>,
        asked: Vec<(Form, Bound)>,
    }

    impl Prover for Fake {
        fn check(&mut self, _: &ProofTree, at: NodeId, _: TermId, bound: Bound) -> Verdict {
            let form = if Some(at) == self.start { Form::Nested } else { Form::Conjunction };
            self.asked.push((form, bound));
            let is_proved = form == Form::Nested && self.proves_nested;
            if is_proved { Verdict::Proved } else { Verdict::Unknown(GaveUp::Resources) }
        }
    }

    fn encoded(body: &str) -> Outcome {
        let text = format!("procedure p(a: bool, b: bool) {{ {body} }}");
        let checked = echis_boogie::check_program(SourceMap::default().next_file(), &text);
        let program = checked.program.expect("a program without errors");
        Engine::new(&program).encode(MemberId::new(0))
    }

    /// The questions about a procedure with two goals, and the number of its errors.
    fn asked(first: Form, proves_nested: bool) -> (Vec<(Form, Bound)>, usize) {
        let mut outcome = encoded("assume a || b; assert a; assert b;");
        let mut prover = Fake { proves_nested, start: outcome.notes.start, asked: Vec::new() };
        ask(&mut outcome, &mut prover, first, 0);
        (prover.asked, outcome.failures.len())
    }

    #[test]
    fn the_other_form_is_asked_if_the_solver_gives_up_on_the_first() {
        let nested = (Form::Nested, Bound::Patient);
        let conjunction = (Form::Conjunction, Bound::Full);
        assert_eq!(asked(Form::Nested, true), (vec![nested], 0));
        assert_eq!(asked(Form::Conjunction, true), (vec![conjunction, nested], 0));
        // Then each of the two goals is asked by itself.
        assert_eq!(asked(Form::Nested, false), (vec![nested, conjunction, conjunction, conjunction], 2));
        assert_eq!(asked(Form::Conjunction, false), (vec![conjunction, nested, conjunction, conjunction], 2));
    }

    /// The value of a proposition where these symbols are true and all others false.
    fn holds(terms: &Terms, term: TermId, truths: &BTreeMap<TermId, bool>) -> bool {
        let value = |term: &TermId| holds(terms, *term, truths);
        match terms.kind(term) {
            TermKind::Bool(value) => *value,
            TermKind::App(..) => truths[&term],
            TermKind::Op(Op::Not, parts) => !value(&parts[0]),
            TermKind::Op(Op::And, parts) => parts.iter().all(value),
            TermKind::Op(Op::Or, parts) => parts.iter().any(value),
            TermKind::Op(Op::Implies, parts) => !value(&parts[0]) || value(&parts[1]),
            TermKind::Op(Op::Eq, parts) => value(&parts[0]) == value(&parts[1]),
            other => panic!("{other:?} is not a proposition of the test"),
        }
    }

    fn symbols(terms: &Terms, term: TermId, found: &mut BTreeMap<TermId, bool>) {
        match terms.kind(term) {
            TermKind::App(..) => drop(found.insert(term, false)),
            TermKind::Op(_, parts) => parts.iter().for_each(|part| symbols(terms, *part, found)),
            _ => {}
        }
    }

    fn is_valid(terms: &Terms, term: TermId) -> bool {
        let mut truths = BTreeMap::new();
        symbols(terms, term, &mut truths);
        (0..1_u32 << truths.len()).all(|bits| {
            truths.values_mut().enumerate().for_each(|(at, truth)| *truth = bits >> at & 1 == 1);
            holds(terms, term, &truths)
        })
    }

    #[test]
    fn a_nested_goal_may_use_only_what_precedes_it() {
        for (body, expected) in [
            ("assume a; assert a; assert a || b;", true),
            ("assert a; assert a || b;", false),
            ("assert a || b; assume a; assert a;", false),
            ("assert !a || a; assume b; assert b; assume a; assert a;", true),
            ("if (a) { assert a; } else { assert !a; }", true),
            ("if (a) { assume b; } assert !a || b; assert b;", false),
        ] {
            let mut outcome = encoded(body);
            let checks: Vec<CheckId> = outcome.tree.checks.keys().collect();
            let (_, goal) = nested(&mut outcome, &checks).expect("there are two goals");
            assert_eq!(is_valid(&outcome.tree.terms, goal), expected, "{body}");
        }
    }
}
