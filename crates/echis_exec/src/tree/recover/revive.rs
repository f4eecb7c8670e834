//! Revives paths that only contradict facts assumed after failures: they continue without these facts.

use crate::state::{Cx, State};
use crate::tree::Writer;
use echis_base::SideTable;
use echis_proof::{Because, NodeId, Premise, Property, Rule, Step as TreeStep};
use std::collections::BTreeSet;

/// A fact that rests on failures.
struct Taint {
    failures: BTreeSet<Property>,
    role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// An effect of the program, possibly on an unknown value.
    Done,
    /// Follows from obligations of which some failed, such as the postcondition of a call.
    Promised,
    /// Assumed only because of a failure or missing permission.
    Assumed,
}

impl Writer<'_> {
    /// Returns the state without the recovery assumptions that contradict its path, or `None` if the path is
    /// contradictory anyway.
    pub fn revive(&mut self, st: State, cx: &Cx) -> Option<State> {
        if st.is_dead() || !self.has_recovered(st.at) || !self.is_contradiction(&st, cx) {
            return Some(st);
        }
        let taints = self.taints();
        let mut latest: Vec<Property> = Vec::new();
        for node in self.tree.path(st.at) {
            for failure in taints.get(node).iter().flat_map(|taint| &taint.failures) {
                if !latest.contains(failure) {
                    latest.push(*failure);
                }
            }
        }
        // As little as possible of one failure, the latest first; then of all of them.
        let one = latest.iter().map(|failure| BTreeSet::from([*failure]));
        let all: BTreeSet<Property> = latest.iter().copied().collect();
        for roles in [&[Role::Assumed][..], &[Role::Assumed, Role::Promised]] {
            for failures in one.clone().chain([all.clone()]) {
                let revived = self.without(&st, &taints, &failures, roles);
                if !self.is_contradiction(&revived, cx) {
                    return Some(revived);
                }
            }
        }
        None
    }
    fn has_recovered(&self, at: NodeId) -> bool {
        self.tree.path(at).any(|node| match &self.tree.nodes[node].step {
            TreeStep::Assume { because, .. } => *because == Because::Recovered || self.failure_of(node).is_some(),
            _ => false,
        })
    }
    /// The facts that rest on failures, over the whole tree: premises are older than what rests on them.
    fn taints(&self) -> SideTable<NodeId, Taint> {
        let mut taints: SideTable<NodeId, Taint> = SideTable::new();
        for (node, data) in self.tree.nodes.iter() {
            let TreeStep::Assume { because, premises, .. } = &data.step else { continue };
            let mut failures: BTreeSet<Property> = self.failure_of(node).into_iter().collect();
            let mut inner = Role::Done;
            for premise in premises {
                if let Premise::Fact(fact) = premise
                    && let Some(taint) = taints.get(*fact)
                {
                    failures.extend(&taint.failures);
                    inner = taint.role;
                }
            }
            if !failures.is_empty() {
                let role = match because {
                    Because::Written | Because::Rule(Rule::Definition) => Role::Done,
                    Because::Checked => Role::Promised,
                    Because::Recovered | Because::Rule(_) => Role::Assumed,
                    Because::Lifted => inner,
                };
                taints.set(node, Taint { failures, role });
            }
        }
        taints
    }
    /// Returns the state on a new path without the facts that rest on these failures.
    fn without(
        &mut self,
        st: &State,
        taints: &SideTable<NodeId, Taint>,
        failures: &BTreeSet<Property>,
        roles: &[Role],
    ) -> State {
        let dropped = |node: NodeId| {
            taints.get(node).is_some_and(|taint| {
                roles.contains(&taint.role) && taint.failures.iter().any(|failure| failures.contains(failure))
            })
        };
        let mut path: Vec<NodeId> = self.tree.path(st.at).collect();
        path.reverse();
        let Some(first) = path.iter().position(|node| dropped(*node)) else { return st.clone() };
        let mut revived = st.clone();
        revived.at = path[first - 1];
        for &node in &path[first..] {
            if !dropped(node) {
                let step = self.tree.nodes[node].step.clone();
                let origin = self.tree.origin_of(node);
                revived.at = self.tree.add(revived.at, step, origin);
                if let Some(labelled) = self.tree.labelled_facts.get(node).cloned() {
                    self.tree.labelled_facts.set(revived.at, labelled);
                }
            }
        }
        revived.heap.chunks_mut().retain(|chunk| !(dropped(chunk.grant) && self.is_of_recovery(chunk)));
        revived.stated.version = None;
        revived
    }
}
