//! Axioms on the values that occur. An axiom of a domain may speak of more values than can be gone through, or fail for values
//! that nobody mentions, where functions have been chosen to be anything. What it says of the values that occur is found as
//! solvers find it: where its triggers match applications that the path, what fails, or what other axioms say of these
//! evaluate, until nothing new is found.

use super::structure::Structure;
use super::value::{Applications, Value};
use echis_base::SyntaxId;
use echis_program::program::Program;
use echis_term::{Op, Quant, Quantifier, SymbolId, TermId, TermKind};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// What is looked through, and how many applications still may be looked at.
pub struct Occurring {
    points: BTreeMap<SymbolId, Vec<(Vec<Value>, Value)>>,
    /// By function, position, and argument.
    with: BTreeMap<(SymbolId, usize), BTreeMap<Value, Vec<usize>>>,
    pub steps: Cell<usize>,
}

impl Occurring {
    pub fn new(applications: &Applications, steps: usize) -> Self {
        let (mut points, mut with) = (BTreeMap::new(), BTreeMap::<_, BTreeMap<Value, Vec<usize>>>::new());
        for (symbol, applied) in applications {
            let all: Vec<(Vec<Value>, Value)> =
                applied.iter().map(|(args, value)| (args.clone(), value.clone())).collect();
            for (at, (args, _)) in all.iter().enumerate() {
                for (position, arg) in args.iter().enumerate() {
                    with.entry((*symbol, position)).or_default().entry(arg.clone()).or_default().push(at);
                }
            }
            points.insert(*symbol, all);
        }
        Occurring { points, with, steps: Cell::new(steps) }
    }
    /// Applications of the function, with this argument where one is known.
    fn applications(&self, symbol: SymbolId, known: Option<(usize, &Value)>) -> Vec<&(Vec<Value>, Value)> {
        let Some(all) = self.points.get(&symbol) else { return Vec::new() };
        match known {
            None => all.iter().collect(),
            Some((position, value)) => {
                let places = self.with.get(&(symbol, position)).and_then(|with| with.get(value));
                places.into_iter().flatten().map(|at| &all[*at]).collect()
            }
        }
    }
}

/// An instance takes as long as so many applications that are looked at.
const INSTANCE: usize = 4;

type Binding = BTreeMap<SymbolId, Value>;

/// What an axiom says of the values that occur.
pub enum Says {
    True,
    /// It is false for these.
    False(Vec<(SymbolId, Value)>),
    Unknown,
}

/// What the program's domains say, other than its ADTs.
pub fn axioms(program: &Program) -> BTreeSet<SyntaxId> {
    let written = program.axioms.values().filter(|axiom| program.domains[axiom.domain].adt.is_none());
    written.flat_map(|axiom| [axiom.id, program.exprs[axiom.body].id]).collect()
}

/// An axiom whose triggers can be looked for, and the instances that were looked at.
pub struct Axiom<'a, T> {
    pub of: T,
    quant: &'a Quant,
    triggers: Vec<Vec<TermId>>,
    seen: BTreeSet<Vec<Value>>,
    /// How many applications there were when it was looked at.
    looked: usize,
}

