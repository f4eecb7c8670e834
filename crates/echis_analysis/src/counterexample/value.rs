//! Values with collections as what they mean, and the operators on these.

use crate::counterexample::limits::LIMITS;
use echis_proof::Raw;
use echis_term::{Integer, Op, SortId, SymbolId};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Plain(Raw),
    Seq(Vec<Value>),
    Set(BTreeSet<Value>),
    Multiset(BTreeMap<Value, Integer>),
    Map(BTreeMap<Value, Value>),
    /// Of an ADT: a constructor and its arguments.
    Made(SymbolId, Vec<Value>),
    /// A snapshot of two parts.
    Pair(Box<(Value, Value)>),
    /// The snapshot of a value of a sort, where the model has none of it.
    Wrapped(SortId, Box<Value>),
    /// What a function makes of arguments that the model does not speak of: like nothing else.
    Fresh(SymbolId, Vec<Value>),
    /// The keys of a quantified resource's map: they are what facts say of them.
    Keys(Box<Value>),
    /// Anything that functions make of what functions make.
    Other(super::range::Of),
    /// Snapshots that are none of those that are known.
    Unlike(super::range::Of),
    /// Any of several integers. Never a part of a collection.
    Between(Box<super::range::Between>),
}

/// Where functions were applied, and the results.
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
    /// Whether it stands for several values.
    pub fn is_any(&self) -> bool {
        match self {
            Value::Between(_) | Value::Other(_) | Value::Unlike(_) => true,
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

/// Operators on collections. `None` where the language gives no value, such as an index outside.
pub fn collection(op: Op, args: &[Value]) -> Option<Value> {
    sequence(op, args).or_else(|| set(op, args)).or_else(|| multiset(op, args)).or_else(|| map(op, args))
}

fn sequence(op: Op, args: &[Value]) -> Option<Value> {
    use Value::{Plain, Seq};
    Some(match (op, args) {
        (Op::SeqEmpty(_), []) => Seq(Vec::new()),
        (Op::SeqSingleton, [item]) => Seq(vec![item.clone()]),
        (Op::SeqAppend, [Seq(left), Seq(right)]) => Seq(left.iter().chain(right).cloned().collect()),
        (Op::SeqLength, [Seq(items)]) => Value::int(items.len()),
        (Op::SeqIndex, [Seq(items), at]) => items[index(at, items.len())?].clone(),
        (Op::SeqUpdate, [Seq(items), at, item]) => {
            let mut items = items.clone();
            let at = index(at, items.len())?;
            items[at] = item.clone();
            Seq(items)
        }
        (Op::SeqTake, [Seq(items), count]) => Seq(items[..place(count, items.len())?].to_vec()),
        (Op::SeqDrop, [Seq(items), count]) => Seq(items[place(count, items.len())?..].to_vec()),
        (Op::SeqRange, [Plain(Raw::Int(from)), Plain(Raw::Int(to))]) => {
            let length = if to <= from { 0 } else { usize::try_from(to - from).ok()? };
            if length > LIMITS.elements {
                return None;
            }
            Seq((0..length).map(|offset| Value::int(from + Integer::from(offset))).collect())
        }
        (Op::SeqContains, [Seq(items), item]) => Value::truth(items.contains(item)),
        _ => return None,
    })
}

fn set(op: Op, args: &[Value]) -> Option<Value> {
    use Value::Set;
    Some(match (op, args) {
        (Op::SetEmpty(_), []) => Set(BTreeSet::new()),
        (Op::SetSingleton, [item]) => Set(BTreeSet::from([item.clone()])),
        (Op::SetAdd, [Set(items), item]) => Set(items.iter().chain([item]).cloned().collect()),
        (Op::SetUnion, [Set(left), Set(right)]) => Set(left.union(right).cloned().collect()),
        (Op::SetIntersection, [Set(left), Set(right)]) => Set(left.intersection(right).cloned().collect()),
        (Op::SetDifference, [Set(left), Set(right)]) => Set(left.difference(right).cloned().collect()),
        (Op::SetSubset, [Set(left), Set(right)]) => Value::truth(left.is_subset(right)),
        (Op::SetContains, [Set(items), item]) => Value::truth(items.contains(item)),
        (Op::SetCardinality, [Set(items)]) => Value::int(items.len()),
        _ => return None,
    })
}

fn multiset(op: Op, args: &[Value]) -> Option<Value> {
    use Value::Multiset;
    let count = |items: &BTreeMap<Value, Integer>, item: &Value| items.get(item).cloned().unwrap_or(Integer::ZERO);
    let merged = |left: &BTreeMap<Value, Integer>,
                  right: &BTreeMap<Value, Integer>,
                  combine: &dyn Fn(Integer, Integer) -> Integer| {
        let keys: BTreeSet<&Value> = left.keys().chain(right.keys()).collect();
        let counted = keys.into_iter().map(|key| (key.clone(), combine(count(left, key), count(right, key))));
        Multiset(counted.filter(|(_, count)| *count > Integer::ZERO).collect())
    };
    Some(match (op, args) {
        (Op::MultisetEmpty(_), []) => Multiset(BTreeMap::new()),
        (Op::MultisetSingleton, [item]) => Multiset(BTreeMap::from([(item.clone(), Integer::ONE)])),
        (Op::MultisetAdd, [Multiset(items), item]) => {
            merged(items, &BTreeMap::from([(item.clone(), Integer::ONE)]), &|a, b| a + b)
        }
        (Op::MultisetUnion, [Multiset(left), Multiset(right)]) => merged(left, right, &|a, b| a + b),
        (Op::MultisetIntersection, [Multiset(left), Multiset(right)]) => merged(left, right, &|a, b| a.min(b)),
        (Op::MultisetDifference, [Multiset(left), Multiset(right)]) => merged(left, right, &|a, b| a - b),
        (Op::MultisetSubset, [Multiset(left), Multiset(right)]) => {
            Value::truth(left.iter().all(|(item, held)| *held <= count(right, item)))
        }
        (Op::MultisetCount, [Multiset(items), item]) => Value::int(count(items, item)),
        (Op::MultisetCardinality, [Multiset(items)]) => {
            Value::int(items.values().fold(Integer::ZERO, |sum, count| sum + count))
        }
        _ => return None,
    })
}

fn map(op: Op, args: &[Value]) -> Option<Value> {
    use Value::{Map, Set};
    Some(match (op, args) {
        (Op::MapEmpty(_), []) => Map(BTreeMap::new()),
        (Op::MapUpdate, [Map(items), key, value]) => {
            Map(items.clone().into_iter().chain([(key.clone(), value.clone())]).collect())
        }
        (Op::MapLookup, [Map(items), key]) => items.get(key)?.clone(),
        (Op::MapContains, [Map(items), key]) => Value::truth(items.contains_key(key)),
        (Op::MapDomain, [Map(items)]) => Set(items.keys().cloned().collect()),
        (Op::MapRange, [Map(items)]) => Set(items.values().cloned().collect()),
        (Op::MapCardinality, [Map(items)]) => Value::int(items.len()),
        _ => return None,
    })
}

/// A place in a sequence of this length; values outside are cut.
fn place(value: &Value, length: usize) -> Option<usize> {
    let value = value.as_int()?;
    let inside = if *value < Integer::ZERO { 0 } else { usize::try_from(value.clone()).unwrap_or(length).min(length) };
    Some(inside)
}
fn index(value: &Value, length: usize) -> Option<usize> {
    usize::try_from(value.as_int()?.clone()).ok().filter(|index| *index < length)
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
