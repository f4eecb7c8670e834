//! Quantifiers over a range of which a loop has looked at a part: the elements before a counter, or behind it.

use crate::text::{closed, renamed, words};

/// A quantifier with a range that starts and ends somewhere: `forall i: Int :: 0 <= i && i < n ==> s[i] > 0`.
struct Ranged<'t> {
    /// `forall i: Int ::`, with triggers.
    head: &'t str,
    variable: &'t str,
    start: &'t str,
    /// `i < n`, without its left side.
    end: &'t str,
    /// From the arrow on.
    body: &'t str,
}

/// The quantifiers in a text with each counter as the end and as the start of their ranges.
pub(crate) fn parts(text: &str, counters: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("forall ") {
        let (before, inside) = text.split_at(at);
        let (inside, behind) = inside.split_at(closed(inside).unwrap_or(inside.len()));
        let Some(Ranged { head, variable, start, end, body }) = read(inside) else { continue };
        for counter in counters.iter().filter(|counter| **counter != variable) {
            found.push(format!("{before}{head} {start} <= {variable} && {variable} < {counter} {body}{behind}"));
            found.push(format!("{before}{head} {counter} <= {variable} && {variable} {end} {body}{behind}"));
        }
    }
    found
}

fn read(text: &str) -> Option<Ranged<'_>> {
    let (declared, rest) = text.split_once("::")?;
    let variable = declared.strip_prefix("forall ")?.split_once(": Int")?.0.trim();
    if declared.contains(',') || words(variable).count() != 1 {
        return None;
    }
    let trigger = rest.rfind('}').map_or(0, |at| at + 1);
    let head = text[..declared.len() + 2 + trigger].trim();
    let (range, _) = rest[trigger..].split_once("==>")?;
    let body = &rest[trigger + range.len()..];
    let (first, second) = range.split_once("&&").filter(|(_, second)| !second.contains("&&"))?;
    let start = first.trim().strip_suffix(variable)?.trim_end().strip_suffix("<=")?.trim();
    let end = second.trim().strip_prefix(variable)?.trim();
    let is_fixed = renamed(start, variable, "") == start && end.starts_with('<');
    is_fixed.then_some(Ranged { head, variable, start, end, body: body.trim() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_divided() {
        let text = "at == -1 ==> (forall i: Int :: {s[i]} 0 <= i && i < |s| ==> s[i] != key)";
        assert_eq!(
            parts(text, &["low"]),
            [
                "at == -1 ==> (forall i: Int :: {s[i]} 0 <= i && i < low ==> s[i] != key)",
                "at == -1 ==> (forall i: Int :: {s[i]} low <= i && i < |s| ==> s[i] != key)",
            ]
        );
        assert_eq!(parts("forall i: Int, j: Int :: 0 <= i && i < j ==> s[i] <= s[j]", &["low"]), Vec::<String>::new());
        assert_eq!(parts("forall r: Ref :: r in s ==> r != null", &["low"]), Vec::<String>::new());
    }
}
