//! Queries on a graph without its program: reachability, and counting.

use crate::graph::{EdgeFilter, Graph};
use crate::kind::{Assertion, Assumption, Construct};
use crate::needs::Coarse;
use crate::nodes::UserId;
use crate::options::Definition;
use crate::read::view::{View, ViewDependencies, ViewNode};
use crate::via::Via;
use echis_base::Name;
use std::collections::{BTreeMap, BTreeSet};

/// A graph with a view of its nodes. Nodes outside the view transmit dependencies and are never answers.
#[derive(Clone, Copy)]
pub struct Queries<'a> {
    pub view: &'a View,
    pub graph: &'a Graph,
}

/// The view with the dependencies of all nodes.
pub fn with_answers(view: View, graph: &Graph) -> View {
    let dependencies = Queries { view: &view, graph }.all(&BTreeSet::new());
    View { dependencies, ..view }
}

/// The four result sets for the dependents of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependents {
    pub of: UserId,
    pub all: Vec<UserId>,
    /// The explicit assertions among them.
    pub explicit: Vec<UserId>,
    pub direct: Vec<UserId>,
    pub without_infeasibility: Vec<UserId>,
    /// The reason why some of them may not really rest on the node, if any.
    pub coarse: Option<Coarse>,
}

/// The shortest path from an assertion to one of its dependencies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// Starts with the assertion; each other step with how its predecessor needs it.
    pub steps: Vec<(UserId, Via)>,
}

/// The assertions of one member that fail if assumptions are false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Impact {
    pub member: Name,
    pub explicit: Vec<UserId>,
    pub implicit: Vec<UserId>,
}

/// The fraction of a member's assumptions that some proofs need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// `None` for the whole program.
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

/// A summary of a member's proofs: their results, and what they ultimately rest on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberSummary {
    pub name: Name,
    /// Nodes that demand a proof and have one.
    pub proved: Vec<UserId>,
    pub failed: Vec<UserId>,
    /// Proved only because the facts there are contradictory.
    pub vacuous: Vec<UserId>,
    /// Needed, and assumed without proof.
    pub trusted: Vec<UserId>,
    /// Its own preconditions that are needed and that no known caller proves.
    pub required: Vec<UserId>,
    /// The fraction of the member that is covered.
    pub share: Share,
}

