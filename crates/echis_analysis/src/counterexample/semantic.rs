//! Values of terms with collections as what they mean. Constants take their values from the model; elements of
//! sequences that it leaves open are chosen, which any choice justifies that makes the facts true.

use super::scalar::scalar;
use super::tables::Tables;
use echis_proof::Raw;
use echis_term::{Integer, Op, Sort, SortId, TermId, TermKind};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    Plain(Raw),
    Seq(Vec<Value>),
    Set(BTreeSet<Value>),
    Multiset(BTreeMap<Value, Integer>),
}

/// Longer sequences are not evaluated.
const LONGEST: usize = 2000;

pub struct Semantic<'a> {
    tables: &'a Tables<'a>,
    memo: RefCell<HashMap<TermId, Option<Value>>>,
}

impl<'a> Semantic<'a> {
    pub fn new(tables: &'a Tables<'a>) -> Self {
        Semantic { tables, memo: RefCell::default() }
    }
    pub fn eval(&self, term: TermId) -> Option<Value> {
        if let Some(known) = self.memo.borrow().get(&term) {
            return known.clone();
        }
        let value = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.compute(term));
        self.memo.borrow_mut().insert(term, value.clone());
        value
    }
    fn compute(&self, term: TermId) -> Option<Value> {
        let terms = self.tables.terms;
        match terms.kind(term) {
            TermKind::Bool(value) => Some(Value::Plain(Raw::Bool(*value))),
            TermKind::Int(value) => Some(Value::Plain(Raw::Int(value.clone()))),
            TermKind::Perm(value) => Some(Value::Plain(Raw::Perm(value.clone()))),
            TermKind::App(_, args) if args.is_empty() => self.meaning(&self.tables.eval(term)?, terms.sort_of(term)),
            TermKind::App(..) => self.application(term),
            TermKind::Op(op, args) => self.op(term, *op, args),
            TermKind::Quant(_) => None,
        }
    }
    /// A function without a meaning given by quantified facts may have any table. Those are the ones of the engine
    /// itself; a program's functions and domains have definitions and axioms.
    fn application(&self, term: TermId) -> Option<Value> {
        let TermKind::App(symbol, _) = self.tables.terms.kind(term) else { return None };
        let name = &self.tables.terms.symbol(*symbol).name;
        // Marks are true everywhere.
        if ["%trigger", "%stateless", "%applied", "%seen"].iter().any(|mark| name.ends_with(mark)) {
            return Some(Value::Plain(Raw::Bool(true)));
        }
        None
    }
    fn op(&self, term: TermId, op: Op, args: &[TermId]) -> Option<Value> {
        let sort = self.tables.terms.sort_of(term);
        match op {
            Op::Ite => {
                return match self.eval(args[0])? {
                    Value::Plain(Raw::Bool(true)) => self.eval(args[1]),
                    _ => self.eval(args[2]),
                };
            }
            Op::And | Op::Or | Op::Implies => {
                let values: Vec<Option<Raw>> = args.iter().map(|arg| plain(self.eval(*arg))).collect();
                return scalar(op, &values).map(Value::Plain);
            }
            Op::Null => return self.tables.null().cloned().map(Value::Plain),
            // Snapshots are trees in the model, and wrapping is injective in it.
            Op::Wrap(_) | Op::Unwrap(_) | Op::First | Op::Second => {
                let value = self.tables.eval(term)?;
                return self.meaning(&value, sort);
            }
            Op::LookupMark => return Some(Value::Plain(Raw::Bool(true))),
            Op::Lookup => {
                let value = self.tables.eval(term)?;
                return self.meaning(&value, sort);
            }
            _ => {}
        }
        let values: Vec<Value> = args.iter().map(|arg| self.eval(*arg)).collect::<Option<_>>()?;
        match op {
            Op::Eq => return Some(Value::Plain(Raw::Bool(values[0] == values[1]))),
            Op::Distinct => {
                let distinct: BTreeSet<&Value> = values.iter().collect();
                return Some(Value::Plain(Raw::Bool(distinct.len() == values.len())));
            }
            _ => {}
        }
        let plains: Option<Vec<Option<Raw>>> =
            values.iter().map(|value| plain(Some(value.clone())).map(Some)).collect();
        if let Some(result) = plains.and_then(|plains| scalar(op, &plains)) {
            return Some(Value::Plain(result));
        }
        collection(op, &values)
    }
    /// A collection of the model as what it means.
    fn meaning(&self, raw: &Raw, sort: SortId) -> Option<Value> {
        let tables = self.tables;
        let entries = |operator: &str| {
            let table = tables.of_collection(operator, raw);
            table.into_iter().flatten().filter_map(|(args, value)| match args.as_slice() {
                [of, key] if of == raw => Some((key.clone(), value.clone())),
                _ => None,
            })
        };
        let size = |operator: &str| match tables.of_collection(operator, raw)?.get(std::slice::from_ref(raw)) {
            Some(Raw::Int(size)) => usize::try_from(size.clone()).ok(),
            _ => None,
        };
        match *tables.terms.sort_data(sort) {
            Sort::Seq(element) => {
                let length = size("Seq.length").filter(|length| *length <= LONGEST)?;
                let known: BTreeMap<Raw, Raw> = entries("Seq.index").collect();
                let items = (0..length).map(|index| match known.get(&Raw::Int(index.into())) {
                    Some(value) => self.meaning(value, element),
                    None => self.any(element),
                });
                items.collect::<Option<_>>().map(Value::Seq)
            }
            Sort::Set(element) => {
                let members = entries("Set.in").filter(|(_, inside)| *inside == Raw::Bool(true));
                let members: BTreeSet<Value> =
                    members.map(|(key, _)| self.meaning(&key, element)).collect::<Option<_>>()?;
                // More members than the model speaks of, or fewer: this set is not the one that it means.
                size("Set.card").is_none_or(|size| size == members.len()).then_some(Value::Set(members))
            }
            Sort::Multiset(element) => {
                let mut members = BTreeMap::new();
                for (key, count) in entries("Multiset.count") {
                    let Raw::Int(count) = count else { return None };
                    if count > Integer::ZERO {
                        members.insert(self.meaning(&key, element)?, count);
                    }
                }
                let total = members.values().fold(Integer::ZERO, |sum, count| sum + count);
                size("Multiset.card")
                    .is_none_or(|size| Integer::from(size) == total)
                    .then_some(Value::Multiset(members))
            }
            // Domain and range are sets of their own in the model, which have to agree with it.
            Sort::Map(..) => None,
            _ => Some(Value::Plain(raw.clone())),
        }
    }
    fn any(&self, sort: SortId) -> Option<Value> {
        Some(match self.tables.terms.sort_data(sort) {
            Sort::Int => Value::Plain(Raw::Int(Integer::ZERO)),
            Sort::Bool => Value::Plain(Raw::Bool(false)),
            Sort::Perm => Value::Plain(Raw::Perm(echis_term::Rational::ZERO)),
            Sort::Ref => Value::Plain(self.tables.null()?.clone()),
            Sort::Seq(_) => Value::Seq(Vec::new()),
            Sort::Set(_) => Value::Set(BTreeSet::new()),
            Sort::Multiset(_) => Value::Multiset(BTreeMap::new()),
            _ => return None,
        })
    }
}

