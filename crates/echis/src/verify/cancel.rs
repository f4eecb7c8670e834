//! When to stop: at a time limit, or when the user interrupts.

use crate::defect::Over;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A cancellation token shared by all workers of a run; clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Cancel {
    /// Stops only on request.
    pub fn never() -> Self {
        Cancel::default()
    }
    /// Stops on request and after `limit`, if given.
    pub fn after(limit: Option<Duration>) -> Self {
        Cancel { flag: Arc::default(), deadline: limit.and_then(|limit| Instant::now().checked_add(limit)) }
    }
    /// Shares the flag, with an additional time limit.
    pub fn within(&self, limit: Duration) -> Self {
        let own = Instant::now().checked_add(limit);
        let deadline = [self.deadline, own].into_iter().flatten().min();
        Cancel { flag: self.flag.clone(), deadline }
    }
    /// Requests a stop for all clones.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }
    /// Whether a stop was requested, ignoring the time limit.
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
    /// The flag alone, without the time limit.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }
    /// Whether to stop: a stop was requested, or the time limit was reached.
    pub fn is_over(&self) -> bool {
        self.is_cancelled() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
    /// The reason for stopping, if any.
    pub fn over(&self) -> Option<Over> {
        if self.is_cancelled() {
            return Some(Over::Interrupted);
        }
        self.is_over().then_some(Over::TimeOut)
    }
    /// `limit`, capped by the time that the run has left.
    pub fn cut(&self, limit: Duration) -> Duration {
        match self.deadline {
            Some(deadline) => limit.min(deadline.saturating_duration_since(Instant::now())),
            None => limit,
        }
    }
}
