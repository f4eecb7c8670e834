//! Keeps the triggers that a solver accepts.

use crate::encoder::{Encoder, ExprContext, Result};
use crate::names;
use echis_boogie::build::{Expr, call};
use echis_program::program::{BinaryOp, ExprId, ExprKind, LocalId, Location, UnaryOp};
use std::collections::BTreeSet;

impl Encoder<'_> {
    /// Those that a solver accepts.
    pub fn triggers(&mut self, vars: &[LocalId], triggers: &[Vec<ExprId>], cx: &ExprContext) -> Result<Vec<Vec<Expr>>> {
        let mut kept = Vec::new();
        for trigger in triggers {
            let mut covered = BTreeSet::new();
            trigger.iter().for_each(|term| covered.extend(self.program.free_locals(*term)));
            let fits =
                trigger.iter().all(|term| self.is_pattern(*term)) && vars.iter().all(|var| covered.contains(var));
            if fits {
                let mut terms = Vec::new();
                let cx = ExprContext { trigger: true, ..cx.clone() };
                for term in trigger {
                    terms.push(self.trigger_term(*term, &cx)?);
                }
                kept.push(terms);
            }
        }
        Ok(kept)
    }
    /// Whether the expression is an application without subexpressions that are forbidden in triggers.
    fn is_pattern(&self, expr: ExprId) -> bool {
        let program = self.program;
        let mut head = expr;
        while let ExprKind::Old { body, .. } | ExprKind::Unfolding { body, .. } = program.kind(head) {
            head = *body;
        }
        let applies = match program.kind(head) {
            ExprKind::Field { .. }
            | ExprKind::FunctionApp { .. }
            | ExprKind::DomainApp { .. }
            | ExprKind::TriggerLocation(Location::Field { .. } | Location::Predicate { .. })
            | ExprKind::PermOf(_)
            | ExprKind::SeqLiteral(_)
            | ExprKind::SetLiteral(_)
            | ExprKind::MultisetLiteral(_)
            | ExprKind::SeqUpdate(..)
            | ExprKind::MapUpdate(..) => true,
            ExprKind::Unary(op, _) => !matches!(op, UnaryOp::Not | UnaryOp::Minus),
            ExprKind::Binary(op, ..) => op.is_on_collections(),
            _ => false,
        };
        let plain = |kind: &ExprKind| match kind {
            ExprKind::Unary(op, _) => *op != UnaryOp::Not,
            ExprKind::Binary(op, ..) => {
                op.is_on_collections()
                    || matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::IntDiv | BinaryOp::Mod)
            }
            ExprKind::Conditional(..)
            | ExprKind::Let { .. }
            | ExprKind::Quantified { .. }
            | ExprKind::ForPerm { .. }
            | ExprKind::Applying { .. } => false,
            _ => true,
        };
        applies && !program.any(expr, |kind| !plain(kind))
    }
    /// Functions of the heap are met in any state.
    fn trigger_term(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Expr> {
        let program = self.program;
        match program.kind(expr) {
            ExprKind::Old { body, .. } if matches!(program.kind(*body), ExprKind::FunctionApp { .. }) => {
                self.trigger_term(*body, cx)
            }
            ExprKind::FunctionApp { function, args, .. } => {
                let args = self.exprs(args, cx)?;
                let name = names::function(program, *function);
                Ok(match args.is_empty() {
                    true => self.application(*function, "'", &args, cx),
                    false => call(format!("{name}#met"), args),
                })
            }
            _ => self.expr(expr, cx),
        }
    }
}
