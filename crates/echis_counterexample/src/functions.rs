//! Values of functions at the arguments that occur on the path or in the goal, with the states whose heaps they read.

use super::heap::Heaps;
use super::types;
use super::value::Value;
use super::{Case, DomainPart, FunctionPart, Shown};
use echis_findings::counterexample::UNNAMED_HEAP;
use echis_program::program::{BinaryOp, ExprId, ExprKind, FunctionId, LocalId, Location};
use echis_proof::{HeapView, Raw, ResourceView};
use echis_term::{Sort, SortId, Symbol, SymbolRole, TermId, TermKind, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// The tables of the program's functions, and of domain functions by domain, as far as the replay evaluated them:
/// other values were not checked.
pub fn tables(
    heaps: &Heaps<'_>,
    states: &[(String, &HeapView)],
    facts: impl Iterator<Item = TermId>,
    evaluated: &BTreeSet<TermId>,
) -> (Vec<FunctionPart>, Vec<DomainPart>) {
    let structure = heaps.names.structure;
    let terms = structure.tables.terms;
    let mut applied: BTreeSet<TermId> = BTreeSet::new();
    for fact in facts {
        terms.for_each_subterm(fact, |term| {
            let is_ground = terms.term(term).free.is_empty();
            if is_ground && evaluated.contains(&term) && matches!(terms.kind(term), TermKind::App(..)) {
                applied.insert(term);
            }
        });
    }
    let mut functions: BTreeMap<String, FunctionPart> = BTreeMap::new();
    let mut domains: BTreeMap<String, BTreeMap<String, FunctionPart>> = BTreeMap::new();
    for term in applied {
        let TermKind::App(id, args) = terms.kind(term) else { continue };
        let symbol = terms.symbol(*id);
        let values: Option<Vec<Value>> = args.iter().map(|arg| structure.eval(*arg)).collect();
        let (Some(values), Some(value)) = (values, structure.eval(term)) else { continue };
        let (part, name) = match &symbol.role {
            SymbolRole::Function(name) | SymbolRole::Limited(name) => {
                (functions.entry(name.to_string()), name.to_string())
            }
            SymbolRole::DomainFunction { function, type_args } if !heaps.hides(function) => {
                let (domain, name) =
                    (types::domain_of(heaps.program, function, type_args), format!("{function}{type_args}"));
                (domains.entry(domain).or_default().entry(name.clone()), name)
            }
            _ => continue,
        };
        let part = part.or_insert_with(|| function(terms, symbol, name));
        let case = case(heaps, states, symbol, &values, &value);
        // A value named after its application is uninformative.
        if case.value.text == format!("{}({})", part.name, list(&case.args)) {
            continue;
        }
        if !part.cases.iter().any(|known| known.heap == case.heap && known.args == case.args) {
            part.cases.push(case);
        }
    }
    let domains = domains.into_iter().map(|(ty, functions)| DomainPart {
        ty,
        functions: functions.into_values().filter(|part| !part.cases.is_empty()).collect(),
    });
    let spoken = |part: &FunctionPart| !part.cases.is_empty();
    (functions.into_values().filter(spoken).collect(), domains.collect())
}

impl Heaps<'_> {
    /// Whether a domain function says nothing to readers: those of ADTs are redundant next to constructor terms, and
    /// those of built-in files and of termination checks are not the program's.
    fn hides(&self, function: &str) -> bool {
        let program = self.program;
        let declared = program.domain_functions.iter().find(|(_, declared)| *declared.name == *function);
        let Some((id, declared)) = declared else { return false };
        let domain = &program.domains[declared.domain];
        let file = program.syntax.span(domain.id).file;
        let of_termination =
            program.well_founded.as_ref().is_some_and(|order| [order.decreasing, order.bounded].contains(&id));
        let is_generated = of_termination || domain.adt.is_some() || self.place.sources.file(file).is_provided();
        is_generated && !self.names.is_intermediate()
    }
}

/// The function without its values. The heap that it reads is not an argument.
fn function(terms: &Terms, symbol: &Symbol, name: String) -> FunctionPart {
    let is_heap = |sort: &&SortId| matches!(terms.sort_data(**sort), Sort::Snap);
    let params = symbol.params.iter().filter(|sort| !is_heap(sort)).map(|sort| types::sort_text(terms, *sort));
    FunctionPart { name, params: params.collect(), result: types::sort_text(terms, symbol.result), cases: Vec::new() }
}

