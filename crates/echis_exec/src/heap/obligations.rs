//! Obligations. Before reporting a failure, facts about pairs of chunks are added and the obligation is tried once
//! more.

use crate::heap::Memory;
use crate::state::{Claim, Cx, Obligation, State, Step};
use crate::tree::recover::{Lack, Obliged};
use echis_base::mutation;
use echis_proof::{Bound, Check, CheckId, GaveUp, Part, Premise, Question, Role, Verdict};
use echis_term::TermId;

impl Memory<'_> {
    /// An obligation. If it cannot be proved it is an error, and the path goes on under the assumption that it holds;
    /// without it where it cannot hold, and then the check is [`unmet`](Self::unmet).
    #[track_caller]
    pub fn prove(&mut self, st: &mut State, goal: TermId, obligation: Obligation, cx: &Cx) -> Step<CheckId> {
        let (id, proved) = self.check_obligation(st, goal, obligation, cx)?;
        if !proved {
            self.writer.assume_failed(st, goal, id, cx);
        }
        Ok(id)
    }
    /// An obligation whose failure the caller recovers from. Whether it holds; if not, the error is reported.
    #[track_caller]
    pub fn oblige(&mut self, st: &mut State, goal: TermId, obligation: Obligation, cx: &Cx) -> Step<Obliged> {
        let (id, proved) = self.check_obligation(st, goal, obligation, cx)?;
        if proved {
            self.writer.rest_on(Premise::Check(id));
            return Ok(Obliged::Holds(id));
        }
        Ok(Obliged::Failed(Lack { check: id }))
    }
    /// Before an obligation fails, pairwise facts about the heap are stated and it is tried once more.
    #[track_caller]
    fn check_obligation(
        &mut self,
        st: &mut State,
        goal: TermId,
        obligation: Obligation,
        cx: &Cx,
    ) -> Step<(CheckId, bool)> {
        if cx.mode.is_silent() && obligation.claim != Claim::Permission {
            // A trigger is a term, not a value: only what it reads from the heap must be there.
            let origin = self.writer.tree.origin(cx.origin(Part::Value));
            let (goal, role) = (self.writer.terms().truth(), Role::Probe(Question::Other));
            let check = Check { at: st.at, goal, role, origin, premises: Box::from([]) };
            return Ok((self.writer.record(check, Verdict::Proved), true));
        }
        if st.is_dead() && !cx.mode.is_silent() {
            return self.writer.check_dead(st, goal, obligation, cx);
        }
        let bound = match cx.mode.is_silent() {
            // Triggers are tried, not proved.
            true => Bound::Patient,
            // An error that is known is not worth as much on each path.
            false if self.writer.has_failed(obligation.property) => Bound::Again,
            false => Bound::Full,
        };
        match cx.mode.is_reporting() {
            true => self.writer.obliged(obligation.property),
            false => self.writer.tried(),
        }
        let mut verdict = if mutation::is_removed() { Verdict::Proved } else { self.writer.ask(st, goal, bound) };
        if !verdict.is_proved() && self.consolidate(st, cx)? {
            // Both questions together are one obligation, with one bound.
            let gave_up = verdict == Verdict::Unknown(GaveUp::Resources);
            verdict = self.writer.ask(st, goal, if gave_up { Bound::Again } else { bound });
        }
        let proved = verdict.is_proved();
        if !proved {
            cx.mode.failing.stop()?;
        }
        let part = if obligation.claim == Claim::Assertion { Part::Value } else { Part::Permission };
        let origin = self.writer.tree.origin(cx.origin(part));
        let premises = self.writer.rested_on().into();
        let id = self
            .writer
            .record(Check { at: st.at, goal, role: Role::Obligation(obligation.property), origin, premises }, verdict);
        if !proved {
            self.writer.fail(st, obligation, Some(id), cx.mode)?;
        }
        Ok((id, proved))
    }
}
