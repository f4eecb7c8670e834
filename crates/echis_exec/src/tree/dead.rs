//! Paths that no execution takes. They are followed too: an assertion may hold only because it cannot be reached, and
//! then what makes it so is what it depends on.
//!
//! What closes such a path is in the tree but not told to the solver, so that answers below say what holds anyway. Asked
//! is only what decides how the path goes on. Every obligation there counts as proved: it is, by the contradiction, and
//! explanations find out whether it is without. Effort is bounded by counts. A path that is not followed to its end is
//! noted, and explanations must then reckon with it everywhere in the member.

use crate::limits::{DEAD_PATH_QUESTIONS, DEAD_PATH_SHARE, DEAD_PATHS};
use crate::state::{Cx, Mode, State, Step, Stop};
use crate::tree::{Mark, Writer};
use echis_base::{FastSet, SyntaxId};
use echis_proof::{
    Because, Bound, Check, CheckId, NodeId, Origin, Part, Premise, Property, Reason, Role, Rule, Step as TreeStep,
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
        if !self.follows_dead(st) {
            return None;
        }
        self.release(mark);
        let mut dead = st.clone();
        let origin = Origin { clause: source, site: cx.site, part: Part::Guard };
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
            st.parted = Some(Rc::new(st.clone()));
        }
        self.dead.sides += 1;
        if self.dead.is_enough() {
            self.tree.closed.push(st.at);
            return Err(Stop::Infeasible);
        }
        Ok(())
    }
    /// An obligation on such a path.
    pub fn check_dead(&mut self, st: &State, goal: TermId, property: Property, cx: &Cx) -> Step<(CheckId, bool)> {
        if self.dead.is_enough() {
            self.tree.closed.push(st.at);
            return Err(Stop::Infeasible);
        }
        // How the path goes on depends on what is held. What else is demanded is asked when proofs are explained.
        let holds = property.reason == Reason::InsufficientPermission && self.ask(st, goal, Bound::Brief).is_proved();
        let origin = self.tree.origin(cx.origin(Part::Value));
        let premises = self.rested_on().into();
        let check = Check { at: st.at, goal, role: Role::Obligation(property), origin, premises };
        let id = self.note(check);
        if !holds {
            self.dead.vacuous.insert(id);
        }
        Ok((id, true))
    }
    /// After `assert false`: that the path cannot be taken is that assertion's business. What comes later has to hold
    /// even if the path did nothing since it parted from the others. Whoever counts on one of the statements since then
    /// has to reckon with the path, so these rest on its being closed.
    pub fn step_back(&mut self, st: &mut State, property: Property) {
        if let Some(parted) = st.parted.clone()
            && parted.frames.len() == st.frames.len()
            && st.levels.is_empty()
        {
            self.rest_on_closure(st.at, parted.at, property);
            let iterations = st.iterations.clone();
            *st = State { iterations, parted: Some(parted.clone()), ..(*parted).clone() };
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
    /// A side of a case distinction in a proof script cannot be taken, and is not followed.
    pub fn close_side(&mut self, at: NodeId, guard: TermId, source: SyntaxId, mode: Mode) {
        if !mode.is_reporting() {
            return;
        }
        let origin = Origin { clause: source, site: None, part: Part::Guard };
        let step = TreeStep::Dead { fact: guard, because: Because::Written, premises: Box::from([]) };
        let end = self.tree.add(at, step, origin);
        self.tree.closed.push(end);
    }
    /// A statement ended a path in a way that was not foreseen, or in a proof script. If it ended at a fact that cannot
    /// hold, such as `assume false`, that fact is the reason.
    pub fn close_path(&mut self, before: NodeId, id: SyntaxId, mode: Mode) {
        let ended = self.ended.take();
        if !mode.is_reporting() {
            return;
        }
        let fact = self.terms().falsity();
        let mut premises = self.rested_on();
        let ended = ended.filter(|node| self.tree.path(*node).any(|above| above == before));
        let (because, origin) = match ended.map(|node| (node, &self.tree.nodes[node].step)) {
            Some((node, TreeStep::Assume { because, premises: of_fact, .. })) => {
                premises.extend(of_fact.iter().copied());
                (because.clone(), self.tree.origin_of(node))
            }
            _ => (Because::Rule(Rule::Lemma), Origin { clause: id, site: None, part: Part::Value }),
        };
        let step = TreeStep::Dead { fact, because, premises: premises.into() };
        let end = self.tree.add(before, step, origin);
        self.tree.closed.push(end);
    }
}
