//! What a verifier has done so far.

use std::sync::atomic::{AtomicUsize, Ordering};

/// What was done, in all, by all who share a pool.
#[derive(Default)]
pub(crate) struct Counters {
    pub solver_starts: AtomicUsize,
    pub executions: AtomicUsize,
    pub variations: AtomicUsize,
    pub replays: AtomicUsize,
    pub explanations: AtomicUsize,
}

impl Counters {
    pub fn count(counter: &AtomicUsize) {
        counter.fetch_add(1, Ordering::Relaxed);
    }
    pub fn statistics(&self) -> VerifierStatistics {
        let read = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        VerifierStatistics {
            solver_starts: read(&self.solver_starts),
            executions: read(&self.executions),
            variations: read(&self.variations),
            replays: read(&self.replays),
            explanations: read(&self.explanations),
        }
    }
}

/// What a [`Verifier`](crate::Verifier) has done since it was made.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct VerifierStatistics {
    /// Solver processes started.
    pub solver_starts: usize,
    /// Members executed with a solver.
    pub executions: usize,
    /// Members executed with a solver in programs that an analysis made, to see whether something is needed.
    pub variations: usize,
    /// Members executed with answers that the solver gave before, because others import what they define.
    pub replays: usize,
    /// Proof trees explained.
    pub explanations: usize,
}
