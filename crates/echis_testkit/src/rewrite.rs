//! Semantics-preserving rewrites of programs. They operate on text only, so that they share no bugs with the parser
//! that they help to test.

use std::collections::BTreeSet;

/// Keywords and names from built-in files, which are not renamed.
const RESERVED: &[&str] = &[
    "Bool",
    "Int",
    "Map",
    "Multiset",
    "Perm",
    "Ref",
    "Seq",
    "Set",
    "acc",
    "adt",
    "apply",
    "applying",
    "assert",
    "asserting",
    "assume",
    "axiom",
    "bounded",
    "contains",
    "decreases",
    "decreasing",
    "define",
    "derives",
    "domain",
    "else",
    "elseif",
    "ensures",
    "exhale",
    "exists",
    "false",
    "field",
    "fold",
    "forall",
    "forperm",
    "function",
    "goto",
    "if",
    "import",
    "in",
    "inhale",
    "interpretation",
    "intersection",
    "invariant",
    "label",
    "let",
    "lhs",
    "method",
    "new",
    "none",
    "null",
    "old",
    "opaque",
    "package",
    "perm",
    "predicate",
    "quasihavoc",
    "quasihavocall",
    "range",
    "refute",
    "requires",
    "result",
    "returns",
    "reveal",
    "setminus",
    "subset",
    "true",
    "unfold",
    "unfolding",
    "union",
    "unique",
    "var",
    "while",
    "wildcard",
    "without",
    "write",
    "SMTLIB",
    "Boogie",
    "WellFoundedOrder",
    "_",
];

/// Words that start a member at the beginning of a line.
const MEMBERS: &[&str] =
    &["field", "method", "function", "predicate", "domain", "adt", "define", "import", "@opaque", "//::"];

/// Renames every identifier. Discriminators `isC` are renamed along with their constructors.
pub fn rename(text: &str) -> String {
    let reserved: BTreeSet<&str> = RESERVED.iter().copied().collect();
    let mut renamed = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => 1 + rest[1..].find('"').map_or(rest.len() - 1, |end| end + 1),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '<' if renamed.ends_with("import ") => rest.find('>').map_or(rest.len(), |end| end + 1),
            _ if first.is_alphabetic() || first == '_' => word_length(rest),
            _ if first.is_ascii_digit() => rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        let is_name = (first.is_alphabetic() || first == '_') && !reserved.contains(token);
        renamed += &if is_name { new_name(token) } else { token.to_string() };
        rest = after;
    }
    renamed
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '\'')).unwrap_or(text.len())
}

fn new_name(name: &str) -> String {
    match name.strip_prefix("is").filter(|rest| rest.starts_with(char::is_uppercase)) {
        Some(constructor) => format!("is{}", new_name(constructor)),
        None => format!("z{}_9", name.chars().rev().collect::<String>()),
    }
}

/// Reverses the order of the members. A member starts at the beginning of a line, as in all programs of this
/// repository.
pub fn reverse_members(text: &str) -> String {
    let mut members: Vec<String> = vec![String::new()];
    let mut expects_member = false;
    for line in text.lines() {
        let begins = MEMBERS.iter().any(|word| line.starts_with(word));
        if begins && !expects_member {
            members.push(String::new());
        }
        // An annotation or expectation belongs to the member after it.
        expects_member = begins && (line.starts_with('@') || line.starts_with("//::"));
        let member = members.last_mut().expect("there is one from the start");
        member.push_str(line);
        member.push('\n');
    }
    members.reverse();
    members.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_and_words_stay() {
        let text = "import <adt/derives.vpr>\nmethod ab(x: Ref) // ab\n{ assert x.f == 10 && t.isLeaf }";
        let renamed =
            "import <adt/derives.vpr>\nmethod zba_9(zx_9: Ref) // ab\n{ assert zx_9.zf_9 == 10 && zt_9.iszfaeL_9 }";
        assert_eq!(rename(text), renamed);
    }

    #[test]
    fn members_change_places_with_what_belongs_to_them() {
        let text = "// top\nfield f: Int\n\n//:: ExpectedOutput(x)\nfunction g(): Int\n{\n  1\n}\n";
        let reversed = "//:: ExpectedOutput(x)\nfunction g(): Int\n{\n  1\n}\nfield f: Int\n\n// top\n";
        assert_eq!(reverse_members(text), reversed);
    }
}
