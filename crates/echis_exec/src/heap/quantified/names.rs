//! Names for large amounts.

use crate::heap::Memory;
use crate::limits::UNNAMED_AMOUNT;
use crate::state::{Cx, State, Step};
use crate::tree::keys::Keys;
use echis_proof::{NodeId, Part, Rule};
use echis_term::{Made, QuantifierRole, TermId};

impl Memory<'_> {
    /// Prepares an amount over the canonical variables for storing in a chunk: large ones get a name, and amounts
    /// that are not plain case distinctions are stated to be nonnegative.
    pub fn settle_amount(&mut self, st: &mut State, keys: &Keys, perm: TermId, grant: NodeId, cx: &Cx) -> Step<TermId> {
        let plain = super::perms::is_plain(&self.writer.tree.terms, perm);
        if plain && !super::perms::is_larger(&self.writer.tree.terms, perm, UNNAMED_AMOUNT) {
            return Ok(perm);
        }
        let scope = self.writer.tree.terms.scope_of(&st.scope, &[perm]);
        let sort = self.writer.terms().perm_sort();
        let named = self.writer.terms().fresh(&scope, Made::Left, &keys.terms, sort);
        let equal = self.writer.terms().eq(named, perm);
        let zero = self.writer.terms().no_perm();
        let bounded = self.writer.terms().le(zero, named);
        let both = self.writer.terms().and([equal, bounded]);
        let [fact, defined] = [both, equal]
            .map(|body| self.writer.terms().forall(&keys.vars, vec![vec![named]], body, QuantifierRole::Amount));
        let before = st.at;
        self.assume_granted(st, fact, Rule::Definition, grant, Part::Permission, cx)?;
        // That no amount is negative was proved where permission was granted or removed.
        self.writer.label_fact(st, before, defined);
        Ok(named)
    }
}
