//! Constants for values that must exist if a goal is false. Naming them makes the model contain them: values at which a
//! universal goal fails, members in which two collections differ, and members of collections that have some.

use crate::limits::LIMITS;
use echis_term::{FreshRole, Op, Quantifier, Scope, Sort, SortId, TermId, TermKind, Terms};
use std::collections::BTreeMap;

/// The goal with fresh constants for its universally quantified variables, and with equations of collections at a
/// member. It is false for some values of the constants if and only if the goal is.
pub fn at_witnesses(terms: &mut Terms, goal: TermId, witnesses: &mut Vec<TermId>) -> TermId {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || part_at_witnesses(terms, goal, witnesses))
}

fn part_at_witnesses(terms: &mut Terms, goal: TermId, witnesses: &mut Vec<TermId>) -> TermId {
    match terms.as_op(goal) {
        Some((Op::Implies, [condition, rest])) => {
            let (condition, rest) = (*condition, *rest);
            let rest = at_witnesses(terms, rest, witnesses);
            return terms.implies(condition, rest);
        }
        Some((Op::And, parts)) => {
            let parts = parts.to_vec();
            let parts: Vec<TermId> = parts.into_iter().map(|part| at_witnesses(terms, part, witnesses)).collect();
            return terms.and(parts);
        }
        Some((Op::Eq, [left, right])) => {
            let sides = [*left, *right];
            return member_of_difference(terms, sides, witnesses).unwrap_or(goal);
        }
        Some((Op::SetSubset, [left, right])) => {
            let sides = [*left, *right];
            let Sort::Set(element) = *terms.sort_data(terms.sort_of(sides[0])) else { return goal };
            let member = witness(terms, element, witnesses);
            let inside = sides.map(|side| terms.op(Op::SetContains, [side, member]));
            return terms.implies(inside[0], inside[1]);
        }
        _ => {}
    }
    let TermKind::Quant(quant) = terms.kind(goal) else { return goal };
    let quant = quant.clone();
    if quant.quantifier != Quantifier::Forall {
        return goal;
    }
    let mut named = BTreeMap::new();
    for var in quant.vars.iter() {
        let (base, sort) = (terms.symbol(*var).role.base(), terms.symbol(*var).result);
        named.insert(*var, fresh(terms, base, sort, witnesses));
    }
    let body = terms.substitute(quant.body, &named);
    at_witnesses(terms, body, witnesses)
}

fn fresh(terms: &mut Terms, base: String, sort: SortId, witnesses: &mut Vec<TermId>) -> TermId {
    let witness = terms.fresh(&Scope::default(), FreshRole::Named(base.into()), &[], sort);
    witnesses.push(witness);
    witness
}

fn witness(terms: &mut Terms, sort: SortId, witnesses: &mut Vec<TermId>) -> TermId {
    fresh(terms, "member".to_string(), sort, witnesses)
}

/// Collections differ if and only if they do at some member. `None` for values of other sorts.
fn member_of_difference(terms: &mut Terms, sides: [TermId; 2], witnesses: &mut Vec<TermId>) -> Option<TermId> {
    let (element, op) = match *terms.sort_data(terms.sort_of(sides[0])) {
        Sort::Set(element) => (element, Op::SetContains),
        Sort::Multiset(element) => (element, Op::MultisetCount),
        _ => return None,
    };
    let member = witness(terms, element, witnesses);
    let [left, right] = sides.map(|side| terms.op(op, [side, member]));
    Some(terms.eq(left, right))
}

/// Named members of a collection, for each up to a limit that its size requires.
pub fn members(terms: &mut Terms, collection: TermId, witnesses: &mut Vec<TermId>) -> Vec<TermId> {
    let (element, contains, size) = match *terms.sort_data(terms.sort_of(collection)) {
        Sort::Set(element) => (element, Op::SetContains, Op::SetCardinality),
        Sort::Map(key, _) => (key, Op::MapContains, Op::MapCardinality),
        _ => return Vec::new(),
    };
    let size = terms.op(size, [collection]);
    let (mut named, mut found) = (Vec::new(), Vec::new());
    for position in 1..=LIMITS.named_members {
        let member = witness(terms, element, witnesses);
        let inside = terms.op(contains, [collection, member]);
        let mut is_next = vec![inside];
        is_next.extend(named.iter().map(|other| terms.ne(member, *other)));
        named.push(member);
        let (least, is_next) = (terms.int(position), terms.and(is_next));
        let has = terms.le(least, size);
        found.push(terms.implies(has, is_next));
    }
    found
}
