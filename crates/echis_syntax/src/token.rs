//! The tokens of the language. Words that are reserved only in some positions (`perm`, `_`) are identifiers here.

/// One token and its bytes; what stands before it (white space, comments) is not part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    Ident,
    Int,
    Keyword(Keyword),
    Iff,
    Implies,
    Wand,
    Assign,
    ColonColon,
    EqEq,
    NotEq,
    LtEq,
    GtEq,
    AndAnd,
    OrOr,
    PlusPlus,
    DotDot,
    Lt,
    Gt,
    Plus,
    Minus,
    Star,
    Slash,
    Backslash,
    Percent,
    Bang,
    Dot,
    Comma,
    Semicolon,
    Colon,
    Question,
    Bar,
    Hash,
    At,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    /// The opening quote of a string; strings are read by the parser where one may stand.
    Quote,
    UnterminatedComment,
    /// A character that no token starts with.
    Unknown,
    Eof,
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
    Seq "Seq" Set "Set" Multiset "Multiset" Union "union" Intersection "intersection" Setminus "setminus"
    Subset "subset" Map "Map" Range "range"
    Unfolding "unfolding" In "in" Applying "applying" Asserting "asserting" Old "old" Lhs "lhs" Let "let"
    Forall "forall" Exists "exists" Forperm "forperm"
    Acc "acc" Wildcard "wildcard" Write "write" None "none" Epsilon "epsilon" Unique "unique"
    Adt "adt" Derives "derives" Without "without" Decreases "decreases" Refute "refute"
}

impl TokenKind {
    /// As it appears in "expected …" and "found …".
    pub fn describe(self) -> String {
        use TokenKind::*;
        let text = match self {
            Ident => return "an identifier".into(),
            Int => return "a number".into(),
            Quote => return "a string".into(),
            UnterminatedComment => return "a comment that is never closed".into(),
            Unknown => return "an unknown character".into(),
            Eof => return "the end of the file".into(),
            Keyword(keyword) => keyword.text(),
            Iff => "<==>",
            Implies => "==>",
            Wand => "--*",
            Assign => ":=",
            ColonColon => "::",
            EqEq => "==",
            NotEq => "!=",
            LtEq => "<=",
            GtEq => ">=",
            AndAnd => "&&",
            OrOr => "||",
            PlusPlus => "++",
            DotDot => "..",
            Lt => "<",
            Gt => ">",
            Plus => "+",
            Minus => "-",
            Star => "*",
            Slash => "/",
            Backslash => "\\",
            Percent => "%",
            Bang => "!",
            Dot => ".",
            Comma => ",",
            Semicolon => ";",
            Colon => ":",
            Question => "?",
            Bar => "|",
            Hash => "#",
            At => "@",
            LParen => "(",
            RParen => ")",
            LBracket => "[",
            RBracket => "]",
            LBrace => "{",
            RBrace => "}",
        };
        format!("`{text}`")
    }
}
