//! Calls and loops. A method with a tuple may only call what terminates, and enter loops that do; a loop with a tuple
//! has to make it smaller in each iteration.

use super::{Bigger, Smaller, Store, Then};
use crate::cfg::Loop;
use crate::executor::Executor;
use crate::reach::Member;
use crate::state::{Cx, State, Step};
use echis_base::SyntaxId;
use echis_program::program::{DecreasesTuple, ExprId, MethodId, OldState};
use echis_proof::ErrorKind;
use echis_term::TermId;
use std::rc::Rc;

/// The measures of a loop at the start of an iteration, where the tuple's condition holds.
#[derive(Clone)]
pub(crate) struct Start {
    condition: TermId,
    measures: Rc<[TermId]>,
}

impl<'a> Executor<'a> {
    /// The tuple of the method that is being verified.
    fn method_tuple(&self) -> Option<&'a DecreasesTuple> {
        let program = self.program;
        let Member::Method(method) = self.member else { return None };
        program.methods[method].decreases.tuple.as_ref()
    }
    /// Parameters never change, so the measures at the start are those of the old heap.
    fn promised(&self, st: &State) -> Option<Bigger<'a>> {
        let tuple = self.method_tuple()?;
        let heap = st.old.get(&OldState::Pre)?.clone();
        Some(Bigger { tuple, then: Then::In(heap) })
    }

    pub fn check_termination_of_call(
        &mut self,
        st: &mut State,
        method: MethodId,
        store: &Store,
        id: SyntaxId,
    ) -> Step<()> {
        let program = self.program;
        let (Member::Method(caller), Some(promised)) = (self.member, self.promised(st)) else { return Ok(()) };
        let callee = &program.methods[method];
        let same_cycle = program.methods[caller].cycle == callee.cycle;
        let cx = Cx::new(ErrorKind::Termination, id);
        self.measuring(|executor| {
            executor.check_callee(st, &promised, &callee.decreases, callee.id, same_cycle, store, &cx)
        })
    }

    /// A loop that is entered has to terminate if the method does.
    pub fn check_termination_of_loop(&mut self, st: &mut State, entered: &Loop) -> Step<()> {
        let Some(promised) = self.promised(st) else { return Ok(()) };
        let cx = Cx::new(ErrorKind::Termination, entered.id);
        self.measuring(|executor| {
            let required = executor.then(st, &promised, &cx)?;
            let required = executor.with_guard(st, required, entered.condition, &cx)?;
            let property = cx.property(echis_proof::Reason::TerminationConditionFalse, entered.id);
            executor
                .require(st, required, property, &cx, |executor, st| executor.terminates(st, entered.decreases, &cx))
        })
    }
    /// `required && guard`
    fn with_guard(&mut self, st: &mut State, required: TermId, guard: Option<ExprId>, cx: &Cx) -> Step<TermId> {
        let Some(guard) = guard else { return Ok(required) };
        let source = self.syntax(guard);
        let holds = self.under(st, required, false, source, cx, |executor, st| executor.eval(st, guard, cx))?;
        Ok(match holds {
            Some(holds) => self.terms().and([required, holds]),
            None => self.terms().bool(false),
        })
    }

    /// Keeps the measures of a loop, once its guard is known to hold.
    pub fn start_iteration(&mut self, st: &mut State, entered: &Loop) -> Step<()> {
        let Some(tuple) = &entered.decreases.tuple else { return Ok(()) };
        let start = self.measuring(|executor| executor.measure(st, tuple))?;
        let starts = Rc::make_mut(&mut st.iterations);
        match start {
            Some(start) => starts.insert(entered.id, start),
            None => starts.remove(&entered.id),
        };
        Ok(())
    }
    fn measure(&mut self, st: &mut State, tuple: &DecreasesTuple) -> Step<Option<Start>> {
        let context = |executor: &Self, expr: ExprId| Cx::new(ErrorKind::Assignment, executor.syntax(expr));
        let condition = match tuple.condition {
            Some(condition) => self.eval(st, condition, &context(self, condition))?,
            None => self.terms().truth(),
        };
        let cx = Cx::new(ErrorKind::Assignment, tuple.id);
        let measures = self.under(st, condition, false, tuple.id, &cx, |executor, st| {
            let mut values = Vec::new();
            for &measure in &tuple.measures {
                values.push(executor.eval(st, measure, &context(executor, measure))?);
            }
            Ok(values)
        })?;
        Ok(measures.map(|measures| Start { condition, measures: measures.into() }))
    }

    /// If there is another iteration, the tuple is smaller for it.
    pub fn finish_iteration(&mut self, st: &mut State, ended: &Loop) -> Step<()> {
        let Some(tuple) = &ended.decreases.tuple else { return Ok(()) };
        let Some(start) = st.iterations.get(&ended.id).cloned() else { return Ok(()) };
        let cx = Cx::new(ErrorKind::Termination, tuple.id);
        self.measuring(|executor| {
            let required = executor.with_guard(st, start.condition, ended.condition, &cx)?;
            let before = Bigger { tuple, then: Then::Were(start.measures) };
            let now = Smaller { measures: &tuple.measures, store: st.store.clone() };
            executor.check_decrease(st, required, &before, tuple, &now, &cx)
        })
    }
}
