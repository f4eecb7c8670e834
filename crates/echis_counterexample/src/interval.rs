//! An interval of integers as one value. `structure::intervals` evaluates terms with it.

use echis_term::{Integer, SymbolId};
use std::cmp::Ordering;

/// `offset` plus some integer strictly between the bounds. A missing bound means unbounded.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Interval {
    pub of: IntervalOwner,
    pub above: Option<Integer>,
    pub below: Option<Integer>,
    pub offset: Integer,
}

/// The owner of an interval; those of different owners denote different integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IntervalOwner {
    pub variable: SymbolId,
    /// The constructor argument, if the variable's value is a function application.
    pub argument: Option<(SymbolId, usize)>,
}

/// A comparison of the difference of two integers with a third.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Difference {
    pub left: IntervalOwner,
    pub right: IntervalOwner,
    pub to: Integer,
    /// The minimum and maximum of the difference.
    pub range: (Option<Integer>, Option<Integer>),
}

impl Difference {
    /// Whether the comparison can have this result.
    pub fn can_be(&self, order: Ordering) -> bool {
        let (least, most) = &self.range;
        let below = least.as_ref().is_none_or(|least| *least < self.to);
        let above = most.as_ref().is_none_or(|most| *most > self.to);
        match order {
            Ordering::Less => below,
            Ordering::Greater => above,
            Ordering::Equal => {
                least.as_ref().is_none_or(|least| *least <= self.to)
                    && most.as_ref().is_none_or(|most| *most >= self.to)
            }
        }
    }
}
