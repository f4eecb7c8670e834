//! The symbolic state at a failed obligation, as terms: what a counterexample gives values to.

use crate::premise::NodeId;
use echis_base::SyntaxId;
use echis_term::{SymbolId, TermId};
use std::collections::BTreeMap;

/// Variables are named by their declarations.
#[derive(Clone, Debug, Default)]
pub struct StateView {
    pub store: Vec<(SyntaxId, TermId)>,
    /// `result` of a function.
    pub result: Option<TermId>,
    /// The current heap first, then the old ones.
    pub heaps: Vec<HeapView>,
    /// For each wand that resources name: the expressions in it that an instance's arguments are values of.
    pub wands: BTreeMap<SyntaxId, Vec<SyntaxId>>,
    /// The assignments of the path, in order.
    pub trace: Vec<Written>,
}

/// A variable or a field got a value.
#[derive(Clone, Debug)]
pub struct Written {
    /// The statement, or the loop at whose head the variable is arbitrary.
    pub at: SyntaxId,
    pub target: Target,
    pub value: TermId,
    /// How far the path was then.
    pub node: NodeId,
    /// What the path held after the statement, if that was asked for and is one state.
    pub heap: Option<HeapView>,
}

/// By declarations.
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
    /// By some occurrence of a wand of that shape.
    Wand(Option<SyntaxId>),
}

#[derive(Clone, Debug)]
pub struct ChunkView {
    pub resource: ResourceView,
    pub extent: Extent,
    /// Many: over the variables of the extent.
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
