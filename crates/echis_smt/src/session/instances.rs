//! Instance counts of quantifiers, which solvers report when they forget them.

use super::{Instances, ProcessState, Session};
use crate::backend::Backend;
use crate::reply;

impl<B: Backend> Session<B> {
    /// The instance counts of the tree's quantifiers, if counted: named by their terms, or belonging to background
    /// theories. This resets the solver.
    pub fn take_instances(&mut self) -> Instances {
        if self.settings.variant.profile && self.solver == ProcessState::Used {
            let sent = self.backend.send(&self.settings.dialect.reset());
            let lines = sent.and_then(|()| self.backend.receive(self.settings.start));
            self.without_instances(lines.unwrap_or_default());
            self.solver = ProcessState::Absent;
        }
        std::mem::take(&mut self.instances)
    }
    /// Filters out and records the instance counts that the solver reports.
    pub(super) fn without_instances(&mut self, mut lines: Vec<String>) -> Vec<String> {
        if self.settings.variant.profile {
            lines.retain(|line| match reply::instances(line) {
                Some((name, found)) => {
                    self.instances.entry(name.to_string()).or_default().add(found);
                    false
                }
                None => true,
            });
        }
        lines
    }
}
