//! The solver-level vocabulary of the program: sorts of types, symbols of domain functions, functions and
//! predicates. Roles are the same in every member, so definitions can travel between members' term stores.

use crate::state::Resource;
use crate::tree::Writer;
use echis_base::FastMap;
use echis_program::program::{DomainFunctionId, FieldId, FunctionId, PredicateId, Type};
use echis_term::{Op, Sort, SortId, SymbolId, SymbolRole, TermId, TermKind};
use std::collections::BTreeMap;

#[derive(Default)]
pub(crate) struct Symbols {
    pub limited: FastMap<SymbolId, SymbolId>,
    /// For a symbol `f%pre` or `f%called`, the full and limited symbols of its function.
    applied: FastMap<SymbolId, [SymbolId; 2]>,
    /// The symbols `f%called`.
    called: BTreeMap<FunctionId, SymbolId>,
    functions: BTreeMap<FunctionId, FunctionSymbols>,
    takes_heap: BTreeMap<FunctionId, bool>,
}

/// The symbols of one function.
#[derive(Clone, Copy)]
pub(crate) struct FunctionSymbols {
    pub full: SymbolId,
    /// Used inside definitions and triggers; not unrolled.
    pub limited: SymbolId,
    /// The predicate that an application's precondition was established.
    pub pre: SymbolId,
    /// Whether the first argument is the snapshot of the precondition.
    pub takes_heap: bool,
}

/// The symbolic application for which a function is verified.
pub(crate) struct Subject {
    pub symbols: FunctionSymbols,
    pub binders: Vec<SymbolId>,
    /// Snapshot (if the function takes one) and arguments.
    pub args: Vec<TermId>,
    pub plain: Vec<TermId>,
    pub snapshot: TermId,
}

