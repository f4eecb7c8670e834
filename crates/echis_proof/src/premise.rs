//! The keys of a tree's entries: nodes and checks. Each may rest on others.

use echis_base::key;

key!(
    /// A node of the tree. As a path condition, it denotes the facts from here to the root.
    NodeId,
    "n"
);
key!(CheckId, "c");

/// A dependency of a fact or check besides the facts of its path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Premise {
    Check(CheckId),
    Fact(NodeId),
}
