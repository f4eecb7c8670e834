//! Atoms: literals, calls, binders, collections, and everything else that starts with a keyword or bracket.

use super::expr::{Ascription, Operand};
use super::{Parsed, Parser};
use crate::ast::{
    Binder, Call, Collection, CollectionKind, ExprId, ExprKind, Forperm, MapLiteral, NewFields, OldLabel, PermLiteral,
    Quantifier, Trigger,
};
use crate::token::{Keyword, Token, TokenKind};

impl Parser<'_> {
    pub(super) fn primary(&mut self, ascription: Ascription) -> Parsed<Operand> {
        match self.token.kind {
            TokenKind::LParen => self.parenthesised(),
            TokenKind::At => self.nested_expr(Self::annotated),
            _ => self.atom(ascription),
        }
    }

    fn parenthesised(&mut self) -> Parsed<Operand> {
        let start = self.bump().start;
        let inner = self.expr_in_parentheses()?;
        self.expect(TokenKind::RParen)?;
        Ok(Operand { id: inner.id, start, end: self.previous_end, parenthesised: true })
    }

    /// `@a() x`: the annotation belongs to the atom and its range.
    fn annotated(&mut self) -> Parsed<Operand> {
        let start = self.token.start;
        let mut annotations = self.annotations()?;
        let operand = match self.token.kind {
            TokenKind::Minus | TokenKind::Bang => self.suffixed(Ascription::Forbidden)?,
            _ => self.primary(Ascription::Forbidden)?,
        };
        let span = self.span(start, operand.end);
        let expr = &mut self.exprs[operand.id];
        annotations.append(&mut expr.annotations);
        expr.annotations = annotations;
        expr.span = span;
        Ok(Operand { start, ..operand })
    }

    fn atom(&mut self, ascription: Ascription) -> Parsed<Operand> {
        let start = self.token.start;
        let kind = match self.token.kind {
            TokenKind::Ident if self.token_text(self.token) == "perm" => self.current_perm()?,
            TokenKind::Ident => self.name_or_call(ascription)?,
            TokenKind::Int => {
                let token = self.bump();
                ExprKind::Int(self.name(self.token_text(token)))
            }
            TokenKind::Keyword(keyword) => self.keyword_atom(keyword)?,
            TokenKind::Hash => {
                self.bump();
                let callee = self.ident()?;
                self.expect(TokenKind::LParen)?;
                let args = self.args(TokenKind::RParen)?;
                ExprKind::PredicateInstance(Box::new(Call { callee, args, ascription: None }))
            }
            TokenKind::Bar | TokenKind::OrOr => self.cardinality()?,
            TokenKind::LBracket => self.bracketed()?,
            _ => return self.fail_expected("an expression"),
        };
        let end = self.previous_end;
        Ok(Operand { id: self.alloc(kind, start, end), start, end, parenthesised: false })
    }

    pub(super) fn args(&mut self, close: TokenKind) -> Parsed<Vec<ExprId>> {
        self.list(close, |parser| Ok(parser.expr()?.id))
    }

    fn name_or_call(&mut self, ascription: Ascription) -> Parsed<ExprKind> {
        let name = self.bump();
        if !self.call_follows(name) {
            return Ok(ExprKind::Ident(self.name(self.token_text(name))));
        }
        let call = self.call(name, ascription)?;
        Ok(ExprKind::Call(Box::new(call)))
    }

    /// Whether the next token opens the arguments of a call of `name`: only spaces are allowed in between.
    pub(super) fn call_follows(&self, name: Token) -> bool {
        let gap = &self.text.as_bytes()[name.end as usize..self.token.start as usize];
        self.at(TokenKind::LParen) && gap.iter().all(|byte| *byte == b' ')
    }

    pub(super) fn call(&mut self, name: Token, ascription: Ascription) -> Parsed<Call> {
        if self.token.start > name.end {
            let gap = self.span(name.start, self.token.end);
            self.warn(gap, format!("`{}` is applied with a space before `(`", self.token_text(name)));
        }
        let callee = self.ident_of(name);
        self.expect(TokenKind::LParen)?;
        let args = self.args(TokenKind::RParen)?;
        let ascribed = ascription == Ascription::Allowed && self.eat(TokenKind::Colon);
        let ascription = if ascribed { Some(self.ty()?) } else { None };
        Ok(Call { callee, args, ascription })
    }

    fn keyword_atom(&mut self, keyword: Keyword) -> Parsed<ExprKind> {
        let simple = match keyword {
            Keyword::True => ExprKind::Bool(true),
            Keyword::False => ExprKind::Bool(false),
            Keyword::Null => ExprKind::Null,
            Keyword::Result => ExprKind::Result,
            Keyword::None => ExprKind::Perm(PermLiteral::None),
            Keyword::Write => ExprKind::Perm(PermLiteral::Write),
            Keyword::Wildcard => ExprKind::Perm(PermLiteral::Wildcard),
            Keyword::Epsilon => ExprKind::Perm(PermLiteral::Epsilon),
            Keyword::Old => return self.old(),
            Keyword::Acc => return self.acc(),
            Keyword::Let => return self.let_in(),
            Keyword::Forall => return Ok(ExprKind::Forall(Box::new(self.quantifier()?))),
            Keyword::Exists => return Ok(ExprKind::Exists(Box::new(self.quantifier()?))),
            Keyword::Forperm => return self.forperm(),
            Keyword::Unfolding => return self.unfolding(),
            Keyword::Applying => return self.applying(),
            Keyword::Asserting => return self.asserting(),
            Keyword::Seq => return self.collection(CollectionKind::Seq),
            Keyword::Set => return self.collection(CollectionKind::Set),
            Keyword::Multiset => return self.collection(CollectionKind::Multiset),
            Keyword::Map => return self.map(),
            Keyword::Domain => return Ok(ExprKind::MapDomain(self.in_parentheses()?)),
            Keyword::Range => return Ok(ExprKind::MapRange(self.in_parentheses()?)),
            Keyword::New => return self.new_object(),
            _ => return self.fail_expected("an expression"),
        };
        self.bump();
        Ok(simple)
    }

    /// A keyword and `(e)`.
    fn in_parentheses(&mut self) -> Parsed<ExprId> {
        self.bump();
        self.expect(TokenKind::LParen)?;
        let inner = self.expr()?.id;
        self.expect(TokenKind::RParen)?;
        Ok(inner)
    }

    fn old(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let mut label = OldLabel::Start;
        if self.eat(TokenKind::LBracket) {
            label = if self.eat_keyword(Keyword::Lhs) { OldLabel::Lhs } else { OldLabel::Label(self.ident()?) };
            self.expect(TokenKind::RBracket)?;
        }
        self.expect(TokenKind::LParen)?;
        let body = self.expr()?.id;
        self.expect(TokenKind::RParen)?;
        Ok(ExprKind::Old { label, body })
    }

    fn let_in(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let var = Binder(self.ident()?);
        self.expect(TokenKind::EqEq)?;
        self.expect(TokenKind::LParen)?;
        let value = self.expr()?.id;
        self.expect(TokenKind::RParen)?;
        Ok(ExprKind::Let { var, value, body: self.in_body()? })
    }

    fn in_body(&mut self) -> Parsed<ExprId> {
        self.expect_keyword(Keyword::In)?;
        Ok(self.expr()?.id)
    }

    fn quantifier(&mut self) -> Parsed<Quantifier> {
        self.bump();
        let vars = self.list1(Self::formal)?;
        self.expect(TokenKind::ColonColon)?;
        let mut triggers = Vec::new();
        while self.at(TokenKind::LBrace) {
            let start = self.bump().start;
            let terms = self.args(TokenKind::RBrace)?;
            triggers.push(Trigger { terms, span: self.span_from(start) });
        }
        Ok(Quantifier { vars, triggers, body: self.expr()?.id })
    }

    fn forperm(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let outer = std::mem::replace(&mut self.in_forperm, true);
        let vars = self.list1(Self::formal);
        self.in_forperm = outer;
        let vars = vars?;
        self.expect(TokenKind::LBracket)?;
        let resource = self.resource()?;
        self.expect(TokenKind::RBracket)?;
        self.expect(TokenKind::ColonColon)?;
        Ok(ExprKind::Forperm(Box::new(Forperm { vars, resource, body: self.expr()?.id })))
    }

    fn unfolding(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let access = self.predicate_access()?;
        Ok(ExprKind::Unfolding { access, body: self.in_body()? })
    }

    fn applying(&mut self) -> Parsed<ExprKind> {
        self.bump();
        self.expect(TokenKind::LParen)?;
        let wand = self.wand()?.id;
        self.expect(TokenKind::RParen)?;
        Ok(ExprKind::Applying { wand, body: self.in_body()? })
    }

    fn asserting(&mut self) -> Parsed<ExprKind> {
        let assertion = self.in_parentheses()?;
        Ok(ExprKind::Asserting { assertion, body: self.in_body()? })
    }

    fn collection(&mut self, kind: CollectionKind) -> Parsed<ExprKind> {
        self.bump();
        let mut element = None;
        if self.eat(TokenKind::LBracket) {
            element = Some(self.ty()?);
            self.expect(TokenKind::RBracket)?;
            self.typed_literal_opens()?;
        } else {
            self.expect(TokenKind::LParen)?;
        }
        let elements = self.args(TokenKind::RParen)?;
        if element.is_some() && !elements.is_empty() {
            return self.fail_typed_literal();
        }
        Ok(ExprKind::Collection(Box::new(Collection { kind, element, elements })))
    }

    fn map(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let mut types = None;
        if self.eat(TokenKind::LBracket) {
            types = Some(self.map_types()?);
            self.typed_literal_opens()?;
        } else {
            self.expect(TokenKind::LParen)?;
        }
        let entries = self.list(TokenKind::RParen, |parser| {
            let key = parser.expr()?.id;
            parser.expect(TokenKind::Assign)?;
            Ok((key, parser.expr()?.id))
        })?;
        if types.is_some() && !entries.is_empty() {
            return self.fail_typed_literal();
        }
        Ok(ExprKind::Map(Box::new(MapLiteral { types, entries })))
    }

    /// The `(` after `Seq[T]`; without it, a type is in place of an expression.
    fn typed_literal_opens(&mut self) -> Parsed<()> {
        if self.eat(TokenKind::LParen) {
            return Ok(());
        }
        let message = format!("expected `()` of an empty literal, found {}: a type is no expression", self.found());
        self.fail(self.previous_end, message)
    }
    fn fail_typed_literal<T>(&mut self) -> Parsed<T> {
        self.fail(self.previous_end, "expected `()`: only an empty literal has a type, elements give it otherwise")
    }

    fn new_object(&mut self) -> Parsed<ExprKind> {
        self.bump();
        self.expect(TokenKind::LParen)?;
        if self.eat(TokenKind::Star) {
            self.expect(TokenKind::RParen)?;
            return Ok(ExprKind::New(NewFields::All));
        }
        Ok(ExprKind::New(NewFields::Fields(self.list(TokenKind::RParen, Self::ident)?)))
    }

    fn cardinality(&mut self) -> Parsed<ExprKind> {
        self.split_bars();
        self.bump();
        self.open_bars += 1;
        let inner = self.expr();
        self.open_bars -= 1;
        let inner = inner?.id;
        self.split_bars();
        self.expect(TokenKind::Bar)?;
        Ok(ExprKind::Cardinality(inner))
    }

    /// Where no operator can occur, `||` is two bars.
    fn split_bars(&mut self) {
        if self.at(TokenKind::OrOr) {
            self.token = Token { kind: TokenKind::Bar, start: self.token.start, end: self.token.start + 1 };
        }
    }

    /// `[a, b]` or `[a..b)`.
    fn bracketed(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let first = self.expr()?.id;
        if self.eat(TokenKind::DotDot) {
            let high = self.expr()?.id;
            self.expect(TokenKind::RParen)?;
            return Ok(ExprKind::Range { low: first, high });
        }
        if !self.eat(TokenKind::Comma) {
            return self.fail_expected("`,` of an inhale-exhale assertion or `..` of an integer range");
        }
        let exhale = self.expr()?.id;
        self.expect(TokenKind::RBracket)?;
        Ok(ExprKind::InhaleExhale { inhale: first, exhale })
    }
}
