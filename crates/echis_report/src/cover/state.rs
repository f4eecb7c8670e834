//! The coverage state of source text: a class, with an explanation.

use echis_base::{FileId, LineColumn, Position, Span};
use echis_cover::Coverage;
use echis_depend::{Assumption, Construct, UserId, View, ViewNode};
use echis_findings::FileResult;
use std::collections::BTreeSet;

/// Class, mark, name and explanation of every state.
pub const KEY: [(&str, &str, &str, &str); 8] = [
    ("covered", "✓", "covered", "covered: some proof needs it, or it is asserted and proved"),
    ("partly", "◐", "partly covered", "partly covered: some proof needs it, but not all of its parts"),
    ("trusted", "!", "trusted", "trusted: assumed without proof, and some proof needs it"),
    (UNCOVERED, "○", "not covered", "not covered: no proof needs it"),
    ("trigger", "t", "trigger only", "trigger only: needed only to trigger a quantifier"),
    ("vacuous", "∅", "vacuous", "vacuous: proved from a contradiction"),
    ("dead", "×", "never reached", "never reached: the assumptions there are contradictory"),
    ("failed", "✗", "not proved", "not proved: there is an error"),
];

/// The class of unneeded nodes.
pub const UNCOVERED: &str = "uncovered";

pub struct States<'a> {
    coverage: &'a Coverage,
    /// The nodes that count as uncovered: goals that fail need nothing.
    uncovered: BTreeSet<UserId>,
    partly: BTreeSet<UserId>,
    vacuous: BTreeSet<Position>,
    dead: Vec<Position>,
}

impl<'a> States<'a> {
    pub fn new(file: &FileResult, coverage: &'a Coverage) -> Self {
        let partly = coverage.partly();
        let vacuous = coverage.vacuous.iter().map(|span| file.sources.position(*span)).collect();
        let dead = coverage.dead.iter().map(|span| file.sources.position(*span)).collect();
        let uncovered = coverage.members.iter().flat_map(|member| member.uncovered.iter().copied()).collect();
        States { coverage, uncovered, partly, vacuous, dead }
    }
    /// The class and the explanation of one character.
    pub fn at(&self, place: Span, node: Option<&ViewNode>) -> Option<(&'static str, &'static str)> {
        match node {
            Some(node) => Some(state(self.class(node, self.is_dead(place)))),
            None => self.is_dead(place).then(|| state("dead")),
        }
    }
    /// The class of a node as a whole.
    pub fn of_node(&self, node: &ViewNode) -> &'static str {
        let around = |dead: &Position| {
            dead.file == node.position.file && dead.start <= node.position.start && node.position.end <= dead.end
        };
        self.class(node, self.dead.iter().any(around))
    }
    fn class(&self, node: &ViewNode, is_dead: bool) -> &'static str {
        let needed = self.coverage.covered.contains(&node.id) && !self.uncovered.contains(&node.id);
        // A proved postcondition is covered, whether or not a caller relies on it.
        let is_proved = node.construct == Construct::Postcondition && node.assumption != Some(Assumption::Explicit);
        if node.failed {
            "failed"
        } else if self.vacuous.contains(&node.position) || node.vacuous && !node.dead {
            "vacuous"
        } else if is_dead || node.dead {
            "dead"
        } else if self.coverage.trigger_only.contains(&node.id) {
            "trigger"
        } else if self.partly.contains(&node.id) {
            "partly"
        } else if !needed && node.assumption.is_some() && !is_proved {
            UNCOVERED
        } else if needed && node.is_trusted() {
            "trusted"
        } else {
            "covered"
        }
    }
    fn is_dead(&self, place: Span) -> bool {
        self.coverage.dead.iter().any(|dead| dead.contains(place))
    }
    /// The mark of the most important state on a line. A line with a covered and an uncovered node is partly covered.
    pub fn line_mark(&self, main: FileId, start: usize, text: &str, nodes: &[Option<&ViewNode>]) -> &'static str {
        let mut ranks = BTreeSet::new();
        for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            let place = Span::new(main, (start + at) as u32, (start + at + c.len_utf8()) as u32);
            ranks.extend(self.at(place, nodes[at]).map(|(class, _)| rank(class)));
        }
        match (ranks.first(), ranks.last()) {
            (Some(least), Some(most)) if KEY[*most].0 == UNCOVERED && least < most => KEY[rank("partly")].1,
            (_, Some(most)) => KEY[*most].1,
            _ => " ",
        }
    }
}

fn rank(class: &str) -> usize {
    KEY.iter().position(|(name, ..)| *name == class).unwrap_or(0)
}

fn state(class: &'static str) -> (&'static str, &'static str) {
    (class, KEY[rank(class)].3)
}

/// For each byte of the source, the innermost node. Members that were not selected have none.
pub fn innermost<'a>(file: &FileResult, main: FileId, view: &'a View, length: usize) -> Vec<Option<&'a ViewNode>> {
    let source = file.sources.file(main);
    let mut nodes: Vec<(usize, usize, &ViewNode)> = Vec::new();
    let shown = |node: &&ViewNode| node.position.file == source.path && view.is_explained(node);
    for node in view.nodes.iter().filter(shown) {
        let offset = |at: LineColumn| {
            let (start, end) = source.line_range(at.line)?;
            let line = source.text.get(start as usize..end as usize)?;
            let column = line.char_indices().nth(at.column as usize - 1).map_or(line.len(), |(at, _)| at);
            Some(start as usize + column)
        };
        if let (Some(start), Some(end)) = (offset(node.position.start), offset(node.position.end)) {
            nodes.push((start, end.min(length), node));
        }
    }
    // Large ones first, so that small ones override them.
    nodes.sort_by_key(|(start, end, node)| (std::cmp::Reverse(end.saturating_sub(*start)), node.id));
    let mut owner = vec![None; length];
    for (start, end, node) in nodes {
        owner.get_mut(start..end).into_iter().flatten().for_each(|slot| *slot = Some(node));
    }
    owner
}
