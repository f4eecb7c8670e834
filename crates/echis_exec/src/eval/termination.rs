//! Termination: what a `decreases` tuple promises, and the checks for it.
//!
//! Only tuples are checked. `decreases _` is trusted and `decreases *` promises nothing. A member with a tuple may
//! only call what terminates, and around a cycle of calls the tuple must decrease. For functions this is a proof
//! separate from that of the definition (see `functions`): its errors are counted separately, and failures other than
//! termination have already been reported. Calls and loops are checked in place (see `methods`).

mod nesting;

use crate::eval::Evaluator;
use crate::heap::Layer;
use crate::heap::branch::Guard;
use crate::state::{Body, Concern, Cx, Heap, Mode, Obligation, Side, Start, State, Step, Store, Text};
use echis_base::SyntaxId;
use echis_program::program::{Decreases, DecreasesTuple, DomainFunctionId, ExprId, FunctionId, Type};
use echis_proof::{Because, ErrorKind, Part, Premise, Reason};
use echis_term::TermId;
use std::rc::Rc;

/// The termination checks in progress.
#[derive(Default)]
pub(crate) struct Termination {
    /// The termination proof in progress, if any.
    pub proof: Option<Proof>,
    /// Whether measures of the member compare predicate instances; computed on demand.
    pub compares_instances: Option<bool>,
}

pub(crate) struct Proof {
    pub function: FunctionId,
    /// The heap at the start; applications are checked once it is set.
    pub initial: Option<Heap>,
    /// The half of `[a, b]` that counts in preconditions.
    pub side: Side,
}

/// Measures from before that must decrease.
pub(crate) struct EarlierMeasure<'p> {
    pub tuple: &'p DecreasesTuple,
    pub then: MeasureValues,
}

/// A callee with its arguments.
pub(crate) struct Callee<'p> {
    pub decreases: &'p Decreases,
    pub id: SyntaxId,
    /// Whether it may lead back to the caller.
    pub same_cycle: bool,
    pub store: &'p Rc<Store>,
}

/// The earlier values of measures.
pub(crate) enum MeasureValues {
    /// To be evaluated in this heap.
    In(Heap),
    /// Stored values, because variables change in a loop.
    Were(Rc<[TermId]>),
}

/// The measures that must be smaller, with the parameters they mention.
pub(crate) struct Smaller<'p> {
    pub measures: &'p [ExprId],
    pub store: Rc<Store>,
}

impl Termination {
    /// Whether evaluated applications belong to the function whose termination is being proved.
    pub fn checks_applications(&self, mode: Mode) -> bool {
        self.proof.as_ref().is_some_and(|proof| proof.initial.is_some()) && mode.text == Text::Own
    }
    /// Whether preconditions are evaluated as a caller checks them.
    pub fn assumes_exhaled(&self) -> bool {
        self.proof.as_ref().is_some_and(|proof| proof.side == Side::Checked)
    }
}

