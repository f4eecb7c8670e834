//! Selects members: names in which `*` matches any text, as for `--member`.

use echis_base::{Name, similar};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Selects a member if an alternative matches its name. Clones share which names they met, so that an alternative
/// that selects nothing in a whole run can be reported.
#[derive(Clone, Debug)]
pub struct Pattern {
    alternatives: Arc<[Alternative]>,
    met: Arc<Mutex<Met>>,
}

#[derive(Debug)]
struct Alternative {
    text: String,
    /// The texts between its stars.
    parts: Vec<String>,
}

/// The names met so far, and the alternatives that matched.
#[derive(Default, Debug)]
struct Met {
    names: BTreeSet<Name>,
    matched: BTreeSet<usize>,
}

impl Pattern {
    /// Matches names against texts in which `*` matches any text.
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let parts = |text: &str| text.split('*').map(str::to_string).collect();
        Pattern::of(texts.into_iter().map(|text| Alternative { text: text.to_string(), parts: parts(text) }).collect())
    }

    /// Matches exactly these names.
    pub fn any_of<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let exact = |name: &str| Alternative { text: name.to_string(), parts: vec![name.to_string()] };
        Pattern::of(names.into_iter().map(exact).collect())
    }

    fn of(alternatives: Vec<Alternative>) -> Self {
        Pattern { alternatives: alternatives.into(), met: Arc::default() }
    }

    /// Whether a name matches.
    pub fn matches(&self, name: &str) -> bool {
        self.alternatives.iter().any(|alternative| matches(&alternative.parts, name))
    }

    /// Records the members of a program. Returns whether any of them is selected.
    pub fn meet<'a>(&self, names: impl IntoIterator<Item = &'a Name>) -> bool {
        let mut met = self.met();
        let mut selected = false;
        for name in names {
            for (index, alternative) in self.alternatives.iter().enumerate() {
                if matches(&alternative.parts, name) {
                    met.matched.insert(index);
                    selected = true;
                }
            }
            met.names.insert(name.clone());
        }
        selected
    }

    /// A message for each alternative that selected nothing.
    pub fn complaints(&self) -> Vec<String> {
        let met = self.met();
        let unmatched = self.alternatives.iter().enumerate().filter(|(index, _)| !met.matched.contains(index));
        unmatched.map(|(_, alternative)| complaint(&alternative.text, &met.names)).collect()
    }

    fn met(&self) -> MutexGuard<'_, Met> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Maximum number of names listed.
const MOST_NAMES: usize = 8;

fn complaint(text: &str, names: &BTreeSet<Name>) -> String {
    let all = text.split(',').map(str::trim);
    let hint = if text.contains(',') && all.clone().all(|part| names.contains(part)) {
        let each: Vec<String> = all.map(|part| format!("--member {part}")).collect();
        format!("; to select several, write {}", each.join(" "))
    } else if let Some(name) = similar(text, names.iter().map(|name| &**name)) {
        format!("; did you mean `{name}`?")
    } else if names.is_empty() {
        "; there are none".to_string()
    } else {
        let listed: Vec<&str> = names.iter().take(MOST_NAMES).map(|name| &**name).collect();
        let more = names.len() - listed.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("; there are {}{more}", listed.join(", "))
    };
    format!("no function, predicate or method matches --member `{text}`{hint}")
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
            assert_eq!(Pattern::new([pattern]).matches(name), expected, "{pattern} {name}");
        }
        assert!(Pattern::new(["a*b*c"]).matches("aXbYc"));
        assert!(!Pattern::new(["ab*b"]).matches("ab"));
        assert!(!Pattern::new(["a*b*c"]).matches("acb"));
        assert!(Pattern::new(["x", "a"]).matches("a"));
    }

    #[test]
    fn what_selects_nothing_is_told_with_what_was_meant() {
        let names: Vec<Name> = ["insert", "remove"].map(Name::from).to_vec();
        let pattern = Pattern::new(["insert", "remvoe", "insert,remove", "", "z*"]);
        assert!(pattern.clone().meet(&names));
        let complaints = pattern.complaints();
        let ends = ["did you mean `remove`?", "write --member insert --member remove", "`; there are insert, remove"];
        assert_eq!(complaints.len(), 4);
        assert!(complaints.iter().zip(ends).all(|(text, end)| text.ends_with(end)), "{complaints:?}");
    }
}
