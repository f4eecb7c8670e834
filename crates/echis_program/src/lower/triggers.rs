//! Written triggers. Their shape is already checked.

use super::Lowering;
use crate::program::{ExprId, ExprKind, Type};
use crate::typed::Use;
use echis_syntax::ast;

impl<'a> Lowering<'a> {
    pub(super) fn triggers(&mut self, triggers: &'a [ast::Trigger]) -> Vec<Vec<ExprId>> {
        let lower = |trigger: &ast::Trigger| trigger.terms.iter().map(|term| self.trigger_term(*term)).collect();
        triggers.iter().map(lower).collect()
    }

    /// A trigger term. Locations in it denote neither permission nor a value read.
    fn trigger_term(&mut self, term: ast::ExprId) -> ExprId {
        let ast = self.ast;
        match &ast.exprs[term].kind {
            ast::ExprKind::Old { body, .. } => {
                let body = self.trigger_term(*body);
                let whole = self.expr(term);
                let ExprKind::Old { state, .. } = *self.program.kind(whole) else { return whole };
                let (ty, id) = (self.program.ty(body).clone(), self.program.expr(whole).id);
                self.program.add_expr(ExprKind::Old { state, body }, ty, id)
            }
            ast::ExprKind::Acc { .. } | ast::ExprKind::Binary { op: ast::BinaryOp::Wand, .. } => {
                self.trigger_location(term, Type::Bool)
            }
            ast::ExprKind::Call(_) if matches!(self.typed.usage(term), Use::Predicate(_)) => {
                self.trigger_location(term, Type::Bool)
            }
            ast::ExprKind::Field { .. } if matches!(self.typed.usage(term), Use::Field(_)) => {
                let ty = self.typed.ty(term).clone();
                self.trigger_location(term, ty)
            }
            _ => self.expr(term),
        }
    }

    fn trigger_location(&mut self, term: ast::ExprId, ty: Type) -> ExprId {
        let (location, id) = self.location(term);
        self.program.add_expr(ExprKind::TriggerLocation(location), ty, id)
    }
}
