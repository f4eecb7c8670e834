//! Heaps: chunks of permission, and the heaps around a package that permission is taken from.

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
    /// Differs between heaps that were changed differently.
    pub version: u64,
    /// Whether it is a copy of which nothing is left: what moves there moves in no execution.
    pub aside: bool,
}

thread_local! {
    static VERSIONS: Cell<u64> = const { Cell::new(0) };
}

impl Heap {
    /// An empty one of which nothing will be left.
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
    /// Single: the value (fields), snapshot (predicates) or wand map. Many: the snapshot map.
    pub value: TermId,
    /// The fact that grants the permission; every use of the permission depends on it.
    pub grant: NodeId,
    /// What remains of it for introspection, if a part was taken that `perm` or `forperm` may ask about.
    pub left: Option<Left>,
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// The receiver or the arguments.
    Single(Rc<[TermId]>),
    Many(Rc<Quantified>),
}

/// What is known about a quantified chunk beyond its permission function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quantified {
    /// A singleton in quantified form: its arguments.
    pub singleton: Option<Rc<[TermId]>>,
    /// For a chunk that was produced: what it was then.
    pub produced: Option<Produced>,
    /// What the ordering heuristic compares: sequences, sets, function symbols of the receiver.
    pub hints: Vec<TermId>,
}

/// A quantified access as it was produced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Produced {
    /// Its map, which its triggers speak of.
    pub map: TermId,
    /// The condition on the canonical variables that a location was covered. As long as assignments are all that
    /// happened to the values, the keys of the chunk's map are these locations.
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
    /// The location of a chunk of one.
    pub fn location(&self) -> Location {
        Location::new(self.resource, self.args())
    }
    /// The arguments of a chunk of one location.
    pub fn args(&self) -> &[TermId] {
        match &self.shape {
            Shape::Single(args) => args,
            Shape::Many(many) => many.singleton.as_deref().unwrap_or_default(),
        }
    }
}

/// What is left of a chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    pub amount: TermId,
    /// The amount, if its grants and removals count.
    pub known: TermId,
    /// The amount, if its removals count: where a grant that was given away is left out, so is the removal.
    pub granted: TermId,
}

/// A heap around a package in progress.
#[derive(Clone)]
pub(crate) struct Level {
    /// As it was when the package began.
    pub heap: Heap,
    /// For each chunk, what was taken since. For a quantified chunk a function of its canonical variables, like its
    /// amount.
    pub taken: Vec<TermId>,
}

/// A point on a path of a package where something was taken. What follows may rest on what was taken, also where the
/// path then turns out to be impossible: that it is impossible may be because of what was taken.
pub(crate) struct Taking {
    pub at: NodeId,
    pub levels: Rc<Vec<Level>>,
}
