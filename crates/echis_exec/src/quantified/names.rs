//! Names for large amounts.

use super::keys::Keys;
use crate::executor::Executor;
use crate::state::{Cx, State, Step};
use echis_proof::{Because, NodeId, Part, Premise, Rule};
use echis_term::TermId;

/// Above this size the amount of a chunk gets a name.
const LARGE_AMOUNT: usize = 60;

impl Executor<'_> {
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
        let scope = st.scope.determined_by(&self.tree.terms, &[perm]);
        let sort = self.terms().perm_sort();
        let named = self.terms().fresh(&scope, "left", &keys.terms, sort);
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
