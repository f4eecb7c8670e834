//! The single interface for permission: everything that demands it, uses it or states a fact about it goes through
//! here.
//!
//! For explanations, each proposition about chunks has a second form with the amount of each chunk behind the label
//! of its grant, so that a proof tells which chunks it needs. Without it, a use of chunks depends on all of them.
//! Propositions are therefore functions of chunks.

use crate::heap::Memory;
use crate::state::{Chunk, Cx, Obligation, State, Step};
use crate::tree::Found;
use crate::tree::recover::Obliged;
use echis_proof::{Because, Bound, NodeId, Part, Premise, Question, Rule};
use echis_term::{Made, TermId};

/// Demands.
impl Memory<'_> {
    /// Proves a demand on the chunks together. The caller recovers if it fails.
    #[track_caller]
    pub fn hold(
        &mut self,
        st: &mut State,
        chunks: &[Chunk],
        obligation: Obligation,
        cx: &Cx,
        demand: impl Fn(&mut Self, &[Chunk]) -> TermId,
    ) -> Step<Obliged> {
        self.writer.use_together(chunks, cx);
        let goal = demand(self, chunks);
        let obliged = self.oblige(st, goal, obligation, cx)?;
        if let Some(labelled) = self.writer.labelled_chunks(chunks, cx) {
            let labelled = demand(self, &labelled);
            self.writer.label_check(obliged.check(), labelled);
        }
        Ok(obliged)
    }
    /// Whether the chunks together satisfy a demand, as far as a probe tells; if so, they count as used.
    #[track_caller]
    pub fn seem_to_hold(
        &mut self,
        st: &State,
        chunks: &[Chunk],
        cx: &Cx,
        demand: impl Fn(&mut Self, &[Chunk]) -> TermId,
    ) -> bool {
        let goal = demand(self, chunks);
        let Some(found) = self.writer.find_out(st, goal, Question::Other, Bound::Quick, cx) else { return false };
        match (found, self.writer.labelled_chunks(chunks, cx)) {
            (Found::Checked(check), Some(labelled)) => {
                let labelled = demand(self, &labelled);
                self.writer.label_check(check, labelled);
            }
            _ => self.writer.use_grants(chunks),
        }
        true
    }
}

/// Facts.
impl Memory<'_> {
    /// States an upper bound on what the chunks hold together.
    pub fn state_bound(
        &mut self,
        st: &mut State,
        chunks: &[Chunk],
        cx: &Cx,
        bound: impl Fn(&mut Self, &[Chunk]) -> TermId,
    ) -> Step<()> {
        let fact = bound(self, chunks);
        let before = st.at;
        self.assume_of(st, fact, Rule::PermissionBound, chunks, Part::Permission, cx)?;
        if let Some(labelled) = self.writer.labelled_chunks(chunks, cx) {
            let labelled = bound(self, &labelled);
            self.writer.label_fact(st, before, labelled);
        }
        Ok(())
    }
    /// Assumes a fact of the engine's own that rests on the grants of chunks.
    pub fn assume_of<'c>(
        &mut self,
        st: &mut State,
        fact: TermId,
        rule: Rule,
        chunks: impl IntoIterator<Item = &'c Chunk>,
        part: Part,
        cx: &Cx,
    ) -> Step<()> {
        let premises: Vec<Premise> = chunks.into_iter().map(|chunk| Premise::Fact(chunk.grant)).collect();
        self.writer.assume(st, fact, Because::Rule(rule), &premises, cx.origin(part))
    }
    /// Assumes a proposition about permission being granted.
    pub fn assume_granted(
        &mut self,
        st: &mut State,
        fact: TermId,
        rule: Rule,
        grant: NodeId,
        part: Part,
        cx: &Cx,
    ) -> Step<()> {
        self.writer.assume(st, fact, Because::Rule(rule), &[Premise::Fact(grant)], cx.origin(part))
    }
    /// Names an amount, unless it is a literal.
    pub fn named_amount(&mut self, st: &mut State, role: Made, amount: TermId, grant: NodeId, cx: &Cx) -> TermId {
        if self.writer.tree.terms.as_perm(amount).is_some() {
            return amount;
        }
        let origin = cx.origin(Part::Permission);
        self.writer.define(st, role, amount, Because::Rule(Rule::Definition), &[Premise::Fact(grant)], origin)
    }
}
