//! The proof that a function terminates: of its body, its postconditions and its preconditions, each for itself.
//! An application is checked under the path condition that leads to it, against the measures at the start.

use super::{Bigger, Proof, Store, Then};
use crate::executor::Executor;
use crate::function::ExportedFact;
use crate::produce::Giving;
use crate::purity;
use crate::state::{Cx, Heap, Side, State, Step, Stop};
use echis_base::SyntaxId;
use echis_program::program::{ExprId, ExprKind, FunctionId};
use echis_proof::{Because, ErrorKind, NodeId, Part, Rule};

impl Executor<'_> {
    /// What is known of the function and its cycle may be used: it speaks of applications whose precondition was
    /// established, and that is only said of an application after its check.
    pub fn verify_termination(&mut self, id: FunctionId, root: NodeId, facts: &[ExportedFact]) {
        let function = &self.program.functions[id];
        if function.decreases.tuple.is_none() {
            return;
        }
        let mut root = root;
        for fact in facts {
            root = self.tree.assume(root, fact.term, Because::Rule(Rule::Definition), &[], fact.origin);
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
        exprs.iter().for_each(|&expr| purity::visit(self.program, expr, |_, kind| found |= wanted(kind)));
        found
    }
    /// Errors of each part are counted for themselves.
    fn prove_part(&mut self, function: FunctionId, side: Side, part: impl FnOnce(&mut Self) -> Step<()>) {
        self.counted = 0;
        self.release(0);
        self.termination.proof = Some(Proof { function, initial: None, side });
        // Every way to stop was recorded as a failure or is no error.
        let _ = part(self);
        self.termination.proof = None;
    }
    /// What fails besides termination failed before, where it counts. Behind it nothing is certain, so with a limit on
    /// errors the part ends.
    pub fn pass_over(&mut self) -> Step<()> {
        if self.options.errors == 0 || self.failures.is_empty() {
            return Ok(());
        }
        self.counted += 1;
        if self.counted >= self.options.errors { Err(Stop::Enough) } else { Ok(()) }
    }
    /// From here on applications are checked, against the measures in this heap.
    fn check_from(&mut self, initial: Option<&Heap>) {
        if let Some(proof) = &mut self.termination.proof {
            proof.initial = initial.cloned();
        }
    }
    /// The states in which the function may be applied, before any application is checked.
    fn applicable(&mut self, id: FunctionId, root: NodeId) -> Step<Vec<State>> {
        let function = &self.program.functions[id];
        let mut st = State::new(root);
        self.havoc(&mut st, &function.params);
        self.produce_clauses(st, &function.pre, &Giving::written(), contract)
    }

    fn body_terminates(&mut self, id: FunctionId, root: NodeId) -> Step<()> {
        let function = &self.program.functions[id];
        let Some(body) = function.body else { return Ok(()) };
        let cx = Cx { clause: self.syntax(body), ..Cx::new(ErrorKind::FunctionNotWellformed, function.id) };
        for mut st in self.applicable(id, root)? {
            self.check_from(Some(&st.heap));
            self.release(0);
            feasible(self.eval(&mut st, body, &cx))?;
        }
        Ok(())
    }
    /// For an arbitrary result. A postcondition holds where the next one is evaluated.
    fn postconditions_terminate(&mut self, id: FunctionId, root: NodeId) -> Step<()> {
        let function = &self.program.functions[id];
        for mut st in self.applicable(id, root)? {
            self.check_from(Some(&st.heap));
            let sort = self.sort_of_type(&function.result);
            st.result = Some(self.fresh(&st, "result", sort));
            feasible(self.evaluate_in_turn(&mut st, &function.post))?;
        }
        Ok(())
    }
    fn evaluate_in_turn(&mut self, st: &mut State, clauses: &[ExprId]) -> Step<()> {
        for &clause in clauses {
            self.release(0);
            let cx = contract(self, clause);
            let fact = self.eval(st, clause, &cx)?;
            self.assume(st, fact, Because::Written, &self.since(0), cx.origin(Part::Value))?;
        }
        Ok(())
    }
    /// From nothing: measures that read the heap have no value before the precondition gave permission.
    fn preconditions_terminate(&mut self, id: FunctionId, root: NodeId) -> Step<()> {
        let function = &self.program.functions[id];
        let mut st = State::new(root);
        self.havoc(&mut st, &function.params);
        self.check_from(Some(&st.heap));
        self.produce_clauses(st, &function.pre, &Giving::written(), contract)?;
        Ok(())
    }

    pub fn check_termination_of_application(
        &mut self,
        st: &mut State,
        function: FunctionId,
        store: &Store,
        id: SyntaxId,
        cx: &Cx,
    ) -> Step<()> {
        let program = self.program;
        // Bodies of predicates are not the function's own text, and triggers are never evaluated by anybody.
        if !self.termination.checks_applications() || self.silent > 0 || st.in_predicate.is_some() {
            return Ok(());
        }
        let Some((caller, initial)) =
            self.termination.proof.as_ref().and_then(|proof| Some((proof.function, proof.initial.clone()?)))
        else {
            return Ok(());
        };
        let (caller, callee) = (&program.functions[caller], &program.functions[function]);
        let Some(tuple) = &caller.decreases.tuple else { return Ok(()) };
        let bigger = Bigger { tuple, then: Then::In(initial) };
        let cx = Cx { error: ErrorKind::Termination, at: id, ..*cx };
        let same_cycle = caller.height == callee.height;
        self.measuring(|executor| {
            executor.check_callee(st, &bigger, &callee.decreases, callee.id, same_cycle, store, &cx)
        })
    }
}

fn contract(executor: &Executor, clause: ExprId) -> Cx {
    Cx::new(ErrorKind::ContractNotWellformed, executor.syntax(clause))
}

/// A path that cannot be reached has nothing to check.
fn feasible<T>(step: Step<T>) -> Step<()> {
    match step {
        Ok(_) | Err(Stop::Infeasible) => Ok(()),
        Err(stop) => Err(stop),
    }
}
