//! Paths that no execution takes. They are followed too: an assertion may hold only because it cannot be reached, and
//! then what makes it so is what it depends on.
//!
//! What closes such a path is in the tree but not told to the solver, so that answers below say what holds anyway. Asked
//! is only what decides how the path goes on. Every obligation there counts as proved: it is, by the contradiction, and
//! explanations find out whether it is without. Effort is bounded by counts. A path that is not followed to its end is
//! noted, and explanations must then reckon with it everywhere in the member.

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
    /// Questions on these paths, and on others.
    asked: usize,
    asked_elsewhere: usize,
    /// Obligations of which only the contradiction is known to show them.
    vacuous: FastSet<CheckId>,
}

/// A path that ended, and the step that ended it.
pub(crate) struct Ending {
    before: NodeId,
    step: TreeStep,
    origin: Origin,
}

/// A point in the list of paths that ended.
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
    /// Whether a path from here is followed where it cannot be taken.
    pub fn follows_dead(&self, st: &State) -> bool {
        st.explores
    }
    /// The side of a case distinction that cannot be taken, if it is followed. Then what excludes it, asked since the
    /// mark, is no premise of what comes on the other side.
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
    /// Goes on although a fact cannot hold.
    pub fn go_on_dead(
        &mut self,
        st: &mut State,
        fact: TermId,
        because: Because,
        premises: &[Premise],
        origin: Origin,
    ) -> Step<()> {
        if st.is_dead() && self.tree.terms.is_false(fact) {
            // The path is closed already; there is nothing to learn from its being closed twice.
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
    /// An obligation on such a path.
    pub fn check_dead(&mut self, st: &State, goal: TermId, obligation: Obligation, cx: &Cx) -> Step<(CheckId, bool)> {
        if self.dead.is_enough() {
            self.tree.closed.push(st.at);
            return Err(Stop::Infeasible);
        }
        // How the path goes on depends on what is held. What else is demanded is asked when proofs are explained.
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
    /// After `assert false`: that the path cannot be taken is that assertion's business. What comes later has to hold
    /// even if the path did nothing since it parted from the others. A proof that counts on one of the statements since then
    /// has to reckon with the path, so these rest on its being closed.
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
    /// A path ends at a fact that cannot hold. What its other cases show rests on that fact.
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
    /// A side of a case distinction cannot be taken, and is not followed.
    fn end_side(&mut self, before: NodeId, guard: TermId, origin: Origin) {
        let step = TreeStep::Dead { fact: guard, because: Because::Written, premises: Box::from([]) };
        self.ended.push(Ending { before, step, origin });
    }
    /// A point in the list of paths that ended.
    pub fn ended(&self) -> Ended {
        Ended(self.ended.len())
    }
    /// Forgets paths that ended in something that was only tried.
    pub fn forget_ended(&mut self, Ended(since): Ended) {
        self.ended.truncate(since);
    }
    /// Whatever comes after a statement of a proof script rests on what ended paths in it. Elsewhere such paths are
    /// followed, or ended inside of an expression whose value rests on that.
    pub fn close_ended(&mut self, Ended(since): Ended, in_script: bool, mode: Mode) {
        let endings = self.ended.split_off(since.min(self.ended.len()));
        for Ending { before, step, origin } in endings.into_iter().filter(|_| in_script && mode.is_reporting()) {
            let end = self.tree.add(before, step, origin);
            self.tree.closed.push(end);
        }
    }
    /// A statement ended a path in a way that was not foreseen.
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
