//! Records removals of permission in programs with permission introspection: without the statement that gave
//! permission away, `perm` and `forperm` would see more. Nothing else depends on removals: less permission never
//! helps to meet a demand.
//!
//! A removal has its own node and label, like a grant. A chunk that lost permission keeps the remaining amount as
//! introspection sees it, with each removal behind its label; a removed chunk stays as a shadow.

use crate::state::{Chunk, Cx, Heap, Left, Purpose, Resource, State};
use crate::tree::Writer;
use echis_proof::{Because, Move, NodeId, Origin, Part, Premise, Rule};
use echis_term::TermId;
use std::rc::Rc;

impl Writer<'_> {
    /// Reduces a chunk to an amount, or drops it.
    pub fn leave(&mut self, at: NodeId, heap: &mut Heap, index: usize, left: Option<TermId>, cx: &Cx) {
        let mut chunk = heap.chunks[index].clone();
        let what = if left.is_none() { Move::TakenAll } else { Move::Taken };
        self.note_taken_away(at, heap, &chunk, what, cx);
        if self.context.introspects && !cx.mode.is_silent() {
            let removal = self.removal(at, chunk.grant, cx);
            let (label, zero) = (self.label(removal), self.terms().no_perm());
            let (known, granted) = (self.known_amount(&chunk), self.granted_amount(&chunk));
            let taken = self.tree.terms.sub(chunk.perm, left.unwrap_or(zero));
            let taken = self.terms().ite(label, taken, zero);
            let [known, granted] = [known, granted].map(|amount| self.terms().sub(amount, taken));
            match left {
                Some(amount) => chunk.left = Some(Left { amount, known, granted }),
                None => Rc::make_mut(&mut heap.gone).push(Chunk { perm: granted, left: None, ..chunk.clone() }),
            }
        }
        match left {
            Some(perm) => heap.chunks_mut()[index] = Chunk { perm, ..chunk },
            None => drop(heap.chunks_mut().remove(index)),
        }
    }
    /// Creates the node for a removal, caused by the statement or, where a package takes what its proof script took,
    /// by the script's removals.
    fn removal(&mut self, at: NodeId, grant: NodeId, cx: &Cx) -> NodeId {
        let (truth, origin) = (self.terms().truth(), removed_by(cx));
        let removal = self.tree.assume(at, truth, Because::Written, &[], origin);
        match self.takers.get(&grant) {
            Some(takers) => {
                let premises: Vec<Premise> = takers.iter().chain([&removal]).map(|node| Premise::Fact(*node)).collect();
                self.tree.assume(removal, truth, Because::Rule(Rule::Merge), &premises, origin)
            }
            None => removal,
        }
    }
    /// Records that packaging a wand took from a chunk of a surrounding heap.
    pub fn note_taker(&mut self, at: NodeId, grant: NodeId, cx: &Cx) {
        if self.context.introspects && !cx.mode.is_silent() {
            let (truth, origin) = (self.terms().truth(), removed_by(cx));
            let taker = self.tree.assume(at, truth, Because::Written, &[], origin);
            self.takers.entry(grant).or_default().push(taker);
        }
    }
    fn granted_amount(&mut self, chunk: &Chunk) -> TermId {
        match chunk.left {
            Some(left) if left.amount == chunk.perm => left.granted,
            None if !self.is_merged(chunk) => chunk.perm,
            _ => self.known_amount(chunk),
        }
    }
    /// Adds all removals of a resource as premises, for introspection that cannot tell which ones count.
    pub fn rest_on_removals(&mut self, st: &State, resource: Resource) {
        let heap = st.running_heap();
        let left = heap.of(resource).flat_map(|(_, chunk)| self.removals(chunk));
        let gone = heap.gone_of(resource).flat_map(|chunk| self.behind(chunk.perm));
        let removals: Vec<Premise> = left.chain(gone).collect();
        removals.into_iter().for_each(|removal| self.rest_on(removal));
    }
    /// The premises needed to know how much is left of a chunk.
    pub fn removals(&self, chunk: &Chunk) -> Vec<Premise> {
        chunk.left.map(|left| self.behind(left.known)).unwrap_or_default()
    }
    /// The grants and removals that the labels in an amount stand for.
    fn behind(&self, amount: TermId) -> Vec<Premise> {
        self.labelled(amount).labels.iter().map(|(_, node)| Premise::Fact(*node)).collect()
    }
}

/// The origin of a removal: what the body of a predicate takes counts as taken by the `fold`.
pub(super) fn removed_by(cx: &Cx) -> Origin {
    let origin = cx.origin(Part::Permission);
    match cx.purpose {
        Purpose::Fold(fold) => Origin { site: Some(fold), ..origin },
        Purpose::Exchange | Purpose::GiveAway => origin,
    }
}
