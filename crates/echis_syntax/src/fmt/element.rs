//! Tokens and comments in order, with the line breaks between them.

use crate::lexer::{self, Comment};
use crate::token::{Keyword, Token, TokenKind};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Token(TokenKind),
    /// A string with its quotes, or the path of an import with its brackets.
    Raw,
    /// `@name`.
    Annotation,
    LineComment,
    BlockComment,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
    /// Number of line breaks before it.
    pub newlines: u32,
}

impl Element {
    pub fn text(self, text: &str) -> &str {
        let element = &text[self.start as usize..self.end as usize];
        if self.kind == Kind::LineComment { element.trim_end() } else { element }
    }
    pub fn is(self, kind: TokenKind) -> bool {
        self.kind == Kind::Token(kind)
    }
    pub fn is_keyword(self, keyword: Keyword) -> bool {
        self.is(TokenKind::Keyword(keyword))
    }
    pub fn is_comment(self) -> bool {
        matches!(self.kind, Kind::LineComment | Kind::BlockComment)
    }
}

/// The elements of a text without syntax errors.
pub(crate) fn elements(text: &str) -> Vec<Element> {
    let mut elements: Vec<Element> = Vec::new();
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    loop {
        let mut comments: Vec<Comment> = Vec::new();
        let token = lexer::next_token_with(text, at, |comment| comments.push(comment));
        for comment in comments {
            let is_line = text[comment.start as usize..].starts_with("//");
            let kind = if is_line { Kind::LineComment } else { Kind::BlockComment };
            push(text, &mut elements, kind, comment.start, comment.end);
        }
        if token.kind == TokenKind::Eof {
            return elements;
        }
        let (kind, end) = extent(text, token, elements.last());
        push(text, &mut elements, kind, token.start, end);
        at = end;
    }
}

fn push(text: &str, elements: &mut Vec<Element>, kind: Kind, start: u32, end: u32) {
    let from = elements.last().map_or(0, |last| last.end);
    let newlines = text[from as usize..start as usize].matches('\n').count() as u32;
    elements.push(Element { kind, start, end, newlines });
}

/// The extent of elements that are more than a token: strings, paths, and names of annotations.
fn extent(text: &str, token: Token, last: Option<&Element>) -> (Kind, u32) {
    let rest = &text[token.end as usize..];
    let after_import = last.is_some_and(|last| last.is_keyword(Keyword::Import));
    let closed_by = |close: char| token.end + rest.find(close).map_or(rest.len(), |at| at + 1) as u32;
    match token.kind {
        TokenKind::Quote => (Kind::Raw, closed_by('"')),
        TokenKind::Lt if after_import => (Kind::Raw, closed_by('>')),
        TokenKind::At => {
            let belongs = |byte: u8| lexer::is_ident_continue(byte) || byte == b'.';
            let length = rest.bytes().position(|byte| !belongs(byte)).unwrap_or(rest.len());
            (Kind::Annotation, token.end + length as u32)
        }
        kind => (Kind::Token(kind), token.end),
    }
}