impl Writer<'_> {
    pub fn sort_of_type(&mut self, ty: &Type) -> SortId {
        let sort = match ty {
            Type::Int => Sort::Int,
            Type::Bool => Sort::Bool,
            Type::Perm => Sort::Perm,
            Type::Ref => Sort::Ref,
            Type::Seq(element) => Sort::Seq(self.sort_of_type(element)),
            Type::Set(element) => Sort::Set(self.sort_of_type(element)),
            Type::Multiset(element) => Sort::Multiset(self.sort_of_type(element)),
            Type::Map(key, value) => Sort::Map(self.sort_of_type(key), self.sort_of_type(value)),
            Type::Domain(domain, args) => match &self.context.program.domains[*domain].interpretation {
                Some(text) => Sort::Interpreted(text.clone()),
                None => {
                    let name = self.instance_name(&self.context.program.domains[*domain].name.clone(), args);
                    Sort::User(format!("sort.{name}").into())
                }
            },
            Type::Parameter(_) => {
                let instance = echis_program::reach::substitute(ty, &self.type_args);
                debug_assert!(!matches!(instance, Type::Parameter(_)), "generic axioms are evaluated by instance");
                return self.sort_of_type(&instance);
            }
            Type::PredicateInstance => Sort::User("PredicateInstance".into()),
        };
        self.terms().sort(sort)
    }
    pub fn instance_name(&mut self, base: &str, args: &[Type]) -> String {
        format!("{base}{}", self.instance(args))
    }
    /// `<Int,Ref>`, or empty.
    fn instance(&mut self, args: &[Type]) -> String {
        if args.is_empty() {
            return String::new();
        }
        let args: Vec<String> = args.iter().map(|arg| self.type_name(arg)).collect();
        format!("<{}>", args.join(","))
    }
    /// Names the type rather than its sort: types that share a solver sort stay distinct.
    fn type_name(&mut self, ty: &Type) -> String {
        match ty {
            Type::Int | Type::Bool | Type::Perm | Type::Ref => format!("{ty:?}"),
            Type::Seq(element) => format!("Seq<{}>", self.type_name(element)),
            Type::Set(element) => format!("Set<{}>", self.type_name(element)),
            Type::Multiset(element) => format!("Multiset<{}>", self.type_name(element)),
            Type::Map(key, value) => format!("Map<{},{}>", self.type_name(key), self.type_name(value)),
            Type::Domain(domain, args) => {
                let name = self.instance_name(&self.context.program.domains[*domain].name.clone(), args);
                format!("sort.{name}")
            }
            Type::PredicateInstance => "PredicateInstance".into(),
            Type::Parameter(_) => {
                let instance = echis_program::reach::substitute(ty, &self.type_args);
                debug_assert!(!matches!(instance, Type::Parameter(_)), "generic axioms are evaluated by instance");
                self.type_name(&instance)
            }
        }
    }
    pub fn domain_symbol(&mut self, function: DomainFunctionId, type_args: &[Type]) -> SymbolId {
        let declared = &self.context.program.domain_functions[function];
        let type_args: Vec<Type> =
            type_args.iter().map(|ty| echis_program::reach::substitute(ty, &self.type_args)).collect();
        let substitute = |ty: &Type| echis_program::reach::substitute(ty, &type_args);
        let params: Vec<Type> = declared.params.iter().map(substitute).collect();
        let result = substitute(&declared.result);
        let params: Vec<SortId> = params.iter().map(|ty| self.sort_of_type(ty)).collect();
        let result = self.sort_of_type(&result);
        let declared = &self.context.program.domain_functions[function];
        if let Some(text) = &declared.interpretation {
            return self.terms().declare(SymbolRole::interpreted(text.clone()), params, result);
        }
        let role =
            SymbolRole::DomainFunction { function: declared.name.clone(), type_args: self.instance(&type_args).into() };
        self.terms().declare(role, params, result)
    }
    /// Triggers that instantiate `f%pre(args)` and `f%called(args)` wherever the application itself occurs.
    pub fn application_triggers(&mut self, fact: TermId) -> Vec<Vec<TermId>> {
        let TermKind::App(symbol, args) = self.tree.terms.kind(fact).clone() else { return Vec::new() };
        let Some(applied) = self.symbols.applied.get(&symbol).copied() else { return Vec::new() };
        applied.map(|symbol| vec![self.tree.terms.app(symbol, args.clone())]).into_iter().collect()
    }
    /// The application that `f%pre(args)` is about.
    pub fn application_of(&mut self, fact: TermId) -> Option<TermId> {
        let TermKind::App(symbol, args) = self.tree.terms.kind(fact).clone() else { return None };
        let function = self.applied_function(symbol)?;
        let symbols = self.function_symbols(function);
        let opaque = self.context.program.functions[function].opaque;
        Some(self.terms().app(if opaque { symbols.limited } else { symbols.full }, args))
    }
    /// Whether a fact only says that a precondition was established, possibly behind a guard.
    pub fn is_application(&self, fact: TermId) -> bool {
        let fact = match self.tree.terms.as_op(fact) {
            Some((Op::Implies, &[_, fact])) => fact,
            _ => fact,
        };
        matches!(self.tree.terms.kind(fact), TermKind::App(symbol, _) if self.symbols.applied.contains_key(symbol))
    }
    /// The function that an `f%pre` symbol belongs to.
    pub fn applied_function(&self, pre: SymbolId) -> Option<FunctionId> {
        self.symbols.functions.iter().find(|(_, symbols)| symbols.pre == pre).map(|(function, _)| *function)
    }
    pub fn takes_heap(&mut self, function: FunctionId) -> bool {
        if let Some(&known) = self.symbols.takes_heap.get(&function) {
            return known;
        }
        let impure = self.context.program.functions[function].pre.iter().any(|pre| !self.context.is_pure(*pre));
        self.symbols.takes_heap.insert(function, impure);
        impure
    }
    pub fn function_symbols(&mut self, id: FunctionId) -> FunctionSymbols {
        if let Some(&known) = self.symbols.functions.get(&id) {
            return known;
        }
        let function = &self.context.program.functions[id];
        let name = function.name.clone();
        let result = self.sort_of_type(&function.result.clone());
        let plain: Vec<SortId> = function
            .params
            .iter()
            .map(|param| self.context.program.locals[*param].ty.clone())
            .collect::<Vec<_>>()
            .iter()
            .map(|ty| self.sort_of_type(ty))
            .collect();
        let takes_heap = self.takes_heap(id);
        let bool_sort = self.terms().bool_sort();
        let snap = self.terms().snap_sort();
        let mut params = plain;
        if takes_heap {
            params.insert(0, snap);
        }
        let symbols = FunctionSymbols {
            full: self.terms().declare(SymbolRole::Function(name.clone()), params.clone(), result),
            limited: self.terms().declare(SymbolRole::Limited(name.clone()), params.clone(), result),
            pre: self.terms().declare(SymbolRole::Precondition(name), params, bool_sort),
            takes_heap,
        };
        self.symbols.limited.insert(symbols.full, symbols.limited);
        self.symbols.applied.insert(symbols.pre, [symbols.full, symbols.limited]);
        self.symbols.functions.insert(id, symbols);
        symbols
    }
    /// `f%called`: the postcondition of an application may be used while its component of the call graph is being
    /// verified.
    pub fn called(&mut self, id: FunctionId) -> SymbolId {
        if let Some(&known) = self.symbols.called.get(&id) {
            return known;
        }
        let FunctionSymbols { full, limited, pre, .. } = self.function_symbols(id);
        let params = self.terms().symbol(pre).params.to_vec();
        let bool_sort = self.terms().bool_sort();
        let name = self.context.program.functions[id].name.clone();
        let called = self.terms().declare(SymbolRole::Called(name), params, bool_sort);
        self.symbols.applied.insert(called, [full, limited]);
        self.symbols.called.insert(id, called);
        called
    }
    /// Whether a fact only says `f%called(args)`, possibly guarded or quantified.
    pub fn is_call(&self, fact: TermId) -> bool {
        let mut fact = fact;
        loop {
            fact = match self.tree.terms.kind(fact) {
                TermKind::Quant(quant) => quant.body,
                TermKind::App(symbol, _) => return self.symbols.called.values().any(|called| called == symbol),
                _ => match self.tree.terms.as_op(fact) {
                    Some((Op::Implies, &[_, conclusion])) => conclusion,
                    _ => return false,
                },
            }
        }
    }
    /// `P%trigger(snapshot, args)`: stated at each fold and unfold, so that functions over `P` unroll there.
    pub fn predicate_trigger(&mut self, predicate: PredicateId, snapshot: TermId, args: &[TermId]) -> TermId {
        let name = self.context.program.predicates[predicate].name.clone();
        let mut params = vec![self.terms().snap_sort()];
        params.extend(args.iter().map(|arg| self.tree.terms.sort_of(*arg)));
        let bool_sort = self.terms().bool_sort();
        let symbol = self.terms().declare(SymbolRole::Trigger(name), params, bool_sort);
        let mut all = vec![snapshot];
        all.extend(args);
        self.terms().app(symbol, all)
    }
    pub fn field_sort(&mut self, field: FieldId) -> SortId {
        self.sort_of_type(&self.context.program.fields[field].ty.clone())
    }
    pub fn value_sort(&mut self, resource: Resource) -> SortId {
        match resource {
            Resource::Field(field) => self.field_sort(field),
            Resource::Predicate(_) => self.terms().snap_sort(),
            Resource::Wand(_) => self.terms().sort(Sort::WandMap),
        }
    }
}
