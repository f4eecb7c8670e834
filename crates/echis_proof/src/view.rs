//! The symbolic state at a failed obligation, as terms, to which a counterexample gives values.

use crate::premise::NodeId;
use echis_base::SyntaxId;
use echis_term::{SymbolId, TermId};
use std::collections::BTreeMap;

/// A symbolic state. Variables are identified by their declarations.
#[derive(Clone, Debug, Default)]
pub struct StateView {
    pub store: Vec<(SyntaxId, TermId)>,
    /// `result` of a function.
    pub result: Option<TermId>,
    /// The current heap first, then the old ones.
    pub heaps: Vec<HeapView>,
    /// For each wand among the resources: the expressions whose values are an instance's arguments.
    pub wands: BTreeMap<SyntaxId, Vec<SyntaxId>>,
    /// The assignments of the path, in order.
    pub trace: Vec<Written>,
}

/// An assignment to a variable or a field.
#[derive(Clone, Debug)]
pub struct Written {
    /// The statement, or the loop at whose head the variable is havocked.
    pub at: SyntaxId,
    pub target: Target,
    pub value: TermId,
    /// The node of the path at the time.
    pub node: NodeId,
    /// The heap after the statement, if requested and unique.
    pub heap: Option<HeapView>,
}

/// Identified by declaration.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    Local(SyntaxId),
    Field { receiver: TermId, field: SyntaxId },
}

#[derive(Clone, Debug)]
pub struct HeapView {
    pub state: HeapState,
    pub chunks: Vec<ChunkView>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HeapState {
    Current,
    /// At the member's entry.
    Old,
    /// At a label, by its declaration.
    Label(SyntaxId),
    /// The left-hand side of a wand.
    Lhs,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ResourceView {
    /// By declaration.
    Field(SyntaxId),
    Predicate(SyntaxId),
    /// Identified by some occurrence of a wand of that shape.
    Wand(Option<SyntaxId>),
}

#[derive(Clone, Debug)]
pub struct ChunkView {
    pub resource: ResourceView,
    pub extent: Extent,
    /// Many: a function of the variables of the extent.
    pub perm: TermId,
    /// One: the value, snapshot or wand map. Many: the snapshot map.
    pub value: TermId,
}

#[derive(Clone, Debug)]
pub enum Extent {
    /// The receiver or the arguments.
    One(Vec<TermId>),
    Many(Vec<SymbolId>),
}
