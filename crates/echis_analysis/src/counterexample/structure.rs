//! One complete interpretation of a path's symbols, made from a model: what the model says, and a fixed choice where it
//! says nothing. An interpretation in which every fact of a path is true and the goal is false is a counterexample
//! whatever was chosen, so choices need no justification; they only have to be the same wherever they are asked for.
//!
//! Collections are what they mean and not what the model says about operators on them, since the solver's axioms for
//! these are not complete. Functions of the program are computed by their definitions.

use super::adt::Adts;
use super::decode::Decoder;
use super::defined::Functions;
use super::scalar::scalar;
use super::tables::Tables;
use super::value::{Value, collection};
use echis_program::program::Program;
use echis_proof::Raw;
use echis_term::{Op, Sort, SymbolId, TermId, TermKind};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

pub struct Structure<'a> {
    pub tables: &'a Tables<'a>,
    pub decoder: Decoder<'a>,
    pub functions: Functions<'a>,
    /// Values of terms without variables.
    memo: RefCell<HashMap<TermId, Option<Value>>>,
    /// Variables of the quantifiers around. `None`: any value is meant.
    bound: RefCell<HashMap<SymbolId, Option<Value>>>,
    tabulated: RefCell<HashMap<String, Option<Rc<Tabulated>>>>,
    /// How many instances of quantifiers and definitions may still be evaluated.
    pub budget: Cell<usize>,
}

/// A function as the model has it. `None`: it has two values somewhere, which collections that differ in name only
/// can bring about.
type Tabulated = BTreeMap<Vec<Value>, Value>;

/// Instances of quantifiers and definitions that are evaluated in one replay.
const BUDGET: usize = 30_000;

impl<'a> Structure<'a> {
    pub fn new(program: &Program, tables: &'a Tables<'a>, facts: impl Iterator<Item = TermId> + Clone) -> Self {
        Structure {
            tables,
            decoder: Decoder::new(tables, Adts::new(program, tables), facts.clone()),
            functions: Functions::new(tables.terms, facts),
            memo: RefCell::default(),
            bound: RefCell::default(),
            tabulated: RefCell::default(),
            budget: Cell::new(BUDGET),
        }
    }
    /// Evaluates with a variable standing for a value; nested, so that the variable's former meaning comes back.
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
    /// `None`: the value cannot be found, or is not the same for all values of the variables without one.
    pub fn eval(&self, term: TermId) -> Option<Value> {
        let closed = self.tables.terms.term(term).free.is_empty();
        if closed && let Some(known) = self.memo.borrow().get(&term) {
            return known.clone();
        }
        let value = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.compute(term));
        if closed {
            self.memo.borrow_mut().insert(term, value.clone());
        }
        value
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
        if let Some(function) = self.functions.precondition(symbol) {
            self.functions.meet(function, values?);
            return Some(Value::truth(true));
        }
        match self.functions.function(symbol) {
            Some(function) => self.call(function, values?),
            None => {
                let (values, result) = (values?, self.tables.terms.sort_of(term));
                let made = self.decoder.adts.apply(&self.decoder, symbol, &values, result);
                made.unwrap_or_else(|| self.look_up(term, symbol, &values))
            }
        }
    }
    /// The model's value, or one of those that the function has elsewhere, so that what is said of all of them
    /// remains true. A relation holds nowhere else: what is said of it is mostly said where it holds.
    fn look_up(&self, term: TermId, symbol: SymbolId, args: &[Value]) -> Option<Value> {
        let declared = self.tables.terms.symbol(symbol);
        let table = self.tabulated(&self.tables.head_of(term), &declared.params, declared.result)?;
        let is_relation = matches!(self.tables.terms.sort_data(declared.result), Sort::Bool);
        match table.get(args).or_else(|| table.values().next().filter(|_| !is_relation)) {
            Some(value) => Some(value.clone()),
            None => self.decoder.any(declared.result),
        }
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
        let mut table = Some(Tabulated::new());
        for (args, value) in entries {
            let args = args.iter().zip(params).map(|(arg, sort)| self.decoder.value(arg, *sort));
            let (Some(args), Some(value)) = (args.collect::<Option<Vec<_>>>(), self.decoder.value(value, result))
            else {
                table = None;
                break;
            };
            let clash = table.as_mut().and_then(|table| table.insert(args, value.clone())).is_some_and(|v| v != value);
            if clash {
                table = None;
                break;
            }
        }
        let table = table.map(Rc::new);
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
            // What a selector says of `unit` is for the model to choose.
            Op::First | Op::Second if matches!(values[0], Value::Plain(Raw::Unit)) => {
                let raw: Vec<Raw> = values.into_iter().map(Value::plain).collect::<Option<_>>()?;
                let chosen = self.tables.model.value(&self.tables.head_of(term), &raw).cloned();
                Some(Value::Plain(chosen.unwrap_or(Raw::Unit)))
            }
            _ => {
                let plains: Option<Vec<Option<Raw>>> =
                    values.iter().map(|value| value.clone().plain().map(Some)).collect();
                let result = plains.and_then(|plains| scalar(op, &plains));
                result.map(Value::Plain).or_else(|| collection(op, &values))
            }
        }
    }
    /// Stops at the part that decides. A part without a value does not matter then.
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
    /// Maps are equal if they agree everywhere, of which the model tells only where they do not.
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
    /// Operators of which the solver knows no more than a law or two.
    fn uninterpreted(&self, term: TermId, op: Op, args: &[TermId]) -> Option<Value> {
        let terms = self.tables.terms;
        let values: Vec<Value> = args.iter().map(|arg| self.eval(*arg)).collect::<Option<_>>()?;
        let params: Vec<_> = args.iter().map(|arg| terms.sort_of(*arg)).collect();
        let result = terms.sort_of(term);
        let head = self.tables.head_of(term);
        if let Some(value) = self.tabulated(&head, &params, result)?.get(&values) {
            return Some(value.clone());
        }
        match op {
            // There is a snapshot for every value, and which one the model leaves open.
            Op::Wrap(_) | Op::KeySet => None,
            // What was wrapped is found again.
            Op::Unwrap(_) => {
                let wrapped = self.tabulated(&head.replacen("unwrap", "wrap", 1), &[result], params[0])?;
                let found = wrapped.iter().find(|(_, snapshot)| **snapshot == values[0]);
                found.map(|(args, _)| args[0].clone()).or_else(|| self.decoder.any(result))
            }
            _ => self.decoder.any(result),
        }
    }
    /// One more instance; `None` when enough was tried.
    pub fn spend(&self) -> Option<()> {
        self.budget.set(self.budget.get().checked_sub(1)?);
        Some(())
    }
}
