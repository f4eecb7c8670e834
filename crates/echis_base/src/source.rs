//! Source files, byte ranges in them, and line and column positions.

use crate::{IndexVec, Name, key};
use std::fmt;

key!(
    /// A source file, or a built-in file such as `decreases/int.vpr`.
    FileId,
    "file"
);

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Span { file, start, end }
    }
    /// The range from the start of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start, end: other.end.max(self.start) }
    }
    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }
}

/// A 1-based position. Columns count characters; a tab counts as one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineColumn {
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.line, self.column)
    }
}

/// A span in lines and columns: `end` is the position just after the last character.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    pub file: Name,
    pub start: LineColumn,
    pub end: LineColumn,
}

pub struct SourceFile {
    /// The path as the user wrote it, or `<decreases/int.vpr>` for a built-in file.
    pub path: Name,
    pub text: Name,
    line_starts: Vec<u32>,
    renumbered: Vec<Renumbering>,
}

/// From line `from` on, positions are reported with other line numbers, and possibly another file name, because the
/// file was generated from that one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renumbering {
    /// The first line affected, counted from 1.
    pub from: u32,
    pub line: u32,
    pub file: Option<Name>,
}

impl SourceFile {
    pub fn new(path: impl Into<Name>, text: impl Into<Name>) -> Self {
        let text = text.into();
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        SourceFile { path: path.into(), text, line_starts, renumbered: Vec::new() }
    }
    /// Renumbers lines as given by `#line` directives. Entries are sorted by line.
    pub fn renumbered(self, renumbered: Vec<Renumbering>) -> Self {
        SourceFile { renumbered, ..self }
    }
    /// Whether this is a built-in file of Echis.
    pub fn is_provided(&self) -> bool {
        self.path.starts_with('<') && self.path.ends_with(".vpr>")
    }
    /// The file name and line to report for a position.
    fn told(&self, place: LineColumn) -> (Name, LineColumn) {
        let before = &self.renumbered[..self.renumbered.partition_point(|entry| entry.from <= place.line)];
        let Some(last) = before.last() else { return (self.path.clone(), place) };
        let file = before.iter().rev().find_map(|entry| entry.file.clone()).unwrap_or_else(|| self.path.clone());
        (file, LineColumn { line: last.line + (place.line - last.from), column: place.column })
    }
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line_starts.partition_point(|start| *start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.text.get(start..end).map_or(0, |before| before.chars().count());
        LineColumn { line: line as u32 + 1, column: column as u32 + 1 }
    }
    /// The byte range of a line (counted from 1) without its line break, or `None` if there is no such line.
    pub fn line_range(&self, line: u32) -> Option<(u32, u32)> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.line_starts.get(index)?;
        let end = self.line_starts.get(index + 1).map_or(self.text.len() as u32, |next| next - 1);
        Some((start, end))
    }
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }
}

/// All files of one run.
#[derive(Default)]
pub struct SourceMap {
    files: IndexVec<FileId, SourceFile>,
}

impl SourceMap {
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file)
    }
    /// The key of the next file to be added.
    pub fn next_file(&self) -> FileId {
        self.files.next_key()
    }
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id]
    }
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter()
    }
    /// The source text of the span, extended to the left to include the parentheses that it closes.
    pub fn text(&self, span: Span) -> &str {
        let text = &self.files[span.file].text;
        text.get(opened_at(text, span.start as usize, span.end as usize)..span.end as usize).unwrap_or("")
    }
    pub fn position(&self, span: Span) -> Position {
        let source = &self.files[span.file];
        let (file, start) = source.told(source.line_column(span.start));
        let (_, end) = source.told(source.line_column(span.end));
        Position { file, start, end }
    }
}

/// The start of a range extended to the left over parentheses that it closes but does not open: the span of `(a) + b`
/// starts at `a`, because that is where errors are reported.
pub fn opened_at(text: &str, start: usize, end: usize) -> usize {
    let Some(mut piece) = text.get(start..end) else { return start };
    let (mut open, mut missing) = (0usize, 0);
    while let Some(at) = piece.find(['(', ')', '[', ']', '/']) {
        let (found, rest) = piece[at..].split_at(1);
        // Skip comments.
        let comment = if rest.starts_with('/') { "\n" } else { "*/" };
        piece = match (found, rest.starts_with(['/', '*'])) {
            ("/", true) => rest[1..].split_once(comment).map_or("", |(_, behind)| behind),
            _ => rest,
        };
        match found {
            // A parenthesis may close a bracket: `[0..n)`.
            "(" | "[" => open += 1,
            ")" if open == 0 => missing += 1,
            ")" | "]" => open = open.saturating_sub(1),
            _ => {}
        }
    }
    let mut at = start;
    for _ in 0..missing {
        match text[..at].trim_end().strip_suffix('(') {
            Some(before) => at = before.len(),
            None => return start,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_has_the_parentheses_that_it_closes() {
        let text = "if (((a) + b) * (c) < d) f(x)";
        let piece = |from: &str, to: &str| {
            let (start, end) = (text.find(from).expect("it is there"), text.find(to).expect("it is there") + to.len());
            &text[opened_at(text, start, end)..end]
        };
        assert_eq!(piece("a", "b"), "(a) + b");
        assert_eq!(piece("a", "(c)"), "((a) + b) * (c)");
        assert_eq!(piece("a", "d"), "((a) + b) * (c) < d");
        assert_eq!(piece("b", "b"), "b");
        assert_eq!(piece("x", "x)"), "(x)");
        let text = "(i in [0..n)) && s[i] > (0)";
        assert_eq!(opened_at(text, 1, text.len()), 0);
        assert_eq!(opened_at(text, 1, 12), 1);
        let text = "f(a /* :) */ / b // :)\n + c)";
        assert_eq!(opened_at(text, 2, text.len() - 1), 2);
        assert_eq!(opened_at(text, 2, text.len()), 1);
    }
}
