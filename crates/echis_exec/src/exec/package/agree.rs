//! Finds conditions that are the same for every left side although nothing known now tells their value. Two arbitrary
//! left sides are compared, each combined with the part of the footprint that all branches take. That part is in the
//! footprint whatever the condition is, so all left sides to which the wand can be applied are covered.

use super::Package;
use super::bound::Side;
use super::footprint::End;
use crate::eval::produce::Giving;
use crate::exec::Executor;
use crate::heap::Layer;
use crate::state::{Chunk, Heap, State, Step, Stop};
use echis_proof::{Bound, Question};
use echis_term::{SymbolId, TermId, TermKind};
use std::collections::BTreeMap;
use std::rc::Rc;

impl<'a> Executor<'a> {
    /// The common part of all branches: the least amount for each chunk.
    pub fn common_footprint(&mut self, start: &State, ends: &[End<'_>], var: SymbolId) -> Vec<Vec<TermId>> {
        let mut common = Vec::new();
        for (number, level) in start.levels.iter().enumerate() {
            let mut of_level = Vec::new();
            for index in 0..level.heap.chunks.len() {
                let mut least: Option<TermId> = None;
                for end in ends {
                    let taken = self.since_start(end.levels[number].taken[index], level.taken[index]);
                    let taken = self.bound_without(taken, var, Side::Lower, &mut |_: &mut Executor<'a>, _| None);
                    let taken = taken.unwrap_or_else(|| self.eval.memory.writer.terms().no_perm());
                    least = Some(match least {
                        Some(least) => self.eval.memory.writer.terms().min(least, taken),
                        None => taken,
                    });
                }
                of_level.push(least.unwrap_or_else(|| self.eval.memory.writer.terms().no_perm()));
            }
            common.push(of_level);
        }
        common
    }
    /// Whether a condition has the same value for any two left sides that can be combined with the chunks.
    pub fn agrees(&mut self, outer: &State, package: &Package<'_>, common: &[Chunk], value: TermId) -> bool {
        if !self.is_about_snapshot(value, package.hypothesis) {
            return false;
        }
        let snap = self.eval.memory.writer.terms().snap_sort();
        let other = self.eval.memory.writer.terms().fresh_variable("left", snap);
        self.eval.memory.wands.hypotheses.insert(other);
        let term = self.eval.memory.writer.terms().constant(other);
        let other_value =
            self.eval.memory.writer.terms().substitute(value, &BTreeMap::from([(package.hypothesis, term)]));
        let equal = self.eval.memory.writer.terms().eq(value, other_value);
        let compared = self.tentatively(package.cx.mode, |executor, mode| {
            let package = &package.within(mode);
            for first in executor.combine(outer.clone(), package, common, package.hypothesis)? {
                for second in executor.combine(first, package, common, other)? {
                    if !executor.eval.memory.writer.probe(&second, equal, Question::Equal, Bound::Quick, &package.cx) {
                        return Err(Stop::Enough);
                    }
                }
            }
            Ok(())
        });
        compared.is_some()
    }
    /// The states in which a left side with the snapshot is combined with the chunks.
    fn combine(&mut self, st: State, package: &Package<'_>, common: &[Chunk], snapshot: SymbolId) -> Step<Vec<State>> {
        let cx = package.cx;
        let mut st = self.hypothetical(&st, snapshot);
        st.heap = Heap::default();
        st.levels = Rc::default();
        st.stated.version = None;
        match self.eval.memory.add_chunks(&mut st, common, &cx) {
            Err(Stop::Infeasible) => return Ok(Vec::new()),
            result => result?,
        }
        let snapshot = self.eval.memory.writer.terms().constant(snapshot);
        let mut states = self.eval.produce_from(st, &[package.left], snapshot, &Giving::written(), |_, _| cx)?;
        for st in &mut states {
            // Chunks that overlap have the same values.
            match self.eval.memory.consolidate(st, &cx) {
                Err(Stop::Infeasible) => st.heap = Heap::default(),
                result => {
                    result?;
                }
            }
        }
        Ok(states)
    }
    /// Whether the term depends on the snapshot directly, not through symbols introduced during exploration.
    fn is_about_snapshot(&self, term: TermId, snapshot: SymbolId) -> bool {
        let mut direct = true;
        self.eval.memory.writer.tree.terms.for_each_subterm(term, |part| {
            if let TermKind::App(symbol, args) = self.eval.memory.writer.tree.terms.kind(part) {
                let made = self.eval.memory.writer.tree.terms.symbol(*symbol).role.is_fresh();
                direct &= args.is_empty() || !made || !self.eval.memory.writer.tree.terms.is_free(snapshot, part);
            }
        });
        direct
    }
}
