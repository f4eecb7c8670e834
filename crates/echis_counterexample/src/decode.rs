//! Decodes the solver's values to values of the language.

pub mod adt;

use super::tables::Tables;
use super::value::Value;
use crate::limits::LIMITS;
use adt::Adts;
use echis_proof::Raw;
use echis_term::{Integer, Rational, Sort, SortId, TermId, TermKind};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

pub struct Decoder<'a> {
    tables: &'a Tables<'a>,
    pub adts: Adts,
    known: RefCell<HashMap<(Raw, SortId), Option<Value>>>,
    /// The number of invented elements of a sort, for members that a set has but the model does not name.
    invented: RefCell<BTreeMap<SortId, usize>>,
    /// The values of a sort that the model names, in order.
    elements: RefCell<BTreeMap<SortId, Rc<[Value]>>>,
    /// Whether the values of a sort were enumerated, and whether one was invented afterwards.
    counted: Cell<bool>,
    late: Cell<bool>,
    /// The values of terms in the facts. Other values stem from axioms, and may be left out of sets.
    named: BTreeSet<Raw>,
}

impl<'a> Decoder<'a> {
    /// The constants of the facts are decoded at once: elements invented for them belong to the universe.
    pub fn new(tables: &'a Tables<'a>, adts: Adts, facts: impl Iterator<Item = TermId>) -> Self {
        // Constants that were watched but occur in no fact are witnesses, without which facts may be false.
        let watched = tables.model.watched.iter();
        let is_constant = |term: TermId| matches!(tables.terms.kind(term), TermKind::App(_, args) if args.is_empty());
        let mut named: BTreeSet<Raw> =
            watched.filter(|(term, _)| is_constant(**term)).map(|(_, value)| value.clone()).collect();
        let mut constants = BTreeSet::new();
        for fact in facts {
            tables.terms.for_each_subterm(fact, |term| {
                let is_element = !matches!(tables.terms.sort_data(tables.terms.sort_of(term)), Sort::Bool | Sort::Snap);
                if is_element && tables.terms.term(term).free.is_empty() {
                    named.extend(tables.eval(term));
                }
                if is_constant(term) {
                    constants.insert(term);
                }
            });
        }
        let decoder = Decoder {
            named,
            tables,
            adts,
            known: RefCell::default(),
            invented: RefCell::default(),
            elements: RefCell::default(),
            counted: Cell::new(false),
            late: Cell::new(false),
        };
        for term in constants {
            if let Some(value) = tables.eval(term) {
                decoder.value(&value, tables.terms.sort_of(term));
            }
        }
        decoder
    }
    /// Whether a value was invented after all of them had been enumerated.
    pub fn late(&self) -> bool {
        self.late.get()
    }
    /// Decodes a value; `None` if the model is inconsistent about a collection.
    pub fn value(&self, raw: &Raw, sort: SortId) -> Option<Value> {
        let is_collection = matches!(self.sort(sort), Sort::Seq(_) | Sort::Set(_) | Sort::Multiset(_) | Sort::Map(..));
        if self.adts.is_adt(sort) {
            return self.adts.read(self, self.tables, raw, sort, 0);
        }
        if matches!(self.sort(sort), Sort::Snap) {
            return Some(snapshot(raw));
        }
        if !is_collection {
            return Some(Value::Plain(raw.clone()));
        }
        let key = (raw.clone(), sort);
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let value = self.collection(raw, sort);
        self.known.borrow_mut().insert(key, value.clone());
        value
    }
    /// Fixes the value of an element, regardless of what the model says about it.
    pub fn settle(&self, raw: Raw, sort: SortId, value: Value) {
        self.known.borrow_mut().insert((raw, sort), Some(value));
    }
    /// An arbitrary but fixed value of the sort.
    pub fn any(&self, sort: SortId) -> Option<Value> {
        Some(match self.sort(sort) {
            Sort::Int => Value::int(0),
            Sort::Bool => Value::truth(false),
            Sort::Perm => Value::Plain(Raw::Perm(Rational::ZERO)),
            Sort::Ref => Value::Plain(self.tables.null()?.clone()),
            Sort::Snap => Value::Plain(Raw::Unit),
            Sort::Seq(_) => Value::Seq(Vec::new()),
            Sort::Set(_) => Value::Set(BTreeSet::new()),
            Sort::Multiset(_) => Value::Multiset(BTreeMap::new()),
            Sort::Map(..) => Value::Map(BTreeMap::new()),
            Sort::User(_) if self.adts.is_adt(sort) => return self.adts.any(self, self.tables, sort, 0),
            Sort::User(_) | Sort::SnapMap { .. } | Sort::WandMap => {
                self.counted.set(true);
                self.elements(sort).first().cloned().unwrap_or_else(|| self.invented(sort, 0))
            }
            Sort::Interpreted(_) | Sort::Declared { .. } => return None,
        })
    }
    /// All values of an uninterpreted sort. Never empty.
    pub fn universe(&self, sort: SortId) -> Option<Vec<Value>> {
        let is_finite = matches!(self.sort(sort), Sort::Ref | Sort::User(_) | Sort::SnapMap { .. } | Sort::WandMap);
        if !is_finite || self.adts.is_adt(sort) {
            return None;
        }
        self.counted.set(true);
        let mut all: Vec<Value> = self.elements(sort).to_vec();
        let invented = self.invented.borrow().get(&sort).copied().unwrap_or(0);
        all.extend((0..invented.max(usize::from(all.is_empty()))).map(|position| self.invented(sort, position)));
        Some(all)
    }
    fn elements(&self, sort: SortId) -> Rc<[Value]> {
        let mut known = self.elements.borrow_mut();
        let named = || self.tables.universe(sort).into_iter().map(Value::Plain).collect();
        known.entry(sort).or_insert_with(named).clone()
    }
    fn invented(&self, sort: SortId, position: usize) -> Value {
        Value::Plain(Raw::Element(format!("{}!val!more{position}", self.tables.sort_name(sort)).into()))
    }
    fn sort(&self, sort: SortId) -> &Sort {
        self.tables.terms.sort_data(sort)
    }

