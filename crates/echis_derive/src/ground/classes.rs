//! Congruence classes (union-find), and why terms are equal.

use super::{FALSE, TRUE};
use crate::mask::Mask;

/// Which terms are equal, and why.
#[derive(Clone)]
pub struct Classes {
    /// Each term's way up to the one that stands for its class, and what the step rests on.
    up: Vec<(usize, Mask)>,
    /// Numbers stand for their classes: that something else is the same says nothing about them.
    is_number: Vec<bool>,
    pub changed: bool,
}

impl Classes {
    /// Each of these terms alone. What is said of them: whether they are numbers.
    pub fn new(terms: impl Iterator<Item = bool>) -> Self {
        let mut classes = Classes { up: Vec::new(), is_number: Vec::new(), changed: false };
        classes.grow(terms);
        classes
    }
    pub fn len(&self) -> usize {
        self.up.len()
    }
    /// There are more terms now.
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
        let first = |node: usize| (!self.is_number[node], node);
        let (from, to) = if first(low) < first(high) { (high, low) } else { (low, high) };
        self.up[from] = (to, mask | below | above);
        self.changed = true;
    }
}
