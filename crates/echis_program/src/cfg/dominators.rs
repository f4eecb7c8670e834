//! Dominators and cycles of a graph whose keys are a reverse postorder starting at the entry.

use super::BlockId;
use echis_base::IndexVec;
use std::collections::BTreeSet;

pub(super) struct Dominators {
    successors: IndexVec<BlockId, Vec<BlockId>>,
    predecessors: IndexVec<BlockId, Vec<BlockId>>,
    /// The immediate dominator; that of the entry is the entry itself.
    parent: IndexVec<BlockId, BlockId>,
}

impl Dominators {
    /// Every block must be reachable from the first. A block's parent never has a larger key, so the parent chains of
    /// two blocks meet by always following the larger key; a few rounds reach the fixpoint.
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

    /// Whether every path from the entry to `below` passes through `above`.
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

    /// The natural loop of the head for back edges with these sources.
    pub(super) fn natural_loop(&self, head: BlockId, starts: Vec<BlockId>) -> BTreeSet<BlockId> {
        spread(&self.predecessors, starts, BTreeSet::from([head]), |_| true)
    }

    /// The blocks on a cycle with `block` that avoids `top`, which dominates it.
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

/// The initial estimate: the smallest predecessor precedes the block in a reverse postorder. The entry is its own.
fn smallest(predecessors: &[BlockId]) -> Option<BlockId> {
    predecessors.iter().copied().min()
}

/// Adds to `found` the blocks reachable from `starts` through the given part of the graph.
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