impl<'a> Structure<'a> {
    /// The parts of an axiom; `None` where some part has no trigger that can be looked for.
    pub fn triggered<T: Copy>(&self, of: T, axiom: TermId) -> Option<Vec<Axiom<'a, T>>> {
        let terms = self.tables.terms;
        let parts = match terms.as_op(axiom) {
            Some((Op::And, parts)) => parts.to_vec(),
            _ => vec![axiom],
        };
        let mut found = Vec::new();
        for part in parts {
            let TermKind::Quant(quant) = terms.kind(part) else { return None };
            let triggers = self.triggers(quant);
            if quant.quantifier != Quantifier::Forall || triggers.is_empty() {
                return None;
            }
            found.push(Axiom { of, quant, triggers, seen: BTreeSet::new(), looked: 0 });
        }
        Some(found)
    }
    /// Applications in the body: those that are written as triggers, and those that mention all variables. Where one of
    /// them does not occur, it can be what the axiom wants; a trigger that the body does not mention says nothing like
    /// that.
    fn triggers(&self, quant: &Quant) -> Vec<Vec<TermId>> {
        let terms = self.tables.terms;
        let can_match = |term: TermId| matches!(terms.kind(term), TermKind::App(..)) && self.is_matched(quant, term);
        let mut mentioned = BTreeSet::new();
        terms.for_each_subterm(quant.body, |term| {
            mentioned.insert(term);
        });
        let is_good = |trigger: &TermId| can_match(*trigger) && mentioned.contains(trigger);
        let written = quant.triggers.iter().filter(|group| group.iter().all(is_good));
        let mut found: Vec<Vec<TermId>> = written.map(|group| group.to_vec()).collect();
        terms.for_each_subterm(quant.body, |term| {
            let free = &terms.term(term).free;
            let mentions_all = quant.vars.iter().all(|var| free.contains(var));
            let bound_within =
                free.iter().any(|var| !quant.vars.contains(var) && self.bound.borrow().get(var).is_none());
            let is_application = matches!(terms.kind(term), TermKind::App(_, args) if !args.is_empty());
            let group = vec![term];
            if is_application && mentions_all && !bound_within && can_match(term) && !found.contains(&group) {
                found.push(group);
            }
        });
        found
    }
    /// Whether all of a trigger are applications of functions that have no definition, and terms without variables.
    fn is_matched(&self, quant: &Quant, trigger: TermId) -> bool {
        let terms = self.tables.terms;
        match terms.kind(trigger) {
            _ if !terms.term(trigger).free.iter().any(|var| quant.vars.contains(var)) => true,
            TermKind::App(symbol, args) => {
                let is_variable = args.is_empty() && quant.vars.contains(symbol);
                is_variable
                    || self.functions.function(*symbol).is_none() && args.iter().all(|arg| self.is_matched(quant, *arg))
            }
            _ => false,
        }
    }
    /// What the axiom says where it was not looked at yet, of these applications. Returns whether there was such an
    /// instance.
    pub fn says<T>(&self, axiom: &mut Axiom<'a, T>, occurring: &Occurring) -> (Says, bool) {
        let mut outcome = Says::True;
        let mut found = false;
        let quant = axiom.quant;
        let symbols: BTreeSet<SymbolId> =
            axiom.triggers.iter().flatten().flat_map(|trigger| self.tables.terms.symbols_of(*trigger)).collect();
        let applied = symbols.iter().filter_map(|symbol| occurring.points.get(symbol)).map(Vec::len).sum();
        if std::mem::replace(&mut axiom.looked, applied) == applied {
            return (outcome, found);
        }
        for group in &axiom.triggers {
            let mut bindings = vec![Binding::new()];
            for trigger in group {
                bindings = self.all_matches(quant, *trigger, None, bindings, occurring);
            }
            if occurring.steps.get() == 0 {
                return (Says::Unknown, found);
            }
            for binding in bindings {
                let values = quant.vars.iter().map(|var| binding.get(var).cloned());
                let Some(values) = values.collect::<Option<Vec<_>>>() else { return (Says::Unknown, found) };
                if !axiom.seen.insert(values.clone()) {
                    continue;
                }
                found = true;
                let Some(left) = occurring.steps.get().checked_sub(INSTANCE) else { return (Says::Unknown, found) };
                occurring.steps.set(left);
                match self.at(quant, &values, || self.truth(quant.body)) {
                    Some(true) => {}
                    Some(false) => return (Says::False(quant.vars.iter().copied().zip(values).collect()), found),
                    None => outcome = Says::Unknown,
                }
            }
        }
        (outcome, found)
    }
    fn all_matches(
        &self,
        quant: &Quant,
        trigger: TermId,
        value: Option<&Value>,
        bindings: Vec<Binding>,
        occurring: &Occurring,
    ) -> Vec<Binding> {
        bindings.into_iter().flat_map(|binding| self.matches_of(quant, trigger, value, binding, occurring)).collect()
    }
    /// The ways in which a trigger is an application that occurs, with this value where one is asked for.
    fn matches_of(
        &self,
        quant: &Quant,
        trigger: TermId,
        value: Option<&Value>,
        binding: Binding,
        occurring: &Occurring,
    ) -> Vec<Binding> {
        let terms = self.tables.terms;
        if !terms.term(trigger).free.iter().any(|var| quant.vars.contains(var)) {
            let same = value.is_none_or(|value| self.eval(trigger).as_ref() == Some(value));
            return if same { vec![binding] } else { Vec::new() };
        }
        let TermKind::App(symbol, args) = terms.kind(trigger) else { return Vec::new() };
        if args.is_empty() {
            return match (binding.get(symbol), value) {
                (Some(known), Some(value)) if known == value => vec![binding],
                (None, Some(value)) => {
                    let mut binding = binding;
                    binding.insert(*symbol, value.clone());
                    vec![binding]
                }
                _ => Vec::new(),
            };
        }
        let mut found = Vec::new();
        let bound = args.iter().enumerate().find_map(|(position, arg)| match terms.kind(*arg) {
            TermKind::App(var, none) if none.is_empty() => Some((position, binding.get(var)?)),
            _ => None,
        });
        for (point, result) in occurring.applications(*symbol, bound) {
            let Some(left) = occurring.steps.get().checked_sub(1) else { break };
            occurring.steps.set(left);
            if value.is_some_and(|value| value != result) {
                continue;
            }
            let mut bindings = vec![binding.clone()];
            for (arg, value) in args.iter().zip(point) {
                bindings = self.all_matches(quant, *arg, Some(value), bindings, occurring);
                if bindings.is_empty() {
                    break;
                }
            }
            found.extend(bindings);
        }
        found
    }
}
