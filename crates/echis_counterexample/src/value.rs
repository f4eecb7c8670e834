//! Values in which collections have their standard meaning.

use crate::limits::LIMITS;
use echis_proof::Raw;
use echis_term::{Integer, Op, SortId, SymbolId, ValueRef};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Plain(Raw),
    Seq(Vec<Value>),
    Set(BTreeSet<Value>),
    Multiset(BTreeMap<Value, Integer>),
    Map(BTreeMap<Value, Value>),
    /// An ADT value: a constructor and its arguments.
    Made(SymbolId, Vec<Value>),
    /// A snapshot with two components.
    Pair(Box<(Value, Value)>),
    /// The snapshot of a value of a sort, if the model has none.
    Wrapped(SortId, Box<Value>),
    /// The result of a function at arguments that are not in the model: distinct from all other values.
    Fresh(SymbolId, Vec<Value>),
    /// The keys of a quantified resource's map, as determined by facts.
    Keys(Box<Value>),
    /// Represents all nested function results.
    Other(super::interval::IntervalOwner),
    /// Represents all snapshots other than the known ones.
    Unlike(super::interval::IntervalOwner),
    /// Represents several integers. Never part of a collection.
    Interval(Box<super::interval::Interval>),
}

/// The applications of functions, with their results.
pub type Applications = BTreeMap<SymbolId, BTreeMap<Vec<Value>, Value>>;

impl Value {
    pub fn truth(value: bool) -> Self {
        Value::Plain(Raw::Bool(value))
    }
    pub fn int(value: impl Into<Integer>) -> Self {
        Value::Plain(Raw::Int(value.into()))
    }
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Plain(Raw::Bool(value)) = self { Some(*value) } else { None }
    }
    pub fn as_int(&self) -> Option<&Integer> {
        if let Value::Plain(Raw::Int(value)) = self { Some(value) } else { None }
    }
    /// Whether it represents several values.
    pub fn is_any(&self) -> bool {
        match self {
            Value::Interval(_) | Value::Other(_) | Value::Unlike(_) => true,
            Value::Made(_, parts) | Value::Fresh(_, parts) => parts.iter().any(Value::is_any),
            Value::Pair(parts) => parts.0.is_any() || parts.1.is_any(),
            Value::Wrapped(_, value) | Value::Keys(value) => value.is_any(),
            _ => false,
        }
    }
    pub fn plain(self) -> Option<Raw> {
        if let Value::Plain(raw) = self { Some(raw) } else { None }
    }
}

/// Applies an operator on collections. `None` if it is undefined, such as for an index out of range, and for ranges
/// that are too long.
pub fn collection(op: Op, args: &[Value]) -> Option<Value> {
    if let (Op::SeqRange, [from, to]) = (op, args)
        && to.as_int()? - from.as_int()? > Integer::from(LIMITS.elements)
    {
        return None;
    }
    echis_term::evaluate(op, args)
}

impl echis_term::Value for Value {
    fn view(&self) -> ValueRef<'_, Self> {
        match self {
            Value::Plain(Raw::Int(value)) => ValueRef::Int(value.clone()),
            Value::Seq(items) => ValueRef::Seq(items),
            Value::Set(items) => ValueRef::Set(items),
            Value::Multiset(counts) => ValueRef::Multiset(counts),
            Value::Map(entries) => ValueRef::Map(entries),
            _ => ValueRef::Other,
        }
    }
    fn truth(value: bool) -> Self {
        Value::truth(value)
    }
    fn int(value: Integer) -> Self {
        Value::int(value)
    }
    fn seq(elements: Vec<Self>) -> Self {
        Value::Seq(elements)
    }
    fn set(elements: BTreeSet<Self>) -> Self {
        Value::Set(elements)
    }
    fn multiset(counts: BTreeMap<Self, Integer>) -> Self {
        Value::Multiset(counts)
    }
    fn map(entries: BTreeMap<Self, Self>) -> Self {
        Value::Map(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seq(items: &[i32]) -> Value {
        Value::Seq(items.iter().map(|item| Value::int(*item)).collect())
    }

    #[test]
    fn indices_outside_have_no_value() {
        assert_eq!(collection(Op::SeqIndex, &[seq(&[7, 8]), Value::int(1)]), Some(Value::int(8)));
        assert_eq!(collection(Op::SeqIndex, &[seq(&[7, 8]), Value::int(2)]), None);
        assert_eq!(collection(Op::SeqTake, &[seq(&[7, 8]), Value::int(-1)]), Some(seq(&[])));
        assert_eq!(collection(Op::SeqRange, &[Value::int(3), Value::int(1)]), Some(seq(&[])));
    }

    #[test]
    fn multisets_count() {
        let one = |item: i32| collection(Op::MultisetSingleton, &[Value::int(item)]).expect("it has a value");
        let two = collection(Op::MultisetUnion, &[one(1), one(1)]).expect("it has a value");
        assert_eq!(collection(Op::MultisetCount, &[two.clone(), Value::int(1)]), Some(Value::int(2)));
        assert_eq!(collection(Op::MultisetSubset, &[two.clone(), one(1)]), Some(Value::truth(false)));
        assert_eq!(collection(Op::MultisetDifference, &[one(1), two]), Some(Value::Multiset(BTreeMap::new())));
    }

    #[test]
    fn maps_have_the_keys_that_were_written() {
        let empty = Value::Map(BTreeMap::new());
        let map = collection(Op::MapUpdate, &[empty, Value::int(1), Value::int(5)]).expect("it has a value");
        assert_eq!(collection(Op::MapLookup, &[map.clone(), Value::int(1)]), Some(Value::int(5)));
        assert_eq!(collection(Op::MapLookup, &[map.clone(), Value::int(2)]), None);
        assert_eq!(collection(Op::MapCardinality, &[map]), Some(Value::int(1)));
    }
}
