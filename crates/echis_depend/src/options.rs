//! Options for explaining proofs.

use crate::minimize::Minimization;
use crate::policy::Policy;

/// What counts as a dependency.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Definition {
    /// What verification needs: the program does not verify without it.
    #[default]
    Verification,
    /// What concrete executions need.
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

/// What to look for, and with how much effort.
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
    /// Yes.
    Joined,
}

/// Whose needs to find.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Attribution {
    /// The needs of each node.
    #[default]
    PerNode,
    /// The combined needs of all goals: known needs are not sought again where others may need them too.
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
