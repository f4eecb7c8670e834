//! Top-level members, and error recovery after them.

use super::{MAX_ERRORS, Parsed, Parser};
use crate::ast::{
    Adt, Axiom, Constructor, Derive, Domain, DomainFunction, DomainParam, Function, Ident, Import, Interpretation,
    Macro, MacroBody, Member, MemberKind, Method, Predicate,
};
use crate::token::{Keyword, TokenKind};
use echis_base::{Diagnostic, Name, similar};

impl Parser<'_> {
    pub(super) fn members(&mut self) -> Vec<Member> {
        let mut members = Vec::new();
        let mut errors = 0;
        while !self.at(TokenKind::Eof) {
            let before = self.token.start;
            match self.member() {
                Ok(member) => members.push(member),
                Err(_) => {
                    errors += 1;
                    let in_block = self.report_failure();
                    if self.token.start == before {
                        self.bump();
                    }
                    if errors >= MAX_ERRORS {
                        let span = self.span(self.token.start, self.token.start);
                        let message = "too many errors: the rest of the file is not read";
                        self.diagnostics.push(Diagnostic::error("parser.error", span, message));
                        break;
                    }
                    self.skip_to_member(in_block);
                }
            }
        }
        members
    }

    /// Reports the syntax error of the last member and continues there. Returns whether it was among statements.
    fn report_failure(&mut self) -> bool {
        let failure = self.failure.take().expect("parsing stops only after a failure was recorded");
        let span = self.span(failure.at, failure.at);
        let diagnostic = Diagnostic::error("parser.error", span, failure.message);
        self.diagnostics.push(self.with_meant_keyword(failure.at, diagnostic));
        // Never before the position already read, so that each attempt makes progress.
        if failure.at > self.previous_end {
            self.continue_at(failure.at);
        }
        failure.in_block
    }

    /// Suggests a reserved word, if the word at the error, right before it, or first on its line is similar to one.
    fn with_meant_keyword(&self, at: u32, diagnostic: Diagnostic) -> Diagnostic {
        let at = at as usize;
        let line = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let before = self.text[line..at].trim_end();
        let word_before = line + before.trim_end_matches(is_word).len();
        let first = line + self.text[line..].len() - self.text[line..].trim_start().len();
        for (start, is_found) in [(at, true), (word_before, false), (first.min(at), false)] {
            let rest = &self.text[start..];
            let word = &rest[..rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())];
            // A short word is more likely a name.
            let plausible = crate::token::word(word).is_none() && (is_found || word.len() > 3);
            let Some(keyword) = similar(word, crate::token::words()).filter(|_| plausible) else { continue };
            let span = self.span(start as u32, (start + word.len()) as u32);
            let message = match is_found {
                true => None,
                false => Some(format!("{}; did you mean `{keyword}` instead of `{word}`?", diagnostic.message)),
            };
            let meant = diagnostic.meant(span, Some(keyword));
            return Diagnostic { message: message.unwrap_or(meant.message), ..meant };
        }
        diagnostic
    }

    /// In the rest of a broken body, an annotation belongs to a statement, unless a member follows.
    fn skip_to_member(&mut self, in_block: bool) {
        while !self.at(TokenKind::Eof) {
            if self.at_member() && !(in_block && self.at(TokenKind::At)) {
                return;
            }
            let mark = self.mark();
            if self.at(TokenKind::At) && self.annotations().is_ok() && self.at_member() {
                return self.reset(mark);
            }
            self.reset(mark);
            self.bump();
        }
    }

    fn at_member(&self) -> bool {
        use Keyword::*;
        match self.token.kind {
            TokenKind::At => true,
            TokenKind::Keyword(Domain) => self.second_token().kind != TokenKind::LParen,
            TokenKind::Keyword(keyword) => {
                matches!(keyword, Import | Define | Field | Method | Function | Predicate | Adt)
            }
            _ => false,
        }
    }

    fn member(&mut self) -> Parsed<Member> {
        let start = self.token.start;
        let annotations = self.annotations()?;
        let TokenKind::Keyword(keyword) = self.token.kind else { return self.fail_no_member() };
        let kind = match keyword {
            Keyword::Import => MemberKind::Import(self.import()?),
            Keyword::Define => MemberKind::Define(self.define()?),
            Keyword::Field => {
                self.bump();
                MemberKind::Fields(self.list1(Self::formal)?)
            }
            Keyword::Method => MemberKind::Method(self.method()?),
            Keyword::Function => MemberKind::Function(self.function()?),
            Keyword::Predicate => MemberKind::Predicate(self.predicate()?),
            Keyword::Domain => MemberKind::Domain(self.domain()?),
            Keyword::Adt => MemberKind::Adt(self.adt()?),
            _ => return self.fail_no_member(),
        };
        let span = self.span_from(start);
        if keyword == Keyword::Field {
            self.eat(TokenKind::Semicolon);
        }
        Ok(Member { kind, span, annotations })
    }

    fn fail_no_member<T>(&mut self) -> Parsed<T> {
        self.fail_expected("a declaration (such as `method` or `function`)")
    }

    fn import(&mut self) -> Parsed<Import> {
        self.bump();
        let open = self.token;
        let (library, close) = match open.kind {
            TokenKind::Quote => (false, '"'),
            TokenKind::Lt => (true, '>'),
            _ => return self.fail_expected("`\"` or `<` and a path"),
        };
        let start = open.end as usize;
        let belongs = |char: char| char.is_ascii_alphanumeric() || "/.~_- \t\r\n".contains(char);
        let length = self.text[start..].find(|char| !belongs(char)).unwrap_or(self.text.len() - start);
        let end = start + length;
        if length == 0 || !self.text[end..].starts_with(close) {
            let expected = if length == 0 { "a path".to_string() } else { format!("`{close}` behind the path") };
            return self.fail(end as u32, format!("expected {expected}"));
        }
        let path = self.name(&self.text[start..end]);
        self.continue_at(end as u32 + 1);
        Ok(Import { path, library, path_span: self.span(start as u32, end as u32) })
    }

    /// Also parses the statement.
    pub(super) fn define(&mut self) -> Parsed<Macro> {
        self.bump();
        if self.in_macro {
            return self.fail(self.token.start, "expected no `define` here: a macro cannot be defined inside another");
        }
        let name = self.ident()?;
        let params = self.macro_params();
        let body = if self.at(TokenKind::LBrace) {
            self.in_macro = true;
            let block = self.block();
            self.in_macro = false;
            MacroBody::Stmt(block?)
        } else {
            MacroBody::Expr(self.expr()?.id)
        };
        Ok(Macro { name, params, body })
    }

    /// `(a, b)`, unless that is the body: `define n (a)`.
    fn macro_params(&mut self) -> Option<Vec<Ident>> {
        let mark = self.mark();
        let params = self.eat(TokenKind::LParen).then(|| self.list(TokenKind::RParen, Self::ident));
        match params {
            Some(Ok(params)) if self.at(TokenKind::LBrace) || self.at_expr_start() => Some(params),
            // A lone `()` can only be an empty parameter list, so the body is missing.
            Some(Ok(params)) if params.is_empty() => Some(params),
            _ => {
                self.reset(mark);
                None
            }
        }
    }

    fn method(&mut self) -> Parsed<Method> {
        self.bump();
        let name = self.ident()?;
        self.expect(TokenKind::LParen)?;
        let params = self.list(TokenKind::RParen, Self::formal)?;
        let mut returns = Vec::new();
        if self.eat_keyword(Keyword::Returns) {
            self.expect(TokenKind::LParen)?;
            returns = self.list(TokenKind::RParen, Self::formal)?;
        }
        let contract = self.contract()?;
        let body = if self.at(TokenKind::LBrace) { Some(self.block()?) } else { None };
        Ok(Method { name, params, returns, contract, body })
    }

    fn function(&mut self) -> Parsed<Function> {
        self.bump();
        let name = self.ident()?;
        self.expect(TokenKind::LParen)?;
        let params = self.list(TokenKind::RParen, Self::formal)?;
        self.expect(TokenKind::Colon)?;
        let result = self.ty()?;
        let contract = self.contract()?;
        Ok(Function { name, params, result, contract, body: self.expr_body()? })
    }

    fn predicate(&mut self) -> Parsed<Predicate> {
        self.bump();
        let name = self.ident()?;
        self.expect(TokenKind::LParen)?;
        let params = self.list(TokenKind::RParen, Self::formal)?;
        Ok(Predicate { name, params, body: self.expr_body()? })
    }

    /// `[{ e }]`.
    fn expr_body(&mut self) -> Parsed<Option<crate::ast::ExprId>> {
        if !self.eat(TokenKind::LBrace) {
            return Ok(None);
        }
        let body = self.expr()?.id;
        self.expect(TokenKind::RBrace)?;
        Ok(Some(body))
    }

    /// `[T, U]` after the name of a domain or ADT.
    fn type_params(&mut self) -> Parsed<Vec<Ident>> {
        if self.eat(TokenKind::LBracket) { self.list(TokenKind::RBracket, Self::ident) } else { Ok(Vec::new()) }
    }

    fn domain(&mut self) -> Parsed<Domain> {
        self.bump();
        let name = self.ident()?;
        let params = self.type_params()?;
        let mut interpretations = None;
        if self.eat_keyword(Keyword::Interpretation) {
            self.expect(TokenKind::LParen)?;
            interpretations = Some(self.list(TokenKind::RParen, Self::interpretation)?);
        }
        self.expect(TokenKind::LBrace)?;
        let mut domain = Domain { name, params, interpretations, functions: Vec::new(), axioms: Vec::new() };
        while !self.eat(TokenKind::RBrace) {
            self.domain_member(&mut domain)?;
            self.eat(TokenKind::Semicolon);
        }
        Ok(domain)
    }

    fn interpretation(&mut self) -> Parsed<Interpretation> {
        let backend = self.ident()?;
        self.expect(TokenKind::Colon)?;
        Ok(Interpretation { backend, text: self.string()? })
    }

    fn domain_member(&mut self, domain: &mut Domain) -> Parsed<()> {
        let start = self.token.start;
        let annotations = self.annotations()?;
        match self.token.kind {
            TokenKind::Keyword(Keyword::Unique | Keyword::Function) => {
                let mut function = self.domain_function(start)?;
                function.annotations = annotations;
                domain.functions.push(function);
            }
            TokenKind::Keyword(Keyword::Axiom) => {
                self.bump();
                let name = if self.at(TokenKind::Ident) { Some(self.ident()?) } else { None };
                self.expect(TokenKind::LBrace)?;
                let body = self.expr()?.id;
                self.expect(TokenKind::RBrace)?;
                domain.axioms.push(Axiom { name, body, span: self.span_from(start), annotations });
            }
            _ => return self.fail_expected("`function`, `unique`, `axiom` or `}`"),
        }
        Ok(())
    }

    fn domain_function(&mut self, start: u32) -> Parsed<DomainFunction> {
        let unique = self.eat_keyword(Keyword::Unique);
        self.expect_keyword(Keyword::Function)?;
        let name = self.ident()?;
        self.expect(TokenKind::LParen)?;
        let params = self.list(TokenKind::RParen, Self::domain_param)?;
        self.expect(TokenKind::Colon)?;
        let result = self.ty()?;
        let interpretation: Option<Name> =
            if self.eat_keyword(Keyword::Interpretation) { Some(self.string()?) } else { None };
        let span = self.span_from(start);
        Ok(DomainFunction { name, unique, params, result, interpretation, span, annotations: Vec::new() })
    }

    fn domain_param(&mut self) -> Parsed<DomainParam> {
        let named = self.at(TokenKind::Ident) && self.second_token().kind == TokenKind::Colon;
        let name = if named { Some(self.ident()?) } else { None };
        if named {
            self.expect(TokenKind::Colon)?;
        }
        Ok(DomainParam { name, ty: self.ty()? })
    }

    fn adt(&mut self) -> Parsed<Adt> {
        self.bump();
        let name = self.ident()?;
        let params = self.type_params()?;
        self.expect(TokenKind::LBrace)?;
        let mut constructors = Vec::new();
        while !self.eat(TokenKind::RBrace) {
            constructors.push(self.constructor()?);
            self.eat(TokenKind::Semicolon);
        }
        let mut derives = Vec::new();
        if self.eat_keyword(Keyword::Derives) {
            self.expect(TokenKind::LBrace)?;
            while !self.eat(TokenKind::RBrace) {
                derives.push(self.derive()?);
                self.eat(TokenKind::Semicolon);
            }
        }
        Ok(Adt { name, params, constructors, derives })
    }

    fn constructor(&mut self) -> Parsed<Constructor> {
        let start = self.token.start;
        let annotations = self.annotations()?;
        let name = self.ident()?;
        self.expect(TokenKind::LParen)?;
        let args = self.list(TokenKind::RParen, Self::formal)?;
        Ok(Constructor { name, args, span: self.span_from(start), annotations })
    }

    fn derive(&mut self) -> Parsed<Derive> {
        let start = self.token.start;
        let name = self.ident()?;
        let mut arg = None;
        if self.eat(TokenKind::LBracket) {
            arg = Some(self.ty()?);
            self.expect(TokenKind::RBracket)?;
        }
        let without = if self.eat_keyword(Keyword::Without) { self.list1(Self::ident)? } else { Vec::new() };
        Ok(Derive { name, arg, without, span: self.span_from(start) })
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
