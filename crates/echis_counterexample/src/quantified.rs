//! Quantified facts in a replay: evaluated by instances, if finitely many values are relevant.
//!
//! References and elements of domains are those of the model. Integers and collections come from the conditions on
//! them (`0 <= i && i < |s|`, `x in s`); without such conditions there are too many.

use super::interval::{Interval, IntervalOwner};
use super::structure::Structure;
use super::structure::intervals::is_any;
use super::value::Value;
use crate::limits::LIMITS;
use echis_term::{Integer, Op, Quant, Quantifier, Sort, SortId, SymbolId, TermId, TermKind};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

impl Structure<'_> {
    /// Evaluates a quantified fact. `None` if there are too many values, or some instances have no value.
    pub fn quantified(&self, quant: &Quant) -> Option<bool> {
        let vars: Vec<SymbolId> = quant.vars.to_vec();
        let forall = quant.quantifier == Quantifier::Forall;
        match self.instances(quant, &vars, forall) {
            None if forall => self.by_definition(quant),
            value => value,
        }
    }
    /// The definition of a function holds where the model does not fix the function; so it is checked only where it
    /// does.
    fn by_definition(&self, quant: &Quant) -> Option<bool> {
        let symbol = self.rules.defines(self.tables.terms, quant)?;
        let is_own = !self.functions.versions().contains_key(&symbol) && self.functions.precondition(symbol).is_none();
        let declared = self.tables.terms.symbol(symbol);
        let table = self.tabulated(&self.tables.symbol_name(symbol), &declared.params, declared.result)?;
        for point in table.keys().filter(|_| is_own) {
            if !self.at(quant, point, || self.truth(quant.body))? {
                return Some(false);
            }
        }
        self.ruled.borrow_mut().insert(symbol);
        is_own.then_some(true)
    }
    fn instances(&self, quant: &Quant, open: &[SymbolId], forall: bool) -> Option<bool> {
        self.spend()?;
        // The body has the same value for all values, or all variables are bound.
        let without = if open.is_empty() {
            self.instance(quant, forall, 0)
        } else {
            self.without(open, || self.truth(quant.body))
        };
        if open.is_empty() || without.is_some() {
            return without;
        }
        let guards = self.guards(quant.body, forall);
        let candidates = |var: &SymbolId| {
            self.without(open, || self.candidates(*var, &guards).or_else(|| self.snapshots(*var, quant.body)))
        };
        let found = open.iter().find_map(|var| Some((*var, candidates(var)?)));
        let Some((var, candidates)) = found else { return self.classes(quant, open, forall) };
        let rest: Vec<SymbolId> = open.iter().copied().filter(|other| *other != var).collect();
        let marks = self.marks_found();
        let mut undecided = false;
        for candidate in &candidates {
            match self.with(var, Some(candidate.clone()), || self.instances(quant, &rest, forall)) {
                Some(value) if value != forall => return Some(value),
                Some(_) => {}
                None if self.budget.get() == 0 => return None,
                None => undecided = true,
            }
        }
        // Function results may be distinguished better now.
        if undecided && is_any(&candidates) && self.marks_found() > marks {
            return self.instances(quant, open, forall);
        }
        (!undecided).then_some(forall)
    }
    /// Evaluates one instance. If it depends on how two integer intervals compare, each case is tried.
    fn instance(&self, quant: &Quant, forall: bool, depth: usize) -> Option<bool> {
        self.asked.borrow_mut().take();
        let marks = self.marks_found();
        let value = self.truth(quant.body);
        if value == Some(!forall) {
            self.note_witness(quant);
        }
        let asked = self.asked.borrow_mut().take();
        let (None, Some(asked), true) = (value, asked, depth < LIMITS.quantifier_depth && self.marks_found() == marks)
        else {
            return value;
        };
        let mut undecided = false;
        for order in [Ordering::Equal, Ordering::Less, Ordering::Greater] {
            if !asked.can_be(order) {
                continue;
            }
            self.spend()?;
            self.orders.borrow_mut().push((asked.clone(), order));
            let value = self.instance(quant, forall, depth + 1);
            self.orders.borrow_mut().pop();
            match value {
                // Several comparisons may contradict each other.
                Some(value) if value != forall && depth == 0 => return Some(value),
                Some(value) => undecided |= value != forall,
                None => undecided = true,
            }
        }
        (!undecided).then_some(forall)
    }
    fn marks_found(&self) -> usize {
        self.marks.borrow().values().map(BTreeSet::len).sum()
    }
    fn note_witness(&self, quant: &Quant) {
        let bound = self.bound.borrow();
        let values = quant.vars.iter().filter_map(|var| Some((*var, bound.get(var)?.clone()?)));
        self.witness.replace(values.collect());
    }
    /// Evaluates for all integers: those at which something changes, and the ranges between them.
    fn classes(&self, quant: &Quant, open: &[SymbolId], forall: bool) -> Option<bool> {
        let terms = self.tables.terms;
        let is_integer = |var: &&SymbolId| matches!(terms.sort_data(terms.symbol(**var).result), Sort::Int);
        let var = *open.iter().find(is_integer)?;
        let rest: Vec<SymbolId> = open.iter().copied().filter(|other| *other != var).collect();
        let of = IntervalOwner { variable: var, argument: None };
        for _ in 0..LIMITS.splits {
            let marks: Vec<Integer> = self.marks.borrow().get(&of).into_iter().flatten().cloned().collect();
            let mut undecided = false;
            for value in Interval::classes(of, &marks)? {
                match self.with(var, Some(value), || self.instances(quant, &rest, forall)) {
                    Some(value) if value != forall => return Some(value),
                    Some(_) => {}
                    None if self.budget.get() == 0 => return None,
                    None => undecided = true,
                }
            }
            let found = self.marks.borrow().get(&of).map_or(0, BTreeSet::len);
            if found == marks.len() {
                return (!undecided).then_some(forall);
            }
        }
        None
    }
    /// Evaluates with variables that may have any value.
    pub fn without<T>(&self, vars: &[SymbolId], evaluate: impl FnOnce() -> T) -> T {
        match vars.split_first() {
            Some((var, rest)) => self.with(*var, None, || self.without(rest, evaluate)),
            None => evaluate(),
        }
    }
    /// Conditions outside of which an instance holds (for `forall`) or does not (for `exists`).
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
    pub fn candidates(&self, var: SymbolId, guards: &[TermId]) -> Option<Vec<Value>> {
        let terms = self.tables.terms;
        let sort = terms.symbol(var).result;
        match terms.sort_data(sort) {
            Sort::Bool => return Some(vec![Value::truth(false), Value::truth(true)]),
            Sort::Ref | Sort::User(_) | Sort::SnapMap { .. } | Sort::WandMap => return self.universe(sort, var),
            _ => {}
        }
        self.members(var, guards).or_else(|| self.range(var, guards)).or_else(|| self.applied(var, guards))
    }
    /// The relevant snapshots: those that values are wrapped into, those of the model, and an arbitrary other one.
    fn snapshots(&self, var: SymbolId, body: TermId) -> Option<Vec<Value>> {
        let terms = self.tables.terms;
        let constant =
            |term: TermId| matches!(terms.kind(term), TermKind::App(symbol, args) if *symbol == var && args.is_empty());
        if !matches!(terms.sort_data(terms.symbol(var).result), Sort::Snap) {
            return None;
        }
        let mut paths: BTreeSet<(Vec<Op>, Option<SortId>)> = BTreeSet::new();
        terms.for_each_subterm(body, |term| {
            let (mut steps, mut at, mut sort) = (Vec::new(), term, None);
            while let Some((op @ (Op::First | Op::Second | Op::Unwrap(_)), [inner])) = terms.as_op(at) {
                match op {
                    Op::Unwrap(_) => sort = Some(terms.sort_of(at)),
                    _ => steps.push(op),
                }
                at = *inner;
            }
            if constant(at) && at != term {
                steps.reverse();
                paths.insert((steps, sort));
            }
        });
        self.shapes(var, &paths, &mut 0)
    }
    /// The snapshots that occur in the model as keys and as wrapped values.
    fn known_snapshots(&self) -> BTreeSet<Value> {
        let mut known = BTreeSet::new();
        for (name, table) in &self.tables.model.tables {
            let is_lookup = name.starts_with("SnapMap.lookup<");
            for (args, value) in table {
                let snapshot =
                    if is_lookup { args.get(1) } else { Some(value).filter(|_| name.starts_with("Snap.wrap<")) };
                let is_snapshot = |raw: &&echis_proof::Raw| !matches!(raw, echis_proof::Raw::Element(_));
                known.extend(snapshot.filter(is_snapshot).map(super::decode::snapshot));
            }
        }
        known
    }
    fn shapes(
        &self,
        var: SymbolId,
        paths: &BTreeSet<(Vec<Op>, Option<SortId>)>,
        next: &mut usize,
    ) -> Option<Vec<Value>> {
        *next += 1;
        let mut values = vec![Value::Unlike(IntervalOwner { variable: var, argument: Some((var, *next)) })];
        values.extend(self.known_snapshots());
        let below = |op: Op| -> BTreeSet<(Vec<Op>, Option<SortId>)> {
            let inner = paths.iter().filter(|(steps, _)| steps.first() == Some(&op));
            inner.map(|(steps, sort)| (steps[1..].to_vec(), *sort)).collect()
        };
        for sort in paths.iter().filter(|(steps, _)| steps.is_empty()).filter_map(|(_, sort)| *sort) {
            let wrap = format!("Snap.wrap<{}>", self.tables.sort_text(sort)?);
            let snap = self.tables.terms.symbol(var).result;
            let table = self.tabulated(&wrap, &[sort], snap)?;
            for value in self.universe(sort, var)? {
                let known = table.get(std::slice::from_ref(&value)).cloned();
                values.push(known.unwrap_or_else(|| Value::Wrapped(sort, Box::new(value))));
            }
        }
        let (first, second) = (below(Op::First), below(Op::Second));
        if !first.is_empty() || !second.is_empty() {
            let (first, second) = (self.shapes(var, &first, next)?, self.shapes(var, &second, next)?);
            if first.len() * second.len() > LIMITS.range {
                return None;
            }
            for first in &first {
                values.extend(second.iter().map(|second| Value::Pair(Box::new((first.clone(), second.clone())))));
            }
        }
        Some(values)
    }
    /// The left sides to which a wand is applied, if the guards mention them.
    fn applied(&self, var: SymbolId, guards: &[TermId]) -> Option<Vec<Value>> {
        guards.iter().find_map(|guard| {
            let TermKind::App(symbol, args) = self.tables.terms.kind(*guard) else { return None };
            let position = args.iter().position(|arg| self.is_var(*arg, var))?;
            let points = self.functions.is_applied(*symbol).then(|| self.applications(*symbol))?;
            let values: BTreeSet<Value> = points.into_iter().filter_map(|point| point.get(position).cloned()).collect();
            Some(values.into_iter().collect())
        })
    }
    fn is_var(&self, term: TermId, var: SymbolId) -> bool {
        matches!(self.tables.terms.kind(term), TermKind::App(symbol, args) if *symbol == var && args.is_empty())
    }
    /// The values that guards allow: those equal to the variable, or members of a collection that contains it.
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
    /// The integers between the variable's bounds. Bounds in terms of other variables use these variables' own
    /// bounds.
    fn range(&self, var: SymbolId, guards: &[TermId]) -> Option<Vec<Value>> {
        let mut bounds: BTreeMap<SymbolId, (Option<Integer>, Option<Integer>)> = BTreeMap::new();
        // Each round propagates bounds through one more variable.
        for _ in 0..LIMITS.quantifier_rounds {
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
        let length = usize::try_from(&most - &least).ok().filter(|length| *length < LIMITS.range)?;
        Some((0..=length).map(|offset| Value::int(&least + Integer::from(offset))).collect())
    }
    /// The value of an integer term, or the bound of a variable.
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
    /// An unbound variable.
    fn variable(&self, term: TermId) -> Option<SymbolId> {
        match self.tables.terms.kind(term) {
            TermKind::App(symbol, args) if args.is_empty() && self.is_open(*symbol) => Some(*symbol),
            _ => None,
        }
    }
}
