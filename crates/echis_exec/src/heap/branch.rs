//! Case distinctions: forking a path, and evaluating under a guard without forking.

use crate::heap::Memory;
use crate::state::{Cx, State, StatedPairs, Step, Stop};
use crate::tree::recover::Saved;
use echis_base::SyntaxId;
use echis_proof::{Because, Bound, NodeId, Origin, Part, Premise, Question, Rule, Step as TreeStep};
use echis_term::{Made, Op, Quant, Quantifier, QuantifierRole, SymbolId, TermId, TermKind};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A condition behind which something is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Guard {
    pub holds: TermId,
    /// Whether it is the negation of the written condition.
    pub negated: bool,
    /// Where it is written.
    pub source: SyntaxId,
}

impl Guard {
    pub fn of(holds: TermId, source: SyntaxId) -> Self {
        Guard { holds, negated: false, source }
    }
    pub fn negation(holds: TermId, source: SyntaxId) -> Self {
        Guard { holds, negated: true, source }
    }
}

/// A state as it was when a guard was entered.
pub(crate) struct Guarded {
    guard: TermId,
    before: NodeId,
    heaps: Saved,
    explores: bool,
    stated: StatedPairs,
    learned: Rc<BTreeMap<TermId, TermId>>,
}

impl Memory<'_> {
    /// The reachable sides of a case distinction, the positive one first.
    pub fn fork(&mut self, st: State, condition: TermId, source: SyntaxId, cx: &Cx) -> (Option<State>, Option<State>) {
        let free = &self.writer.tree.terms.term(condition).free;
        let decidable = free.iter().all(|var| self.wands.is_hypothesis(*var));
        let negation = self.writer.tree.terms.not(condition);
        let mark = self.writer.mark();
        if self.writer.tree.terms.is_false(condition)
            || decidable && self.writer.probe(&st, negation, Question::Infeasible, Bound::Quick, cx)
        {
            self.writer.note_excluded(&st, condition, cx);
            let dead = self.writer.dead_side(&st, condition, source, mark, cx);
            return (dead, Some(self.side(st, Guard::negation(negation, source), cx)));
        }
        if self.writer.tree.terms.is_true(condition)
            || decidable && self.writer.probe(&st, condition, Question::Infeasible, Bound::Quick, cx)
        {
            self.writer.note_excluded(&st, negation, cx);
            let dead = self.writer.dead_side(&st, negation, source, mark, cx);
            return (Some(self.side(st, Guard::of(condition, source), cx)), dead);
        }
        let other = self.side(st.clone(), Guard::negation(negation, source), cx);
        (Some(self.side(st, Guard::of(condition, source), cx)), Some(other))
    }
    fn side(&mut self, mut st: State, guard: Guard, cx: &Cx) -> State {
        self.split(&mut st, guard, cx);
        st
    }
    fn split(&mut self, st: &mut State, Guard { holds, negated, source }: Guard, cx: &Cx) {
        let origin = Origin { clause: source, site: cx.site, part: Part::Guard };
        st.at = self.writer.tree.split(st.at, holds, negated, origin);
    }

    /// Enters a guard temporarily.
    pub fn enter_guard(&mut self, st: &mut State, guard: Guard, cx: &Cx) -> Guarded {
        let (before, heaps) = (st.at, Saved::of(st));
        self.split(st, guard, cx);
        let explores = std::mem::replace(&mut st.explores, false);
        Guarded { guard: guard.holds, before, heaps, explores, stated: st.stated.clone(), learned: st.learned.clone() }
    }
    /// Leaves a guard and keeps the facts learned behind it. Returns `None` if the guard cannot hold.
    pub fn leave_guard<T>(&mut self, st: &mut State, guarded: Guarded, result: Step<T>) -> Step<Option<T>> {
        let Guarded { guard, before, heaps, explores, stated, learned } = guarded;
        st.explores = explores;
        // Facts about pairs of chunks are known only behind the guard.
        st.stated = stated;
        let inside = std::mem::replace(&mut st.learned, learned);
        self.learn_under(st, guard, &inside);
        self.writer.guard_recovered(st, &heaps, guard);
        let after = std::mem::replace(&mut st.at, before);
        let result = match result {
            Ok(value) => Some(value),
            Err(Stop::Infeasible) => None,
            Err(stop) => return Err(stop),
        };
        self.lift(st, before, after, &[], &[])?;
        Ok(result)
    }

    /// States at `st` the facts learned between `before` and `after`: behind the guards on the way, and for all
    /// values of those `vars` that they mention.
    pub fn lift(
        &mut self,
        st: &mut State,
        before: NodeId,
        after: NodeId,
        vars: &[SymbolId],
        triggers: &[Vec<TermId>],
    ) -> Step<()> {
        let mut guards: Vec<TermId> = Vec::new();
        for node in self.writer.tree.path_since(before, after) {
            let origin = self.writer.tree.origin_of(node);
            match &self.writer.tree.nodes[node].step {
                TreeStep::Root => {}
                TreeStep::Split { guard, .. } | TreeStep::Dead { fact: guard, .. } => guards.push(*guard),
                TreeStep::Assume { fact, .. } => {
                    let fact = *fact;
                    if self.lift_summary(st, node, fact, vars, origin)? {
                        continue;
                    }
                    let guard = self.writer.tree.terms.and(guards.iter().copied());
                    let lifted = self.writer.tree.terms.implies(guard, fact);
                    let lifted = self.close(lifted, vars, triggers, QuantifierRole::Lifted);
                    let before = st.at;
                    self.writer.assume(st, lifted, Because::Lifted, &[Premise::Fact(node)], origin)?;
                    if !vars.is_empty() && !vars.iter().any(|var| self.writer.tree.terms.is_free(*var, lifted)) {
                        self.mention_application(st, fact, origin);
                    }
                    if let Some(labelled) = self.writer.tree.labelled_facts.get(node).map(|labelled| labelled.term) {
                        let labelled = self.writer.tree.terms.implies(guard, labelled);
                        let labelled = self.close(labelled, vars, triggers, QuantifierRole::Lifted);
                        self.writer.label_fact(st, before, labelled);
                    }
                }
            }
        }
        Ok(())
    }
    /// An application inside a quantifier that does not depend on its variables is like any other. It is stated to
    /// the solver, which does not look for triggers inside quantifiers.
    fn mention_application(&mut self, st: &mut State, fact: TermId, origin: Origin) {
        if let Some(application) = self.writer.application_of(fact) {
            self.writer.define(st, Made::Applied, application, Because::Rule(Rule::Definition), &[], origin);
        }
    }
    /// Quantifies over the `vars` that occur, with the triggers that mention all of them.
    pub fn close(&mut self, term: TermId, vars: &[SymbolId], triggers: &[Vec<TermId>], role: QuantifierRole) -> TermId {
        let occurring: Vec<SymbolId> =
            vars.iter().copied().filter(|var| self.writer.tree.terms.is_free(*var, term)).collect();
        if occurring.is_empty() {
            return term;
        }
        if let Some(joined) = self.join_quantifiers(term, &occurring) {
            return joined;
        }
        let covers = |set: &Vec<TermId>| {
            occurring.iter().all(|var| set.iter().any(|term| self.writer.tree.terms.is_free(*var, *term)))
                && set.iter().all(|term| {
                    vars.iter().all(|var| occurring.contains(var) || !self.writer.tree.terms.is_free(*var, *term))
                })
        };
        let mut usable: Vec<Vec<TermId>> = triggers.iter().filter(|set| covers(set)).cloned().collect();
        let fact = match self.writer.tree.terms.as_op(term) {
            Some((Op::Implies, &[_, fact])) => fact,
            _ => term,
        };
        let mut applications = self.writer.application_triggers(fact);
        applications.retain(|set| self.writer.is_pattern_set(set, &occurring));
        usable.extend(applications);
        self.writer.tree.terms.forall(&occurring, usable, term, role)
    }

    /// Merges a quantifier, possibly behind a guard, with the outer variables if its triggers mention them too: one
    /// quantifier over all of them fires wherever the inner one would.
    fn join_quantifiers(&mut self, term: TermId, outer: &[SymbolId]) -> Option<TermId> {
        let (guard, inner) = match self.writer.tree.terms.as_op(term) {
            Some((Op::Implies, &[guard, inner])) => (guard, inner),
            _ => (self.writer.tree.terms.truth(), term),
        };
        let TermKind::Quant(quant) = self.writer.tree.terms.kind(inner).clone() else { return None };
        let clash = quant.vars.iter().any(|var| outer.contains(var) || self.writer.tree.terms.is_free(*var, guard));
        let covers =
            |set: &[TermId]| outer.iter().all(|var| set.iter().any(|term| self.writer.tree.terms.is_free(*var, *term)));
        let triggers: Vec<Box<[TermId]>> = quant.triggers.iter().filter(|set| covers(set)).cloned().collect();
        if clash || triggers.is_empty() || quant.quantifier != Quantifier::Forall {
            return None;
        }
        let vars = outer.iter().chain(&quant.vars).copied().collect();
        let body = self.writer.tree.terms.implies(guard, quant.body);
        Some(self.writer.tree.terms.quant(Quant { vars, triggers: triggers.into(), body, ..*quant }))
    }

    /// Joins the ends of sub-paths into one path: facts behind their guards, the value by cases. Without ends, the
    /// point is unreachable.
    pub fn join(&mut self, st: &mut State, ends: Vec<(State, TermId)>) -> Step<TermId> {
        let before = st.at;
        let Some((_, last)) = ends.last() else { return Err(Stop::Infeasible) };
        let mut value = *last;
        for (index, (end, term)) in ends.iter().enumerate().rev() {
            let guards = self.writer.guards_between(before, end.at);
            let guard = self.writer.tree.terms.and(guards);
            self.learn_under(st, guard, &end.learned);
            if index + 1 < ends.len() {
                value = self.writer.tree.terms.ite(guard, *term, value);
            }
        }
        for (end, _) in &ends {
            self.lift(st, before, end.at, &[], &[])?;
        }
        Ok(value)
    }
    /// Adds to what is known about a quantifier's body.
    pub fn learn(&mut self, st: &mut State, quant: TermId, known: TermId) {
        if !self.writer.tree.terms.is_true(known) {
            let before = st.learned.get(&quant).copied().unwrap_or_else(|| self.writer.tree.terms.truth());
            let known = self.writer.terms().and([before, known]);
            Rc::make_mut(&mut st.learned).insert(quant, known);
        }
    }
    /// Transfers facts learned about quantifiers in a joined state, behind the guard under which they were learned.
    pub fn learn_under(&mut self, st: &mut State, guard: TermId, learned: &BTreeMap<TermId, TermId>) {
        for (&quant, &known) in learned {
            if st.learned.get(&quant) != Some(&known) {
                let known = self.writer.terms().implies(guard, known);
                self.learn(st, quant, known);
            }
        }
    }
    /// Adds the learned premises to a goal that is a quantifier, or a conjunction or implication that contains one.
    pub fn premised(&mut self, st: &State, goal: TermId) -> TermId {
        if let Some(&known) = st.learned.get(&goal)
            && let TermKind::Quant(quant) = self.writer.tree.terms.kind(goal).clone()
        {
            let body = self.writer.terms().implies(known, quant.body);
            return self.writer.terms().quant(Quant { body, ..*quant });
        }
        match self.writer.tree.terms.as_op(goal) {
            Some((Op::And, parts)) => {
                let parts = parts.to_vec();
                let parts: Vec<TermId> = parts.into_iter().map(|part| self.premised(st, part)).collect();
                self.writer.terms().and(parts)
            }
            Some((Op::Implies, &[left, right])) => {
                let right = self.premised(st, right);
                self.writer.terms().implies(left, right)
            }
            _ => goal,
        }
    }
}
