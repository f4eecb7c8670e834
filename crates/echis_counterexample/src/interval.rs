//! An interval of integers as one value. `structure::intervals` evaluates terms with it.

use echis_term::{Integer, SymbolId};
use std::cmp::Ordering;

/// `offset` more than any integer strictly between the ends. Without an end there is none.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Interval {
    pub of: IntervalOwner,
    pub above: Option<Integer>,
    pub below: Option<Integer>,
    pub offset: Integer,
}

/// What has this value: another's is another integer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IntervalOwner {
    pub variable: SymbolId,
    /// The argument of the function that made the variable's value.
    pub argument: Option<(SymbolId, usize)>,
}

/// How the difference of two integers compares with a third.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Difference {
    pub left: IntervalOwner,
    pub right: IntervalOwner,
    pub to: Integer,
    /// The least and the greatest difference that there is.
    pub range: (Option<Integer>, Option<Integer>),
}

impl Difference {
    /// Whether two integers compare like this.
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
