//! Which nodes do proofs need? Coverage counts for each member.

use crate::cover::MemberCoverage;
use crate::depend::{Assumption, Construct, Graph, Nodes, UserId, View};
use echis_base::{FileId, Name};
use echis_program::program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// The nodes that some goal needs, directly or not.
///
/// What a clause that is only believed needs in order to make sense, or what it takes to keep an invariant, counts only
/// if a goal needs the clause: otherwise an invariant would cover itself.
pub fn covered(program: &Program, nodes: &Nodes, graph: &Graph) -> BTreeSet<UserId> {
    let mut needs: BTreeMap<UserId, Vec<UserId>> = BTreeMap::new();
    for (user, on, _) in graph.edges() {
        if user != on {
            needs.entry(user).or_default().push(on);
        }
    }
    let mut pending: Vec<UserId> = graph.asserted().filter(|user| nodes.is_goal(program, *user)).collect();
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

/// Whether the node can be covered at all: the preconditions of an abstract member are assumed by nobody.
pub fn counts(program: &Program, nodes: &Nodes, user: UserId) -> bool {
    let node = &nodes.all[user];
    let believed = node.construct != Construct::Precondition || node.owner.has_body(program);
    // A promise is an assumption of callers.
    believed && node.assumption.is_some_and(|kind| kind != Assumption::Internal)
}

/// How many nodes of a file that can be assumed are needed, for each selected member in the order of their nodes.
pub fn members(
    program: &Program,
    nodes: &Nodes,
    view: &View,
    main: FileId,
    covered: &BTreeSet<UserId>,
    selected: &dyn Fn(&Name) -> bool,
) -> Vec<MemberCoverage> {
    let mut members: Vec<MemberCoverage> = Vec::new();
    for node in view.nodes.iter().filter(|node| counts(program, nodes, node.id)) {
        if nodes.all[node.id].span.file != main || !selected(&node.member) {
            continue;
        }
        // What nobody calls has no caller that could use what it promises, and what callers use that were not selected is
        // not known.
        let promise = node.construct == Construct::Postcondition && !covered.contains(&node.id);
        let mut callers = super::unused::callers(program, nodes.all[node.id].owner).peekable();
        if promise && (callers.peek().is_none() || !callers.all(|caller| selected(&caller))) {
            continue;
        }
        let index = members.iter().position(|member| member.name == node.member).unwrap_or_else(|| {
            members.push(MemberCoverage { name: node.member.clone(), covered: 0, total: 0, uncovered: Vec::new() });
            members.len() - 1
        });
        let member = &mut members[index];
        member.total += 1;
        if covered.contains(&node.id) {
            member.covered += 1;
        } else {
            member.uncovered.push(node.id);
        }
    }
    members
}
