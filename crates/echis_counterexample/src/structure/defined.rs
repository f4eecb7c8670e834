//! Functions of the program in a replay. They are computed by their definitions. Facts about them are stated under
//! their preconditions, which hold in a replay exactly for the applications on the path and for those that
//! definitions reach from there.

use super::intervals::is_any;
use super::{Structure, Tabulated};
use crate::lemma::Lemma;
use crate::limits::LIMITS;
use crate::value::Value;
use echis_base::Name;
use echis_term::{Op, Quant, QuantifierRole, SymbolId, SymbolRole, TermId, TermKind, Terms};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// A function, identified by its full symbol.
pub type FunctionKey = SymbolId;

/// A function applied to arguments.
pub type Point = (FunctionKey, Vec<Value>);

pub struct Functions<'a> {
    terms: &'a Terms,
    /// The function of each version of its symbol.
    versions: BTreeMap<SymbolId, FunctionKey>,
    preconditions: HashMap<SymbolId, FunctionKey>,
    marks: BTreeSet<SymbolId>,
    /// The predicate for applied wands, and its occurrences on the path.
    applied: BTreeSet<SymbolId>,
    applied_terms: Vec<TermId>,
    definitions: HashMap<FunctionKey, (TermId, &'a Quant)>,
    /// The points at which preconditions were established, in order and as a set.
    met: RefCell<(Vec<Point>, BTreeSet<Point>)>,
    /// Results; `None` while being computed.
    results: RefCell<BTreeMap<Point, Option<Value>>>,
    /// The number of definitions being unrolled at arguments that represent several values.
    unrolling: Cell<usize>,
    /// The model's values for functions without a definition.
    tables: RefCell<BTreeMap<FunctionKey, Rc<Tabulated>>>,
}

