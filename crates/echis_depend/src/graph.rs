//! The user-level graph of a whole program, and questions to it. Everything here is plain data: no solver is needed any
//! more, and queries are reachability.

use crate::flow::Event;
use crate::kind::{Assertion, Assumption};
use crate::needs::{Coarse, MemberNeeds, Needs, add};
use crate::nodes::{Nodes, UserId};
use crate::options::Definition;
use crate::via::Via;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, OnceLock};

/// What each node needs directly. An edge goes from what is asserted to what is assumed.
#[derive(Clone, Default, Debug)]
pub struct Graph {
    /// Many nodes may need just the same.
    needs: BTreeMap<UserId, Arc<Needs>>,
    /// Under the definition by executions: what stands between the nodes.
    inner: InnerGraph,
    pub definition: Definition,
    /// The reversed edges, computed on first use.
    uses: OnceLock<Uses>,
    /// Nodes that demand something that was not proved.
    pub failed: BTreeSet<UserId>,
    pub vacuous: BTreeSet<UserId>,
    /// Nodes that no execution reaches.
    pub dead: BTreeSet<UserId>,
    /// Assumptions that some proof cannot do without, as far as was asked: only for coverage.
    pub indispensable: BTreeSet<UserId>,
    /// Preconditions that all callers prove, where these are joined.
    pub discharged: BTreeSet<UserId>,
    /// Nodes whose needs may be larger than they have to be, and why.
    pub coarse: BTreeMap<UserId, Coarse>,
    /// How permission moves.
    pub flow: Vec<Event>,
}

/// Vertices that need the same, by what they need.
#[derive(Clone, Default, Debug)]
struct Uses {
    alike: Vec<Vec<UserId>>,
    of: BTreeMap<UserId, Vec<usize>>,
}

/// Vertices besides the nodes of the program: single facts, and what is demanded on single paths.
#[derive(Clone, Default, Debug)]
pub struct InnerGraph {
    pub needs: BTreeMap<UserId, Needs>,
    /// The node that answers for a fact.
    pub stands_for: BTreeMap<UserId, UserId>,
}

/// Which edges count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeFilter {
    All,
    /// Those that only unreachable paths contribute do not.
    WithoutInfeasibility,
}