impl Evaluator<'_> {
    /// Evaluates measures; their premises are not premises of anything else.
    pub fn measuring<T>(&mut self, cx: &Cx, f: impl FnOnce(&mut Self, &Cx) -> T) -> T {
        let mark = self.memory.writer.mark();
        let result = f(self, &cx.within(cx.mode.measuring()));
        self.memory.writer.release(mark);
        result
    }

    pub fn check_termination_of_application(
        &mut self,
        st: &mut State,
        function: FunctionId,
        store: &Rc<Store>,
        id: SyntaxId,
        cx: &Cx,
    ) -> Step<()> {
        let program = self.context.program;
        // Bodies of predicates are not part of the function's own text, and triggers are never evaluated.
        if !self.termination.checks_applications(cx.mode) || cx.mode.is_silent() || st.body != Body::Outside {
            return Ok(());
        }
        let Some((caller, initial)) =
            self.termination.proof.as_ref().and_then(|proof| Some((proof.function, proof.initial.clone()?)))
        else {
            return Ok(());
        };
        let (caller, callee) = (&program.functions[caller], &program.functions[function]);
        let Some(tuple) = &caller.decreases.tuple else { return Ok(()) };
        let bigger = EarlierMeasure { tuple, then: MeasureValues::In(initial) };
        let cx = Cx { at: id, ..cx.reporting(ErrorKind::Termination, Concern::Termination) };
        let same_cycle = caller.height == callee.height;
        self.measuring(&cx, |executor, cx| {
            let callee = Callee { decreases: &callee.decreases, id: callee.id, same_cycle, store };
            executor.check_callee(st, &bigger, &callee, cx)
        })
    }

    /// Checks that a callee terminates and, if it is on the same cycle of calls, that its measure is smaller.
    pub fn check_callee(&mut self, st: &mut State, caller: &EarlierMeasure, callee: &Callee, cx: &Cx) -> Step<()> {
        let Callee { decreases, id, same_cycle, store } = callee;
        let required = self.then(st, caller, cx)?;
        if !same_cycle {
            let obligation = cx.condition(Reason::TerminationConditionFalse, *id);
            return self.require(st, required, obligation, cx, |executor, st| {
                st.with_store(Rc::clone(store), |st| executor.terminates(st, decreases, cx))
            });
        }
        let Some(tuple) = &decreases.tuple else {
            let obligation = cx.condition(Reason::TupleConditionFalse, *id);
            return self
                .require(st, required, obligation, cx, |executor, _| Ok(executor.memory.writer.terms().bool(false)));
        };
        let smaller = Smaller { measures: &tuple.measures, store: Rc::clone(store) };
        self.check_decrease(st, required, caller, tuple, &smaller, cx)
    }
    /// Checks that the condition of a tuple holds (again) and its measures decreased.
    pub fn check_decrease(
        &mut self,
        st: &mut State,
        required: TermId,
        before: &EarlierMeasure,
        tuple: &DecreasesTuple,
        smaller: &Smaller,
        cx: &Cx,
    ) -> Step<()> {
        let obligation = cx.condition(Reason::TupleConditionFalse, tuple.id);
        self.require(st, required, obligation, cx, |executor, st| {
            st.with_store(smaller.store.clone(), |st| executor.condition(st, tuple.condition, cx))
        })?;
        let obligation = cx.condition(Reason::TupleFalse, before.tuple.id);
        self.require(st, required, obligation, cx, |executor, st| executor.lexicographic(st, smaller, before, 0, cx))
    }
    /// Proves `required ==> given`; `given` is evaluated where `required` holds.
    #[track_caller]
    pub fn require(
        &mut self,
        st: &mut State,
        required: TermId,
        obligation: Obligation,
        cx: &Cx,
        given: impl FnOnce(&mut Self, &mut State) -> Step<TermId>,
    ) -> Step<()> {
        let Some(given) = self.under(st, Guard::of(required, obligation.property.offending), cx, given)? else {
            return Ok(());
        };
        let goal = self.memory.writer.terms().implies(required, given);
        if self.memory.writer.tree.terms.is_true(goal) {
            return Ok(());
        }
        let check = self.memory.prove(st, goal, obligation, cx)?;
        if self.memory.writer.is_unmet(check) {
            return Ok(());
        }
        self.memory.writer.assume(st, goal, Because::Checked, &[Premise::Check(check)], cx.origin(Part::Value))
    }

    /// Whether the tuple's condition held before. Measures stored for a loop were stored under their condition.
    pub fn then(&mut self, st: &mut State, bigger: &EarlierMeasure, cx: &Cx) -> Step<TermId> {
        match &bigger.then {
            MeasureValues::In(heap) => st.with_heap(heap.clone(), |st| self.condition(st, bigger.tuple.condition, cx)),
            MeasureValues::Were(_) => Ok(self.memory.writer.terms().truth()),
        }
    }
    pub fn condition(&mut self, st: &mut State, condition: Option<ExprId>, cx: &Cx) -> Step<TermId> {
        match condition {
            Some(condition) => self.eval(st, condition, cx),
            None => Ok(self.memory.writer.terms().truth()),
        }
    }
    /// The condition under which the clauses guarantee termination.
    pub fn terminates(&mut self, st: &mut State, decreases: &Decreases, cx: &Cx) -> Step<TermId> {
        let by_tuple = match &decreases.tuple {
            Some(tuple) => self.condition(st, tuple.condition, cx)?,
            None => self.memory.writer.terms().bool(false),
        };
        let Some(wildcard) = &decreases.wildcard else { return Ok(by_tuple) };
        let otherwise = self.memory.writer.terms().not(by_tuple);
        let believed = self.under(st, Guard::negation(otherwise, wildcard.id), cx, |executor, st| {
            executor.condition(st, wildcard.condition, cx)
        })?;
        Ok(match believed {
            Some(believed) => self.memory.writer.terms().or([by_tuple, believed]),
            None => by_tuple,
        })
    }

    /// Whether the measures from `index` on are lexicographically smaller. A missing component is larger than
    /// everything.
    fn lexicographic(
        &mut self,
        st: &mut State,
        smaller: &Smaller,
        bigger: &EarlierMeasure,
        index: usize,
        cx: &Cx,
    ) -> Step<TermId> {
        let (Some(&small), Some(&big)) = (smaller.measures.get(index), bigger.tuple.measures.get(index)) else {
            return Ok(self.memory.writer.terms().bool(index < smaller.measures.len()));
        };
        let program = self.context.program;
        let ty = program.ty(small);
        let Some(orders) = program.well_founded.as_ref().filter(|_| ty == program.ty(big)) else {
            return Ok(self.memory.writer.terms().bool(false));
        };
        let source = self.context.syntax(small);
        let small = st.with_store(smaller.store.clone(), |st| self.eval(st, small, cx))?;
        let big = match &bigger.then {
            MeasureValues::In(heap) => st.with_heap(heap.clone(), |st| self.eval(st, big, cx))?,
            MeasureValues::Were(values) => values[index],
        };
        let decreasing = self.order(orders.decreasing, ty, vec![small, big]);
        let bounded = self.order(orders.bounded, ty, vec![big]);
        let less = self.memory.writer.terms().and([decreasing, bounded]);
        let equal = self.memory.writer.terms().eq(small, big);
        let rest = self.under(st, Guard::of(equal, source), cx, |executor, st| {
            executor.lexicographic(st, smaller, bigger, index + 1, cx)
        })?;
        let rest = rest.unwrap_or_else(|| self.memory.writer.terms().bool(false));
        let rest = self.memory.writer.terms().and([equal, rest]);
        Ok(self.memory.writer.terms().or([less, rest]))
    }
    /// Applies a function of the well-founded orders at the type of a measure.
    fn order(&mut self, function: DomainFunctionId, ty: &Type, args: Vec<TermId>) -> TermId {
        let domain = self.context.program.domain_functions[function].domain;
        let type_args = vec![ty.clone(); self.context.program.domains[domain].parameters.len()];
        let symbol = self.memory.writer.domain_symbol(function, &type_args);
        self.memory.writer.terms().app(symbol, args)
    }
    /// `required && guard`
    pub fn with_guard(&mut self, st: &mut State, required: TermId, guard: Option<ExprId>, cx: &Cx) -> Step<TermId> {
        let Some(guard) = guard else { return Ok(required) };
        let source = self.context.syntax(guard);
        let holds = self.under(st, Guard::of(required, source), cx, |executor, st| executor.eval(st, guard, cx))?;
        Ok(match holds {
            Some(holds) => self.memory.writer.terms().and([required, holds]),
            None => self.memory.writer.terms().bool(false),
        })
    }
    pub fn measure(&mut self, st: &mut State, tuple: &DecreasesTuple, cx: &Cx) -> Step<Option<Start>> {
        let program = self.context.program;
        let context = |expr: ExprId| cx.mode.cx(ErrorKind::Assignment, program.exprs[expr].id);
        let condition = match tuple.condition {
            Some(condition) => self.eval(st, condition, &context(condition))?,
            None => self.memory.writer.terms().truth(),
        };
        let measures = self.under(st, Guard::of(condition, tuple.id), cx, |executor, st| {
            let mut values = Vec::new();
            for &measure in &tuple.measures {
                values.push(executor.eval(st, measure, &context(measure))?);
            }
            Ok(values)
        })?;
        Ok(measures.map(|measures| Start { condition, measures: measures.into() }))
    }
}
