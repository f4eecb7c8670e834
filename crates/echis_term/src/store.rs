//! The table of shared terms. Equal terms have equal keys; keys are assigned in order of construction, so runs of the
//! same member always number their terms identically.

use crate::role::SymbolKind;
use crate::role::{FreshRole, SymbolRole};
use crate::scope::Scope;
use crate::sort::{Sort, SortId};
use crate::term::{Quant, Symbol, SymbolId, Term, TermId, TermKind};
use echis_base::{FastMap, IndexVec, Name};
use std::sync::Arc;

#[derive(Clone)]
pub struct Terms {
    pub(crate) sorts: IndexVec<SortId, Sort>,
    sort_keys: FastMap<Sort, SortId>,
    pub(crate) symbols: IndexVec<SymbolId, Symbol>,
    /// Symbols declared by role; interpreted operators may be overloaded.
    declared: FastMap<Symbol, SymbolId>,
    /// Number of fresh symbols with each printed base name.
    name_counts: FastMap<Name, u32>,
    /// Number of fresh variables with each base name.
    variable_counts: FastMap<Name, u32>,
    pub(crate) terms: IndexVec<TermId, Term>,
    keys: FastMap<TermKind, TermId>,
    no_free: Arc<[SymbolId]>,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    pub fn new() -> Self {
        let mut terms = Terms::blank();
        for sort in [Sort::Bool, Sort::Int, Sort::Perm, Sort::Ref, Sort::Snap, Sort::WandMap] {
            terms.sort(sort);
        }
        // Both truth values exist from the start, so that readers find them.
        terms.bool(true);
        terms.bool(false);
        terms
    }

    /// A table without even the truth values: the start of a copy.
    pub fn blank() -> Self {
        Terms {
            sorts: Default::default(),
            sort_keys: Default::default(),
            symbols: Default::default(),
            declared: Default::default(),
            name_counts: Default::default(),
            variable_counts: Default::default(),
            terms: Default::default(),
            keys: Default::default(),
            no_free: Arc::from([]),
        }
    }

    /// A truth value, without mutable access.
    pub fn literal(&self, value: bool) -> TermId {
        let both = (0..2).map(echis_base::Key::new);
        let found = both.into_iter().find(|term| *self.kind(*term) == TermKind::Bool(value));
        found.expect("a store begins with both truth values")
    }

