//! Builds the graph of a whole program from the fact-level graphs of its members.

use crate::graph::{EdgeFilter, Graph, InnerGraph};
use crate::kind::Construct;
use crate::needs::{FactGraph, MemberNeeds, Target, add};
use crate::nodes::{Nodes, UserId};
use crate::via::Via;
use echis_base::Key;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// A dependency through a call, which exists if the callee's postcondition rests on the precondition.
struct Conditional {
    from: UserId,
    post: UserId,
    pre: UserId,
    to: UserId,
}

/// For each node, the members in which it demands something, each with the range of its vertices and the demands.
type Demanded = BTreeMap<UserId, Vec<(Range<usize>, Vec<UserId>)>>;

/// Adds a node's demands in other members wherever it is used.
fn add_demands_of_other_members(demanded: &Demanded, inner: &mut InnerGraph) {
    for (vertex, user) in &inner.stands_for {
        for (range, demands) in demanded.get(user).into_iter().flatten() {
            if !range.contains(&vertex.index()) {
                let needs = inner.needs.entry(*vertex).or_default();
                demands.iter().for_each(|demand| add(needs, *demand, Via::Value));
            }
        }
    }
}

pub fn execution_graph(nodes: &Nodes, members: impl IntoIterator<Item = MemberNeeds>) -> Graph {
    let mut inner = InnerGraph::default();
    let mut needs: BTreeMap<UserId, BTreeMap<UserId, Via>> = BTreeMap::new();
    let mut conditionals = Vec::new();
    let mut demanded: Demanded = BTreeMap::new();
    let mut start = nodes.all.len();
    let mut graph = Graph::default();
    for mut member in members {
        graph.add_verdicts(&mut member);
        let FactGraph { vertices, demands, closed } = member.fact_graph.unwrap_or_default();
        let here = |number: usize| UserId::new(start + number);
        for (user, numbers) in &demands {
            let range = start..start + vertices.len();
            demanded.entry(*user).or_default().push((range, numbers.iter().map(|number| here(*number)).collect()));
        }
        for user in member.needs.into_keys() {
            let known = needs.entry(user).or_default();
            for number in demands.get(&user).into_iter().flatten() {
                add(known, here(*number), Via::Value);
            }
            for (on, via) in closed.get(&user).into_iter().flatten() {
                add(known, *on, *via);
            }
        }
        for (number, vertex) in vertices.iter().enumerate() {
            let targets = vertex.needs.iter().map(|(target, via)| match target {
                Target::Here(number) => (here(*number), *via),
                Target::User(user) => (*user, *via),
            });
            inner.needs.insert(here(number), targets.collect());
            if let Some(user) = vertex.user {
                inner.stands_for.insert(here(number), user);
            }
            let by_precondition = vertex.by_precondition.iter();
            conditionals.extend(by_precondition.filter_map(|(pre, to)| {
                Some(Conditional { from: here(number), post: vertex.postcondition?, pre: *pre, to: here(*to) })
            }));
        }
        start += vertices.len();
    }
    add_demands_of_other_members(&demanded, &mut inner);
    let needs = needs.into_iter().map(|(user, needs)| (user, Arc::new(needs)));
    graph = graph.with_inner(needs, inner);
    graph.add_abstract_contracts(nodes, Via::Value);
    while connect(nodes, &mut graph, &conditionals) {}
    graph
}

/// Connects the facts of calls to the preconditions that their postconditions rest on in the callee. Returns whether
/// any edge is new: with recursion, one may lead to another.
fn connect(nodes: &Nodes, graph: &mut Graph, conditionals: &[Conditional]) -> bool {
    let posts: BTreeSet<UserId> = conditionals.iter().map(|conditional| conditional.post).collect();
    let is_pre = |user: &UserId| nodes.all[*user].construct == Construct::Precondition;
    let pres = |filter| {
        let of = |post: &UserId| graph.dependencies([*post], filter).into_iter().filter(is_pre).collect();
        posts.iter().map(|post| (*post, of(post))).collect::<BTreeMap<UserId, BTreeSet<UserId>>>()
    };
    let (all, certain) = (pres(EdgeFilter::All), pres(EdgeFilter::WithoutInfeasibility));
    let mut changed = false;
    for Conditional { from, post, pre, to } in conditionals {
        if !all[post].contains(pre) {
            continue;
        }
        let via = if certain[post].contains(pre) { Via::Value } else { Via::Infeasibility };
        changed |= graph.connect(*from, *to, via);
    }
    changed
}
