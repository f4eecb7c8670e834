//! Operators. They are parsed with an explicit stack instead of recursion, because generated programs have chains of
//! many thousand conjuncts.

use super::{MAX_CHAIN, MAX_EXPR_NESTING, Parsed, Parser};
use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::op::{Grouping, Level};
use crate::token::{Keyword, TokenKind};

/// An expression and its text, including redundant parentheses.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub id: ExprId,
    pub start: u32,
    pub end: u32,
    pub parenthesised: bool,
}

/// Whether `f(x): T` may be the next atom: only directly after an opening parenthesis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ascription {
    Allowed,
    Forbidden,
}

/// An operator waiting for its last operand.
enum Pending {
    Binary { op: BinaryOp, left: Operand },
    Conditional { condition: Operand, then: ExprId },
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Operand> {
        self.nested_expr(|parser| parser.operators(Level::Conditional, Ascription::Forbidden))
    }
    pub(super) fn expr_in_parentheses(&mut self) -> Parsed<Operand> {
        self.nested_expr(|parser| parser.operators(Level::Conditional, Ascription::Allowed))
    }
    /// A wand, or a tighter expression; the right-hand side of a wand is a full expression.
    pub(super) fn wand(&mut self) -> Parsed<Operand> {
        self.nested_expr(|parser| parser.operators(Level::Wand, Ascription::Forbidden))
    }

    pub(super) fn at_expr_start(&self) -> bool {
        // `domain(m)` is an expression, `domain D` a member.
        let is_member = self.at_keyword(Keyword::Domain) && self.second_token().kind != TokenKind::LParen;
        starts_expr(self.token.kind) && !is_member
    }

    fn operators(&mut self, loosest: Level, ascription: Ascription) -> Parsed<Operand> {
        let mut loosest = loosest;
        let mut stack: Vec<Pending> = Vec::new();
        let mut operand = self.suffixed(ascription)?;
        let mut length = 0;
        loop {
            if let Some(op) = self.binary_op().filter(|op| op.level() >= loosest) {
                while stack.last().is_some_and(|top| top.comes_before(op.level(), op.grouping())) {
                    operand = self.reduce(stack.pop().expect("the stack is not empty"), operand);
                }
                self.bump();
                stack.push(Pending::Binary { op, left: operand });
                if op == BinaryOp::Wand {
                    loosest = Level::Conditional;
                }
            } else if self.at(TokenKind::Question) && loosest == Level::Conditional {
                while stack.last().is_some_and(|top| top.comes_before(Level::Conditional, Grouping::Right)) {
                    operand = self.reduce(stack.pop().expect("the stack is not empty"), operand);
                }
                self.bump();
                let then = self.expr()?.id;
                self.expect(TokenKind::Colon)?;
                stack.push(Pending::Conditional { condition: operand, then });
            } else {
                break;
            }
            length += 1;
            if length > MAX_CHAIN {
                let message = format!("the expression is too long: at most {MAX_CHAIN} operators in a row can be read");
                return self.fail(self.token.start, message);
            }
            operand = self.suffixed(Ascription::Forbidden)?;
        }
        while let Some(pending) = stack.pop() {
            operand = self.reduce(pending, operand);
        }
        Ok(operand)
    }

    fn reduce(&mut self, pending: Pending, last: Operand) -> Operand {
        let (kind, first) = match pending {
            Pending::Conditional { condition, then } => {
                (ExprKind::Conditional { condition: condition.id, then, otherwise: last.id }, condition)
            }
            Pending::Binary { op, left } => match self.chain(op, left, last) {
                Some(chained) => return chained,
                None => (ExprKind::Binary { op, left: left.id, right: last.id }, left),
            },
        };
        // A left-associative node starts at its left operand, without that operand's parentheses.
        let start = match &kind {
            ExprKind::Binary { op, .. } if op.grouping() != Grouping::Right => self.exprs[first.id].span.start,
            _ => first.start,
        };
        let id = self.alloc(kind, start, last.end);
        Operand { id, start: first.start, end: last.end, parenthesised: false }
    }

    /// `a < b` followed by `< c` becomes one chain, unless `a < b` is in parentheses.
    fn chain(&mut self, op: BinaryOp, left: Operand, last: Operand) -> Option<Operand> {
        if left.parenthesised || op.grouping() != Grouping::Chain {
            return None;
        }
        let expr = &mut self.exprs[left.id];
        match &mut expr.kind {
            ExprKind::Chain { links, .. } => links.push((op, last.id)),
            ExprKind::Binary { op: first_op, left: first, right } if first_op.grouping() == Grouping::Chain => {
                expr.kind = ExprKind::Chain { first: *first, links: vec![(*first_op, *right), (op, last.id)] };
            }
            _ => return None,
        }
        expr.span.end = last.end;
        Some(Operand { end: last.end, ..left })
    }

