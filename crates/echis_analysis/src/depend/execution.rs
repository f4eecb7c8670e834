//! The other definition of a dependency: what concrete executions need for an assertion to hold, which is part of what
//! verifying it takes.
//!
//! Three things are told apart that the user-level graph joins. Facts of different paths: what is found only on the other
//! side of a case distinction does not count. Preconditions of a call: what rests on a postcondition rests on those preconditions
//! that its proof in the callee rests on. Parts of a predicate: what an `unfold` gives rests on what the `fold` showed for
//! the same conjunct of the body.
//!
//! All this is known once the cores are: [`Recorder`] notes them fact by fact, [`Parts`] is what it found in one member,
//! and [`join`] makes a graph of it. In that graph a node of the program stands for itself only as an assertion; as an
//! assumption it is many vertices, one for each fact that it gives.

mod groups;
mod join;
mod paths;
mod recorder;
mod spots;

pub use join::join;
pub use recorder::Recorder;

use crate::depend::nodes::UserId;
use crate::depend::policy::Policy;
use crate::depend::shrink::Effort;
use crate::depend::via::Via;
use std::collections::BTreeMap;

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
pub struct Manner {
    pub effort: Effort,
    pub definition: Definition,
    pub account: Account,
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
pub enum Account {
    /// Those of each node.
    #[default]
    Each,
    /// Those of all goals together: what is known to be needed is not looked for again where others may need it too.
    Together,
}

impl From<Effort> for Manner {
    fn from(effort: Effort) -> Self {
        Manner {
            effort,
            definition: Definition::default(),
            account: Account::default(),
            callers: Callers::default(),
            policy: Policy::USUAL,
        }
    }
}

/// What the proofs of one member need, fact by fact.
#[derive(Clone, Default, Debug)]
pub struct Parts {
    pub vertices: Vec<Vertex>,
    /// What each node of the program demands here.
    pub demands: BTreeMap<UserId, Vec<usize>>,
    /// By node, what excludes paths that were not followed and that matter to it.
    pub closed: BTreeMap<UserId, BTreeMap<UserId, Via>>,
}

/// A fact on one path, or something that is demanded on one.
#[derive(Clone, Default, Debug)]
pub struct Vertex {
    /// The node that answers for the fact.
    pub user: Option<UserId>,
    pub needs: BTreeMap<Target, Via>,
    /// Of a postcondition that a call gives: what is demanded for each precondition.
    pub by_precondition: Vec<(UserId, usize)>,
    pub postcondition: Option<UserId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A vertex of the same member.
    Here(usize),
    /// Whatever the node demands, in whatever member.
    User(UserId),
}
