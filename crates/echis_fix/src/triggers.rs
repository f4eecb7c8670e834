//! Quantifiers that are not instantiated for lack of a trigger.

use crate::site::Site;
use crate::text::one_line;
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_program::program::{BinaryOp, ExprId, ExprKind, LocalId};
use std::collections::BTreeSet;

/// Maximum number of quantifiers, and of triggers for each.
const QUANTIFIERS: usize = 5;
const EACH: usize = 2;

/// Candidates that add triggers to quantifiers without any, in the member and in axioms.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    if !matches!(site.reason, "assertion.false" | "insufficient.permission" | "qp.not.injective") {
        return Vec::new();
    }
    let mut axioms: Vec<ExprId> = Vec::new();
    for axiom in site.program.axioms.values() {
        site.program.visit(axiom.body, |expr| {
            axioms.push(expr);
            true
        });
    }
    // Axioms state that references are different.
    let quantifiers = match site.reason {
        "qp.not.injective" => [axioms, site.expressions()].concat(),
        _ => [site.expressions(), axioms].concat(),
    };
    let without = |expr: &ExprId| site.said(*expr).is_some() && has_no_trigger(site, *expr);
    quantifiers.into_iter().filter(without).take(QUANTIFIERS).flat_map(|expr| of_quantifier(site, expr)).collect()
}

fn has_no_trigger(site: &Site<'_>, expr: ExprId) -> bool {
    matches!(
        site.program.kind(expr),
        ExprKind::Quantified { given: false, .. } | ExprKind::ForallAcc { given: false, .. }
    )
}

fn of_quantifier(site: &Site<'_>, expr: ExprId) -> Vec<Candidate> {
    let program = site.program;
    let span = site.span(program.expr(expr).id);
    let Some(at) = site.text[span.start as usize..span.end as usize].find("::").map(|at| span.start as usize + at + 2)
    else {
        return Vec::new();
    };
    let line = site.sources.position(span).start.line;
    let candidate = |trigger: String| {
        let explanation = format!("add the trigger {{{trigger}}} to the quantifier on line {line}");
        Candidate::new(Kind::Trigger, explanation, vec![Edit::insert(at, format!(" {{{trigger}}}"))])
    };
    let terms = terms(site, expr);
    // A trigger may consist of several terms.
    let each = terms.split_first().filter(|(_, rest)| !rest.is_empty()).map(|(first, rest)| {
        let triggers: String = rest.iter().take(EACH).map(|term| format!("}} {{{term}")).collect();
        format!("{first}{triggers}")
    });
    terms.iter().take(EACH).cloned().chain(each).map(candidate).collect()
}

/// Terms that mention all variables of a quantifier, alone or as pairs.
fn terms(site: &Site<'_>, quantifier: ExprId) -> Vec<String> {
    let program = site.program;
    let vars: BTreeSet<LocalId> = program.kind(quantifier).bound().iter().copied().collect();
    let mut found: Vec<(String, BTreeSet<LocalId>)> = Vec::new();
    program.visit(quantifier, |expr| {
        let is_term = matches!(
            program.kind(expr),
            ExprKind::FunctionApp { .. }
                | ExprKind::DomainApp { .. }
                | ExprKind::Field { .. }
                | ExprKind::Binary(BinaryOp::SeqIndex, ..)
        );
        let mentioned: BTreeSet<LocalId> = mentioned(site, expr).intersection(&vars).copied().collect();
        if let Some(text) = site.said(expr).filter(|_| is_term && !mentioned.is_empty()).map(one_line)
            && !found.iter().any(|(known, _)| *known == text)
        {
            found.push((text, mentioned));
        }
        true
    });
    let mut terms: Vec<String> =
        found.iter().filter(|(_, mentioned)| *mentioned == vars).map(|(text, _)| text.clone()).collect();
    // Inner terms match more often.
    terms.sort_by_key(String::len);
    for (index, (first, some)) in found.iter().enumerate() {
        let pairs = found[index + 1..].iter().filter(|(_, others)| *some != vars && *others != vars);
        let pairs = pairs.filter(|(_, others)| some.union(others).count() == vars.len());
        terms.extend(pairs.map(|(second, _)| format!("{first}, {second}")));
    }
    terms
}

fn mentioned(site: &Site<'_>, expr: ExprId) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    site.program.visit(expr, |expr| {
        if let ExprKind::Local(local) = site.program.kind(expr) {
            found.insert(*local);
        }
        true
    });
    found
}
