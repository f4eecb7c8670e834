//! Programs that a front end generated: `@position("file", "line", "column")` says where its user wrote something.
//!
//! Answers then speak of those places. Nodes of one place are one, and nodes without a place are the encoding's own: they
//! transmit dependencies and are no answers.

use crate::kind::Assumption;
use crate::nodes::{Annotation, UserId};
use echis_base::{LineColumn, Name, Position};
use std::collections::{BTreeMap, BTreeSet};

/// The annotation that says where a front end's user wrote something.
const POSITION: &str = "position";

/// Which nodes stand for others in answers.
#[derive(Clone, Default, Debug)]
pub struct FrontEnd {
    /// Nodes at the place of another one, which stands for all of them.
    same: BTreeMap<UserId, UserId>,
    groups: BTreeMap<UserId, Vec<UserId>>,
    /// The encoding's own.
    hidden: BTreeSet<UserId>,
}

impl FrontEnd {
    /// From all nodes that are shown: as what they are assumed, and the place that the front end names, if it does.
    pub fn new<'a>(nodes: impl IntoIterator<Item = (UserId, Option<Assumption>, Option<&'a Position>)>) -> Self {
        let mut places: BTreeMap<_, Vec<(UserId, Option<Assumption>)>> = BTreeMap::new();
        let mut front_end = FrontEnd::default();
        for (user, assumption, position) in nodes {
            match position {
                Some(Position { file, start, end }) => {
                    let place = (file, start.line, start.column, end.line, end.column);
                    places.entry(place).or_default().push((user, assumption));
                }
                None => drop(front_end.hidden.insert(user)),
            }
        }
        if places.is_empty() {
            return FrontEnd::default();
        }
        for group in places.into_values() {
            // What is believed is the most that can be said of a place.
            let first = group.iter().min_by_key(|(user, assumption)| (assumption.is_none(), *assumption, *user));
            let Some(first) = first.map(|(user, _)| *user) else { continue };
            let users: Vec<UserId> = group.into_iter().map(|(user, _)| user).collect();
            front_end.same.extend(users.iter().filter(|user| **user != first).map(|user| (*user, first)));
            front_end.groups.insert(first, users);
        }
        front_end
    }
    /// The node that answers for one, if any does.
    pub fn shown(&self, user: UserId) -> Option<UserId> {
        if self.hidden.contains(&user) { None } else { Some(self.same.get(&user).copied().unwrap_or(user)) }
    }
    /// All nodes of a node's place.
    pub fn group(&self, user: UserId) -> Vec<UserId> {
        let first = self.same.get(&user).copied().unwrap_or(user);
        self.groups.get(&first).cloned().unwrap_or_else(|| vec![user])
    }
}

/// The place that annotations name, with optional end line and column.
pub fn position(annotations: &[Annotation]) -> Option<Position> {
    let args = &annotations.iter().find(|found| is_position(&found.name, &found.args))?.args;
    let number = |index: usize| args.get(index).and_then(|text| text.parse::<u32>().ok());
    let start = LineColumn { line: number(1)?, column: number(2).unwrap_or(1) };
    let end = match (number(3), number(4)) {
        (Some(line), Some(column)) => LineColumn { line, column },
        _ => start,
    };
    Some(Position { file: args.first()?.clone(), start, end })
}

pub fn is_position(name: &str, args: &[Name]) -> bool {
    name == POSITION && args.get(1).is_some_and(|line| line.parse::<u32>().is_ok())
}

/// The text of a node without the annotations before it.
pub fn without_annotations(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(after) = rest.strip_prefix('@') {
        let after = after.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '.').trim_start();
        let Some(end) = after.starts_with('(').then(|| closing(after)).flatten() else { return rest };
        match after[end..].trim_start() {
            // There is something that is annotated.
            "" => return rest,
            annotated => rest = annotated,
        }
        // Parentheses around what is annotated are not its own.
        let inside = rest.trim_end();
        if inside.starts_with('(') && closing(inside) == Some(inside.len()) {
            rest = inside[1..inside.len() - 1].trim();
        }
    }
    rest
}

/// Where the arguments of an annotation end: behind the parenthesis that closes the first one. Strings may hold others.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quoted) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_no_part_of_a_text() {
        assert_eq!(without_annotations("@position(\"a.go\", \"1\") x := 1"), "x := 1");
        assert_eq!(without_annotations("@a(\")\")  @b.c() assert @d()(x)"), "assert @d()(x)");
        assert_eq!(without_annotations("@a()((x) && (y))"), "(x) && (y)");
        assert_eq!(without_annotations("(x)"), "(x)");
        assert_eq!(without_annotations("x@y"), "x@y");
        assert_eq!(without_annotations("@open(\"a\""), "@open(\"a\"");
        assert_eq!(without_annotations("@alone()"), "@alone()");
    }

    #[test]
    fn a_place_has_a_file_and_a_line_at_least() {
        let annotation = |args: &[&str]| Annotation {
            on: echis_base::Key::new(0),
            name: "position".into(),
            args: args.iter().map(|arg| Name::from(*arg)).collect(),
        };
        let at = |args: &[&str]| position(&[annotation(args)]).map(|found| (found.start.line, found.start.column));
        assert_eq!(at(&["a.go", "4", "2"]), Some((4, 2)));
        assert_eq!(at(&["a.go", "4"]), Some((4, 1)));
        assert_eq!(at(&["a.go", "four"]), None);
        assert_eq!(at(&["a.go"]), None);
    }
}
