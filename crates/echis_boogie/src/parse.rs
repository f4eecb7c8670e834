//! A recursive-descent parser. After an error it continues like Boogie's parser, so that it finds the same errors: a
//! missing token counts as read, and errors at the next tokens are suppressed.

mod decl;
mod expr;
mod stmt;
mod ty;

use crate::ast::{self, Attribute, Expr, ExprId, ExprKind, Ident};
use crate::error::SYNTAX_ERROR;
use crate::lex::{Kind, Token, tokens};
use echis_base::{Diagnostic, FileId, Span};

pub const UNSUPPORTED: &str = "unsupported.feature";

/// An error was recorded in the diagnostics.
pub(crate) struct Stop;
type Parsed<T> = Result<T, Stop>;

/// Adds the declarations of a text to a tree.
pub fn parse(tree: ast::File, file: FileId, text: &str) -> (ast::File, Vec<Diagnostic>) {
    let (tokens, errors) = tokens(file, text);
    let mut parser = Parser { tokens, at: 0, tree, errors, last_error: None };
    if parser.errors.is_empty() {
        // The error has already been recorded.
        let _ = parser.program();
    }
    (parser.tree, parser.errors)
}

pub(crate) struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    tree: ast::File,
    errors: Vec<Diagnostic>,
    /// Number of tokens read before the last error.
    last_error: Option<usize>,
}

/// Number of tokens that must be read after an error before the next one is reported.
const DISTANCE: usize = 2;

/// Words that are names wherever a name is allowed.
const SOFT: &[&str] = &["atomic", "both", "left", "right", "reveal", "hide", "push", "pop"];

impl<'a> Parser<'a> {
    /// The next token; at the end, the last one repeatedly.
    fn peek(&self) -> Token<'a> {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }
    fn peek_second(&self) -> Token<'a> {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }
    fn take(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at += 1;
        token
    }
    /// The last token read.
    fn last(&self) -> Token<'a> {
        self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)]
    }
    fn sees(&self, text: &str) -> bool {
        let token = self.peek();
        token.kind == Kind::Fixed && token.text == text
    }
    fn sees_any(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.sees(text))
    }
    fn skip(&mut self, text: &str) -> bool {
        let found = self.sees(text);
        if found {
            self.at += 1;
        }
        found
    }
    fn expect(&mut self, text: &str) -> Parsed<Span> {
        if self.sees(text) {
            return Ok(self.take().span);
        }
        self.miss(format!("\"{text}\" expected"));
        Ok(self.peek().span)
    }
    /// Reports that the next token is not allowed here.
    fn miss(&mut self, message: impl Into<String>) {
        let span = self.peek().span;
        self.note(span, message);
    }
    fn note(&mut self, span: Span, message: impl Into<String>) {
        if self.last_error.is_none_or(|last| self.at >= last + DISTANCE) {
            self.errors.push(Diagnostic::error(SYNTAX_ERROR, span, message));
        }
        self.last_error = Some(self.at);
    }
    fn stop<T>(&mut self, message: impl Into<String>) -> Parsed<T> {
        self.miss(message);
        Err(Stop)
    }
    fn refuse<T>(&mut self, span: Span, what: &str) -> Parsed<T> {
        let message = format!("{what} not supported");
        self.errors.push(Diagnostic::error(UNSUPPORTED, span, message));
        Err(Stop)
    }
    /// Reports an error at the last token read.
    fn complain(&mut self, message: impl Into<String>) {
        let span = self.last().span;
        self.note(span, message);
    }
    fn complain_at(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(SYNTAX_ERROR, span, message));
    }

    fn sees_ident(&self) -> bool {
        let token = self.peek();
        token.kind == Kind::Ident || (token.kind == Kind::Fixed && SOFT.contains(&token.text))
    }
    fn ident(&mut self) -> Parsed<Ident> {
        if !self.sees_ident() {
            self.miss("invalid Ident");
            return Ok(Ident { name: "".into(), span: self.peek().span });
        }
        let token = self.take();
        Ok(Ident { name: token.text.into(), span: token.span })
    }
    fn idents(&mut self) -> Parsed<Vec<Ident>> {
        self.separated(Self::ident)
    }
    fn separated<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.skip(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }
    fn add(&mut self, span: Span, kind: ExprKind) -> ExprId {
        self.tree.exprs.push(Expr { span, kind })
    }

    fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.sees("{") {
            match self.attribute_or_trigger()? {
                Braced::Attribute(attribute) => attributes.push(attribute),
                Braced::Trigger(_) | Braced::Excluded(_) => {
                    self.complain("only attributes, not triggers, allowed here");
                }
            }
        }
        Ok(attributes)
    }
    fn attribute_or_trigger(&mut self) -> Parsed<Braced> {
        let span = self.expect("{")?;
        if !self.skip(":") {
            let terms = self.separated(Self::expression)?;
            self.expect("}")?;
            return Ok(Braced::Trigger(terms));
        }
        let name = self.ident_or_word()?;
        let args = if self.sees("}") { Vec::new() } else { self.separated(Self::argument)? };
        let found = if &*name.name != "nopats" {
            Braced::Attribute(Attribute { span, name: name.name, args })
        } else if let [ast::Argument::Expr(term)] = args[..] {
            Braced::Excluded(Some(term))
        } else {
            self.complain("the 'nopats' quantifier attribute expects a string-literal parameter");
            Braced::Excluded(None)
        };
        self.expect("}")?;
        Ok(found)
    }
    fn argument(&mut self) -> Parsed<ast::Argument> {
        if self.peek().kind == Kind::String {
            return Ok(ast::Argument::Text(self.take().text.into()));
        }
        Ok(ast::Argument::Expr(self.expression()?))
    }
    /// Attributes may be named like reserved words, in programs printed by other tools.
    fn ident_or_word(&mut self) -> Parsed<Ident> {
        let token = self.peek();
        let is_word = token.kind == Kind::Fixed && token.text.starts_with(|c: char| c.is_ascii_alphabetic());
        if is_word {
            self.at += 1;
            return Ok(Ident { name: token.text.into(), span: token.span });
        }
        self.ident()
    }
}

enum Braced {
    Attribute(Attribute),
    Trigger(Vec<ExprId>),
    Excluded(Option<ExprId>),
}