impl Graph {
    /// Joins the members' results. Postconditions of abstract members rest on all their preconditions.
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
    /// All that is known of a member but for what it needs.
    pub(super) fn add_verdicts(&mut self, member: &mut MemberNeeds) {
        self.failed.append(&mut member.failed);
        self.vacuous.append(&mut member.vacuous);
        self.dead.append(&mut member.dead);
        self.indispensable.append(&mut member.indispensable);
        self.coarse.append(&mut member.coarse);
        self.add_flow(std::mem::take(&mut member.flow));
    }
    /// Promises of members without a body rest on all that these demand.
    pub(super) fn add_abstract_contracts(&mut self, nodes: &Nodes, via: Via) {
        for (posts, pres) in &nodes.abstract_contracts {
            for post in posts {
                let needs = Arc::make_mut(self.needs.entry(*post).or_default());
                needs.extend(pres.iter().map(|pre| (*pre, via)));
            }
        }
    }
    /// A graph as it was written down: every node that demands something with what it needs, and how.
    pub fn from_parts(
        needs: impl IntoIterator<Item = (UserId, Arc<Needs>)>,
        failed: BTreeSet<UserId>,
        vacuous: BTreeSet<UserId>,
    ) -> Self {
        Graph { needs: needs.into_iter().collect(), failed, vacuous, ..Graph::default() }
    }
    /// A graph under the definition by executions.
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
    /// The events of another member.
    fn add_flow(&mut self, events: Vec<Event>) {
        let before = self.flow.len();
        let moved = |event: Event| Event { of: event.of.iter().map(|of| of + before).collect(), ..event };
        self.flow.extend(events.into_iter().map(moved));
    }
    pub fn inner(&self) -> &InnerGraph {
        &self.inner
    }
    /// Adds an edge between inner vertices; whether that says anything new.
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
    /// A node rests on others besides.
    pub fn rest_on<'u>(&mut self, user: UserId, on: impl IntoIterator<Item = &'u UserId>) {
        self.uses.take();
        let needs = Arc::make_mut(self.needs.entry(user).or_default());
        needs.extend(on.into_iter().map(|on| (*on, Via::Value)));
    }
    /// What a node needs, and what is known about that, is what it is in another graph of the same program.
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
    /// The nodes that demand something, with all that they need directly.
    pub fn needs(&self) -> impl Iterator<Item = (UserId, &Arc<Needs>)> {
        self.needs.iter().map(|(user, needs)| (*user, needs))
    }
    /// The node that a vertex is a part of.
    fn node(&self, vertex: UserId) -> Option<UserId> {
        let inner = self.inner.needs.contains_key(&vertex);
        if inner { self.inner.stands_for.get(&vertex).copied() } else { Some(vertex) }
    }
    /// The nodes that demand something, with what they need directly.
    pub fn edges(&self) -> impl Iterator<Item = (UserId, UserId, Via)> {
        self.needs.iter().flat_map(|(user, needs)| needs.iter().map(|(on, via)| (*user, *on, *via)))
    }
    pub fn is_asserted(&self, user: UserId) -> bool {
        self.needs.contains_key(&user)
    }
    pub fn asserted(&self) -> impl Iterator<Item = UserId> {
        self.needs.keys().copied()
    }
    /// One step.
    pub fn direct(&self, of: UserId) -> BTreeSet<UserId> {
        self.direct_among(of, |_| true)
    }
    /// One step, through all nodes but certain ones.
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
    /// Direct dependencies with the reason for each: a proof if one way there consists of proofs only.
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
    /// The shortest way from some nodes to what they need among others: each node on it, with how the one before needs it.
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
                // Of a node and its parts one is enough.
                Some(node) if way.last().is_none_or(|(last, _)| *last != node) => way.push((node, via)),
                _ => {}
            }
            at = before;
        }
        way.reverse();
        way
    }
    /// Everything that the nodes need, directly or not. A node is in it only if it needs itself through others or is
    /// needed by another one.
    pub fn dependencies(&self, of: impl IntoIterator<Item = UserId>, filter: EdgeFilter) -> BTreeSet<UserId> {
        self.dependencies_without(of, filter, &BTreeSet::new())
    }
    /// Dependencies that ignore some nodes, and everything that only these need.
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
    /// Everything whose proof needs one of the nodes, directly or not: what falls if they turn out false.
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
    /// Why an answer about nodes that comes down to others may be larger than it has to be, if it may.
    pub fn coarse_among(&self, users: impl IntoIterator<Item = UserId>) -> Option<Coarse> {
        if self.coarse.is_empty() {
            return None;
        }
        users.into_iter().filter_map(|user| self.coarse.get(&user)).min().copied()
    }
    fn is_needed(&self, user: UserId) -> bool {
        self.uses().of.contains_key(&user)
    }
    /// As what a node is assumed: what failed to be proved is believed all the same, and what gives permission away
    /// counts where something that sees what is left needs it.
    pub fn assumption(&self, nodes: &Nodes, user: UserId) -> Option<Assumption> {
        match nodes.all[user].assumption {
            Some(Assumption::Internal) => Some(Assumption::Internal),
            _ if self.failed.contains(&user) => Some(Assumption::Explicit),
            Some(Assumption::Explicit) if self.discharged.contains(&user) => Some(Assumption::Implicit),
            None if nodes.introspect && self.is_needed(user) => Some(Assumption::Implicit),
            assumption => assumption,
        }
    }
    /// As what a node is asserted, if it demands anything.
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

    /// 0 is asserted and needs the fact 10 of 1; 1 needs 2 on that path, and 3 on another, whose fact is 11.
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
