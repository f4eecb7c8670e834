//! Symbols of the engine's own: functions of the canonical variables, and maps.

use super::keys::Keys;
use crate::executor::Executor;
use crate::state::{Cx, State, Step};
use echis_proof::{Because, NodeId, Part, Premise, Rule};
use echis_term::{SortId, SymbolId, SymbolKind, TermId};

/// Above this size the amount of a chunk gets a name.
const LARGE_AMOUNT: usize = 60;

impl Executor<'_> {
    /// Those bound variables in scope that the terms mention.
    pub(super) fn mentioned_binders(&self, st: &State, terms: &[TermId]) -> Vec<SymbolId> {
        let mentions = |var: &SymbolId| terms.iter().any(|term| self.tree.terms.is_free(*var, *term));
        st.binders.iter().copied().filter(mentions).collect()
    }
    /// A symbol that nothing is known about; a function of the bound variables in scope that `about` mentions.
    pub(super) fn fresh_about(&mut self, st: &State, base: &str, sort: SortId, about: &[TermId]) -> TermId {
        let binders = self.mentioned_binders(st, about);
        self.fresh_function(base, &binders, &[], sort)
    }
    /// A new function of the binders and arguments, applied to them.
    pub(super) fn fresh_function(&mut self, base: &str, binders: &[SymbolId], args: &[TermId], sort: SortId) -> TermId {
        let terms = self.terms();
        let mut all: Vec<TermId> = binders.iter().map(|var| terms.constant(*var)).collect();
        all.extend(args);
        let params: Vec<SortId> = all.iter().map(|arg| terms.sort_of(*arg)).collect();
        let symbol = terms.fresh_symbol(base, params, sort, SymbolKind::Function);
        terms.app(symbol, all)
    }
    /// An amount over the canonical variables that stands in a chunk from now on: large ones get a name, and amounts
    /// that are no plain case distinction are stated to be no less than nothing.
    pub(super) fn settle_amount(
        &mut self,
        st: &mut State,
        keys: &Keys,
        perm: TermId,
        grant: NodeId,
        cx: &Cx,
    ) -> Step<TermId> {
        let plain = super::perms::is_plain(&self.tree.terms, perm);
        if plain && !super::perms::is_larger(&self.tree.terms, perm, LARGE_AMOUNT) {
            return Ok(perm);
        }
        let binders = self.mentioned_binders(st, &[perm]);
        let sort = self.terms().perm_sort();
        let named = self.fresh_function("left", &binders, &keys.terms, sort);
        let equal = self.terms().eq(named, perm);
        let zero = self.terms().no_perm();
        let bounded = self.terms().le(zero, named);
        let fact = self.terms().and([equal, bounded]);
        let fact = self.terms().forall(&keys.vars, vec![vec![named]], fact, "amount");
        let origin = cx.origin(Part::Permission);
        self.assume(st, fact, Because::Rule(Rule::Definition), &[Premise::Fact(grant)], origin)?;
        Ok(named)
    }
}