    pub fn sort(&mut self, sort: Sort) -> SortId {
        if let Some(&id) = self.sort_keys.get(&sort) {
            return id;
        }
        let id = self.sorts.push(sort.clone());
        self.sort_keys.insert(sort, id);
        id
    }
    pub fn sort_data(&self, id: SortId) -> &Sort {
        &self.sorts[id]
    }
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id]
    }
    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.symbols.iter()
    }
    pub fn term(&self, id: TermId) -> &Term {
        &self.terms[id]
    }
    pub fn kind(&self, id: TermId) -> &TermKind {
        &self.terms[id].kind
    }
    pub fn sort_of(&self, id: TermId) -> SortId {
        self.terms[id].sort
    }
    pub fn len(&self) -> usize {
        self.terms.len()
    }
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The symbol with exactly this role and signature, created on first use.
    pub fn declare(&mut self, role: SymbolRole, params: impl Into<Arc<[SortId]>>, result: SortId) -> SymbolId {
        let symbol = Symbol { role, params: params.into(), result };
        if let Some(&id) = self.declared.get(&symbol) {
            return id;
        }
        let id = self.symbols.push(symbol.clone());
        self.declared.insert(symbol, id);
        id
    }
    /// Adds a symbol from another table, distinct from all others here, even from one that looks identical.
    pub(crate) fn add_symbol(&mut self, symbol: Symbol) -> SymbolId {
        let id = self.symbols.push(symbol.clone());
        self.declared.entry(symbol).or_insert(id);
        id
    }
    /// A fresh variable for quantifiers.
    pub fn fresh_variable(&mut self, base: &str, sort: SortId) -> SymbolId {
        let base: Name = base.into();
        let number = next_number(&mut self.variable_counts, &base);
        self.symbols.push(Symbol { role: SymbolRole::Variable { base, number }, params: Arc::from([]), result: sort })
    }
    /// A fresh variable with the same name as another one.
    pub fn renamed_variable(&mut self, variable: SymbolId) -> SymbolId {
        let (base, sort) = (self.symbols[variable].role.base(), self.symbols[variable].result);
        self.fresh_variable(&base, sort)
    }
    /// An unconstrained term: a fresh function of the scope's variables and the arguments, applied to them. What is
    /// created where a variable is arbitrary may differ for each of its values, so every fresh symbol must state what
    /// it is a function of.
    pub fn fresh(&mut self, scope: &Scope, role: impl Into<FreshRole>, args: &[TermId], sort: SortId) -> TermId {
        let mut all: Vec<TermId> = scope.vars().iter().map(|var| self.constant(*var)).collect();
        all.extend(args);
        let params: Vec<SortId> = all.iter().map(|arg| self.sort_of(*arg)).collect();
        let symbol = self.fresh_symbol(role.into(), params, sort);
        self.app(symbol, all)
    }
    pub(crate) fn fresh_symbol(
        &mut self,
        role: FreshRole,
        params: impl Into<Arc<[SortId]>>,
        result: SortId,
    ) -> SymbolId {
        let number = next_number(&mut self.name_counts, &role.to_string().into());
        self.symbols.push(Symbol { role: SymbolRole::Fresh { role, number }, params: params.into(), result })
    }

    /// Interns the term. Called last by constructors in `build`.
    pub(crate) fn intern(&mut self, kind: TermKind, sort: SortId) -> TermId {
        if let Some(&id) = self.keys.get(&kind) {
            return id;
        }
        let free = self.free_of(&kind);
        let id = self.terms.push(Term { kind: kind.clone(), sort, free });
        self.keys.insert(kind, id);
        id
    }

    fn free_of(&self, kind: &TermKind) -> Arc<[SymbolId]> {
        match kind {
            TermKind::Bool(_) | TermKind::Int(_) | TermKind::Perm(_) => self.no_free.clone(),
            TermKind::App(symbol, args) if self.symbols[*symbol].kind() == SymbolKind::Bound => {
                debug_assert!(args.is_empty(), "a bound variable has no arguments");
                Arc::from([*symbol])
            }
            TermKind::App(_, args) | TermKind::Op(_, args) => self.union_of_free(args),
            TermKind::Quant(quant) => self.free_of_quant(quant),
        }
    }
    fn union_of_free(&self, args: &[TermId]) -> Arc<[SymbolId]> {
        let mut parts = args.iter().map(|arg| &self.terms[*arg].free).filter(|free| !free.is_empty());
        let Some(first) = parts.next() else { return self.no_free.clone() };
        let mut union: Option<Vec<SymbolId>> = None;
        for part in parts {
            let known: &[SymbolId] = union.as_deref().unwrap_or(first);
            if part.iter().any(|symbol| known.binary_search(symbol).is_err()) {
                let mut merged: Vec<_> = known.iter().chain(part.iter()).copied().collect();
                merged.sort();
                merged.dedup();
                union = Some(merged);
            }
        }
        union.map_or_else(|| first.clone(), Arc::from)
    }
    fn free_of_quant(&self, quant: &Quant) -> Arc<[SymbolId]> {
        let parts: Vec<TermId> =
            quant.triggers.iter().flat_map(|set| set.iter().copied()).chain([quant.body]).collect();
        let union = self.union_of_free(&parts);
        if quant.vars.iter().any(|var| union.contains(var)) {
            union.iter().copied().filter(|symbol| !quant.vars.contains(symbol)).collect()
        } else {
            union
        }
    }
    pub fn is_free(&self, var: SymbolId, term: TermId) -> bool {
        self.terms[term].free.binary_search(&var).is_ok()
    }
    /// The scope for a name of something determined by terms: the variables they mention. What is chosen, assumed or
    /// unknown depends on all of them.
    pub fn scope_of(&self, scope: &Scope, by: &[TermId]) -> Scope {
        let mentioned = |var: &SymbolId| by.iter().any(|term| self.is_free(*var, *term));
        Scope::of(scope.vars().iter().copied().filter(mentioned).collect())
    }
}

/// Fresh symbols with the same printed name are numbered.
fn next_number(counts: &mut FastMap<Name, u32>, base: &Name) -> u32 {
    let count = counts.entry(base.clone()).or_insert(0);
    *count += 1;
    *count - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::role::Made;

    #[test]
    fn what_is_made_in_a_scope_depends_on_its_variables() {
        let mut terms = Terms::new();
        let sort = terms.int_sort();
        let [outer, inner] = ["x", "y"].map(|name| terms.fresh_variable(name, sort));
        let mut scope = Scope::of(vec![outer]);
        scope.enter(inner);
        let unknown = terms.fresh(&scope, Made::Unknown, &[], sort);
        assert!(terms.is_free(outer, unknown) && terms.is_free(inner, unknown));
        let other = terms.fresh(&scope, Made::Unknown, &[], sort);
        assert_ne!(unknown, other);
    }

    #[test]
    fn a_name_depends_on_what_determines_it() {
        let mut terms = Terms::new();
        let sort = terms.int_sort();
        let [outer, inner] = ["x", "y"].map(|name| terms.fresh_variable(name, sort));
        let scope = Scope::of(vec![outer, inner]);
        let by = terms.constant(inner);
        let scope = terms.scope_of(&scope, &[by]);
        let name = terms.fresh(&scope, Made::Value, &[], sort);
        assert!(!terms.is_free(outer, name) && terms.is_free(inner, name));
    }
}
