//! The clean removal of a clause, a conjunct or a statement from a text: what is left reads well.

use echis_base::{Edit, opened_at};

/// Keywords that precede an expression and are removed with it.
const BEFORE: [&str; 8] = ["requires", "ensures", "invariant", "assume", "inhale", "assert", "exhale", "axiom"];

/// Removes an expression: with the adjacent `&&`, with its keyword, or by replacing it with `true`.
pub fn removal(source: &str, start: usize, end: usize) -> Edit {
    let start = opened_at(source, start, end);
    let (before, after) = (source.get(..start).unwrap_or(""), source.get(end..).unwrap_or(""));
    let head = before.trim_end();
    // Comments are kept.
    let code = without_comments_behind(before);
    if let Some(left) = code.strip_suffix("&&") {
        let comment = before[code.len()..].trim();
        let line = if comment.contains("//") && !after.starts_with(['\n', '\r']) { "\n" } else { "" };
        let space = if comment.is_empty() { "" } else { " " };
        return Edit::replace(left.trim_end().len(), end, format!("{space}{comment}{line}"));
    }
    let behind = without_comments_before(after);
    if let Some(rest) = behind.strip_prefix("&&") {
        let comment = after[..after.len() - behind.len()].trim();
        let rest = if comment.is_empty() { rest.trim_start() } else { rest.trim_start_matches([' ', '\t']) };
        let line = if comment.contains("//") { "\n" } else { "" };
        return Edit::replace(start, source.len() - rest.len(), format!("{comment}{line}"));
    }
    let keyword = BEFORE.into_iter().find(|word| is_word_before(head, word));
    match keyword {
        Some(word) if ends_there(after) => whole_line(source, head.len() - word.len(), end),
        _ => Edit::replace(start, end, "true"),
    }
}

/// Removes several expressions. If two are adjacent, one of them is replaced with `true`.
pub fn removals(source: &str, spans: impl IntoIterator<Item = (usize, usize)>) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for (start, end) in spans {
        let touches = |edit: &Edit| edits.iter().any(|other| edit.start < other.end && other.start < edit.end);
        let bare = || Edit::replace(opened_at(source, start, end), end, "true");
        let edit = Some(removal(source, start, end)).filter(|edit| !touches(edit)).unwrap_or_else(bare);
        if !touches(&edit) {
            edits.push(edit);
        }
    }
    edits
}

/// The text without leading white space and comments.
fn without_comments_before(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let behind = match (rest.strip_prefix("//"), rest.strip_prefix("/*")) {
            (Some(line), _) => line.find('\n').map(|at| &line[at..]),
            (_, Some(block)) => block.find("*/").map(|at| &block[at + 2..]),
            (None, None) => return rest,
        };
        let Some(behind) = behind else { return rest };
        rest = behind.trim_start();
    }
}

/// The text without trailing white space and comments.
fn without_comments_behind(text: &str) -> &str {
    let mut rest = text.trim_end();
    loop {
        let line = rest.rfind('\n').map_or(0, |at| at + 1);
        let block = rest.strip_suffix("*/").and_then(|inside| inside.rfind("/*"));
        let Some(at) = rest[line..].find("//").map(|at| line + at).or(block) else { return rest };
        rest = rest[..at].trim_end();
    }
}

fn is_word_before(head: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    head.strip_suffix(word).is_some_and(|rest| !rest.ends_with(is_part))
}

/// Whether the expression ends here: at the end of a line, or before a keyword or a brace.
fn ends_there(after: &str) -> bool {
    let line = after.lines().next().unwrap_or("").trim_start();
    let rest = after.trim_start();
    let starts = |text: &str| rest.starts_with(text);
    (line.is_empty() || line.starts_with("//") || line.starts_with([';', '{', '}'])) && !starts("==>")
        || BEFORE.into_iter().any(starts)
}

/// Removes the text, including its line if nothing else is on it.
pub fn whole_line(source: &str, start: usize, end: usize) -> Edit {
    let end = end + source[end..].len() - source[end..].trim_start_matches([' ', '\t']).len();
    let end = if source[end..].starts_with(';') { end + 1 } else { end };
    let line = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let alone = source[line..start].trim().is_empty();
    match source[end..].find('\n') {
        Some(0) if alone => Edit::replace(line, end + 1, ""),
        _ => Edit::replace(start, end, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_base::apply;

    fn without(source: &str, part: &str) -> String {
        let start = source.find(part).expect("the part stands there");
        apply(&[removal(source, start, start + part.len())], source).expect("one edit cannot overlap")
    }

    #[test]
    fn what_is_left_reads_well() {
        assert_eq!(without("  requires a && b && c\n", "b"), "  requires a && c\n");
        assert_eq!(without("  requires a && b && c\n", "a"), "  requires b && c\n");
        assert_eq!(without("m()\n  requires a\n  ensures b\n{", "a"), "m()\n  ensures b\n{");
        assert_eq!(without("{\n  assume a // why\n}", "a "), "{\n  // why\n}");
        assert_eq!(without("requires (a) && b", "a"), "requires (true) && b");
        assert_eq!(without("invariant p ==> b && c", "p"), "invariant true ==> b && c");
        assert_eq!(without("requires a ensures b", "a"), "ensures b");
    }

    #[test]
    fn neighbours_are_taken_out_together() {
        let source = "invariant a && b\ninvariant a && b && c\n";
        let without = |parts: &[(usize, usize)]| apply(&removals(source, parts.iter().copied()), source);
        assert_eq!(without(&[(10, 11), (15, 16)]).as_deref(), Some("invariant true\ninvariant a && b && c\n"));
        assert_eq!(without(&[(15, 16), (10, 11)]).as_deref(), Some("invariant true\ninvariant a && b && c\n"));
        assert_eq!(without(&[(32, 33), (27, 28)]).as_deref(), Some("invariant a && b\ninvariant true && c\n"));
        assert_eq!(without(&[(10, 11), (10, 11)]).as_deref(), Some("invariant b\ninvariant a && b && c\n"));
    }

    #[test]
    fn comments_stay_where_they_can_be_read() {
        assert_eq!(without("requires a && // why\n  b\n", "a"), "requires // why\n  b\n");
        assert_eq!(without("requires a && // why\n  b\n", "b"), "requires a // why\n");
        assert_eq!(without("requires a // why\n  && b\n", "a"), "requires // why\nb\n");
        assert_eq!(without("requires a /* why */ && b", "a"), "requires /* why */b");
        assert_eq!(without("requires (a && // why\n b)", "b"), "requires (a // why\n)");
        assert_eq!(without("requires a && /* one */ /* two */ b\n", "b"), "requires a /* one */ /* two */\n");
    }
}
