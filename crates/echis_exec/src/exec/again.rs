//! What follows a loop whose invariant failed. There the invariant is believed, like everything that failed. If it is
//! wrong, it may hide errors, and all of them if the loop cannot be left where it holds. So a few iterations are run as
//! they are, and what follows the loop is checked after them, too.
//!
//! Such a run is an execution: what fails after it does not fail because too little is known about the loop. It may fail
//! for the same reason as the invariant, though, so it counts as a consequence, unless nothing that follows the loop was
//! checked otherwise.

use crate::cfg::{BlockId, Cfg, Loop, LoopId};
use crate::exec::Executor;
use crate::exec::method::Pending;
use crate::heap::Layer;
use crate::limits::{RUN_BLOCKS, RUN_ITERATIONS, RUNS};
use crate::state::{Again, Heap, Mode, State, Step};
use echis_proof::ErrorKind;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What became of the loops of a body.
#[derive(Default)]
pub(super) struct Visited {
    /// The states in which they were entered.
    entered: Vec<(LoopId, State)>,
    /// Those that some path leaves.
    left: BTreeSet<LoopId>,
    /// States of a run at the end of an iteration.
    returned: Vec<State>,
    /// Edges out of the loop that a run takes.
    outside: Vec<(BlockId, BlockId, State)>,
}

impl Visited {
    pub fn note_entered(&mut self, entered: LoopId, st: &State, mode: Mode) {
        let known = self.entered.iter().filter(|(other, _)| *other == entered).count();
        if mode.is_reporting() && !st.is_dead() && st.again.is_none() && known < RUNS {
            self.entered.push((entered, st.clone()));
        }
    }
    pub fn note_left(&mut self, left: LoopId, st: &State) {
        if !st.is_dead() && st.again.is_none() {
            self.left.insert(left);
        }
    }
}

impl Executor<'_> {
    /// Whether the edge ends an iteration of a run or leaves its loop.
    pub(super) fn comes_around(&mut self, cfg: &Cfg, (from, to): (BlockId, BlockId), st: &State) -> bool {
        let Some(Again::Within(own)) = st.again else { return false };
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
            if !is_innermost || entered.blocks.len() > RUN_BLOCKS || !self.has_failed(entered) {
                continue;
            }
            let is_blocked = !self.loops.left.contains(&key);
            let again = if is_blocked { Again::BehindBlocked } else { Again::Behind };
            let outside = self.leave_by_runs(cfg, key, st, mode);
            if is_blocked {
                self.note_blocked(entered);
            }
            let mut pending = Vec::new();
            for (from, to, st) in outside {
                let st = State { again: Some(again), ..st };
                self.follow(cfg, from, to, st, &mut pending, mode)?;
            }
            self.run_pending(cfg, pending, ends, mode)?;
        }
        Ok(())
    }
    /// The edges on which runs of a few iterations leave the loop. Runs that fail in the loop are given up.
    fn leave_by_runs(
        &mut self,
        cfg: &Cfg,
        key: LoopId,
        mut st: State,
        mode: Mode,
    ) -> Vec<(BlockId, BlockId, State)> {
        // Nothing is framed: the loop is left with the heap that it is in.
        Rc::make_mut(&mut st.frames).push(Heap::default());
        (st.again, st.explores) = (Some(Again::Within(key)), false);
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
    fn has_failed(&self, entered: &Loop) -> bool {
        self.failed_invariants(entered).next().is_some()
    }
    fn failed_invariants<'s>(&'s self, entered: &'s Loop) -> impl Iterator<Item = usize> + 's {
        let failures = self.eval.memory.writer.failures().iter().enumerate();
        failures.filter_map(move |(index, failure)| {
            let property = failure.property;
            let of_invariant =
                matches!(property.error, ErrorKind::InvariantNotEstablished | ErrorKind::InvariantNotPreserved);
            let is_its = || entered.invariants.iter().any(|invariant| self.context.syntax(*invariant) == property.at);
            (of_invariant && is_its()).then_some(index)
        })
    }
    /// Says that the loop cannot be left with the invariant, so that little of what follows was checked.
    fn note_blocked(&mut self, entered: &Loop) {
        let Some(first) = self.failed_invariants(entered).next() else { return };
        self.eval.memory.writer.note_blocked(first, RUN_ITERATIONS);
    }
}
