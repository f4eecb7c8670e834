//! Continuing after a loop whose invariant failed. The invariant is assumed there, like any failed obligation. If it
//! makes the loop impossible to leave, as with `i < n` instead of `i <= n`, that hides all later errors. In that case
//! a few iterations are executed without the invariant, and the code after the loop is checked from there.
//!
//! Such a run is an actual execution: what fails after it does not fail because too little is known about the loop.
//! Loops that can be left anyway are not run: what fails only without the invariant mostly fails for the same reason.

use crate::exec::Executor;
use crate::exec::method::Pending;
use crate::heap::Layer;
use crate::limits::{RUN_BLOCKS, RUN_ITERATIONS, RUNS};
use crate::state::{Again, Concern, Course, Heap, Mode, State, Step};
use echis_program::cfg::{BlockId, Cfg, Loop, LoopId};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The loops of a body, as visited so far.
#[derive(Default)]
pub(super) struct Visited {
    /// The states in which loops were entered.
    entered: Vec<(LoopId, State)>,
    /// The loops that some path leaves.
    left: BTreeSet<LoopId>,
    /// States at the end of an iteration of a run.
    returned: Vec<State>,
    /// Edges by which a run leaves the loop.
    outside: Vec<(BlockId, BlockId, State)>,
}

impl Visited {
    pub fn note_entered(&mut self, entered: LoopId, st: &State, mode: Mode) {
        let known = self.entered.iter().filter(|(other, _)| *other == entered).count();
        if mode.is_reporting() && st.is_regular() && known < RUNS {
            self.entered.push((entered, st.clone()));
        }
    }
    pub fn note_left(&mut self, left: LoopId, st: &State) {
        if st.is_regular() {
            self.left.insert(left);
        }
    }
}

impl Executor<'_> {
    /// Whether the edge ends an iteration of a run or leaves its loop; the state is then kept.
    pub(super) fn comes_around(&mut self, cfg: &Cfg, (from, to): (BlockId, BlockId), st: &State) -> bool {
        let Course::Again(Again::Within(own)) = st.course else { return false };
        if cfg.is_back_edge(from, to) {
            self.loops.returned.push(st.clone());
        } else if !cfg.loops[own].blocks.contains(&to) {
            self.loops.outside.push((from, to, st.clone()));
        } else {
            return false;
        }
        true
    }
    pub(super) fn run_failed_loops(&mut self, cfg: &Cfg, ends: &mut Vec<State>, mode: Mode) -> Step<()> {
        if !mode.is_reporting() {
            return Ok(());
        }
        for (key, st) in std::mem::take(&mut self.loops.entered) {
            let entered = &cfg.loops[key];
            let is_innermost = entered.blocks.iter().all(|block| cfg.blocks[*block].head_of.is_none_or(|of| of == key));
            let is_small = is_innermost && entered.blocks.len() <= RUN_BLOCKS;
            let Some(failed) = self.failed_invariant(entered) else { continue };
            if !is_small || self.loops.left.contains(&key) {
                continue;
            }
            let outside = self.leave_by_runs(cfg, key, st, mode);
            self.eval.memory.writer.note_blocked(failed, RUN_ITERATIONS);
            let mut pending = Vec::new();
            for (from, to, st) in outside {
                let st = State { course: Course::Again(Again::Behind), ..st };
                self.follow(cfg, from, to, st, &mut pending, mode)?;
            }
            self.run_pending(cfg, pending, ends, mode)?;
        }
        Ok(())
    }
    /// The edges by which runs of a few iterations leave the loop. Runs that fail inside the loop are dropped.
    fn leave_by_runs(&mut self, cfg: &Cfg, key: LoopId, mut st: State, mode: Mode) -> Vec<(BlockId, BlockId, State)> {
        // Nothing is framed: the loop is left with its current heap.
        Rc::make_mut(&mut st.frames).push(Heap::default());
        (st.course, st.explores) = (Course::Again(Again::Within(key)), false);
        let mut heads = vec![st];
        for _ in 0..=RUN_ITERATIONS {
            let start = |st: State| Pending { block: cfg.loops[key].head, index: 0, st };
            let mut pending: Vec<Pending> = heads.drain(..).map(start).collect();
            while let Some(work) = pending.pop() {
                self.tentatively(mode, |executor, mode| {
                    executor.run_block(cfg, work, &mut pending, &mut Vec::new(), mode)
                });
            }
            heads = std::mem::take(&mut self.loops.returned);
            heads.truncate(RUNS);
        }
        let mut outside = std::mem::take(&mut self.loops.outside);
        outside.truncate(2 * RUNS);
        outside
    }
    /// The first failure of one of the loop's invariants.
    fn failed_invariant(&self, entered: &Loop) -> Option<usize> {
        let mut failures = self.eval.memory.writer.failures_in(Concern::Invariant);
        let is_own = |at| entered.invariants.iter().any(|invariant| self.context.syntax(*invariant) == at);
        failures.find(|(_, failure)| is_own(failure.property.at)).map(|(index, _)| index)
    }
}
