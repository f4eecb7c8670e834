//! Laws of collections, stated for the existing terms: reads of a collection, for every way it is constructed. They
//! are consequences of the solver's axioms.

use super::classes::Classes;
use super::instances::Index;
use super::search::State;
use super::{Ground, Shape};
use echis_term::Op::{self, *};

/// A law for a term that reads a collection, and the collection's constructor.
pub struct Law {
    reader: usize,
    made: usize,
    holds: usize,
}

impl Ground<'_> {
    pub(super) fn apply_laws(&self, state: &mut State) {
        for Law { reader, made, holds } in &self.laws {
            if let (Some(one), Some(other)) = (state.present[*reader], state.present[*made]) {
                state.classes.merge(*holds, super::TRUE, 0);
                self.mark(state, *holds, one | other);
            }
        }
    }
    /// States laws. Returns whether any are new.
    pub(super) fn state_laws(&mut self, state: &State) -> bool {
        let classes = &state.classes;
        let reads = |op: Op| {
            matches!(op, SeqLength | SeqIndex | SeqContains | SetContains | SetSubset | Min | Max | LookupMark)
        };
        let present = self.nodes.iter().enumerate().filter(|(node, _)| state.present[*node].is_some());
        let readers = present.filter_map(|(node, data)| match data.shape {
            Shape::Op(op, _) if reads(op) => Some((node, op)),
            _ => None,
        });
        let readers: Vec<(usize, Op)> = readers.collect();
        if readers.is_empty() {
            return false;
        }
        let index = Index::new(state);
        let members = self.triggers.values().flatten().flatten().any(|trigger| trigger.finds(SeqContains));
        let mut pairs: Vec<(usize, Op, usize)> = Vec::new();
        for (reader, op) in &readers {
            if *op == SeqIndex && members {
                pairs.push((*reader, SeqContains, *reader));
            }
            let made = match op {
                Min | Max | LookupMark => vec![*reader],
                SetSubset => readers.iter().filter(|(_, op)| *op == SetContains).map(|(node, _)| *node).collect(),
                SeqContains => self.children(*reader).iter().flat_map(|child| index.equal_to(*child)).collect(),
                _ => index.equal_to(self.children(*reader)[0]).collect(),
            };
            pairs.extend(made.into_iter().map(|made| (*reader, *op, made)));
        }
        let before = self.laws.len();
        for (reader, op, made) in pairs {
            if self.stated.insert((reader, made)) {
                let law = self.law(classes, reader, op, made);
                self.laws.extend(law.map(|holds| Law { reader, made, holds }));
            }
        }
        self.laws.len() > before
    }
    /// The value of a read, in terms of the collection's parts.
    fn law(&mut self, classes: &Classes, reader: usize, op: Op, made: usize) -> Option<usize> {
        let Shape::Op(maker, _) = self.nodes[made].shape else { return None };
        let parts = self.children(made).to_vec();
        let args = self.children(reader).to_vec();
        let sort = self.nodes[reader].sort;
        // The same read of the collection's constructor term.
        let read = |ground: &mut Self| {
            let mut args = args.clone();
            args[0] = made;
            ground.op(op, sort, &args)
        };
        let equal = |ground: &mut Self, left: usize, right: usize| ground.truth_of(Eq, &[left, right]);
        match (op, maker, &parts[..]) {
            (LookupMark, ..) => Some(reader),
            (Min | Max, _, [left, right]) => {
                let order = self.truth_of(Le, &[*left, *right])?;
                let (low, high) = if op == Min { (*left, *right) } else { (*right, *left) };
                let choice = self.op(Ite, sort, &[order, low, high])?;
                equal(self, reader, choice)
            }
            (SetSubset, SetContains, [set, element]) => {
                classes.same(args[0], *set)?;
                let inside = self.op(SetContains, self.nodes[made].sort, &[args[0], *element])?;
                let also = self.op(SetContains, self.nodes[made].sort, &[args[1], *element])?;
                let both = self.truth_of(And, &[reader, inside])?;
                self.truth_of(Implies, &[both, also])
            }
            (SeqLength, ..) => {
                let length = read(self)?;
                let value = self.length(maker, &parts, sort)?;
                equal(self, length, value)
            }
            // An element read at an index is a member, which facts about all members mention.
            (SeqContains, SeqIndex, [seq, at]) if classes.same(args[0], *seq).is_some() => {
                let (integer, truth) = (self.nodes[*at].sort, self.nodes[super::TRUE].sort);
                let (zero, length) = (self.number(0, integer)?, self.op(SeqLength, integer, &[*seq])?);
                let (above, below) = (self.truth_of(Le, &[zero, *at])?, self.truth_of(Lt, &[*at, length])?);
                let (valid, inside) =
                    (self.truth_of(And, &[above, below])?, self.op(SeqContains, truth, &[*seq, made])?);
                self.truth_of(Implies, &[valid, inside])
            }
            (SeqContains | SetContains, ..) if classes.same(args[0], made).is_some() => {
                let inside = read(self)?;
                let value = self.membership(op, maker, &parts, args[1])?;
                equal(self, inside, value)
            }
            (SeqIndex, ..) => {
                let element = read(self)?;
                self.element(maker, &parts, element, args[1])
            }
            _ => None,
        }
    }
    fn length(&mut self, maker: Op, parts: &[usize], sort: echis_term::SortId) -> Option<usize> {
        let zero = self.number(0, sort)?;
        match (maker, parts) {
            (SeqEmpty(_), _) => Some(zero),
            (SeqSingleton, _) => self.number(1, sort),
            (SeqUpdate, [seq, ..]) => self.op(SeqLength, sort, &[*seq]),
            (SeqAppend, [left, right]) => {
                let left = self.op(SeqLength, sort, &[*left])?;
                let right = self.op(SeqLength, sort, &[*right])?;
                self.op(Add, sort, &[left, right])
            }
            (SeqRange, [from, to]) => {
                let (order, count) = (self.truth_of(Lt, &[*from, *to])?, self.op(Sub, sort, &[*to, *from])?);
                self.op(Ite, sort, &[order, count, zero])
            }
            (SeqTake | SeqDrop, [seq, count]) => {
                let whole = self.op(SeqLength, sort, &[*seq])?;
                let rest = self.op(Sub, sort, &[whole, *count])?;
                let (none, some) = (self.truth_of(Le, &[*count, zero])?, self.truth_of(Le, &[*count, whole])?);
                let (none_is, some_is, all_is) =
                    if maker == SeqTake { (zero, *count, whole) } else { (whole, rest, zero) };
                let inner = self.op(Ite, sort, &[some, some_is, all_is])?;
                self.op(Ite, sort, &[none, none_is, inner])
            }
            _ => None,
        }
    }
    fn membership(&mut self, reader: Op, maker: Op, parts: &[usize], element: usize) -> Option<usize> {
        let truth = self.nodes[super::TRUE].sort;
        match (maker, parts) {
            (SeqEmpty(_) | SetEmpty(_), _) => Some(super::FALSE),
            (SeqSingleton | SetSingleton, [only]) => self.truth_of(Eq, &[element, *only]),
            (SeqRange, [from, to]) => {
                let (above, below) = (self.truth_of(Le, &[*from, element])?, self.truth_of(Lt, &[element, *to])?);
                self.truth_of(And, &[above, below])
            }
            (SetAdd, [set, added]) => {
                let (same, inside) =
                    (self.truth_of(Eq, &[element, *added])?, self.op(reader, truth, &[*set, element])?);
                self.truth_of(Or, &[same, inside])
            }
            (SetUnion | SetIntersection | SetDifference, [left, right]) => {
                let left = self.op(reader, truth, &[*left, element])?;
                let right = self.op(reader, truth, &[*right, element])?;
                match maker {
                    SetUnion => self.truth_of(Or, &[left, right]),
                    SetIntersection => self.truth_of(And, &[left, right]),
                    _ => {
                        let outside = self.truth_of(Not, &[right])?;
                        self.truth_of(And, &[left, outside])
                    }
                }
            }
            _ => None,
        }
    }
    /// The element, provided the index is in range.
    fn element(&mut self, maker: Op, parts: &[usize], element: usize, at: usize) -> Option<usize> {
        let (sort, integer) = (self.nodes[element].sort, self.nodes[at].sort);
        let zero = self.number(0, integer)?;
        let not_before = self.truth_of(Le, &[zero, at])?;
        let (conditions, value) = match (maker, parts) {
            (SeqSingleton, [only]) => (vec![self.truth_of(Eq, &[at, zero])?], *only),
            (SeqRange, [from, to]) => {
                let count = self.op(Sub, integer, &[*to, *from])?;
                (vec![not_before, self.truth_of(Lt, &[at, count])?], self.op(Add, integer, &[*from, at])?)
            }
            (SeqUpdate, [seq, changed, new]) => {
                let length = self.op(SeqLength, integer, &[*seq])?;
                let (here, old) = (self.truth_of(Eq, &[*changed, at])?, self.op(SeqIndex, sort, &[*seq, at])?);
                (vec![not_before, self.truth_of(Lt, &[at, length])?], self.op(Ite, sort, &[here, *new, old])?)
            }
            (SeqTake, [seq, count]) => {
                let length = self.op(SeqLength, integer, &[*seq])?;
                let kept = self.truth_of(Lt, &[at, *count])?;
                (vec![not_before, kept, self.truth_of(Lt, &[at, length])?], self.op(SeqIndex, sort, &[*seq, at])?)
            }
            (SeqDrop, [seq, count]) => {
                let length = self.op(SeqLength, integer, &[*seq])?;
                let (index, dropped) = (self.op(Add, integer, &[at, *count])?, self.truth_of(Le, &[zero, *count])?);
                let inside = self.truth_of(Lt, &[index, length])?;
                (vec![not_before, dropped, inside], self.op(SeqIndex, sort, &[*seq, index])?)
            }
            (SeqAppend, [left, right]) => {
                let length = self.op(SeqLength, integer, &[*left])?;
                let (first, index) = (self.truth_of(Lt, &[at, length])?, self.op(Sub, integer, &[at, length])?);
                let all = self.op(SeqLength, integer, &[*right])?;
                let (early, late) =
                    (self.op(SeqIndex, sort, &[*left, at])?, self.op(SeqIndex, sort, &[*right, index])?);
                (vec![not_before, self.truth_of(Lt, &[index, all])?], self.op(Ite, sort, &[first, early, late])?)
            }
            _ => return None,
        };
        let condition = if conditions.len() == 1 { conditions[0] } else { self.truth_of(And, &conditions)? };
        let equal = self.truth_of(Eq, &[element, value])?;
        self.truth_of(Implies, &[condition, equal])
    }
}
