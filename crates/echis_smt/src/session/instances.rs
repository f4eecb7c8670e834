//! How often quantifiers were instantiated, as solvers tell when they forget them.

use super::{Instances, ProcessState, Session};
use crate::backend::Backend;
use crate::reply;

impl<B: Backend> Session<B> {
    /// The quantifiers of the tree with how often they were instantiated, where that is counted: those that the solver
    /// named, by their terms, and those of background theories. The solver forgets everything.
    pub fn take_instances(&mut self) -> Instances {
        if self.settings.variant.profile && self.solver == ProcessState::Used {
            let sent = self.backend.send(&self.settings.dialect.reset());
            let lines = sent.and_then(|()| self.backend.receive(self.settings.start));
            self.without_instances(lines.unwrap_or_default());
            self.solver = ProcessState::Absent;
        }
        std::mem::take(&mut self.instances)
    }
    /// Takes notes of what the solver tells about quantifiers whenever it forgets them.
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
