//! Evaluation with an interval in place of an integer, for quantifiers over all integers. A term has a value only if
//! it is the same for the whole interval. Otherwise evaluation records the integer at which the value changes, or the
//! other interval it depends on, and the caller tries again with smaller intervals or with each order of the two.

use super::Structure;
use crate::interval::{Difference, Interval, IntervalOwner};
use crate::limits::LIMITS;
use crate::value::Value;
use echis_term::{Integer, Op};
use std::cmp::Ordering;

impl Interval {
    /// All integers, as the marked ones and the ranges between them. `None` if there are too many.
    pub fn classes(of: IntervalOwner, marks: &[Integer]) -> Option<Vec<Value>> {
        if marks.len() > LIMITS.marks {
            return None;
        }
        let mut values: Vec<Value> = marks.iter().cloned().map(Value::int).collect();
        let ends = [None].into_iter().chain(marks.iter().cloned().map(Some));
        for (above, below) in ends.zip(marks.iter().cloned().map(Some).chain([None])) {
            let is_empty =
                above.as_ref().zip(below.as_ref()).is_some_and(|(above, below)| below - above <= Integer::ONE);
            if !is_empty {
                values.push(Value::Interval(Box::new(Interval { of, above, below, offset: Integer::ZERO })));
            }
        }
        Some(values)
    }
    fn moved(&self, by: &Integer) -> Value {
        Value::Interval(Box::new(Interval { offset: &self.offset + by, ..self.clone() }))
    }
    /// Some integer in the range.
    pub fn example(&self) -> Integer {
        let near = match (&self.above, &self.below) {
            (Some(above), _) => above + Integer::ONE,
            (None, Some(below)) => below - Integer::ONE,
            (None, None) => Integer::ZERO,
        };
        near + &self.offset
    }
    fn least(&self) -> Option<Integer> {
        self.above.as_ref().map(|above| above + Integer::ONE + &self.offset)
    }
    fn most(&self) -> Option<Integer> {
        self.below.as_ref().map(|below| below - Integer::ONE + &self.offset)
    }
}

pub fn is_any(values: &[Value]) -> bool {
    values.iter().any(Value::is_any)
}

