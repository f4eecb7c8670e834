//! Names with `*` for any text, as `--member` takes them.

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// Each one as the texts between its stars.
    alternatives: Vec<Vec<String>>,
}

impl Pattern {
    pub fn new(text: &str) -> Self {
        Pattern { alternatives: vec![text.split('*').map(str::to_string).collect()] }
    }

    /// Exactly these names.
    pub fn any_of<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Pattern { alternatives: names.into_iter().map(|name| vec![name.to_string()]).collect() }
    }

    pub fn matches(&self, name: &str) -> bool {
        self.alternatives.iter().any(|parts| matches(parts, name))
    }
}

fn matches(parts: &[String], name: &str) -> bool {
    let [first, inner @ .., last] = parts else { return parts.first().is_some_and(|part| part == name) };
    let Some(mut rest) = name.strip_prefix(&**first) else { return false };
    for part in inner {
        match rest.find(&**part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(&**last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        let cases = [("a", "a", true), ("a", "ab", false), ("a*", "ab", true), ("*b", "ab", true), ("*", "", true)];
        for (pattern, name, expected) in cases {
            assert_eq!(Pattern::new(pattern).matches(name), expected, "{pattern} {name}");
        }
        assert!(Pattern::new("a*b*c").matches("aXbYc"));
        assert!(!Pattern::new("ab*b").matches("ab"));
        assert!(!Pattern::new("a*b*c").matches("acb"));
    }
}
