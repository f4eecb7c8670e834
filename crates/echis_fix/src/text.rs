//! Names, locations and parentheses in source text.

/// The location without `acc`: `P(x)` for `acc(P(x), 1/2)`.
pub(crate) fn bare(location: &str) -> &str {
    let Some(inner) = location.strip_prefix("acc(").and_then(|rest| rest.strip_suffix(')')) else { return location };
    let mut depth = 0usize;
    for (at, c) in inner.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return inner[..at].trim(),
            _ => {}
        }
    }
    inner.trim()
}

/// The text without surrounding parentheses.
pub(crate) fn unwrapped(text: &str) -> &str {
    let inner = text.strip_prefix('(').filter(|rest| closed(rest).is_some_and(|end| end + 1 == rest.len()));
    inner.map_or(text, |inner| inner[..inner.len() - 1].trim())
}

/// The text without leading annotations: `P(x)` for `@mark("it") P(x)`.
pub(crate) fn unannotated(text: &str) -> &str {
    let Some(rest) = text.strip_prefix('@') else { return text };
    let Some(open) = rest.find('(') else { return text };
    let mut depth = 0usize;
    for (at, c) in rest[open..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return unannotated(rest[open + at + 1..].trim_start());
        }
    }
    text
}

/// The indentation of the line at an offset.
pub(crate) fn indent(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[line..at];
    &rest[..rest.len() - rest.trim_start().len()]
}

pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text without parentheses around single words: `(high) * 2` becomes `high * 2`. Those of applications are kept.
pub(crate) fn without_parentheses(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let (mut new, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('(') {
        new += &rest[..at];
        rest = &rest[at..];
        let word = rest[1..].find(')').map(|end| &rest[1..=end]);
        match word.filter(|word| !word.is_empty() && word.chars().all(is_part) && !new.ends_with(is_part)) {
            Some(word) => {
                new += word;
                rest = &rest[word.len() + 2..];
            }
            None => {
                new.push('(');
                rest = &rest[1..];
            }
        }
    }
    new + rest
}

/// The names and numbers in a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).filter(|word| !word.is_empty())
}

/// The text with a name replaced.
pub(crate) fn renamed(text: &str, from: &str, to: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let (mut new, mut rest) = (String::new(), text);
    // The empty name never occurs.
    while let Some(at) = rest.find(from).filter(|_| !from.is_empty()) {
        let (before, behind) = (&rest[..at], &rest[at + from.len()..]);
        new += before;
        let whole = !new.ends_with(is_part) && !new.ends_with('.') && !behind.starts_with(is_part);
        new += if whole { to } else { from };
        rest = behind;
    }
    new + rest
}

/// The position of the parenthesis that closes one opened before the text.
pub(crate) fn closed(text: &str) -> Option<usize> {
    let mut depth = 1usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The arguments after an opening parenthesis.
pub(crate) fn arguments(text: &str) -> Option<Vec<String>> {
    let (mut depth, mut start, mut found) = (0usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => {
                found.push(text[start..at].trim().to_string());
                return Some(found.into_iter().filter(|arg| !arg.is_empty()).collect());
            }
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                found.push(text[start..at].trim().to_string());
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// The text as an operand: in parentheses, unless it is a name, a path or an application.
pub(crate) fn parenthesized(text: &str) -> String {
    let is_path = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'));
    let is_one = is_path || words(text).count() == 1 || text.ends_with([')', ']']) && !text.contains(' ');
    if is_one { text.to_string() } else { format!("({text})") }
}

/// The text as the left side of an implication: in parentheses, if it is an implication or a conditional expression.
pub(crate) fn guard(text: &str) -> String {
    if text.contains("==>") || text.contains(" ? ") { format!("({text})") } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_read() {
        assert_eq!(bare("acc(P(x, y), 1/2)"), "P(x, y)");
        assert_eq!(bare("acc(x.f)"), "x.f");
        assert_eq!(bare("f(x).g"), "f(x).g");
        assert_eq!((unwrapped("(P(x))"), unwrapped("(a) + (b)")), ("P(x)", "(a) + (b)"));
        assert_eq!(unannotated("@a(\"b\") @c() P(x)"), "P(x)");
    }

    #[test]
    fn words_need_no_parentheses() {
        assert_eq!(without_parentheses("n < (high) * (high + 1) && f(n)"), "n < high * (high + 1) && f(n)");
    }

    #[test]
    fn names_are_replaced_as_a_whole() {
        assert_eq!(renamed("n + nn + x.n", "n", "i"), "i + nn + x.n");
        assert_eq!(renamed("n", "", "i"), "n");
    }

    #[test]
    fn arguments_end_with_the_parenthesis() {
        assert_eq!(arguments("a + g(b, c), s[i..]) == 3"), Some(vec!["a + g(b, c)".to_string(), "s[i..]".to_string()]));
        assert_eq!(arguments(") + 1"), Some(Vec::new()));
        assert_eq!(arguments("a, b"), None);
    }
}
