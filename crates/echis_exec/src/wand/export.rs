//! What a package leaves behind in the proof: the wand's map, defined for every left side to which the wand is applied,
//! and notes on its footprint for whoever reads the tree.

use super::footprint::{Footprint, Leaf};
use crate::executor::Executor;
use crate::state::{Cx, Shape, State, Step};
use echis_proof::{Because, NodeId, Origin, Part, Premise, Rule, Step as TreeStep};
use echis_term::{Op, SortId, SymbolId, SymbolKind, TermId};
use std::collections::BTreeSet;

/// The map of a wand, and the variable for the snapshot of its left side.
#[derive(Clone, Copy)]
pub(super) struct LeftSide {
    pub map: TermId,
    pub hypothesis: SymbolId,
}

impl Executor<'_> {
    /// States what was learned, for left sides to which the wand is applied.
    pub(super) fn export(
        &mut self,
        st: &mut State,
        before: NodeId,
        leaves: &[Leaf],
        left: LeftSide,
        cx: &Cx,
    ) -> Step<()> {
        let snapshot = self.terms().constant(left.hypothesis);
        let applied = self.applied_mark(left.map, snapshot);
        let result = self.terms().op(Op::ApplyWand, [left.map, snapshot]);
        let mut seen = BTreeSet::new();
        for leaf in leaves {
            let mut guards = vec![applied];
            for node in self.tree.path_since(before, leaf.st.at) {
                match self.tree.nodes[node].step.clone() {
                    TreeStep::Split { guard, .. } => guards.push(guard),
                    TreeStep::Assume { fact, because, premises } if seen.insert(node) && is_kept(&because) => {
                        let guard = self.terms().and(guards.iter().copied());
                        self.export_fact(st, node, (fact, because), &premises, guard, left, cx)?;
                    }
                    _ => {}
                }
            }
            let guard = self.terms().and(guards);
            let equal = self.terms().eq(result, leaf.snapshot);
            let fact = self.whenever_applied(left, guard, equal);
            self.assume(st, fact, Because::Rule(Rule::Wand), &leaf.premises, cx.origin(Part::Definition))?;
        }
        Ok(())
    }
    #[allow(clippy::too_many_arguments)]
    fn export_fact(
        &mut self,
        st: &mut State,
        node: NodeId,
        (fact, because): (TermId, Because),
        premises: &[Premise],
        guard: TermId,
        left: LeftSide,
        cx: &Cx,
    ) -> Step<()> {
        let origin = self.tree.origin_of(node);
        if because == Because::Rule(Rule::Inverse)
            && !self.tree.terms.is_free(left.hypothesis, fact)
            && self.inverse_holds(st, premises, cx)
        {
            // Amounts of the footprint may speak of these functions, so their meaning is stated here too.
            return self.assume(st, fact, because, premises, origin);
        }
        let fact = self.whenever_applied(left, guard, fact);
        self.assume(st, fact, Because::Lifted, &[Premise::Fact(node)], origin)
    }
    /// `∀ left {applied(map, left)}: guard ⇒ fact`
    fn whenever_applied(&mut self, left: LeftSide, guard: TermId, fact: TermId) -> TermId {
        let snapshot = self.terms().constant(left.hypothesis);
        let applied = self.applied_mark(left.map, snapshot);
        let fact = self.terms().implies(guard, fact);
        self.terms().forall(&[left.hypothesis], vec![vec![applied]], fact, "wand")
    }

    /// Notes what was taken and which values of the left side were found to be fixed. The notes are propositions about
    /// nothing else.
    pub(super) fn note_footprint(
        &mut self,
        st: &mut State,
        start: &State,
        footprint: &Footprint,
        left: LeftSide,
        cx: &Cx,
    ) -> Step<()> {
        for (level, amounts) in start.levels.iter().zip(&footprint.amounts) {
            for (chunk, &amount) in level.heap.chunks.iter().zip(amounts) {
                // An amount of many locations is a function, which the facts about what is left tell.
                if !self.tree.terms.is_zero(amount)
                    && let Shape::Single(args) = &chunk.shape
                {
                    let name = format!("wand%takes.{}", self.resource_name(chunk.resource));
                    let about: Vec<TermId> =
                        [left.map].into_iter().chain(args.iter().copied()).chain([amount]).collect();
                    let note = self.note(name, &about);
                    let origin = cx.origin(Part::Permission);
                    self.assume(st, note, Because::Rule(Rule::Wand), &[Premise::Fact(chunk.grant)], origin)?;
                }
            }
        }
        for fixed in &footprint.fixed {
            let closed = |var: &SymbolId| *var == left.hypothesis || st.binders.contains(var);
            let terms = &self.tree.terms;
            if !terms.term(fixed.value).free.iter().chain(terms.term(fixed.now).free.iter()).all(closed) {
                continue;
            }
            let sort = self.tree.terms.sort_of(fixed.value);
            let name = format!("wand%fixed.{}", self.tree.terms.sort_text(sort));
            let note = self.note(name, &[left.map, fixed.value, fixed.now]);
            let truth = self.terms().truth();
            let note = self.whenever_applied(left, truth, note);
            let clause = fixed.source.unwrap_or(cx.clause);
            let origin = Origin { clause, site: cx.site, part: Part::Guard };
            self.assume(st, note, Because::Rule(Rule::Wand), &[], origin)?;
        }
        Ok(())
    }
    fn note(&mut self, name: String, about: &[TermId]) -> TermId {
        let params: Vec<SortId> = about.iter().map(|term| self.tree.terms.sort_of(*term)).collect();
        let bool_sort = self.terms().bool_sort();
        let symbol = self.named_symbol(name, params, bool_sort, SymbolKind::Function);
        self.terms().app(symbol, about)
    }
}

/// Whether a fact may matter where the wand is applied. Bounds of permissions are stated there anyway.
fn is_kept(because: &Because) -> bool {
    !matches!(because, Because::Rule(Rule::PermissionBound))
}
