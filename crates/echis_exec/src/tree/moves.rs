//! Records how permission moves: grants, and what is taken from them.

use crate::state::{Chunk, Cx, Heap, Resource};
use crate::tree::Writer;
use crate::tree::removals::removed_by;
use echis_base::Name;
use echis_proof::{Move, Moved, NodeId};

impl Writer<'_> {
    /// Records that a fact grants permission.
    pub fn note_granted(&mut self, grant: NodeId, heap: &Heap, resource: Resource, cx: &Cx) {
        self.note_move(grant, heap, grant, Move::Granted, resource, cx);
    }
    /// Records that some or all of what is left of a chunk is taken.
    pub fn note_taken_away(&mut self, at: NodeId, heap: &Heap, chunk: &Chunk, what: Move, cx: &Cx) {
        self.note_move(at, heap, chunk.grant, what, chunk.resource, cx);
    }
    fn note_move(&mut self, at: NodeId, heap: &Heap, grant: NodeId, what: Move, resource: Resource, cx: &Cx) {
        if heap.aside || cx.mode.is_silent() {
            return;
        }
        let resource = match resource {
            Resource::Field(field) => self.context.program.fields[field].name.clone(),
            Resource::Predicate(predicate) => self.context.program.predicates[predicate].name.clone(),
            Resource::Wand(_) => Name::from("--*"),
        };
        let origin = self.tree.origin(removed_by(cx));
        self.tree.moves.push(Moved { what, grant, at, origin, resource });
    }
}
