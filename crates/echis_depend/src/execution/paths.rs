//! Determines which nodes of a tree lie on mutually exclusive paths.

use crate::blame::Facts;
use echis_base::Key;
use echis_proof::{NodeId, Part, Step};
use echis_term::TermId;
use std::cell::RefCell;
use std::collections::HashMap;

/// For each node of a tree, the sides of case distinctions on its path.
///
/// Guards inside quantifiers do not count: in one execution, they hold for some values and not for others. The sides
/// of a loop's condition do. The premises of an invariant lie on both sides, but come after the invariant was assumed
/// on either.
pub struct Paths<'a> {
    facts: Facts<'a>,
    /// The last side on the path to each node.
    sides: Vec<Option<NodeId>>,
    /// Cached answers, by last sides.
    known: RefCell<HashMap<(NodeId, NodeId), bool>>,
}

impl<'a> Paths<'a> {
    pub fn new(facts: Facts<'a>) -> Self {
        let tree = facts.tree;
        let mut sides: Vec<Option<NodeId>> = Vec::with_capacity(tree.nodes.len());
        for (id, node) in tree.nodes.iter() {
            let is_closed = |guard: TermId| tree.terms.term(guard).free.is_empty();
            let side = tree.origins[node.origin].part == Part::Guard && guard(&node.step).is_some_and(is_closed);
            // Parents are older than children.
            sides.push(if side { Some(id) } else { node.parent.and_then(|parent| sides[parent.index()]) });
        }
        Paths { facts, sides, known: RefCell::default() }
    }
    /// The sides on the path, from first to last.
    fn sides(&self, node: NodeId) -> Vec<NodeId> {
        let before = |side: &NodeId| self.facts.tree.nodes[*side].parent.and_then(|parent| self.sides[parent.index()]);
        let mut sides: Vec<NodeId> = std::iter::successors(self.sides[node.index()], before).collect();
        sides.reverse();
        sides
    }
    /// Whether the nodes lie on different sides of one case distinction.
    pub fn are_disjoint(&self, a: NodeId, b: NodeId) -> bool {
        let (Some(last_a), Some(last_b)) = (self.sides[a.index()], self.sides[b.index()]) else { return false };
        if last_a == last_b {
            return false;
        }
        let key = (last_a.min(last_b), last_a.max(last_b));
        *self.known.borrow_mut().entry(key).or_insert_with(|| self.part_ways(a, b))
    }
    fn part_ways(&self, a: NodeId, b: NodeId) -> bool {
        let (a, b) = (self.sides(a), self.sides(b));
        let first = a.iter().zip(&b).find(|(a, b)| a != b);
        first.is_some_and(|(a, b)| self.are_sides(*a, *b))
    }
    /// Whether two nodes are the sides of one case distinction. These are created in sequence; an expression
    /// evaluated twice in different states may add further nodes at the same place, with guards that do not exclude
    /// each other.
    fn are_sides(&self, a: NodeId, b: NodeId) -> bool {
        let [first, second] = [a, b].map(|node| &self.facts.tree.nodes[node]);
        let opposite = match (&first.step, &second.step) {
            (Step::Split { negated: one, .. }, Step::Split { negated: other, .. }) => one != other,
            (one, other) => guard(one) != guard(other),
        };
        let together = first.parent == second.parent && first.origin == second.origin;
        together && opposite && a.index().abs_diff(b.index()) == 1
    }
}

fn guard(step: &Step) -> Option<TermId> {
    match step {
        Step::Split { guard, .. } | Step::Dead { fact: guard, .. } => Some(*guard),
        _ => None,
    }
}
