//! Truth values, definitions, and functions of equal arguments.

use super::classes::Classes;
use super::search::State;
use super::{FALSE, Ground, Mask, Shape, TRUE, truth};
use echis_base::{FastMap, Mixer};
use echis_term::Op;
use std::hash::{Hash, Hasher};

impl Ground<'_> {
    pub(super) fn propagate(&self, classes: &mut Classes, node: usize) {
        let Shape::Op(op, _) = self.nodes[node].shape else { return };
        let children = &self.nodes[node].children;
        match (op, &children[..]) {
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
    /// A conjunction (`of` true) or a disjunction.
    fn propagate_all(&self, classes: &mut Classes, node: usize, parts: &[usize], of: bool) {
        let values: Vec<Option<(bool, Mask)>> = parts.iter().map(|part| classes.truth(*part)).collect();
        if let Some((_, mask)) = values.iter().flatten().find(|(value, _)| *value != of) {
            classes.merge(node, truth(!of), *mask);
        }
        let neutral = values.iter().flatten().fold(0, |all, (_, mask)| all | mask);
        let open: Vec<usize> = (0..parts.len()).filter(|part| values[*part].is_none()).collect();
        let all_neutral = values.iter().flatten().all(|(value, _)| *value == of);
        if open.is_empty() && all_neutral {
            classes.merge(node, truth(of), neutral);
        }
        match classes.truth(node) {
            Some((value, mask)) if value == of => parts.iter().for_each(|part| classes.merge(*part, truth(of), mask)),
            Some((_, mask)) if all_neutral && open.len() == 1 => {
                classes.merge(parts[open[0]], truth(!of), mask | neutral);
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
    /// Functions of equal arguments are equal; parts of equal pairs are equal.
    pub(super) fn close(&self, state: &mut State) {
        let (classes, present) = (&mut state.classes, &state.present);
        // Two different ones of the same hash are not compared; that costs a proof, once in a long time.
        let mut seen: FastMap<u64, usize> = FastMap::with_capacity_and_hasher(self.nodes.len(), Default::default());
        let mut built: FastMap<(usize, bool), usize> = FastMap::default();
        for (node, data) in self.nodes.iter().enumerate() {
            if data.children.is_empty() || present[node].is_none() {
                continue;
            }
            let mut hasher = Mixer::default();
            data.shape.hash(&mut hasher);
            data.children.iter().for_each(|child| classes.find(*child).0.hash(&mut hasher));
            let other = *seen.entry(hasher.finish()).or_insert(node);
            let others = &self.nodes[other];
            if other != node && others.shape == data.shape && others.children.len() == data.children.len() {
                let same =
                    data.children.iter().zip(&others.children).map(|(child, other)| classes.same(*child, *other));
                if let Some(why) = same.collect::<Option<Vec<Mask>>>() {
                    classes.merge(node, other, why.iter().fold(0, |all, mask| all | mask));
                }
            }
            if let Shape::Op(Op::Combine | Op::Wrap(_), _) = data.shape {
                let (class, mask) = classes.find(node);
                match built.get(&(class, data.children.len() == 2)) {
                    Some(other) if self.nodes[*other].shape == data.shape => {
                        let mask = mask | classes.find(*other).1;
                        let pairs = data.children.iter().zip(&self.nodes[*other].children);
                        pairs.for_each(|(part, other)| classes.merge(*part, *other, mask));
                    }
                    Some(_) => {}
                    None => drop(built.insert((class, data.children.len() == 2), node)),
                }
            }
        }
        for (node, data) in self.nodes.iter().enumerate().filter(|(node, _)| present[*node].is_some()) {
            let Shape::Op(op @ (Op::First | Op::Second | Op::Unwrap(_)), _) = data.shape else { continue };
            let (class, mask) = classes.find(data.children[0]);
            let Some(whole) = built.get(&(class, !matches!(op, Op::Unwrap(_)))).copied() else { continue };
            let part = self.nodes[whole].children[usize::from(op == Op::Second)];
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
