//! Evaluates terms in a completed model.

use super::builtin::builtin;
use super::values::{canonical, completed, equal, some_value};
use crate::limits::{INSTANCES_EVALUATED, VALUES_TRIED};
use echis_base::FastMap;
use echis_proof::{Head, Model, Raw, scalar};
use echis_term::{Integer, Op, Quant, Quantifier, Sort, SortId, SymbolId, SymbolKind, TermId, TermKind, Terms};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// A quantifier, with values of its variables.
type Witness = (TermId, Vec<(SymbolId, Raw)>);

/// Values of bound variables.
type Env = BTreeMap<SymbolId, Raw>;

pub struct Evaluator<'a> {
    terms: &'a Terms,
    model: &'a Model,
    head: Head<'a>,
    /// Functions defined by a fact, without recursion.
    definitions: BTreeMap<SymbolId, (TermId, &'a Quant, TermId)>,
    /// Chosen values at arguments that are not in the model.
    chosen: RefCell<FastMap<(SymbolId, Vec<Raw>), Raw>>,
    closed: RefCell<FastMap<TermId, Option<Raw>>>,
    budget: Cell<usize>,
    /// The last universal quantifier found to be false, with values that falsify it.
    witness: RefCell<Option<Witness>>,
}

impl<'a> Evaluator<'a> {
    pub fn new(terms: &'a Terms, model: &'a Model, head: Head<'a>, facts: impl Iterator<Item = TermId>) -> Self {
        let definitions = definitions(terms, facts);
        let (chosen, closed) = (RefCell::default(), RefCell::default());
        let witness = RefCell::default();
        Evaluator { terms, model, head, definitions, chosen, closed, budget: Cell::new(INSTANCES_EVALUATED), witness }
    }
    /// Whether a fact is used as the definition of a function.
    pub fn defines(&self, fact: TermId) -> bool {
        self.definitions.values().any(|(by, _, _)| *by == fact)
    }
    pub fn truth(&self, term: TermId) -> Option<bool> {
        as_bool(self.value(term)?)
    }
    /// The value of a term without free variables.
    pub fn value(&self, term: TermId) -> Option<Raw> {
        self.eval(term, &Env::new())
    }
    /// The value, only if the model determines it without a choice.
    pub fn told(&self, term: TermId) -> Option<Raw> {
        let is_constant = matches!(self.terms.kind(term), TermKind::App(symbol, args)
            if args.is_empty() && self.terms.symbol(*symbol).kind() == SymbolKind::Function);
        if !is_constant {
            return self.value(term);
        }
        self.model.value(&(self.head)(self.terms, term), &[]).or(self.model.watched.get(&term)).cloned()
    }

    /// The last closed universal quantifier found to be false, with values that falsify it.
    pub(super) fn witness(&self) -> Option<Witness> {
        self.witness.borrow().clone()
    }

