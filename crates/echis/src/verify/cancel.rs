//! When to stop: the run's time is over, or the user interrupted.

use crate::defect::Over;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Shared by everyone who works on a run. Copies mean the same run.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Cancel {
    /// Stops only when it is told to.
    pub fn never() -> Self {
        Cancel::default()
    }
    /// Stops by itself after a while; `None` only when it is told to.
    pub fn after(limit: Option<Duration>) -> Self {
        Cancel { flag: Arc::default(), deadline: limit.and_then(|limit| Instant::now().checked_add(limit)) }
    }
    /// Shares the flag, with an additional time limit.
    pub fn within(&self, limit: Duration) -> Self {
        let own = Instant::now().checked_add(limit);
        let deadline = [self.deadline, own].into_iter().flatten().min();
        Cancel { flag: self.flag.clone(), deadline }
    }
    /// Tells everyone who has a copy to stop.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }
    /// Whether a stop was requested, apart from the time limit.
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
    /// The flag alone, for those who watch it without a clock of their own.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }
    /// Whether to stop: a stop was requested, or the time is over.
    pub fn is_over(&self) -> bool {
        self.is_cancelled() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
    /// Why it is over, if it is.
    pub fn over(&self) -> Option<Over> {
        if self.is_cancelled() {
            return Some(Over::Interrupted);
        }
        self.is_over().then_some(Over::TimeOut)
    }
    /// At most `limit`, and no longer than the run may take.
    pub fn cut(&self, limit: Duration) -> Duration {
        match self.deadline {
            Some(deadline) => limit.min(deadline.saturating_duration_since(Instant::now())),
            None => limit,
        }
    }
}