impl<'a> Functions<'a> {
    pub fn new(terms: &'a Terms, facts: impl Iterator<Item = TermId>) -> Self {
        let full = terms.symbols().filter_map(|(id, symbol)| match &symbol.role {
            SymbolRole::Function(name) => Some((name, id)),
            _ => None,
        });
        let full: HashMap<&Name, SymbolId> = full.collect();
        let (mut versions, mut preconditions) = (BTreeMap::new(), HashMap::new());
        let (mut marks, mut applied) = (BTreeSet::new(), BTreeSet::new());
        for (id, symbol) in terms.symbols() {
            match &symbol.role {
                SymbolRole::Function(name) | SymbolRole::Limited(name) => {
                    versions.extend(full.get(name).map(|function| (id, *function)));
                }
                SymbolRole::Precondition(name) => {
                    preconditions.extend(full.get(name).map(|function| (id, *function)));
                }
                SymbolRole::Trigger(_) | SymbolRole::Mark(..) | SymbolRole::Compared => drop(marks.insert(id)),
                SymbolRole::WandApplied => drop(applied.insert(id)),
                SymbolRole::Called(_)
                | SymbolRole::DomainFunction { .. }
                | SymbolRole::PredicateInstance(_)
                | SymbolRole::WandNote(..)
                | SymbolRole::BoogieConstant(_)
                | SymbolRole::BoogieFunction { .. }
                | SymbolRole::Revealed(_)
                | SymbolRole::Uninterpreted(_)
                | SymbolRole::Fresh { .. }
                | SymbolRole::Variable { .. }
                | SymbolRole::VariableAt { .. }
                | SymbolRole::Interpreted(_)
                | SymbolRole::Select
                | SymbolRole::Store
                | SymbolRole::Constructor(_)
                | SymbolRole::Selector { .. }
                | SymbolRole::Tester(_) => {}
            }
        }
        let mut functions = Functions {
            terms,
            versions,
            preconditions,
            marks,
            applied,
            applied_terms: Vec::new(),
            definitions: HashMap::new(),
            met: RefCell::default(),
            results: RefCell::default(),
            unrolling: Cell::default(),
            tables: RefCell::default(),
        };
        for fact in facts {
            terms.for_each_subterm(fact, |term| {
                let is_applied =
                    matches!(terms.kind(term), TermKind::App(symbol, _) if functions.applied.contains(symbol));
                if is_applied && terms.term(term).free.is_empty() && !functions.applied_terms.contains(&term) {
                    functions.applied_terms.push(term);
                }
            });
            if let TermKind::Quant(quant) = terms.kind(fact)
                && quant.role == QuantifierRole::Definition
                && let Some(function) = functions.guarded(quant)
            {
                functions.definitions.insert(function, (fact, quant));
            }
        }
        functions
    }
    pub fn versions(&self) -> &BTreeMap<SymbolId, FunctionKey> {
        &self.versions
    }
    /// Whether a symbol is a mark; these are true everywhere.
    pub fn is_mark(&self, symbol: SymbolId) -> bool {
        self.marks.contains(&symbol)
    }
    pub fn is_applied(&self, symbol: SymbolId) -> bool {
        self.applied.contains(&symbol)
    }
    pub fn applied_terms(&self) -> &[TermId] {
        &self.applied_terms
    }
    pub fn precondition(&self, symbol: SymbolId) -> Option<FunctionKey> {
        self.preconditions.get(&symbol).copied()
    }
    /// The symbol for a function's established precondition.
    pub fn precondition_of(&self, function: FunctionKey) -> Option<SymbolId> {
        self.preconditions.iter().find(|(_, of)| **of == function).map(|(symbol, _)| *symbol)
    }
    /// The definitions, with their facts.
    pub fn definitions(&self) -> impl Iterator<Item = (FunctionKey, TermId, &'a Quant)> {
        self.definitions.iter().map(|(function, (fact, quant))| (*function, *fact, *quant))
    }
    pub fn function(&self, symbol: SymbolId) -> Option<FunctionKey> {
        self.versions.get(&symbol).copied()
    }
    /// Whether two terms apply versions of one function to the same arguments.
    pub fn same(&self, left: TermId, right: TermId) -> bool {
        match (self.terms.kind(left), self.terms.kind(right)) {
            (TermKind::App(left, left_args), TermKind::App(right, right_args)) => {
                left_args == right_args
                    && self.function(*left).is_some()
                    && self.function(*left) == self.function(*right)
            }
            _ => false,
        }
    }
    /// The function whose precondition, at the bound variables, guards the quantifier.
    pub fn guarded(&self, quant: &Quant) -> Option<FunctionKey> {
        let (Op::Implies, [condition, _]) = self.terms.as_op(quant.body)? else { return None };
        let parts = match self.terms.as_op(*condition) {
            Some((Op::And, parts)) => parts,
            _ => std::slice::from_ref(condition),
        };
        parts.iter().find_map(|part| {
            let TermKind::App(symbol, args) = self.terms.kind(*part) else { return None };
            let is_variable = |(arg, var): (&TermId, &SymbolId)| matches!(self.terms.kind(*arg), TermKind::App(symbol, none) if symbol == var && none.is_empty());
            let at_variables = args.len() == quant.vars.len() && args.iter().zip(&quant.vars).all(is_variable);
            self.precondition(*symbol).filter(|_| at_variables)
        })
    }
    pub fn meet(&self, function: FunctionKey, args: Vec<Value>) {
        let mut met = self.met.borrow_mut();
        let point = (function, args);
        if met.1.insert(point.clone()) {
            met.0.push(point);
        }
    }
    /// The point recorded at this position.
    pub fn point(&self, position: usize) -> Option<Point> {
        self.met.borrow().0.get(position).cloned()
    }
}

