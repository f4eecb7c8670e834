//! Methods: contract, body, postcondition. The body is executed along its control-flow graph with a work list, newest
//! state first, so that consecutive solver queries are close together.

use crate::eval::Evaluator;
use crate::eval::produce::Giving;
use crate::exec::Executor;
use crate::state::{Heap, Mode, State, Step, Stop};
use echis_base::Diagnostic;
use echis_program::cfg::{self, BlockId, BranchKind, Cfg, End, Step as CfgStep};
use echis_program::program::{Block, ExprId, MethodId, OldState};
use echis_proof::{ErrorKind, NodeId};
use std::rc::Rc;

pub(crate) fn verify(executor: &mut Executor, id: MethodId, root: NodeId) {
    // Every way to stop was recorded as a failure or is no error.
    let _ = executor.verify_method(id, root);
    executor.report_refutes(id);
}

/// A state waiting at a statement.
pub(super) struct Pending {
    pub block: BlockId,
    pub index: usize,
    pub st: State,
}

impl Executor<'_> {
    fn verify_method(&mut self, id: MethodId, root: NodeId) -> Step<()> {
        let program = self.context.program;
        let method = &program.methods[id];
        let mut st = State::new(root);
        st.explores = true;
        self.havoc(&mut st, &method.params);
        self.havoc(&mut st, &method.returns);
        let contract =
            |evaluator: &Evaluator, clause: ExprId| Mode::default().contract(evaluator.context.syntax(clause));
        let starts = self.eval.produce_clauses(st, &method.pre, &Giving::written(), contract)?;
        for mut st in starts {
            let heap = st.heap.clone();
            st.old = Rc::new([(OldState::Pre, heap)].into());
            self.eval.produce_clauses(st.aside_with(Heap::aside()), &method.post, &Giving::written(), contract)?;
            let Some(body) = &method.body else { continue };
            for end in self.run(st, body, Mode::default())? {
                // The postconditions do not rest on what the last statement used.
                self.eval.memory.writer.begin_step();
                self.eval.consume_clauses(end, &method.post, None, |executor, clause| {
                    Mode::default().postcondition(executor.context.syntax(clause))
                })?;
            }
        }
        Ok(())
    }

    /// Executes a body and returns the states at its end.
    pub fn run(&mut self, st: State, body: &Block, mode: Mode) -> Step<Vec<State>> {
        let program = self.context.program;
        let cfg = match cfg::build(program, body) {
            Ok(cfg) => cfg,
            Err(irreducible) => {
                return self
                    .eval
                    .memory
                    .writer
                    .unsupported(&st, irreducible.jump, "this jump makes a loop with several entries", mode)
                    .or(Ok(Vec::new()));
            }
        };
        self.warn_ignored_labels(&cfg);
        let mut ends = Vec::new();
        let around = std::mem::take(&mut self.loops);
        self.run_pending(&cfg, vec![Pending { block: cfg.entry, index: 0, st }], &mut ends, mode)?;
        self.run_failed_loops(&cfg, &mut ends, mode)?;
        self.loops = around;
        Ok(ends)
    }
    pub(super) fn run_pending(
        &mut self,
        cfg: &Cfg,
        mut pending: Vec<Pending>,
        ends: &mut Vec<State>,
        mode: Mode,
    ) -> Step<()> {
        while let Some(work) = pending.pop() {
            self.try_refutes_apart_from(Some(work.st.at));
            self.run_block(cfg, work, &mut pending, ends, mode)?;
        }
        Ok(())
    }
    pub(super) fn run_block(
        &mut self,
        cfg: &Cfg,
        work: Pending,
        pending: &mut Vec<Pending>,
        ends: &mut Vec<State>,
        mode: Mode,
    ) -> Step<()> {
        let Pending { block, index, st } = work;
        let here = mode.cx(ErrorKind::Internal, self.eval.memory.writer.tree.origin_of(st.at).clause);
        let Some(mut st) = self.eval.memory.writer.drop_contradictions(vec![st], &here).pop() else {
            return Ok(());
        };
        let steps = &cfg.blocks[block].stmts;
        for (offset, step) in steps[index..].iter().enumerate() {
            match step {
                CfgStep::Havoc(locals) => self.havoc(&mut st, locals),
                CfgStep::Stmt(stmt) => {
                    let mut after = self.exec(st, stmt, mode)?;
                    after.reverse();
                    let Some(next) = after.pop() else { return Ok(()) };
                    let index = index + offset + 1;
                    pending.extend(after.into_iter().map(|st| Pending { block, index, st }));
                    st = next;
                }
            }
        }
        match cfg.blocks[block].end {
            End::Return => ends.push(st),
            End::Goto(next) => self.follow(cfg, block, next, st, pending, mode)?,
            End::Branch { condition, kind, then, otherwise, .. } => {
                self.eval.memory.writer.begin_step();
                let error = if kind == BranchKind::If { ErrorKind::If } else { ErrorKind::While };
                let cx = mode.cx(error, self.context.syntax(condition));
                let source = self.context.syntax(condition);
                let (before, ended, in_script) = (st.at, self.eval.memory.writer.ended(), !st.explores);
                let guard = match self.eval.eval(&mut st, condition, &cx) {
                    Err(Stop::Infeasible) => {
                        self.eval.memory.writer.close_path(before, source, mode);
                        self.eval.memory.writer.close_ended(ended, in_script, mode);
                        return Ok(());
                    }
                    result => result?,
                };
                self.eval.memory.writer.note_step(st.at, &cx);
                self.eval.memory.writer.begin_step();
                let was_dead = st.is_dead();
                let (positive, negative) = self.eval.memory.fork(st, guard, source, &cx);
                self.eval.memory.writer.close_ended(ended, in_script, mode);
                // Dead paths come last.
                let mut later = Vec::new();
                if let Some(st) = negative {
                    let last = st.is_dead() && !was_dead;
                    self.follow(cfg, block, otherwise, st, if last { &mut later } else { pending }, mode)?;
                }
                if let Some(mut st) = positive {
                    let entered = cfg.blocks[block].head_of.filter(|_| kind == BranchKind::While);
                    let started = match entered {
                        Some(entered) => self.start_iteration(&mut st, &cfg.loops[entered], mode),
                        None => Ok(()),
                    };
                    match started {
                        Err(Stop::Infeasible) => return Ok(()),
                        result => result?,
                    }
                    let last = st.is_dead() && !was_dead;
                    self.follow(cfg, block, then, st, if last { &mut later } else { pending }, mode)?;
                }
                pending.splice(0..0, later);
            }
        }
        Ok(())
    }
    /// Follows an edge: leaves loops, enters one, or returns to a loop head.
    pub(super) fn follow(
        &mut self,
        cfg: &Cfg,
        from: BlockId,
        to: BlockId,
        mut st: State,
        pending: &mut Vec<Pending>,
        mode: Mode,
    ) -> Step<()> {
        if self.comes_around(cfg, (from, to), &st) {
            return Ok(());
        }
        for left in cfg.left(from, to) {
            match self.leave_loop(&mut st, &cfg.loops[left], mode) {
                Err(Stop::Infeasible) => return Ok(()),
                result => result?,
            }
            self.loops.note_left(left, &st);
        }
        if cfg.is_back_edge(from, to) {
            let head = cfg.blocks[to].head_of.expect("a back edge goes to a head");
            return self.end_iteration(st, &cfg.loops[head], mode);
        }
        match cfg.blocks[to].head_of {
            None => pending.push(Pending { block: to, index: 0, st }),
            Some(head) => {
                self.loops.note_entered(head, &st, mode);
                let mut starts = self.enter_loop(st, &cfg.loops[head], mode)?;
                starts.reverse();
                pending.extend(starts.into_iter().map(|st| Pending { block: to, index: 0, st }));
            }
        }
        Ok(())
    }
    fn warn_ignored_labels(&mut self, cfg: &Cfg) {
        for label in &cfg.ignored {
            let span = self.context.program.syntax.span(*label);
            let message = "This label is no loop head; its invariants have no effect.";
            self.eval.memory.writer.warn(Diagnostic::warning("verifier.warning", span, message));
        }
    }
}
