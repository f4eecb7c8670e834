//! What there is in a tree, by key: nodes and checks. Each may rest on others.

use echis_base::key;

key!(
    /// A path condition is one of these: the facts from here to the root.
    NodeId,
    "n"
);
key!(CheckId, "c");

/// What a fact or check rests on besides the facts of its path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Premise {
    Check(CheckId),
    Fact(NodeId),
}
