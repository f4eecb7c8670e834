//! What is looked for when proofs are explained, and how hard.

use crate::minimize::Minimization;
use crate::policy::Policy;

/// What counts as a dependency.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Definition {
    /// What verifying takes: without it the program would not verify.
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

/// What is looked for, and how hard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DependencyOptions {
    pub minimization: Minimization,
    pub definition: Definition,
    pub attribution: Attribution,
    pub callers: Callers,
    pub policy: Policy,
}

/// What the preconditions of members rest on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Callers {
    /// Nothing: they are believed.
    #[default]
    Apart,
    /// What their callers prove.
    Joined,
}

/// Whose needs are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Attribution {
    /// Those of each node.
    #[default]
    PerNode,
    /// Those of all goals together: what is known to be needed is not looked for again where others may need it too.
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
