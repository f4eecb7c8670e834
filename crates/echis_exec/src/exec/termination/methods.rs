//! Termination of calls and loops in methods. A method with a tuple may only call what terminates and enter loops
//! that do; a loop with a tuple must decrease it in each iteration.

use crate::eval::termination::{Callee, EarlierMeasure, MeasureValues, Smaller};
use crate::exec::Executor;
use crate::state::{Mode, State, Step, Store};
use echis_base::SyntaxId;
use echis_program::cfg::Loop;
use echis_program::program::{DecreasesTuple, MethodId, OldState};
use echis_program::reach::Member;
use echis_proof::ErrorKind;
use std::rc::Rc;

impl<'a> Executor<'a> {
    /// The tuple of the method being verified.
    fn method_tuple(&self) -> Option<&'a DecreasesTuple> {
        let program = self.context.program;
        let Member::Method(method) = self.context.member else { return None };
        program.methods[method].decreases.tuple.as_ref()
    }
    /// The method's measures at the start. Parameters never change, so they are evaluated in the old heap.
    fn promised(&self, st: &State) -> Option<EarlierMeasure<'a>> {
        let tuple = self.method_tuple()?;
        let heap = st.old.get(&OldState::Pre)?.clone();
        Some(EarlierMeasure { tuple, then: MeasureValues::In(heap) })
    }

    pub fn check_termination_of_call(
        &mut self,
        st: &mut State,
        method: MethodId,
        store: &Rc<Store>,
        id: SyntaxId,
        mode: Mode,
    ) -> Step<()> {
        let program = self.context.program;
        let (Member::Method(caller), Some(promised)) = (self.context.member, self.promised(st)) else {
            return Ok(());
        };
        let callee = &program.methods[method];
        let same_cycle = program.methods[caller].cycle == callee.cycle;
        let cx = mode.termination(id);
        self.eval.measuring(&cx, |executor, cx| {
            let callee = Callee { decreases: &callee.decreases, id: callee.id, same_cycle, store };
            executor.check_callee(st, &promised, &callee, cx)
        })
    }

    /// Checks that a loop that is entered terminates if the method must.
    pub fn check_termination_of_loop(&mut self, st: &mut State, entered: &Loop, mode: Mode) -> Step<()> {
        let Some(promised) = self.promised(st) else { return Ok(()) };
        let cx = mode.termination(entered.id);
        self.eval.measuring(&cx, |executor, cx| {
            let required = executor.then(st, &promised, cx)?;
            let required = executor.with_guard(st, required, entered.condition, cx)?;
            let obligation = cx.condition(echis_proof::Reason::TerminationConditionFalse, entered.id);
            executor
                .require(st, required, obligation, cx, |executor, st| executor.terminates(st, entered.decreases, cx))
        })
    }

    /// Stores the measures of a loop, once its guard is known to hold.
    pub fn start_iteration(&mut self, st: &mut State, entered: &Loop, mode: Mode) -> Step<()> {
        let Some(tuple) = &entered.decreases.tuple else { return Ok(()) };
        let cx = mode.cx(ErrorKind::Assignment, tuple.id);
        let start = self.eval.measuring(&cx, |executor, cx| executor.measure(st, tuple, cx))?;
        let starts = Rc::make_mut(&mut st.iterations);
        match start {
            Some(start) => starts.insert(entered.id, start),
            None => starts.remove(&entered.id),
        };
        Ok(())
    }

    /// Checks that the tuple decreased, if there is another iteration.
    pub fn finish_iteration(&mut self, st: &mut State, ended: &Loop, mode: Mode) -> Step<()> {
        let Some(tuple) = &ended.decreases.tuple else { return Ok(()) };
        let Some(start) = st.iterations.get(&ended.id).cloned() else { return Ok(()) };
        let cx = mode.termination(tuple.id);
        self.eval.measuring(&cx, |executor, cx| {
            let required = executor.with_guard(st, start.condition, ended.condition, cx)?;
            let before = EarlierMeasure { tuple, then: MeasureValues::Were(start.measures) };
            let now = Smaller { measures: &tuple.measures, store: st.variables.store().clone() };
            executor.check_decrease(st, required, &before, tuple, &now, cx)
        })
    }
}
