//! Source text in the form in which it is quoted.

use echis_base::{SourceMap, Span};

/// The source text of a range on one line, without comments, with white space collapsed.
pub fn source_text(sources: &SourceMap, span: Span) -> String {
    one_line(sources.text(span))
}

pub(super) fn one_line(text: &str) -> String {
    without_comments(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        let skipped = match rest.as_bytes().get(1) {
            Some(b'/') => rest.find('\n').unwrap_or(rest.len()),
            Some(b'*') => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ => 0,
        };
        kept.push(if skipped == 0 { '/' } else { ' ' });
        rest = &rest[skipped.max(1)..];
    }
    kept + rest
}

/// The negation of a condition, with parentheses only if needed.
pub fn negated(text: &str) -> String {
    match text.strip_prefix('!') {
        Some(inner) if is_atom(inner) => inner.to_string(),
        _ if is_atom(text) => format!("!{text}"),
        _ => format!("!({text})"),
    }
}

/// Whether the text is a single name, field access or application, so that a preceding `!` negates it.
pub(super) fn is_atom(text: &str) -> bool {
    let mut depth = 0usize;
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return false,
            ')' | ']' => depth -= 1,
            _ if depth > 0 || c.is_alphanumeric() || matches!(c, '_' | '.' | '$') => {}
            _ => return false,
        }
    }
    depth == 0 && !text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_base::SourceFile;

    #[test]
    fn source_text_is_one_line_without_comments() {
        let mut sources = SourceMap::default();
        let text = "a /* x */ &&\n  // y\n  b / 2";
        let file = sources.add(SourceFile::new("a.vpr", text));
        assert_eq!(source_text(&sources, Span::new(file, 0, text.len() as u32)), "a && b / 2");
    }

    #[test]
    fn negation_uses_parentheses_only_where_needed() {
        for (text, expected) in [
            ("b", "!b"),
            ("!b", "b"),
            ("x.f", "!x.f"),
            ("f(x, y + 1)", "!f(x, y + 1)"),
            ("a && b", "!(a && b)"),
            ("!a && b", "!(!a && b)"),
            ("(a) && (b)", "!((a) && (b))"),
            ("!(a && b)", "(a && b)"),
        ] {
            assert_eq!(negated(text), expected, "{text}");
        }
    }
}
