//! Variants of a program with its members in another order, which changes the solver's input but not the meaning.

/// Up to `count` orders, each starting with another member. A program with one member has one.
pub fn rotated(text: &str, count: usize) -> Vec<String> {
    let members = members(text);
    let orders = count.min(members.len());
    let start = |order: usize| order * members.len() / orders.max(1);
    (0..orders).map(|order| [&members[start(order)..], &members[..start(order)]].concat().concat()).collect()
}

const KEYWORDS: [&str; 8] = ["field", "method", "function", "predicate", "domain", "adt", "define", "import"];

/// The text of each member, with preceding comments.
fn members(text: &str) -> Vec<&str> {
    let mut starts = Vec::new();
    let (mut depth, mut at, mut comment) = (0i32, 0, false);
    for line in text.split_inclusive('\n') {
        let word = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        if depth == 0 && !comment && KEYWORDS.contains(&word) {
            starts.push(at);
        }
        let code = line.split("//").next().unwrap_or("");
        comment = (comment || code.contains("/*")) && !code.contains("*/");
        depth += code.matches('{').count() as i32 - code.matches('}').count() as i32;
        at += line.len();
    }
    // Text before the first member belongs to it.
    if let Some(first) = starts.first_mut() {
        *first = 0;
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_text() {
        let text = "// first\nfield f: Int\nmethod m()\n  requires true\n{\n  assert true\n}\nmethod n()\n";
        let found = members(text);
        assert_eq!(found.len(), 3);
        assert_eq!(found.concat(), text);
        let orders = rotated(text, 5);
        assert_eq!(orders.len(), 3);
        assert!(orders[1].starts_with("method m()") && orders[1].ends_with("field f: Int\n"));
    }
}
