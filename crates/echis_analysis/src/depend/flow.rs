//! Where permission comes from and where it goes: what gives it, what takes a part or all of it away, where what several
//! gave is put together.
//!
//! An event is something that a node does with permission, on whatever path. Writing to a location and moving permission
//! into a proof script leave it what it was, and are no events.

use crate::depend::blame::Facts;
use crate::depend::kind::Construct;
use crate::depend::nodes::UserId;
use crate::depend::query::Queries;
use crate::depend::via::Via;
use echis_base::Name;
use echis_proof::{Because, Move, Moved, NodeId, Premise, Rule, Step};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Something that happens to permission.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub kind: EventKind,
    /// Who does it.
    pub by: UserId,
    /// The clause of a contract that says so, where that is another node: what a callee demands or promises.
    pub clause: Option<UserId>,
    /// The field or predicate, where that is known.
    pub resource: Option<Name>,
    /// The events that it takes from or puts together, in the list of events.
    pub of: BTreeSet<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EventKind {
    Created,
    /// A part goes.
    Split,
    /// All that is left goes.
    GivenAway,
    /// What came from several is put together, since it is about one location.
    Joined,
}

impl EventKind {
    pub const ALL: [EventKind; 4] = [EventKind::Created, EventKind::Split, EventKind::GivenAway, EventKind::Joined];

    pub fn name(self) -> &'static str {
        match self {
            EventKind::Created => "created",
            EventKind::Split => "split",
            EventKind::GivenAway => "given_away",
            EventKind::Joined => "joined",
        }
    }
    pub fn parse(text: &str) -> Option<Self> {
        EventKind::ALL.into_iter().find(|kind| kind.name() == text)
    }
}

type Key = (EventKind, UserId, Option<UserId>, Option<Name>);

/// The events of one member, in the order in which paths first come to them.
#[derive(Default)]
struct Events {
    all: Vec<Event>,
    known: BTreeMap<Key, usize>,
    /// By grant, what made the permission that it grants.
    made: HashMap<NodeId, BTreeSet<usize>>,
}

impl Facts<'_> {
    pub(super) fn flow(&self) -> Vec<Event> {
        let mut events = Events::default();
        for moved in &self.tree.moves {
            if self.first_dead(moved.at).is_none() {
                events.add(self, moved);
            }
        }
        events.all
    }
}

impl Events {
    fn add(&mut self, facts: &Facts, moved: &Moved) {
        let origin = facts.tree.origins[moved.origin];
        let by = facts.responsible(origin);
        let clause = facts.users(origin).into_iter().find(|user| Some(*user) != by);
        let step = &facts.tree.nodes[moved.grant].step;
        let rule = match step {
            Step::Assume { because: Because::Rule(rule), .. } => Some(*rule),
            _ => None,
        };
        let (kind, of) = match (moved.what, rule) {
            (Move::Taken, _) => (EventKind::Split, self.behind(facts, moved.grant)),
            (Move::TakenAll, _) => (EventKind::GivenAway, self.behind(facts, moved.grant)),
            (Move::Granted, Some(Rule::Merge)) => (EventKind::Joined, self.premises(facts, moved.grant)),
            // The same permission in another place.
            (Move::Granted, Some(_)) => {
                let of = self.premises(facts, moved.grant);
                self.made.insert(moved.grant, of);
                return;
            }
            (Move::Granted, None) => (EventKind::Created, BTreeSet::new()),
        };
        // What is written stays where it was.
        let writes = |by: &UserId| matches!(facts.nodes.all[*by].construct, Construct::Assignment | Construct::Havoc);
        if is_taking(kind) && by.as_ref().is_some_and(writes) {
            return;
        }
        let Some(by) = by else {
            if moved.what == Move::Granted {
                self.made.insert(moved.grant, of);
            }
            return;
        };
        let index = self.event(kind, by, clause, moved.resource.clone(), of);
        if moved.what == Move::Granted {
            self.made.insert(moved.grant, BTreeSet::from([index]));
        } else if let Some(resource) = &moved.resource {
            // What is taken tells what was given.
            let of = self.all[index].of.clone();
            for index in of {
                self.all[index].resource.get_or_insert_with(|| resource.clone());
            }
        }
    }
    fn event(
        &mut self,
        kind: EventKind,
        by: UserId,
        clause: Option<UserId>,
        resource: Option<Name>,
        of: BTreeSet<usize>,
    ) -> usize {
        let next = self.all.len();
        let index = *self.known.entry((kind, by, clause, resource.clone())).or_insert(next);
        match self.all.get_mut(index) {
            Some(event) => event.of.extend(of.into_iter().filter(|of| *of != index)),
            None => self.all.push(Event { kind, by, clause, resource, of }),
        }
        index
    }
    fn behind(&self, facts: &Facts, grant: NodeId) -> BTreeSet<usize> {
        match self.made.get(&grant).or_else(|| self.made.get(&facts.source(grant))) {
            Some(made) => made.clone(),
            None => self.premises(facts, grant),
        }
    }
    fn premises(&self, facts: &Facts, grant: NodeId) -> BTreeSet<usize> {
        let grants = facts.premises(grant).iter().filter_map(|premise| match premise {
            Premise::Fact(node) => self.made.get(node).or_else(|| self.made.get(&facts.source(*node))),
            Premise::Check(_) => None,
        });
        grants.flatten().copied().collect()
    }
}

impl Queries<'_> {
    /// The events that have to do with permission that some nodes give, take or use, in the order of nodes: where it came
    /// from, and what became of it. Of all members if no node is asked about.
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
        let ways: [fn(Queries<'_>, usize) -> Vec<usize>; 2] = [Events::before, Events::after];
        for next in ways {
            let mut pending = start.clone();
            while let Some(index) = pending.pop() {
                let near = next(self, index);
                pending.extend(near.into_iter().filter(|near| found.insert(*near)));
            }
        }
        found
    }
    /// What made the permission that nodes only use.
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
    /// Whether a node gives what it gives for what it takes: a call, a fold, a loop.
    fn exchanges(self, by: UserId) -> bool {
        let construct = self.view.node(by).map(|node| node.construct);
        matches!(construct, Some(Construct::Call | Construct::Rewrite | Construct::Invariant))
    }
}

impl Events {
    /// What an event comes from.
    fn before(queries: Queries<'_>, index: usize) -> Vec<usize> {
        let events = &queries.graph.flow;
        let mut near: Vec<usize> = events[index].of.iter().copied().collect();
        if events[index].kind == EventKind::Created && queries.exchanges(events[index].by) {
            let takes = |event: &Event| event.by == events[index].by && is_taking(event.kind);
            near.extend((0..events.len()).filter(|other| takes(&events[*other])));
        }
        near
    }
    /// What comes of it.
    fn after(queries: Queries<'_>, index: usize) -> Vec<usize> {
        let events = &queries.graph.flow;
        let mut near: Vec<usize> = (0..events.len()).filter(|other| events[*other].of.contains(&index)).collect();
        if is_taking(events[index].kind) && queries.exchanges(events[index].by) {
            let gives = |event: &Event| event.by == events[index].by && event.kind == EventKind::Created;
            near.extend((0..events.len()).filter(|other| gives(&events[*other])));
        }
        near
    }
}

fn is_taking(kind: EventKind) -> bool {
    matches!(kind, EventKind::Split | EventKind::GivenAway)
}
