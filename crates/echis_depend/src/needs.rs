//! The needs of one member's proofs: by node, and by fact.

use crate::flow::Event;
use crate::nodes::UserId;
use crate::via::Via;
use echis_proof::NodeId;
use echis_term::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// Dependencies, each with how it is needed.
pub type Needs = BTreeMap<UserId, Via>;

/// Adds a dependency; the strongest reason is kept.
pub fn add<T: Ord>(needs: &mut BTreeMap<T, Via>, needed: T, via: Via) {
    needs.entry(needed).and_modify(|known| *known = (*known).min(via)).or_insert(via);
}

/// The dependencies of one member's proofs.
#[derive(Clone, Default, Debug)]
pub struct MemberNeeds {
    /// The needs of each node that demands something in this member.
    pub needs: BTreeMap<UserId, BTreeMap<UserId, Via>>,
    /// Nodes with an unproved demand.
    pub failed: BTreeSet<UserId>,
    /// Nodes with only vacuous proofs: the facts contradict each other.
    pub vacuous: BTreeSet<UserId>,
    /// Nodes that no execution reaches.
    pub dead: BTreeSet<UserId>,
    /// Nodes whose needs may be over-approximated.
    pub coarse: BTreeMap<UserId, Coarse>,
    /// The needs fact by fact, if requested.
    pub fact_graph: Option<FactGraph>,
    /// The flow of permission.
    pub flow: Vec<Event>,
    pub statistics: WorkCounts,
    /// Where goals were proved, each with facts that suffice, if edited versions of the program follow.
    pub proofs: Vec<(NodeId, TermId, Vec<TermId>)>,
}

impl MemberNeeds {
    /// The needs with nodes renamed. `None` if a node has no new name, or there is a fact graph, which renaming does
    /// not cover.
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
            coarse: self.coarse.iter().map(|(user, why)| Some((name(*user)?, *why))).collect::<Option<_>>()?,
            fact_graph: None,
            flow: self.flow.iter().map(event).collect::<Option<_>>()?,
            statistics: self.statistics,
            proofs: Vec::new(),
        })
    }
}

/// Why an answer may be over-approximated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Coarse {
    /// A proof was not found again within its limits, so everything known there counts.
    Lost,
    /// There were more infeasible paths than were followed; the reasons for their infeasibility count where they may
    /// matter.
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
    /// A description for users.
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
    /// Number of them solved without a solver.
    pub without_solver: usize,
    /// Proofs that could not be found again: all facts of their paths are blamed.
    pub lost: usize,
    /// The cost of proofs in verification and of replaying them, in the solver's units.
    pub verified: u64,
    pub replayed: u64,
    /// The largest cost of a proof in verification.
    pub largest: u64,
}

/// The dependencies of one member's proofs, fact by fact.
#[derive(Clone, Default, Debug)]
pub struct FactGraph {
    pub vertices: Vec<Vertex>,
    /// The demands of each node in this member.
    pub demands: BTreeMap<UserId, Vec<usize>>,
    /// For each node, the reasons why unfollowed paths that matter to it are infeasible.
    pub closed: BTreeMap<UserId, BTreeMap<UserId, Via>>,
}

/// A fact or a demand on one path.
#[derive(Clone, Default, Debug)]
pub struct Vertex {
    /// The node responsible for the fact.
    pub user: Option<UserId>,
    pub needs: BTreeMap<Target, Via>,
    /// For a postcondition provided by a call: the demand for each precondition.
    pub by_precondition: Vec<(UserId, usize)>,
    pub postcondition: Option<UserId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A vertex of the same member.
    Here(usize),
    /// All demands of the node, in any member.
    User(UserId),
}
