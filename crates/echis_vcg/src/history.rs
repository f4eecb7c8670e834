//! How executions reach a goal: the effect of each block, and its predecessors.

use echis_base::SyntaxId;
use echis_boogie::ast::ExprId;
use echis_boogie::program::{ProcedureId, VarId};
use echis_proof::CheckId;
use echis_term::TermId;
use std::collections::BTreeMap;

#[derive(Default)]
pub struct History {
    blocks: BTreeMap<usize, Passed>,
    places: BTreeMap<CheckId, Seen>,
}

/// The events of a block.
#[derive(Default)]
struct Passed {
    /// The predecessors, each with the proposition that execution came from there.
    from: Vec<(usize, TermId)>,
    events: Vec<Event>,
}

#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub at: SyntaxId,
    pub what: What,
}

#[derive(Clone, Copy, Debug)]
pub enum What {
    Branch {
        condition: ExprId,
        negated: bool,
    },
    Assigned {
        var: VarId,
        value: TermId,
    },
    /// Made arbitrary at a loop head.
    Looped {
        var: VarId,
        value: TermId,
    },
    /// The head of a loop.
    Head,
    Called(ProcedureId),
}

/// The place where a goal is demanded.
#[derive(Clone, Default)]
pub struct Seen {
    pub(crate) block: usize,
    /// Number of earlier events in the block.
    events: usize,
    /// The current values of variables, and the entry values of modified globals.
    pub values: BTreeMap<VarId, TermId>,
    pub old: BTreeMap<VarId, TermId>,
}

impl History {
    pub(crate) fn enter(&mut self, block: usize, from: Vec<(usize, TermId)>) {
        self.blocks.entry(block).or_default().from = from;
    }
    pub(crate) fn note(&mut self, block: usize, at: SyntaxId, what: What) {
        self.blocks.entry(block).or_default().events.push(Event { at, what });
    }
    pub(crate) fn seen(&self, block: usize, values: BTreeMap<VarId, TermId>, old: BTreeMap<VarId, TermId>) -> Seen {
        let events = self.blocks.get(&block).map_or(0, |passed| passed.events.len());
        Seen { block, events, values, old }
    }
    pub(crate) fn place(&mut self, check: CheckId, seen: Seen) {
        self.places.insert(check, seen);
    }

    pub fn at(&self, check: CheckId) -> Option<&Seen> {
        self.places.get(&check)
    }
    /// All values assigned before a goal, in any block.
    pub fn told(&self, check: CheckId) -> Vec<TermId> {
        let Some(seen) = self.places.get(&check) else { return Vec::new() };
        let events =
            self.blocks.iter().filter(|(block, _)| **block <= seen.block).flat_map(|(_, passed)| &passed.events);
        let values = events.filter_map(|event| match event.what {
            What::Assigned { value, .. } | What::Looped { value, .. } => Some(value),
            _ => None,
        });
        values.collect()
    }
    /// The events before a goal, given which edges were taken.
    pub fn path(&self, check: CheckId, is_true: &dyn Fn(TermId) -> bool) -> Vec<Event> {
        let Some(seen) = self.places.get(&check) else { return Vec::new() };
        let mut parts: Vec<&[Event]> = Vec::new();
        let (mut block, mut events) = (seen.block, Some(seen.events));
        // Each block is visited once, because back edges are not recorded.
        while let Some(passed) = self.blocks.get(&block) {
            parts.push(&passed.events[..events.take().unwrap_or(passed.events.len())]);
            let Some((from, _)) = passed.from.iter().find(|(_, edge)| is_true(*edge)) else { break };
            block = *from;
        }
        parts.into_iter().rev().flatten().copied().collect()
    }
}
