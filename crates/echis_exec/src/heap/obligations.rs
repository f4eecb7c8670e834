//! Obligations. Before a failure is reported, facts about pairs of chunks are added and the obligation is tried once
//! more.

use crate::heap::Memory;
use crate::state::{Claim, Cx, Obligation, State, Step};
use crate::tree::recover::{Lack, Obliged};
use echis_base::mutation;
use echis_proof::{Bound, Check, CheckId, GaveUp, Part, Premise, Question, Role, Verdict};
use echis_term::TermId;

impl Memory<'_> {
    /// Proves an obligation. If it fails, it is an error, and the path continues under the assumption that it holds;
    /// if it cannot hold, the path continues without it, and the check is [`unmet`](Self::unmet).
    #[track_caller]
    pub fn prove(&mut self, st: &mut State, goal: TermId, obligation: Obligation, cx: &Cx) -> Step<CheckId> {
        let (id, proved) = self.check_obligation(st, goal, obligation, cx)?;
        if !proved {
            self.writer.assume_failed(st, goal, id, cx);
        }
        Ok(id)
    }
    /// Proves an obligation whose failure the caller recovers from. Returns whether it holds; if not, the error is
    /// reported.
    #[track_caller]
    pub fn oblige(&mut self, st: &mut State, goal: TermId, obligation: Obligation, cx: &Cx) -> Step<Obliged> {
        let (id, proved) = self.check_obligation(st, goal, obligation, cx)?;
        if proved {
            self.writer.rest_on(Premise::Check(id));
            return Ok(Obliged::Holds(id));
        }
        Ok(Obliged::Failed(Lack { check: id }))
    }
    /// Checks an obligation, trying again with pairwise facts about the heap before it fails.
    #[track_caller]
    fn check_obligation(
        &mut self,
        st: &mut State,
        goal: TermId,
        obligation: Obligation,
        cx: &Cx,
    ) -> Step<(CheckId, bool)> {
        if cx.mode.is_silent() && obligation.claim != Claim::Permission {
            // A trigger is a term, not a value: only the permission to read its heap locations is needed.
            let origin = self.writer.tree.origin(cx.origin(Part::Value));
            let (goal, role) = (self.writer.terms().truth(), Role::Probe(Question::Other));
            let check = Check { at: st.at, goal, role, origin, premises: Box::from([]) };
            return Ok((self.writer.record(check, Verdict::Proved), true));
        }
        if st.is_dead() && !cx.mode.is_silent() {
            return self.writer.check_dead(st, goal, obligation, cx);
        }
        let bound = match cx.mode.is_silent() {
            // Triggers are attempted, not proved.
            true => Bound::Patient,
            // A known error is not worth the full effort again on each path.
            false if self.writer.has_failed(obligation.property) => Bound::Again,
            false => Bound::Full,
        };
        match cx.mode.is_reporting() {
            true => self.writer.obliged(obligation.property),
            false => self.writer.tried(),
        }
        let is_known = bound == Bound::Again && !self.context.options.recovers;
        let mut verdict = match is_known {
            true => Verdict::Unknown(GaveUp::Incomplete),
            false if mutation::is_removed() => Verdict::Proved,
            false => self.writer.ask(st, goal, bound),
        };
        if !verdict.is_proved() && !is_known && self.consolidate(st, cx)? {
            // Both questions are one obligation and share its bound.
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
