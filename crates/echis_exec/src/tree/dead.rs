//! Dead paths, which no execution takes. They are followed too: an assertion may hold only because it is unreachable,
//! and then depends on the facts that make it so.
//!
//! The contradiction that closes such a path is in the tree but not sent to the solver, so that answers below it do
//! not use it. Only questions that decide how the path continues are asked. Every obligation on it counts as proved,
//! by the contradiction; explanations find out whether it also holds without. Effort is bounded by counts. A path
//! that is not followed to its end is recorded, and explanations must then take it into account everywhere in the
//! member.

use crate::limits::{DEAD_PATH_QUESTIONS, DEAD_PATH_SHARE, DEAD_PATHS};
use crate::state::{Claim, Course, Cx, Mode, Obligation, State, Step, Stop};
use crate::tree::{Mark, Writer};
use echis_base::{FastSet, SyntaxId};
use echis_proof::{
    Because, Bound, Check, CheckId, NodeId, Origin, Part, Premise, Property, Role, Rule, Step as TreeStep,
};
use echis_term::TermId;
use std::rc::Rc;

#[derive(Default)]
pub(crate) struct Dead {
    sides: usize,
    /// Number of questions asked on dead paths, and on others.
    asked: usize,
    asked_elsewhere: usize,
    /// Obligations that are only known to hold by the contradiction.
    vacuous: FastSet<CheckId>,
}

/// A path that ended, and the step that ended it.
pub(crate) struct Ending {
    before: NodeId,
    step: TreeStep,
    origin: Origin,
}

/// A position in the list of paths that ended.
#[derive(Clone, Copy)]
pub(crate) struct Ended(usize);

impl Dead {
    pub fn is_vacuous(&self, check: CheckId) -> bool {
        self.vacuous.contains(&check)
    }
    pub fn note_question(&mut self, st: &State) {
        *(if st.is_dead() { &mut self.asked } else { &mut self.asked_elsewhere }) += 1;
    }
    fn is_enough(&self) -> bool {
        self.sides > DEAD_PATHS || self.asked > DEAD_PATH_QUESTIONS + self.asked_elsewhere / DEAD_PATH_SHARE
    }
}

