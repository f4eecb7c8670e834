//! Ways to split a question: the conjuncts of a goal, the cases of a condition, the facts near a goal.

use crate::limits::{CONDITIONS, GOAL_PARTS, LATEST_FACTS, STEPS_TO_NEAR_FACTS};
use echis_term::{Op, Quantifier, SymbolId, SymbolKind, TermId, TermKind, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// A part of the goal, under some conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Case {
    pub conditions: Vec<(TermId, bool)>,
    /// The triggers of the quantifiers around the part: see `write_goal`.
    pub mentioned: Vec<TermId>,
    pub goal: TermId,
}

impl Case {
    pub fn whole(goal: TermId) -> Self {
        Case { conditions: Vec::new(), mentioned: Vec::new(), goal }
    }
    fn under(&self, more: &[(TermId, bool)], goal: TermId) -> Self {
        Case { conditions: [&self.conditions[..], more].concat(), mentioned: self.mentioned.clone(), goal }
    }
}

/// Whether a goal has products or quotients of unknown numbers, which one arithmetic may decide at once and the other
/// never.
pub(super) fn is_nonlinear(terms: &Terms, goal: TermId) -> bool {
    let is_literal = |term: TermId| matches!(terms.kind(term), TermKind::Int(_) | TermKind::Perm(_));
    let mut found = false;
    terms.for_each_subterm(goal, |term| {
        found |= match terms.as_op(term) {
            Some((Op::Mul, parts)) => parts.iter().filter(|part| !is_literal(**part)).count() > 1,
            Some((Op::Div | Op::Mod | Op::PermDiv, parts)) => !is_literal(parts[1]),
            _ => false,
        };
    });
    found
}

/// The parts of a goal, each with what it may assume besides the facts. A quantified variable represents an arbitrary
/// value in the parts of the body, if nothing else is known about it.
pub(super) fn parts(terms: &Terms, facts: impl Iterator<Item = TermId>, goal: TermId) -> Vec<Case> {
    let mut known: BTreeSet<SymbolId> = facts.flat_map(|fact| terms.term(fact).free.to_vec()).collect();
    known.extend(terms.term(goal).free.iter().copied());
    let mut parts = Vec::new();
    let mut open = vec![Case::whole(goal)];
    while let Some(case) = open.pop() {
        let more = match terms.kind(case.goal) {
            _ if parts.len() + open.len() >= GOAL_PARTS => Vec::new(),
            TermKind::Op(Op::And, args) => {
                let shown: Vec<(TermId, bool)> = args.iter().map(|arg| (*arg, true)).collect();
                args.iter().enumerate().map(|(index, arg)| case.under(&shown[..index], *arg)).collect()
            }
            TermKind::Op(Op::Implies, args) => vec![case.under(&[(args[0], true)], args[1])],
            TermKind::Op(Op::Ite, args) => {
                vec![case.under(&[(args[0], true)], args[1]), case.under(&[(args[0], false)], args[2])]
            }
            TermKind::Quant(quant)
                if quant.quantifier == Quantifier::Forall && quant.vars.iter().all(|var| !known.contains(var)) =>
            {
                known.extend(quant.vars.iter().copied());
                let mentioned = case.mentioned.iter().chain(quant.triggers.iter().flatten()).copied().collect();
                vec![Case { conditions: case.conditions.clone(), mentioned, goal: quant.body }]
            }
            _ => Vec::new(),
        };
        match more.is_empty() {
            true => parts.push(case),
            false => open.extend(more.into_iter().rev()),
        }
    }
    parts
}

/// Cases that together prove the goal.
pub(super) fn cases(terms: &Terms, facts: &[TermId], goal: TermId) -> Vec<Case> {
    let conditions = conditions(terms, facts, goal);
    let goals = match terms.as_op(goal) {
        Some((Op::And, parts)) => parts.to_vec(),
        _ => vec![goal],
    };
    let mut choices = vec![Vec::new()];
    for condition in conditions {
        let extended = |holds| {
            let with = move |choice: &Vec<_>| choice.iter().copied().chain([(condition, holds)]).collect::<Vec<_>>();
            choices.iter().map(with).collect::<Vec<_>>()
        };
        choices = [extended(true), extended(false)].concat();
    }
    let of_goal = |goal: TermId| choices.iter().map(move |choice| Case::whole(goal).under(choice, goal));
    goals.into_iter().flat_map(of_goal).collect()
}

