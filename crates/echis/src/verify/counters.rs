//! Statistics of a verifier.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Totals over all users of a pool.
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

/// Statistics of a [`Verifier`](crate::Verifier) since its creation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct VerifierStatistics {
    /// Solver processes started.
    pub solver_starts: usize,
    /// Members executed with a solver.
    pub executions: usize,
    /// Members executed with a solver in program variants that an analysis created.
    pub variations: usize,
    /// Members executed with stored solver answers, because others import their definitions.
    pub replays: usize,
    /// Proof trees explained.
    pub explanations: usize,
}
