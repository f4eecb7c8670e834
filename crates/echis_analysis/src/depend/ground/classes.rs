//! Classes of equal terms, and why they are equal.

use super::{FALSE, Mask, TRUE};

/// Which terms are equal, and why.
#[derive(Clone)]
pub struct Classes {
    /// Each term's way up to the one that stands for its class, and what the step rests on.
    up: Vec<(usize, Mask)>,
    pub changed: bool,
}

impl Classes {
    /// Each of so many terms alone.
    pub fn new(terms: usize) -> Self {
        Classes { up: (0..terms).map(|term| (term, 0)).collect(), changed: false }
    }
    /// There are so many terms now.
    pub fn grow(&mut self, terms: usize) {
        self.up.extend((self.up.len()..terms).map(|term| (term, 0)));
    }
    pub fn find(&self, mut node: usize) -> (usize, Mask) {
        let mut mask = 0;
        while self.up[node].0 != node {
            mask |= self.up[node].1;
            node = self.up[node].0;
        }
        (node, mask)
    }
    /// Shortens all ways.
    pub fn flatten(&mut self) {
        for node in 0..self.up.len() {
            self.up[node] = self.find(node);
        }
    }
    pub fn same(&self, left: usize, right: usize) -> Option<Mask> {
        let ((left, below), (right, above)) = (self.find(left), self.find(right));
        (left == right).then_some(below | above)
    }
    /// The truth values are the first terms, and stand for their classes.
    pub fn truth(&self, node: usize) -> Option<(bool, Mask)> {
        match self.find(node) {
            (TRUE, mask) => Some((true, mask)),
            (FALSE, mask) => Some((false, mask)),
            _ => None,
        }
    }
    pub fn merge(&mut self, left: usize, right: usize, mask: Mask) {
        let ((low, below), (high, above)) = (self.find(left), self.find(right));
        if low == high {
            return;
        }
        // Truth values stay at the top, so that the way to them is short.
        let (from, to) = if low < high { (high, low) } else { (low, high) };
        self.up[from] = (to, mask | below | above);
        self.changed = true;
    }
}
