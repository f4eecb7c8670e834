//! The meaning of operators on collections, for values in which collections are lists, finite sets, counts and finite
//! functions. Used to replay counterexamples, and to test axioms and derivations.

use crate::operators::Op;
use dashu::Integer;
use std::collections::{BTreeMap, BTreeSet};

/// Values of all sorts, in some representation.
pub trait Value: Clone + Ord {
    fn view(&self) -> ValueRef<'_, Self>;
    fn truth(value: bool) -> Self;
    fn int(value: Integer) -> Self;
    fn seq(elements: Vec<Self>) -> Self;
    fn set(elements: BTreeSet<Self>) -> Self;
    /// The number of occurrences of each element.
    fn multiset(counts: BTreeMap<Self, Integer>) -> Self;
    fn map(entries: BTreeMap<Self, Self>) -> Self;
}

/// The view of a value used by operators.
pub enum ValueRef<'a, V> {
    Int(Integer),
    Seq(&'a [V]),
    Set(&'a BTreeSet<V>),
    Multiset(&'a BTreeMap<V, Integer>),
    Map(&'a BTreeMap<V, V>),
    Other,
}

use ValueRef::{Int, Map, Multiset, Seq, Set};

/// Evaluates an operator. `None` if the operation is undefined, such as for an index out of range, or is not one on
/// collections.
pub fn evaluate<V: Value>(op: Op, args: &[V]) -> Option<V> {
    let views: Vec<ValueRef<V>> = args.iter().map(Value::view).collect();
    sequence(op, args, &views)
        .or_else(|| set(op, args, &views))
        .or_else(|| multiset(op, args, &views))
        .or_else(|| map(op, args, &views))
}

fn sequence<V: Value>(op: Op, args: &[V], views: &[ValueRef<V>]) -> Option<V> {
    Some(match (op, views) {
        (Op::SeqEmpty(_), []) => V::seq(Vec::new()),
        (Op::SeqSingleton, [_]) => V::seq(args.to_vec()),
        (Op::SeqAppend, [Seq(left), Seq(right)]) => V::seq([*left, *right].concat()),
        (Op::SeqLength, [Seq(items)]) => V::int(items.len().into()),
        (Op::SeqIndex, [Seq(items), Int(at)]) => items[index(at, items.len())?].clone(),
        (Op::SeqUpdate, [Seq(items), Int(at), _]) => {
            let mut items = items.to_vec();
            let at = index(at, items.len())?;
            items[at] = args[2].clone();
            V::seq(items)
        }
        (Op::SeqTake, [Seq(items), Int(count)]) => V::seq(items[..place(count, items.len())].to_vec()),
        (Op::SeqDrop, [Seq(items), Int(count)]) => V::seq(items[place(count, items.len())..].to_vec()),
        (Op::SeqRange, [Int(from), Int(to)]) => {
            let length = if to <= from { 0 } else { usize::try_from(to - from).ok()? };
            V::seq((0..length).map(|offset| V::int(from + Integer::from(offset))).collect())
        }
        (Op::SeqContains, [Seq(items), _]) => V::truth(items.contains(&args[1])),
        _ => return None,
    })
}

fn set<V: Value>(op: Op, args: &[V], views: &[ValueRef<V>]) -> Option<V> {
    Some(match (op, views) {
        (Op::SetEmpty(_), []) => V::set(BTreeSet::new()),
        (Op::SetSingleton, [_]) => V::set(args.iter().cloned().collect()),
        (Op::SetAdd, [Set(items), _]) => V::set(items.iter().chain(&args[1..]).cloned().collect()),
        (Op::SetUnion, [Set(left), Set(right)]) => V::set(*left | *right),
        (Op::SetIntersection, [Set(left), Set(right)]) => V::set(*left & *right),
        (Op::SetDifference, [Set(left), Set(right)]) => V::set(*left - *right),
        (Op::SetSubset, [Set(left), Set(right)]) => V::truth(left.is_subset(right)),
        (Op::SetContains, [Set(items), _]) => V::truth(items.contains(&args[1])),
        (Op::SetCardinality, [Set(items)]) => V::int(items.len().into()),
        _ => return None,
    })
}

fn multiset<V: Value>(op: Op, args: &[V], views: &[ValueRef<V>]) -> Option<V> {
    Some(match (op, views) {
        (Op::MultisetEmpty(_), []) => V::multiset(BTreeMap::new()),
        (Op::MultisetSingleton, [_]) => V::multiset(once(&args[0])),
        (Op::MultisetAdd, [Multiset(items), _]) => merged(items, &once(&args[1]), |a, b| a + b),
        (Op::MultisetUnion, [Multiset(left), Multiset(right)]) => merged(left, right, |a, b| a + b),
        (Op::MultisetIntersection, [Multiset(left), Multiset(right)]) => merged(left, right, Integer::min),
        (Op::MultisetDifference, [Multiset(left), Multiset(right)]) => merged(left, right, |a, b| a - b),
        (Op::MultisetSubset, [Multiset(left), Multiset(right)]) => {
            V::truth(left.iter().all(|(item, held)| *held <= count(right, item)))
        }
        (Op::MultisetCount, [Multiset(items), _]) => V::int(count(items, &args[1])),
        (Op::MultisetCardinality, [Multiset(items)]) => {
            V::int(items.values().fold(Integer::ZERO, |sum, count| sum + count))
        }
        _ => return None,
    })
}

fn map<V: Value>(op: Op, args: &[V], views: &[ValueRef<V>]) -> Option<V> {
    Some(match (op, views) {
        (Op::MapEmpty(_), []) => V::map(BTreeMap::new()),
        (Op::MapUpdate, [Map(items), _, _]) => {
            let mut items = (*items).clone();
            items.insert(args[1].clone(), args[2].clone());
            V::map(items)
        }
        (Op::MapLookup, [Map(items), _]) => items.get(&args[1])?.clone(),
        (Op::MapContains, [Map(items), _]) => V::truth(items.contains_key(&args[1])),
        (Op::MapDomain, [Map(items)]) => V::set(items.keys().cloned().collect()),
        (Op::MapRange, [Map(items)]) => V::set(items.values().cloned().collect()),
        (Op::MapCardinality, [Map(items)]) => V::int(items.len().into()),
        _ => return None,
    })
}

fn once<V: Value>(item: &V) -> BTreeMap<V, Integer> {
    BTreeMap::from([(item.clone(), Integer::ONE)])
}

fn count<V: Value>(items: &BTreeMap<V, Integer>, item: &V) -> Integer {
    items.get(item).cloned().unwrap_or(Integer::ZERO)
}

fn merged<V: Value>(
    left: &BTreeMap<V, Integer>,
    right: &BTreeMap<V, Integer>,
    combine: impl Fn(Integer, Integer) -> Integer,
) -> V {
    let items: BTreeSet<&V> = left.keys().chain(right.keys()).collect();
    let counted = items.into_iter().map(|item| (item.clone(), combine(count(left, item), count(right, item))));
    V::multiset(counted.filter(|(_, count)| *count > Integer::ZERO).collect())
}

/// An index into a sequence of this length; values out of range are clamped.
fn place(value: &Integer, length: usize) -> usize {
    if *value < Integer::ZERO { 0 } else { usize::try_from(value).unwrap_or(length).min(length) }
}

fn index(value: &Integer, length: usize) -> Option<usize> {
    usize::try_from(value).ok().filter(|index| *index < length)
}
