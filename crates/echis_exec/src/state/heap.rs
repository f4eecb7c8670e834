//! Heaps of chunks, and the heaps around a package that permission is taken from.

use echis_program::program::{FieldId, PredicateId};
use echis_proof::NodeId;
use echis_term::TermId;
use std::cell::Cell;
use std::rc::Rc;

/// The chunks of a heap in order of creation. Order decides which chunk is tried first, so it is kept stable.
#[derive(Clone, Default)]
pub(crate) struct Heap {
    pub chunks: Rc<Vec<Chunk>>,
    /// Shadows of chunks that were given away, for explaining permission introspection.
    pub gone: Rc<Vec<Chunk>>,
    /// Identifies the heap's contents: heaps that were changed differently have different versions.
    pub version: u64,
    /// Whether the heap is a discarded copy; no execution moves permission in it.
    pub aside: bool,
}

thread_local! {
    static VERSIONS: Cell<u64> = const { Cell::new(0) };
}

impl Heap {
    /// An empty heap that will be discarded.
    pub fn aside() -> Self {
        Heap { aside: true, ..Heap::default() }
    }
    pub fn of(&self, resource: Resource) -> impl Iterator<Item = (usize, &Chunk)> {
        self.chunks.iter().enumerate().filter(move |(_, chunk)| chunk.resource == resource)
    }
    pub fn gone_of(&self, resource: Resource) -> impl Iterator<Item = &Chunk> {
        self.gone.iter().filter(move |chunk| chunk.resource == resource)
    }
    pub fn push(&mut self, chunk: Chunk) {
        self.chunks_mut().push(chunk);
    }
    pub fn chunks_mut(&mut self) -> &mut Vec<Chunk> {
        self.version = VERSIONS.with(|versions| {
            versions.set(versions.get() + 1);
            versions.get()
        });
        Rc::make_mut(&mut self.chunks)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Resource {
    Field(FieldId),
    Predicate(PredicateId),
    /// The index of the wand's shape among those met in this member.
    Wand(u32),
}

/// A field of a receiver, or an instance of a predicate or wand by its arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Location {
    pub resource: Resource,
    pub args: Rc<[TermId]>,
}

impl Location {
    pub fn new(resource: Resource, args: &[TermId]) -> Self {
        Location { resource, args: args.into() }
    }
}

/// Permission to one location ([`Shape::Single`]) or to many ([`Shape::Many`]) of one resource.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub resource: Resource,
    pub shape: Shape,
    /// Single: the amount. Many: the amount at the resource's canonical variables, which are free in it.
    pub perm: TermId,
    /// Single: the value (fields), snapshot (predicates) or map (wands). Many: the snapshot map.
    pub value: TermId,
    /// The fact that grants the permission; every use of the permission depends on it.
    pub grant: NodeId,
    /// The remainder seen by introspection, if a part was removed that `perm` or `forperm` may observe.
    pub left: Option<Left>,
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// The receiver or the arguments.
    Single(Rc<[TermId]>),
    Many(Rc<Quantified>),
}

/// The properties of a quantified chunk besides its permission function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quantified {
    /// The arguments, for a singleton in quantified form.
    pub singleton: Option<Rc<[TermId]>>,
    /// The chunk as it was produced, if it was.
    pub produced: Option<Produced>,
    /// The terms compared by the ordering heuristic: sequences, sets and function symbols of the receiver.
    pub hints: Vec<TermId>,
}

/// A quantified access as it was produced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Produced {
    /// Its map, which its triggers mention.
    pub map: TermId,
    /// The condition on the canonical variables under which a location was covered. As long as values were changed
    /// only by assignments, the keys of the chunk's map are these locations.
    pub image: TermId,
    pub perm: TermId,
    pub keyed: bool,
}

impl Chunk {
    /// Permission to one location.
    pub fn at(location: Location, perm: TermId, value: TermId, grant: NodeId) -> Self {
        let Location { resource, args } = location;
        Chunk { resource, shape: Shape::Single(args), perm, value, grant, left: None }
    }
    /// The location of a single chunk.
    pub fn location(&self) -> Location {
        Location::new(self.resource, self.args())
    }
    /// The arguments of a single chunk.
    pub fn args(&self) -> &[TermId] {
        match &self.shape {
            Shape::Single(args) => args,
            Shape::Many(many) => many.singleton.as_deref().unwrap_or_default(),
        }
    }
}

/// The rest of a chunk after a removal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    pub amount: TermId,
    /// The amount, with grants and removals behind their labels.
    pub known: TermId,
    /// The amount, with removals behind labels: where a grant that was given away is left out, its removal is too.
    pub granted: TermId,
}

/// A heap around a package in progress.
#[derive(Clone)]
pub(crate) struct Level {
    /// The heap at the start of the package.
    pub heap: Heap,
    /// The amount taken from each chunk since then. For a quantified chunk, a function of its canonical variables.
    pub taken: Vec<TermId>,
}

/// A point on a package's path where permission was taken. Later steps may rest on what was taken, even on a path
/// that turns out to be infeasible: it may be infeasible because of what was taken.
pub(crate) struct Taking {
    pub at: NodeId,
    pub levels: Rc<Vec<Level>>,
}
