//! Unit propagation of truth values, definitions, and congruence closure.

use super::classes::Classes;
use super::search::State;
use super::{FALSE, Ground, Shape, TRUE, truth};
use echis_base::{FastHasher, FastMap};
use echis_term::Op;
use std::hash::{Hash, Hasher};

impl Ground<'_> {
    pub(super) fn propagate(&self, classes: &mut Classes, node: usize) {
        let Shape::Op(op, _) = self.nodes[node].shape else { return };
        match (op, self.children(node)) {
            (Op::Not, [part]) => {
                for (from, to) in [(*part, node), (node, *part)] {
                    if let Some((value, mask)) = classes.truth(from) {
                        classes.merge(to, truth(!value), mask);
                    }
                }
            }
            (Op::And, parts) => self.propagate_all(classes, node, parts, true),
            (Op::Or, parts) => self.propagate_all(classes, node, parts, false),
            (Op::Implies, [left, right]) => self.propagate_implication(classes, node, *left, *right),
            (Op::Ite, [condition, yes, no]) => {
                if let Some((value, mask)) = classes.truth(*condition) {
                    classes.merge(node, if value { *yes } else { *no }, mask);
                }
                if let Some(mask) = classes.same(*yes, *no) {
                    classes.merge(node, *yes, mask);
                }
            }
            (Op::Eq, [left, right]) => {
                if let Some((true, mask)) = classes.truth(node) {
                    classes.merge(*left, *right, mask);
                } else if let Some(mask) = classes.same(*left, *right) {
                    classes.merge(node, TRUE, mask);
                }
            }
            _ => {}
        }
    }
    /// Propagates a conjunction (`of` true) or a disjunction.
    fn propagate_all(&self, classes: &mut Classes, node: usize, parts: &[usize], of: bool) {
        let (mut neutral, mut opposite, mut open, mut count) = (0, None, None, 0);
        for part in parts {
            match classes.truth(*part) {
                Some((value, mask)) if value == of => neutral |= mask,
                Some((_, mask)) => opposite = opposite.or(Some(mask)),
                None => {
                    open = open.or(Some(*part));
                    count += 1;
                }
            }
        }
        match (opposite, open) {
            (Some(mask), _) => classes.merge(node, truth(!of), mask),
            (None, None) => classes.merge(node, truth(of), neutral),
            _ => {}
        }
        match (classes.truth(node), open) {
            (Some((value, mask)), _) if value == of => {
                parts.iter().for_each(|part| classes.merge(*part, truth(of), mask));
            }
            (Some((_, mask)), Some(part)) if opposite.is_none() && count == 1 => {
                classes.merge(part, truth(!of), mask | neutral);
            }
            _ => {}
        }
    }
    fn propagate_implication(&self, classes: &mut Classes, node: usize, left: usize, right: usize) {
        match classes.truth(left) {
            Some((true, mask)) => classes.merge(node, right, mask),
            Some((false, mask)) => classes.merge(node, TRUE, mask),
            None => {}
        }
        if let Some((true, mask)) = classes.truth(right) {
            classes.merge(node, TRUE, mask);
        }
        match (classes.truth(node), classes.truth(right)) {
            (Some((false, mask)), _) => {
                classes.merge(left, TRUE, mask);
                classes.merge(right, FALSE, mask);
            }
            (Some((true, mask)), Some((false, other))) => classes.merge(left, FALSE, mask | other),
            _ => {}
        }
    }
    /// Applications to equal arguments are equal; components of equal pairs are equal.
    pub(super) fn close_congruence(&mut self, state: &mut State) {
        let (classes, present) = (&mut state.classes, &state.present);
        // Different terms with the same hash are not compared; a collision may lose a proof, very rarely.
        let mut seen = std::mem::take(self.seen);
        seen.clear();
        let mut built: FastMap<(usize, bool), usize> = FastMap::default();
        for (node, data) in self.nodes.iter().enumerate() {
            let children = self.children(node);
            if children.is_empty() || present[node].is_none() {
                continue;
            }
            let mut hasher = FastHasher::default();
            data.shape.hash(&mut hasher);
            children.iter().for_each(|child| classes.find(*child).0.hash(&mut hasher));
            let other = *seen.entry(hasher.finish()).or_insert(node);
            if other != node && self.nodes[other].shape == data.shape {
                let pairs = || children.iter().zip(self.children(other));
                let same = children.len() == self.children(other).len();
                let why = pairs().try_fold(0, |all, (child, other)| Some(all | classes.same(*child, *other)?));
                if let Some(why) = why.filter(|_| same) {
                    classes.merge(node, other, why);
                }
            }
            if let Shape::Op(Op::Combine | Op::Wrap(_), _) = data.shape {
                let (class, mask) = classes.find(node);
                match built.get(&(class, children.len() == 2)) {
                    Some(other) if self.nodes[*other].shape == data.shape => {
                        let mask = mask | classes.find(*other).1;
                        let pairs = children.iter().zip(self.children(*other));
                        pairs.for_each(|(part, other)| classes.merge(*part, *other, mask));
                    }
                    Some(_) => {}
                    None => drop(built.insert((class, children.len() == 2), node)),
                }
            }
        }
        *self.seen = seen;
        for (node, data) in self.nodes.iter().enumerate().filter(|(node, _)| present[*node].is_some()) {
            let Shape::Op(op @ (Op::First | Op::Second | Op::Unwrap(_)), _) = data.shape else { continue };
            let (class, mask) = classes.find(self.children(node)[0]);
            let Some(whole) = built.get(&(class, !matches!(op, Op::Unwrap(_)))).copied() else { continue };
            let part = self.children(whole)[usize::from(op == Op::Second)];
            let fits = match (op, self.nodes[whole].shape) {
                (Op::Unwrap(sort), Shape::Op(Op::Wrap(wrapped), _)) => sort == wrapped,
                (Op::First | Op::Second, Shape::Op(Op::Combine, _)) => true,
                _ => false,
            };
            if fits {
                classes.merge(node, part, mask | classes.find(whole).1);
            }
        }
    }
}
