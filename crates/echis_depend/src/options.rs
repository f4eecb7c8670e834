//! Options for explaining proofs.

use crate::minimize::Minimization;
use crate::policy::Policy;

/// The definition of a dependency.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Definition {
    /// A node that verification needs: the program does not verify without it.
    #[default]
    Verification,
    /// A node that concrete executions need.
    Execution,
}

impl Definition {
    pub fn name(self) -> &'static str {
        match self {
            Definition::Verification => "verification",
            Definition::Execution => "execution",
        }
    }
    pub fn parse(text: &str) -> Option<Self> {
        [Definition::Verification, Definition::Execution].into_iter().find(|definition| definition.name() == text)
    }
}

/// The kind of dependencies to find, and the effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DependencyOptions {
    pub minimization: Minimization,
    pub definition: Definition,
    pub attribution: Attribution,
    pub callers: Callers,
    pub policy: Policy,
}

/// Whether preconditions rest on the proofs of callers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Callers {
    /// No: preconditions are assumptions.
    #[default]
    Apart,
    /// Yes: preconditions depend on the proofs at all calls.
    Joined,
}

/// Whether the needs of each node matter, or only what all goals need together.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Attribution {
    /// The needs of each node.
    #[default]
    PerNode,
    /// The combined needs of all goals. Edited versions of the program follow, for which proofs are kept. In Boogie
    /// programs one question tells what all goals of a procedure need.
    Overall,
}

impl From<Minimization> for DependencyOptions {
    fn from(minimization: Minimization) -> Self {
        DependencyOptions {
            minimization,
            definition: Definition::default(),
            attribution: Attribution::default(),
            callers: Callers::default(),
            policy: Policy::USUAL,
        }
    }
}
