//! The tokens of the language. Words that are reserved only in some positions (`perm`, `_`) are identifiers here.

use crate::op::{BinaryOp, operator_words};

/// One token and its range, without preceding white space and comments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

macro_rules! tokens {
    ($($variant:ident $text:literal)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum TokenKind {
            Ident,
            Int,
            Keyword(Keyword),
            /// An operator that is a word.
            Operator(BinaryOp),
            $($variant,)*
            /// The opening quote of a string; strings are read by the parser where they are allowed.
            Quote,
            UnterminatedComment,
            /// A character that starts no token.
            Unknown,
            Eof,
        }

        /// Tokens that are neither words nor numbers.
        pub const SYMBOLS: &[TokenKind] = &[$(TokenKind::$variant),*];

        impl TokenKind {
            /// The text, if there is only one way to write it.
            pub fn text(self) -> Option<&'static str> {
                match self {
                    TokenKind::Keyword(keyword) => Some(keyword.text()),
                    TokenKind::Operator(op) => Some(op.text()),
                    $(TokenKind::$variant => Some($text),)*
                    _ => None,
                }
            }
        }
    };
}

// The lexer takes the first match, so longer symbols come first.
tokens! {
    Iff "<==>"
    Implies "==>" Wand "--*"
    Assign ":=" ColonColon "::" EqEq "==" NotEq "!=" LtEq "<=" GtEq ">=" AndAnd "&&" OrOr "||" PlusPlus "++" DotDot ".."
    Lt "<" Gt ">" Plus "+" Minus "-" Star "*" Slash "/" Backslash "\\" Percent "%" Bang "!" Dot "." Comma ","
    Semicolon ";" Colon ":" Question "?" Bar "|" Hash "#" At "@"
    LParen "(" RParen ")" LBracket "[" RBracket "]" LBrace "{" RBrace "}"
}

macro_rules! keywords {
    ($($variant:ident $text:literal)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Keyword { $($variant),* }

        impl Keyword {
            pub const ALL: &[Keyword] = &[$(Keyword::$variant),*];

            pub fn from_text(text: &str) -> Option<Keyword> {
                match text { $($text => Some(Keyword::$variant),)* _ => None }
            }
            pub fn text(self) -> &'static str {
                match self { $(Keyword::$variant => $text),* }
            }
        }
    };
}

keywords! {
    Result "result" Int "Int" Perm "Perm" Bool "Bool" Ref "Ref" Rational "Rational"
    True "true" False "false" Null "null" Import "import"
    Method "method" Function "function" Predicate "predicate" Domain "domain" Axiom "axiom" Var "var"
    Returns "returns" Field "field" Define "define" Interpretation "interpretation"
    Requires "requires" Ensures "ensures" Invariant "invariant"
    Fold "fold" Unfold "unfold" Inhale "inhale" Exhale "exhale" New "new" Assert "assert" Assume "assume"
    Package "package" Apply "apply" Quasihavoc "quasihavoc" QuasihavocAll "quasihavocall"
    While "while" If "if" Elseif "elseif" Else "else" Goto "goto" Label "label"
    Seq "Seq" Set "Set" Multiset "Multiset" Map "Map" Range "range"
    Unfolding "unfolding" In "in" Applying "applying" Asserting "asserting" Old "old" Lhs "lhs" Let "let"
    Forall "forall" Exists "exists" Forperm "forperm"
    Acc "acc" Wildcard "wildcard" Write "write" None "none" Epsilon "epsilon" Unique "unique"
    Adt "adt" Derives "derives" Without "without" Decreases "decreases" Refute "refute"
}

/// The token for a reserved word.
pub fn word(text: &str) -> Option<TokenKind> {
    let operator = || BinaryOp::from_text(text).map(TokenKind::Operator);
    Keyword::from_text(text).map(TokenKind::Keyword).or_else(operator)
}

/// All reserved words.
pub fn words() -> impl Iterator<Item = &'static str> {
    Keyword::ALL.iter().map(|keyword| keyword.text()).chain(operator_words())
}

impl TokenKind {
    /// The binary operator of the token.
    pub fn binary_op(self) -> Option<BinaryOp> {
        BinaryOp::from_text(self.text()?)
    }
    /// The description in "expected …" and "found …".
    pub fn describe(self) -> String {
        match self {
            TokenKind::Ident => "an identifier".into(),
            TokenKind::Int => "a number".into(),
            TokenKind::Quote => "a string".into(),
            TokenKind::UnterminatedComment => "a comment that is never closed".into(),
            TokenKind::Unknown => "an unknown character".into(),
            TokenKind::Eof => "the end of the file".into(),
            _ => format!("`{}`", self.text().unwrap_or_default()),
        }
    }
}
