//! Questions to a graph that needs no program any more: reachability, and counting what it finds.

use crate::depend::graph::{Graph, Reach};
use crate::depend::kind::{Assertion, Assumption, Construct};
use crate::depend::nodes::UserId;
use crate::depend::view::{View, ViewDependencies, ViewNode};
use echis_base::Name;
use std::collections::{BTreeMap, BTreeSet};

/// A graph and what its nodes are. Nodes that the view does not have transmit dependencies and are never answers.
#[derive(Clone, Copy)]
pub struct Queries<'a> {
    pub view: &'a View,
    pub graph: &'a Graph,
}

/// The four result sets of what rests on a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependents {
    pub of: UserId,
    pub all: Vec<UserId>,
    /// Explicit assertions among them.
    pub explicit: Vec<UserId>,
    pub direct: Vec<UserId>,
    pub without_infeasibility: Vec<UserId>,
}

/// What falls in one member if assumptions turn out false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fallen {
    pub member: Name,
    pub explicit: Vec<UserId>,
    pub implicit: Vec<UserId>,
}

/// How much of what can be assumed some proofs need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// None for the whole program.
    pub member: Option<Name>,
    pub covered: usize,
    pub total: usize,
    pub uncovered: Vec<UserId>,
}

impl Share {
    pub fn ratio(&self) -> f64 {
        if self.total == 0 { 1.0 } else { self.covered as f64 / self.total as f64 }
    }
}

/// What a member's proofs rest on in the end, and what is the matter with them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberSummary {
    pub name: Name,
    /// The nodes that demand a proof, and have one.
    pub proved: Vec<UserId>,
    pub failed: Vec<UserId>,
    /// Proved because what is known there is contradictory.
    pub vacuous: Vec<UserId>,
    /// What was believed without proof, and is needed.
    pub trusted: Vec<UserId>,
    /// How much of what is assumed in the member some of its proofs need.
    pub share: Share,
}

