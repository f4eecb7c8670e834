//! Positions that allow only some expressions: locations, resources, predicate instances.

use super::expr::Ascription;
use super::{Parsed, Parser};
use crate::ast::{BinaryOp, ExprId, ExprKind};
use crate::token::{Keyword, TokenKind};

impl Parser<'_> {
    pub(super) fn acc(&mut self) -> Parsed<ExprKind> {
        self.bump();
        self.expect(TokenKind::LParen)?;
        let location = self.location()?;
        let amount = if self.eat(TokenKind::Comma) { Some(self.expr()?.id) } else { None };
        self.expect(TokenKind::RParen)?;
        Ok(ExprKind::Acc { location, amount })
    }

    /// A field access, or a call: of a predicate or of a macro.
    fn location(&mut self) -> Parsed<ExprId> {
        let start = self.token.start;
        let operand = self.nested_expr(|parser| parser.suffixed(Ascription::Forbidden))?;
        match self.exprs[operand.id].kind {
            ExprKind::Field { .. } => Ok(operand.id),
            ExprKind::Call(_) if !operand.parenthesised => Ok(operand.id),
            _ => self.fail(start, "expected a field access or a predicate instance"),
        }
    }

    pub(super) fn current_perm(&mut self) -> Parsed<ExprKind> {
        self.bump();
        self.expect(TokenKind::LParen)?;
        let resource = self.resource()?;
        self.expect(TokenKind::RParen)?;
        Ok(ExprKind::CurrentPerm(resource))
    }

    /// A location or a wand without surrounding parentheses.
    pub(super) fn resource(&mut self) -> Parsed<ExprId> {
        let operand = self.wand()?;
        let expr = &self.exprs[operand.id];
        // Parentheses required by an annotation are not redundant.
        let bare = !operand.parenthesised || !expr.annotations.is_empty();
        match expr.kind {
            ExprKind::Field { .. } => Ok(operand.id),
            ExprKind::Call(_) if bare => Ok(operand.id),
            ExprKind::Binary { op: BinaryOp::Wand, .. } if bare => Ok(operand.id),
            _ => self.fail_expected("`--*`, for what stands before is neither a field access nor a predicate instance"),
        }
    }

    /// `acc(P(es), p)` or `P(es)`.
    pub(super) fn predicate_access(&mut self) -> Parsed<ExprId> {
        let start = self.token.start;
        let annotations = self.annotations()?;
        let kind = self.predicate_access_kind()?;
        let id = self.alloc(kind, start, self.previous_end);
        self.exprs[id].annotations = annotations;
        Ok(id)
    }

    fn predicate_access_kind(&mut self) -> Parsed<ExprKind> {
        if self.at_keyword(Keyword::Acc) {
            return self.acc();
        }
        if !self.at(TokenKind::Ident) {
            return self.fail_expected("a predicate instance");
        }
        let name = self.bump();
        if !self.call_follows(name) {
            return self.fail_expected("`(` and the arguments of a predicate");
        }
        Ok(ExprKind::Call(Box::new(self.call(name, Ascription::Forbidden)?)))
    }
}