impl Structure<'_> {
    pub fn call(&self, function: FunctionKey, args: Vec<Value>) -> Option<Value> {
        if is_any(&args) {
            return self.call_any(function, &args);
        }
        let point = (function, args);
        if let Some(known) = self.functions.results.borrow().get(&point) {
            return known.clone();
        }
        self.spend()?;
        self.functions.results.borrow_mut().insert(point.clone(), None);
        let (function, args) = &point;
        let value = match self.functions.definitions.get(function) {
            Some((_, definition)) => self.at(definition, args, || self.defined(*function, definition.body)),
            None => self.abstractly(*function, args),
        };
        self.functions.results.borrow_mut().insert(point, value.clone());
        value
    }
    /// Evaluates with the quantifier's variables bound to arguments.
    pub fn at<T>(&self, quant: &Quant, args: &[Value], evaluate: impl FnOnce() -> T) -> T {
        self.bind(&quant.vars, args, evaluate)
    }
    pub fn bind<T>(&self, vars: &[SymbolId], args: &[Value], evaluate: impl FnOnce() -> T) -> T {
        match (vars.split_first(), args.split_first()) {
            (Some((var, vars)), Some((arg, args))) => {
                self.with(*var, Some(arg.clone()), || self.bind(vars, args, evaluate))
            }
            _ => evaluate(),
        }
    }
    /// The value given by a definition with cases.
    fn defined(&self, function: FunctionKey, body: TermId) -> Option<Value> {
        let terms = self.tables.terms;
        let is_function = |term: TermId| matches!(terms.kind(term), TermKind::App(symbol, _) if *symbol == function);
        if is_function(body) {
            return Some(Value::truth(true));
        }
        match terms.as_op(body)? {
            (Op::Eq, [left, right]) if is_function(*left) => self.eval(*right),
            (Op::Eq, [left, right]) if is_function(*right) => self.eval(*left),
            (Op::And, parts) => parts.iter().find_map(|part| self.defined(function, *part)),
            (Op::Implies, [condition, part]) => {
                let holds = self.guard(function, *condition)?;
                if holds { self.defined(function, *part) } else { None }
            }
            // A Boolean definition asserts or negates the function.
            (Op::Not, [inner]) if is_function(*inner) => Some(Value::truth(false)),
            _ => None,
        }
    }
    /// The function's own precondition holds where it is computed.
    fn guard(&self, function: FunctionKey, condition: TermId) -> Option<bool> {
        let own = |term: TermId| matches!(self.tables.terms.kind(term), TermKind::App(symbol, _) if self.functions.precondition(*symbol) == Some(function));
        match self.tables.terms.as_op(condition) {
            _ if own(condition) => Some(true),
            Some((Op::And, parts)) => {
                let mut all = Some(true);
                for part in parts.iter().filter(|part| !own(**part)) {
                    match self.truth(*part) {
                        Some(false) => return Some(false),
                        Some(true) => {}
                        None => all = None,
                    }
                }
                all
            }
            _ => self.truth(condition),
        }
    }
    /// The definitions at the points where they were computed.
    pub fn unrolled(&self) -> Vec<Lemma> {
        let results = self.functions.results.borrow();
        let points = results.keys().filter_map(|(function, args)| {
            let (fact, quant) = self.functions.definitions.get(function)?;
            let values = quant.vars.iter().copied().zip(args.iter().cloned()).collect();
            Some(Lemma::Instance { fact: *fact, values })
        });
        points.take(LIMITS.calls).collect()
    }
    /// Evaluates at arguments that represent several values.
    fn call_any(&self, function: FunctionKey, args: &[Value]) -> Option<Value> {
        let Some((_, definition)) = self.functions.definitions.get(&function) else {
            return self.abstractly(function, args);
        };
        let unrolling = self.functions.unrolling.get();
        if unrolling == LIMITS.call_depth {
            return None;
        }
        self.spend()?;
        self.functions.unrolling.set(unrolling + 1);
        let value = self.at(definition, args, || self.defined(function, definition.body));
        self.functions.unrolling.set(unrolling);
        value
    }
    /// Without a definition, any value is possible that satisfies the postconditions, which are checked like other
    /// facts.
    fn abstractly(&self, function: FunctionKey, args: &[Value]) -> Option<Value> {
        let known = self.functions.tables.borrow().get(&function).cloned();
        let table = match known {
            Some(table) => table,
            None => {
                let table = Rc::new(self.modelled(function)?);
                self.functions.tables.borrow_mut().insert(function, table.clone());
                table
            }
        };
        self.look_up_in(function, args, &table)
    }
    /// The model's values for any version of the function's symbol.
    fn modelled(&self, function: FunctionKey) -> Option<Tabulated> {
        let declared = self.tables.terms.symbol(function);
        let mut all = Tabulated::new();
        for (version, _) in self.functions.versions.iter().filter(|(_, of)| **of == function) {
            let table = self.tabulated(&self.tables.symbol_name(*version), &declared.params, declared.result)?;
            for (args, value) in table.iter() {
                all.entry(args.clone()).or_insert_with(|| value.clone());
            }
        }
        Some(all)
    }
}
