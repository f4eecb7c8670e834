//! Determines which nodes proofs need, and the coverage counts of members.

use crate::MemberCoverage;
use echis_depend::{Graph, Nodes, Queries, Share, UserId};
use echis_program::program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// The nodes that some goal needs, transitively.
///
/// What a trusted clause needs to be well-formed, or what maintaining an invariant needs, counts only if a goal needs
/// the clause: otherwise an invariant would cover itself.
pub fn covered(program: &Program, nodes: &Nodes, graph: &Graph) -> BTreeSet<UserId> {
    covered_by(graph, |user| nodes.is_goal(program, user))
}

/// The covered nodes, with goals given as nodes.
pub fn covered_by(graph: &Graph, is_goal: impl Fn(UserId) -> bool) -> BTreeSet<UserId> {
    let mut needs: BTreeMap<UserId, Vec<UserId>> = BTreeMap::new();
    for (user, on, _) in graph.edges() {
        if user != on {
            needs.entry(user).or_default().push(on);
        }
    }
    let mut pending: Vec<UserId> = graph.asserted().filter(|user| is_goal(*user)).collect();
    let mut expanded: BTreeSet<UserId> = pending.iter().copied().collect();
    let mut covered = BTreeSet::new();
    while let Some(user) = pending.pop() {
        for on in needs.get(&user).into_iter().flatten() {
            covered.insert(*on);
            if expanded.insert(*on) {
                pending.push(*on);
            }
        }
    }
    covered
}

/// The coverage of each selected member, from the graph alone.
pub fn members(queries: Queries) -> Vec<MemberCoverage> {
    let shares = queries.coverage().into_iter();
    let members = shares.filter_map(|Share { member, covered, total, uncovered }| {
        Some(MemberCoverage { name: member?, covered, total, uncovered })
    });
    members.collect()
}