    fn binary_op(&self) -> Option<BinaryOp> {
        // `||s||` closes two cardinalities.
        let closes = self.at(TokenKind::OrOr) && self.open_bars > 1 && !starts_expr(self.second_token().kind);
        self.token.kind.binary_op().filter(|_| !closes)
    }

    /// Prefix operators, an atom, and suffixes: `-s[0].f`.
    pub(super) fn suffixed(&mut self, ascription: Ascription) -> Parsed<Operand> {
        let mut prefixes = Vec::new();
        let mut ascription = ascription;
        loop {
            let op = match self.token.kind {
                TokenKind::Minus => UnaryOp::Neg,
                TokenKind::Bang => UnaryOp::Not,
                _ => break,
            };
            if prefixes.len() >= MAX_EXPR_NESTING as usize {
                return self.fail(self.token.start, "too many prefix operators in a row");
            }
            prefixes.push((op, self.bump().start));
            ascription = Ascription::Forbidden;
        }
        let mut operand = self.primary(ascription)?;
        let mut length = 0;
        while let Some(next) = self.suffix(operand)? {
            operand = next;
            length += 1;
            if length > MAX_CHAIN {
                return self.fail(self.token.start, "the expression is too long");
            }
        }
        for (op, start) in prefixes.into_iter().rev() {
            let id = self.alloc(ExprKind::Unary { op, operand: operand.id }, start, operand.end);
            operand = Operand { id, start, end: operand.end, parenthesised: false };
        }
        Ok(operand)
    }

    fn suffix(&mut self, base: Operand) -> Parsed<Option<Operand>> {
        let kind = match self.token.kind {
            TokenKind::Dot => {
                self.bump();
                ExprKind::Field { receiver: base.id, field: self.ident()? }
            }
            TokenKind::LBracket => self.bracket(base.id)?,
            _ => return Ok(None),
        };
        let start = self.exprs[base.id].span.start;
        let id = self.alloc(kind, start, self.previous_end);
        Ok(Some(Operand { id, start: base.start, end: self.previous_end, parenthesised: false }))
    }

    /// `[i]`, `[i := v]`, `[i..j]`, `[i..]`, `[..j]`.
    fn bracket(&mut self, base: ExprId) -> Parsed<ExprKind> {
        self.bump();
        if self.eat(TokenKind::DotDot) {
            let end = self.expr()?.id;
            self.expect(TokenKind::RBracket)?;
            return Ok(ExprKind::Take { base, end });
        }
        let index = self.expr()?.id;
        let kind = if self.eat(TokenKind::Assign) {
            ExprKind::Update { base, index, value: self.expr()?.id }
        } else if self.eat(TokenKind::DotDot) {
            match self.at(TokenKind::RBracket) {
                true => ExprKind::Drop { base, start: index },
                false => ExprKind::Slice { base, start: index, end: self.expr()?.id },
            }
        } else {
            ExprKind::Index { base, index }
        };
        self.expect(TokenKind::RBracket)?;
        Ok(kind)
    }
}

impl Pending {
    /// Whether this operator takes the operand between it and an operator with the given level and grouping. What
    /// follows `--*` or `:` extends as far as possible, so these two wait for the end.
    fn comes_before(&self, level: Level, grouping: Grouping) -> bool {
        match self {
            Pending::Conditional { .. } | Pending::Binary { op: BinaryOp::Wand, .. } => false,
            Pending::Binary { op, .. } => {
                op.level() > level || (op.level() == level && matches!(grouping, Grouping::Left | Grouping::Chain))
            }
        }
    }
}

pub(crate) fn starts_expr(kind: TokenKind) -> bool {
    use Keyword::*;
    match kind {
        TokenKind::Ident | TokenKind::Int | TokenKind::LParen | TokenKind::LBracket | TokenKind::Bar => true,
        TokenKind::OrOr | TokenKind::Minus | TokenKind::Bang | TokenKind::Hash | TokenKind::At => true,
        TokenKind::Keyword(keyword) => matches!(
            keyword,
            True | False
                | Null
                | Result
                | None
                | Write
                | Wildcard
                | Epsilon
                | Old
                | Acc
                | Let
                | Forall
                | Exists
                | Forperm
                | Unfolding
                | Applying
                | Asserting
                | Seq
                | Set
                | Multiset
                | Map
                | Domain
                | Range
                | New
        ),
        _ => false,
    }
}
