//! Tokenises text. Lines that start with `#` are directives: the preprocessor has blanked those it understood.

use crate::float;
use echis_base::{Diagnostic, FileId, Span};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Ident,
    /// A reserved word or a symbol, given by the text.
    Fixed,
    Digits,
    /// `5bv8`
    Bitvector,
    /// `1.5`, `2e3`
    Decimal,
    /// `0x1.8e0f24e8`
    Float,
    String,
    Unknown,
    End,
}

#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub span: Span,
}

/// Reserved words.
pub const WORDS: &[&str] = &[
    "RNA",
    "RNE",
    "RTN",
    "RTP",
    "RTZ",
    "action",
    "assert",
    "asserts",
    "assume",
    "async",
    "atomic",
    "axiom",
    "bool",
    "both",
    "break",
    "call",
    "const",
    "creates",
    "datatype",
    "div",
    "else",
    "ensures",
    "exists",
    "false",
    "forall",
    "free",
    "function",
    "goto",
    "havoc",
    "hide",
    "hideable",
    "if",
    "implementation",
    "int",
    "invariant",
    "is",
    "lambda",
    "left",
    "measure",
    "mod",
    "modifies",
    "old",
    "par",
    "pop",
    "preserves",
    "procedure",
    "pure",
    "push",
    "real",
    "refines",
    "requires",
    "return",
    "returns",
    "reveal",
    "revealed",
    "right",
    "roundNearestTiesToAway",
    "roundNearestTiesToEven",
    "roundTowardNegative",
    "roundTowardPositive",
    "roundTowardZero",
    "then",
    "true",
    "type",
    "unique",
    "uses",
    "using",
    "var",
    "where",
    "while",
    "yield",
];

/// Longer symbols first.
const SYMBOLS: &[&str] = &[
    "<==>", "==>", "<==", "::", ":=", "==", "!=", "<=", ">=", "&&", "||", "++", "**", "->", "|{", "}|", "(", ")", "[",
    "]", "{", "}", "<", ">", ",", ";", ":", "+", "-", "*", "/", "=", "!", "|",
];

/// Single-character alternatives for symbols.
const GLYPHS: &[(char, &str)] = &[
    ('\u{21d4}', "<==>"),
    ('\u{21d2}', "==>"),
    ('\u{21d0}', "<=="),
    ('\u{2227}', "&&"),
    ('\u{2228}', "||"),
    ('\u{2260}', "!="),
    ('\u{2264}', "<="),
    ('\u{2265}', ">="),
    ('\u{00ac}', "!"),
    ('\u{2200}', "forall"),
    ('\u{2203}', "exists"),
    ('\u{03bb}', "lambda"),
    ('\u{2022}', "::"),
];

/// The tokens of a text, ending with an end token.
pub fn tokens(file: FileId, text: &str) -> (Vec<Token<'_>>, Vec<Diagnostic>) {
    let mut lexer = Lexer { file, text, at: 0, tokens: Vec::new(), errors: Vec::new() };
    while lexer.next() {}
    (lexer.tokens, lexer.errors)
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    tokens: Vec<Token<'a>>,
    errors: Vec<Diagnostic>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }
    fn next(&mut self) -> bool {
        self.skip_blank();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            self.push(Kind::End, 0, "");
            return false;
        };
        if let Some(length) = float::literal_length(rest) {
            self.push(Kind::Float, length, &rest[..length]);
        } else if first.is_ascii_digit() {
            self.number();
        } else if is_nondigit(first) || (first == '\\' && rest[1..].starts_with(is_nondigit)) {
            let name = rest[1..].find(|c: char| !is_nondigit(c) && !c.is_ascii_digit()).map_or(rest.len(), |at| at + 1);
            let text = &rest[..name];
            let kind = if WORDS.contains(&text) { Kind::Fixed } else { Kind::Ident };
            self.push(kind, name, text.strip_prefix('\\').unwrap_or(text));
        } else if first == '"' {
            self.string();
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.push(Kind::Fixed, symbol.len(), symbol);
        } else if let Some((glyph, symbol)) = GLYPHS.iter().find(|(glyph, _)| *glyph == first) {
            self.push(Kind::Fixed, glyph.len_utf8(), symbol);
        } else {
            self.push(Kind::Unknown, first.len_utf8(), &rest[..first.len_utf8()]);
        }
        true
    }

    fn push(&mut self, kind: Kind, length: usize, text: &'a str) {
        let span = Span::new(self.file, self.at as u32, (self.at + length) as u32);
        self.tokens.push(Token { kind, text, span });
        self.at += length;
    }

    /// Skips white space and comments, which nest.
    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                self.skip_comment();
            } else {
                return;
            }
        }
    }
    fn skip_comment(&mut self) {
        let start = self.at;
        let mut depth = 0usize;
        loop {
            let rest = self.rest();
            let Some(at) = rest.find(['/', '*']) else {
                let span = Span::new(self.file, start as u32, start as u32 + 2);
                self.errors.push(Diagnostic::error("parser.error", span, "this comment has no end"));
                self.at = self.text.len();
                return;
            };
            match &rest.as_bytes()[at..rest.len().min(at + 2)] {
                b"/*" => depth += 1,
                b"*/" => depth -= 1,
                _ => {
                    self.at += at + 1;
                    continue;
                }
            }
            self.at += at + 2;
            if depth == 0 {
                return;
            }
        }
    }

    fn number(&mut self) {
        let rest = self.rest();
        let digits = |from: usize| from + rest[from..].bytes().take_while(u8::is_ascii_digit).count();
        let whole = digits(0);
        let has = |at: usize, what: &str| rest[at..].starts_with(what);
        if has(whole, "bv") && digits(whole + 2) > whole + 2 {
            let end = digits(whole + 2);
            return self.push(Kind::Bitvector, end, &rest[..end]);
        }
        let mut end = whole;
        if has(whole, ".") && digits(whole + 1) > whole + 1 {
            end = digits(whole + 1);
        }
        if has(end, "e") {
            let exponent = if has(end, "e-") { end + 2 } else { end + 1 };
            if digits(exponent) > exponent {
                end = digits(exponent);
            }
        }
        let kind = if end == whole { Kind::Digits } else { Kind::Decimal };
        self.push(kind, end, &rest[..end]);
    }

    /// A string; the text is without the quotes. A quote after a backslash belongs to it if another one follows on
    /// the line, whatever precedes the backslash.
    fn string(&mut self) {
        let rest = self.rest();
        let mut end = None;
        let mut before = ' ';
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '\n' | '\r' => break,
                '"' => {
                    end = Some(at);
                    if before != '\\' {
                        break;
                    }
                }
                _ => {}
            }
            before = c;
        }
        match end {
            Some(end) => self.push(Kind::String, end + 1, &rest[1..end]),
            None => self.push(Kind::Unknown, 1, &rest[..1]),
        }
    }
}

fn is_nondigit(c: char) -> bool {
    c.is_ascii_alphabetic() || "'~#$^_.?`".contains(c)
}
