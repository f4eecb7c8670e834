//! Compares terms of several stores: they are copied into one, in which symbols are the same if they have the same role
//! and signature, and quantifiers are the same up to the names of their variables.
//!
//! Variables of a quantifier are named by its height, the number of quantifiers nested in it, and by their positions. A
//! quantifier thus has the same copy wherever it occurs, and a variable is never captured: quantifiers inside have
//! smaller heights. Names for profiles are left out. Variables that no quantifier binds can be named by the order in
//! which they are [introduced](Identified::introduce).

use crate::import::Import;
use crate::operators::Op;
use crate::role::{QuantifierRole, SymbolRole};
use crate::store::Terms;
use crate::term::{Quant, SymbolId, TermId, TermKind};
use echis_base::FastMap;

/// The terms of one store that were copied into another.
#[derive(Default)]
pub struct Identified {
    symbols: FastMap<SymbolId, SymbolId>,
    /// The symbols in use in the other store, each with the symbol that it is the copy of; `None` for variables of
    /// quantifiers.
    copies: FastMap<SymbolId, Option<SymbolId>>,
    heights: FastMap<TermId, u32>,
    /// The copies of terms without variables of enclosing quantifiers, and without introduced ones.
    closed: FastMap<TermId, TermId>,
    /// The introduced variables.
    free: Around,
    /// Whether two different symbols got the same copy.
    is_confused: bool,
}

/// A copy in progress.
struct Copying<'a> {
    source: &'a Terms,
    target: &'a mut Terms,
    known: &'a mut Identified,
    /// The quantifiers around the current term.
    around: Vec<Around>,
}

#[derive(Default)]
struct Around {
    vars: Vec<(SymbolId, SymbolId)>,
    /// The copies of terms with these variables, and perhaps with those of quantifiers around.
    open: FastMap<TermId, TermId>,
}

impl Identified {
    /// The copy of a term. `None` from the first time that two different symbols would get the same copy.
    pub fn term(&mut self, source: &Terms, target: &mut Terms, id: TermId) -> Option<TermId> {
        if self.is_confused {
            return None;
        }
        let copy = Copying { source, target, known: self, around: Vec::new() }.term(id);
        (!self.is_confused).then_some(copy)
    }
    /// Names the variables of a term that no quantifier binds by their position among all that were introduced.
    pub fn introduce(&mut self, source: &Terms, target: &mut Terms, id: TermId) {
        for var in source.term(id).free.iter() {
            if !self.free.binds(*var) {
                let at = self.free.vars.len();
                let name = Copying { source, target, known: self, around: Vec::new() }.var("free", at, *var);
                self.free.vars.push((*var, name));
            }
        }
    }
    /// The number of introduced variables.
    pub fn introduced(&self) -> usize {
        self.free.vars.len()
    }
    /// Forgets the latest introduced variables, so that there are only so many.
    pub fn forget(&mut self, introduced: usize) {
        if introduced < self.free.vars.len() {
            self.free.vars.truncate(introduced);
            self.free.open.clear();
        }
    }
    /// The number of quantifiers nested in a term.
    fn height(&mut self, source: &Terms, id: TermId) -> u32 {
        if let Some(&done) = self.heights.get(&id) {
            return done;
        }
        let parts = source.children(id);
        let inner = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            parts.into_iter().map(|part| self.height(source, part)).max().unwrap_or(0)
        });
        let height = inner + u32::from(matches!(source.kind(id), TermKind::Quant(_)));
        self.heights.insert(id, height);
        height
    }
}

impl Around {
    fn binds(&self, id: SymbolId) -> bool {
        self.vars.iter().any(|(var, _)| *var == id)
    }
}

