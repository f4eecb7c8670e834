//! The id of errors of syntax, whoever finds them.

pub const SYNTAX_ERROR: &str = "parser.error";
