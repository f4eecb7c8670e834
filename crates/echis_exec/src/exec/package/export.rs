//! The facts that a package leaves behind: the wand's map, defined for every left side to which the wand is applied,
//! and notes on its footprint for readers of the tree.

use super::footprint::{Footprint, Leaf};
use crate::exec::Executor;
use crate::state::{Cx, Resource, Shape, State, Step};
use echis_base::SyntaxId;
use echis_proof::{Because, NodeId, Origin, Part, Premise, Rule, Step as TreeStep};
use echis_term::{Op, QuantifierRole, SortId, SymbolId, SymbolRole, TermId, WandNote};
use std::collections::BTreeSet;

/// The map of a wand, and the variable for the snapshot of its left side.
#[derive(Clone, Copy)]
pub(crate) struct LeftSide {
    pub map: TermId,
    pub hypothesis: SymbolId,
}

impl Executor<'_> {
    /// Exports the learned facts, for left sides to which the wand is applied.
    pub fn export(&mut self, st: &mut State, before: NodeId, leaves: &[Leaf], left: LeftSide, cx: &Cx) -> Step<()> {
        let snapshot = self.eval.memory.writer.terms().constant(left.hypothesis);
        let applied = self.eval.applied_mark(left.map, snapshot);
        let result = self.eval.memory.writer.terms().op(Op::ApplyWand, [left.map, snapshot]);
        let mut seen = BTreeSet::new();
        for leaf in leaves {
            let mut guards = vec![applied];
            for node in self.eval.memory.writer.tree.path_since(before, leaf.st.at) {
                match &self.eval.memory.writer.tree.nodes[node].step {
                    TreeStep::Split { guard, .. } => guards.push(*guard),
                    TreeStep::Assume { because, .. } if seen.insert(node) && is_kept(because) => {
                        let guard = self.eval.memory.writer.terms().and(guards.iter().copied());
                        self.export_fact(st, node, guard, left, cx)?;
                    }
                    _ => {}
                }
            }
            let guard = self.eval.memory.writer.terms().and(guards);
            let equal = self.eval.memory.writer.terms().eq(result, leaf.snapshot);
            let fact = self.whenever_applied(left, guard, equal);
            self.eval.memory.writer.assume(
                st,
                fact,
                Because::Rule(Rule::Wand),
                &leaf.premises,
                cx.origin(Part::Definition),
            )?;
        }
        Ok(())
    }
    fn export_fact(&mut self, st: &mut State, node: NodeId, guard: TermId, left: LeftSide, cx: &Cx) -> Step<()> {
        let TreeStep::Assume { fact, because, premises } = self.eval.memory.writer.tree.nodes[node].step.clone() else {
            return Ok(());
        };
        let origin = self.eval.memory.writer.tree.origin_of(node);
        if because == Because::Rule(Rule::Inverse)
            && !self.eval.memory.writer.tree.terms.is_free(left.hypothesis, fact)
            && self.eval.memory.inverse_holds(st, &premises, cx)
        {
            // Amounts in the footprint may mention these functions, so their definitions are stated here too.
            return self.eval.memory.writer.assume(st, fact, because, &premises, origin);
        }
        let fact = self.whenever_applied(left, guard, fact);
        self.eval.memory.writer.assume(st, fact, Because::Lifted, &[Premise::Fact(node)], origin)
    }
    /// `∀ left {applied(map, left)}: guard ⇒ fact`
    fn whenever_applied(&mut self, left: LeftSide, guard: TermId, fact: TermId) -> TermId {
        let snapshot = self.eval.memory.writer.terms().constant(left.hypothesis);
        let applied = self.eval.applied_mark(left.map, snapshot);
        let fact = self.eval.memory.writer.terms().implies(guard, fact);
        self.eval.memory.writer.terms().forall(&[left.hypothesis], vec![vec![applied]], fact, QuantifierRole::Wand)
    }

    /// Records what was taken (`wand%takes`); which values of the left side are fixed, because they equal a known
    /// value (`wand%fixed`) or because all left sides agree on them (`wand%agreed`); and which are not (`wand%open`).
    /// These propositions occur in no other facts.
    pub fn note_footprint(
        &mut self,
        st: &mut State,
        start: &State,
        footprint: &Footprint,
        left: LeftSide,
        cx: &Cx,
    ) -> Step<()> {
        for (level, amounts) in start.levels.iter().zip(&footprint.amounts) {
            for (chunk, &amount) in level.heap.chunks.iter().zip(amounts) {
                if self.eval.memory.writer.tree.terms.is_zero(amount) {
                    continue;
                }
                let note = match &chunk.shape {
                    Shape::Single(args) => self.note_taken_at(chunk.resource, left.map, args, amount),
                    Shape::Many(_) => {
                        let keys = self.eval.memory.writer.known_keys(chunk.resource);
                        let note = self.note_taken_at(chunk.resource, left.map, &keys.terms, amount);
                        let about: Vec<TermId> = [left.map].into_iter().chain(keys.terms.iter().copied()).collect();
                        let many = self.note_on(WandNote::Many, chunk.resource, &about);
                        let note = self.eval.memory.writer.terms().implies(many, note);
                        self.eval.memory.writer.terms().forall(
                            &keys.vars,
                            vec![vec![many]],
                            note,
                            QuantifierRole::Footprint,
                        )
                    }
                };
                self.eval.memory.assume_of(st, note, Rule::Wand, [chunk], Part::Permission, cx)?;
            }
        }
        for fixed in &footprint.fixed {
            let kind = if fixed.agreed { WandNote::Agreed } else { WandNote::Fixed };
            self.note_condition(st, kind, fixed.source, &[fixed.value, fixed.now], left, cx)?;
        }
        for (source, value) in &footprint.open {
            self.note_condition(st, WandNote::Open, *source, &[*value], left, cx)?;
        }
        Ok(())
    }
    fn note_taken_at(&mut self, resource: Resource, map: TermId, args: &[TermId], amount: TermId) -> TermId {
        let about: Vec<TermId> = [map].into_iter().chain(args.iter().copied()).chain([amount]).collect();
        self.note_on(WandNote::Takes, resource, &about)
    }
    /// Records a condition or amount of the left side, and its current value if known.
    fn note_condition(
        &mut self,
        st: &mut State,
        kind: WandNote,
        source: Option<SyntaxId>,
        values: &[TermId],
        left: LeftSide,
        cx: &Cx,
    ) -> Step<()> {
        let closed = |var: &SymbolId| *var == left.hypothesis || st.scope.contains(*var);
        if !values.iter().all(|value| self.eval.memory.writer.tree.terms.term(*value).free.iter().all(closed)) {
            return Ok(());
        }
        let sort = self.eval.memory.writer.tree.terms.sort_of(values[0]);
        let sort = self.eval.memory.writer.tree.terms.sort_text(sort).into();
        let about: Vec<TermId> = [left.map].into_iter().chain(values.iter().copied()).collect();
        let note = self.note(SymbolRole::WandNote(kind, sort), &about);
        let truth = self.eval.memory.writer.terms().truth();
        let note = self.whenever_applied(left, truth, note);
        let origin = Origin { clause: source.unwrap_or(cx.clause), site: cx.site, part: Part::Guard };
        self.eval.memory.writer.assume(st, note, Because::Rule(Rule::Wand), &[], origin)
    }
    fn note_on(&mut self, kind: WandNote, resource: Resource, about: &[TermId]) -> TermId {
        let role = SymbolRole::WandNote(kind, self.context.resource_name(resource).into());
        self.note(role, about)
    }
    fn note(&mut self, role: SymbolRole, about: &[TermId]) -> TermId {
        let params: Vec<SortId> = about.iter().map(|term| self.eval.memory.writer.tree.terms.sort_of(*term)).collect();
        let bool_sort = self.eval.memory.writer.terms().bool_sort();
        let symbol = self.eval.memory.writer.terms().declare(role, params, bool_sort);
        self.eval.memory.writer.terms().app(symbol, about)
    }
}

/// Whether a fact may matter where the wand is applied. Permission bounds are stated there anyway.
fn is_kept(because: &Because) -> bool {
    !matches!(because, Because::Rule(Rule::PermissionBound))
}
