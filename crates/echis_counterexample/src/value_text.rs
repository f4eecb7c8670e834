//! Values as text. They are those of the replay, so what is shown was confirmed; only the view with the solver's
//! names shows the raw model.

use super::structure::Structure;
use super::types::StoreEntry;
use super::value::Value;
use super::{Collection, CollectionKind, Shown, UNSPECIFIED, View};
use crate::limits::LIMITS;
use echis_findings::counterexample::copies;
use echis_proof::Raw;
use echis_term::{Integer, Op, Rational, Sort, SortId, SymbolId, SymbolRole, TermId};
use std::cell::RefCell;
use std::collections::BTreeMap;

pub struct ValueText<'a> {
    pub structure: &'a Structure<'a>,
    pub view: View,
    /// Elements denoted by variables, with the first such variable.
    variables: BTreeMap<Value, String>,
    /// Elements that are the result of exactly one function at a variable and an integer.
    slots: BTreeMap<Value, String>,
    /// Invented names, and how many there are of each kind.
    fresh: RefCell<(BTreeMap<Value, String>, BTreeMap<String, usize>)>,
}

/// Shown for an unknown element.
const OPEN: &str = "_";

impl<'a> ValueText<'a> {
    pub fn new(structure: &'a Structure<'a>, store: &[StoreEntry], view: View) -> Self {
        let mut variables: BTreeMap<Value, String> = BTreeMap::new();
        for entry in store {
            if let Some(value @ Value::Plain(Raw::Element(_))) = structure.eval(entry.term) {
                variables.entry(value).or_insert_with(|| entry.name.clone());
            }
        }
        let mut names = ValueText { structure, view, variables, slots: BTreeMap::new(), fresh: RefCell::default() };
        names.slots = names.find_slots();
        names
    }
    fn find_slots(&self) -> BTreeMap<Value, String> {
        let terms = self.structure.tables.terms;
        let mut found: BTreeMap<Value, Vec<String>> = BTreeMap::new();
        for (id, symbol) in terms.symbols().filter(|(_, symbol)| symbol.params.len() == 2) {
            let is_slot = matches!(symbol.role, SymbolRole::DomainFunction { .. })
                && matches!(terms.sort_data(symbol.params[1]), Sort::Int)
                && matches!(terms.sort_data(symbol.result), Sort::Ref);
            let head = self.structure.tables.symbol_name(id);
            let table = is_slot.then(|| self.structure.tabulated(&head, &symbol.params, symbol.result)).flatten();
            for (args, value) in table.iter().flat_map(|table| table.iter()) {
                if let (Some(array), Some(index)) = (self.variables.get(&args[0]), args[1].as_int()) {
                    found.entry(value.clone()).or_default().push(format!("{}({array}, {index})", self.function(id)));
                }
            }
        }
        let one = |(value, names): (Value, Vec<String>)| match names.as_slice() {
            [name] => Some((value, name.clone())),
            _ => None,
        };
        found.into_iter().filter_map(one).collect()
    }
    pub fn value(&self, term: TermId) -> Option<Value> {
        self.structure.eval(term)
    }
    pub fn is_null(&self, value: &Value) -> bool {
        matches!(value, Value::Plain(raw) if self.structure.tables.null() == Some(raw))
    }
    /// A term's value.
    pub fn shown(&self, term: TermId) -> Shown {
        if self.view == View::Intermediate {
            return self.modelled(term);
        }
        let sort = self.structure.tables.terms.sort_of(term);
        let value = self.value(term);
        let known = match &value {
            Some(Value::Seq(items)) => self.known(term, items.len()),
            _ => Vec::new(),
        };
        self.shown_value(value.as_ref(), sort, &known)
    }
    /// `known` tells which elements of a sequence were not invented.
    pub fn shown_value(&self, value: Option<&Value>, sort: SortId, known: &[bool]) -> Shown {
        let is_known = |index: usize| known.get(index).copied().unwrap_or(true);
        let text = match value {
            Some(Value::Seq(items)) => self.sequence(items, sort, &is_known, LIMITS.name_depth),
            value => self.text(value, sort),
        };
        let (key, inner) = self.parts(sort);
        let text_of =
            |value: &Value, sort: Option<SortId>| sort.map_or_else(String::new, |sort| self.text(Some(value), sort));
        let made = |kind, length: String, elements| Some(Collection { kind, length: Some(length), elements });
        let collection = match value {
            Some(Value::Seq(items)) => {
                let all = items.iter().enumerate().filter(|(index, _)| is_known(*index));
                let elements = all.map(|(index, item)| (index.to_string(), text_of(item, inner))).collect();
                made(CollectionKind::Seq, items.len().to_string(), elements)
            }
            Some(Value::Set(items)) => {
                let elements = items.iter().map(|item| (text_of(item, key), "true".to_string())).collect();
                made(CollectionKind::Set, items.len().to_string(), elements)
            }
            Some(Value::Multiset(items)) => {
                let size = items.values().fold(Integer::ZERO, |sum, count| sum + count);
                let elements = items.iter().map(|(item, count)| (text_of(item, key), count.to_string())).collect();
                made(CollectionKind::Multiset, size.to_string(), elements)
            }
            Some(Value::Map(items)) => {
                let elements = items.iter().map(|(item, held)| (text_of(item, key), text_of(held, inner))).collect();
                made(CollectionKind::Map, items.len().to_string(), elements)
            }
            _ => None,
        };
        let datum = self.datum(value, sort, &is_known, LIMITS.name_depth);
        Shown { text, value: datum, collection }
    }
    /// The key and element sorts.
    pub(super) fn parts(&self, sort: SortId) -> (Option<SortId>, Option<SortId>) {
        match *self.structure.tables.terms.sort_data(sort) {
            Sort::Seq(element) => (None, Some(element)),
            Sort::Set(element) | Sort::Multiset(element) => (Some(element), None),
            Sort::Map(key, value) => (Some(key), Some(value)),
            _ => (None, None),
        }
    }
    /// For each element of a sequence, whether it is known: from the model, or inserted by a term.
    fn known(&self, term: TermId, length: usize) -> Vec<bool> {
        let terms = self.structure.tables.terms;
        if let Some(same) = self.structure.equations.get(&term) {
            return self.known(*same, length);
        }
        let own = |known: Vec<bool>| if known.len() == length { known } else { vec![true; length] };
        let part = |term: TermId| match self.value(term) {
            Some(Value::Seq(items)) => Some(self.known(term, items.len())),
            _ => None,
        };
        let number = |term: TermId| usize::try_from(self.value(term)?.as_int()?.clone()).ok();
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match terms.as_op(term) {
            Some((Op::SeqAppend, [left, right])) => {
                own([part(*left).unwrap_or_default(), part(*right).unwrap_or_default()].concat())
            }
            Some((Op::SeqUpdate, [all, index, _])) => {
                let mut known = own(part(*all).unwrap_or_default());
                if let Some(place) = number(*index).and_then(|index| known.get_mut(index)) {
                    *place = true;
                }
                known
            }
            Some((Op::SeqTake, [all, _])) => own(part(*all).unwrap_or_default().into_iter().take(length).collect()),
            Some((Op::SeqDrop, [all, count])) => {
                own(part(*all).unwrap_or_default().into_iter().skip(number(*count).unwrap_or(0)).collect())
            }
            Some((Op::SeqSingleton | Op::SeqEmpty(_) | Op::SeqRange, _)) => vec![true; length],
            _ => match self.structure.tables.eval(term) {
                Some(raw) => {
                    let known = self.structure.decoder.known_elements(&raw);
                    (0..length).map(|index| known.contains(&index)).collect()
                }
                None => vec![true; length],
            },
        })
    }
    pub fn text(&self, value: Option<&Value>, sort: SortId) -> String {
        self.text_at(value, sort, LIMITS.name_depth)
    }
    fn text_at(&self, value: Option<&Value>, sort: SortId, depth: usize) -> String {
        let Some(value) = value.filter(|_| depth > 0) else { return UNSPECIFIED.to_string() };
        let (key, inner) = self.parts(sort);
        let of = |value: &Value, sort: Option<SortId>| match sort {
            Some(sort) => self.text_at(Some(value), sort, depth - 1),
            None => UNSPECIFIED.to_string(),
        };
        let list = |name: &str, items: Vec<String>| format!("{name}({})", items.join(", "));
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match value {
            Value::Plain(Raw::Bool(value)) => value.to_string(),
            Value::Plain(Raw::Int(value)) => value.to_string(),
            Value::Plain(Raw::Perm(value)) => perm_text(value),
            _ if self.is_null(value) => "null".to_string(),
            Value::Plain(Raw::Element(name)) if self.view == View::Intermediate => name.to_string(),
            Value::Plain(Raw::Element(_)) => self.element(value, sort),
            Value::Seq(items) => self.sequence(items, sort, &|_| true, depth),
            Value::Set(items) => list("Set", items.iter().map(|item| of(item, key)).collect()),
            Value::Multiset(items) => {
                let items = items.iter().flat_map(|(item, count)| copies(&of(item, key), &count.to_string()));
                list("Multiset", items.collect())
            }
            Value::Map(items) => {
                let entry = |(item, held): (&Value, &Value)| format!("{} := {}", of(item, key), of(held, inner));
                list("Map", items.iter().map(entry).collect())
            }
            Value::Made(..) | Value::Fresh(..) => self.made(value, depth).unwrap_or_default(),
            Value::Plain(_) | Value::Pair(_) | Value::Wrapped(..) | Value::Keys(_) => UNSPECIFIED.to_string(),
            Value::Other(_) | Value::Unlike(_) | Value::Interval(_) => UNSPECIFIED.to_string(),
        })
    }
    fn sequence(&self, items: &[Value], sort: SortId, known: &dyn Fn(usize) -> bool, depth: usize) -> String {
        let Some(element) = self.parts(sort).1 else { return UNSPECIFIED.to_string() };
        let item = |(index, item): (usize, &Value)| match known(index) {
            true => self.text_at(Some(item), element, depth - 1),
            false => OPEN.to_string(),
        };
        format!("Seq({})", items.iter().enumerate().map(item).collect::<Vec<_>>().join(", "))
    }
    /// The name of a function in the program.
    pub(super) fn function(&self, symbol: SymbolId) -> String {
        self.structure.tables.terms.symbol(symbol).role.base()
    }
    pub fn reference(&self, value: &Value) -> String {
        match value {
            _ if self.is_null(value) => "null".to_string(),
            Value::Plain(Raw::Element(_)) => self.named(value, "Ref"),
            value => self.made(value, LIMITS.name_depth).unwrap_or_else(|| UNSPECIFIED.to_string()),
        }
    }
    pub(super) fn made(&self, value: &Value, depth: usize) -> Option<String> {
        let (Value::Made(symbol, parts) | Value::Fresh(symbol, parts)) = value else { return None };
        let params = &self.structure.tables.terms.symbol(*symbol).params;
        let parts = parts.iter().zip(params.iter());
        let parts: Vec<String> = parts.map(|(part, sort)| self.text_at(Some(part), *sort, depth - 1)).collect();
        Some(format!("{}({})", self.function(*symbol), parts.join(", ")))
    }
    pub(super) fn element(&self, value: &Value, sort: SortId) -> String {
        let kind = match self.structure.tables.terms.sort_data(sort) {
            Sort::Ref => "Ref",
            Sort::User(name) => name.trim_start_matches("sort.").split('<').next().unwrap_or_default(),
            _ => "value",
        };
        self.named(value, kind)
    }
    /// The name of an element: its variable, its place in an array, or an invented name.
    fn named(&self, value: &Value, kind: &str) -> String {
        if let Some(name) = self.variables.get(value).or_else(|| self.slots.get(value)) {
            return name.clone();
        }
        let mut fresh = self.fresh.borrow_mut();
        if let Some(name) = fresh.0.get(value) {
            return name.clone();
        }
        let count = fresh.1.entry(kind.to_string()).or_insert(0);
        let name = format!("{kind}!{count}");
        *count += 1;
        fresh.0.insert(value.clone(), name.clone());
        name
    }
    /// Whether the solver's names are shown.
    pub fn is_intermediate(&self) -> bool {
        self.view == View::Intermediate
    }
}

/// An amount of permission as a fraction.
pub fn perm_text(value: &Rational) -> String {
    format!("{}/{}", value.numerator(), value.denominator())
}

pub fn raw_text(value: &Raw) -> String {
    match value {
        Raw::Element(name) => name.to_string(),
        Raw::Bool(value) => value.to_string(),
        Raw::Int(value) => value.to_string(),
        Raw::Perm(value) => perm_text(value),
        Raw::Unit => "unit".to_string(),
        Raw::Combine(first, second) => format!("({}, {})", raw_text(first), raw_text(second)),
        // Never requested.
        Raw::Bits(..) | Raw::Made(..) | Raw::Array(_) => UNSPECIFIED.to_string(),
    }
}
