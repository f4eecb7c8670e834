//! Starts, resets and releases a session's solver.

use super::{ProcessState, Session, is_answer_to_option};
use crate::backend::{Backend, Fault};
use crate::reply;
use crate::settings::{PRELUDE, Settings};

impl<B: Backend> Session<B> {
    /// Starts the solver without waiting for it, so that it is ready for the first question. Faults show at that
    /// question.
    pub fn start(&mut self) {
        if self.solver == ProcessState::Absent {
            let _ = self.restart();
        }
    }
    /// Ends the session and releases its solver.
    pub fn end(mut self) {
        if self.solver != ProcessState::Greeted || self.await_greeting().is_ok() {
            self.backend.rest();
        }
    }
    pub(super) fn restart(&mut self) -> Result<(), Fault> {
        self.restart_with("")
    }
    /// Provides an empty solver. One with the usual options is reset instead of restarted.
    pub(super) fn renew(&mut self, options: &str) -> Result<(), Fault> {
        match self.solver {
            ProcessState::Used | ProcessState::Astray if options.is_empty() && !self.settings.variant.profile => {
                self.forget_solver_state();
                let reset = self.settings.dialect.reset();
                self.greet(&reset, "").or_else(|_| self.restart())
            }
            _ => self.restart_with(options),
        }
    }
    /// Provides a solver for the facts of the trail.
    pub(super) fn ready(&mut self) -> Result<(), Fault> {
        match self.solver {
            ProcessState::Absent => self.restart(),
            ProcessState::Astray => self.renew(""),
            ProcessState::Greeted | ProcessState::Used => Ok(()),
        }
    }
    fn restart_with(&mut self, options: &str) -> Result<(), Fault> {
        self.forget_solver_state();
        self.solver = ProcessState::Absent;
        self.statistics.restarts += 1;
        self.backend.restart()?;
        self.greet("", options)
    }
    pub(super) fn greet(&mut self, first: &str, last: &str) -> Result<(), Fault> {
        self.solver = ProcessState::Absent;
        let Settings { dialect, variant, .. } = self.settings;
        let eager = if self.eager { dialect.eager } else { "" };
        let cores = if self.names.is_some() { dialect.cores } else { "" };
        self.backend
            .send(&[first, dialect.options, &variant.options(dialect), eager, cores, last, PRELUDE].concat())?;
        self.solver = ProcessState::Greeted;
        Ok(())
    }
    /// Sends the options again, because they have changed: some count only if they precede all declarations. The
    /// response to the first ones is read before, since it would be taken for that to the next question.
    pub(super) fn greet_again(&mut self) {
        let is_heard = match self.solver {
            ProcessState::Absent => return,
            ProcessState::Greeted => self.await_greeting().is_ok(),
            ProcessState::Used | ProcessState::Astray => true,
        };
        self.forget_solver_state();
        if !is_heard || self.greet(&self.settings.dialect.reset(), "").is_err() {
            self.solver = ProcessState::Absent;
        }
    }
    /// Reads the response to the options. Solvers may reject unknown options one by one; any other output means that
    /// it is not a solver.
    pub(super) fn await_greeting(&mut self) -> Result<(), Fault> {
        let lines = self.backend.receive(self.settings.start)?;
        let lines = self.without_instances(lines);
        match lines.into_iter().find(|line| !is_answer_to_option(line)) {
            Some(line) => Err(Fault::Stranger(reply::shorten(&line))),
            None => Ok(()),
        }
    }
}
