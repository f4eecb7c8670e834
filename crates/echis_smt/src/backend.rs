//! The interface between a session and a solver.

use std::time::Duration;

/// A solver that reads SMT-LIB and writes answers as lines.
pub trait Backend {
    /// Replaces the solver, which may be dead, hanging or in the middle of an answer, by a new one.
    fn restart(&mut self) -> Result<(), Fault>;
    /// Sends commands without waiting for the answer. At most two answers may be outstanding.
    fn send(&mut self, commands: &str) -> Result<(), Fault>;
    /// Receives the lines of the oldest outstanding answer, within `limit` of wall-clock time. After a fault the
    /// solver is unusable until restarted.
    fn receive(&mut self, limit: Duration) -> Result<Vec<String>, Fault>;
    /// Announces that nothing is sent before the next restart.
    fn rest(&mut self) {}
}

/// A borrowed solver.
impl<B: Backend> Backend for &mut B {
    fn restart(&mut self) -> Result<(), Fault> {
        (**self).restart()
    }
    fn send(&mut self, commands: &str) -> Result<(), Fault> {
        (**self).send(commands)
    }
    fn receive(&mut self, limit: Duration) -> Result<Vec<String>, Fault> {
        (**self).receive(limit)
    }
    fn rest(&mut self) {
        (**self).rest();
    }
}

/// A failure of the solver process, as opposed to an unknown answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It could not be started.
    Missing(String),
    /// It exited or closed its streams.
    Died(String),
    /// It was killed at the time limit.
    Hung(Duration),
    /// Its output is not an answer.
    Garbage(String),
    /// It is not an SMT-LIB solver; with its output in response to the options.
    Stranger(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Missing(reason) => write!(f, "the solver could not be started: {reason}"),
            Fault::Died(reason) => write!(f, "the solver stopped: {reason}"),
            Fault::Hung(limit) => write!(f, "the solver was killed after {} s without an answer", limit.as_secs_f64()),
            Fault::Stranger(text) => write!(f, "the solver is none: told its options, it answered with {text:?}"),
            Fault::Garbage(text) => write!(f, "the solver answered with {text:?}"),
        }
    }
}

impl std::error::Error for Fault {}
