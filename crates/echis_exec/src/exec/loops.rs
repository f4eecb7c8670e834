//! Loops, from `while` or from jumps: establish the invariant, then execute one arbitrary iteration.

use crate::eval::Evaluator;
use crate::eval::produce::Giving;
use crate::exec::Executor;
use crate::state::{Cx, Heap, Mode, State, Step};
use echis_program::cfg::Loop;
use echis_program::program::{ExprId, LocalId};
use echis_proof::{ErrorKind, Premise};
use std::rc::Rc;

impl Executor<'_> {
    /// Enters a loop from outside. What the invariant does not take is framed around the loop.
    pub fn enter_loop(&mut self, st: State, entered: &Loop, mode: Mode) -> Step<Vec<State>> {
        self.eval.memory.writer.begin_step();
        let assigned: Vec<LocalId> = entered.assigned.iter().copied().collect();
        let mut st = st;
        self.check_termination_of_loop(&mut st, entered, mode)?;
        // Well-formedness comes first: for an ill-formed invariant, that is the error, not that it does not hold.
        let mut scratch = st.aside_with(Heap::aside());
        self.havoc(&mut scratch, &assigned);
        self.eval.produce_clauses(scratch, entered.invariants, &Giving::written(), contract(mode))?;
        let established = self.eval.consume_clauses(st, entered.invariants, None, |executor, clause| {
            mode.invariant(ErrorKind::InvariantNotEstablished, executor.context.syntax(clause))
        })?;
        let mut starts = Vec::new();
        for end in established {
            let mut st = end.st;
            let framed = std::mem::take(&mut st.heap);
            Rc::make_mut(&mut st.frames).push(framed);
            self.havoc(&mut st, &assigned);
            self.eval.memory.writer.note_locals(&mut st, entered.id, &assigned);
            // Clauses of the invariant have no premises, except for those that failed.
            let giving = Giving::checked(self.eval.memory.writer.failed_among(&end.premises));
            let bodies = self.eval.produce_clauses(st, entered.invariants, &giving, contract(mode))?;
            for mut st in bodies {
                self.equate_framed_values(&mut st, entered, mode)?;
                if entered.condition.is_none() {
                    self.start_iteration(&mut st, entered, mode)?;
                }
                starts.push(st);
            }
        }
        Ok(starts)
    }
    /// The frame is not usable inside the loop, but it is held: a location in both heaps has one value.
    fn equate_framed_values(&mut self, st: &mut State, entered: &Loop, mode: Mode) -> Step<()> {
        let Some(frame) = st.frames.last().cloned() else { return Ok(()) };
        let cx = mode.cx(ErrorKind::While, entered.id);
        let chunks = st.heap.chunks.clone();
        for chunk in chunks.iter() {
            for (_, framed) in frame.of(chunk.resource) {
                let same = chunk.args() == framed.args() && !chunk.args().is_empty();
                let wand = matches!(chunk.resource, crate::state::Resource::Wand(_));
                if same && !wand && !self.eval.memory.writer.is_quantified(chunk.resource) {
                    let premises = [Premise::Fact(chunk.grant), Premise::Fact(framed.grant)];
                    let (mine, theirs) = ((chunk.perm, chunk.value), (framed.perm, framed.value));
                    self.eval.memory.merge_values(st, mine, theirs, chunk.resource, &premises, &cx)?;
                }
            }
        }
        Ok(())
    }
    pub fn end_iteration(&mut self, mut st: State, ended: &Loop, mode: Mode) -> Step<()> {
        self.eval.memory.writer.begin_step();
        self.finish_iteration(&mut st, ended, mode)?;
        self.eval.consume_clauses(st, ended.invariants, None, |executor, clause| {
            mode.invariant(ErrorKind::InvariantNotPreserved, executor.context.syntax(clause))
        })?;
        Ok(())
    }
    /// Leaves a loop: the framed heap is restored. Labels passed inside are dropped.
    pub fn leave_loop(&mut self, st: &mut State, left: &Loop, mode: Mode) -> Step<()> {
        let Some(framed) = Rc::make_mut(&mut st.frames).pop() else { return Ok(()) };
        let cx = mode.cx(ErrorKind::While, left.id);
        // Older chunks come first, as if they had stayed.
        let inner = std::mem::replace(&mut st.heap, framed);
        self.eval.memory.merge_heap(st, &inner, &cx)
    }
}

fn contract(mode: Mode) -> impl Fn(&Evaluator, ExprId) -> Cx {
    move |evaluator, clause| mode.contract(evaluator.context.syntax(clause))
}
