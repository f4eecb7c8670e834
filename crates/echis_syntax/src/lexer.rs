//! Text to tokens, one at a time and on demand: the meaning of `"` and of an import's path depends on the parser.

use crate::token::{Keyword, Token, TokenKind};

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

/// The first token at or behind `at`.
pub fn next_token(text: &str, at: u32) -> Token {
    next_token_with(text, at, |_| ())
}

/// Like [`next_token`], handing the comments on the way to `comment`.
pub fn next_token_with(text: &str, at: u32, comment: impl FnMut(Comment)) -> Token {
    let bytes = text.as_bytes();
    match skip_trivia(bytes, at as usize, comment) {
        Ok(start) => token_at(text, start),
        Err(start) => token(TokenKind::UnterminatedComment, start, bytes.len()),
    }
}

/// The position of the next token, or that of a block comment that is never closed.
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
        let kind = match Keyword::from_text(&text[start..end]) {
            Some(keyword) => TokenKind::Keyword(keyword),
            None => TokenKind::Ident,
        };
        return token(kind, start, end);
    }
    if first.is_ascii_digit() {
        return token(TokenKind::Int, start, end_of(bytes, start, |byte| byte.is_ascii_digit()));
    }
    match symbol(&bytes[start..]) {
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

fn symbol(rest: &[u8]) -> Option<(TokenKind, usize)> {
    use TokenKind::*;
    let at = |index: usize| rest.get(index).copied().unwrap_or(0);
    Some(match (rest[0], at(1), at(2), at(3)) {
        (b'<', b'=', b'=', b'>') => (Iff, 4),
        (b'=', b'=', b'>', _) => (Implies, 3),
        (b'-', b'-', b'*', _) => (Wand, 3),
        (b':', b'=', ..) => (Assign, 2),
        (b':', b':', ..) => (ColonColon, 2),
        (b'=', b'=', ..) => (EqEq, 2),
        (b'!', b'=', ..) => (NotEq, 2),
        (b'<', b'=', ..) => (LtEq, 2),
        (b'>', b'=', ..) => (GtEq, 2),
        (b'&', b'&', ..) => (AndAnd, 2),
        (b'|', b'|', ..) => (OrOr, 2),
        (b'+', b'+', ..) => (PlusPlus, 2),
        (b'.', b'.', ..) => (DotDot, 2),
        (b'<', ..) => (Lt, 1),
        (b'>', ..) => (Gt, 1),
        (b'+', ..) => (Plus, 1),
        (b'-', ..) => (Minus, 1),
        (b'*', ..) => (Star, 1),
        (b'/', ..) => (Slash, 1),
        (b'\\', ..) => (Backslash, 1),
        (b'%', ..) => (Percent, 1),
        (b'!', ..) => (Bang, 1),
        (b'.', ..) => (Dot, 1),
        (b',', ..) => (Comma, 1),
        (b';', ..) => (Semicolon, 1),
        (b':', ..) => (Colon, 1),
        (b'?', ..) => (Question, 1),
        (b'|', ..) => (Bar, 1),
        (b'#', ..) => (Hash, 1),
        (b'@', ..) => (At, 1),
        (b'(', ..) => (LParen, 1),
        (b')', ..) => (RParen, 1),
        (b'[', ..) => (LBracket, 1),
        (b']', ..) => (RBracket, 1),
        (b'{', ..) => (LBrace, 1),
        (b'}', ..) => (RBrace, 1),
        (b'"', ..) => (Quote, 1),
        _ => return None,
    })
}