fn plain(value: Option<Value>) -> Option<Raw> {
    match value {
        Some(Value::Plain(raw)) => Some(raw),
        _ => None,
    }
}

fn int(value: impl Into<Integer>) -> Value {
    Value::Plain(Raw::Int(value.into()))
}
fn truth(value: bool) -> Value {
    Value::Plain(Raw::Bool(value))
}
/// A place in a sequence of this length; values outside are cut.
fn place(value: &Value, length: usize) -> Option<usize> {
    match value {
        Value::Plain(Raw::Int(value)) if *value < Integer::ZERO => Some(0),
        Value::Plain(Raw::Int(value)) => Some(usize::try_from(value.clone()).unwrap_or(length).min(length)),
        _ => None,
    }
}
fn index(value: &Value, length: usize) -> Option<usize> {
    match value {
        Value::Plain(Raw::Int(value)) => usize::try_from(value.clone()).ok().filter(|index| *index < length),
        _ => None,
    }
}

/// Operators on collections. `None` where the language gives no value, such as an index outside.
fn collection(op: Op, args: &[Value]) -> Option<Value> {
    use Value::{Multiset, Plain, Seq, Set};
    Some(match (op, args) {
        (Op::SeqEmpty(_), []) => Seq(Vec::new()),
        (Op::SeqSingleton, [item]) => Seq(vec![item.clone()]),
        (Op::SeqAppend, [Seq(left), Seq(right)]) => Seq(left.iter().chain(right).cloned().collect()),
        (Op::SeqLength, [Seq(items)]) => int(items.len()),
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
            let length = usize::try_from(to - from).unwrap_or(0);
            if length > LONGEST {
                return None;
            }
            Seq((0..length).map(|offset| int(from + Integer::from(offset))).collect())
        }
        (Op::SeqContains, [Seq(items), item]) => truth(items.contains(item)),
        (Op::SetEmpty(_), []) => Set(BTreeSet::new()),
        (Op::SetSingleton, [item]) => Set(BTreeSet::from([item.clone()])),
        (Op::SetAdd, [Set(items), item]) => Set(items.iter().chain([item]).cloned().collect()),
        (Op::SetUnion, [Set(left), Set(right)]) => Set(left.union(right).cloned().collect()),
        (Op::SetIntersection, [Set(left), Set(right)]) => Set(left.intersection(right).cloned().collect()),
        (Op::SetDifference, [Set(left), Set(right)]) => Set(left.difference(right).cloned().collect()),
        (Op::SetSubset, [Set(left), Set(right)]) => truth(left.is_subset(right)),
        (Op::SetContains, [Set(items), item]) => truth(items.contains(item)),
        (Op::SetCardinality, [Set(items)]) => int(items.len()),
        (Op::MultisetEmpty(_), []) => Multiset(BTreeMap::new()),
        (Op::MultisetSingleton, [item]) => Multiset(BTreeMap::from([(item.clone(), Integer::ONE)])),
        (Op::MultisetCount, [Multiset(items), item]) => int(items.get(item).cloned().unwrap_or(Integer::ZERO)),
        (Op::MultisetCardinality, [Multiset(items)]) => {
            int(items.values().fold(Integer::ZERO, |sum, count| sum + count))
        }
        _ => return None,
    })
}
