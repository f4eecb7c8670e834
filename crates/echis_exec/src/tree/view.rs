//! The state of a failing path, for counterexamples.

use crate::state::{Heap, Noted, Resource, Shape, State, Variable};
use crate::tree::Writer;
use echis_base::SyntaxId;
use echis_program::program::{FieldId, LocalId, OldState};
use echis_proof::{ChunkView, Extent, HeapState, HeapView, ResourceView, StateView, Target, Written};
use echis_term::TermId;
use std::collections::BTreeMap;

impl Writer<'_> {
    pub fn view(&self, st: &State) -> StateView {
        let own = st.variables.own();
        let locals = own.iter().filter_map(|(variable, term)| match variable {
            Variable::Local(local) => Some((self.context.program.locals[local].id, term)),
            Variable::Result => None,
        });
        let store = locals.collect();
        let current = self.heap_view(HeapState::Current, &st.heap);
        let old = st.old.iter().map(|(state, heap)| self.heap_view(self.heap_state(*state), heap));
        let heaps: Vec<HeapView> = std::iter::once(current).chain(old).collect();
        let trace = self.written(st);
        let on_the_way = trace.iter().filter_map(|written| written.heap.as_ref());
        let mut wands = BTreeMap::new();
        for chunk in heaps.iter().chain(on_the_way).flat_map(|heap| &heap.chunks) {
            if let ResourceView::Wand(Some(wand)) = chunk.resource {
                wands.entry(wand).or_insert_with(|| self.holes(wand));
            }
        }
        StateView { store, result: own.get(Variable::Result), heaps, wands, trace }
    }
    fn heap_state(&self, state: OldState) -> HeapState {
        match state {
            OldState::Pre => HeapState::Old,
            OldState::Label(label) => HeapState::Label(self.context.program.labels[label].id),
            OldState::Lhs => HeapState::Lhs,
        }
    }
    fn heap_view(&self, state: HeapState, heap: &Heap) -> HeapView {
        // Permission assumed after an earlier failure is held in no execution.
        let chunks = heap
            .chunks
            .iter()
            .filter(|chunk| !self.is_of_recovery(chunk))
            .map(|chunk| ChunkView {
                resource: self.resource_view(chunk.resource),
                extent: match &chunk.shape {
                    Shape::Single(args) => Extent::One(args.to_vec()),
                    Shape::Many(_) => Extent::Many(self.keys.variables_of(chunk.resource)),
                },
                perm: chunk.perm,
                value: chunk.value,
            })
            .collect();
        HeapView { state, chunks }
    }
    fn resource_view(&self, resource: Resource) -> ResourceView {
        match resource {
            Resource::Field(field) => ResourceView::Field(self.context.program.fields[field].id),
            Resource::Predicate(predicate) => ResourceView::Predicate(self.context.program.predicates[predicate].id),
            Resource::Wand(shape) => {
                ResourceView::Wand(self.shapes.some_wand(shape).map(|wand| self.context.syntax(wand)))
            }
        }
    }
    /// The expressions whose values are the arguments of a wand's instances.
    fn holes(&self, wand: SyntaxId) -> Vec<SyntaxId> {
        let holes = self.shapes.holes_of(|expr| self.context.syntax(expr) == wand);
        holes.into_iter().map(|hole| self.context.syntax(hole)).collect()
    }
}

/// The trace.
impl Writer<'_> {
    fn written(&self, st: &State) -> Vec<Written> {
        let mut trace = Vec::new();
        let mut latest = st.written;
        while let Some(id) = latest {
            let noted = &self.trace.0[id];
            let heap = noted.heap.as_ref().map(|heap| self.heap_view(HeapState::Current, heap));
            trace.push(Written { heap, ..noted.written.clone() });
            latest = noted.before;
        }
        trace.reverse();
        trace
    }
    fn wrote(&mut self, st: &mut State, written: Written) {
        st.written = Some(self.trace.0.push(Noted { before: st.written, written, heap: None }));
    }
    /// Records the heap after the latest assignment's statement, except in a package, where the heap is not all that
    /// is held.
    pub fn note_heap(&mut self, st: &State) {
        if let (true, true, Some(latest)) = (self.context.options.step_heaps, st.levels.is_empty(), st.written) {
            self.trace.0[latest].heap = Some(st.heap.clone());
        }
    }
    /// Records the current values of the variables.
    pub fn note_locals(&mut self, st: &mut State, at: SyntaxId, locals: &[LocalId]) {
        for local in locals {
            if let Some(value) = st.variables.store().local(*local) {
                let target = Target::Local(self.context.program.locals[*local].id);
                self.wrote(st, Written { at, target, value, node: st.at, heap: None });
            }
        }
    }
    pub fn note_field(&mut self, st: &mut State, at: SyntaxId, receiver: TermId, field: FieldId, value: TermId) {
        let target = Target::Field { receiver, field: self.context.program.fields[field].id };
        self.wrote(st, Written { at, target, value, node: st.at, heap: None });
    }
}
