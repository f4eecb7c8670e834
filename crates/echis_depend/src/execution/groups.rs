//! Groups the facts of a path that belong to the same nodes.

use crate::blame::{Blame, Facts};
use crate::nodes::UserId;
use echis_base::Key;
use echis_proof::NodeId;
use std::collections::HashMap;

/// The facts that belong to the same nodes, as chains up the tree.
pub struct Groups {
    /// The last such fact on the path to a node.
    before: Vec<Option<NodeId>>,
    /// The group and the source of a node that states a fact.
    stated: Vec<Option<(usize, NodeId)>>,
    numbers: HashMap<Vec<UserId>, usize>,
}

impl Groups {
    pub fn new(facts: Facts) -> Self {
        let mut groups = Groups { before: Vec::new(), stated: Vec::new(), numbers: HashMap::new() };
        for (id, node) in facts.tree.nodes.iter() {
            let says = facts.replayed(id).is_some_and(|term| !facts.tree.terms.is_true(term));
            let stated = match facts.blame(id) {
                Blame::Shown(users) if says => {
                    let next = groups.numbers.len();
                    Some((*groups.numbers.entry(users).or_insert(next), facts.source(id)))
                }
                _ => None,
            };
            let before = node.parent.and_then(|parent| match groups.stated[parent.index()] {
                Some(_) => Some(parent),
                None => groups.before[parent.index()],
            });
            groups.before.push(before);
            groups.stated.push(stated);
        }
        groups
    }
    /// The facts of a path that belong to the given nodes, and where they were first learned.
    pub fn stated_by(&self, at: NodeId, users: &[UserId]) -> Vec<(NodeId, NodeId)> {
        let Some(group) = self.numbers.get(users) else { return Vec::new() };
        let chain = std::iter::successors(Some(at), |node| self.before[node.index()]);
        let stated = chain.filter_map(|node| Some((node, self.stated[node.index()]?)));
        stated.filter(|(_, (found, _))| found == group).map(|(node, (_, source))| (node, source)).collect()
    }
}
