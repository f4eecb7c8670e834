//! Queries on the flow of permission: where it came from and where it went.

use crate::flow::{Event, EventKind};
use crate::kind::Construct;
use crate::nodes::UserId;
use crate::read::query::Queries;
use crate::via::Via;
use std::collections::BTreeSet;

impl Queries<'_> {
    /// The events related to permission that some nodes give, take or use, in node order: its origins and its later
    /// uses. Without nodes, the events of all members.
    pub fn flow(self, of: Option<&[UserId]>) -> Vec<usize> {
        let events = &self.graph.flow;
        let mut found: BTreeSet<usize> = match of {
            None => (0..events.len()).collect(),
            Some(of) => {
                let asked: BTreeSet<UserId> = of.iter().flat_map(|of| self.view.front_end.group(*of)).collect();
                self.connected(&asked)
            }
        };
        found.retain(|index| self.view.node(events[*index].by).is_some());
        let mut found: Vec<usize> = found.into_iter().collect();
        found.sort_by_key(|index| (events[*index].by, *index));
        found
    }
    fn connected(self, asked: &BTreeSet<UserId>) -> BTreeSet<usize> {
        let events = &self.graph.flow;
        let does = |event: &Event| asked.contains(&event.by) || event.clause.is_some_and(|by| asked.contains(&by));
        let mut start: Vec<usize> = (0..events.len()).filter(|index| does(&events[*index])).collect();
        if start.is_empty() {
            start = self.used_by(asked);
        }
        let mut found: BTreeSet<usize> = start.iter().copied().collect();
        let ways: [fn(Self, usize) -> Vec<usize>; 2] = [Self::before, Self::after];
        for next in ways {
            let mut pending = start.clone();
            while let Some(index) = pending.pop() {
                let near = next(self, index);
                pending.extend(near.into_iter().filter(|near| found.insert(*near)));
            }
        }
        found
    }
    /// The events that produced the permission that nodes only use.
    fn used_by(self, asked: &BTreeSet<UserId>) -> Vec<usize> {
        let needs = asked.iter().flat_map(|user| self.graph.direct_via(*user, |_| true));
        let givers: BTreeSet<UserId> =
            needs.filter(|(_, via)| *via == Via::Permission).map(|(giver, _)| giver).collect();
        let gives = |event: &Event| {
            let made = matches!(event.kind, EventKind::Created | EventKind::Joined);
            made && givers.contains(&event.by) && event.clause.is_none_or(|clause| givers.contains(&clause))
        };
        let events = self.graph.flow.iter().enumerate();
        events.filter(|(_, event)| gives(event)).map(|(index, _)| index).collect()
    }
    /// Whether a node gives permission in exchange for what it takes: a call, a fold, a loop.
    fn exchanges(self, by: UserId) -> bool {
        let construct = self.view.node(by).map(|node| node.construct);
        matches!(construct, Some(Construct::Call | Construct::Rewrite | Construct::Invariant))
    }
}

/// Neighbouring events.
impl Queries<'_> {
    /// The events that an event follows from.
    fn before(self, index: usize) -> Vec<usize> {
        let events = &self.graph.flow;
        let mut near: Vec<usize> = events[index].of.iter().copied().collect();
        if events[index].kind == EventKind::Created && self.exchanges(events[index].by) {
            let takes = |event: &Event| event.by == events[index].by && event.kind.is_taking();
            near.extend((0..events.len()).filter(|other| takes(&events[*other])));
        }
        near
    }
    /// The events that follow from it.
    fn after(self, index: usize) -> Vec<usize> {
        let events = &self.graph.flow;
        let mut near: Vec<usize> = (0..events.len()).filter(|other| events[*other].of.contains(&index)).collect();
        if events[index].kind.is_taking() && self.exchanges(events[index].by) {
            let gives = |event: &Event| event.by == events[index].by && event.kind == EventKind::Created;
            near.extend((0..events.len()).filter(|other| gives(&events[*other])));
        }
        near
    }
}
