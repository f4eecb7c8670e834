//! Checks axioms on samples: the values that occur. An axiom may range over more values than can be enumerated, or be
//! false for values that do not occur, where functions were completed arbitrarily. Instances are found as in solvers:
//! triggers are matched against the applications that occurred while evaluating the path, the goal and other
//! instances, until nothing new is found.

use super::structure::Structure;
use super::value::{Applications, Value};
use crate::limits::LIMITS;
use echis_base::SyntaxId;
use echis_program::program::Program;
use echis_term::{Op, Quant, Quantifier, SortId, SymbolId, TermId, TermKind, Terms};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The recorded applications, and how many may still be matched.
pub struct Occurring {
    points: BTreeMap<SymbolId, Vec<(Vec<Value>, Value)>>,
    /// By function, argument position and value.
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
    /// The values of a sort.
    fn values(&self, terms: &Terms, sort: SortId) -> BTreeSet<&Value> {
        let mut found = BTreeSet::new();
        for (symbol, applied) in &self.points {
            let symbol = terms.symbol(*symbol);
            for (args, value) in applied {
                let all = args.iter().zip(&*symbol.params).chain([(value, &symbol.result)]);
                found.extend(all.filter(|(_, of)| **of == sort).map(|(value, _)| value));
            }
        }
        found
    }
    /// Applications of the function, with this argument if one is given.
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

type Binding = BTreeMap<SymbolId, Value>;

/// The result of checking an axiom for the values that occur.
pub enum SampleVerdict {
    True,
    /// It is false for these values, and possibly others.
    False(Vec<Vec<(SymbolId, Value)>>),
    Unknown,
}

/// The axioms of the program's domains, except ADTs.
pub fn axioms(program: &Program) -> BTreeSet<SyntaxId> {
    let written = program.axioms.values().filter(|axiom| program.domains[axiom.domain].adt.is_none());
    written.flat_map(|axiom| [axiom.id, program.exprs[axiom.body].id]).collect()
}

/// An axiom whose triggers can be matched, with the progress of matching.
pub struct Axiom<'a, T> {
    pub of: T,
    quant: &'a Quant,
    triggers: Vec<Trigger>,
    seen: BTreeSet<Vec<Value>>,
    hinted: BTreeSet<Vec<Value>>,
    /// Number of applications when it was last checked.
    looked: usize,
}

/// Terms that are matched together.
struct Trigger {
    terms: Vec<TermId>,
    /// Whether it was inferred although a written trigger occurs in the body.
    is_hint: bool,
}

