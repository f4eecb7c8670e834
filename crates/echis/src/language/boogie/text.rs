//! Ranges in a Boogie program's text that have no node of their own.

use echis_base::{SourceMap, Span, SyntaxId};
use echis_boogie::Program;

/// The full extent of a statement, clause or axiom.
pub(super) fn extent(program: &Program, id: SyntaxId) -> Span {
    program.extents.get(&id).copied().unwrap_or_else(|| program.syntax.span(id))
}

/// The range between the parentheses after `if` or `while`.
pub(super) fn condition(program: &Program, sources: &SourceMap, id: SyntaxId) -> Option<Span> {
    let whole = extent(program, id);
    let text = &sources.file(whole.file).text;
    let start = whole.start as usize;
    let open = start + text.get(start..)?.find(['(', '{'])?;
    if text.as_bytes()[open] != b'(' {
        return None;
    }
    let close = matching(text, open, b'(', b')')?;
    Some(Span::new(whole.file, open as u32 + 1, close as u32))
}

/// The range of a function's body, including the braces.
pub(super) fn body(program: &Program, sources: &SourceMap, function: SyntaxId) -> Option<Span> {
    let name = program.syntax.span(function);
    let text = &sources.file(name.file).text;
    let start = name.end as usize;
    let open = start + text.get(start..)?.find('{')?;
    if text[open + 1..].trim_start().starts_with(':') {
        return None;
    }
    let close = matching(text, open, b'{', b'}')?;
    Some(Span::new(name.file, open as u32, close as u32 + 1))
}

/// The parenthesis that matches the one at a position. Those in comments and strings do not count.
fn matching(text: &str, open: usize, opening: u8, closing: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0usize, open);
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => at += text[at..].find('\n')?,
            b'/' if bytes.get(at + 1) == Some(&b'*') => at += text[at..].find("*/")? + 1,
            b'"' => at += text[at + 1..].find('"')? + 1,
            byte if byte == opening => depth += 1,
            byte if byte == closing => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_texts_do_not_close_anything() {
        let text = "if (f(x) /* ) */ && {:a \")\"} y // )\n) z";
        assert_eq!(matching(text, 3, b'(', b')'), text.rfind(')'));
        assert_eq!(matching("(a", 0, b'(', b')'), None);
    }
}
