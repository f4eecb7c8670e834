//! Parts of assertions: nested conjuncts of assumptions; disjuncts and both sides of implications of goals.
//!
//! A part of an assumption is not needed if it can be replaced with `true`. A part of a goal is not needed if the
//! proof succeeds without it: with a disjunct replaced by `false`, or the left side of an implication by `true`. If
//! the right side can be `false`, the left side never holds and the implication is vacuous.

use crate::branches::is_written;
use crate::doubt::Saying;
use crate::removal::removal;
use crate::{Removal, WarningId};
use echis_base::{Edit, opened_at};
use echis_program::program::{BinaryOp, ExprId, ExprKind, Program, Quantifier};

/// A part, and the edits that remove it. `{}` in the message is the part's text.
pub struct Part {
    pub expr: ExprId,
    pub id: WarningId,
    pub message: &'static str,
    pub edits: Vec<Edit>,
    pub fix: Option<Removal>,
    /// How the replacement strengthens the clause, if it does.
    pub saying: Option<Saying>,
}

/// Conjuncts inside implications, conditionals, disjunctions and quantifiers.
pub fn believed(program: &Program, source: &str, root: ExprId) -> Vec<Part> {
    conjuncts(program, source, root, Below::Top)
}

/// All conjuncts of an assertion that is a single node, such as an axiom.
pub fn believed_as_one(program: &Program, source: &str, root: ExprId) -> Vec<Part> {
    conjuncts(program, source, root, Below::Other)
}

fn conjuncts(program: &Program, source: &str, root: ExprId, below: Below) -> Vec<Part> {
    let mut found = Vec::new();
    let mut pending = vec![(root, below)];
    while let Some((expr, below)) = pending.pop() {
        if !is_written(program, expr) {
            continue;
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let below = if below == Below::Top { Below::Top } else { Below::Conjunction };
                pending.extend([(*left, below), (*right, below)]);
                continue;
            }
            ExprKind::Binary(BinaryOp::Implies, _, right) => pending.push((*right, Below::Other)),
            ExprKind::Binary(BinaryOp::Or, left, right) | ExprKind::Conditional(_, left, right) => {
                pending.extend([(*left, Below::Other), (*right, Below::Other)]);
            }
            ExprKind::Quantified { quantifier: Quantifier::Forall, body, .. } => pending.push((*body, Below::Other)),
            _ => {}
        }
        if below == Below::Conjunction {
            let (start, end) = range(program, source, expr);
            let edits = vec![removal(source, start, end)];
            let message = "No proof needs the part {} of what is assumed here.";
            let id = WarningId::AssumptionUnused;
            found.push(Part { expr, id, message, edits, fix: Some(Removal::Safe), saying: None });
        }
    }
    found.reverse();
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    Top,
    /// A conjunct of a nested conjunction.
    Conjunction,
    Other,
}

/// Disjuncts, and sides of implications.
pub fn proved(program: &Program, source: &str, root: ExprId) -> Vec<Part> {
    let mut found = Vec::new();
    let mut pending = vec![root];
    while let Some(expr) = pending.pop() {
        if !is_written(program, expr) {
            continue;
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) | ExprKind::Conditional(_, left, right) => {
                pending.extend([*left, *right]);
            }
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                found.push(part(
                    program,
                    source,
                    *left,
                    Saying::AlwaysHolds,
                    WarningId::PartUnused,
                    "The right side holds without the condition {}.",
                ));
                let never = "The condition {} never holds here, so its consequence is never checked.";
                let vacuous = Part {
                    expr: *left,
                    ..part(program, source, *right, Saying::NeverHolds, WarningId::ProvedVacuously, never)
                };
                found.push(Part { fix: None, ..vacuous });
                pending.push(*right);
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                for side in [*left, *right] {
                    // Nested disjunctions are split: each alternative is tried separately.
                    if !matches!(program.kind(side), ExprKind::Binary(BinaryOp::Or, ..)) {
                        let message = "The alternative {} is never needed: the others hold without it.";
                        found.push(part(program, source, side, Saying::NeverHolds, WarningId::PartUnused, message));
                    } else {
                        pending.push(side);
                    }
                }
            }
            ExprKind::Quantified { quantifier: Quantifier::Forall, body, .. } => pending.push(*body),
            _ => {}
        }
    }
    found
}

fn part(program: &Program, source: &str, expr: ExprId, saying: Saying, id: WarningId, message: &'static str) -> Part {
    let (start, end) = range(program, source, expr);
    let text = match saying {
        Saying::NeverHolds => "false",
        Saying::AlwaysHolds => "true",
    };
    let (edits, fix) = (vec![Edit::replace(start, end, text)], Some(Removal::Stronger));
    Part { expr, id, message, edits, fix, saying: Some(saying) }
}

pub fn range(program: &Program, source: &str, expr: ExprId) -> (usize, usize) {
    let span = program.syntax.span(program.expr(expr).id);
    (opened_at(source, span.start as usize, span.end as usize), span.end as usize)
}