/// The conditions in the goal, and then in the latest facts: conditions of `ite`s, antecedents of implications, and
/// the constructors that values of ADTs are compared with.
fn conditions(terms: &Terms, facts: &[TermId], goal: TermId) -> Vec<TermId> {
    let mut found: Vec<TermId> = Vec::new();
    for proposition in [goal].into_iter().chain(facts.iter().rev().take(LATEST_FACTS).copied()) {
        let mut here = BTreeSet::new();
        terms.for_each_subterm(proposition, |term| {
            let condition = match terms.as_op(term) {
                Some((Op::Ite | Op::Implies, parts)) => parts[0],
                Some((Op::Eq, parts)) if is_tag(terms, parts[0]) || is_tag(terms, parts[1]) => term,
                _ => return,
            };
            let is_closed = terms.term(condition).free.is_empty();
            if is_closed && condition != proposition && !facts.contains(&condition) {
                here.insert(condition);
            }
        });
        for condition in here {
            if !found.contains(&condition) {
                found.push(condition);
            }
        }
        if found.len() >= CONDITIONS {
            break;
        }
    }
    found.truncate(CONDITIONS);
    found
}

/// Whether a term is a number literal, which identifies constructors of ADTs.
fn is_tag(terms: &Terms, term: TermId) -> bool {
    terms.as_int(term).is_some()
}

/// The facts reachable from the goal's symbols in few steps. Symbols that occur almost everywhere are not followed.
pub(super) fn near(terms: &Terms, facts: &[TermId], goal: TermId) -> Vec<TermId> {
    let symbols = |term: TermId| -> BTreeSet<SymbolId> {
        let is_free = |symbol: &SymbolId| terms.symbol(*symbol).kind() == SymbolKind::Function;
        terms.symbols_of(term).into_iter().filter(is_free).collect()
    };
    let spoken: Vec<BTreeSet<SymbolId>> = facts.iter().map(|fact| symbols(*fact)).collect();
    let mut uses: BTreeMap<SymbolId, usize> = BTreeMap::new();
    for symbol in spoken.iter().flatten() {
        *uses.entry(*symbol).or_insert(0) += 1;
    }
    let common = (facts.len() / 4).max(8);
    let is_telling = |symbol: &SymbolId| uses.get(symbol).is_none_or(|uses| *uses <= common);
    let mut reached = symbols(goal);
    let mut taken = vec![false; facts.len()];
    for _ in 0..STEPS_TO_NEAR_FACTS {
        let mut next = reached.clone();
        for (index, symbols) in spoken.iter().enumerate() {
            let quantified = matches!(terms.kind(facts[index]), TermKind::Quant(_));
            let touches = symbols.iter().any(|symbol| reached.contains(symbol) && (quantified || is_telling(symbol)));
            if touches || symbols.is_empty() {
                taken[index] = true;
                next.extend(symbols);
            }
        }
        reached = next;
    }
    facts.iter().zip(taken).filter(|(_, taken)| *taken).map(|(fact, _)| *fact).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_term::SymbolRole;

    #[test]
    fn cases_are_those_of_conditions_and_parts() {
        let mut terms = Terms::new();
        let int = terms.int_sort();
        let bool_sort = terms.bool_sort();
        let mut constant = |name: &str, sort| {
            let symbol = terms.declare(SymbolRole::Uninterpreted(name.into()), [], sort);
            (symbol, terms.constant(symbol))
        };
        let (x, y) = (constant("x", int).1, constant("y", int).1);
        let (b, far) = (constant("b", bool_sort).1, constant("far", int).1);
        let value = terms.ite(b, x, y);
        let (first, second) = (terms.lt(x, value), terms.lt(y, value));
        let goal = terms.and(vec![first, second]);
        let cases = cases(&terms, &[], goal);
        let part = |shown: &[TermId], goal| {
            let shown: Vec<_> = shown.iter().map(|shown| (*shown, true)).collect();
            Case::whole(goal).under(&shown, goal)
        };
        let implied = terms.implies(b, goal);
        assert_eq!(parts(&terms, [].into_iter(), implied), [part(&[b], first), part(&[b, first], second)]);
        let expected: Vec<Case> = [first, second]
            .into_iter()
            .flat_map(|goal| [true, false].map(|holds| Case::whole(goal).under(&[(b, holds)], goal)))
            .collect();
        assert_eq!(cases, expected);
        let zero = terms.int(0);
        let (near_fact, far_fact) = (terms.lt(zero, x), terms.lt(zero, far));
        assert_eq!(near(&terms, &[near_fact, far_fact], first), [near_fact]);
    }
}
