//! The state of a failing path, for counterexamples.

use crate::executor::Executor;
use crate::state::{Heap, Resource, Shape, State};
use echis_program::program::OldState;
use echis_proof::{ChunkView, Extent, HeapState, HeapView, ResourceView, StateView};

impl Executor<'_> {
    pub fn view(&self, st: &State) -> StateView {
        let store = st.store.iter().map(|(local, term)| (self.program.locals[*local].id, *term)).collect();
        let current = self.heap_view(HeapState::Current, &st.heap);
        let old = st.old.iter().map(|(state, heap)| self.heap_view(self.heap_state(*state), heap));
        StateView { store, result: st.result, heaps: std::iter::once(current).chain(old).collect() }
    }
    fn heap_state(&self, state: OldState) -> HeapState {
        match state {
            OldState::Pre => HeapState::Old,
            OldState::Label(label) => HeapState::Label(self.program.labels[label].id),
            OldState::Lhs => HeapState::Lhs,
        }
    }
    fn heap_view(&self, state: HeapState, heap: &Heap) -> HeapView {
        let chunks = heap
            .chunks
            .iter()
            .map(|chunk| ChunkView {
                resource: self.resource_view(chunk.resource),
                extent: match &chunk.shape {
                    Shape::Single(args) => Extent::One(args.to_vec()),
                    Shape::Many(_) => Extent::Many(self.quantified.variables_of(chunk.resource)),
                },
                perm: chunk.perm,
                value: chunk.value,
            })
            .collect();
        HeapView { state, chunks }
    }
    fn resource_view(&self, resource: Resource) -> ResourceView {
        match resource {
            Resource::Field(field) => ResourceView::Field(self.program.fields[field].id),
            Resource::Predicate(predicate) => ResourceView::Predicate(self.program.predicates[predicate].id),
            Resource::Wand(_) => ResourceView::Wand(None),
        }
    }
}
