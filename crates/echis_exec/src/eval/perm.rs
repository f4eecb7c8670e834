//! Permission introspection: `perm` and `forperm` see what is left of the heap.

use crate::eval::Evaluator;
use crate::heap::Layer;
use crate::heap::branch::Guard;
use crate::state::{Chunk, Cx, Resource, State, Step};
use echis_program::program::{ExprId, ExprKind, LocalId, Location};
use echis_proof::{Part, Rule};
use echis_term::TermId;

/// `forperm vars [location] :: body`
pub(crate) struct ForPerm<'e> {
    pub vars: &'e [LocalId],
    pub location: &'e Location,
    pub body: ExprId,
}

impl Evaluator<'_> {
    pub fn eval_perm(&mut self, st: &mut State, location: &Location, cx: &Cx) -> Step<TermId> {
        let location = self.eval_location(st, location, cx)?;
        let resource = location.resource;
        if self.memory.writer.is_quantified(resource) {
            return self.memory.quantified_perm(st, &location, cx);
        }
        let heap = st.running_heap().clone();
        self.memory.writer.see_together(st, resource, cx);
        self.memory.writer.rest_on_depletion(st, resource);
        let mut sum = self.memory.permission_sum(&heap.chunks, &location);
        let bounded = matches!(resource, Resource::Field(_)) && self.context.amounts_matter();
        let mut summands: Vec<Chunk> = heap.of(resource).map(|(_, chunk)| chunk.clone()).collect();
        if st.scope.is_empty()
            && let Some(known) = self.memory.writer.known_chunks(&heap, resource, cx)
        {
            let [known, counted] = known.map(|chunks| self.memory.permission_sum(&chunks, &location));
            let bounded = bounded && st.levels.is_empty();
            sum = self.memory.writer.name_held(st, sum, known, bounded.then_some(counted), cx);
            // What the name stands for rests on the grants, a bound on it does not.
            summands.clear();
        }
        if bounded && st.phase.rest().is_none() {
            let one = self.memory.writer.terms().write();
            let bounded = self.memory.writer.terms().le(sum, one);
            self.memory.assume_of(st, bounded, Rule::PermissionBound, &summands, Part::Permission, cx)?;
        }
        Ok(sum)
    }
    /// Evaluates `forperm` over every held instance of the resource. For single chunks it is a conjunction.
    pub fn eval_forperm(&mut self, st: &mut State, forperm: &ForPerm, cx: &Cx) -> Step<TermId> {
        let ForPerm { vars, location, body } = *forperm;
        let (resource, patterns) = self.location_pattern(st, location)?;
        if self.memory.writer.is_quantified(resource) {
            return self.quantified_forperm(st, forperm, cx);
        }
        let chunks = st.running_heap().chunks.clone();
        self.memory.writer.rest_on_removals(st, resource);
        let mut conjuncts = Vec::new();
        for chunk in chunks.iter().filter(|chunk| chunk.resource == resource) {
            let saved = st.variables.clone();
            let mut guards = vec![self.memory.writer.terms().positive(chunk.perm)];
            let mut bound = Vec::new();
            for (pattern, arg) in patterns.iter().zip(chunk.args()) {
                match self.context.program.kind(*pattern) {
                    ExprKind::Local(local) if vars.contains(local) && !bound.contains(local) => {
                        bound.push(*local);
                        st.set(*local, *arg);
                    }
                    _ => {
                        let value = self.eval(st, *pattern, cx)?;
                        guards.push(self.memory.writer.tree.terms.eq(value, *arg));
                    }
                }
            }
            self.memory.writer.use_grants([chunk]);
            let guard = self.memory.writer.terms().and(guards);
            let source = self.context.syntax(body);
            let value = self.under(st, Guard::of(guard, source), cx, |executor, st| executor.eval(st, body, cx))?;
            st.variables = saved;
            if let Some(value) = value {
                conjuncts.push(self.memory.writer.terms().implies(guard, value));
            }
        }
        Ok(self.memory.writer.terms().and(conjuncts))
    }
    /// The resource and the argument expressions of a location.
    pub fn location_pattern(&mut self, st: &mut State, location: &Location) -> Step<(Resource, Vec<ExprId>)> {
        match location {
            Location::Field { receiver, field } => Ok((Resource::Field(*field), vec![*receiver])),
            Location::Predicate { predicate, args } => Ok((Resource::Predicate(*predicate), args.clone())),
            Location::Wand(wand) => self.wand_pattern(st, *wand),
        }
    }
}