impl<'a> Queries<'a> {
    /// All members in the order of their nodes.
    pub fn summary(self) -> Vec<MemberSummary> {
        let mut members: BTreeMap<&Name, Vec<&ViewNode>> = BTreeMap::new();
        let mut order = Vec::new();
        for node in self.view.nodes.iter().filter(|node| self.view.is_explained(node)) {
            let own = members.entry(&node.member).or_default();
            if own.is_empty() {
                order.push(&node.member);
            }
            own.push(node);
        }
        order.into_iter().map(|name| self.summary_of(name, &members[name])).collect()
    }
    fn summary_of(self, name: &Name, own: &[&ViewNode]) -> MemberSummary {
        let of = |test: &dyn Fn(&ViewNode) -> bool| own.iter().filter(|node| test(node)).map(|node| node.id).collect();
        let proved: Vec<UserId> = of(&|node| self.graph.is_asserted(node.id) && !node.failed);
        let needed = self.graph.dependencies(proved.iter().copied(), Reach::All);
        let explicit = |user: &UserId| self.assumption(*user) == Some(Assumption::Explicit);
        MemberSummary {
            name: name.clone(),
            failed: of(&|node| node.failed),
            vacuous: of(&|node| node.vacuous && !node.failed),
            trusted: needed.iter().copied().filter(explicit).collect(),
            share: self.share(Some(name.clone()), &needed),
            proved,
        }
    }
    /// What a node needs, where some nodes count as irrelevant.
    pub fn dependencies(self, of: UserId, ignored: &BTreeSet<UserId>) -> ViewDependencies {
        let all = self.assumed(self.graph.dependencies_without([of], Reach::All, ignored));
        let is_explicit = |user: &UserId| self.assumption(*user) == Some(Assumption::Explicit);
        let explicit = all.iter().copied().filter(is_explicit).collect();
        let reach = Reach::WithoutInfeasibility;
        let without_infeasibility = self.assumed(self.graph.dependencies_without([of], reach, ignored));
        let direct = self.direct(of).into_iter().filter(|user| !ignored.contains(user)).collect();
        ViewDependencies { of, all, explicit, direct, without_infeasibility }
    }
    /// The answers for every node that is asserted and proved.
    pub fn all(self, ignored: &BTreeSet<UserId>) -> Vec<ViewDependencies> {
        let proved = |user: &UserId| !self.graph.failed.contains(user) && self.view.node(*user).is_some();
        self.graph.asserted().filter(proved).map(|of| self.dependencies(of, ignored)).collect()
    }
    /// One step, through whatever is not shown as an assumption.
    pub fn direct(self, of: UserId) -> Vec<UserId> {
        self.graph.direct_among(of, |on| self.assumption(on).is_some()).into_iter().collect()
    }
    /// What rests on a node.
    pub fn dependents(self, of: UserId) -> Dependents {
        let all = self.asserted(self.graph.dependents([of]));
        let explicit = all.iter().copied().filter(|user| self.is_explicit_assertion(*user)).collect();
        let direct = all.iter().copied().filter(|user| self.direct(*user).contains(&of)).collect();
        let without_infeasibility = self.asserted(self.graph.dependents_within([of], Reach::WithoutInfeasibility));
        Dependents { of, all, explicit, direct, without_infeasibility }
    }
    /// Which of some nodes needs which: the first of a pair needs the second.
    pub fn between(self, users: &[UserId], ignored: &BTreeSet<UserId>) -> Vec<(UserId, UserId)> {
        let mut pairs = Vec::new();
        for of in users {
            let needed = self.graph.dependencies_without([*of], Reach::All, ignored);
            pairs.extend(users.iter().filter(|on| *on != of && needed.contains(on)).map(|on| (*of, *on)));
        }
        pairs
    }
    /// What falls if assumptions turn out false, by member.
    pub fn impact(self, of: &[UserId]) -> Vec<Fallen> {
        let mut members: BTreeMap<UserId, Fallen> = BTreeMap::new();
        let mut first: BTreeMap<Name, UserId> = BTreeMap::new();
        for user in self.asserted(self.graph.dependents(of.iter().copied())) {
            let Some(node) = self.view.node(user) else { continue };
            let key = *first.entry(node.member.clone()).or_insert(user);
            let empty = || Fallen { member: node.member.clone(), explicit: Vec::new(), implicit: Vec::new() };
            let fallen = members.entry(key).or_insert_with(empty);
            let list = if self.is_explicit_assertion(user) { &mut fallen.explicit } else { &mut fallen.implicit };
            list.push(user);
        }
        members.into_values().collect()
    }
    /// The coverage of assertions in each member that they stand in (definition 5.6).
    pub fn coverage_of(self, of: &[UserId]) -> Vec<Share> {
        let needed = self.graph.dependencies(of.iter().copied(), Reach::All);
        let mut members: Vec<Name> = Vec::new();
        for node in of.iter().filter_map(|user| self.view.node(*user)) {
            if !members.contains(&node.member) {
                members.push(node.member.clone());
            }
        }
        members.into_iter().map(|member| self.share(Some(member), &needed)).collect()
    }
    /// The coverage of each member by its own explicit assertions (definition 5.7), in the order of nodes. Members
    /// without any assumption are left out.
    pub fn coverage(self) -> Vec<Share> {
        let mut members: Vec<Name> = Vec::new();
        for node in self.counted() {
            if !members.contains(&node.member) {
                members.push(node.member.clone());
            }
        }
        let goals = |member: &Name| {
            let own = self.view.nodes.iter().filter(|node| node.member == *member);
            let own: Vec<UserId> = own.map(|node| node.id).filter(|user| self.is_explicit_assertion(*user)).collect();
            self.graph.dependencies(own, Reach::All)
        };
        members.into_iter().map(|member| self.share(Some(member.clone()), &goals(&member))).collect()
    }
    /// The coverage of the whole program by all its explicit assertions.
    pub fn progress(self) -> Share {
        let all = self.view.nodes.iter().map(|node| node.id).filter(|user| self.is_explicit_assertion(*user));
        self.share(None, &self.graph.dependencies(all.collect::<Vec<_>>(), Reach::All))
    }
    /// The nodes that can be covered. Nobody knows about the promises of members whose callers were not looked at.
    fn counted(self) -> impl Iterator<Item = &'a ViewNode> {
        self.view.nodes.iter().filter(move |node| counts(node) && self.view.is_explained(node))
    }
    fn share(self, member: Option<Name>, needed: &BTreeSet<UserId>) -> Share {
        let own = self.counted().filter(|node| member.as_ref().is_none_or(|member| node.member == *member));
        let own: Vec<UserId> = own.map(|node| node.id).collect();
        let uncovered: Vec<UserId> = own.iter().copied().filter(|user| !needed.contains(user)).collect();
        Share { member, covered: own.len() - uncovered.len(), total: own.len(), uncovered }
    }
    /// Whether a proof is demanded in so many words: of a postcondition of a member with a body, an `assert`, an `exhale`.
    pub fn is_explicit_assertion(self, user: UserId) -> bool {
        let trusted = |node: &ViewNode| {
            node.construct == Construct::Postcondition && node.assumption == Some(Assumption::Explicit) && !node.failed
        };
        self.graph.is_asserted(user)
            && self.view.node(user).is_some_and(|node| node.assertion == Some(Assertion::Explicit) && !trusted(node))
    }
    fn assumption(self, user: UserId) -> Option<Assumption> {
        self.view.node(user).and_then(|node| node.assumption)
    }
    fn assumed(self, found: BTreeSet<UserId>) -> Vec<UserId> {
        found.into_iter().filter(|user| self.assumption(*user).is_some()).collect()
    }
    fn asserted(self, found: BTreeSet<UserId>) -> Vec<UserId> {
        let shown = |user: &UserId| self.view.node(*user).is_some_and(|node| node.assertion.is_some());
        found.into_iter().filter(shown).collect()
    }
}

/// Whether a node counts as an assumption of its member. What a member promises to others and proves itself does not.
fn counts(node: &ViewNode) -> bool {
    let promised = node.construct == Construct::Postcondition && node.assumption != Some(Assumption::Explicit);
    node.assumption.is_some() && !promised
}
