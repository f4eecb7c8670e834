//! A recursive-descent parser. A member with a syntax error gives one error and is omitted; the search for the next
//! member starts at the error. Operators are parsed without recursion, and all nesting is limited, so that no input
//! exhausts the stack.

mod atom;
mod clause;
mod expr;
mod location;
mod member;
mod stmt;
mod ty;

pub(crate) use expr::starts_expr;

use crate::ast::{Annotation, Expr, ExprId, ExprKind, Exprs, Ident, Member};
use crate::lexer;
use crate::token::{Keyword, Token, TokenKind};
use echis_base::{Diagnostic, FileId, Name, SourceFile, Span};
use std::collections::HashMap;

/// Maximum nesting of parentheses, binders and the like. Chains of operators do not count.
const MAX_EXPR_NESTING: u32 = 10_000;
/// Maximum nesting of blocks and types, which are dropped recursively.
const MAX_BLOCK_NESTING: u32 = 500;
/// Maximum number of operators in one chain.
const MAX_CHAIN: usize = 250_000;
/// Maximum number of reported errors in one file.
const MAX_ERRORS: usize = 200;

/// A parsed file, before its imports are resolved and its macros are expanded.
pub struct ParsedFile {
    pub members: Vec<Member>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses one file into `exprs`.
pub fn parse_file(file: FileId, source: &SourceFile, exprs: &mut Exprs) -> ParsedFile {
    if source.text.len() > (u32::MAX / 2) as usize {
        let message = "the file is too large: at most 2 GB can be read";
        let diagnostic = Diagnostic::error("parser.error", Span::new(file, 0, 0), message);
        return ParsedFile { members: Vec::new(), diagnostics: vec![diagnostic] };
    }
    let mut parser = Parser::new(file, &source.text, exprs);
    let members = parser.members();
    ParsedFile { members, diagnostics: parser.diagnostics }
}

/// The member has a syntax error, which is in [`Parser::failure`].
struct Stop;
type Parsed<T> = Result<T, Stop>;

struct Failure {
    at: u32,
    message: String,
    in_block: bool,
}

struct Parser<'a> {
    file: FileId,
    text: &'a str,
    exprs: &'a mut Exprs,
    names: HashMap<&'a str, Name>,
    /// The next token.
    token: Token,
    /// The end of the last token, where a complete node ends.
    previous_end: u32,
    expr_nesting: u32,
    block_nesting: u32,
    open_blocks: u32,
    /// Number of open `|…`: `||` may then be two closing bars.
    open_bars: u32,
    in_macro: bool,
    /// Whether in the types of `forperm` variables, where `[` may start the resource.
    in_forperm: bool,
    failure: Option<Failure>,
    diagnostics: Vec<Diagnostic>,
}

/// A position to backtrack to.
#[derive(Clone, Copy)]
struct Mark {
    token: Token,
    previous_end: u32,
}

impl<'a> Parser<'a> {
    fn new(file: FileId, text: &'a str, exprs: &'a mut Exprs) -> Self {
        // Skips a byte-order mark.
        let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Parser {
            file,
            text,
            exprs,
            names: HashMap::new(),
            token: lexer::next_token(text, start),
            previous_end: start,
            expr_nesting: 0,
            block_nesting: 0,
            open_blocks: 0,
            open_bars: 0,
            in_macro: false,
            in_forperm: false,
            failure: None,
            diagnostics: Vec::new(),
        }
    }

    // -------------------------------------------------------------------------------------------------------------
    // Tokens

