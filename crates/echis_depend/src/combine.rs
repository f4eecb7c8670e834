//! Merges two graphs of one program, from searches of different effort, into one that is nowhere larger than the
//! second.
//!
//! The needs of a node in either graph are sufficient for all its demands, so they may be taken from either. A search
//! for the minimum of one proof may end up with a dependency that brings along more than the first proof found.

use crate::graph::{EdgeFilter, Graph};
use crate::nodes::UserId;
use std::collections::{BTreeMap, BTreeSet};

impl Graph {
    /// Returns this graph, with some nodes' needs replaced by those in `other`, so that no node has more counted
    /// dependencies than in `other`.
    pub fn bounded_by(mut self, other: &Graph, counts: impl Fn(UserId) -> bool) -> Graph {
        let size = |graph: &Graph, user: UserId| {
            graph.dependencies([user], EdgeFilter::All).into_iter().filter(|user| counts(*user)).count()
        };
        let bounds: BTreeMap<UserId, usize> = other.asserted().map(|user| (user, size(other, user))).collect();
        let mut settled: BTreeSet<UserId> = BTreeSet::new();
        loop {
            let exceeds = |user: &UserId| bounds.get(user).is_some_and(|bound| size(&self, *user) > *bound);
            let larger: Vec<UserId> = self.asserted().filter(exceeds).collect();
            let mut involved = self.dependencies(larger.iter().copied(), EdgeFilter::All);
            involved.extend(larger);
            let new: Vec<UserId> = involved.into_iter().filter(|user| settled.insert(*user)).collect();
            // If all involved nodes are settled, their needs are a subset of those in the other graph.
            if new.is_empty() {
                return self;
            }
            for user in new {
                let within = other.dependencies([user], EdgeFilter::All);
                if !self.direct(user).iter().all(|on| within.contains(on)) {
                    self.take_from(other, user);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::via::Via;
    use echis_base::Key;
    use std::sync::Arc;

    fn node(index: usize) -> UserId {
        UserId::new(index)
    }
    fn graph(edges: &[(usize, &[usize])]) -> Graph {
        let needs = |on: &[usize]| Arc::new(on.iter().map(|on| (node(*on), Via::Value)).collect());
        let needs = edges.iter().map(|(user, on)| (node(*user), needs(on)));
        Graph::from_parts(needs, BTreeSet::new(), BTreeSet::new())
    }
    fn all(graph: &Graph, of: usize) -> Vec<usize> {
        graph.dependencies([node(of)], EdgeFilter::All).into_iter().map(|user| user.index()).collect()
    }

    /// 0 needs only 5 in the first graph, but 5 has many dependencies of its own.
    #[test]
    fn what_drags_more_along_is_not_taken() {
        let full = graph(&[(0, &[5]), (5, &[6, 7, 8]), (9, &[5])]);
        let fast = graph(&[(0, &[1, 2]), (5, &[6, 7, 8]), (9, &[1, 2, 3, 4, 5])]);
        let bounded = full.bounded_by(&fast, |_| true);
        assert_eq!(all(&bounded, 0), [1, 2]);
        assert_eq!(all(&bounded, 9), [5, 6, 7, 8]);
    }

    #[test]
    fn what_is_smaller_stays() {
        let full = graph(&[(0, &[5]), (5, &[6])]);
        let fast = graph(&[(0, &[1, 2, 3]), (5, &[6, 7])]);
        let bounded = full.bounded_by(&fast, |_| true);
        assert_eq!(all(&bounded, 0), [5, 6]);
        assert_eq!(all(&bounded, 5), [6]);
    }

    /// Nodes that do not count are not bounded.
    #[test]
    fn only_what_counts_is_compared() {
        let full = graph(&[(0, &[5, 6, 7])]);
        let fast = graph(&[(0, &[1, 2])]);
        assert_eq!(all(&full.bounded_by(&fast, |user| user.index() < 6), 0), [5, 6, 7]);
    }
}
