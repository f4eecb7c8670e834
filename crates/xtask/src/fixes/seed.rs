//! Programs with one mistake each, made by removing something from a program that verifies.

/// A program that verifies, and the mistake to seed.
pub struct Mistake<'a> {
    pub program: &'a str,
    pub original: &'a str,
    pub seed: &'a Seeded,
}

/// The kind of the removed text.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    #[default]
    Unfold,
    Fold,
    Unfolding,
    Invariant,
    Permission,
    Precondition,
    Postcondition,
    Trigger,
    Measure,
    Assertion,
    Apply,
    Call,
}

const KINDS: [Kind; 12] = [
    Kind::Unfold,
    Kind::Fold,
    Kind::Unfolding,
    Kind::Invariant,
    Kind::Permission,
    Kind::Precondition,
    Kind::Postcondition,
    Kind::Trigger,
    Kind::Measure,
    Kind::Assertion,
    Kind::Apply,
    Kind::Call,
];

/// Statements that are removed completely.
const STATEMENTS: [(&str, Kind); 5] = [
    ("unfold ", Kind::Unfold),
    ("fold ", Kind::Fold),
    ("decreases ", Kind::Measure),
    ("assert ", Kind::Assertion),
    ("apply ", Kind::Apply),
];

impl Kind {
    pub fn named(name: &str) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.name() == name)
    }
    pub fn name(self) -> &'static str {
        match self {
            Kind::Unfold => "unfold",
            Kind::Fold => "fold",
            Kind::Unfolding => "unfolding",
            Kind::Invariant => "invariant",
            Kind::Permission => "permission",
            Kind::Precondition => "precondition",
            Kind::Postcondition => "postcondition",
            Kind::Trigger => "trigger",
            Kind::Measure => "measure",
            Kind::Assertion => "assertion",
            Kind::Apply => "apply",
            Kind::Call => "call",
        }
    }
}

/// A program with something removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seeded {
    pub kind: Kind,
    /// Whether it was removed from a precondition.
    pub precondition: bool,
    pub text: String,
    /// The position of the removed text, in bytes.
    pub start: usize,
    /// The line of the removed text, counted from 1.
    pub line: usize,
}

/// All mistakes that can be seeded in a text, in order.
pub fn seeds(text: &str) -> Vec<Seeded> {
    let mut found = Vec::new();
    let (predicates, methods) = (predicates(text), lemmas(text));
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let (code, line_number) = (line.split("//").next().unwrap_or(line), index + 1);
        let mut add = |kind: Kind, precondition: bool, from: usize, to: usize, new: &str| {
            let text = format!("{}{new}{}", &text[..start + from], &text[start + to..]);
            found.push(Seeded { kind, precondition, text, start: start + from, line: line_number });
        };
        let indent = code.len() - code.trim_start().len();
        let trimmed = code.trim();
        let end = indent + trimmed.len();
        for (word, kind) in STATEMENTS {
            if trimmed.starts_with(word) && !trimmed.contains(['{', '}']) && is_balanced(trimmed) {
                add(kind, false, indent, end, "");
            }
        }
        // The call of a method without a used result: a lemma, or a call for its effect.
        if trimmed.ends_with(')') && is_balanced(trimmed) && methods.iter().any(|name| is_call(trimmed, name)) {
            add(Kind::Call, false, indent, end, "");
        }
        for word in ["requires ", "ensures ", "invariant "] {
            let Some(rest) = trimmed.strip_prefix(word) else { continue };
            if !is_balanced(rest) || rest.ends_with("&&") || rest.ends_with("==>") {
                continue;
            }
            let from = end - rest.len();
            let parts = conjuncts(rest);
            for (at, part) in &parts {
                let is_impure = part.contains("acc(") || part.contains("--*") || applies(part, &predicates);
                let kind = match (word, is_impure) {
                    (_, true) => Kind::Permission,
                    ("requires ", false) => Kind::Precondition,
                    ("invariant ", false) => Kind::Invariant,
                    _ => Kind::Postcondition,
                };
                let precondition = word == "requires ";
                match (parts.len(), *at) {
                    (1, _) => add(kind, precondition, indent, end, ""),
                    (_, 0) => {
                        let next = parts[1].0;
                        add(kind, precondition, from, from + next, "");
                    }
                    (_, at) => {
                        let before = rest[..at].trim_end().trim_end_matches("&&").trim_end().len();
                        add(kind, precondition, from + before, from + at + part.len(), "");
                    }
                }
            }
        }
        if let Some(at) = code.find("unfolding ")
            && let Some(length) = code[at..].find(" in ")
        {
            add(Kind::Unfolding, false, at, at + length + 4, "");
        }
        if code.contains("forall ")
            && let Some(at) = code.find(":: {")
            && let Some(length) = code[at..].find('}')
        {
            add(Kind::Trigger, false, at + 3, at + length + 1, "");
        }
        start += line.len();
    }
    found
}