impl Writer<'_> {
    /// Whether infeasible continuations of this path are followed.
    pub fn follows_dead(&self, st: &State) -> bool {
        st.explores
    }
    /// The infeasible side of a case distinction, if it is followed. The proof that excludes it, asked since the
    /// mark, is then no premise of the other side.
    pub fn dead_side(&mut self, st: &State, guard: TermId, source: SyntaxId, mark: Mark, cx: &Cx) -> Option<State> {
        let origin = Origin { clause: source, site: cx.site, part: Part::Guard };
        if !self.follows_dead(st) {
            self.end_side(st.at, guard, origin);
            return None;
        }
        self.release(mark);
        let mut dead = st.clone();
        self.go_on_dead(&mut dead, guard, Because::Written, &[], origin).ok()?;
        Some(dead)
    }
    /// Continues although a fact cannot hold.
    pub fn go_on_dead(
        &mut self,
        st: &mut State,
        fact: TermId,
        because: Because,
        premises: &[Premise],
        origin: Origin,
    ) -> Step<()> {
        if st.is_dead() && self.tree.terms.is_false(fact) {
            // The path is dead already; a second contradiction adds nothing.
            return Ok(());
        }
        st.at = self.tree.add(st.at, TreeStep::Dead { fact, because, premises: premises.into() }, origin);
        if !st.is_dead() {
            st.course = Course::Dead { parted: Rc::new(st.clone()) };
        }
        self.dead.sides += 1;
        if self.dead.is_enough() {
            self.tree.closed.push(st.at);
            return Err(Stop::Infeasible);
        }
        Ok(())
    }
    /// Records an obligation on a dead path.
    pub fn check_dead(&mut self, st: &State, goal: TermId, obligation: Obligation, cx: &Cx) -> Step<(CheckId, bool)> {
        if self.dead.is_enough() {
            self.tree.closed.push(st.at);
            return Err(Stop::Infeasible);
        }
        // How the path continues depends on the permission held. Other goals are asked when proofs are explained.
        let holds = obligation.claim == Claim::Permission && self.ask(st, goal, Bound::Brief).is_proved();
        let origin = self.tree.origin(cx.origin(Part::Value));
        let premises = self.rested_on().into();
        let check = Check { at: st.at, goal, role: Role::Obligation(obligation.property), origin, premises };
        let id = self.note(check);
        if !holds {
            self.dead.vacuous.insert(id);
        }
        Ok((id, true))
    }
    /// After `assert false`, returns to the state where the dead path left the others: that the path is dead concerns
    /// only that assertion, and later obligations must hold even without the statements since. Proofs that use these
    /// statements must take the path into account, so the statements rest on its being closed.
    pub fn step_back(&mut self, st: &mut State, property: Property) {
        if let Course::Dead { parted } = st.course.clone()
            && parted.frames.len() == st.frames.len()
            && st.levels.is_empty()
        {
            self.rest_on_closure(st.at, parted.at, property);
            let iterations = st.iterations.clone();
            *st = State { iterations, course: Course::Dead { parted: parted.clone() }, ..(*parted).clone() };
        }
    }
    fn rest_on_closure(&mut self, at: NodeId, parted: NodeId, property: Property) {
        let nodes = self.tree.path(at).take_while(|node| *node != parted);
        let mut origins: Vec<_> = nodes.map(|node| self.tree.nodes[node].origin).collect();
        origins.sort();
        origins.dedup();
        let goal = self.terms().falsity();
        for origin in origins {
            let check = Check { at, goal, role: Role::Obligation(property), origin, premises: Box::from([]) };
            let id = self.note(check);
            self.dead.vacuous.insert(id);
        }
    }
    /// Ends a path at a fact that cannot hold. What the other cases prove rests on that fact.
    pub(super) fn end_path(
        &mut self,
        before: NodeId,
        fact: NodeId,
        because: Because,
        premises: &[Premise],
        origin: Origin,
    ) {
        self.rest_on(Premise::Fact(fact));
        let step = TreeStep::Dead { fact: self.terms().falsity(), because, premises: premises.into() };
        self.ended.push(Ending { before, step, origin });
    }
    /// Ends an infeasible side of a case distinction that is not followed.
    fn end_side(&mut self, before: NodeId, guard: TermId, origin: Origin) {
        let step = TreeStep::Dead { fact: guard, because: Because::Written, premises: Box::from([]) };
        self.ended.push(Ending { before, step, origin });
    }
    /// The current position in the list of paths that ended.
    pub fn ended(&self) -> Ended {
        Ended(self.ended.len())
    }
    /// Forgets paths that ended during an attempt.
    pub fn forget_ended(&mut self, Ended(since): Ended) {
        self.ended.truncate(since);
    }
    /// Makes everything after a statement of a proof script rest on what ended paths in it. Elsewhere such paths are
    /// followed, or they ended inside an expression whose value rests on it.
    pub fn close_ended(&mut self, Ended(since): Ended, in_script: bool, mode: Mode) {
        let endings = self.ended.split_off(since.min(self.ended.len()));
        for Ending { before, step, origin } in endings.into_iter().filter(|_| in_script && mode.is_reporting()) {
            let end = self.tree.add(before, step, origin);
            self.tree.closed.push(end);
        }
    }
    /// Records that a statement ended a path in an unforeseen way.
    pub fn close_path(&mut self, before: NodeId, id: SyntaxId, mode: Mode) {
        if !mode.is_reporting() {
            return;
        }
        let (fact, premises) = (self.terms().falsity(), self.rested_on().into());
        let step = TreeStep::Dead { fact, because: Because::Rule(Rule::Lemma), premises };
        let end = self.tree.add(before, step, Origin { clause: id, site: None, part: Part::Value });
        self.tree.closed.push(end);
    }
}
