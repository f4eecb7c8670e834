//! Conditions of assertions, as case distinctions or as terms.
//!
//! `b ==> acc(x.f)` usually splits the path: with `b` there is a chunk, without it there is none. That keeps later
//! checks simple, but `k` independent conditions make `2^k` paths. An assertion with many conditions is therefore
//! produced and consumed under guards: the path is not split, and the amount is `b ? write : none`. Both ways state
//! the same facts about the snapshot, so either can consume what the other produced.

use crate::eval::Evaluator;
use crate::eval::produce::{Giving, Item, is_split};
use crate::heap::Layer;
use crate::heap::branch::Guard;
use crate::heap::remove::Removed;
use crate::heap::single::{Amount, Demand};
use crate::limits::PATHS_OF_AN_ASSERTION;
use crate::state::{Cases, Chunk, Cx, State, Step};
use echis_program::program::{BinaryOp, ExprId, ExprKind, Location};
use echis_program::wand::text_of;
use echis_proof::{Premise, Rule};
use echis_term::TermId;
use std::collections::BTreeSet;

/// Counting paths.
impl Evaluator<'_> {
    /// Chooses how to treat the conditions of these clauses.
    pub fn cases(&self, clauses: &[ExprId]) -> Cases {
        let mut conditions = BTreeSet::new();
        let mut paths: usize = 1;
        for &clause in clauses {
            paths = paths.saturating_mul(self.paths(clause, &mut conditions));
        }
        let distinct = u32::try_from(conditions.len()).unwrap_or(u32::MAX);
        let possible = 1usize.checked_shl(distinct).unwrap_or(usize::MAX);
        if paths.min(possible) > PATHS_OF_AN_ASSERTION { Cases::Terms } else { Cases::Paths }
    }
    /// The number of paths into which an assertion splits a path if its conditions are independent.
    fn paths(&self, expr: ExprId, conditions: &mut BTreeSet<String>) -> usize {
        if self.context.is_pure(expr) {
            return 1;
        }
        match *self.context.program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.paths(left, conditions).saturating_mul(self.paths(right, conditions))
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                conditions.insert(text_of(self.context.program, condition));
                self.paths(body, conditions).saturating_add(1)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                conditions.insert(text_of(self.context.program, condition));
                self.paths(then, conditions).saturating_add(self.paths(otherwise, conditions))
            }
            ExprKind::Let { body, .. } => self.paths(body, conditions),
            _ => 1,
        }
    }
    /// Whether all parts can be produced and consumed under a guard: pure parts and amounts of single locations.
    pub fn can_be_guarded(&self, expr: ExprId) -> bool {
        if self.context.is_pure(expr) {
            return !self.context.program.any(expr, |kind| matches!(kind, ExprKind::InhaleExhale(..)));
        }
        match self.context.program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => self.can_be_guarded(*left) && self.can_be_guarded(*right),
            ExprKind::Binary(BinaryOp::Implies, _, body) => self.can_be_guarded(*body),
            ExprKind::Conditional(_, then, otherwise) => self.can_be_guarded(*then) && self.can_be_guarded(*otherwise),
            ExprKind::Acc { location: Location::Wand(_), .. } => false,
            ExprKind::Acc { amount, .. } => !matches!(self.context.program.kind(*amount), ExprKind::Wildcard),
            _ => false,
        }
    }
    /// The guard of a part that counts only if a condition has the given value. Everything behind it rests on what
    /// the condition rests on.
    fn inner_guard(&mut self, outer: Guard, condition: TermId, source: ExprId) -> Guard {
        let holds = self.memory.writer.terms().and([outer.holds, condition]);
        Guard::of(holds, self.context.syntax(source))
    }
    /// Runs `f` where the guard holds. Returns `None` if it cannot hold.
    fn guarded<T>(
        &mut self,
        st: &mut State,
        guard: Guard,
        cx: &Cx,
        f: impl FnOnce(&mut Self, &mut State) -> Step<T>,
    ) -> Step<Option<T>> {
        self.under(st, guard, cx, f)
    }
    fn unguarded(&mut self, expr: ExprId) -> Guard {
        Guard::of(self.memory.writer.terms().truth(), self.context.syntax(expr))
    }
}