/// The names of methods without results and permissions: they are called for their postconditions.
fn lemmas(text: &str) -> Vec<&str> {
    let is_lemma = |part: &&str| {
        let header = part.split('{').next().unwrap_or_default();
        header.contains("ensures") && !header.contains("returns") && !header.contains("acc(")
    };
    text.split("method ").skip(1).filter(is_lemma).filter_map(|part| part.split('(').next()).map(str::trim).collect()
}

fn is_call(statement: &str, name: &str) -> bool {
    !name.is_empty() && statement.strip_prefix(name).is_some_and(|rest| rest.starts_with('('))
}

/// The names of a program's predicates.
pub fn predicates(text: &str) -> Vec<&str> {
    let declared = text.lines().filter_map(|line| line.trim().strip_prefix("predicate "));
    declared.filter_map(|rest| rest.split('(').next()).map(str::trim).collect()
}

fn applies(text: &str, names: &[&str]) -> bool {
    names.iter().any(|name| {
        text.match_indices(&format!("{name}("))
            .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0i32;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// The conjuncts of a clause with their positions; quantifiers and implications are not split.
fn conjuncts(clause: &str) -> Vec<(usize, &str)> {
    let mut depth = 0i32;
    let mut starts = vec![0];
    for (at, c) in clause.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '&' if depth == 0 && clause[at..].starts_with("&&") => starts.push(at + 2),
            _ if depth == 0
                && ["==>", "?", "||", "forall ", "let ", "--*"].iter().any(|word| clause[at..].starts_with(word)) =>
            {
                return vec![(0, clause.trim_end())];
            }
            _ => {}
        }
    }
    let ends = starts.iter().skip(1).map(|start| start - 2).chain([clause.len()]);
    let part = |(start, end): (usize, usize)| {
        let text = &clause[start..end];
        (start + text.len() - text.trim_start().len(), text.trim())
    };
    starts.iter().copied().zip(ends).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeded(text: &str) -> Vec<(Kind, String)> {
        seeds(text).into_iter().map(|seed| (seed.kind, seed.text)).collect()
    }

    #[test]
    fn conjuncts_and_statements_are_taken_out() {
        let found = seeded("  requires acc(x.f) && x.f > 0 && b // why\n");
        assert_eq!(found.len(), 3);
        assert_eq!(found[0], (Kind::Permission, "  requires x.f > 0 && b // why\n".into()));
        assert_eq!(found[1], (Kind::Precondition, "  requires acc(x.f) && b // why\n".into()));
        assert_eq!(found[2], (Kind::Precondition, "  requires acc(x.f) && x.f > 0 // why\n".into()));
        assert_eq!(seeded("  unfold list(x)\n  y := 1\n"), [(Kind::Unfold, "  \n  y := 1\n".to_string())]);
        assert_eq!(seeded("  invariant i <= n\n"), [(Kind::Invariant, "  \n".to_string())]);
    }

    #[test]
    fn calls_of_lemmas_are_taken_out() {
        let found =
            seeded("method lemma(n: Int) ensures n * n >= 0 { }\nmethod m()\n{\n  lemma(3)\n  assert 3 > 2\n}\n");
        assert_eq!(found.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), [Kind::Call, Kind::Assertion]);
    }

    #[test]
    fn implications_are_one_piece() {
        assert_eq!(seeded("  requires a ==> b && c\n").len(), 1);
        assert_eq!(seeded("{ unfolding list(x) in x.f }\n"), [(Kind::Unfolding, "{ x.f }\n".to_string())]);
    }

    #[test]
    fn clauses_over_several_lines_are_left_alone() {
        assert!(seeded("  requires a &&\n    b\n").is_empty());
    }
}
