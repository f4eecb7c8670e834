//! Positions in documents.

use echis_base::{SourceMap, Span};
use serde::Serialize;

#[derive(Clone, Serialize)]
pub(crate) struct Position {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

pub(crate) fn position(sources: &SourceMap, span: Span) -> Position {
    let position = sources.position(span);
    Position {
        file: position.file.to_string(),
        line: position.start.line,
        column: position.start.column,
        end_line: position.end.line,
        end_column: position.end.column,
    }
}
