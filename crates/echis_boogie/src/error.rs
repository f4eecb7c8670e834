//! The id of syntax errors.

pub const SYNTAX_ERROR: &str = "parser.error";
