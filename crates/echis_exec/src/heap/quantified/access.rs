//! An evaluated quantified access, and its well-definedness: amounts are nonnegative, and no location is covered
//! twice.

use crate::heap::Memory;
use crate::state::{Chunk, Cx, Location, Obligation, State, Step};
use crate::tree::keys::Keys;
use echis_base::SyntaxId;
use echis_proof::{Because, Part, Premise, Reason};
use echis_term::{QuantifierRole, SymbolId, TermId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// `∀ vars. condition ⇒ acc(resource(args), amount)`
pub(crate) struct QuantifiedAccess {
    /// In terms of the variables.
    pub location: Location,
    pub keys: Rc<Keys>,
    pub vars: Vec<SymbolId>,
    pub condition: TermId,
    /// Facts learned about function applications for these variables. They hold for all values; goals mention them
    /// because the solver would not find them by its own triggers.
    pub known: TermId,
    /// Where permission is granted: the condition holds and the amount is positive.
    pub domain: TermId,
    /// The amount as written; `amount` is multiplied by the fraction of the fold or unfold in progress.
    pub written: TermId,
    pub amount: TermId,
    pub wildcard: bool,
    pub triggers: Vec<Vec<TermId>>,
    pub location_id: SyntaxId,
    pub amount_id: SyntaxId,
}

/// Well-definedness of accesses.
impl Memory<'_> {
    /// `∀ vars. condition ⇒ amount >= 0`
    pub fn check_amounts(&mut self, st: &mut State, extent: &QuantifiedAccess, cx: &Cx) -> Step<()> {
        let zero = self.writer.terms().no_perm();
        let fine = self.writer.terms().le(zero, extent.written);
        // Chosen wildcards are already stated to be positive.
        let premise = self.writer.terms().and([extent.condition, extent.known]);
        let goal = self.writer.terms().implies(premise, fine);
        let goal = self.writer.terms().forall(&extent.vars, extent.triggers.clone(), goal, QuantifierRole::Amounts);
        if !self.writer.tree.terms.is_true(goal) {
            self.prove(st, goal, cx.condition(Reason::NegativePermission, extent.amount_id), cx)?;
        }
        Ok(())
    }
    /// Checks that different values of the variables cover different locations. Returns the check.
    pub fn check_injective(
        &mut self,
        st: &mut State,
        extent: &QuantifiedAccess,
        obligation: Obligation,
        cx: &Cx,
    ) -> Step<Option<Premise>> {
        if self.is_direct(extent) {
            return Ok(None);
        }
        if let Some(before) = self.known_injective(st, extent) {
            self.writer.met_before(st, before, obligation.property, cx);
            return Ok(before);
        }
        let chunks: Vec<Chunk> = st.heap.of(extent.location.resource).map(|(_, chunk)| chunk.clone()).collect();
        let seen = self.seen_in(extent.location.resource, &chunks, &extent.location.args);
        let known = self.writer.terms().and([extent.known, seen]);
        let goal = self.injective(extent, known);
        let check = self.prove(st, goal, obligation, cx)?;
        Ok(Some(Premise::Check(check)))
    }
    /// Assumes injectivity where the provider of the permission is responsible for it. Returns the fact.
    pub fn assume_injective(&mut self, st: &mut State, extent: &QuantifiedAccess, cx: &Cx) -> Step<Option<Premise>> {
        if self.is_direct(extent) {
            return Ok(None);
        }
        if let Some(before) = self.known_injective(st, extent) {
            return Ok(before);
        }
        let truth = self.writer.terms().truth();
        let fact = self.injective(extent, truth);
        if self.writer.tree.terms.is_true(fact) {
            return Ok(None);
        }
        self.writer.assume(st, fact, Because::Written, &[], cx.origin(Part::Value))?;
        Ok(Some(Premise::Fact(st.at)))
    }
    /// `∀ xs, ys. known(xs) ∧ known(ys) ∧ domain(xs) ∧ domain(ys) ∧ args(xs) = args(ys) ⇒ xs = ys`
    fn injective(&mut self, extent: &QuantifiedAccess, known: TermId) -> TermId {
        let others: Vec<SymbolId> =
            extent.vars.iter().map(|var| self.writer.tree.terms.renamed_variable(*var)).collect();
        let terms = self.writer.terms();
        let mine: Vec<TermId> = extent.vars.iter().map(|var| terms.constant(*var)).collect();
        let theirs: Vec<TermId> = others.iter().map(|var| terms.constant(*var)).collect();
        let map: BTreeMap<SymbolId, TermId> = extent.vars.iter().copied().zip(theirs.iter().copied()).collect();
        let domain = terms.substitute(extent.domain, &map);
        let args: Vec<TermId> = extent.location.args.iter().map(|arg| terms.substitute(*arg, &map)).collect();
        let same_location = terms.eq_all(&extent.location.args, &args);
        let others_known = terms.substitute(known, &map);
        let premise = terms.and([known, others_known, extent.domain, domain, same_location]);
        let same = terms.eq_all(&mine, &theirs);
        let goal = terms.implies(premise, same);
        let all: Vec<SymbolId> = extent.vars.iter().chain(&others).copied().collect();
        terms.forall(&all, Vec::new(), goal, QuantifierRole::Injective)
    }
    pub fn injectivity(&self, extent: &QuantifiedAccess, cx: &Cx) -> Obligation {
        cx.condition(Reason::NotInjective, extent.location_id)
    }
}