/// Producing.
impl Evaluator<'_> {
    /// Produces an assertion without splitting the path.
    pub fn produce_guarded(&mut self, st: &mut State, item: Item, giving: &Giving) -> Step<()> {
        let guard = self.unguarded(item.expr);
        self.produce_under(st, item, guard, giving)
    }
    fn produce_under(&mut self, st: &mut State, item: Item, guard: Guard, giving: &Giving) -> Step<()> {
        let Item { expr, snapshot, cx, .. } = item;
        let program = self.context.program;
        if self.context.is_pure(expr) && !is_split(program.kind(expr)) {
            self.guarded(st, guard, &cx, |executor, st| executor.produce_pure(st, expr, snapshot, giving, &cx))?;
            return Ok(());
        }
        match *program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) if self.context.is_pure(expr) => {
                let unit = self.memory.writer.terms().unit();
                self.produce_under(st, Item { expr: left, snapshot: unit, ..item }, guard, giving)?;
                self.produce_under(st, Item { expr: right, snapshot: unit, ..item }, guard, giving)
            }
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let first = self.memory.writer.terms().first(snapshot);
                let second = self.memory.writer.terms().second(snapshot);
                let pair = self.memory.writer.terms().combine(first, second);
                self.assume_snapshot(st, guard.holds, snapshot, pair, &cx)?;
                self.produce_under(st, Item { expr: left, snapshot: first, ..item }, guard, giving)?;
                self.produce_under(st, Item { expr: right, snapshot: second, ..item }, guard, giving)
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                let mut premises = Vec::new();
                let value = self.condition_under(st, condition, guard, &mut premises, &cx)?;
                let Some(value) = value else { return Ok(()) };
                let then = self.inner_guard(guard, value, condition);
                self.produce_under(st, Item { expr: body, ..item }, then, &giving.resting_on(premises))?;
                let not = self.memory.writer.terms().not(value);
                let otherwise = self.inner_guard(guard, not, condition);
                let unit = self.memory.writer.terms().unit();
                self.assume_snapshot(st, otherwise.holds, snapshot, unit, &cx)
            }
            ExprKind::Conditional(condition, then_expr, else_expr) => {
                let mut premises = Vec::new();
                let value = self.condition_under(st, condition, guard, &mut premises, &cx)?;
                let Some(value) = value else { return Ok(()) };
                let giving = giving.resting_on(premises);
                let then = self.inner_guard(guard, value, condition);
                self.produce_under(st, Item { expr: then_expr, ..item }, then, &giving)?;
                let not = self.memory.writer.terms().not(value);
                let otherwise = self.inner_guard(guard, not, condition);
                self.produce_under(st, Item { expr: else_expr, ..item }, otherwise, &giving)
            }
            ExprKind::Acc { ref location, amount, .. } => {
                let mark = self.memory.writer.mark();
                let found = self.guarded(st, guard, &cx, |executor, st| {
                    let location = executor.eval_location(st, location, &cx)?;
                    let amount = executor.eval_amount(st, amount, &cx)?;
                    Ok((location, executor.scaled(st, amount, giving.scale, &cx)?))
                })?;
                let Some((location, amount)) = found else { return Ok(()) };
                let none = self.memory.writer.terms().no_perm();
                let amount = self.memory.writer.terms().ite(guard.holds, amount, none);
                let sort = self.memory.writer.value_sort(location.resource);
                let value = self.unwrap_value(st, snapshot, sort, amount, &cx)?;
                let premises = self.premises_with(giving, mark);
                let grant = self.memory.grant(st, location.resource, giving.because.clone(), &premises, &cx);
                self.memory.add_chunk(st, Chunk::at(location, amount, value, grant), &cx)?;
                self.memory.writer.release(mark);
                Ok(())
            }
            _ => unreachable!("only what can be guarded is guarded"),
        }
    }
    fn assume_snapshot(&mut self, st: &mut State, guard: TermId, snapshot: TermId, is: TermId, cx: &Cx) -> Step<()> {
        let shape = self.memory.writer.terms().eq(snapshot, is);
        let fact = self.memory.writer.terms().implies(guard, shape);
        self.memory.writer.assume_rule(st, fact, Rule::Snapshot, cx)
    }
}

