//! The termination proof of a function: of its body, its postconditions and its preconditions, each separately. An
//! application is checked under the path condition that leads to it, against the measures at the start.

use crate::context::ExportedFact;
use crate::eval::Evaluator;
use crate::eval::produce::Giving;
use crate::eval::termination::Proof;
use crate::exec::Executor;
use crate::state::{Aim, Cx, Heap, Mode, Side, State, Step, Stop};
use echis_program::program::{ExprId, ExprKind, FunctionId};
use echis_proof::{Because, ErrorKind, NodeId, Part, Rule};
use echis_term::Made;

impl Executor<'_> {
    /// Proves that a function terminates. Postconditions of its component may be used: the hypotheses are about
    /// applications that are `f%called`, which is stated for an application only after its check (see
    /// `exec::function`).
    pub fn verify_termination(&mut self, id: FunctionId, root: NodeId, hypotheses: &[ExportedFact]) {
        let function = &self.context.program.functions[id];
        if function.decreases.tuple.is_none() {
            return;
        }
        let mut root = root;
        for fact in hypotheses {
            let term = self.limit_cycle(id, fact.term);
            root = self.eval.memory.writer.tree.assume(root, term, Because::Rule(Rule::Definition), &[], fact.origin);
        }
        if self.applies(function.body.as_slice()) {
            self.prove_part(id, Side::Assumed, |executor| executor.body_terminates(id, root));
        }
        if self.applies(&function.post) {
            self.prove_part(id, Side::Assumed, |executor| executor.postconditions_terminate(id, root));
        }
        if self.applies(&function.pre) {
            self.prove_part(id, Side::Assumed, |executor| executor.preconditions_terminate(id, root));
            if self.contains(&function.pre, |kind| matches!(kind, ExprKind::InhaleExhale(..))) {
                self.prove_part(id, Side::Checked, |executor| executor.preconditions_terminate(id, root));
            }
        }
    }
    fn applies(&self, exprs: &[ExprId]) -> bool {
        self.contains(exprs, |kind| matches!(kind, ExprKind::FunctionApp { .. }))
    }
    fn contains(&self, exprs: &[ExprId], wanted: impl Fn(&ExprKind) -> bool) -> bool {
        let mut found = false;
        exprs.iter().for_each(|&expr| self.context.program.visit_with_triggers(expr, |_, kind| found |= wanted(kind)));
        found
    }
    /// Proves one part, with its own error count.
    fn prove_part(&mut self, function: FunctionId, side: Side, part: impl FnOnce(&mut Self) -> Step<()>) {
        self.eval.memory.writer.begin_part();
        self.eval.termination.proof = Some(Proof { function, initial: None, side });
        // Every way to stop was recorded as a failure or is no error.
        let _ = part(self);
        self.eval.termination.proof = None;
    }
    /// Starts checking applications, against the measures in this heap.
    fn check_from(&mut self, initial: Option<&Heap>) {
        if let Some(proof) = &mut self.eval.termination.proof {
            proof.initial = initial.cloned();
        }
    }
    /// The states in which the function may be applied, before any application is checked.
    fn applicable(&mut self, id: FunctionId, root: NodeId) -> Step<Vec<State>> {
        let function = &self.context.program.functions[id];
        let mut st = State::new(root);
        self.havoc(&mut st, &function.params);
        self.eval.produce_clauses(st, &function.pre, &Giving::written(), contract)
    }

    fn body_terminates(&mut self, id: FunctionId, root: NodeId) -> Step<()> {
        let function = &self.context.program.functions[id];
        let Some(body) = function.body else { return Ok(()) };
        let mode = Mode { induction: self.induction(id), ..termination() };
        let cx = Cx { clause: self.context.syntax(body), ..mode.cx(ErrorKind::FunctionNotWellformed, function.id) };
        for mut st in self.applicable(id, root)? {
            self.check_from(Some(&st.heap));
            self.eval.memory.writer.begin_step();
            feasible(self.eval.eval(&mut st, body, &cx))?;
        }
        Ok(())
    }
    /// Checks postconditions, for an arbitrary result. Each is assumed for the next ones.
    fn postconditions_terminate(&mut self, id: FunctionId, root: NodeId) -> Step<()> {
        let function = &self.context.program.functions[id];
        let mode = Mode { induction: self.induction(id), ..termination() }.unevaluated();
        for mut st in self.applicable(id, root)? {
            self.check_from(Some(&st.heap));
            let sort = self.eval.memory.writer.sort_of_type(&function.result);
            let result = self.eval.memory.writer.fresh(&st, Made::Result, sort);
            st.set_result(result);
            feasible(self.evaluate_in_turn(&mut st, &function.post, mode))?;
        }
        Ok(())
    }
    fn evaluate_in_turn(&mut self, st: &mut State, clauses: &[ExprId], mode: Mode) -> Step<()> {
        for &clause in clauses {
            self.eval.memory.writer.begin_step();
            let cx = mode.contract(self.context.syntax(clause));
            let fact = self.eval.eval(st, clause, &cx)?;
            let premises = self.eval.memory.writer.rested_on();
            self.eval.memory.writer.assume(st, fact, Because::Written, &premises, cx.origin(Part::Value))?;
        }
        Ok(())
    }
    /// Checks preconditions from the empty heap: measures that read the heap have no value before the precondition
    /// gives permission.
    fn preconditions_terminate(&mut self, id: FunctionId, root: NodeId) -> Step<()> {
        let function = &self.context.program.functions[id];
        let mut st = State::new(root);
        self.havoc(&mut st, &function.params);
        self.check_from(Some(&st.heap));
        self.eval.produce_clauses(st, &function.pre, &Giving::written(), contract)?;
        Ok(())
    }
}

fn termination() -> Mode {
    Mode { aim: Aim::Termination, ..Mode::default() }
}

fn contract(evaluator: &Evaluator, clause: ExprId) -> Cx {
    termination().contract(evaluator.context.syntax(clause))
}

/// Ignores infeasible paths, where nothing is to be checked.
fn feasible<T>(step: Step<T>) -> Step<()> {
    match step {
        Ok(_) | Err(Stop::Infeasible) => Ok(()),
        Err(stop) => Err(stop),
    }
}
