//! Types and `x: T`.

use super::{Parsed, Parser};
use crate::ast::{Formal, Type, TypeKind};
use crate::token::{Keyword, TokenKind};

impl Parser<'_> {
    pub(super) fn formal(&mut self) -> Parsed<Formal> {
        let start = self.token.start;
        let name = self.ident()?;
        self.expect(TokenKind::Colon)?;
        let ty = self.ty()?;
        Ok(Formal { name, ty, span: self.span_from(start) })
    }

    pub(super) fn ty(&mut self) -> Parsed<Type> {
        self.nested_block(Self::ty_here)
    }

    fn ty_here(&mut self) -> Parsed<Type> {
        let start = self.token.start;
        let kind = match self.token.kind {
            TokenKind::Ident => self.named_type()?,
            TokenKind::Keyword(keyword) => self.builtin_type(keyword)?,
            _ => return self.fail_expected("a type"),
        };
        Ok(Type { kind, span: self.span_from(start) })
    }

    fn builtin_type(&mut self, keyword: Keyword) -> Parsed<TypeKind> {
        let element = |parser: &mut Self| {
            parser.bump();
            parser.expect(TokenKind::LBracket)?;
            let ty = parser.ty()?;
            parser.expect(TokenKind::RBracket)?;
            Ok(Box::new(ty))
        };
        let kind = match keyword {
            Keyword::Int => TypeKind::Int,
            Keyword::Bool => TypeKind::Bool,
            Keyword::Perm => TypeKind::Perm,
            Keyword::Ref => TypeKind::Ref,
            Keyword::Rational => {
                self.warn(self.span(self.token.start, self.token.end), "`Rational` is deprecated: use `Perm`");
                TypeKind::Rational
            }
            Keyword::Seq => return Ok(TypeKind::Seq(element(self)?)),
            Keyword::Set => return Ok(TypeKind::Set(element(self)?)),
            Keyword::Multiset => return Ok(TypeKind::Multiset(element(self)?)),
            Keyword::Map => {
                self.bump();
                self.expect(TokenKind::LBracket)?;
                let (key, value) = self.map_types()?;
                return Ok(TypeKind::Map(Box::new(key), Box::new(value)));
            }
            _ => return self.fail_expected("a type"),
        };
        self.bump();
        Ok(kind)
    }

    /// `K, V]`.
    pub(super) fn map_types(&mut self) -> Parsed<(Type, Type)> {
        let key = self.ty()?;
        self.expect(TokenKind::Comma)?;
        let value = self.ty()?;
        self.expect(TokenKind::RBracket)?;
        Ok((key, value))
    }

    fn named_type(&mut self) -> Parsed<TypeKind> {
        let name = self.ident()?;
        if !self.at(TokenKind::LBracket) {
            return Ok(TypeKind::Named(name, Vec::new()));
        }
        let mark = self.mark();
        self.bump();
        match self.list(TokenKind::RBracket, Self::ty) {
            Ok(args) => Ok(TypeKind::Named(name, args)),
            // `forperm x: D [x.f]`: the bracket opens the resource.
            Err(_) if self.in_forperm => {
                self.reset(mark);
                Ok(TypeKind::Named(name, Vec::new()))
            }
            Err(stop) => Err(stop),
        }
    }
}