fn list(args: &[Shown]) -> String {
    args.iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>().join(", ")
}

fn case(heaps: &Heaps<'_>, states: &[(String, &HeapView)], symbol: &Symbol, args: &[Value], value: &Value) -> Case {
    let sort = |position: usize| heaps.names.structure.tables.terms.sort_data(symbol.params[position]);
    let function = match &symbol.role {
        SymbolRole::Function(name) | SymbolRole::Limited(name) => Some(name),
        _ => None,
    };
    let reader = function.filter(|_| !args.is_empty() && matches!(sort(0), Sort::Snap));
    let plain = if reader.is_some() { &args[1..] } else { args };
    let sorts = &symbol.params[args.len() - plain.len()..];
    let heap = reader.map(|name| {
        let found = heaps.program.functions.iter().find(|(_, function)| function.name == *name);
        let matching = found.and_then(|(function, _)| {
            states.iter().find(|(_, heap)| {
                Reader::new(heaps, heap, function, plain).clauses(function).as_ref() == Some(&args[0])
            })
        });
        matching.map_or_else(|| UNNAMED_HEAP.to_string(), |(state, _)| state.clone())
    });
    Case {
        heap,
        args: plain.iter().zip(sorts).map(|(arg, sort)| heaps.names.shown_value(Some(arg), *sort, &[])).collect(),
        value: heaps.names.shown_value(Some(value), symbol.result, &[]),
    }
}

/// Constructs the snapshot of a function's precondition from a heap.
struct Reader<'a> {
    heaps: &'a Heaps<'a>,
    heap: &'a HeapView,
    env: BTreeMap<LocalId, Value>,
}

impl<'a> Reader<'a> {
    fn new(heaps: &'a Heaps<'a>, heap: &'a HeapView, function: FunctionId, args: &[Value]) -> Self {
        let params = &heaps.program.functions[function].params;
        Reader { heaps, heap, env: params.iter().copied().zip(args.iter().cloned()).collect() }
    }
    fn clauses(&self, function: FunctionId) -> Option<Value> {
        let clauses: Option<Vec<Value>> =
            self.heaps.program.functions[function].pre.iter().map(|clause| self.assertion(*clause)).collect();
        let mut clauses = clauses?.into_iter().rev();
        let last = clauses.next()?;
        Some(clauses.fold(last, |tail, head| Value::Pair(Box::new((head, tail)))))
    }
    fn assertion(&self, expr: ExprId) -> Option<Value> {
        let program = self.heaps.program;
        if program.is_pure(expr) {
            return Some(Value::Plain(Raw::Unit));
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                Some(Value::Pair(Box::new((self.assertion(*left)?, self.assertion(*right)?))))
            }
            ExprKind::Acc { location: Location::Field { receiver, field }, .. } => {
                let declared = &program.fields[*field];
                let (value, sort) = self.held(ResourceView::Field(declared.id), &[self.value(*receiver)?])?;
                self.heaps.names.structure.wrapped(&value, sort)
            }
            ExprKind::Acc { location: Location::Predicate { predicate, args }, .. } => {
                let args: Vec<Value> = args.iter().map(|arg| self.value(*arg)).collect::<Option<_>>()?;
                Some(self.held(ResourceView::Predicate(program.predicates[*predicate].id), &args)?.0)
            }
            _ => None,
        }
    }
    fn held(&self, resource: ResourceView, args: &[Value]) -> Option<(Value, SortId)> {
        self.heaps.value_at(self.heap, resource, args)
    }
    fn value(&self, expr: ExprId) -> Option<Value> {
        match self.heaps.program.kind(expr) {
            ExprKind::Local(local) => self.env.get(local).cloned(),
            ExprKind::Null => self.heaps.names.structure.tables.null().cloned().map(Value::Plain),
            ExprKind::Int(value) => Some(Value::int(value.clone())),
            ExprKind::Bool(value) => Some(Value::truth(*value)),
            ExprKind::Field { receiver, field } => {
                let field = self.heaps.program.fields[*field].id;
                Some(self.held(ResourceView::Field(field), &[self.value(*receiver)?])?.0)
            }
            _ => None,
        }
    }
}
