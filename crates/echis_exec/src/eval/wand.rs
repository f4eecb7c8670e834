//! Magic wands.
//!
//! A wand is a resource: its [`shape`] identifies the kind of wand, the values of its heap-independent expressions
//! are its arguments, and its value is a map from the snapshot of the left side to that of the right side.
//!
//! `package` explores what happens when the wand is applied to an arbitrary left side: all branches, in one
//! hypothetical state whose unknowns are functions of the left side's snapshot ([`package`]). What the left side does
//! not provide is taken from the surrounding heaps ([`transfer`]). The amounts taken become one footprint that does
//! not depend on the left side ([`footprint`]): a case distinction is kept only if its condition is the same for
//! every left side to which the wand can be applied ([`fixed`]), otherwise the larger amount is taken.
//!
//! Facts learned during exploration hold only for left sides to which the wand is actually applied: they are stated
//! behind the mark `wand%applied(map, snapshot)`, which `apply` sets ([`apply`]).

mod apply;
mod framing;

use crate::eval::Evaluator;
use crate::eval::produce::Giving;
use crate::heap::missing::Lacking;
use crate::heap::remove::Removed;
use crate::heap::single::{Amount, Demand};
use crate::state::{Chunk, Cx, Location, Resource, State, Step};
use crate::tree::recover::Obliged;
use echis_program::program::{ExprId, ExprKind};
use echis_proof::{Because, Question};
use echis_term::{Made, Sort, SymbolRole, TermId};

