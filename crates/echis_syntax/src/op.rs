//! Operators: their text, how tightly they bind, and how they group. Shared by parser and printer.

use crate::ast::{BinaryOp, UnaryOp};

/// How tightly something binds, loosest first.
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
    pub fn level(self) -> Level {
        use BinaryOp::*;
        match self {
            Iff => Level::Iff,
            Implies => Level::Implies,
            Wand => Level::Wand,
            Or => Level::Or,
            And => Level::And,
            Eq | Ne => Level::Equality,
            Lt | Le | Gt | Ge | In => Level::Comparison,
            Add | Sub | Append | Union | Intersection | Setminus | Subset => Level::Sum,
            Mul | Div | IntDiv | Mod => Level::Product,
        }
    }
    pub fn grouping(self) -> Grouping {
        match self.level() {
            Level::Comparison => Grouping::Chain,
            Level::Sum | Level::Product => Grouping::Left,
            _ => Grouping::Right,
        }
    }
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Iff => "<==>",
            Implies => "==>",
            Wand => "--*",
            Or => "||",
            And => "&&",
            Eq => "==",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            In => "in",
            Add => "+",
            Sub => "-",
            Append => "++",
            Union => "union",
            Intersection => "intersection",
            Setminus => "setminus",
            Subset => "subset",
            Mul => "*",
            Div => "/",
            IntDiv => "\\",
            Mod => "%",
        }
    }
}

impl UnaryOp {
    pub fn text(self) -> &'static str {
        match self {
            UnaryOp::Not => "!",
            UnaryOp::Neg => "-",
        }
    }
}