    fn sort(&self, sort: SortId) -> (&str, &str) {
        match self.terms.sort_data(sort) {
            Sort::Bool => ("Bool", ""),
            Sort::Int => ("Int", ""),
            Sort::Perm => ("Real", ""),
            Sort::Interpreted(text) => (text, ""),
            Sort::Declared { name, commands } => (name, commands),
            _ => ("", ""),
        }
    }
    fn eval(&self, term: TermId, env: &Env) -> Option<Raw> {
        let is_closed = self.terms.term(term).free.is_empty();
        if is_closed && let Some(known) = self.closed.borrow().get(&term) {
            return known.clone();
        }
        let value = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.eval_new(term, env));
        if is_closed {
            self.closed.borrow_mut().insert(term, value.clone());
        }
        value
    }
    fn eval_new(&self, term: TermId, env: &Env) -> Option<Raw> {
        match self.terms.kind(term) {
            TermKind::Bool(value) => Some(Raw::Bool(*value)),
            TermKind::Int(value) => Some(Raw::Int(value.clone())),
            TermKind::Perm(value) => Some(Raw::Perm(value.clone())),
            TermKind::Quant(quant) => self.quantifier(term, quant, env),
            TermKind::Op(op, args) => self.op(*op, args, env),
            TermKind::App(symbol, args) => self.app(term, *symbol, args, env),
        }
    }
    fn op(&self, op: Op, args: &[TermId], env: &Env) -> Option<Raw> {
        match op {
            Op::Ite => match as_bool(self.eval(args[0], env)?)? {
                true => self.eval(args[1], env),
                false => self.eval(args[2], env),
            },
            // A deciding operand makes the others irrelevant.
            Op::And | Op::Or | Op::Implies => {
                let deciding = op != Op::And;
                let mut open = false;
                for (position, arg) in args.iter().enumerate() {
                    let negated = op == Op::Implies && position == 0;
                    match self.eval(*arg, env).and_then(as_bool) {
                        Some(value) if (value != negated) == deciding => return Some(Raw::Bool(deciding)),
                        Some(_) => {}
                        None => open = true,
                    }
                }
                (!open).then_some(Raw::Bool(!deciding))
            }
            Op::Eq => {
                let (left, right) = (self.eval(args[0], env)?, self.eval(args[1], env)?);
                self.equal(&left, &right, self.terms.sort_of(args[0])).map(Raw::Bool)
            }
            Op::Distinct => {
                let values: Vec<Raw> = args.iter().map(|arg| self.eval(*arg, env)).collect::<Option<_>>()?;
                let sort = self.terms.sort_of(args[0]);
                for (position, value) in values.iter().enumerate() {
                    for other in &values[..position] {
                        if self.equal(value, other, sort)? {
                            return Some(Raw::Bool(false));
                        }
                    }
                }
                Some(Raw::Bool(true))
            }
            _ => {
                let values: Vec<Option<Raw>> = args.iter().map(|arg| self.eval(*arg, env)).collect();
                scalar(op, &values)
            }
        }
    }
    fn equal(&self, left: &Raw, right: &Raw, sort: SortId) -> Option<bool> {
        let (sort, declares) = self.sort(sort);
        equal(left, right, sort, declares)
    }

    fn app(&self, term: TermId, symbol: SymbolId, args: &[TermId], env: &Env) -> Option<Raw> {
        if let Some(value) = env.get(&symbol) {
            return Some(value.clone());
        }
        let declared = self.terms.symbol(symbol);
        let result = self.sort(declared.result);
        let args: Vec<Raw> = args.iter().map(|arg| self.eval(*arg, env)).collect::<Option<_>>()?;
        if declared.kind() == SymbolKind::Interpreted {
            return builtin(&declared.role, &args, result);
        }
        // An unbound variable.
        if declared.kind() == SymbolKind::Bound {
            return None;
        }
        if let Some((_, quant, value)) = self.definitions.get(&symbol) {
            let env: Env = quant.vars.iter().copied().zip(args).collect();
            return self.eval(*value, &env);
        }
        let args: Vec<Raw> = args.into_iter().map(canonical).collect::<Option<_>>()?;
        let point = (symbol, args);
        if let Some(known) = self.chosen.borrow().get(&point) {
            return Some(known.clone());
        }
        let told = self.model.value(&(self.head)(self.terms, term), &point.1).or(self.model.watched.get(&term));
        let value = match told {
            Some(value) => completed(value, result.0, result.1),
            None => some_value(result.0, result.1)?,
        };
        self.chosen.borrow_mut().insert(point, value.clone());
        Some(value)
    }

    fn quantifier(&self, term: TermId, quant: &Quant, env: &Env) -> Option<Raw> {
        let deciding = quant.quantifier == Quantifier::Exists;
        let found = self.instances(quant, &quant.vars, env, deciding)?;
        if let (Some(values), false) = (&found, deciding)
            && self.terms.term(term).free.is_empty()
        {
            let own = values.iter().filter(|(var, _)| quant.vars.contains(var));
            *self.witness.borrow_mut() = Some((term, own.map(|(var, value)| (*var, value.clone())).collect()));
        }
        Some(Raw::Bool(if found.is_some() { deciding } else { !deciding }))
    }
    /// An instance with the deciding value, if there is one.
    fn instances(&self, quant: &Quant, vars: &[SymbolId], env: &Env, deciding: bool) -> Option<Option<Env>> {
        let Some((var, rest)) = vars.split_first() else {
            self.budget.set(self.budget.get().checked_sub(1)?);
            let decides = as_bool(self.eval(quant.body, env)?)? == deciding;
            return Some(decides.then(|| env.clone()));
        };
        let mut open = false;
        for value in self.range(quant, *var, env)? {
            let mut env = env.clone();
            env.insert(*var, value);
            match self.instances(quant, rest, &env, deciding) {
                Some(Some(found)) => return Some(Some(found)),
                Some(None) => {}
                None => open = true,
            }
        }
        (!open).then_some(None)
    }
    /// The values of a variable for which its bounds do not decide the body.
    fn range(&self, quant: &Quant, var: SymbolId, env: &Env) -> Option<Vec<Raw>> {
        match self.terms.sort_data(self.terms.symbol(var).result) {
            Sort::Bool => return Some(vec![Raw::Bool(false), Raw::Bool(true)]),
            Sort::Int => {}
            _ => return None,
        }
        let conditions = self.conditions(quant);
        let (mut low, mut high): (Option<Integer>, Option<Integer>) = (None, None);
        let is_var = |term: TermId| matches!(self.terms.kind(term), TermKind::App(symbol, _) if *symbol == var);
        for condition in conditions {
            let Some((op @ (Op::Le | Op::Lt), &[left, right])) = self.terms.as_op(condition) else { continue };
            let step = if op == Op::Lt { Integer::ONE } else { Integer::ZERO };
            if is_var(right)
                && let Some(Raw::Int(bound)) = self.eval(left, env)
            {
                let bound = bound + step;
                low = Some(low.map_or(bound.clone(), |low| low.max(bound)));
            } else if is_var(left)
                && let Some(Raw::Int(bound)) = self.eval(right, env)
            {
                let bound = bound - step;
                high = Some(high.map_or(bound.clone(), |high| high.min(bound)));
            }
        }
        let (low, high) = (low?, high?);
        if high < low {
            return Some(Vec::new());
        }
        let count = usize::try_from(&high - &low).ok().filter(|count| *count < VALUES_TRIED)?;
        Some((0..=count).map(|offset| Raw::Int(&low + Integer::from(offset))).collect())
    }
    /// Conditions whose falsity makes the instance irrelevant.
    fn conditions(&self, quant: &Quant) -> Vec<TermId> {
        let conjuncts = |term: TermId| match self.terms.as_op(term) {
            Some((Op::And, parts)) => parts.to_vec(),
            _ => vec![term],
        };
        match (quant.quantifier, self.terms.as_op(quant.body)) {
            (Quantifier::Exists, _) => conjuncts(quant.body),
            (Quantifier::Forall, Some((Op::Implies, &[premise, _]))) => conjuncts(premise),
            _ => Vec::new(),
        }
    }
}

