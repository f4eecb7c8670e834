//! Conditional expressions with a branch that is never evaluated.

use echis_base::{Edit, FileId, Span, opened_at};
use echis_program::program::{ExprId, ExprKind, Program};
use std::ops::Range;

pub const NEVER: &str = "This branch is never taken: the condition never holds here.";
pub const ALWAYS: &str = "The other branch is never taken: the condition always holds here.";

/// A branch that may be unreachable: it is if the program still verifies with `false` asserted before its evaluation.
pub struct Branch {
    pub condition: Span,
    pub message: &'static str,
    pub edits: Vec<Edit>,
    /// The position of the branch.
    pub place: Range<usize>,
}

/// The branches of the conditional expressions in an expression, except those with permissions.
pub fn branches(program: &Program, main: FileId, source: &str, root: ExprId) -> Vec<Branch> {
    let mut found = Vec::new();
    let span = |expr: ExprId| program.syntax.span(program.expr(expr).id);
    program.visit(root, |expr| {
        if !is_written(program, expr) || span(expr).file != main {
            return false;
        }
        if let ExprKind::Conditional(condition, then, otherwise) = program.kind(expr)
            && program.is_pure(expr)
        {
            for (branch, message) in [(*then, NEVER), (*otherwise, ALWAYS)] {
                let (condition, edits) = (span(*condition), refused(source, span(branch)));
                found.push(Branch { condition, message, edits, place: place(source, span(branch)) });
            }
        }
        true
    });
    found
}

/// Whether an expression is written at its position. A macro use, including its arguments, represents several places,
/// and generated code has none: neither can be edited in part.
pub fn is_written(program: &Program, expr: ExprId) -> bool {
    let syntax = program.syntax.node(program.expr(expr).id);
    syntax.macro_span.is_none() && syntax.cause.is_none()
}

pub fn place(source: &str, expr: Span) -> Range<usize> {
    let (start, end) = (expr.start as usize, expr.end as usize);
    opened_at(source, start, end)..end
}

/// Asserts `false` before the expression is evaluated.
pub fn refused(source: &str, expr: Span) -> Vec<Edit> {
    let Range { start, end } = place(source, expr);
    vec![Edit::insert(start, "(asserting (false) in ("), Edit::insert(end, "))")]
}

/// Asserts `false` where the value of a function's body is computed, after everything that the body unfolds.
pub fn refused_body(program: &Program, source: &str, body: ExprId) -> Option<Vec<Edit>> {
    let mut last = body;
    while let ExprKind::Unfolding { body, .. } | ExprKind::Let { body, .. } = program.kind(last) {
        last = *body;
    }
    is_written(program, last).then(|| refused(source, program.syntax.span(program.expr(last).id)))
}