impl Evaluator<'_> {
    /// The resource of a wand, and its arguments in this state.
    pub fn eval_wand_holes(&mut self, st: &mut State, wand: ExprId, cx: &Cx) -> Step<Location> {
        let shape = self.memory.writer.wand_shape(wand);
        let args = self.eval_all(st, &shape.holes, cx)?;
        Ok(Location::new(self.memory.writer.wand_resource(st, &shape), &args))
    }
    pub fn wand_pattern(&mut self, st: &mut State, wand: ExprId) -> Step<(Resource, Vec<ExprId>)> {
        let shape = self.memory.writer.wand_shape(wand);
        Ok((self.memory.writer.wand_resource(st, &shape), shape.holes.clone()))
    }
    pub fn wand_sides(&self, wand: ExprId) -> (ExprId, ExprId) {
        match self.context.program.kind(wand) {
            ExprKind::Wand { left, right } => (*left, *right),
            other => unreachable!("the typed program has a wand here, not {other:?}"),
        }
    }

    pub fn produce_wand(
        &mut self,
        st: &mut State,
        expr: ExprId,
        snapshot: TermId,
        giving: &Giving,
        cx: &Cx,
    ) -> Step<()> {
        // Framing in contracts and checks was checked where they were produced.
        if giving.because == Because::Written {
            self.check_framing(st, expr, cx.mode)?;
        }
        let mark = self.memory.writer.mark();
        let instance = self.eval_wand_holes(st, expr, cx)?;
        let sort = self.memory.writer.value_sort(instance.resource);
        let amount = self.wand_amount(st, giving.scale, cx)?;
        let map = self.unwrap_value(st, snapshot, sort, amount, cx)?;
        let premises = self.premises_with(giving, mark);
        let grant = self.memory.grant(st, instance.resource, giving.because.clone(), &premises, cx);
        self.add_wand(st, Chunk::at(instance, amount, map, grant), cx)
    }
    /// Wands cannot be split: scaling one is an error that the type checker reports.
    fn wand_amount(&mut self, st: &mut State, scale: Option<TermId>, cx: &Cx) -> Step<TermId> {
        let one = self.memory.writer.terms().write();
        self.scaled(st, one, scale, cx)
    }
    pub fn add_wand(&mut self, st: &mut State, added: Chunk, cx: &Cx) -> Step<()> {
        if self.memory.writer.is_quantified(added.resource) {
            return self.memory.add_chunk(st, added, cx);
        }
        // Two instances with the same arguments are distinct wands with their own maps.
        st.running_heap_mut().push(added);
        Ok(())
    }

    pub fn consume_wand(&mut self, st: &mut State, expr: ExprId, cx: &Cx) -> Step<TermId> {
        let map = self.take_wand(st, expr, cx)?;
        Ok(self.memory.writer.terms().wrap(map))
    }
    /// Removes one instance, which must be held, and returns its map.
    fn take_wand(&mut self, st: &mut State, expr: ExprId, cx: &Cx) -> Step<TermId> {
        let location = self.eval_wand_holes(st, expr, cx)?;
        let resource = location.resource;
        let obligation = cx.wand(self.context.syntax(expr));
        let one = self.memory.writer.terms().write();
        if self.memory.writer.is_quantified(resource) {
            let demand = Demand { location, amount: Amount::Exact(one), obligation };
            let Removed { snapshot, .. } = self.memory.remove(st, &demand, cx)?;
            let sort = self.memory.writer.terms().sort(Sort::WandMap);
            return Ok(self.memory.writer.terms().unwrap(snapshot, sort));
        }
        if !st.levels.is_empty() {
            self.memory.transfer(st, &location, Amount::Exact(one), cx)?;
        }
        let chunks = st.running_heap().chunks.clone();
        if let Some(index) = self.find_wand(st, &chunks, &location, cx) {
            self.memory.writer.use_grants([&chunks[index]]);
            self.memory.take_from(st, index, one, cx)?;
            return Ok(chunks[index].value);
        }
        let candidates = self.memory.candidates(&chunks, &location);
        let held: Vec<Chunk> = candidates.iter().map(|candidate| chunks[candidate.index].clone()).collect();
        let sum = self.memory.permission_sum(&held, &location);
        let goal = self.memory.writer.terms().le(one, sum);
        let obliged = self.memory.hold(st, &held, obligation, cx, |executor, chunks| {
            let sum = executor.permission_sum(chunks, &location);
            executor.writer.terms().le(one, sum)
        })?;
        // Removals after a failure are marked as such: a wand missing later may be missing because of them.
        let name = if matches!(obliged, Obliged::Holds(_)) { Made::Taken } else { Made::Recovered };
        let recovered = match obliged {
            Obliged::Failed(lack) => {
                let lacking = Lacking { amount: one, available: sum, candidates: &candidates, lack };
                match self.memory.recover_through_aliases(st, goal, &lacking, cx)? {
                    true => None,
                    false => Some(self.memory.recover_removal(st, &location, &lacking, cx)?),
                }
            }
            Obliged::Holds(_) => None,
        };
        let sort = self.memory.writer.value_sort(resource);
        let mut map = self.memory.writer.fresh(st, Made::Wand, sort);
        let zero = self.memory.writer.terms().no_perm();
        let mut needed = one;
        let mut amounts = Vec::new();
        for candidate in &candidates {
            let most = self.memory.writer.terms().min(candidate.perm, needed);
            let taken = self.memory.writer.terms().ite(candidate.equal, most, zero);
            let taken = self.memory.named_amount(st, name, taken, candidate.grant, cx);
            needed = self.memory.writer.terms().sub(needed, taken);
            amounts.push(taken);
        }
        for (candidate, taken) in candidates.iter().zip(&amounts).rev() {
            let here = self.memory.writer.terms().positive(*taken);
            map = self.memory.writer.terms().ite(here, candidate.value, map);
            self.memory.take_from(st, candidate.index, *taken, cx)?;
        }
        Ok(recovered.unwrap_or(map))
    }
    /// An instance with these arguments that is definitely held.
    fn find_wand(&mut self, st: &State, chunks: &[Chunk], location: &Location, cx: &Cx) -> Option<usize> {
        let one = self.memory.writer.terms().write();
        for (index, chunk) in chunks.iter().enumerate() {
            if chunk.resource == location.resource {
                let equal = self.memory.writer.tree.terms.eq_all(chunk.args(), &location.args);
                let whole = self.memory.writer.tree.terms.le(one, chunk.perm);
                let both = self.memory.writer.terms().and([equal, whole]);
                if self.memory.writer.quickly(st, both, Question::Alias, cx) {
                    return Some(index);
                }
            }
        }
        None
    }

    /// `wand%applied(map, snapshot)`: the wand was applied to a left side with this snapshot.
    pub fn applied_mark(&mut self, map: TermId, snapshot: TermId) -> TermId {
        let wand_map = self.memory.writer.terms().sort(Sort::WandMap);
        let snap = self.memory.writer.terms().snap_sort();
        let bool_sort = self.memory.writer.terms().bool_sort();
        let symbol = self.memory.writer.terms().declare(SymbolRole::WandApplied, [wand_map, snap], bool_sort);
        self.memory.writer.terms().app(symbol, [map, snapshot])
    }
}