impl<'a> Structure<'a> {
    /// The parts of an axiom; `None` if some part has no trigger that can be matched.
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
            // The trigger must share a term with the body: then the axiom can be true where the trigger does not
            // occur.
            let is_told = |trigger: &Trigger| trigger.terms.iter().any(|term| self.is_part(quant, *term));
            if quant.quantifier != Quantifier::Forall || !triggers.iter().any(is_told) {
                return None;
            }
            found.push(Axiom { of, quant, triggers, seen: BTreeSet::new(), hinted: BTreeSet::new(), looked: 0 });
        }
        Some(found)
    }
    /// The written triggers, and applications in the body that mention all variables: if the written ones do not
    /// match, the axiom may still constrain values that occur. Instances at other values are not checked, since some
    /// axioms contradict each other there. If no written trigger occurs in the body, only the applications in the
    /// body are used.
    fn triggers(&self, quant: &Quant) -> Vec<Trigger> {
        let terms = self.tables.terms;
        let can_match = |term: TermId| matches!(terms.kind(term), TermKind::App(..)) && self.is_matched(quant, term);
        let written: Vec<&[TermId]> = quant
            .triggers
            .iter()
            .map(|group| &**group)
            .filter(|group| group.iter().all(|term| can_match(*term)))
            .collect();
        let is_hint = written.iter().any(|group| group.iter().any(|term| self.is_part(quant, *term)));
        let mut found: Vec<Trigger> =
            written.iter().map(|group| Trigger { terms: group.to_vec(), is_hint: false }).collect();
        terms.for_each_subterm(quant.body, |term| {
            let free = &terms.term(term).free;
            let mentions_all = quant.vars.iter().all(|var| free.contains(var));
            let bound_within =
                free.iter().any(|var| !quant.vars.contains(var) && self.bound.borrow().get(var).is_none());
            let is_application = matches!(terms.kind(term), TermKind::App(_, args) if !args.is_empty());
            let is_written = written.iter().any(|group| **group == [term]);
            if is_application && mentions_all && !bound_within && can_match(term) && !is_written {
                found.push(Trigger { terms: vec![term], is_hint });
            }
        });
        found
    }
    /// Whether the body contains the term.
    fn is_part(&self, quant: &Quant, term: TermId) -> bool {
        let mut found = false;
        self.tables.terms.for_each_subterm(quant.body, |part| found |= part == term);
        found
    }
    /// Whether a trigger consists only of applications of functions without definition, and ground terms.
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
    /// Checks new instances of the axiom for these applications. Returns whether there were any.
    pub fn says<T>(&self, axiom: &mut Axiom<'a, T>, occurring: &Occurring) -> (SampleVerdict, bool) {
        let (mut wrong, mut open, mut found) = (Vec::new(), false, false);
        let quant = axiom.quant;
        let terms = axiom.triggers.iter().flat_map(|trigger| &trigger.terms);
        let symbols: BTreeSet<SymbolId> = terms.flat_map(|term| self.tables.terms.symbols_of(*term)).collect();
        let applied = symbols.iter().filter_map(|symbol| occurring.points.get(symbol)).map(Vec::len).sum();
        if std::mem::replace(&mut axiom.looked, applied) == applied {
            return (SampleVerdict::True, false);
        }
        for Trigger { terms, is_hint } in &axiom.triggers {
            let mut bindings = vec![Binding::new()];
            for term in terms {
                bindings = self.all_matches(quant, *term, None, bindings, occurring);
            }
            if occurring.steps.get() == 0 {
                return (SampleVerdict::Unknown, found);
            }
            for binding in bindings {
                let values = quant.vars.iter().map(|var| binding.get(var).cloned());
                let Some(values) = values.collect::<Option<Vec<_>>>() else { return (SampleVerdict::Unknown, found) };
                if axiom.seen.contains(&values) || *is_hint && axiom.hinted.contains(&values) {
                    continue;
                }
                let Some(left) = occurring.steps.get().checked_sub(LIMITS.instance_steps) else {
                    return (SampleVerdict::Unknown, found);
                };
                occurring.steps.set(left);
                let truth = if *is_hint {
                    // Unknown values would have to be chosen, which may contradict other axioms.
                    let truth = self.cautiously(|| self.at(quant, &values, || self.truth(quant.body)));
                    if truth.is_some() {
                        axiom.hinted.insert(values.clone());
                    }
                    Some(truth != Some(false))
                } else {
                    axiom.seen.insert(values.clone());
                    found = true;
                    self.at(quant, &values, || self.truth(quant.body))
                };
                match truth {
                    Some(true) => {}
                    Some(false) if wrong.len() < LIMITS.wrong => {
                        wrong.push(quant.vars.iter().copied().zip(values).collect());
                    }
                    Some(false) => return (SampleVerdict::False(wrong), found),
                    None => open = true,
                }
            }
        }
        let says = match wrong.is_empty() {
            false => SampleVerdict::False(wrong),
            true if open => SampleVerdict::Unknown,
            true => SampleVerdict::True,
        };
        (says, found)
    }
    /// Values that occur, for which the axiom is false whatever the values of other applications, unless there are
    /// too many to try.
    pub fn denies<T>(&self, axiom: &Axiom<'a, T>, occurring: &Occurring) -> Option<Vec<(SymbolId, Value)>> {
        let vars = &axiom.quant.vars;
        let terms = self.tables.terms;
        let values: Vec<Vec<&Value>> =
            vars.iter().map(|var| occurring.values(terms, terms.symbol(*var).result).into_iter().collect()).collect();
        let count = values.iter().try_fold(1_usize, |count, values| count.checked_mul(values.len()))?;
        if count > LIMITS.combined {
            return None;
        }
        (0..count).find_map(|mut position| {
            let mut at = Vec::new();
            for values in &values {
                at.push(values[position % values.len()].clone());
                position /= values.len();
            }
            let truth = self.cautiously(|| self.at(axiom.quant, &at, || self.truth(axiom.quant.body)));
            (truth == Some(false)).then(|| vars.iter().copied().zip(at).collect())
        })
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
    /// The matches of a trigger against applications, with this value if one is given.
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
