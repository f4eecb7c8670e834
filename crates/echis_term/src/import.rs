//! Copies terms between stores: each member has its own store, so that numbering does not depend on the order in
//! which members are verified, but definitions of functions are shared between members.

use crate::operators::Op;
use crate::role::SymbolRole;
use crate::sort::{Sort, SortId};
use crate::store::Terms;
use crate::term::{Quant, SymbolId, TermId, TermKind};
use echis_base::{FastMap, FastSet};

/// A copy in progress. Declared symbols (functions of the program) are identified by their roles; fresh ones are
/// created anew, once each.
pub struct Import<'a> {
    source: &'a Terms,
    /// If fresh symbols of several stores are identified by role and signature: the copies made so far.
    same: Option<FastSet<SymbolId>>,
    /// Whether two different symbols got the same copy.
    is_confused: bool,
    symbols: FastMap<SymbolId, SymbolId>,
    terms: FastMap<TermId, TermId>,
}

/// The terms of one store that were copied into another, in which symbols of several stores are identified by role and
/// signature.
#[derive(Default)]
pub struct Identified {
    symbols: FastMap<SymbolId, SymbolId>,
    terms: FastMap<TermId, TermId>,
    copies: FastSet<SymbolId>,
    /// Whether two different symbols got the same copy.
    is_confused: bool,
}

impl Identified {
    /// The copy of a term. `None` from the first time that two different symbols would get the same copy.
    pub fn term(&mut self, source: &Terms, target: &mut Terms, id: TermId) -> Option<TermId> {
        if self.is_confused {
            return None;
        }
        if let Some(&done) = self.terms.get(&id) {
            return Some(done);
        }
        let Identified { symbols, terms, copies, .. } = std::mem::take(self);
        let mut import = Import { source, symbols, terms, same: Some(copies), is_confused: false };
        let copy = import.term(target, id);
        let Import { symbols, terms, same, is_confused, .. } = import;
        *self = Identified { symbols, terms, copies: same.unwrap_or_default(), is_confused };
        (!self.is_confused).then_some(copy)
    }
}

impl<'a> Import<'a> {
    pub fn new(source: &'a Terms) -> Self {
        Import { source, same: None, is_confused: false, symbols: FastMap::default(), terms: FastMap::default() }
    }
    pub fn sort(&mut self, target: &mut Terms, id: SortId) -> SortId {
        let sort = match self.source.sort_data(id).clone() {
            Sort::Seq(element) => Sort::Seq(self.sort(target, element)),
            Sort::Set(element) => Sort::Set(self.sort(target, element)),
            Sort::Multiset(element) => Sort::Multiset(self.sort(target, element)),
            Sort::Map(key, value) => Sort::Map(self.sort(target, key), self.sort(target, value)),
            Sort::SnapMap { resource, key, value } => {
                Sort::SnapMap { resource, key: self.sort(target, key), value: self.sort(target, value) }
            }
            simple => simple,
        };
        target.sort(sort)
    }
    pub fn symbol(&mut self, target: &mut Terms, id: SymbolId) -> SymbolId {
        if let Some(&done) = self.symbols.get(&id) {
            return done;
        }
        let symbol = self.source.symbol(id).clone();
        let params: Vec<_> = symbol.params.iter().map(|sort| self.sort(target, *sort)).collect();
        let result = self.sort(target, symbol.result);
        let imported = match symbol.role {
            declared if self.same.is_some() => target.declare(declared, params, result),
            SymbolRole::Fresh { role, .. } => target.fresh_symbol(role, params, result),
            SymbolRole::Variable { base, .. } => target.fresh_variable(&base, result),
            declared => target.declare(declared, params, result),
        };
        self.symbols.insert(id, imported);
        self.is_confused |= self.same.as_mut().is_some_and(|copies| !copies.insert(imported));
        imported
    }
    pub fn term(&mut self, target: &mut Terms, id: TermId) -> TermId {
        if let Some(&done) = self.terms.get(&id) {
            return done;
        }
        let source = self.source;
        let imported = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match source.kind(id) {
            TermKind::Bool(value) => target.bool(*value),
            TermKind::Int(value) => target.int(value.clone()),
            TermKind::Perm(value) => target.perm(value.clone()),
            TermKind::App(symbol, args) => {
                let symbol = self.symbol(target, *symbol);
                let args: Vec<_> = args.iter().map(|arg| self.term(target, *arg)).collect();
                target.app(symbol, args)
            }
            TermKind::Op(op, args) => {
                let op = self.op(target, *op);
                let args: Vec<_> = args.iter().map(|arg| self.term(target, *arg)).collect();
                target.rebuild(op, &args)
            }
            TermKind::Quant(quant) => {
                let vars = quant.vars.iter().map(|var| self.symbol(target, *var)).collect();
                let triggers = quant
                    .triggers
                    .iter()
                    .map(|set| set.iter().map(|term| self.term(target, *term)).collect())
                    .collect();
                let body = self.term(target, quant.body);
                target.quant(Quant { vars, triggers, body, ..(**quant).clone() })
            }
        });
        self.terms.insert(id, imported);
        imported
    }
    fn op(&mut self, target: &mut Terms, op: Op) -> Op {
        match op {
            Op::Wrap(sort) => Op::Wrap(self.sort(target, sort)),
            Op::Unwrap(sort) => Op::Unwrap(self.sort(target, sort)),
            Op::SeqEmpty(sort) => Op::SeqEmpty(self.sort(target, sort)),
            Op::SetEmpty(sort) => Op::SetEmpty(self.sort(target, sort)),
            Op::MultisetEmpty(sort) => Op::MultisetEmpty(self.sort(target, sort)),
            Op::MapEmpty(sort) => Op::MapEmpty(self.sort(target, sort)),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::role::FreshRole;
    use crate::scope::Scope;
    use crate::term::Symbol;
    use std::sync::Arc;

    /// `x < y`, where so many other symbols were made before.
    fn comparison(before: usize) -> (Terms, TermId) {
        let mut terms = Terms::new();
        let int = terms.int_sort();
        let mut fresh = |name: &str| {
            let role = FreshRole::Named(name.into());
            terms.fresh(&Scope::default(), role, &[], int)
        };
        (0..before).for_each(|_| {
            fresh("other");
        });
        let (x, y) = (fresh("x"), fresh("y"));
        let less = terms.lt(x, y);
        (terms, less)
    }

    #[test]
    fn symbols_of_different_stores_are_the_same_by_their_roles() {
        let mut shared = Terms::new();
        let copies = [0, 3].map(|before| {
            let (terms, less) = comparison(before);
            Identified::default().term(&terms, &mut shared, less)
        });
        assert!(copies[0].is_some() && copies[0] == copies[1]);
    }

    #[test]
    fn a_store_whose_symbols_would_become_one_is_left_aside() {
        let mut terms = Terms::new();
        let int = terms.int_sort();
        let symbol = Symbol { role: SymbolRole::Uninterpreted("x".into()), params: Arc::from([]), result: int };
        let twins = [0; 2].map(|_| terms.add_symbol(symbol.clone()));
        let [x, y] = twins.map(|twin| terms.constant(twin));
        let mut shared = Terms::new();
        let mut identified = Identified::default();
        assert!(identified.term(&terms, &mut shared, x).is_some());
        assert!(identified.term(&terms, &mut shared, y).is_none());
        assert!(identified.term(&terms, &mut shared, x).is_none());
    }
}
