//! A pruned program, in any language.

use echis_depend::UserId;
use echis_findings::{FileResult, FileVerdict};
use std::collections::BTreeSet;

/// A program reduced to some of its nodes.
pub struct Pruned {
    /// The remaining text.
    pub text: String,
    /// The remaining nodes.
    pub kept: BTreeSet<UserId>,
    /// The nodes among them that are not dependencies, but without which the program does not verify.
    pub added: BTreeSet<UserId>,
    /// Whether only hints were added, with what they need: statements that give the solver no new facts, such as
    /// `assert`, which mentions terms that trigger quantifiers, and unused `unfolding` expressions. A hint is not a
    /// dependency.
    pub only_hints: bool,
    /// The result of verifying it.
    pub result: FileResult,
    /// Whether it verifies, apart from errors of the whole program.
    pub verdict: FileVerdict,
}

impl Pruned {
    /// The number of errors shared with the whole program, if it has no others.
    pub fn believed(&self) -> usize {
        if self.verdict == FileVerdict::Verified { self.result.errors.len() } else { 0 }
    }
}

/// The action if the part named by the graph does not verify.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repair {
    /// Return it as it is, unless hints suffice.
    Hints,
    /// Add the missing parts.
    Add,
}