/// Consuming.
impl Evaluator<'_> {
    /// Consumes an assertion without splitting the path, adding to the premises. Returns its snapshot.
    pub fn consume_guarded(
        &mut self,
        st: &mut State,
        expr: ExprId,
        scale: Option<Amount>,
        premises: &mut Vec<Premise>,
        cx: &Cx,
    ) -> Step<TermId> {
        let guard = self.unguarded(expr);
        self.consume_under(st, expr, guard, scale, premises, cx)
    }
    fn consume_under(
        &mut self,
        st: &mut State,
        expr: ExprId,
        guard: Guard,
        scale: Option<Amount>,
        premises: &mut Vec<Premise>,
        cx: &Cx,
    ) -> Step<TermId> {
        let program = self.context.program;
        let unit = self.memory.writer.terms().unit();
        if self.context.is_pure(expr) && !is_split(program.kind(expr)) {
            let check = self.guarded(st, guard, cx, |executor, st| executor.consume_pure(st, expr, cx))?;
            premises.extend(check);
            return Ok(unit);
        }
        match *program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let first = self.consume_under(st, left, guard, scale, premises, cx)?;
                let second = self.consume_under(st, right, guard, scale, premises, cx)?;
                Ok(if self.context.is_pure(expr) { unit } else { self.memory.writer.terms().combine(first, second) })
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                let Some(value) = self.condition_under(st, condition, guard, premises, cx)? else { return Ok(unit) };
                let then = self.inner_guard(guard, value, condition);
                let snapshot = self.consume_under(st, body, then, scale, premises, cx)?;
                Ok(self.memory.writer.terms().ite(value, snapshot, unit))
            }
            ExprKind::Conditional(condition, then_expr, else_expr) => {
                let Some(value) = self.condition_under(st, condition, guard, premises, cx)? else { return Ok(unit) };
                let then = self.inner_guard(guard, value, condition);
                let positive = self.consume_under(st, then_expr, then, scale, premises, cx)?;
                let not = self.memory.writer.terms().not(value);
                let otherwise = self.inner_guard(guard, not, condition);
                let negative = self.consume_under(st, else_expr, otherwise, scale, premises, cx)?;
                Ok(self.memory.writer.terms().ite(value, positive, negative))
            }
            ExprKind::Acc { ref location, location_id, amount } => {
                let mark = self.memory.writer.mark();
                let found = self.guarded(st, guard, cx, |executor, st| {
                    let location = executor.eval_location(st, location, cx)?;
                    let amount = executor.eval_amount(st, amount, cx)?;
                    Ok((location, executor.scaled(st, amount, scale.map(Amount::term), cx)?))
                })?;
                let Some((location, amount)) = found else { return Ok(unit) };
                let none = self.memory.writer.terms().no_perm();
                let amount = Amount::Exact(self.memory.writer.terms().ite(guard.holds, amount, none));
                let obligation = cx.permission(location_id);
                let Removed { snapshot, .. } = self.memory.remove(st, &Demand { location, amount, obligation }, cx)?;
                premises.extend(self.memory.writer.used_since(st.at, mark, cx));
                Ok(snapshot)
            }
            _ => unreachable!("only what can be guarded is guarded"),
        }
    }
    /// The value of a condition. What is consumed behind it rests on what was read to evaluate it.
    fn condition_under(
        &mut self,
        st: &mut State,
        condition: ExprId,
        guard: Guard,
        premises: &mut Vec<Premise>,
        cx: &Cx,
    ) -> Step<Option<TermId>> {
        let mark = self.memory.writer.mark();
        let value = self.guarded(st, guard, cx, |executor, st| executor.eval(st, condition, cx))?;
        premises.extend(self.memory.writer.used_since(st.at, mark, cx));
        Ok(value)
    }
}
