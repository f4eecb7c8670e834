//! A pruned program, in any language.

use echis_base::Name;
use echis_depend::{UserId, View, ViewNode};
use echis_findings::{FileResult, FileVerdict, Finding};
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
    /// Whether measures of functions were kept, since they guide how far definitions are unrolled.
    pub measures: bool,
    /// The result of verifying it.
    pub result: FileResult,
    /// Whether it verifies, apart from errors of the whole program.
    pub verdict: FileVerdict,
}

impl Pruned {
    /// The dropped nodes of failing members, or else all.
    pub(crate) fn missing(&self, view: &View) -> Vec<UserId> {
        let near = self.dropped_where_it_fails(view);
        if near.is_empty() { self.dropped(view).map(|node| node.id).collect() } else { near }
    }
    pub(crate) fn dropped_where_it_fails(&self, view: &View) -> Vec<UserId> {
        let failing = self.result.members.iter().filter(|found| found.verdict != FileVerdict::Verified);
        let failing: BTreeSet<&Name> = failing.map(|found| &found.name).collect();
        self.dropped(view).filter(|node| failing.contains(&node.member)).map(|node| node.id).collect()
    }
    fn dropped<'v>(&self, view: &'v View) -> impl Iterator<Item = &'v ViewNode> {
        view.nodes.iter().filter(|node| !self.kept.contains(&node.id))
    }
    /// The number of errors shared with the whole program, if it has no others.
    pub fn believed(&self) -> usize {
        if self.verdict == FileVerdict::Verified { self.result.errors.len() } else { 0 }
    }
}

/// Whether all errors of a pruned program are errors of the whole one. `is_same` compares a new error with an old one.
pub(crate) fn fails_as_before(
    result: &FileResult,
    before: &FileResult,
    is_same: impl Fn(&Finding, &Finding) -> bool,
) -> bool {
    matches!(result.verdict, FileVerdict::Failed | FileVerdict::Undecided)
        && result.stopped.is_empty()
        && result.errors.iter().all(|error| before.errors.iter().any(|known| is_same(error, known)))
}

/// The action if the part named by the graph does not verify.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repair {
    /// Return it as it is, unless hints suffice.
    Hints,
    /// Add the missing parts.
    Add,
}
