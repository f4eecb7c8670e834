//! Quantified facts in a replay: by instances, where the values that matter are finitely many.
//!
//! References and elements of domains are those of the model. Integers and collections are taken from the conditions
//! on them (`0 <= i && i < |s|`, `x in s`); without such conditions there are too many.

use super::structure::Structure;
use super::value::Value;
use echis_term::{Integer, Op, Quant, Quantifier, Sort, SymbolId, TermId, TermKind};
use std::collections::{BTreeMap, BTreeSet};

/// Longer ranges are not gone through.
const LONGEST_RANGE: usize = 2000;
/// How many variables a bound may come by.
const ROUNDS: usize = 3;

impl Structure<'_> {
    /// `None`: there are too many values, or values are missing for some of them.
    pub fn quantified(&self, quant: &Quant) -> Option<bool> {
        let vars: Vec<SymbolId> = quant.vars.to_vec();
        let forall = quant.quantifier == Quantifier::Forall;
        self.instances(quant, &vars, forall)
    }
    fn instances(&self, quant: &Quant, open: &[SymbolId], forall: bool) -> Option<bool> {
        self.spend()?;
        // The same for all values, or all variables have one.
        let without = self.without(open, || self.truth(quant.body));
        if open.is_empty() || without.is_some() {
            return without;
        }
        let guards = self.guards(quant.body, forall);
        let found = open.iter().find_map(|var| Some((*var, self.without(open, || self.candidates(*var, &guards))?)));
        let (var, candidates) = found?;
        let rest: Vec<SymbolId> = open.iter().copied().filter(|other| *other != var).collect();
        let mut undecided = false;
        for candidate in candidates {
            match self.with(var, Some(candidate), || self.instances(quant, &rest, forall)) {
                Some(value) if value != forall => return Some(value),
                Some(_) => {}
                None if self.budget.get() == 0 => return None,
                None => undecided = true,
            }
        }
        (!undecided).then_some(forall)
    }
    /// Evaluates with variables that may have any value.
    fn without<T>(&self, vars: &[SymbolId], evaluate: impl FnOnce() -> T) -> T {
        match vars.split_first() {
            Some((var, rest)) => self.with(*var, None, || self.without(rest, evaluate)),
            None => evaluate(),
        }
    }
    /// Conditions outside of which an instance holds (of `forall`) or does not (of `exists`).
    fn guards(&self, body: TermId, forall: bool) -> Vec<TermId> {
        let terms = self.tables.terms;
        let mut guards = Vec::new();
        let mut pending = vec![(body, !forall)];
        while let Some((term, is_guard)) = pending.pop() {
            match (terms.as_op(term), is_guard) {
                (Some((Op::Implies, [condition, rest])), false) => {
                    pending.push((*rest, false));
                    pending.push((*condition, true));
                }
                (Some((Op::Or, parts)), false) => {
                    let negated = parts.iter().filter_map(|part| match terms.as_op(*part) {
                        Some((Op::Not, [inner])) => Some((*inner, true)),
                        _ => None,
                    });
                    pending.extend(negated);
                }
                (Some((Op::And, parts)), true) => pending.extend(parts.iter().map(|part| (*part, true))),
                (_, true) => guards.push(term),
                _ => {}
            }
        }
        guards
    }
    fn candidates(&self, var: SymbolId, guards: &[TermId]) -> Option<Vec<Value>> {
        let terms = self.tables.terms;
        let sort = terms.symbol(var).result;
        match terms.sort_data(sort) {
            Sort::Bool => return Some(vec![Value::truth(false), Value::truth(true)]),
            Sort::Ref | Sort::User(_) | Sort::SnapMap { .. } | Sort::WandMap => return self.decoder.universe(sort),
            _ => {}
        }
        self.members(var, guards).or_else(|| self.range(var, guards))
    }
    fn is_var(&self, term: TermId, var: SymbolId) -> bool {
        matches!(self.tables.terms.kind(term), TermKind::App(symbol, args) if *symbol == var && args.is_empty())
    }
    /// What the variable is said to be, or to be in.
    fn members(&self, var: SymbolId, guards: &[TermId]) -> Option<Vec<Value>> {
        for guard in guards {
            let found: Option<BTreeSet<Value>> = match self.tables.terms.as_op(*guard) {
                Some((Op::Eq, [left, right])) if self.is_var(*left, var) => self.eval(*right).map(|v| [v].into()),
                Some((Op::Eq, [left, right])) if self.is_var(*right, var) => self.eval(*left).map(|v| [v].into()),
                Some((Op::SeqContains | Op::SetContains | Op::MapContains, [all, item])) if self.is_var(*item, var) => {
                    match self.eval(*all) {
                        Some(Value::Seq(items)) => Some(items.into_iter().collect()),
                        Some(Value::Set(items)) => Some(items),
                        Some(Value::Map(items)) => Some(items.into_keys().collect()),
                        _ => None,
                    }
                }
                _ => None,
            };
            if let Some(found) = found {
                return Some(found.into_iter().collect());
            }
        }
        None
    }
    /// The integers between the variable's bounds. Bounds by other variables are bounded by these variables' own.
    fn range(&self, var: SymbolId, guards: &[TermId]) -> Option<Vec<Value>> {
        let mut bounds: BTreeMap<SymbolId, (Option<Integer>, Option<Integer>)> = BTreeMap::new();
        // Each round carries bounds one variable further.
        for _ in 0..ROUNDS {
            for guard in guards {
                let Some((op @ (Op::Le | Op::Lt), [left, right])) = self.tables.terms.as_op(*guard) else { continue };
                let strict = Integer::from(u8::from(op == Op::Lt));
                if let Some(above) = self.variable(*right)
                    && let Some(bound) = self.bound_of(*left, |(least, _)| least.clone(), &bounds)
                {
                    let least = &mut bounds.entry(above).or_default().0;
                    let bound = bound + &strict;
                    *least = Some(least.take().map_or(bound.clone(), |least| least.max(bound)));
                }
                if let Some(below) = self.variable(*left)
                    && let Some(bound) = self.bound_of(*right, |(_, most)| most.clone(), &bounds)
                {
                    let most = &mut bounds.entry(below).or_default().1;
                    let bound = bound - &strict;
                    *most = Some(most.take().map_or(bound.clone(), |most| most.min(bound)));
                }
            }
        }
        let (Some(least), Some(most)) = bounds.remove(&var)? else { return None };
        if most < least {
            return Some(Vec::new());
        }
        let length = usize::try_from(&most - &least).ok().filter(|length| *length < LONGEST_RANGE)?;
        Some((0..=length).map(|offset| Value::int(&least + Integer::from(offset))).collect())
    }
    /// The integer that a term is, or the bound of the variable that it is.
    fn bound_of(
        &self,
        term: TermId,
        side: impl Fn(&(Option<Integer>, Option<Integer>)) -> Option<Integer>,
        bounds: &BTreeMap<SymbolId, (Option<Integer>, Option<Integer>)>,
    ) -> Option<Integer> {
        match self.eval(term) {
            Some(value) => value.as_int().cloned(),
            None => side(bounds.get(&self.variable(term)?)?),
        }
    }
    /// A variable without a value.
    fn variable(&self, term: TermId) -> Option<SymbolId> {
        match self.tables.terms.kind(term) {
            TermKind::App(symbol, args) if args.is_empty() && self.is_open(*symbol) => Some(*symbol),
            _ => None,
        }
    }
}
