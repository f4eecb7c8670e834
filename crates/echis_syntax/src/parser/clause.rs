//! Contracts, invariants and `decreases`.

use super::{Parsed, Parser};
use crate::ast::{Contract, Decreases, DecreasesKind, ExprId, Invariants};
use crate::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// All `requires` precede all `ensures`; `decreases` can be anywhere.
    pub(super) fn contract(&mut self) -> Parsed<Contract> {
        let mut contract = Contract::default();
        contract.requires = self.clauses(Keyword::Requires, &mut contract.decreases)?;
        contract.ensures = self.clauses(Keyword::Ensures, &mut contract.decreases)?;
        if self.at_keyword(Keyword::Requires) {
            return self.fail_expected("no further precondition (each `requires` stands before all `ensures`)");
        }
        Ok(contract)
    }

    pub(super) fn invariants(&mut self) -> Parsed<Invariants> {
        let mut decreases = Vec::new();
        let exprs = self.clauses(Keyword::Invariant, &mut decreases)?;
        Ok(Invariants { exprs, decreases })
    }

    fn clauses(&mut self, keyword: Keyword, decreases: &mut Vec<Decreases>) -> Parsed<Vec<ExprId>> {
        let mut exprs = Vec::new();
        loop {
            if self.eat_keyword(keyword) {
                exprs.push(self.expr()?.id);
            } else if self.at_keyword(Keyword::Decreases) {
                decreases.push(self.decreases()?);
            } else {
                return Ok(exprs);
            }
            self.eat(TokenKind::Semicolon);
        }
    }

    fn decreases(&mut self) -> Parsed<Decreases> {
        self.bump();
        // Errors about the clause are reported after the keyword; an empty tuple is the empty range there.
        let start = self.token.start;
        let kind = if self.eat(TokenKind::Star) {
            return Ok(Decreases { kind: DecreasesKind::Star, condition: None, span: self.span_from(start) });
        } else if self.at(TokenKind::Ident) && self.token_text(self.token) == "_" {
            self.bump();
            DecreasesKind::Wildcard
        } else if self.at_measure() {
            DecreasesKind::Tuple(self.list1(|parser| Ok(parser.expr()?.id))?)
        } else {
            DecreasesKind::Tuple(Vec::new())
        };
        let condition = if self.eat_keyword(Keyword::If) { Some(self.expr()?.id) } else { None };
        Ok(Decreases { kind, condition, span: self.span_from(start) })
    }

    /// Whether a tuple follows, as opposed to the next member with its annotations.
    fn at_measure(&mut self) -> bool {
        if !self.at(TokenKind::At) {
            return self.at_expr_start();
        }
        let mark = self.mark();
        let is_measure = self.annotations().is_ok() && self.at_expr_start();
        self.reset(mark);
        is_measure
    }
}
