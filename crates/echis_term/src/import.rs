//! Copies terms between stores: each member has its own store, so that numbering does not depend on the order in
//! which members are verified, but definitions of functions are shared between members.

use crate::operators::Op;
use crate::role::SymbolRole;
use crate::sort::{Sort, SortId};
use crate::store::Terms;
use crate::term::{Quant, SymbolId, TermId, TermKind};
use echis_base::FastMap;

/// A copy in progress. Declared symbols (functions of the program) are identified by their roles; fresh ones are
/// created anew, once each.
pub struct Import<'a> {
    source: &'a Terms,
    symbols: FastMap<SymbolId, SymbolId>,
    terms: FastMap<TermId, TermId>,
}

impl<'a> Import<'a> {
    pub fn new(source: &'a Terms) -> Self {
        Import { source, symbols: FastMap::default(), terms: FastMap::default() }
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
            SymbolRole::Fresh { role, .. } => target.fresh_symbol(role, params, result),
            SymbolRole::Variable { base, .. } => target.fresh_variable(&base, result),
            declared => target.declare(declared, params, result),
        };
        self.symbols.insert(id, imported);
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
    pub(crate) fn op(&mut self, target: &mut Terms, op: Op) -> Op {
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
