//! The user-level graph of a whole program, and queries on it. Everything here is plain data: queries are
//! reachability and need no solver.

use crate::flow::Event;
use crate::kind::{Assertion, Assumption};
use crate::needs::{Coarse, MemberNeeds, Needs, add};
use crate::nodes::{Nodes, UserId};
use crate::options::Definition;
use crate::via::Via;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, OnceLock};

/// The direct dependencies of each node. An edge goes from an asserted node to an assumed one.
#[derive(Clone, Default, Debug)]
pub struct Graph {
    /// Many nodes may have the same needs.
    needs: BTreeMap<UserId, Arc<Needs>>,
    /// For the execution definition: the vertices between nodes.
    inner: InnerGraph,
    pub definition: Definition,
    /// The reversed edges, computed on first use.
    uses: OnceLock<Uses>,
    /// Nodes with an unproved demand.
    pub failed: BTreeSet<UserId>,
    pub vacuous: BTreeSet<UserId>,
    /// Nodes that no execution reaches.
    pub dead: BTreeSet<UserId>,
    /// Preconditions proved by all callers, if callers are joined.
    pub discharged: BTreeSet<UserId>,
    /// Nodes whose needs may be over-approximated, and why.
    pub coarse: BTreeMap<UserId, Coarse>,
    /// The flow of permission.
    pub flow: Vec<Event>,
}

/// Groups of vertices with the same needs, by what they need.
#[derive(Clone, Default, Debug)]
struct Uses {
    alike: Vec<Vec<UserId>>,
    of: BTreeMap<UserId, Vec<usize>>,
}

/// Vertices other than nodes of the program: single facts, and demands on single paths.
#[derive(Clone, Default, Debug)]
pub struct InnerGraph {
    pub needs: BTreeMap<UserId, Needs>,
    /// The node responsible for a fact.
    pub stands_for: BTreeMap<UserId, UserId>,
}

/// The edges to follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeFilter {
    All,
    /// Ignores edges that only unreachable paths contribute.
    WithoutInfeasibility,
}