    fn collection(&self, raw: &Raw, sort: SortId) -> Option<Value> {
        match *self.sort(sort) {
            Sort::Seq(element) => self.sequence(raw, element),
            Sort::Set(element) => self.set(raw, element),
            Sort::Multiset(element) => self.multiset(raw, element),
            Sort::Map(key, value) => self.map(raw, key, value),
            _ => None,
        }
    }
    fn entries(&self, operator: &str, raw: &Raw) -> BTreeMap<Raw, Raw> {
        let table = self.tables.of_collection(operator, raw);
        let of_this = table.into_iter().flatten().filter_map(|(args, value)| match args.as_slice() {
            [of, key] if of == raw => Some((key.clone(), value.clone())),
            _ => None,
        });
        of_this.collect()
    }
    fn size(&self, operator: &str, raw: &Raw) -> Option<usize> {
        match self.tables.of_collection(operator, raw)?.get(std::slice::from_ref(raw)) {
            Some(Raw::Int(size)) => usize::try_from(size.clone()).ok(),
            _ => None,
        }
    }
    /// Elements that the model leaves open are chosen.
    fn sequence(&self, raw: &Raw, element: SortId) -> Option<Value> {
        let known = self.entries("Seq.index", raw);
        let length = self.size("Seq.length", raw).unwrap_or(0);
        if length > LIMITS.elements {
            return None;
        }
        // Elements that are distinguished only by identity should differ.
        let differ = matches!(self.sort(element), Sort::Ref)
            || matches!(self.sort(element), Sort::User(_) if !self.adts.is_adt(element));
        let items = (0..length).map(|index| match known.get(&Raw::Int(index.into())) {
            Some(value) => self.value(value, element),
            None if differ && length <= LIMITS.invented => self.invent(element, index),
            None => self.any(element),
        });
        items.collect::<Option<_>>().map(Value::Seq)
    }
    /// If the model's cardinality exceeds the members it names, members are invented. If it is less, members that no
    /// fact mentions are left out; if the cardinality is still wrong, it is ignored, and facts about it are evaluated
    /// on the set.
    fn set(&self, raw: &Raw, element: SortId) -> Option<Value> {
        let mut inside = self.members(raw);
        let size = self.size("Set.card", raw);
        for key in inside.clone() {
            if size.is_some_and(|size| inside.len() > size) && !self.named.contains(&key) {
                inside.remove(&key);
            }
        }
        let mut members: BTreeSet<Value> = inside.iter().map(|key| self.value(key, element)).collect::<Option<_>>()?;
        let size = size.unwrap_or(0);
        for position in 0..LIMITS.invented {
            if members.len() < size {
                members.insert(self.invent(element, position)?);
            }
        }
        Some(Value::Set(members))
    }
    /// The indices of a sequence for which the model has elements.
    pub fn known_elements(&self, raw: &Raw) -> BTreeSet<usize> {
        let places = self.entries("Seq.index", raw).into_keys();
        places
            .filter_map(|place| if let Raw::Int(place) = place { usize::try_from(place).ok() } else { None })
            .collect()
    }
    fn members(&self, raw: &Raw) -> BTreeSet<Raw> {
        let entries = self.entries("Set.in", raw).into_iter();
        entries.filter(|(_, inside)| *inside == Raw::Bool(true)).map(|(key, _)| key).collect()
    }
    fn invent(&self, sort: SortId, position: usize) -> Option<Value> {
        match self.sort(sort) {
            // The smallest number that no fact mentions.
            Sort::Int => {
                let unnamed =
                    (0..).map(Integer::from).filter(|value: &Integer| !self.named.contains(&Raw::Int(value.clone())));
                unnamed.take(position + 1).last().map(Value::int)
            }
            Sort::User(_) if self.adts.is_adt(sort) => None,
            Sort::Ref | Sort::User(_) => {
                let mut invented = self.invented.borrow_mut();
                let count = invented.entry(sort).or_default();
                if *count <= position {
                    *count = position + 1;
                    self.late.set(self.late.get() || self.counted.get());
                }
                Some(self.invented(sort, position))
            }
            Sort::Perm => Some(Value::Plain(Raw::Perm(Rational::from(position)))),
            Sort::Seq(element) => Some(Value::Seq(vec![self.any(*element)?; position + 1])),
            Sort::Set(element) => Some(Value::Set(BTreeSet::from([self.invent(*element, position)?]))),
            Sort::Multiset(element) => {
                Some(Value::Multiset(BTreeMap::from([(self.any(*element)?, Integer::from(position + 1))])))
            }
            _ => None,
        }
    }
    fn multiset(&self, raw: &Raw, element: SortId) -> Option<Value> {
        let mut counts: BTreeMap<Raw, Integer> = BTreeMap::new();
        for (key, count) in self.entries("Multiset.count", raw) {
            let Raw::Int(count) = count else { return None };
            if count > Integer::ZERO {
                counts.insert(key, count);
            }
        }
        let sum = |counts: &BTreeMap<Raw, Integer>| counts.values().fold(Integer::ZERO, |sum, count| sum + count);
        let size = self.size("Multiset.card", raw).map(Integer::from);
        for key in counts.keys().cloned().collect::<Vec<_>>() {
            if size.as_ref().is_some_and(|size| sum(&counts) > *size) && !self.named.contains(&key) {
                counts.remove(&key);
            }
        }
        let named = sum(&counts);
        let members = counts.into_iter().map(|(key, count)| Some((self.value(&key, element)?, count)));
        let mut members: BTreeMap<Value, Integer> = members.collect::<Option<_>>()?;
        if let Some(size) = size.filter(|size| *size > named) {
            members.insert(self.invent(element, 0)?, size - named);
        }
        Some(Value::Multiset(members))
    }
    /// The keys are those of the domain, a separate set in the model.
    fn map(&self, raw: &Raw, key: SortId, value: SortId) -> Option<Value> {
        let domain = self.tables.of_collection("Map.domain", raw);
        let Some(domain) = domain.and_then(|table| table.get(std::slice::from_ref(raw))) else {
            return Some(Value::Map(BTreeMap::new()));
        };
        let Value::Set(keys) = self.set(domain, key)? else { return None };
        let mut held = BTreeMap::new();
        for (at, known) in self.entries("Map.lookup", raw) {
            held.entry(self.value(&at, key)?).or_insert(known);
        }
        let mut map = BTreeMap::new();
        for key in keys {
            let value = match held.get(&key) {
                Some(known) => self.value(known, value)?,
                None => self.any(value)?,
            };
            map.insert(key, value);
        }
        Some(Value::Map(map))
    }
}

/// A snapshot, with all pairs decoded.
pub fn snapshot(raw: &Raw) -> Value {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match raw {
        Raw::Combine(first, second) => Value::Pair(Box::new((snapshot(first), snapshot(second)))),
        other => Value::Plain(other.clone()),
    })
}
