//! `forperm` over a quantified resource.

use crate::eval::Evaluator;
use crate::eval::perm::ForPerm;
use crate::heap::Layer;
use crate::heap::branch::Guard;
use crate::heap::quantified::perms;
use crate::state::{self, Chunk, Cx, State, Step};
use crate::tree::keys::singleton;
use echis_program::program::{ExprId, ExprKind, LocalId};
use echis_term::{QuantifierRole, TermId};

impl Evaluator<'_> {
    /// Evaluates `forperm` over every held location: one conjunct per singleton, and a quantifier for the other
    /// chunks.
    pub fn quantified_forperm(&mut self, st: &mut State, forperm: &ForPerm, cx: &Cx) -> Step<TermId> {
        let (resource, patterns) = self.location_pattern(st, forperm.location)?;
        let chunks: Vec<Chunk> = st.running_heap().of(resource).map(|(_, chunk)| chunk.clone()).collect();
        let (single, many): (Vec<Chunk>, Vec<Chunk>) = chunks.into_iter().partition(|chunk| singleton(chunk).is_some());
        self.memory.writer.rest_on_removals(st, resource);
        let mut parts = Vec::new();
        for chunk in &single {
            self.memory.writer.use_grants([chunk]);
            parts.extend(self.forperm_single(st, forperm, &patterns, chunk, cx)?);
        }
        if !many.is_empty() {
            self.memory.writer.use_grants(&many);
            parts.push(self.forperm_many(st, forperm, &many, cx)?);
        }
        Ok(self.memory.writer.terms().and(parts))
    }
    fn forperm_single(
        &mut self,
        st: &mut State,
        forperm: &ForPerm,
        patterns: &[ExprId],
        chunk: &Chunk,
        cx: &Cx,
    ) -> Step<Option<TermId>> {
        let ForPerm { vars, body, .. } = *forperm;
        let Some(args) = singleton(chunk) else { return Ok(None) };
        let saved = st.variables.clone();
        let perm = self.memory.writer.perm_at(chunk, &args);
        let mut guards = vec![perms::is_some(self.memory.writer.terms(), perm)];
        let mut bound: Vec<LocalId> = Vec::new();
        for (pattern, arg) in patterns.iter().zip(args.iter()) {
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
        let guard = self.memory.writer.terms().and(guards);
        let source = self.context.syntax(body);
        let value = self.under(st, Guard::of(guard, source), cx, |executor, st| executor.eval(st, body, cx))?;
        st.variables = saved;
        Ok(value.map(|value| self.memory.writer.terms().implies(guard, value)))
    }
    fn forperm_many(&mut self, st: &mut State, forperm: &ForPerm, chunks: &[Chunk], cx: &Cx) -> Step<TermId> {
        let ForPerm { vars, location, body } = *forperm;
        let source = self.context.syntax(body);
        let ((body, triggers), symbols) = self.bind(st, vars, |executor, st, symbols| {
            let state::Location { resource, args } = executor.eval_location(st, location, cx)?;
            let perms: Vec<TermId> = chunks.iter().map(|chunk| executor.memory.writer.perm_at(chunk, &args)).collect();
            let held = perms::any_some(executor.memory.writer.terms(), &perms);
            let values: Vec<TermId> =
                chunks.iter().map(|chunk| executor.memory.writer.look_up(resource, chunk.value, &args)).collect();
            let mut triggers = executor.memory.writer.patterns(&perms, symbols);
            triggers.extend(values.into_iter().map(|value| vec![value]));
            triggers.retain(|set| executor.memory.writer.is_pattern_set(set, symbols));
            let value = executor.under(st, Guard::of(held, source), cx, |executor, st| executor.eval(st, body, cx))?;
            let value = match value {
                Some(value) => executor.memory.writer.terms().implies(held, value),
                None => executor.memory.writer.terms().truth(),
            };
            Ok(((value, triggers.clone()), triggers))
        })?;
        Ok(self.memory.writer.terms().forall(&symbols, triggers, body, QuantifierRole::Forperm))
    }
}
