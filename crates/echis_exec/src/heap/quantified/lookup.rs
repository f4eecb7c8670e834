//! Reading: values, amounts, and marks for triggers.

use crate::heap::Memory;
use crate::heap::single::Needed;
use crate::state::{Chunk, Cx, Heap, Location, Obligation, Resource, State, Step};
use crate::tree::keys::singleton;
use crate::tree::recover::Obliged;
use echis_program::program::{self, ExprId, ExprKind};
use echis_proof::{Part, Rule};
use echis_term::{Rational, TermId};

impl Memory<'_> {
    /// The value at a location that must be readable.
    pub fn quantified_lookup(
        &mut self,
        st: &mut State,
        location: &Location,
        obligation: Obligation,
        cx: &Cx,
    ) -> Step<TermId> {
        let chunks: Vec<Chunk> = st.heap.of(location.resource).map(|(_, chunk)| chunk.clone()).collect();
        if let Some(index) = self.same_singleton(&chunks, &location.args) {
            let perm = self.writer.perm_at(&chunks[index], &location.args);
            if self.writer.tree.terms.as_perm(perm).is_some_and(|amount| *amount > Rational::ZERO) {
                self.writer.use_chunk(st, &chunks[index], Some(&location.args), None, cx);
                return Ok(chunks[index].value);
            }
        }
        if cx.mode.is_silent() {
            self.writer.use_grants(&chunks);
        } else if let Obliged::Failed(lack) =
            self.hold_at(st, &Needed { location, amount: None, obligation }, &chunks, cx)?
        {
            return self.recover_read_at(st, location, &chunks, lack, cx);
        }
        match chunks.as_slice() {
            [only] => Ok(self.writer.value_at(only, &location.args)),
            _ => {
                let map = self.summarise(st, location, &chunks, cx)?;
                Ok(self.writer.look_up(location.resource, map, &location.args))
            }
        }
    }
    /// Proves that the chunks together hold the needed amount.
    #[track_caller]
    pub fn hold_at(&mut self, st: &mut State, needed: &Needed, chunks: &[Chunk], cx: &Cx) -> Step<Obliged> {
        let Needed { location, amount, obligation } = *needed;
        self.hold(st, chunks, obligation, cx, |executor, chunks| {
            let perms: Vec<TermId> =
                chunks.iter().map(|chunk| executor.writer.perm_at(chunk, &location.args)).collect();
            let held = match amount {
                Some(amount) => super::perms::suffice(executor.writer.terms(), &perms, amount),
                None => super::perms::any_some(executor.writer.terms(), &perms),
            };
            let seen = executor.seen_in(location.resource, chunks, &location.args);
            executor.writer.terms().implies(seen, held)
        })
    }
    /// The singleton whose arguments are the same terms, looking through definitions.
    pub fn same_singleton(&mut self, chunks: &[Chunk], args: &[TermId]) -> Option<usize> {
        let wanted: Vec<TermId> = args.iter().map(|arg| self.writer.peek(*arg)).collect();
        let index = chunks.iter().position(|chunk| {
            singleton(chunk)
                .is_some_and(|have| have.iter().zip(&wanted).all(|(have, want)| self.writer.peek(*have) == *want))
        })?;
        for (have, want) in singleton(&chunks[index]).into_iter().flat_map(|have| have.to_vec()).zip(args) {
            if have != *want {
                self.writer.resolve(have);
                self.writer.resolve(*want);
            }
        }
        Some(index)
    }
    /// The amount held at a location.
    pub fn quantified_perm(&mut self, st: &mut State, location: &Location, cx: &Cx) -> Step<TermId> {
        let heap = st.running_heap().clone();
        let chunks: Vec<Chunk> = heap.of(location.resource).map(|(_, chunk)| chunk.clone()).collect();
        self.writer.see_together(st, location.resource, cx);
        self.writer.rest_on_depletion(st, location.resource);
        let seen = self.seen_in(location.resource, &chunks, &location.args);
        self.writer.assume_rule(st, seen, Rule::Mark, cx)?;
        let perms: Vec<TermId> = chunks.iter().map(|chunk| self.writer.perm_at(chunk, &location.args)).collect();
        let mut sum = self.writer.terms().sum(perms);
        let mut summands = chunks;
        if st.scope.is_empty()
            && let Some(known) = self.writer.known_chunks(&heap, location.resource, cx)
        {
            let [known, counted] = known.map(|chunks| {
                let perms: Vec<TermId> =
                    chunks.iter().map(|chunk| self.writer.perm_at(chunk, &location.args)).collect();
                self.writer.terms().sum(perms)
            });
            let bounded = matches!(location.resource, Resource::Field(_))
                && self.context.amounts_matter()
                && st.levels.is_empty();
            sum = self.writer.name_held(st, sum, known, bounded.then_some(counted), cx);
            // What the name stands for rests on the grants, a bound on it does not.
            summands.clear();
        }
        if matches!(location.resource, Resource::Field(_)) && self.context.amounts_matter() {
            let one = self.writer.terms().write();
            let bounded = self.writer.terms().le(sum, one);
            self.assume_of(st, bounded, Rule::PermissionBound, &summands, Part::Permission, cx)?;
        }
        Ok(sum)
    }
    /// A heap-dependent trigger: the value in the map of the whole heap. It matches reads of the location in this
    /// heap, or in one that shares the chunk.
    pub fn quantified_mark(&mut self, st: &mut State, location: &Location, cx: &Cx) -> Step<TermId> {
        let map = self.heap_map(st, location, cx)?;
        Ok(self.writer.look_up(location.resource, map, &location.args))
    }
    fn heap_map(&mut self, st: &mut State, location: &Location, cx: &Cx) -> Step<TermId> {
        let chunks: Vec<Chunk> = st.heap.of(location.resource).map(|(_, chunk)| chunk.clone()).collect();
        self.summarise(st, location, &chunks, cx)
    }
    /// Creates the maps that a trigger mentions, in the state where they should be known. The trigger itself is
    /// evaluated in a state that is discarded.
    pub fn prepare_trigger(&mut self, st: &mut State, trigger: ExprId, cx: &Cx) -> Step<()> {
        let program = self.context.program;
        match program.kind(trigger) {
            ExprKind::Old { state, body } => match st.old.get(state).cloned() {
                Some(heap) => st.with_heap(heap, |st| self.prepare_trigger(st, *body, cx)),
                None => Ok(()),
            },
            ExprKind::TriggerLocation(program::Location::Field { field, .. }) | ExprKind::Field { field, .. } => {
                self.prepare_map(st, Resource::Field(*field), cx)
            }
            ExprKind::TriggerLocation(program::Location::Predicate { predicate, .. }) => {
                self.prepare_map(st, Resource::Predicate(*predicate), cx)
            }
            _ => Ok(()),
        }
    }
    pub fn prepare_map(&mut self, st: &mut State, resource: Resource, cx: &Cx) -> Step<()> {
        // Without chunks there is no map to define.
        if self.writer.is_quantified(resource)
            && has_chunks(&st.heap, resource)
            && let Some(keys) = self.writer.met_keys(resource)
        {
            self.heap_map(st, &Location::new(resource, &keys.terms), cx)?;
        }
        Ok(())
    }
}

fn has_chunks(heap: &Heap, resource: Resource) -> bool {
    heap.of(resource).next().is_some()
}
