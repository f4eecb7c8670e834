//! Functions as finite tables: the values that the model has for them, with the state whose heap they read.

use super::contents::sort_name;
use super::heap::Heaps;
use super::types;
use super::{Case, DomainPart, FunctionPart};
use echis_program::program::{BinaryOp, ExprId, ExprKind, FunctionId, LocalId, Location};
use echis_proof::{HeapView, Raw, ResourceView};
use echis_term::{Sort, Symbol, SymbolKind};
use std::collections::BTreeMap;

/// The program's functions, and its domains' functions by domain.
pub fn tables(heaps: &Heaps<'_>, states: &[(String, &HeapView)]) -> (Vec<FunctionPart>, Vec<DomainPart>) {
    let tables = heaps.tables;
    let mut functions: BTreeMap<String, FunctionPart> = BTreeMap::new();
    let mut domains: BTreeMap<String, Vec<FunctionPart>> = BTreeMap::new();
    for (id, symbol) in tables.terms.symbols().filter(|(_, symbol)| symbol.kind == SymbolKind::Function) {
        let Some(table) = tables.of_symbol(id).filter(|table| !table.is_empty()) else { continue };
        if let Some(name) = symbol.name.strip_prefix("fn.") {
            // What the solver knows of a function it may know of a version of its symbol.
            let name = name.strip_suffix("%limited").unwrap_or(name);
            if name.contains('%') {
                continue;
            }
            let part = FunctionPart { name: name.to_string(), cases: Vec::new() };
            let part = functions.entry(name.to_string()).or_insert(part);
            for (args, value) in table {
                let case = case(heaps, states, symbol, name, args, value);
                if !part.cases.iter().any(|known| known.heap == case.heap && known.args == case.args) {
                    part.cases.push(case);
                }
            }
        } else if let Some(name) = symbol.name.strip_prefix("dom.").filter(|name| !heaps.names.hides(name)) {
            let cases = table.iter().map(|(args, value)| case(heaps, states, symbol, name, args, value)).collect();
            let ty = types::domain_of(heaps.program, name);
            domains.entry(ty).or_default().push(FunctionPart { name: name.to_string(), cases });
        }
    }
    let domains = domains.into_iter().map(|(ty, functions)| DomainPart { ty, functions });
    (functions.into_values().collect(), domains.collect())
}

fn case(
    heaps: &Heaps<'_>,
    states: &[(String, &HeapView)],
    symbol: &Symbol,
    name: &str,
    args: &[Raw],
    value: &Raw,
) -> Case {
    let sort = |position: usize| heaps.tables.terms.sort_data(symbol.params[position]);
    let reads_heap = symbol.name.starts_with("fn.") && !args.is_empty() && matches!(sort(0), Sort::Snap);
    let plain = if reads_heap { &args[1..] } else { args };
    let sorts = &symbol.params[args.len() - plain.len()..];
    let heap = reads_heap.then(|| {
        let found = heaps.program.functions.iter().find(|(_, function)| *function.name == *name);
        let matching = found.and_then(|(function, _)| {
            states.iter().find(|(_, heap)| {
                Reader::new(heaps, heap, function, plain).clauses(function).as_ref() == Some(&args[0])
            })
        });
        matching.map_or_else(|| "another".to_string(), |(state, _)| state.clone())
    });
    Case {
        heap,
        args: plain.iter().zip(sorts).map(|(arg, sort)| heaps.names.text(Some(arg), *sort)).collect(),
        value: heaps.names.text(Some(value), symbol.result),
    }
}

/// Makes the snapshot that a function's precondition takes of a heap.
struct Reader<'a> {
    heaps: &'a Heaps<'a>,
    heap: &'a HeapView,
    env: BTreeMap<LocalId, Raw>,
}

impl<'a> Reader<'a> {
    fn new(heaps: &'a Heaps<'a>, heap: &'a HeapView, function: FunctionId, args: &[Raw]) -> Self {
        let params = &heaps.program.functions[function].params;
        Reader { heaps, heap, env: params.iter().copied().zip(args.iter().cloned()).collect() }
    }
    fn clauses(&self, function: FunctionId) -> Option<Raw> {
        let clauses: Option<Vec<Raw>> =
            self.heaps.program.functions[function].pre.iter().map(|clause| self.assertion(*clause)).collect();
        let mut clauses = clauses?.into_iter().rev();
        let last = clauses.next()?;
        Some(clauses.fold(last, |tail, head| Raw::Combine(Box::new(head), Box::new(tail))))
    }
    fn assertion(&self, expr: ExprId) -> Option<Raw> {
        let program = self.heaps.program;
        if program.is_pure(expr) {
            return Some(Raw::Unit);
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                Some(Raw::Combine(Box::new(self.assertion(*left)?), Box::new(self.assertion(*right)?)))
            }
            ExprKind::Acc { location: Location::Field { receiver, field }, .. } => {
                let declared = &program.fields[*field];
                let value = self.held(ResourceView::Field(declared.id), &[self.value(*receiver)?])?;
                let wrap = format!("Snap.wrap<{}>", sort_name(&declared.ty)?);
                self.heaps.tables.model.value(&wrap, &[value]).cloned()
            }
            ExprKind::Acc { location: Location::Predicate { predicate, args }, .. } => {
                let args: Vec<Raw> = args.iter().map(|arg| self.value(*arg)).collect::<Option<_>>()?;
                self.held(ResourceView::Predicate(program.predicates[*predicate].id), &args)
            }
            _ => None,
        }
    }
    fn held(&self, resource: ResourceView, args: &[Raw]) -> Option<Raw> {
        self.heaps.value_at(self.heap, resource, args)
    }
    fn value(&self, expr: ExprId) -> Option<Raw> {
        match self.heaps.program.kind(expr) {
            ExprKind::Local(local) => self.env.get(local).cloned(),
            ExprKind::Null => self.heaps.tables.null().cloned(),
            ExprKind::Int(value) => Some(Raw::Int(value.clone())),
            ExprKind::Bool(value) => Some(Raw::Bool(*value)),
            ExprKind::Field { receiver, field } => {
                let field = self.heaps.program.fields[*field].id;
                self.held(ResourceView::Field(field), &[self.value(*receiver)?])
            }
            _ => None,
        }
    }
}
