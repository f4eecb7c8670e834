//! Model completion: the values of functions at arguments for which the model has none. They come from rules stated
//! by axioms, or are chosen, once per application. An axiom may hold for one choice and not for another, so several
//! are tried.

use super::intervals::is_any;
use super::rules;
use super::{Structure, Tabulated};
use crate::interval::{Interval, IntervalOwner};
use crate::limits::LIMITS;
use crate::value::Value;
use echis_term::{Integer, Sort, SortId, SymbolId};
use std::collections::{BTreeMap, BTreeSet};

/// The choices of functions that do not have the first one.
pub type Choices = BTreeMap<SymbolId, usize>;

impl Structure<'_> {
    pub fn complete(&self, of: rules::RuleHead, args: &[Value], choice: &dyn Fn() -> Option<Value>) -> Option<Value> {
        let point = (of, args.to_vec());
        let several = is_any(args);
        let known = self.chosen.borrow().get(&point).cloned();
        match known {
            Some(Some(value)) => return Some(value),
            // It is being computed. A single point is fixed now; for several, the value is unknown.
            Some(None) if several => return None,
            Some(None) => {
                self.guess(of);
                let value = choice()?;
                self.chosen.borrow_mut().insert(point, Some(value.clone()));
                return Some(value);
            }
            None if self.cautious.get() => return None,
            None => {}
        }
        self.spend()?;
        self.chosen.borrow_mut().insert(point.clone(), None);
        // Applications evaluated to find a value do not count as occurring.
        let before = self.passing.replace(true);
        let ruled = self.by_rule(of, args);
        self.passing.set(before);
        let value = match ruled {
            Some(None) if several => None,
            Some(Some(value)) => Some(value),
            Some(None) => {
                self.guess(of);
                choice()
            }
            None => choice(),
        };
        let mut chosen = self.chosen.borrow_mut();
        if let Some(Some(settled)) = chosen.get(&point) {
            return Some(settled.clone());
        }
        match (&value, several) {
            (Some(value), false) => drop(chosen.insert(point, Some(value.clone()))),
            _ => drop(chosen.remove(&point)),
        }
        value
    }
    /// Evaluates without making new choices.
    pub fn cautiously<T>(&self, evaluate: impl FnOnce() -> T) -> T {
        let before = self.cautious.replace(true);
        let result = evaluate();
        self.cautious.set(before);
        result
    }
    /// Records an application, if these are recorded. Those evaluated only to find a value do not count.
    pub fn occurs(&self, symbol: SymbolId, args: &[Value], value: &Value) {
        if let Some(all) = self.occurring.borrow_mut().as_mut()
            && !self.cautious.get()
            && !self.passing.get()
            && !args.iter().any(Value::is_any)
        {
            all.entry(symbol).or_default().entry(args.to_vec()).or_insert_with(|| value.clone());
        }
    }
    fn guess(&self, of: rules::RuleHead) {
        if let rules::RuleHead::Function(symbol) = of {
            self.guessed.borrow_mut().insert(symbol);
        }
    }
    /// The default is a value that the function has elsewhere, so that facts about all its values remain true;
    /// relations default to false, since facts are mostly stated where they hold. The other choice is the opposite.
    pub fn choice(&self, symbol: SymbolId, args: &[Value], table: &Tabulated) -> Option<Value> {
        self.undecided.borrow_mut().insert(symbol);
        let result = self.tables.terms.symbol(symbol).result;
        let choice = self.choices.get(&symbol).copied().unwrap_or(0);
        match (self.tables.terms.sort_data(result), choice) {
            (Sort::Bool, choice) => Some(Value::truth(choice > 0)),
            (Sort::Ref | Sort::User(_), 1..) if self.is_free(symbol) => Some(Value::Fresh(symbol, args.to_vec())),
            (_, 0) => table.values().next().cloned().or_else(|| self.decoder.any(result)),
            _ => self.decoder.any(result),
        }
    }
    /// Whether there is another choice.
    pub fn has_choice(&self, symbol: SymbolId) -> bool {
        let result = self.tables.terms.symbol(symbol).result;
        !self.choices.contains_key(&symbol)
            && match self.tables.terms.sort_data(result) {
                Sort::Bool => true,
                Sort::Ref | Sort::User(_) => !self.decoder.adts.is_adt(result),
                Sort::Int | Sort::Perm => true,
                _ => false,
            }
    }
    /// Whether the function's values outside the model are fresh.
    fn is_free(&self, symbol: SymbolId) -> bool {
        let declared = self.tables.terms.symbol(symbol);
        !declared.params.is_empty()
            && !self.decoder.adts.is_adt(declared.result)
            && self.choices.get(&symbol).is_some_and(|choice| *choice > 0)
    }
    /// All values of an uninterpreted sort, including those constructed by functions.
    pub fn universe(&self, sort: SortId, variable: SymbolId) -> Option<Vec<Value>> {
        let mut all = self.decoder.universe(sort)?;
        let free: BTreeSet<SymbolId> = self.choices.keys().copied().filter(|symbol| self.is_free(*symbol)).collect();
        for symbol in free.iter().filter(|symbol| self.tables.terms.symbol(**symbol).result == sort) {
            all.extend(self.made(*symbol, variable, &free)?);
        }
        Some(all)
    }
    /// The values constructed by a function. `None` if they cannot be represented finitely.
    fn made(&self, symbol: SymbolId, variable: SymbolId, free: &BTreeSet<SymbolId>) -> Option<Vec<Value>> {
        let terms = self.tables.terms;
        let declared = terms.symbol(symbol);
        let table = self.tabulated(&self.tables.symbol_name(symbol), &declared.params, declared.result)?;
        let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
        for (position, param) in declared.params.iter().enumerate() {
            let values = match terms.sort_data(*param) {
                Sort::Bool => vec![Value::truth(false), Value::truth(true)],
                Sort::Int => {
                    let of = IntervalOwner { variable, argument: Some((symbol, position)) };
                    let mut marks: BTreeSet<Integer> =
                        table.keys().filter_map(|point| point[position].as_int().cloned()).collect();
                    marks.extend(self.marks.borrow().get(&of).into_iter().flatten().cloned());
                    Interval::classes(of, &marks.into_iter().collect::<Vec<_>>())?
                }
                _ => {
                    let mut values = self.decoder.universe(*param)?;
                    // Nested constructions never end, so all of them are represented by one value.
                    if free.iter().any(|other| terms.symbol(*other).result == *param) {
                        values.push(Value::Other(IntervalOwner { variable, argument: Some((symbol, position)) }));
                    }
                    values
                }
            };
            let longer = tuples
                .iter()
                .flat_map(|tuple| values.iter().map(|value| [tuple.as_slice(), std::slice::from_ref(value)].concat()));
            tuples = longer.take(LIMITS.made + 1).collect();
            if tuples.len() > LIMITS.made {
                return None;
            }
        }
        let outside = tuples.into_iter().filter(|tuple| !table.contains_key(tuple));
        // A rule may give another value.
        let made = outside.map(|tuple| {
            self.complete(rules::RuleHead::Function(symbol), &tuple, &|| self.choice(symbol, &tuple, &table))
        });
        Some(made.collect::<Option<Vec<_>>>()?.into_iter().filter(|value| matches!(value, Value::Fresh(..))).collect())
    }
}
