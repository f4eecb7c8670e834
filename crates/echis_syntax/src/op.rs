//! The table of operators: text, precedence and associativity. Used by lexer, parser, formatter and printer. An
//! operator that is a word is reserved by its row; others also need a token.

macro_rules! operators {
    ($($(#[$doc:meta])* $op:ident $text:literal $level:ident;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum BinaryOp {
            $($(#[$doc])* $op,)*
        }

        impl BinaryOp {
            pub const ALL: &[BinaryOp] = &[$(BinaryOp::$op),*];

            pub fn from_text(text: &str) -> Option<BinaryOp> {
                match text {
                    $($text => Some(BinaryOp::$op),)*
                    _ => None,
                }
            }
            pub fn text(self) -> &'static str {
                match self {
                    $(BinaryOp::$op => $text,)*
                }
            }
            pub fn level(self) -> Level {
                match self {
                    $(BinaryOp::$op => Level::$level,)*
                }
            }
        }
    };
}

operators! {
    Iff "<==>" Iff;
    Implies "==>" Implies;
    Wand "--*" Wand;
    Or "||" Or;
    And "&&" And;
    Eq "==" Equality;
    Ne "!=" Equality;
    Lt "<" Comparison;
    Le "<=" Comparison;
    Gt ">" Comparison;
    Ge ">=" Comparison;
    In "in" Comparison;
    Add "+" Sum;
    Sub "-" Sum;
    Append "++" Sum;
    Union "union" Sum;
    Intersection "intersection" Sum;
    Setminus "setminus" Sum;
    Subset "subset" Sum;
    Mul "*" Product;
    Div "/" Product;
    IntDiv "\\" Product;
    Mod "%" Product;
}

/// Precedence levels, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    Conditional,
    Iff,
    Implies,
    Wand,
    Or,
    And,
    Equality,
    Comparison,
    Sum,
    Product,
    Prefix,
    Suffix,
    Atom,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grouping {
    Left,
    Right,
    /// Comparisons: `a < b < c` is one node.
    Chain,
}

impl BinaryOp {
    pub fn grouping(self) -> Grouping {
        match self.level() {
            Level::Comparison => Grouping::Chain,
            Level::Sum | Level::Product => Grouping::Left,
            _ => Grouping::Right,
        }
    }
    pub fn is_word(self) -> bool {
        self.text().starts_with(|first: char| first.is_ascii_alphabetic())
    }
}

/// The operators that are words.
pub fn operator_words() -> impl Iterator<Item = &'static str> {
    BinaryOp::ALL.iter().filter(|op| op.is_word()).map(|op| op.text())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Not,
    Neg,
}

impl UnaryOp {
    pub fn text(self) -> &'static str {
        match self {
            UnaryOp::Not => "!",
            UnaryOp::Neg => "-",
        }
    }
}
