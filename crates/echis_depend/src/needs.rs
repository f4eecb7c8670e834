//! What the proofs of one member need: node by node, and fact by fact.

use crate::flow::Event;
use crate::nodes::UserId;
use crate::via::Via;
use std::collections::{BTreeMap, BTreeSet};

/// What something needs, and how.
pub type Needs = BTreeMap<UserId, Via>;

/// What some proof needs is needed, whatever else needs it.
pub fn add<T: Ord>(needs: &mut BTreeMap<T, Via>, needed: T, via: Via) {
    needs.entry(needed).and_modify(|known| *known = (*known).min(via)).or_insert(via);
}

/// What one member's proofs need.
#[derive(Clone, Default, Debug)]
pub struct MemberNeeds {
    /// For each node that demands something here, what that takes. The flag: only because something cannot be reached.
    pub needs: BTreeMap<UserId, BTreeMap<UserId, Via>>,
    /// Nodes that demand something that could not be proved.
    pub failed: BTreeSet<UserId>,
    /// Nodes all of whose proofs are vacuous: the facts contradict each other.
    pub vacuous: BTreeSet<UserId>,
    /// Nodes that no execution reaches.
    pub dead: BTreeSet<UserId>,
    /// Assumptions that some proof here cannot do without, as far as was asked: only for coverage.
    pub indispensable: BTreeSet<UserId>,
    /// Nodes whose needs may be larger than they have to be.
    pub coarse: BTreeMap<UserId, Coarse>,
    /// The needs fact by fact, if requested.
    pub fact_graph: Option<FactGraph>,
    /// How permission moves.
    pub flow: Vec<Event>,
    pub statistics: WorkCounts,
}

impl MemberNeeds {
    /// The needs with other names for nodes. `None`: a node has no other name, or needs are told fact by fact, where nodes
    /// are not all there is to rename.
    pub fn renamed(&self, name: impl Fn(UserId) -> Option<UserId>) -> Option<Self> {
        if self.fact_graph.is_some() {
            return None;
        }
        let all = |users: &BTreeSet<UserId>| users.iter().map(|user| name(*user)).collect::<Option<BTreeSet<_>>>();
        let needed = |needs: &BTreeMap<UserId, Via>| {
            needs.iter().map(|(user, via)| Some((name(*user)?, *via))).collect::<Option<BTreeMap<_, _>>>()
        };
        let event = |event: &Event| {
            let clause = match event.clause {
                Some(clause) => Some(name(clause)?),
                None => None,
            };
            Some(Event { by: name(event.by)?, clause, ..event.clone() })
        };
        Some(MemberNeeds {
            needs: self.needs.iter().map(|(of, on)| Some((name(*of)?, needed(on)?))).collect::<Option<_>>()?,
            failed: all(&self.failed)?,
            vacuous: all(&self.vacuous)?,
            dead: all(&self.dead)?,
            indispensable: all(&self.indispensable)?,
            coarse: self.coarse.iter().map(|(user, why)| Some((name(*user)?, *why))).collect::<Option<_>>()?,
            fact_graph: None,
            flow: self.flow.iter().map(event).collect::<Option<_>>()?,
            statistics: self.statistics,
        })
    }
}

/// Why an answer may be larger than it has to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Coarse {
    /// A proof was not found again within its bounds: all that is known there counts.
    Lost,
    /// There were more paths that cannot be taken than were followed: what excludes them counts where they may matter.
    Unfollowed,
}

impl Coarse {
    pub fn name(self) -> &'static str {
        match self {
            Coarse::Lost => "lost",
            Coarse::Unfollowed => "unfollowed",
        }
    }
    pub fn parse(text: &str) -> Option<Self> {
        [Coarse::Lost, Coarse::Unfollowed].into_iter().find(|coarse| coarse.name() == text)
    }
    /// For people.
    pub fn describe(self) -> &'static str {
        match self {
            Coarse::Lost => "a proof was not found again within its limits, so everything known there counts",
            Coarse::Unfollowed => {
                "not all infeasible paths were followed, so what excludes them counts wherever they may matter"
            }
        }
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct WorkCounts {
    pub checks: usize,
    /// Those that needed no solver.
    pub without_solver: usize,
    /// Proofs that could not be found again: all facts of their paths are blamed.
    pub lost: usize,
    /// What proofs took in verification, and what replaying them took, in the solver's units.
    pub verified: u64,
    pub replayed: u64,
}

/// What the proofs of one member need, fact by fact.
#[derive(Clone, Default, Debug)]
pub struct FactGraph {
    pub vertices: Vec<Vertex>,
    /// What each node of the program demands here.
    pub demands: BTreeMap<UserId, Vec<usize>>,
    /// By node, what excludes paths that were not followed and that matter to it.
    pub closed: BTreeMap<UserId, BTreeMap<UserId, Via>>,
}

/// A fact on one path, or something that is demanded on one.
#[derive(Clone, Default, Debug)]
pub struct Vertex {
    /// The node that answers for the fact.
    pub user: Option<UserId>,
    pub needs: BTreeMap<Target, Via>,
    /// Of a postcondition that a call gives: what is demanded for each precondition.
    pub by_precondition: Vec<(UserId, usize)>,
    pub postcondition: Option<UserId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A vertex of the same member.
    Here(usize),
    /// Whatever the node demands, in whatever member.
    User(UserId),
}