impl Structure<'_> {
    /// An operator with an operand that represents several values.
    pub fn between(&self, op: Op, values: &[Value]) -> Option<Value> {
        match (op, values) {
            (Op::Eq, [left, right]) => self.same(left, right).map(Value::truth),
            (Op::Lt, [left, right]) => self.compare(left, right).map(|order| Value::truth(order == Ordering::Less)),
            (Op::Le, [left, right]) => self.compare(left, right).map(|order| Value::truth(order != Ordering::Greater)),
            (Op::Add, parts) => {
                let mut ranges = parts.iter().filter(|part| matches!(part, Value::Interval(_)));
                let (Some(Value::Interval(between)), None) = (ranges.next(), ranges.next()) else { return None };
                let others = parts.iter().filter_map(Value::as_int).fold(Integer::ZERO, |sum, part| sum + part);
                Some(between.moved(&others))
            }
            (Op::Sub, [Value::Interval(between), right]) => Some(between.moved(&-right.as_int()?.clone())),
            (Op::SeqContains, [Value::Seq(items), item]) => self.is_in(items.iter(), item),
            (Op::SetContains, [Value::Set(items), item]) => self.is_in(items.iter(), item),
            (Op::MapContains, [Value::Map(items), item]) => self.is_in(items.keys(), item),
            (Op::MultisetCount, [Value::Multiset(items), item]) => {
                self.is_in(items.keys(), item)?.as_bool().filter(|inside| !inside).map(|_| Value::int(0))
            }
            _ => None,
        }
    }
    pub fn is_in<'v>(&self, items: impl Iterator<Item = &'v Value>, item: &Value) -> Option<Value> {
        let mut open = false;
        for other in items {
            match self.same(item, other) {
                Some(true) => return Some(Value::truth(true)),
                Some(false) => {}
                None => open = true,
            }
        }
        (!open).then(|| Value::truth(false))
    }
    /// Whether two values are equal, for all values that they represent.
    pub fn same(&self, left: &Value, right: &Value) -> Option<bool> {
        if !left.is_any() && !right.is_any() {
            return Some(left == right);
        }
        match (left, right) {
            (Value::Unlike(left), Value::Unlike(right)) => (left == right).then_some(true),
            (Value::Unlike(_), _) | (_, Value::Unlike(_)) => Some(false),
            (Value::Other(left), Value::Other(right)) => (left == right).then_some(true),
            (Value::Other(_), Value::Plain(_)) | (Value::Plain(_), Value::Other(_)) => Some(false),
            (Value::Other(_), _) | (_, Value::Other(_)) => None,
            (Value::Interval(_), _) | (_, Value::Interval(_)) => {
                self.compare(left, right).map(|order| order == Ordering::Equal)
            }
            (Value::Made(left, parts), Value::Made(right, others))
            | (Value::Fresh(left, parts), Value::Fresh(right, others)) => {
                if left == right {
                    self.all_same(parts.iter().zip(others))
                } else {
                    Some(false)
                }
            }
            (Value::Pair(left), Value::Pair(right)) => {
                self.all_same([(&left.0, &right.0), (&left.1, &right.1)].into_iter())
            }
            (Value::Wrapped(left, value), Value::Wrapped(right, other)) => {
                if left == right {
                    self.same(value, other)
                } else {
                    Some(false)
                }
            }
            _ => Some(false),
        }
    }
    fn all_same<'v>(&self, pairs: impl Iterator<Item = (&'v Value, &'v Value)>) -> Option<bool> {
        let mut all = Some(true);
        for (left, right) in pairs {
            match self.same(left, right) {
                Some(false) => return Some(false),
                Some(true) => {}
                None => all = None,
            }
        }
        all
    }
    pub fn compare(&self, left: &Value, right: &Value) -> Option<Ordering> {
        match (left, right) {
            (Value::Interval(left), Value::Interval(right)) => self.compare_ranges(left, right),
            (Value::Interval(between), other) => self.place(between, other.as_int()?),
            (other, Value::Interval(between)) => self.place(between, other.as_int()?).map(Ordering::reverse),
            _ => Some(left.as_int()?.cmp(right.as_int()?)),
        }
    }
    fn compare_ranges(&self, left: &Interval, right: &Interval) -> Option<Ordering> {
        if left.of == right.of {
            return Some(left.offset.cmp(&right.offset));
        }
        if let (Some(most), Some(least)) = (left.most(), right.least())
            && most < least
        {
            return Some(Ordering::Less);
        }
        if let (Some(least), Some(most)) = (left.least(), right.most())
            && most < least
        {
            return Some(Ordering::Greater);
        }
        // left + a ? right + b, which is left - right ? b - a.
        let to = &right.offset - &left.offset;
        let minus =
            |left: Option<Integer>, right: Option<Integer>| left.zip(right).map(|(left, right)| left - right + &to);
        let (least, most) = (minus(left.least(), right.most()), minus(left.most(), right.least()));
        if left.of < right.of {
            self.difference(Difference { left: left.of, right: right.of, to, range: (least, most) })
        } else {
            let range = (most.map(|most| -most), least.map(|least| -least));
            self.difference(Difference { left: right.of, right: left.of, to: -to, range }).map(Ordering::reverse)
        }
    }
    /// The assumed order of the two; if none, the comparison is recorded for a case split.
    fn difference(&self, asked: Difference) -> Option<Ordering> {
        let assumed = self.orders.borrow();
        for (known, order) in assumed.iter().filter(|(known, _)| (known.left, known.right) == (asked.left, asked.right))
        {
            match order {
                Ordering::Equal => return Some(known.to.cmp(&asked.to)),
                Ordering::Less if asked.to >= known.to => return Some(Ordering::Less),
                Ordering::Greater if asked.to <= known.to => return Some(Ordering::Greater),
                _ => {}
            }
        }
        drop(assumed);
        self.asked.borrow_mut().get_or_insert(asked);
        None
    }
    fn place(&self, between: &Interval, other: &Integer) -> Option<Ordering> {
        let at = other - &between.offset;
        if between.above.as_ref().is_some_and(|above| at <= *above) {
            return Some(Ordering::Greater);
        }
        if between.below.as_ref().is_some_and(|below| *below <= at) {
            return Some(Ordering::Less);
        }
        self.marks.borrow_mut().entry(between.of).or_default().insert(at);
        None
    }
    /// Whether arguments that represent several values match no point of a table.
    pub fn is_apart<'v>(&self, points: impl Iterator<Item = &'v Vec<Value>>, args: &[Value]) -> bool {
        let mut apart = true;
        for point in points {
            apart &= self.all_same(point.iter().zip(args)) == Some(false);
        }
        apart
    }
}