impl Copying<'_> {
    fn term(&mut self, id: TermId) -> TermId {
        // What a copy depends on: the innermost quantifier whose variables it mentions.
        if let Some(&done) = self.memo(id).get(&id) {
            return done;
        }
        let copy = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.copy(id));
        self.memo(id).insert(id, copy);
        copy
    }
    /// The copies of terms that depend on the same variables.
    fn memo(&mut self, id: TermId) -> &mut FastMap<TermId, TermId> {
        let free = &self.source.term(id).free;
        let binds = |around: &Around| free.iter().any(|free| around.binds(*free));
        match self.around.iter().rposition(binds) {
            Some(within) => &mut self.around[within].open,
            None if binds(&self.known.free) => &mut self.known.free.open,
            None => &mut self.known.closed,
        }
    }
    fn copy(&mut self, id: TermId) -> TermId {
        let source = self.source;
        match source.kind(id) {
            TermKind::Bool(value) => self.target.bool(*value),
            TermKind::Int(value) => self.target.int(value.clone()),
            TermKind::Perm(value) => self.target.perm(value.clone()),
            TermKind::App(symbol, args) => {
                let symbol = self.symbol(*symbol);
                let args = self.terms(args);
                self.target.app(symbol, args)
            }
            TermKind::Op(op, args) => {
                let op = self.op(*op);
                let args = self.terms(args);
                self.target.rebuild(op, &args)
            }
            TermKind::Quant(quant) => {
                let height = self.known.height(source, id).to_string();
                let vars: Vec<_> =
                    quant.vars.iter().enumerate().map(|(at, var)| (*var, self.var(&height, at, *var))).collect();
                let names = vars.iter().map(|(_, name)| *name).collect();
                self.around.push(Around { vars, open: FastMap::default() });
                let triggers = quant.triggers.iter().map(|set| self.terms(set).into()).collect();
                let body = self.term(quant.body);
                self.around.pop();
                let role = QuantifierRole::Bound;
                self.target.quant(Quant { vars: names, triggers, body, role, ..**quant })
            }
        }
    }
    fn terms(&mut self, ids: &[TermId]) -> Vec<TermId> {
        ids.iter().map(|id| self.term(*id)).collect()
    }
    fn op(&mut self, op: Op) -> Op {
        Import::new(self.source).op(self.target, op)
    }
    /// The name of a variable of a quantifier, or of an introduced one.
    fn var(&mut self, height: &str, at: usize, var: SymbolId) -> SymbolId {
        let sort = Import::new(self.source).sort(self.target, self.source.symbol(var).result);
        let role = SymbolRole::VariableAt { base: "".into(), place: format!("{height}.{at}").into() };
        let name = self.target.declare(role, [], sort);
        self.note(name, None);
        name
    }
    fn symbol(&mut self, id: SymbolId) -> SymbolId {
        let bound = |around: &Around| around.vars.iter().find(|(var, _)| *var == id).map(|(_, name)| *name);
        if let Some(name) = self.around.iter().rev().chain([&self.known.free]).find_map(bound) {
            return name;
        }
        if let Some(&done) = self.known.symbols.get(&id) {
            return done;
        }
        let symbol = self.source.symbol(id);
        let mut import = Import::new(self.source);
        let params: Vec<_> = symbol.params.iter().map(|sort| import.sort(self.target, *sort)).collect();
        let result = import.sort(self.target, symbol.result);
        let copy = self.target.declare(symbol.role.clone(), params, result);
        self.known.symbols.insert(id, copy);
        self.note(copy, Some(id));
        copy
    }
    /// Sees that different symbols have different copies.
    fn note(&mut self, copy: SymbolId, of: Option<SymbolId>) {
        let known = &mut *self.known;
        known.is_confused |= *known.copies.entry(copy).or_insert(of) != of;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::role::FreshRole;
    use crate::scope::Scope;
    use crate::term::Symbol;
    use std::sync::Arc;

    /// Builds quantified statements about uninterpreted functions.
    struct Builder(Terms);

    impl Builder {
        /// A store in which so many variables were made before.
        fn after(count: usize) -> Self {
            let mut terms = Terms::new();
            let int = terms.int_sort();
            (0..count).for_each(|_| {
                terms.fresh_variable("x", int);
            });
            Builder(terms)
        }
        fn var(&mut self, name: &str) -> SymbolId {
            let int = self.0.int_sort();
            self.0.fresh_variable(name, int)
        }
        fn holds(&mut self, function: &str, vars: &[SymbolId]) -> TermId {
            let (int, bool) = (self.0.int_sort(), self.0.bool_sort());
            let args: Vec<_> = vars.iter().map(|var| self.0.constant(*var)).collect();
            let role = SymbolRole::Uninterpreted(function.into());
            let function = self.0.declare(role, vec![int; vars.len()], bool);
            self.0.app(function, args)
        }
        fn forall(&mut self, vars: &[SymbolId], body: TermId) -> TermId {
            self.0.forall(vars, Vec::new(), body, QuantifierRole::Written(format!("{vars:?}").into()))
        }
    }

    #[test]
    fn names_and_numbers_of_quantified_variables_do_not_matter() {
        let mut shared = Terms::new();
        let copies = [("x", "y", 0), ("y", "x", 0), ("x", "x", 3)].map(|(outer, inner, before)| {
            let mut terms = Builder::after(before);
            let [x, y] = [outer, inner].map(|name| terms.var(name));
            let less = terms.holds("less", &[x, y]);
            let all = terms.forall(&[y], less);
            let all = terms.forall(&[x], all);
            Identified::default().term(&terms.0, &mut shared, all)
        });
        assert!(copies[0].is_some() && copies.iter().all(|copy| *copy == copies[0]));
    }

    #[test]
    fn which_quantifier_binds_a_variable_matters() {
        let mut shared = Terms::new();
        let mut terms = Builder::after(0);
        let [x, y] = ["x", "y"].map(|name| terms.var(name));
        let less = [[x, y], [y, x], [x, x], [y, y]].map(|args| terms.holds("less", &args));
        let mut all: Vec<TermId> = less.to_vec();
        for body in less {
            let inner = terms.forall(&[y], body);
            all.extend([inner, terms.forall(&[x], inner), terms.forall(&[x, y], body)]);
        }
        all.sort();
        all.dedup();
        let mut identified = Identified::default();
        let mut copies: Vec<_> = all.iter().map(|term| identified.term(&terms.0, &mut shared, *term)).collect();
        copies.sort();
        copies.dedup();
        // Only `∀x. less(x, x)` and `∀y. less(y, y)` are the same.
        assert_eq!(copies.len() + 1, all.len());
        assert!(copies[0].is_some());
    }

    /// A body may occur under quantifiers of different heights, and outside of them.
    #[test]
    fn a_variable_can_be_bound_twice() {
        let mut shared = Terms::new();
        let mut terms = Builder::after(0);
        let [x, y] = ["x", "y"].map(|name| terms.var(name));
        let (free, less) = (terms.holds("positive", &[x]), terms.holds("less", &[x, y]));
        let simple = terms.forall(&[x], free);
        let inner = terms.forall(&[y], less);
        let body = terms.0.and([free, inner, simple]);
        let nested = terms.forall(&[x], body);
        let mut together = Identified::default();
        for term in [nested, free, simple, inner] {
            let apart = Identified::default().term(&terms.0, &mut shared, term);
            assert!(apart.is_some() && together.term(&terms.0, &mut shared, term) == apart);
        }
        // Renamed apart, it is the same statement.
        let mut other = Builder::after(7);
        let [x, y, z] = ["a", "b", "c"].map(|name| other.var(name));
        let (left, less, right) =
            (other.holds("positive", &[x]), other.holds("less", &[x, y]), other.holds("positive", &[z]));
        let (inner, simple) = (other.forall(&[y], less), other.forall(&[z], right));
        let body = other.0.and([left, inner, simple]);
        let renamed = other.forall(&[x], body);
        let copy = Identified::default().term(&other.0, &mut shared, renamed);
        assert_eq!(copy, together.term(&terms.0, &mut shared, nested));
    }

    #[test]
    fn triggers_matter() {
        let mut shared = Terms::new();
        let mut terms = Builder::after(0);
        let x = terms.var("x");
        let (body, trigger) = (terms.holds("positive", &[x]), terms.holds("seen", &[x]));
        let copies = [body, trigger].map(|trigger| {
            let all = terms.0.forall(&[x], vec![vec![trigger]], body, QuantifierRole::Bound);
            Identified::default().term(&terms.0, &mut shared, all)
        });
        assert!(copies[0].is_some() && copies[0] != copies[1]);
    }

    /// However a variable is called, and whichever were made before.
    #[test]
    fn introduced_variables_are_named_by_their_order() {
        let mut shared = Terms::new();
        let copies = [("x", "y", 0), ("y", "x", 2)].map(|(first, second, before)| {
            let mut terms = Builder::after(before);
            let [x, y] = [first, second].map(|name| terms.var(name));
            let (positive, less) = (terms.holds("positive", &[x]), terms.holds("less", &[y, x]));
            let mut identified = Identified::default();
            identified.introduce(&terms.0, &mut shared, positive);
            let known = identified.introduced();
            identified.introduce(&terms.0, &mut shared, less);
            let both = [positive, less].map(|term| identified.term(&terms.0, &mut shared, term));
            identified.forget(known);
            let alone = identified.term(&terms.0, &mut shared, less);
            assert!(alone.is_some() && alone != both[1], "the other variable is forgotten");
            both
        });
        assert!(copies[0].iter().all(Option::is_some) && copies[0] == copies[1]);
    }

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
