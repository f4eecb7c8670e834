//! A complete interpretation of a path's symbols, based on a model: the model's values, and fixed choices where it
//! has none. An interpretation in which every fact of a path is true and the goal is false is a counterexample
//! whatever was chosen, so choices need no justification; they only have to be consistent.
//!
//! Collections have their standard meaning instead of the model's values for operators on them, since the solver's
//! axioms are incomplete. Functions of the program are computed by their definitions.

pub mod completion;
pub mod defined;
pub mod intervals;
pub mod rules;

use super::decode::Decoder;
use super::decode::adt::Adts;
use super::definitions::{equations, introduced};
use super::interval::{Difference, IntervalOwner};
use super::tables::Tables;
use super::value::{Applications, Value, collection};
use crate::limits::LIMITS;
use completion::Choices;
use defined::Functions;
use echis_program::program::Program;
use echis_proof::Raw;
use echis_proof::scalar;
use echis_term::{Integer, Op, Quant, Sort, SortId, SymbolId, TermId, TermKind};
use intervals::is_any;
use rules::Rules;
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

pub struct Structure<'a> {
    pub tables: &'a Tables<'a>,
    pub decoder: Decoder<'a>,
    pub functions: Functions<'a>,
    /// Values of ground terms.
    memo: RefCell<HashMap<TermId, Option<Value>>>,
    /// Variables of the enclosing quantifiers. `None` means any value.
    pub bound: RefCell<HashMap<SymbolId, Option<Value>>>,
    tabulated: RefCell<HashMap<String, Option<Rc<Tabulated>>>>,
    /// For each variable, the integers at which facts about all integers may change their values.
    pub marks: RefCell<BTreeMap<IntervalOwner, BTreeSet<Integer>>>,
    /// Assumed comparisons of intervals, and the comparison that an evaluation lacked.
    pub orders: RefCell<Vec<(Difference, Ordering)>>,
    pub asked: RefCell<Option<Difference>>,
    pub rules: Rules,
    pub choices: Choices,
    /// Functions that equal their only rule, and functions with other choices.
    pub ruled: RefCell<BTreeSet<SymbolId>>,
    pub guessed: RefCell<BTreeSet<SymbolId>>,
    /// The chosen values of functions where the model has none; `None` while being computed.
    pub chosen: RefCell<Chosen>,
    /// Functions with a chosen value.
    pub undecided: RefCell<BTreeSet<SymbolId>>,
    /// The instance that falsified a quantified fact.
    pub witness: RefCell<Vec<(SymbolId, Value)>>,
    /// Collections named by the path: the constant, and the term it names.
    pub equations: BTreeMap<TermId, TermId>,
    /// The values that snapshots are unwrapped to where the model has none, for consistency.
    unwrapped: RefCell<BTreeMap<(SortId, Value), Value>>,
    /// Symbols that the path introduces for terms over their arguments.
    introduced: HashMap<SymbolId, (&'a Quant, TermId)>,
    /// The number of instances of quantifiers and definitions that may still be evaluated.
    pub budget: Cell<usize>,
    /// Recorded applications of functions without definitions, while axioms are sampled.
    pub occurring: RefCell<Option<Applications>>,
    /// Whether new choices are forbidden.
    pub cautious: Cell<bool>,
    /// Whether a rule is being evaluated to find a value.
    pub passing: Cell<bool>,
}

/// By function and arguments.
type Chosen = BTreeMap<(rules::RuleHead, Vec<Value>), Option<Value>>;

/// A function's values in the model. Collections that differ only in name may have two values, of which the first
/// counts.
pub type Tabulated = BTreeMap<Vec<Value>, Value>;

