//! Congruence classes (union-find), with reasons for equalities.

use super::{FALSE, TRUE};
use crate::mask::Mask;

/// The equal terms, with reasons.
#[derive(Clone)]
pub struct Classes {
    /// The parent of each term on the path to its representative, and the facts that the step uses.
    up: Vec<(usize, Mask)>,
    /// Numbers represent their classes: merging another term with one says nothing about the number.
    is_number: Vec<bool>,
    pub changed: bool,
}

impl Classes {
    /// Each term in its own class. The items tell which ones are numbers.
    pub fn new(terms: impl Iterator<Item = bool>) -> Self {
        let mut classes = Classes { up: Vec::new(), is_number: Vec::new(), changed: false };
        classes.grow(terms);
        classes
    }
    pub fn len(&self) -> usize {
        self.up.len()
    }
    /// Adds further terms.
    pub fn grow(&mut self, more: impl Iterator<Item = bool>) {
        self.is_number.extend(more);
        self.up.extend((self.up.len()..self.is_number.len()).map(|term| (term, 0)));
    }
    pub fn find(&self, mut node: usize) -> (usize, Mask) {
        let mut mask = 0;
        while self.up[node].0 != node {
            mask |= self.up[node].1;
            node = self.up[node].0;
        }
        (node, mask)
    }
    /// Compresses all paths.
    pub fn flatten(&mut self) {
        for node in 0..self.up.len() {
            self.up[node] = self.find(node);
        }
    }
    pub fn same(&self, left: usize, right: usize) -> Option<Mask> {
        let ((left, below), (right, above)) = (self.find(left), self.find(right));
        (left == right).then_some(below | above)
    }
    /// The truth values are the first terms, and represent their classes.
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
        // Truth values stay representatives, so that paths to them are short.
        let first = |node: usize| (!self.is_number[node], node);
        let (from, to) = if first(low) < first(high) { (high, low) } else { (low, high) };
        self.up[from] = (to, mask | below | above);
        self.changed = true;
    }
}