impl<'a> Queries<'a> {
    /// All members, in node order.
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
        let shares = self.coverage();
        let share = |name: &Name| shares.iter().find(|share| share.member.as_ref() == Some(name)).cloned();
        order.into_iter().map(|name| self.summary_of(name, &members[name], share(name))).collect()
    }
    fn summary_of(self, name: &Name, own: &[&ViewNode], share: Option<Share>) -> MemberSummary {
        let of = |test: &dyn Fn(&ViewNode) -> bool| own.iter().filter(|node| test(node)).map(|node| node.id).collect();
        let proved: Vec<UserId> = of(&|node| self.graph.is_asserted(node.id) && !node.failed);
        let needed = self.graph.dependencies(proved.iter().copied(), EdgeFilter::All);
        let trusted = |user: &UserId| self.view.node(*user).is_some_and(ViewNode::is_trusted);
        let required = |node: &ViewNode| {
            let asked = node.construct == Construct::Precondition && node.assumption == Some(Assumption::Explicit);
            asked && !node.failed && needed.contains(&node.id)
        };
        MemberSummary {
            name: name.clone(),
            failed: of(&|node| node.failed),
            vacuous: of(&|node| node.vacuous && !node.failed),
            trusted: needed.iter().copied().filter(trusted).collect(),
            required: of(&required),
            share: share.unwrap_or_else(|| Share {
                member: Some(name.clone()),
                covered: 0,
                total: 0,
                uncovered: Vec::new(),
            }),
            proved,
        }
    }
    /// The dependencies of a node, ignoring some nodes.
    pub fn dependencies(self, of: UserId, ignored: &BTreeSet<UserId>) -> ViewDependencies {
        self.together(of, &[of], ignored)
    }
    /// The combined dependencies of some nodes, reported for `named`.
    pub fn together(self, named: UserId, of: &[UserId], ignored: &BTreeSet<UserId>) -> ViewDependencies {
        let of: BTreeSet<UserId> = of.iter().flat_map(|of| self.view.front_end.group(*of)).collect();
        let within = |filter| self.graph.dependencies_without(of.iter().copied(), filter, ignored);
        let all = within(EdgeFilter::All);
        let is_explicit = |user: &UserId| self.assumption(*user) == Some(Assumption::Explicit);
        let explicit = self.answers(all.iter().copied().filter(is_explicit));
        let without_infeasibility = self.assumed(within(EdgeFilter::WithoutInfeasibility));
        let direct = of.iter().flat_map(|of| self.direct(*of)).filter(|user| !ignored.contains(user));
        let direct = direct.collect::<BTreeSet<UserId>>().into_iter().collect();
        let coarse = self.graph.coarse_among(all.iter().copied().chain(of.iter().copied()));
        let all = self.assumed(all);
        let left_out = self.left_out(&all);
        ViewDependencies { of: named, all, explicit, direct, without_infeasibility, coarse, left_out }
    }
    /// The members of some nodes whose postconditions or bodies rest on proofs that were not analysed.
    fn left_out(self, users: &[UserId]) -> Vec<Name> {
        let nodes = users.iter().filter_map(|user| self.view.node(*user));
        let rests = |node: &&ViewNode| match node.construct {
            Construct::Postcondition => node.assumption != Some(Assumption::Explicit),
            Construct::FunctionBody => true,
            _ => false,
        };
        let left_out = nodes.filter(rests).filter(|node| !self.view.is_explained(node));
        left_out.map(|node| node.member.clone()).collect::<BTreeSet<Name>>().into_iter().collect()
    }
    /// The dependencies of every node that is asserted and proved.
    pub fn all(self, ignored: &BTreeSet<UserId>) -> Vec<ViewDependencies> {
        let proved = |user: &UserId| !self.graph.failed.contains(user) && self.view.node(*user).is_some();
        let asserted = self.answers(self.graph.asserted().filter(proved));
        asserted.into_iter().map(|of| self.dependencies(of, ignored)).collect()
    }
    /// The nearest dependencies that are shown as assumptions.
    pub fn direct(self, of: UserId) -> Vec<UserId> {
        let counts = |on| self.assumption(on).is_some() && self.view.front_end.shown(on).is_some();
        self.answers(self.graph.direct_among(of, counts))
    }
    /// The dependents of a node.
    pub fn dependents(self, of: UserId) -> Dependents {
        let group = self.view.front_end.group(of);
        let within = |filter| self.graph.dependents_within(group.iter().copied(), filter);
        let found = within(EdgeFilter::All);
        let coarse = self.graph.coarse_among(found.iter().copied());
        let explicit = self.answers(found.iter().copied().filter(|user| self.is_explicit_assertion(*user)));
        let all = self.asserted(found);
        let answer = self.view.front_end.shown(of).unwrap_or(of);
        let direct = all.iter().copied().filter(|user| self.direct(*user).contains(&answer)).collect();
        let without_infeasibility = self.asserted(within(EdgeFilter::WithoutInfeasibility));
        Dependents { of, all, explicit, direct, without_infeasibility, coarse }
    }
    /// The pairs of nodes of which the first needs the second.
    pub fn between(self, users: &[UserId], ignored: &BTreeSet<UserId>) -> Vec<(UserId, UserId)> {
        let mut pairs = Vec::new();
        for of in users {
            let needed = self.graph.dependencies_without([*of], EdgeFilter::All, ignored);
            pairs.extend(users.iter().filter(|on| *on != of && needed.contains(on)).map(|on| (*of, *on)));
        }
        pairs
    }
    /// The assertions that fail if assumptions are false, by member.
    pub fn impact(self, of: &[UserId]) -> Vec<Impact> {
        let mut members: BTreeMap<UserId, Impact> = BTreeMap::new();
        let mut first: BTreeMap<Name, UserId> = BTreeMap::new();
        for user in self.asserted(self.graph.dependents(of.iter().copied())) {
            let Some(node) = self.view.node(user) else { continue };
            let key = *first.entry(node.member.clone()).or_insert(user);
            let empty = || Impact { member: node.member.clone(), explicit: Vec::new(), implicit: Vec::new() };
            let fallen = members.entry(key).or_insert_with(empty);
            let list = if self.is_explicit_assertion(user) { &mut fallen.explicit } else { &mut fallen.implicit };
            list.push(user);
        }
        members.into_values().collect()
    }
    /// The coverage of assertions in each of their members (definition 5.6).
    pub fn coverage_of(self, of: &[UserId]) -> Vec<Share> {
        let needed = self.graph.dependencies(of.iter().copied(), EdgeFilter::All);
        let mut members: Vec<Name> = Vec::new();
        for node in of.iter().filter_map(|user| self.view.node(*user)) {
            if !members.contains(&node.member) {
                members.push(node.member.clone());
            }
        }
        members.into_iter().map(|member| self.share(Some(member), &needed)).collect()
    }
    /// Coverage of each member, in node order. Members without anything to cover are left out.
    ///
    /// Assumptions and statements are covered if some goal needs them. An explicit goal is covered if it is proved,
    /// neither from a contradiction nor at an unreachable location.
    pub fn coverage(self) -> Vec<Share> {
        let mut shares: Vec<Share> = Vec::new();
        for (user, covered) in self.elements() {
            let Some(node) = self.view.node(user) else { continue };
            let index = shares.iter().position(|share| share.member.as_ref() == Some(&node.member));
            let index = index.unwrap_or_else(|| {
                shares.push(Share { member: Some(node.member.clone()), covered: 0, total: 0, uncovered: Vec::new() });
                shares.len() - 1
            });
            let share = &mut shares[index];
            share.total += 1;
            share.covered += usize::from(covered);
            share.uncovered.extend((!covered).then_some(node.id));
        }
        shares
    }
    /// The elements that coverage counts, in node order, and whether each is covered.
    pub fn elements(self) -> Vec<(UserId, bool)> {
        let needed = self.needed_by_goals();
        let mut elements = Vec::new();
        for node in self.view.nodes.iter().filter(|node| node.counts && self.view.is_explained(node)) {
            let written = node.goal && matches!(node.construct, Construct::Assert | Construct::Postcondition);
            // A `refute` demands no proof.
            if written && !self.graph.is_asserted(node.id) && !node.failed && !node.dead {
                continue;
            }
            let covered = if written { self.is_shown(node) } else { needed.contains(&node.id) && !node.dead };
            elements.push((node.id, covered));
        }
        elements
    }
    /// Progress of the whole program.
    pub fn progress(self) -> Share {
        let mut whole = Share { member: None, covered: 0, total: 0, uncovered: Vec::new() };
        for share in self.coverage() {
            whole.covered += share.covered;
            whole.total += share.total;
            whole.uncovered.extend(share.uncovered);
        }
        whole
    }
    /// Whether a goal is proved and says something about executions.
    fn is_shown(self, node: &ViewNode) -> bool {
        node.goal && self.graph.is_asserted(node.id) && !node.failed && !node.vacuous && !node.dead
    }
    /// The needs of the visible goals. A node that needs only itself is not needed.
    pub(super) fn needed_by_goals(self) -> BTreeSet<UserId> {
        let goals: Vec<UserId> =
            self.view.nodes.iter().filter(|node| self.is_shown(node)).map(|node| node.id).collect();
        if self.graph.definition == Definition::Execution {
            return self.graph.dependencies(goals, EdgeFilter::All);
        }
        let mut seen: BTreeSet<UserId> = goals.iter().copied().collect();
        let (mut needed, mut pending) = (BTreeSet::new(), goals);
        while let Some(user) = pending.pop() {
            for on in self.graph.direct(user).into_iter().filter(|on| *on != user) {
                needed.insert(on);
                if seen.insert(on) {
                    pending.push(on);
                }
            }
        }
        needed
    }
    /// Why some nodes need one of others: the shortest path through the graph, restricted to shown nodes.
    pub fn why(self, of: &[UserId], to: &[UserId]) -> Option<Chain> {
        let way = self.graph.chain(of, &to.iter().copied().collect())?;
        let shown = |user: UserId| self.view.node(user).and_then(|node| self.view.front_end.shown(node.id));
        let mut steps: Vec<(UserId, Via)> =
            way.into_iter().filter_map(|(user, via)| Some((shown(user)?, via))).collect();
        steps.dedup_by_key(|(user, _)| *user);
        Some(Chain { steps })
    }
    /// The nodes that can be covered. Postconditions of members with unanalysed callers are left out.
    fn counted(self) -> impl Iterator<Item = &'a ViewNode> {
        self.view.nodes.iter().filter(move |node| counts(node) && self.view.is_explained(node))
    }
    fn share(self, member: Option<Name>, needed: &BTreeSet<UserId>) -> Share {
        let own = self.counted().filter(|node| member.as_ref().is_none_or(|member| node.member == *member));
        let own: Vec<UserId> = own.map(|node| node.id).collect();
        let uncovered: Vec<UserId> = own.iter().copied().filter(|user| !needed.contains(user)).collect();
        Share { member, covered: own.len() - uncovered.len(), total: own.len(), uncovered }
    }
    /// Whether a proof is explicitly demanded: by a postcondition of a member with a body, an `assert` or an
    /// `exhale`.
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
        self.answers(found.into_iter().filter(|user| self.assumption(*user).is_some()))
    }
    /// The nodes that represent the given ones, without duplicates.
    fn answers(self, users: impl IntoIterator<Item = UserId>) -> Vec<UserId> {
        let shown: BTreeSet<UserId> = users.into_iter().filter_map(|user| self.view.front_end.shown(user)).collect();
        shown.into_iter().collect()
    }
    fn asserted(self, found: BTreeSet<UserId>) -> Vec<UserId> {
        let shown = |user: &UserId| self.view.node(*user).is_some_and(|node| node.assertion.is_some());
        self.answers(found.into_iter().filter(shown))
    }
}

/// Whether a node counts as an assumption of its member. Postconditions that the member proves itself do not.
fn counts(node: &ViewNode) -> bool {
    let promised = node.construct == Construct::Postcondition && node.assumption != Some(Assumption::Explicit);
    node.assumption.is_some() && !promised
}
