//! The part of the program that a fact or check comes from.

use echis_base::{SyntaxId, key};

key!(OriginId, "o");

/// A postcondition assumed at a call has both a clause, which was written, and the call as its site.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Origin {
    pub clause: SyntaxId,
    pub site: Option<SyntaxId>,
    pub part: Part,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// A pure proposition.
    Value,
    /// That permission is held.
    Permission,
    /// The meaning of a symbol (a function's body, a defined constant).
    Definition,
    /// The guard of a branch.
    Guard,
}
