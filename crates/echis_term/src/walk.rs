//! Traversal and substitution, safe for deep terms.

use crate::store::Terms;
use crate::term::{Quant, SymbolId, TermId, TermKind};
use echis_base::{FastMap, FastSet};
use std::collections::BTreeMap;

impl Terms {
    /// The direct subterms of a term, in order.
    pub fn children(&self, term: TermId) -> Vec<TermId> {
        match self.kind(term) {
            TermKind::Bool(_) | TermKind::Int(_) | TermKind::Perm(_) => Vec::new(),
            TermKind::App(_, args) | TermKind::Op(_, args) => args.to_vec(),
            TermKind::Quant(quant) => {
                quant.triggers.iter().flat_map(|set| set.iter().copied()).chain([quant.body]).collect()
            }
        }
    }
    /// Whether the term contains a quantifier.
    pub fn has_quantifier(&self, term: TermId) -> bool {
        let mut found = false;
        self.for_each_subterm(term, |part| found |= matches!(self.kind(part), TermKind::Quant(_)));
        found
    }
    /// Visits every distinct subterm once, including the term itself.
    pub fn for_each_subterm(&self, term: TermId, mut visit: impl FnMut(TermId)) {
        let mut seen: FastSet<TermId> = FastSet::default();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            visit(term);
            match self.kind(term) {
                TermKind::Bool(_) | TermKind::Int(_) | TermKind::Perm(_) => {}
                TermKind::App(_, args) | TermKind::Op(_, args) => stack.extend(args),
                TermKind::Quant(quant) => stack.extend(quant.triggers.iter().flatten().chain([&quant.body])),
            }
        }
    }
    /// The symbols of all applications in the term, in key order.
    pub fn symbols_of(&self, term: TermId) -> std::collections::BTreeSet<SymbolId> {
        let mut symbols = std::collections::BTreeSet::new();
        self.for_each_subterm(term, |term| {
            if let TermKind::App(symbol, _) = self.kind(term) {
                symbols.insert(*symbol);
            }
        });
        symbols
    }
    /// Replaces constants and bound variables. Bound variables have unique symbols in the program, so a replacement
    /// can be captured only by a quantifier over a variable that it mentions; in that case, the quantifier's variable
    /// is renamed.
    pub fn substitute(&mut self, term: TermId, map: &BTreeMap<SymbolId, TermId>) -> TermId {
        if map.is_empty() {
            return term;
        }
        self.substitute_memo(term, map, &mut FastMap::default())
    }
    /// Replaces symbols of applications everywhere except in the triggers of the outermost quantifier.
    pub fn replace_in_bodies(&mut self, term: TermId, map: &FastMap<SymbolId, SymbolId>) -> TermId {
        let TermKind::Quant(quant) = self.kind(term).clone() else { return term };
        // The head of a definition, `f(xs) = …`, keeps the symbol in its trigger.
        let heads: FastSet<TermId> = quant.triggers.iter().flat_map(|set| set.iter().copied()).collect();
        let mut memo: FastMap<TermId, TermId> = heads.iter().map(|head| (*head, *head)).collect();
        let body = self.replace_memo(quant.body, map, &mut memo);
        self.quant(Quant { body, ..*quant })
    }
    /// Replaces symbols of applications everywhere.
    pub fn replace_symbols(&mut self, term: TermId, map: &FastMap<SymbolId, SymbolId>) -> TermId {
        self.replace_memo(term, map, &mut FastMap::default())
    }
    fn replace_memo(
        &mut self,
        term: TermId,
        map: &FastMap<SymbolId, SymbolId>,
        memo: &mut FastMap<TermId, TermId>,
    ) -> TermId {
        if let Some(&done) = memo.get(&term) {
            return done;
        }
        let result = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match self.kind(term).clone() {
            TermKind::Bool(_) | TermKind::Int(_) | TermKind::Perm(_) => term,
            TermKind::App(symbol, args) => {
                let args: Vec<_> = args.iter().map(|arg| self.replace_memo(*arg, map, memo)).collect();
                self.app(map.get(&symbol).copied().unwrap_or(symbol), args)
            }
            TermKind::Op(op, args) => {
                let args: Vec<_> = args.iter().map(|arg| self.replace_memo(*arg, map, memo)).collect();
                self.rebuild(op, &args)
            }
            TermKind::Quant(quant) => {
                let triggers = quant
                    .triggers
                    .iter()
                    .map(|set| set.iter().map(|term| self.replace_memo(*term, map, memo)).collect())
                    .collect();
                let body = self.replace_memo(quant.body, map, memo);
                self.quant(Quant { triggers, body, ..*quant })
            }
        });
        memo.insert(term, result);
        result
    }
    fn substitute_memo(
        &mut self,
        term: TermId,
        map: &BTreeMap<SymbolId, TermId>,
        memo: &mut FastMap<TermId, TermId>,
    ) -> TermId {
        if let Some(&done) = memo.get(&term) {
            return done;
        }
        let result = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match self.kind(term).clone() {
            TermKind::Bool(_) | TermKind::Int(_) | TermKind::Perm(_) => term,
            TermKind::App(symbol, args) if args.is_empty() => map.get(&symbol).copied().unwrap_or(term),
            TermKind::App(symbol, args) => {
                let args: Vec<_> = args.iter().map(|arg| self.substitute_memo(*arg, map, memo)).collect();
                self.app(symbol, args)
            }
            TermKind::Op(op, args) => {
                let args: Vec<_> = args.iter().map(|arg| self.substitute_memo(*arg, map, memo)).collect();
                self.rebuild(op, &args)
            }
            TermKind::Quant(quant) => self.substitute_quant(&quant, map),
        });
        memo.insert(term, result);
        result
    }
    fn substitute_quant(&mut self, quant: &Quant, map: &BTreeMap<SymbolId, TermId>) -> TermId {
        let mut inner: BTreeMap<SymbolId, TermId> =
            map.iter().filter(|(symbol, _)| !quant.vars.contains(symbol)).map(|(k, v)| (*k, *v)).collect();
        let mut vars = quant.vars.clone();
        for var in vars.iter_mut() {
            if inner.values().any(|term| self.is_free(*var, *term)) {
                let renamed = self.renamed_variable(*var);
                let term = self.constant(renamed);
                inner.insert(*var, term);
                *var = renamed;
            }
        }
        let mut memo = FastMap::default();
        let triggers = quant
            .triggers
            .iter()
            .map(|set| set.iter().map(|term| self.substitute_memo(*term, &inner, &mut memo)).collect())
            .collect();
        let body = self.substitute_memo(quant.body, &inner, &mut memo);
        self.quant(Quant { vars, triggers, body, ..quant.clone() })
    }
}