impl Graph {
    /// Joins the results of members. Postconditions of abstract members rest on all their preconditions.
    pub fn new(nodes: &Nodes, members: impl IntoIterator<Item = MemberNeeds>) -> Self {
        let mut graph = Graph::default();
        for mut member in members {
            graph.add_verdicts(&mut member);
            for (user, needs) in member.needs {
                let known = Arc::make_mut(graph.needs.entry(user).or_default());
                needs.into_iter().for_each(|(on, via)| add(known, on, via));
            }
        }
        graph.add_abstract_contracts(nodes, Via::Definition);
        graph
    }
    /// Adds everything about a member except its needs.
    pub(super) fn add_verdicts(&mut self, member: &mut MemberNeeds) {
        self.failed.append(&mut member.failed);
        self.vacuous.append(&mut member.vacuous);
        self.dead.append(&mut member.dead);
        self.coarse.append(&mut member.coarse);
        self.add_flow(std::mem::take(&mut member.flow));
    }
    /// Makes the postconditions of members without a body rest on all their preconditions.
    pub(super) fn add_abstract_contracts(&mut self, nodes: &Nodes, via: Via) {
        for (posts, pres) in &nodes.abstract_contracts {
            for post in posts {
                let needs = Arc::make_mut(self.needs.entry(*post).or_default());
                needs.extend(pres.iter().map(|pre| (*pre, via)));
            }
        }
    }
    /// A deserialized graph: every node that demands something, with its needs.
    pub fn from_parts(
        needs: impl IntoIterator<Item = (UserId, Arc<Needs>)>,
        failed: BTreeSet<UserId>,
        vacuous: BTreeSet<UserId>,
    ) -> Self {
        Graph { needs: needs.into_iter().collect(), failed, vacuous, ..Graph::default() }
    }
    /// A graph for the execution definition.
    pub fn from_inner(
        needs: impl IntoIterator<Item = (UserId, Arc<Needs>)>,
        inner: InnerGraph,
        failed: BTreeSet<UserId>,
        vacuous: BTreeSet<UserId>,
    ) -> Self {
        Graph { failed, vacuous, ..Graph::default() }.with_inner(needs, inner)
    }
    pub(super) fn with_inner(self, needs: impl IntoIterator<Item = (UserId, Arc<Needs>)>, inner: InnerGraph) -> Self {
        Graph { needs: needs.into_iter().collect(), inner, definition: Definition::Execution, ..self }
    }
    /// Adds the events of another member.
    fn add_flow(&mut self, events: Vec<Event>) {
        let before = self.flow.len();
        let moved = |event: Event| Event { of: event.of.iter().map(|of| of + before).collect(), ..event };
        self.flow.extend(events.into_iter().map(moved));
    }
    pub fn inner(&self) -> &InnerGraph {
        &self.inner
    }
    /// Adds an edge between inner vertices; returns whether it is new.
    pub fn connect(&mut self, from: UserId, to: UserId, via: Via) -> bool {
        self.uses.take();
        let known = self.inner.needs.entry(from).or_default().entry(to);
        match known {
            Entry::Vacant(entry) => drop(entry.insert(via)),
            Entry::Occupied(mut entry) if via < *entry.get() => drop(entry.insert(via)),
            Entry::Occupied(_) => return false,
        }
        true
    }
    /// Adds dependencies to a node.
    pub fn rest_on<'u>(&mut self, user: UserId, on: impl IntoIterator<Item = &'u UserId>) {
        self.uses.take();
        let needs = Arc::make_mut(self.needs.entry(user).or_default());
        needs.extend(on.into_iter().map(|on| (*on, Via::Value)));
    }
    /// Replaces the needs of a node, and the properties of these, by those in another graph of the same program.
    pub(super) fn take_from(&mut self, other: &Graph, user: UserId) {
        self.uses.take();
        let Some(needs) = other.needs.get(&user) else { return };
        self.needs.insert(user, needs.clone());
        match other.coarse.get(&user) {
            Some(coarse) => drop(self.coarse.insert(user, *coarse)),
            None => drop(self.coarse.remove(&user)),
        }
        if other.vacuous.contains(&user) {
            self.vacuous.insert(user)
        } else {
            self.vacuous.remove(&user)
        };
    }
    fn uses(&self) -> &Uses {
        self.uses.get_or_init(|| {
            let mut uses = Uses::default();
            let mut known: HashMap<*const Needs, usize> = HashMap::new();
            let shared = self.needs.iter().map(|(user, needs)| (user, &**needs));
            for (user, needs) in shared.chain(&self.inner.needs) {
                let next = uses.alike.len();
                let set = *known.entry(std::ptr::from_ref(needs)).or_insert(next);
                if set == next {
                    uses.alike.push(Vec::new());
                    needs.keys().for_each(|on| uses.of.entry(*on).or_default().push(set));
                }
                uses.alike[set].push(*user);
            }
            uses
        })
    }
    fn all_needs_of(&self, vertex: UserId) -> Option<&Needs> {
        self.needs.get(&vertex).map(|needs| &**needs).or_else(|| self.inner.needs.get(&vertex))
    }
    fn needs_of(&self, vertex: UserId) -> impl Iterator<Item = (UserId, Via)> {
        self.all_needs_of(vertex).into_iter().flatten().map(|(on, via)| (*on, *via))
    }
    /// The nodes that demand something, with their direct needs.
    pub fn needs(&self) -> impl Iterator<Item = (UserId, &Arc<Needs>)> {
        self.needs.iter().map(|(user, needs)| (*user, needs))
    }
    /// The node that a vertex belongs to.
    fn node(&self, vertex: UserId) -> Option<UserId> {
        let inner = self.inner.needs.contains_key(&vertex);
        if inner { self.inner.stands_for.get(&vertex).copied() } else { Some(vertex) }
    }
    /// All edges between nodes.
    pub fn edges(&self) -> impl Iterator<Item = (UserId, UserId, Via)> {
        self.needs.iter().flat_map(|(user, needs)| needs.iter().map(|(on, via)| (*user, *on, *via)))
    }
    pub fn is_asserted(&self, user: UserId) -> bool {
        self.needs.contains_key(&user)
    }
    pub fn asserted(&self) -> impl Iterator<Item = UserId> {
        self.needs.keys().copied()
    }
    /// Direct dependencies.
    pub fn direct(&self, of: UserId) -> BTreeSet<UserId> {
        self.direct_among(of, |_| true)
    }
    /// The nearest dependencies that count, through all nodes that do not.
    pub fn direct_among(&self, of: UserId, counts: impl Fn(UserId) -> bool) -> BTreeSet<UserId> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::from([of]);
        let mut pending = vec![of];
        while let Some(vertex) = pending.pop() {
            for (on, _) in self.needs_of(vertex) {
                match self.node(on).filter(|node| counts(*node)) {
                    Some(node) => drop(found.insert(node)),
                    None if seen.insert(on) => pending.push(on),
                    None => {}
                }
            }
        }
        found
    }
    /// Direct dependencies with the reason for each: a proof, if some path to it consists of proofs only.
    pub fn direct_via(&self, of: UserId, counts: impl Fn(UserId) -> bool) -> Needs {
        let mut found = Needs::new();
        let mut seen: BTreeMap<UserId, Via> = BTreeMap::from([(of, Via::Value)]);
        let mut pending = vec![(of, Via::Value)];
        while let Some((vertex, so_far)) = pending.pop() {
            for (on, via) in self.needs_of(vertex) {
                let via = via.max(so_far);
                match self.node(on).filter(|node| counts(*node)) {
                    Some(node) => {
                        let known = found.entry(node).or_insert(via);
                        *known = (*known).min(via);
                    }
                    None if seen.get(&on).is_none_or(|known| via < *known) => {
                        seen.insert(on, via);
                        pending.push((on, via));
                    }
                    None => {}
                }
            }
        }
        found
    }
    /// The shortest path from some nodes to a dependency among others: each node on it, with how its predecessor
    /// needs it.
    pub fn chain(&self, of: &[UserId], to: &BTreeSet<UserId>) -> Option<Vec<(UserId, Via)>> {
        let mut from: BTreeMap<UserId, (Option<UserId>, Via)> = of.iter().map(|of| (*of, (None, Via::Value))).collect();
        let mut pending: VecDeque<UserId> = of.iter().copied().collect();
        while let Some(vertex) = pending.pop_front() {
            for (on, via) in self.needs_of(vertex) {
                if from.contains_key(&on) {
                    continue;
                }
                from.insert(on, (Some(vertex), via));
                if self.node(on).is_some_and(|node| to.contains(&node)) {
                    return Some(self.way(&from, on));
                }
                pending.push_back(on);
            }
        }
        None
    }
    fn way(&self, from: &BTreeMap<UserId, (Option<UserId>, Via)>, end: UserId) -> Vec<(UserId, Via)> {
        let mut way: Vec<(UserId, Via)> = Vec::new();
        let mut at = Some(end);
        while let Some((vertex, (before, via))) = at.and_then(|at| Some((at, *from.get(&at)?))) {
            match self.node(vertex) {
                // A node and its parts count as one step.
                Some(node) if way.last().is_none_or(|(last, _)| *last != node) => way.push((node, via)),
                _ => {}
            }
            at = before;
        }
        way.reverse();
        way
    }
    /// All transitive dependencies of the nodes. A start node is included only if it needs itself through others or
    /// another one needs it.
    pub fn dependencies(&self, of: impl IntoIterator<Item = UserId>, filter: EdgeFilter) -> BTreeSet<UserId> {
        self.dependencies_without(of, filter, &BTreeSet::new())
    }
    /// Transitive dependencies, ignoring some nodes and everything that only they need.
    pub fn dependencies_without(
        &self,
        of: impl IntoIterator<Item = UserId>,
        filter: EdgeFilter,
        ignored: &BTreeSet<UserId>,
    ) -> BTreeSet<UserId> {
        let mut seen = BTreeSet::new();
        let mut pending: Vec<UserId> = of.into_iter().collect();
        while let Some(vertex) = pending.pop() {
            for (on, via) in self.needs_of(vertex) {
                let counts = filter == EdgeFilter::All || via.is_proof();
                let is_ignored = || self.node(on).is_some_and(|node| ignored.contains(&node));
                if counts && !seen.contains(&on) && !is_ignored() {
                    seen.insert(on);
                    pending.push(on);
                }
            }
        }
        seen.into_iter().filter_map(|vertex| self.node(vertex)).collect()
    }
    /// All nodes whose proof needs one of the given nodes, transitively: what fails if they are false.
    pub fn dependents(&self, of: impl IntoIterator<Item = UserId>) -> BTreeSet<UserId> {
        self.dependents_within(of, EdgeFilter::All)
    }
    pub fn dependents_within(&self, of: impl IntoIterator<Item = UserId>, filter: EdgeFilter) -> BTreeSet<UserId> {
        let mut seen = BTreeSet::new();
        let mut pending: Vec<UserId> = of.into_iter().collect();
        let of: BTreeSet<UserId> = pending.iter().copied().collect();
        let parts = self.inner.stands_for.iter().filter(|(_, node)| of.contains(node));
        pending.extend(parts.map(|(vertex, _)| *vertex));
        let uses = self.uses();
        let mut taken = vec![false; uses.alike.len()];
        while let Some(vertex) = pending.pop() {
            for set in uses.of.get(&vertex).into_iter().flatten().copied() {
                let certain = || {
                    self.all_needs_of(uses.alike[set][0])
                        .and_then(|needs| needs.get(&vertex))
                        .is_some_and(|via| via.is_proof())
                };
                if !taken[set] && (filter == EdgeFilter::All || certain()) {
                    taken[set] = true;
                    pending.extend(uses.alike[set].iter().filter(|by| seen.insert(**by)));
                }
            }
        }
        seen.into_iter().filter(|vertex| !self.inner.needs.contains_key(vertex)).collect()
    }
    /// The reason why the dependencies of nodes may be over-approximated, if they may.
    pub fn coarse_among(&self, users: impl IntoIterator<Item = UserId>) -> Option<Coarse> {
        if self.coarse.is_empty() {
            return None;
        }
        users.into_iter().filter_map(|user| self.coarse.get(&user)).min().copied()
    }
    fn is_needed(&self, user: UserId) -> bool {
        self.uses().of.contains_key(&user)
    }
    /// The kind of assumption of a node. An obligation that failed is assumed all the same, and a node that gives
    /// permission away counts where permission introspection depends on it.
    pub fn assumption(&self, nodes: &Nodes, user: UserId) -> Option<Assumption> {
        match nodes.all[user].assumption {
            Some(Assumption::Internal) => Some(Assumption::Internal),
            _ if self.failed.contains(&user) => Some(Assumption::Explicit),
            Some(Assumption::Explicit) if self.discharged.contains(&user) => Some(Assumption::Implicit),
            None if nodes.introspect && self.is_needed(user) => Some(Assumption::Implicit),
            assumption => assumption,
        }
    }
    /// The kind of assertion of a node, if it demands anything.
    pub fn assertion(&self, nodes: &Nodes, user: UserId) -> Option<Assertion> {
        let demands = self.is_asserted(user) || self.failed.contains(&user);
        nodes.all[user].assertion.filter(|kind| demands || *kind == Assertion::Explicit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_base::Key;

    fn node(index: usize) -> UserId {
        UserId::new(index)
    }
    fn graph(edges: &[(usize, usize, Via)]) -> Graph {
        let mut graph = Graph::default();
        for (user, on, via) in edges {
            Arc::make_mut(graph.needs.entry(node(*user)).or_default()).insert(node(*on), *via);
        }
        graph
    }

    #[test]
    fn closures_pass_through_cycles() {
        let graph = graph(&[(0, 1, Via::Value), (1, 2, Via::Value), (2, 1, Via::Value), (3, 0, Via::Value)]);
        let all = graph.dependencies([node(0)], EdgeFilter::All);
        assert_eq!(all, [node(1), node(2)].into());
        assert_eq!(graph.dependents([node(2)]), [node(0), node(1), node(2), node(3)].into());
        assert_eq!(graph.direct(node(0)), [node(1)].into());
    }

    /// 0 is asserted and needs fact 10 of node 1; 1 needs 2 on that path, and 3 on another, whose fact is 11.
    #[test]
    fn inner_vertices_keep_the_paths_of_a_node_apart() {
        let edges = |edges: &[(usize, &[usize])]| -> BTreeMap<UserId, BTreeMap<UserId, Via>> {
            let of = |on: &[usize]| on.iter().map(|on| (node(*on), Via::Value)).collect();
            edges.iter().map(|(user, on)| (node(*user), of(on))).collect()
        };
        let inner = InnerGraph {
            needs: edges(&[(10, &[20]), (11, &[21]), (20, &[2]), (21, &[3])]),
            stands_for: [(node(10), node(1)), (node(11), node(1))].into(),
        };
        let graph = Graph::from_inner(
            edges(&[(0, &[10]), (1, &[20, 21]), (4, &[11])]).into_iter().map(|(user, needs)| (user, Arc::new(needs))),
            inner,
            BTreeSet::new(),
            BTreeSet::new(),
        );
        assert_eq!(graph.dependencies([node(0)], EdgeFilter::All), [node(1), node(2)].into());
        assert_eq!(graph.dependencies([node(1)], EdgeFilter::All), [node(2), node(3)].into());
        assert_eq!(graph.dependencies_without([node(0)], EdgeFilter::All, &[node(1)].into()), BTreeSet::new());
        assert_eq!(graph.direct(node(0)), [node(1)].into());
        assert_eq!(graph.dependents([node(3)]), [node(1), node(4)].into());
        assert_eq!(graph.dependents([node(1)]), [node(0), node(4)].into());
        assert_eq!(graph.asserted().collect::<Vec<_>>(), [node(0), node(1), node(4)]);
    }

    #[test]
    fn infeasibility_and_ignored_nodes_can_be_left_out() {
        let graph = graph(&[(0, 1, Via::Infeasibility), (0, 2, Via::Value), (1, 3, Via::Value), (2, 4, Via::Value)]);
        assert_eq!(graph.dependencies([node(0)], EdgeFilter::WithoutInfeasibility), [node(2), node(4)].into());
        assert_eq!(graph.dependents_within([node(3)], EdgeFilter::WithoutInfeasibility), [node(1)].into());
        let ignored = [node(2)].into();
        assert_eq!(graph.dependencies_without([node(0)], EdgeFilter::All, &ignored), [node(1), node(3)].into());
    }
}
