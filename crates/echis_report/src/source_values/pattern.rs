//! Patterns of names: `l$*`, `{name}_CN{n}`.

use serde::Deserialize;
use std::collections::BTreeMap;

/// `*` matches any text, `{n}` digits, and any other word in braces a nonempty text, as short as possible.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "String")]
pub(super) struct Pattern(Vec<Part>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Text(String),
    Any,
    Digits(String),
    Word(String),
}

/// The texts matched by the words of a pattern.
pub(super) type Words = BTreeMap<String, String>;

impl From<String> for Pattern {
    fn from(text: String) -> Self {
        let mut parts = Vec::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['*', '{']) {
            if at > 0 {
                parts.push(Part::Text(rest[..at].to_string()));
            }
            let inside = rest[at..].strip_prefix('{').and_then(|inner| inner.split_once('}'));
            rest = match inside {
                Some((word, after)) => {
                    let word = word.to_string();
                    parts.push(if word == "n" { Part::Digits(word) } else { Part::Word(word) });
                    after
                }
                None if rest[at..].starts_with('*') => {
                    parts.push(Part::Any);
                    &rest[at + 1..]
                }
                None => {
                    parts.push(Part::Text("{".to_string()));
                    &rest[at + 1..]
                }
            };
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_string()));
        }
        Pattern(parts)
    }
}

impl Pattern {
    pub fn matches(&self, text: &str) -> bool {
        self.words(text).is_some()
    }
    pub fn words(&self, text: &str) -> Option<Words> {
        let mut words = Words::new();
        fits(&self.0, text, &mut words).then_some(words)
    }
}

/// Whether the parts match the whole text, recording the words.
fn fits(parts: &[Part], text: &str, words: &mut Words) -> bool {
    let Some((part, parts)) = parts.split_first() else { return text.is_empty() };
    let mut ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    match part {
        Part::Text(fixed) => text.strip_prefix(fixed.as_str()).is_some_and(|rest| fits(parts, rest, words)),
        Part::Any => ends.any(|end| fits(parts, &text[end..], words)),
        Part::Digits(name) | Part::Word(name) => {
            let is_digits = matches!(part, Part::Digits(_));
            ends.any(|end| {
                let (taken, rest) = text.split_at(end);
                let suits = !taken.is_empty() && (!is_digits || taken.bytes().all(|byte| byte.is_ascii_digit()));
                let fits = suits && fits(parts, rest, words);
                if fits {
                    words.insert(name.clone(), taken.to_string());
                }
                fits
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_as_short_as_possible() {
        let pattern = Pattern::from("{name}_CN{n}".to_string());
        let words = pattern.words("xs_V0_CN12").expect("it fits");
        assert_eq!((words["name"].as_str(), words["n"].as_str()), ("xs_V0", "12"));
        assert!(!pattern.matches("xs_V0_CN") && !pattern.matches("_CN1"));
    }

    #[test]
    fn a_star_is_any_text() {
        assert!(Pattern::from("*___*".to_string()).matches("int___eq__"));
        assert!(Pattern::from("$*".to_string()).matches("$"));
        assert!(!Pattern::from("l$*".to_string()).matches("$l"));
    }
}
