//! Statements.

use super::expr::{Ascription, Operand};
use super::{Parsed, Parser};
use crate::ast::{Annotation, Behind, BinaryOp, Block, ExprId, ExprKind, IfArm, LabelName, Stmt, StmtKind};
use crate::token::{Keyword, TokenKind};

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.open_blocks += 1;
        let block = self.nested_block(Self::block_here);
        self.open_blocks -= 1;
        block
    }

    fn block_here(&mut self) -> Parsed<Block> {
        let start = self.expect(TokenKind::LBrace)?.start;
        let mut stmts = Vec::new();
        while !self.eat(TokenKind::RBrace) {
            stmts.push(self.stmt()?);
            self.eat(TokenKind::Semicolon);
        }
        Ok(Block { stmts, span: self.span_from(start) })
    }

    fn stmt(&mut self) -> Parsed<Stmt> {
        let start = self.token.start;
        let annotations: Vec<Annotation> = self.annotations()?;
        let kind = self.stmt_kind(start)?;
        Ok(Stmt { kind, span: self.span_from(start), macro_use: None, annotations })
    }

    fn stmt_kind(&mut self, start: u32) -> Parsed<StmtKind> {
        let TokenKind::Keyword(keyword) = self.token.kind else {
            return match self.token.kind {
                TokenKind::LBrace => Ok(StmtKind::Block(self.block()?)),
                kind if super::expr::starts_expr(kind) => self.assignment_or_call(),
                _ => self.fail_expected("a statement or `}`"),
            };
        };
        if let Some((_, operand, make)) = StmtKind::SIMPLE.iter().find(|(word, ..)| *word == keyword) {
            self.bump();
            return Ok(make(match operand {
                Behind::Expr => self.expr_id()?,
                Behind::Access => self.predicate_access()?,
                Behind::Wand => self.wand()?.id,
            }));
        }
        match keyword {
            Keyword::Goto => {
                self.bump();
                Ok(StmtKind::Goto(LabelName(self.ident()?)))
            }
            Keyword::If => self.if_stmt(start),
            Keyword::While => self.while_stmt(),
            Keyword::Var => self.var(),
            Keyword::Label => {
                self.bump();
                let name = LabelName(self.ident()?);
                Ok(StmtKind::Label { name, invariants: self.invariants()? })
            }
            Keyword::Package => self.package(),
            Keyword::Quasihavoc => {
                self.bump();
                let (condition, resource) = self.havoc_operand()?;
                Ok(StmtKind::Quasihavoc { condition, resource })
            }
            Keyword::QuasihavocAll => {
                self.bump();
                let vars = self.list1(Self::formal)?;
                self.expect(TokenKind::ColonColon)?;
                let (condition, resource) = self.havoc_operand()?;
                Ok(StmtKind::QuasihavocAll { vars, condition, resource })
            }
            Keyword::Define => Ok(StmtKind::Define(self.define()?)),
            _ if self.at_expr_start() => self.assignment_or_call(),
            _ => self.fail_expected("a statement or `}`"),
        }
    }

    fn expr_id(&mut self) -> Parsed<ExprId> {
        Ok(self.expr()?.id)
    }

    fn if_stmt(&mut self, start: u32) -> Parsed<StmtKind> {
        let mut arms = vec![self.if_arm(start)?];
        while self.at_keyword(Keyword::Elseif) {
            arms.push(self.if_arm(self.token.start)?);
        }
        let otherwise = if self.eat_keyword(Keyword::Else) {
            if self.at_keyword(Keyword::If) {
                return self.fail_expected("`{` (a further condition is `elseif`)");
            }
            Some(self.block()?)
        } else {
            None
        };
        for arm in &mut arms {
            arm.span.end = self.previous_end;
        }
        Ok(StmtKind::If { arms, otherwise })
    }

    fn if_arm(&mut self, start: u32) -> Parsed<IfArm> {
        let condition = self.condition()?;
        let body = self.block()?;
        Ok(IfArm { condition, body, span: self.span_from(start) })
    }

    /// A keyword and a condition in parentheses.
    fn condition(&mut self) -> Parsed<ExprId> {
        self.bump();
        self.expect(TokenKind::LParen)?;
        let condition = self.expr_in_parentheses()?.id;
        self.expect(TokenKind::RParen)?;
        Ok(condition)
    }

    fn while_stmt(&mut self) -> Parsed<StmtKind> {
        let condition = self.condition()?;
        let invariants = self.invariants()?;
        Ok(StmtKind::While { condition, invariants, body: self.block()? })
    }

    fn var(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let vars = self.list1(Self::formal)?;
        let init = if self.eat(TokenKind::Assign) { Some(self.expr_id()?) } else { None };
        Ok(StmtKind::Var { vars, init })
    }

    fn package(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let wand = self.wand()?.id;
        let script = if self.at(TokenKind::LBrace) { Some(self.block()?) } else { None };
        Ok(StmtKind::Package { wand, script })
    }

    /// `[c ==>] r`.
    fn havoc_operand(&mut self) -> Parsed<(Option<ExprId>, ExprId)> {
        let operand = self.expr()?;
        match self.exprs[operand.id].kind {
            ExprKind::Binary { op: BinaryOp::Implies, left, right } if !operand.parenthesised => {
                Ok((Some(left), right))
            }
            _ => Ok((None, operand.id)),
        }
    }

    fn assignment_or_call(&mut self) -> Parsed<StmtKind> {
        let first = self.target()?;
        if !self.at(TokenKind::Comma) && !self.at(TokenKind::Assign) {
            return match self.exprs[first.operand.id].kind {
                ExprKind::Call(_) | ExprKind::Ident(_) if !first.operand.parenthesised => {
                    Ok(StmtKind::Call(first.operand.id))
                }
                _ => self.fail_not_a_statement(&first),
            };
        }
        let mut targets = vec![self.check_target(first)?];
        while self.eat(TokenKind::Comma) {
            let target = self.target()?;
            targets.push(self.check_target(target)?);
        }
        self.expect(TokenKind::Assign)?;
        Ok(StmtKind::Assign { targets, value: self.expr_id()? })
    }

    fn target(&mut self) -> Parsed<Target> {
        let word = self.token;
        // `perm` can be assigned, but not read.
        let is_perm = word.kind == TokenKind::Ident && self.token_text(word) == "perm";
        if is_perm && matches!(self.second_token().kind, TokenKind::Assign | TokenKind::Comma) {
            self.bump();
            let name = self.name(self.token_text(word));
            let id = self.alloc(ExprKind::Ident(name), word.start, word.end);
            let operand = Operand { id, start: word.start, end: word.end, parenthesised: false };
            return Ok(Target { operand, misfit: word.end });
        }
        let misfit = match word.kind {
            TokenKind::Ident => self.second_token().start,
            _ => word.start,
        };
        let operand = self.nested_expr(|parser| parser.suffixed(Ascription::Forbidden))?;
        Ok(Target { operand, misfit })
    }

    fn check_target(&mut self, target: Target) -> Parsed<ExprId> {
        match self.exprs[target.operand.id].kind {
            ExprKind::Field { .. } => Ok(target.operand.id),
            ExprKind::Call(_) | ExprKind::Ident(_) if !target.operand.parenthesised => Ok(target.operand.id),
            _ => self.fail(target.misfit, "expected a variable or a field access to the left of `:=`"),
        }
    }

    fn fail_not_a_statement<T>(&mut self, target: &Target) -> Parsed<T> {
        let message = match self.exprs[target.operand.id].kind {
            ExprKind::Field { .. } => format!("expected `:=` behind a field access, found {}", self.found()),
            _ => "expected a statement, found an expression".to_string(),
        };
        self.fail(target.misfit, message)
    }
}

/// A possible assignment target.
struct Target {
    operand: Operand,
    /// Where to report the error if this is not a target: after a leading name, else at its start.
    misfit: u32,
}
