//! Dominators and cycles of a graph whose keys are a reverse postorder, with the entry first.

use super::BlockId;
use echis_base::IndexVec;
use std::collections::BTreeSet;

pub(super) struct Dominators {
    successors: IndexVec<BlockId, Vec<BlockId>>,
    predecessors: IndexVec<BlockId, Vec<BlockId>>,
    /// The immediate dominator; the entry's is itself.
    parent: IndexVec<BlockId, BlockId>,
}

impl Dominators {
    /// Every block must be reachable from the first. A block's parent never has a larger key, so one block's chain
    /// of parents meets another's by always following the larger key; a few rounds reach the fixed point.
    pub(super) fn new(successors: IndexVec<BlockId, Vec<BlockId>>) -> Self {
        let mut predecessors: IndexVec<BlockId, Vec<BlockId>> = successors.keys().map(|_| Vec::new()).collect();
        for (from, targets) in successors.iter() {
            targets.iter().for_each(|&to| predecessors[to].push(from));
        }
        let parent = successors.keys().map(|key| smallest(&predecessors[key]).unwrap_or(key)).collect();
        let mut dominators = Dominators { successors, predecessors, parent };
        while dominators.refine() {}
        dominators
    }

    pub(super) fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block]
    }

    /// Whether every way from the entry to `below` passes `above`.
    pub(super) fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        self.common(above, below) == above
    }

    /// The nearest block that dominates both.
    pub(super) fn common(&self, mut left: BlockId, mut right: BlockId) -> BlockId {
        while left != right {
            if left > right {
                left = self.parent[left];
            } else {
                right = self.parent[right];
            }
        }
        left
    }

    /// The head and everything that comes back to it by the given starts of edges, without leaving by the head.
    pub(super) fn natural_loop(&self, head: BlockId, starts: Vec<BlockId>) -> BTreeSet<BlockId> {
        spread(&self.predecessors, starts, BTreeSet::from([head]), |_| true)
    }

    /// The blocks on a cycle with `block` that does not pass `top`, which dominates it.
    pub(super) fn cycle_below(&self, top: BlockId, block: BlockId) -> BTreeSet<BlockId> {
        let inside = |key: BlockId| key != top && self.dominates(top, key);
        let after = spread(&self.successors, vec![block], BTreeSet::new(), inside);
        spread(&self.predecessors, vec![block], BTreeSet::new(), |key| after.contains(&key))
    }

    fn refine(&mut self) -> bool {
        let mut changed = false;
        for block in self.parent.keys().skip(1) {
            let parent = self.predecessors[block].iter().copied().reduce(|left, right| self.common(left, right));
            let parent = parent.expect("every block but the entry has a predecessor");
            changed |= parent != self.parent[block];
            self.parent[block] = parent;
        }
        changed
    }
}

/// A first estimate: the smallest predecessor comes before the block in a reverse postorder. The entry keeps itself.
fn smallest(predecessors: &[BlockId]) -> Option<BlockId> {
    predecessors.iter().copied().min()
}

/// Adds to `found` what the starts reach along the edges inside the given part.
fn spread(
    edges: &IndexVec<BlockId, Vec<BlockId>>,
    starts: Vec<BlockId>,
    mut found: BTreeSet<BlockId>,
    inside: impl Fn(BlockId) -> bool,
) -> BTreeSet<BlockId> {
    let mut pending = starts;
    while let Some(block) = pending.pop() {
        if inside(block) && found.insert(block) {
            pending.extend(&edges[block]);
        }
    }
    found
}
