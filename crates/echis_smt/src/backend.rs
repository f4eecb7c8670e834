//! The interface between a session and a solver.

use std::time::Duration;

/// A solver that reads SMT-LIB and writes answers as lines.
pub trait Backend {
    /// A new solver in place of the old one, which may be dead, hanging or in the middle of an answer.
    fn restart(&mut self) -> Result<(), Fault>;
    /// Sends commands, without waiting for the answer. At most two answers may be due.
    fn send(&mut self, commands: &str) -> Result<(), Fault>;
    /// The lines written in answer to the oldest commands whose answer is due. Takes at most `limit` of
    /// wall-clock time. After a fault the solver is useless until it is restarted.
    fn receive(&mut self, limit: Duration) -> Result<Vec<String>, Fault>;
    /// Nothing more is asked before the next restart.
    fn rest(&mut self) {}
}

/// A solver that is lent.
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

/// What can go wrong with a solver process, as opposed to an answer that is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It could not be started.
    Missing(String),
    /// It ended, or closed its streams.
    Died(String),
    /// It was killed because it took too long.
    Hung(Duration),
    /// It wrote something that is no answer.
    Garbage(String),
    /// It does not speak SMT-LIB: what it wrote when it was told its options.
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