    fn bump(&mut self) -> Token {
        let token = self.token;
        self.previous_end = token.end;
        self.token = lexer::next_token(self.text, token.end);
        token
    }
    /// Continues after `end`, where a raw part of the text (a string, a path) ended.
    fn continue_at(&mut self, end: u32) {
        self.previous_end = end;
        self.token = lexer::next_token(self.text, end);
    }
    fn second_token(&self) -> Token {
        lexer::next_token(self.text, self.token.end)
    }
    fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }
    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.token.kind == TokenKind::Keyword(keyword)
    }
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }
    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        self.eat(TokenKind::Keyword(keyword))
    }
    fn expect(&mut self, kind: TokenKind) -> Parsed<Token> {
        if self.at(kind) { Ok(self.bump()) } else { self.fail_expected(&kind.describe()) }
    }
    fn expect_keyword(&mut self, keyword: Keyword) -> Parsed<Token> {
        self.expect(TokenKind::Keyword(keyword))
    }
    fn token_text(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }
    fn mark(&self) -> Mark {
        Mark { token: self.token, previous_end: self.previous_end }
    }
    fn reset(&mut self, mark: Mark) {
        self.token = mark.token;
        self.previous_end = mark.previous_end;
        self.failure = None;
    }

    // -------------------------------------------------------------------------------------------------------------
    // Failures

    fn fail<T>(&mut self, at: u32, message: impl Into<String>) -> Parsed<T> {
        self.failure = Some(Failure { at, message: message.into(), in_block: self.open_blocks > 0 });
        Err(Stop)
    }
    fn fail_expected<T>(&mut self, expected: &str) -> Parsed<T> {
        let message = format!("expected {expected}, found {}", self.found());
        self.fail(self.token.start, message)
    }
    fn found(&self) -> String {
        let text = self.token_text(self.token);
        match self.token.kind {
            TokenKind::Ident => format!("the identifier `{text}`"),
            TokenKind::Int if text.len() <= 40 => format!("the number `{text}`"),
            TokenKind::Keyword(_) | TokenKind::Operator(_) => format!("the reserved word `{text}`"),
            TokenKind::Unknown if text == "=" => "`=` (assignment is `:=`, equality is `==`)".into(),
            TokenKind::Unknown if text == "\u{fffd}" => "bytes that are not valid UTF-8".into(),
            TokenKind::Unknown => format!("the character `{}`", text.escape_debug()),
            kind => kind.describe(),
        }
    }
    fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning("parser.warning", span, message));
    }
    fn nested_expr<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.expr_nesting >= MAX_EXPR_NESTING {
            let message = format!("the expression is nested too deeply: at most {MAX_EXPR_NESTING} levels can be read");
            return self.fail(self.token.start, message);
        }
        self.expr_nesting += 1;
        let result = stacker::maybe_grow(64 << 10, 2 << 20, || parse(self));
        self.expr_nesting -= 1;
        result
    }
    fn nested_block<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.block_nesting >= MAX_BLOCK_NESTING {
            let message =
                format!("blocks or types are nested too deeply: at most {MAX_BLOCK_NESTING} levels can be read");
            return self.fail(self.token.start, message);
        }
        self.block_nesting += 1;
        let result = stacker::maybe_grow(64 << 10, 2 << 20, || parse(self));
        self.block_nesting -= 1;
        result
    }

    // -------------------------------------------------------------------------------------------------------------
    // Small parts

    fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.file, start, end)
    }
    fn span_from(&self, start: u32) -> Span {
        self.span(start, self.previous_end.max(start))
    }
    fn name(&mut self, text: &'a str) -> Name {
        self.names.entry(text).or_insert_with(|| text.into()).clone()
    }
    fn ident(&mut self) -> Parsed<Ident> {
        if !self.at(TokenKind::Ident) {
            return self.fail_expected("an identifier");
        }
        let token = self.bump();
        Ok(self.ident_of(token))
    }
    fn ident_of(&mut self, token: Token) -> Ident {
        Ident { name: self.name(self.token_text(token)), span: self.span(token.start, token.end) }
    }
    fn alloc(&mut self, kind: ExprKind, start: u32, end: u32) -> ExprId {
        let span = self.span(start, end);
        self.exprs.push(Expr { kind, span, macro_span: None, annotations: Vec::new() })
    }
    /// A list in brackets, or up to a token that cannot continue it: `[item {, item}] close`.
    fn list<T>(&mut self, close: TokenKind, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(close) {
                return Ok(items);
            }
            if !self.eat(TokenKind::Comma) {
                return self.fail_expected(&format!("`,` or {}", close.describe()));
            }
        }
    }
    fn list1<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(TokenKind::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// `"…"`: at least one character, no escapes; leading white space is dropped.
    fn string(&mut self) -> Parsed<Name> {
        let open = self.expect(TokenKind::Quote)?;
        let rest = &self.text[open.end as usize..];
        let skipped = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        let start = open.end as usize + skipped;
        let Some(length) = self.text[start..].find('"') else {
            return self
                .fail(self.text.len() as u32, "expected `\"` at the end of the string, found the end of the file");
        };
        if length == 0 {
            return self.fail(start as u32, "expected at least one character in the string, found `\"`");
        }
        let end = start + length;
        self.continue_at(end as u32 + 1);
        Ok(self.name(&self.text[start..end]))
    }

    /// Any number of `@name("a", …)`.
    fn annotations(&mut self) -> Parsed<Vec<Annotation>> {
        let mut annotations = Vec::new();
        while self.at(TokenKind::At) {
            annotations.push(self.annotation()?);
        }
        Ok(annotations)
    }
    fn annotation(&mut self) -> Parsed<Annotation> {
        let start = self.token.start;
        let from = self.token.end as usize;
        let bytes = self.text.as_bytes();
        if !bytes.get(from).is_some_and(|byte| lexer::is_ident_start(*byte)) {
            return self.fail(from as u32, "expected the name of an annotation directly behind `@`");
        }
        let belongs = |byte: &u8| lexer::is_ident_continue(*byte) || *byte == b'.';
        let end = bytes[from..].iter().position(|byte| !belongs(byte)).map_or(bytes.len(), |length| from + length);
        let name = self.name(&self.text[from..end]);
        self.continue_at(end as u32);
        self.expect(TokenKind::LParen)?;
        let args = self.list(TokenKind::RParen, Self::string)?;
        Ok(Annotation { name, args, span: self.span_from(start) })
    }
}
