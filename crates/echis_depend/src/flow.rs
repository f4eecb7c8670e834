//! Where permission comes from and where it goes: what gives it, what takes a part or all of it away, where what several
//! gave is put together.
//!
//! An event is something that a node does with permission, on whatever path. Writing to a location and moving permission
//! into a proof script leave it what it was, and are no events.

use crate::blame::Facts;
use crate::kind::Construct;
use crate::nodes::UserId;
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
    /// The field or predicate, `--*` for wands.
    pub resource: Name,
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
    pub fn is_taking(self) -> bool {
        matches!(self, EventKind::Split | EventKind::GivenAway)
    }
    pub fn parse(text: &str) -> Option<Self> {
        EventKind::ALL.into_iter().find(|kind| kind.name() == text)
    }
}

type Key = (EventKind, UserId, Option<UserId>, Name);

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
        if kind.is_taking() && by.as_ref().is_some_and(writes) {
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
        }
    }
    fn event(
        &mut self,
        kind: EventKind,
        by: UserId,
        clause: Option<UserId>,
        resource: Name,
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
