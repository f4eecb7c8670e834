//! The flow of permission: which nodes grant it, which remove part or all of it, and where permission from several
//! grants is merged.
//!
//! An event is something a node does to permission, on any path. Writing to a location and moving permission into a
//! proof script leave permission unchanged, and are not events.

use crate::blame::Facts;
use crate::kind::Construct;
use crate::nodes::UserId;
use echis_base::Name;
use echis_proof::{Because, Move, Moved, NodeId, Premise, Rule, Step};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An event in the flow of permission.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub kind: EventKind,
    /// The node that causes it.
    pub by: UserId,
    /// The contract clause responsible, if it is another node: a callee's precondition or postcondition.
    pub clause: Option<UserId>,
    /// The field or predicate, `--*` for wands.
    pub resource: Name,
    /// The events whose permission it takes or merges, as indices into the list of events.
    pub of: BTreeSet<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EventKind {
    Created,
    /// Part of the permission is removed.
    Split,
    /// All remaining permission is removed.
    GivenAway,
    /// Permission to one location from several events is merged.
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

/// The events of one member, in the order in which paths first reach them.
#[derive(Default)]
struct Events {
    all: Vec<Event>,
    known: BTreeMap<Key, usize>,
    /// For each grant, the events that produced the permission.
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
            // Moves the same permission elsewhere.
            (Move::Granted, Some(_)) => {
                let of = self.premises(facts, moved.grant);
                self.made.insert(moved.grant, of);
                return;
            }
            (Move::Granted, None) => (EventKind::Created, BTreeSet::new()),
        };
        // A write leaves permission where it was.
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
