//! Tokenises text on demand, one token at a time: the meaning of `"` and of an import's path depends on the parser.

use crate::token::{SYMBOLS, Token, TokenKind, word};

/// A comment, for the formatter.
#[derive(Clone, Copy, Debug)]
pub struct Comment {
    pub start: u32,
    pub end: u32,
}

pub fn is_ident_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'$' || byte == b'_'
}

pub fn is_ident_continue(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'$' || byte == b'_'
}

/// Whether a text is a single identifier: neither a keyword nor an operator.
pub fn is_identifier(text: &str) -> bool {
    let token = next_token(text, 0);
    token.kind == TokenKind::Ident && token.start == 0 && token.end as usize == text.len()
}

/// The first token at or behind `at`.
pub fn next_token(text: &str, at: u32) -> Token {
    next_token_with(text, at, |_| ())
}

/// Like [`next_token`], passing skipped comments to `comment`.
pub fn next_token_with(text: &str, at: u32, comment: impl FnMut(Comment)) -> Token {
    let bytes = text.as_bytes();
    match skip_trivia(bytes, at as usize, comment) {
        Ok(start) => token_at(text, start),
        Err(start) => token(TokenKind::UnterminatedComment, start, bytes.len()),
    }
}

/// The position of the next token, or that of an unterminated block comment.
fn skip_trivia(bytes: &[u8], mut at: usize, mut comment: impl FnMut(Comment)) -> Result<usize, usize> {
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
            Some(b'/') if bytes.get(at + 1) == Some(&b'/') => {
                let end = find(bytes, at, b"\n").unwrap_or(bytes.len());
                comment(Comment { start: at as u32, end: end as u32 });
                at = end;
            }
            Some(b'/') if bytes.get(at + 1) == Some(&b'*') => {
                let end = find(bytes, at + 2, b"*/").ok_or(at)? + 2;
                comment(Comment { start: at as u32, end: end as u32 });
                at = end;
            }
            _ => return Ok(at),
        }
    }
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    bytes.get(from..)?.windows(what.len()).position(|window| window == what).map(|found| from + found)
}

fn token(kind: TokenKind, start: usize, end: usize) -> Token {
    Token { kind, start: start as u32, end: end as u32 }
}

fn token_at(text: &str, start: usize) -> Token {
    let bytes = text.as_bytes();
    let Some(&first) = bytes.get(start) else { return token(TokenKind::Eof, start, start) };
    if is_ident_start(first) {
        let end = end_of(bytes, start, is_ident_continue);
        return token(word(&text[start..end]).unwrap_or(TokenKind::Ident), start, end);
    }
    if first.is_ascii_digit() {
        return token(TokenKind::Int, start, end_of(bytes, start, |byte| byte.is_ascii_digit()));
    }
    match symbol(&text[start..]) {
        Some((kind, length)) => token(kind, start, start + length),
        None => {
            let length = text[start..].chars().next().map_or(1, char::len_utf8);
            token(TokenKind::Unknown, start, start + length)
        }
    }
}

fn end_of(bytes: &[u8], start: usize, belongs: impl Fn(u8) -> bool) -> usize {
    bytes[start..].iter().position(|byte| !belongs(*byte)).map_or(bytes.len(), |length| start + length)
}

fn symbol(rest: &str) -> Option<(TokenKind, usize)> {
    if rest.starts_with('"') {
        return Some((TokenKind::Quote, 1));
    }
    let texts = SYMBOLS.iter().filter_map(|kind| Some((*kind, kind.text()?)));
    texts.into_iter().find(|(_, text)| rest.starts_with(text)).map(|(kind, text)| (kind, text.len()))
}
