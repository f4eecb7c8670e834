//! Off-by-one comparisons: an invariant that fails at the end of the loop, a loop with one iteration too many, a
//! quantifier over one element too many.

use crate::permission::comparison;
use crate::site::Site;
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_program::program::{BinaryOp, ExprId, ExprKind, StmtKind};

/// Candidates for comparisons that should be strict, or non-strict.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    let is_out_of_range = matches!(
        site.reason,
        "seq.index.length" | "seq.index.negative" | "insufficient.permission" | "map.key.contains"
    );
    let mut found = Vec::new();
    if site.is_about_invariant() && site.reason == "assertion.false" {
        found.extend(invariants(site));
    }
    if is_out_of_range {
        found.extend(ranges(site));
    }
    if is_out_of_range || site.reason == "assertion.false" {
        found.extend(conditions(site));
    }
    found
}

/// Invariants with `<` that should have `<=`.
fn invariants(site: &Site<'_>) -> Vec<Candidate> {
    let Some(StmtKind::While { invariants, .. }) = site.enclosing_loop().map(|stmt| &stmt.kind) else {
        return Vec::new();
    };
    let program = site.program;
    let conjuncts = invariants.iter().flat_map(|clause| program.conjuncts(*clause)).map(|(conjunct, _)| conjunct);
    let failing: Vec<ExprId> =
        conjuncts.filter(|conjunct| site.span(program.expr(*conjunct).id).contains(site.about)).collect();
    let sums = failing.iter().flat_map(|conjunct| steps(site, *conjunct));
    let parts = failing.iter().flat_map(|conjunct| comparisons(site, *conjunct));
    let weaker = parts.filter_map(|expr| edited(site, expr, Direction::Weaker));
    let weaker = weaker.map(|(text, edit)| (format!("write {text} in the invariant"), edit));
    let all = weaker.chain(sums);
    all.map(|(explanation, edit)| Candidate::new(Kind::Invariant, explanation, vec![edit])).collect()
}

/// `i` in place of `i + 1` and `i - 1`.
fn steps(site: &Site<'_>, root: ExprId) -> Vec<(String, Edit)> {
    let program = site.program;
    let mut found = Vec::new();
    program.visit(root, |expr| {
        if let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, first, second) = program.kind(expr)
            && let (Some(whole), Some(first), Some("1")) = (site.said(expr), site.said(*first), site.said(*second))
        {
            let span = site.span(program.expr(expr).id);
            let edit = Edit::replace(span.start as usize, span.end as usize, first);
            found.push((format!("write {first} for {whole} in the invariant"), edit));
        }
        true
    });
    found
}

/// Quantifiers around an out-of-range expression.
fn ranges(site: &Site<'_>) -> Vec<Candidate> {
    let program = site.program;
    let mut found = Vec::new();
    for quantifier in site.expressions() {
        let range = match program.kind(quantifier) {
            ExprKind::Quantified { body, .. } => match program.kind(*body) {
                ExprKind::Binary(BinaryOp::Implies, range, _) => *range,
                _ => continue,
            },
            ExprKind::ForallAcc { condition, .. } => *condition,
            _ => continue,
        };
        let span = site.span(program.expr(quantifier).id);
        if !span.contains(site.at) && !span.contains(site.about) {
            continue;
        }
        let kind = site.kind_of(span);
        for (text, edit) in
            comparisons(site, range).into_iter().filter_map(|expr| edited(site, expr, Direction::Stronger))
        {
            found.push(Candidate::new(kind, format!("write {text} in the quantifier"), vec![edit]));
        }
    }
    found
}

/// The condition of the loop around the failure, or before it.
fn conditions(site: &Site<'_>) -> Vec<Candidate> {
    let loops = site.enclosing_loop().into_iter().chain(site.loops_before().into_iter().rev().take(1));
    let mut found: Vec<Candidate> = Vec::new();
    for stmt in loops {
        let StmtKind::While { condition, .. } = &stmt.kind else { continue };
        let line = site.sources.position(site.span(stmt.id)).start.line;
        for expr in comparisons(site, *condition) {
            for direction in [Direction::Stronger, Direction::Weaker] {
                let Some((text, edit)) = edited(site, expr, direction) else { continue };
                let explanation = format!("write {text} in the condition of the loop on line {line}");
                found.push(Candidate::new(Kind::Condition, explanation, vec![edit]));
            }
        }
    }
    found
}

#[derive(Clone, Copy)]
enum Direction {
    Weaker,
    Stronger,
}

fn comparisons(site: &Site<'_>, root: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    site.program.visit(root, |expr| {
        found.push(expr);
        true
    });
    found.retain(|expr| comparison(site, *expr).is_some());
    found
}

/// The comparison with another operator.
fn edited(site: &Site<'_>, expr: ExprId, direction: Direction) -> Option<(String, Edit)> {
    let program = site.program;
    let (left, op, right) = comparison(site, expr)?;
    let ExprKind::Binary(_, first, second) = program.kind(expr) else { return None };
    let (written, other) = match (op, direction) {
        (BinaryOp::Lt, Direction::Weaker) => ("<", "<="),
        (BinaryOp::Gt, Direction::Weaker) => (">", ">="),
        (BinaryOp::Le, Direction::Stronger) => ("<=", "<"),
        (BinaryOp::Ge, Direction::Stronger) => (">=", ">"),
        _ => return None,
    };
    let (from, to) =
        (site.span(program.expr(*first).id).end as usize, site.span(program.expr(*second).id).start as usize);
    let at = from + site.text.get(from..to)?.find(written)?;
    Some((format!("{left} {other} {right}"), Edit::replace(at, at + written.len(), other)))
}
