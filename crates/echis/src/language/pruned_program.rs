//! What is left of a program that was pruned, in any language.

use echis_depend::UserId;
use echis_findings::{FileResult, FileVerdict};
use std::collections::BTreeSet;

/// A program in which only some nodes are left.
pub struct Pruned {
    /// The text of what is left.
    pub text: String,
    /// The nodes that are left.
    pub kept: BTreeSet<UserId>,
    /// Nodes among them that no dependency names, and without which the program does not verify.
    pub added: BTreeSet<UserId>,
    /// What was added are statements that tell the solver nothing new, and what they need: `assert`, which mentions terms
    /// for which quantifiers are then instantiated, and looks into predicates. Such a statement is no dependency.
    pub only_hints: bool,
    /// What verifying it found.
    pub result: FileResult,
    /// Whether it verifies, apart from errors that the whole program has too.
    pub verdict: FileVerdict,
}

impl Pruned {
    /// How many errors of the whole program it has, where it has no others.
    pub fn believed(&self) -> usize {
        if self.verdict == FileVerdict::Verified { self.result.errors.len() } else { 0 }
    }
}

/// What to do where the part that the graph names does not verify.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repair {
    /// Hand it back as it is, unless hints suffice.
    Hints,
    /// Add what is missing.
    Add,
}