fn as_bool(raw: Raw) -> Option<bool> {
    if let Raw::Bool(value) = raw { Some(value) } else { None }
}

/// `forall x, y :: f(x, y) == e` defines a function if `e` does not lead back to it and it has no other definition:
/// such a function then exists for any interpretation of the rest.
fn definitions(terms: &Terms, facts: impl Iterator<Item = TermId>) -> BTreeMap<SymbolId, (TermId, &Quant, TermId)> {
    let mut found = BTreeMap::new();
    for fact in facts {
        let TermKind::Quant(quant) = terms.kind(fact) else { continue };
        if quant.quantifier != Quantifier::Forall {
            continue;
        }
        let Some((Op::Eq, &[left, right])) = terms.as_op(quant.body) else { continue };
        for (applied, value) in [(left, right), (right, left)] {
            let TermKind::App(symbol, args) = terms.kind(applied) else { continue };
            let is_var = |(arg, var): (&TermId, &SymbolId)| matches!(terms.kind(*arg), TermKind::App(found, none) if found == var && none.is_empty());
            let at_variables = args.len() == quant.vars.len() && args.iter().zip(&quant.vars).all(is_var);
            if at_variables
                && terms.symbol(*symbol).kind() == SymbolKind::Function
                && !found.contains_key(symbol)
                && !leads_to(terms, value, *symbol, &found)
            {
                found.insert(*symbol, (fact, &**quant, value));
                break;
            }
        }
    }
    found
}

fn leads_to(
    terms: &Terms,
    value: TermId,
    symbol: SymbolId,
    definitions: &BTreeMap<SymbolId, (TermId, &Quant, TermId)>,
) -> bool {
    let mut seen: BTreeSet<SymbolId> = BTreeSet::new();
    let mut pending = vec![value];
    while let Some(term) = pending.pop() {
        for used in terms.symbols_of(term) {
            if used == symbol {
                return true;
            }
            if seen.insert(used) {
                pending.extend(definitions.get(&used).map(|(_, _, value)| *value));
            }
        }
    }
    false
}
