//! The source lines around some ranges of a file, limited in size.

use echis_base::{SourceFile, Span};
use std::ops::Range;

/// Number of context lines before and after the marked lines.
const CONTEXT: u32 = 1;
/// Maximum length of a line that is shown completely; of longer ones, only the surroundings of the range are.
const LONGEST_LINE: u32 = 400;
/// Maximum number of lines of a range that are shown.
const MOST_LINES: u32 = 40;

pub struct Excerpt {
    pub text: String,
    /// The number of the first line.
    pub first_line: u32,
    /// The ranges in `text`, in the given order; `None` for a range outside it.
    pub ranges: Vec<Option<Range<usize>>>,
}

/// The first range determines what is shown.
pub fn excerpt(file: &SourceFile, spans: &[Span]) -> Excerpt {
    let primary = spans[0];
    let first = spans.iter().map(|span| file.line_column(span.start).line).min().unwrap_or(1);
    let last = spans.iter().map(|span| file.line_column(span.end).line).max().unwrap_or(1);
    let at = file.line_column(primary.start).line;
    let (first, last) = if last - first < MOST_LINES { (first, last) } else { (at, at + MOST_LINES - 1) };
    let first = first.saturating_sub(CONTEXT).max(1);
    let last = (last + CONTEXT).min(file.line_count());
    let window = window(file, first, last, primary);
    let text = &file.text[window.start..window.end];
    let inside = |span: &Span| {
        let start = (span.start as usize).max(window.start);
        let end = (span.end as usize).min(window.end);
        (start <= end && span.start as usize <= window.end).then(|| start - window.start..end - window.start)
    };
    let first_line = file.line_column(window.start as u32).line;
    Excerpt { text: text.to_string(), first_line, ranges: spans.iter().map(inside).collect() }
}

/// The bytes between two lines, or part of a line if the lines are too long.
fn window(file: &SourceFile, first: u32, last: u32, primary: Span) -> Range<usize> {
    let (start, _) = file.line_range(first).unwrap_or((0, 0));
    let (_, end) = file.line_range(last).unwrap_or((0, file.text.len() as u32));
    let widest = (first..=last).filter_map(|line| file.line_range(line)).map(|(start, end)| end - start).max();
    if widest.unwrap_or(0) <= LONGEST_LINE {
        return start as usize..end as usize;
    }
    let from = primary.start.saturating_sub(LONGEST_LINE / 4).max(start);
    let to = (primary.start + LONGEST_LINE).min(end);
    character_boundary(&file.text, from as usize)..character_boundary(&file.text, to as usize)
}

fn character_boundary(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_base::SourceMap;

    fn show(text: &str, start: u32, end: u32) -> (String, u32, String) {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("a.vpr", text));
        let excerpt = excerpt(sources.file(file), &[Span::new(file, start, end)]);
        let range = excerpt.ranges[0].clone().expect("the first range is always shown");
        let marked = excerpt.text[range].to_string();
        (excerpt.text, excerpt.first_line, marked)
    }

    #[test]
    fn one_line_of_context_is_shown() {
        let shown = show("one\ntwo\nthree\nfour\nfive", 8, 13);
        assert_eq!(shown, ("two\nthree\nfour".into(), 2, "three".into()));
    }

    #[test]
    fn an_endless_line_is_cut_around_the_range() {
        let text = format!("{}é!{}", "é".repeat(100_000), "é".repeat(100_000));
        let at = text.find('!').unwrap() as u32;
        let (shown, line, marked) = show(&text, at, at + 1);
        assert!(shown.len() < 1000);
        assert_eq!((line, &*marked), (1, "!"));
    }

    #[test]
    fn ranges_at_the_end_of_an_empty_file_are_shown() {
        assert_eq!(show("", 0, 0), (String::new(), 1, String::new()));
    }
}
