//! Arithmetic on amounts that are mostly case distinctions over literals (`ite(c, 1, 0)`). Pushing operations into the
//! cases keeps questions propositional, which solvers answer much faster than arithmetic.

use crate::limits::AMOUNT_CASES;
use echis_base::FastSet;
use echis_term::{Op, Rational, TermId, Terms};

/// The literal amounts of a case distinction, if all cases are literals and few.
pub fn cases(terms: &Terms, perm: TermId) -> Option<Vec<Rational>> {
    let mut literals = Vec::new();
    let mut stack = vec![perm];
    while let Some(term) = stack.pop() {
        if let Some(value) = terms.as_perm(term) {
            literals.push(value.clone());
        } else if let Some((Op::Ite, &[_, then, otherwise])) = terms.as_op(term) {
            stack.extend([then, otherwise]);
        } else {
            return None;
        }
        if literals.len() + stack.len() > AMOUNT_CASES {
            return None;
        }
    }
    Some(literals)
}

/// Whether the amount is a case distinction over nonnegative literals, so that it needs no bound.
pub fn is_plain(terms: &Terms, perm: TermId) -> bool {
    cases(terms, perm).is_some_and(|literals| literals.iter().all(|value| *value >= Rational::ZERO))
}

/// Applies an operation case by case if both sides have few cases.
fn pointwise(
    terms: &mut Terms,
    left: TermId,
    right: TermId,
    operation: &impl Fn(&mut Terms, TermId, TermId) -> TermId,
) -> TermId {
    let left_cases = cases(terms, left).map(|literals| literals.len());
    let right_cases = cases(terms, right).map(|literals| literals.len());
    match (left_cases, right_cases) {
        (Some(a), Some(b)) if a * b <= AMOUNT_CASES * 2 => distribute(terms, left, right, operation),
        _ => operation(terms, left, right),
    }
}
fn distribute(
    terms: &mut Terms,
    left: TermId,
    right: TermId,
    operation: &impl Fn(&mut Terms, TermId, TermId) -> TermId,
) -> TermId {
    let (a, b) = (split(terms, left), split(terms, right));
    match (a, b) {
        (Some((condition, then, otherwise)), Some((other, other_then, other_else))) if condition == other => {
            let then = distribute(terms, then, other_then, operation);
            let otherwise = distribute(terms, otherwise, other_else, operation);
            terms.ite(condition, then, otherwise)
        }
        (Some((condition, then, otherwise)), _) => {
            let then = distribute(terms, then, right, operation);
            let otherwise = distribute(terms, otherwise, right, operation);
            terms.ite(condition, then, otherwise)
        }
        (None, Some((condition, then, otherwise))) => {
            let then = distribute(terms, left, then, operation);
            let otherwise = distribute(terms, left, otherwise, operation);
            terms.ite(condition, then, otherwise)
        }
        (None, None) => operation(terms, left, right),
    }
}
fn split(terms: &Terms, term: TermId) -> Option<(TermId, TermId, TermId)> {
    match terms.as_op(term) {
        Some((Op::Ite, &[condition, then, otherwise])) => Some((condition, then, otherwise)),
        _ => None,
    }
}

/// The remainder after taking an amount that is available. Cases in which it is not available do not occur, so they
/// count as zero.
pub fn rest(terms: &mut Terms, have: TermId, taken: TermId) -> TermId {
    pointwise(terms, have, taken, &|terms, have, taken| {
        let left = terms.sub(have, taken);
        match terms.as_perm(left) {
            Some(value) if *value < Rational::ZERO => terms.no_perm(),
            _ => left,
        }
    })
}
pub fn minimum(terms: &mut Terms, left: TermId, right: TermId) -> TermId {
    pointwise(terms, left, right, &|terms, left, right| terms.min(left, right))
}
pub fn total(terms: &mut Terms, left: TermId, right: TermId) -> TermId {
    if terms.is_zero(left) {
        return right;
    }
    if terms.is_zero(right) {
        return left;
    }
    match (split(terms, left), split(terms, right)) {
        (Some((condition, then, otherwise)), Some((other, other_then, other_else))) if condition == other => {
            let then = total(terms, then, other_then);
            let otherwise = total(terms, otherwise, other_else);
            terms.ite(condition, then, otherwise)
        }
        _ => terms.add(left, right),
    }
}

/// `perm == 0`
pub fn is_none(terms: &mut Terms, perm: TermId) -> TermId {
    match split(terms, perm) {
        Some((condition, then, otherwise)) => {
            let then = is_none(terms, then);
            let otherwise = is_none(terms, otherwise);
            terms.ite(condition, then, otherwise)
        }
        None => {
            let zero = terms.no_perm();
            terms.eq(perm, zero)
        }
    }
}
/// `perm > 0`
pub fn is_some(terms: &mut Terms, perm: TermId) -> TermId {
    match split(terms, perm) {
        Some((condition, then, otherwise)) => {
            let then = is_some(terms, then);
            let otherwise = is_some(terms, otherwise);
            terms.ite(condition, then, otherwise)
        }
        None => terms.positive(perm),
    }
}
/// Whether any of several nonnegative amounts is positive.
pub fn any_some(terms: &mut Terms, perms: &[TermId]) -> TermId {
    let parts: Vec<TermId> = perms.iter().map(|perm| is_some(terms, *perm)).collect();
    terms.or(parts)
}
/// Whether several nonnegative amounts together reach a positive amount.
pub fn suffice(terms: &mut Terms, perms: &[TermId], amount: TermId) -> TermId {
    if let Some(wanted) = terms.as_perm(amount).cloned() {
        let each_or_none = perms.iter().all(|perm| {
            cases(terms, *perm)
                .is_some_and(|literals| literals.iter().all(|value| *value == Rational::ZERO || *value >= wanted))
        });
        if each_or_none && wanted > Rational::ZERO {
            return any_some(terms, perms);
        }
    }
    if let [only] = perms {
        return terms.le(amount, *only);
    }
    let sum = terms.sum(perms.iter().copied());
    terms.le(amount, sum)
}

/// Whether the term has more than `limit` distinct subterms.
pub fn is_larger(terms: &Terms, term: TermId, limit: usize) -> bool {
    let mut seen = FastSet::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if seen.len() > limit {
                return true;
            }
            stack.extend(terms.children(term));
        }
    }
    false
}