impl<'a> Structure<'a> {
    pub fn new(
        program: &Program,
        tables: &'a Tables<'a>,
        facts: impl Iterator<Item = TermId> + Clone,
        goal: TermId,
        choices: Choices,
    ) -> Self {
        let all = facts.clone().chain([goal]);
        let functions = Functions::new(tables.terms, all.clone());
        let structure = Structure {
            equations: equations(tables.terms, facts.clone()),
            unwrapped: RefCell::default(),
            rules: Rules::new(tables.terms, facts.clone(), &functions),
            choices,
            chosen: RefCell::default(),
            undecided: RefCell::default(),
            ruled: RefCell::default(),
            guessed: RefCell::default(),
            witness: RefCell::default(),
            orders: RefCell::default(),
            asked: RefCell::default(),
            tables,
            decoder: Decoder::new(tables, Adts::new(program, tables.terms), all),
            introduced: introduced(tables.terms, facts),
            functions,
            memo: RefCell::default(),
            bound: RefCell::default(),
            tabulated: RefCell::default(),
            marks: RefCell::default(),
            budget: Cell::new(LIMITS.evaluation),
            occurring: RefCell::default(),
            cautious: Cell::default(),
            passing: Cell::default(),
        };
        // In the order in which they were introduced.
        for (name, term) in &structure.equations {
            if let (Some(raw), Some(value)) = (tables.eval(*name), structure.eval(*term)) {
                structure.decoder.settle(raw, tables.terms.sort_of(*name), value);
            }
        }
        structure.memo.borrow_mut().clear();
        structure.tabulated.borrow_mut().clear();
        structure
    }
    /// Evaluates with a variable bound to a value, restoring the previous binding.
    pub fn with<T>(&self, variable: SymbolId, value: Option<Value>, evaluate: impl FnOnce() -> T) -> T {
        let before = self.bound.borrow_mut().insert(variable, value);
        let result = evaluate();
        match before {
            Some(before) => self.bound.borrow_mut().insert(variable, before),
            None => self.bound.borrow_mut().remove(&variable),
        };
        result
    }
    /// Whether a variable may have any value.
    pub fn is_open(&self, variable: SymbolId) -> bool {
        matches!(self.bound.borrow().get(&variable), Some(None))
    }
    pub fn truth(&self, term: TermId) -> Option<bool> {
        self.eval(term)?.as_bool()
    }
    /// Evaluates a term. `None` if the value is unknown, or depends on variables that may have any value.
    pub fn eval(&self, term: TermId) -> Option<Value> {
        let closed = self.tables.terms.term(term).free.is_empty();
        if closed && let Some(known) = self.memo.borrow().get(&term) {
            return known.clone();
        }
        let value = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.compute(term));
        // Terms evaluated only to find a value do not count as occurring.
        let in_passing = self.cautious.get() || self.passing.get() && self.occurring.borrow().is_some();
        if closed && !in_passing {
            self.memo.borrow_mut().insert(term, value.clone());
        }
        value
    }
    /// The ground terms that were evaluated.
    pub fn evaluated(&self) -> BTreeSet<TermId> {
        self.memo.borrow().keys().copied().collect()
    }
    fn compute(&self, term: TermId) -> Option<Value> {
        match self.tables.terms.kind(term) {
            TermKind::Bool(value) => Some(Value::truth(*value)),
            TermKind::Int(value) => Some(Value::int(value.clone())),
            TermKind::Perm(value) => Some(Value::Plain(Raw::Perm(value.clone()))),
            TermKind::App(symbol, args) => self.application(term, *symbol, args),
            TermKind::Op(op, args) => self.op(term, *op, args),
            TermKind::Quant(quant) => self.quantified(quant).map(Value::truth),
        }
    }
    fn application(&self, term: TermId, symbol: SymbolId, args: &[TermId]) -> Option<Value> {
        if let Some(value) = self.bound.borrow().get(&symbol) {
            return value.clone();
        }
        if self.functions.is_mark(symbol) {
            return Some(Value::truth(true));
        }
        let values: Option<Vec<Value>> = args.iter().map(|arg| self.eval(*arg)).collect();
        if self.functions.is_applied(symbol) {
            return Some(Value::truth(self.applications(symbol).contains(&values?)));
        }
        if let Some((quant, value)) = self.introduced.get(&symbol) {
            return self.at(quant, &values?, || self.eval(*value));
        }
        if let Some(function) = self.functions.precondition(symbol) {
            self.functions.meet(function, values?);
            return Some(Value::truth(true));
        }
        match self.functions.function(symbol) {
            Some(function) => self.call(function, values?),
            None => {
                let (values, result) = (values?, self.tables.terms.sort_of(term));
                let value = match self.decoder.adts.apply(&self.decoder, symbol, &values, result) {
                    Some(made) => made,
                    None => self.look_up(term, symbol, &values),
                };
                if let Some(value) = &value {
                    self.occurs(symbol, &values, value);
                }
                value
            }
        }
    }
    fn look_up(&self, term: TermId, symbol: SymbolId, args: &[Value]) -> Option<Value> {
        let declared = self.tables.terms.symbol(symbol);
        let table = self.tabulated(&self.tables.head_of(term), &declared.params, declared.result)?;
        self.look_up_in(symbol, args, &table)
    }
    pub fn look_up_in(&self, symbol: SymbolId, args: &[Value], table: &Tabulated) -> Option<Value> {
        let told = self.rules.is_told(symbol);
        if let Some(value) = table.get(args).filter(|_| !told) {
            return Some(value.clone());
        }
        if is_any(args) && !self.is_apart(table.keys(), args) {
            return None;
        }
        let choice = || match table.get(args) {
            Some(value) if *value != Value::truth(true) => Some(value.clone()),
            _ => self.choice(symbol, args, table),
        };
        self.complete(rules::RuleHead::Function(symbol), args, &choice)
    }
    pub fn tabulated(
        &self,
        head: &str,
        params: &[echis_term::SortId],
        result: echis_term::SortId,
    ) -> Option<Rc<Tabulated>> {
        if let Some(known) = self.tabulated.borrow().get(head) {
            return known.clone();
        }
        let entries = self.tables.model.tables.get(head).into_iter().flatten();
        let mut table = Tabulated::new();
        for (args, value) in entries {
            let args = args.iter().zip(params).map(|(arg, sort)| self.decoder.value(arg, *sort));
            if let (Some(args), Some(value)) = (args.collect::<Option<Vec<_>>>(), self.decoder.value(value, result)) {
                table.entry(args).or_insert(value);
            }
        }
        let table = Some(Rc::new(table));
        self.tabulated.borrow_mut().insert(head.to_string(), table.clone());
        table
    }

    fn op(&self, term: TermId, op: Op, args: &[TermId]) -> Option<Value> {
        match op {
            Op::Ite => return if self.truth(args[0])? { self.eval(args[1]) } else { self.eval(args[2]) },
            Op::And | Op::Or | Op::Implies => return self.connective(op, args),
            Op::Null => return self.tables.null().cloned().map(Value::Plain),
            Op::LookupMark => return Some(Value::truth(true)),
            Op::Wrap(_) | Op::Unwrap(_) | Op::Lookup | Op::ApplyWand | Op::KeySet => {
                return self.uninterpreted(term, op, args);
            }
            Op::Eq if args[0] == args[1] || self.functions.same(args[0], args[1]) => return Some(Value::truth(true)),
            _ => {}
        }
        let values: Vec<Value> = args.iter().map(|arg| self.eval(*arg)).collect::<Option<_>>()?;
        if let (Op::Combine, [first, second]) = (op, values.as_slice()) {
            return Some(Value::Pair(Box::new((first.clone(), second.clone()))));
        }
        if let (Op::First | Op::Second, [Value::Pair(parts)]) = (op, values.as_slice()) {
            return Some(if op == Op::First { parts.0.clone() } else { parts.1.clone() });
        }
        if let (Op::SetContains, [Value::Keys(map), key]) = (op, values.as_slice()) {
            return Some(Value::truth(self.has_key(map, key).or_else(|| self.modelled_key(map, key, args[0]))?));
        }
        if is_any(&values) {
            return self.between(op, &values);
        }
        let values = match op {
            Op::Eq | Op::SetSubset if values[0] == values[1] => return Some(Value::truth(true)),
            _ => self.listed(values, args)?,
        };
        match op {
            Op::Eq => self.equal(&values[0], &values[1], args[0]).map(Value::truth),
            Op::Distinct => {
                let mut distinct = Some(true);
                for (position, left) in values.iter().enumerate() {
                    for right in &values[..position] {
                        distinct = distinct.zip(self.equal(left, right, args[0])).map(|(all, same)| all && !same);
                    }
                }
                distinct.map(Value::truth)
            }
            // The components of a snapshot that is not a pair are those of the model, or fresh snapshots.
            Op::First | Op::Second => {
                let snap = self.tables.terms.sort_of(term);
                let table = self.tabulated(&self.tables.head_of(term), &[snap], snap)?;
                let part = Value::int(u8::from(op == Op::Second));
                let other = || Value::Wrapped(snap, Box::new(Value::Pair(Box::new((part, values[0].clone())))));
                Some(table.get(&values).cloned().unwrap_or_else(other))
            }
            _ => {
                let plains: Option<Vec<Option<Raw>>> =
                    values.iter().map(|value| value.clone().plain().map(Some)).collect();
                let result = plains.and_then(|plains| scalar(op, &plains));
                result.map(Value::Plain).or_else(|| collection(op, &values)).or_else(|| self.outside(term, op, &values))
            }
        }
    }
    /// Arbitrary values for undefined operations: elements outside a sequence or a map, and division by zero.
    fn outside(&self, term: TermId, op: Op, values: &[Value]) -> Option<Value> {
        let is_known = matches!(
            (op, values),
            (Op::SeqIndex, [Value::Seq(_), _]) | (Op::MapLookup, [Value::Map(_), _]) | (Op::Div | Op::Mod, [_, _])
        );
        if is_known { self.decoder.any(self.tables.terms.sort_of(term)) } else { None }
    }
    /// Evaluates up to the operand that decides, ignoring others without a value.
    fn connective(&self, op: Op, args: &[TermId]) -> Option<Value> {
        let (deciding, outcome) = match op {
            Op::And => (false, false),
            _ => (true, true),
        };
        let mut open = false;
        for (position, arg) in args.iter().enumerate() {
            let negated = op == Op::Implies && position + 1 < args.len();
            match self.truth(*arg).map(|value| value != negated) {
                Some(value) if value == deciding => return Some(Value::truth(outcome)),
                Some(_) => {}
                None => open = true,
            }
        }
        (!open).then(|| Value::truth(!outcome))
    }
    /// Maps are equal if they agree everywhere; the model tells only where they do not.
    fn equal(&self, left: &Value, right: &Value, operand: TermId) -> Option<bool> {
        let sort = self.tables.terms.sort_of(operand);
        let Sort::SnapMap { key, value, .. } = self.tables.terms.sort_data(sort) else { return Some(left == right) };
        if left == right {
            return Some(true);
        }
        let (Value::Plain(Raw::Element(name)), key, value) = (left, *key, *value) else { return None };
        let head = format!("SnapMap.lookup<{}>", name.split("!val!").next()?);
        let table = self.tabulated(&head, &[sort, key], value)?;
        let of = |map: &Value| -> BTreeMap<Value, Value> {
            let entries = table.iter().filter(|(args, _)| args[0] == *map);
            entries.map(|(args, value)| (args[1].clone(), value.clone())).collect()
        };
        let (left, right) = (of(left), of(right));
        left.iter().any(|(key, value)| right.get(key).is_some_and(|other| other != value)).then_some(false)
    }
    /// Operators that the solver axiomatises only partially.
    fn uninterpreted(&self, term: TermId, op: Op, args: &[TermId]) -> Option<Value> {
        let terms = self.tables.terms;
        let values: Vec<Value> = args.iter().map(|arg| self.eval(*arg)).collect::<Option<_>>()?;
        if let (Op::KeySet, [map], true) = (op, values.as_slice(), self.knows_keys()) {
            return Some(Value::Keys(Box::new(map.clone())));
        }
        let params: Vec<_> = args.iter().map(|arg| terms.sort_of(*arg)).collect();
        let result = terms.sort_of(term);
        let head = self.tables.head_of(term);
        let table = self.tabulated(&head, &params, result)?;
        if let Some(value) = table.get(&values) {
            return Some(value.clone());
        }
        if is_any(&values) && !self.is_apart(table.keys(), &values) {
            return None;
        }
        match (op, values.as_slice()) {
            // Every value has a snapshot.
            (Op::Wrap(_), [value]) => Some(Value::Wrapped(params[0], Box::new(value.clone()))),
            (Op::KeySet, [_]) => Some(Value::Set(BTreeSet::new())),
            (Op::Lookup, [..]) => self.complete(rules::RuleHead::Lookup, &values, &|| self.decoder.any(result)),
            (Op::Unwrap(_), [Value::Wrapped(sort, value)]) if *sort == result => Some((**value).clone()),
            // Unwraps a wrapped value; otherwise, the value is that of the model for the term, or arbitrary.
            (Op::Unwrap(_), [snapshot]) => {
                let point = (result, snapshot.clone());
                if let Some(known) = self.unwrapped.borrow().get(&point) {
                    return Some(known.clone());
                }
                let wrapped = self.tabulated(&head.replacen("unwrap", "wrap", 1), &[result], params[0])?;
                let watched = self.tables.model.watched.get(&term).and_then(|raw| self.decoder.value(raw, result));
                let found = wrapped.iter().find(|(_, known)| *known == snapshot).map(|(args, _)| args[0].clone());
                let value = found.or(watched.filter(|_| !snapshot.is_any())).or_else(|| self.decoder.any(result))?;
                self.unwrapped.borrow_mut().insert(point, value.clone());
                Some(value)
            }
            _ => self.decoder.any(result),
        }
    }
    /// Uses the model if no fact states the keys of a map.
    fn modelled_key(&self, map: &Value, key: &Value, keys: TermId) -> Option<bool> {
        let terms = self.tables.terms;
        let Some((Op::KeySet, [of])) = terms.as_op(keys) else { return None };
        let table = self.tabulated(&self.tables.head_of(keys), &[terms.sort_of(*of)], terms.sort_of(keys))?;
        let known = table.get(std::slice::from_ref(map));
        match known {
            Some(Value::Set(items)) => self.is_in(items.iter(), key)?.as_bool(),
            Some(_) => None,
            None => Some(false),
        }
    }
    /// Replaces key sets by sets, if they are finite.
    fn listed(&self, values: Vec<Value>, args: &[TermId]) -> Option<Vec<Value>> {
        let list = |(value, arg): (Value, &TermId)| {
            let Value::Keys(map) = &value else { return Some(value) };
            let Sort::Set(key) = *self.tables.terms.sort_data(self.tables.terms.sort_of(*arg)) else { return None };
            let mut keys = BTreeSet::new();
            for item in self.decoder.universe(key)? {
                if self.has_key(map, &item).or_else(|| self.modelled_key(map, &item, *arg))? {
                    keys.insert(item);
                }
            }
            Some(Value::Set(keys))
        };
        values.into_iter().zip(args).map(list).collect()
    }
    /// The value of a quantified resource's map at a key.
    pub fn lookup(&self, (map, key, value): (SortId, SortId, SortId), of: &Value, at: &Value) -> Option<Value> {
        let head = format!("SnapMap.lookup<{}>", self.tables.sort_name(map));
        let point = [of.clone(), at.clone()];
        if let Some(value) = self.tabulated(&head, &[map, key], value)?.get(point.as_slice()) {
            return Some(value.clone());
        }
        self.complete(rules::RuleHead::Lookup, &point, &|| self.decoder.any(value))
    }
    /// Wraps a value into a snapshot.
    pub fn wrapped(&self, value: &Value, sort: SortId) -> Option<Value> {
        if matches!(self.tables.terms.sort_data(sort), Sort::Snap) {
            return Some(value.clone());
        }
        let table = match self.tables.sort_text(sort) {
            Some(name) => self.tabulated(&format!("Snap.wrap<{name}>"), &[sort], self.snap()?),
            None => None,
        };
        let known = table.and_then(|table| table.get(std::slice::from_ref(value)).cloned());
        Some(known.unwrap_or_else(|| Value::Wrapped(sort, Box::new(value.clone()))))
    }
    /// Combines arguments into one key.
    pub fn tuple(&self, args: &[Value], sorts: &[SortId]) -> Option<Value> {
        let mut parts = args.iter().zip(sorts).rev().map(|(arg, sort)| self.wrapped(arg, *sort));
        let Some(last) = parts.next() else { return Some(Value::Plain(Raw::Unit)) };
        parts.try_fold(last?, |tail, head| Some(Value::Pair(Box::new((head?, tail)))))
    }
    fn snap(&self) -> Option<SortId> {
        let terms = self.tables.terms;
        terms.symbols().find_map(|(_, symbol)| {
            let sorts = symbol.params.iter().chain([&symbol.result]);
            sorts.copied().find(|sort| matches!(terms.sort_data(*sort), Sort::Snap))
        })
    }
    /// The applications of wands, as they occur on the path.
    pub fn applications(&self, symbol: SymbolId) -> BTreeSet<Vec<Value>> {
        let of_symbol = self.functions.applied_terms().iter().filter_map(|term| match self.tables.terms.kind(*term) {
            TermKind::App(applied, args) if *applied == symbol => args.iter().map(|arg| self.eval(*arg)).collect(),
            _ => None,
        });
        of_symbol.collect()
    }
    /// Whether a function that was taken to equal its rule has another value somewhere.
    pub fn is_inconsistent(&self) -> bool {
        !self.ruled.borrow().is_disjoint(&self.guessed.borrow())
    }
    /// Number of evaluated instances.
    pub fn spent(&self) -> usize {
        LIMITS.evaluation - self.budget.get()
    }
    /// Counts one more instance; `None` if the limit is reached.
    pub fn spend(&self) -> Option<()> {
        self.budget.set(self.budget.get().checked_sub(1)?);
        Some(())
    }
}
