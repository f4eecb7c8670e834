//! Finds conditions and amounts that are the same for every left side because they equal a value known now.
//!
//! The results are proposals. A footprint that rests on one is checked as a whole afterwards (see
//! [`package`](super)), because the possible left sides depend on the footprint itself.

use crate::exec::Executor;
use crate::limits::EQUATIONS_TRIED;
use crate::state::{Cx, State};
use echis_proof::{NodeId, Question};
use echis_term::{Op, SortId, SymbolId, TermId, TermKind};
use std::collections::{BTreeMap, BTreeSet};

impl Executor<'_> {
    /// Rewrites `value` without `var`, if it equals such a term on all these paths.
    pub fn settle(&mut self, before: NodeId, var: SymbolId, ends: &[&State], value: TermId, cx: &Cx) -> Option<TermId> {
        let equations = self.common_equations(before, var, ends);
        let mut settled = self.rewrite(value, var, &equations);
        if self.eval.memory.writer.tree.terms.is_free(var, settled) {
            let proved = self.proved_equations(before, var, ends, settled, cx);
            settled = self.rewrite(settled, var, &proved);
        }
        (!self.eval.memory.writer.tree.terms.is_free(var, settled)).then_some(settled)
    }

    /// Equations `e(var) = v` that occur on every path.
    fn common_equations(&mut self, before: NodeId, var: SymbolId, ends: &[&State]) -> BTreeMap<TermId, TermId> {
        let mut common: Option<BTreeMap<TermId, TermId>> = None;
        for end in ends {
            let found = self.equations(before, var, end.at);
            common = Some(match common {
                None => found,
                Some(common) => {
                    common.into_iter().filter(|(from, to)| found.get(from) == Some(to)).collect::<BTreeMap<_, _>>()
                }
            });
        }
        common.unwrap_or_default()
    }
    fn equations(&mut self, before: NodeId, var: SymbolId, at: NodeId) -> BTreeMap<TermId, TermId> {
        let mut equations = BTreeMap::new();
        let mut between = Vec::new();
        for node in self.eval.memory.writer.tree.path_since(before, at) {
            let Some(fact) = self.eval.memory.writer.tree.fact(node) else { continue };
            match self.eval.memory.writer.tree.terms.as_op(fact) {
                Some((Op::Eq, &[left, right])) => {
                    match (
                        self.eval.memory.writer.tree.terms.is_free(var, left),
                        self.eval.memory.writer.tree.terms.is_free(var, right),
                    ) {
                        (true, false) => {
                            equations.entry(left).or_insert(right);
                        }
                        (false, true) => {
                            equations.entry(right).or_insert(left);
                        }
                        (true, true) => between.push((left, right)),
                        (false, false) => {}
                    }
                }
                Some((Op::Not, &[operand])) if self.eval.memory.writer.tree.terms.is_free(var, operand) => {
                    let falsity = self.eval.memory.writer.terms().falsity();
                    equations.entry(operand).or_insert(falsity);
                }
                _ => {
                    if self.eval.memory.writer.tree.terms.is_free(var, fact) {
                        let truth = self.eval.memory.writer.terms().truth();
                        equations.entry(fact).or_insert(truth);
                    }
                }
            }
        }
        self.follow_equations(var, &between, &mut equations);
        equations
    }
    /// Propagates equations: if one side is determined by others, so is the other side.
    fn follow_equations(
        &mut self,
        var: SymbolId,
        between: &[(TermId, TermId)],
        equations: &mut BTreeMap<TermId, TermId>,
    ) {
        let mut known = usize::MAX;
        while known != equations.len() {
            known = equations.len();
            for &(left, right) in between {
                for (from, to) in [(left, right), (right, left)] {
                    if !equations.contains_key(&from) {
                        let to = self.rewrite(to, var, equations);
                        if !self.eval.memory.writer.tree.terms.is_free(var, to) {
                            equations.insert(from, to);
                        }
                    }
                }
            }
        }
    }
    /// For each expression in `term` that mentions `var`, a term without it that is proved equal on every path.
    fn proved_equations(
        &mut self,
        before: NodeId,
        var: SymbolId,
        ends: &[&State],
        term: TermId,
        cx: &Cx,
    ) -> BTreeMap<TermId, TermId> {
        let mut atoms = BTreeSet::new();
        self.atoms(term, var, &mut atoms);
        let mut equations = BTreeMap::new();
        for atom in atoms {
            let sort = self.eval.memory.writer.tree.terms.sort_of(atom);
            for candidate in self.candidate_values(before, var, ends, sort) {
                let equal = self.eval.memory.writer.terms().eq(atom, candidate);
                if ends.iter().all(|end| self.eval.memory.writer.quickly(end, equal, Question::Equal, cx)) {
                    equations.insert(atom, candidate);
                    break;
                }
            }
        }
        equations
    }
    /// Collects the largest subterms that mention the variable and are not connectives or arithmetic.
    fn atoms(&self, term: TermId, var: SymbolId, atoms: &mut BTreeSet<TermId>) {
        if !self.eval.memory.writer.tree.terms.is_free(var, term) {
            return;
        }
        match self.eval.memory.writer.tree.terms.kind(term) {
            TermKind::Op(
                Op::Not
                | Op::And
                | Op::Or
                | Op::Implies
                | Op::Ite
                | Op::Eq
                | Op::Distinct
                | Op::Add
                | Op::Sub
                | Op::Neg
                | Op::Mul
                | Op::Div
                | Op::Mod
                | Op::PermDiv
                | Op::ToPerm
                | Op::Lt
                | Op::Le
                | Op::Min
                | Op::Max,
                args,
            ) => args.iter().for_each(|arg| self.atoms(*arg, var, atoms)),
            TermKind::Quant(_) => {}
            _ => {
                atoms.insert(term);
            }
        }
    }
    /// Terms of the sort that occur on the paths and in the surrounding heaps, without the variable.
    fn candidate_values(&self, before: NodeId, var: SymbolId, ends: &[&State], sort: SortId) -> Vec<TermId> {
        let mut found = BTreeSet::new();
        let usable = |term: TermId| {
            let term = self.eval.memory.writer.tree.terms.term(term);
            term.sort == sort && term.free.binary_search(&var).is_err()
        };
        for end in ends {
            for level in end.levels.iter() {
                found.extend(level.heap.chunks.iter().map(|chunk| chunk.value).filter(|value| usable(*value)));
            }
            found.extend(end.variables.store().values().filter(|value| usable(*value)));
        }
        if let Some(end) = ends.first() {
            for node in self.eval.memory.writer.tree.path_since(before, end.at) {
                let Some(fact) = self.eval.memory.writer.tree.fact(node) else { continue };
                if !matches!(self.eval.memory.writer.tree.terms.kind(fact), TermKind::Quant(_)) {
                    self.eval.memory.writer.tree.terms.for_each_subterm(fact, |part| {
                        if usable(part) {
                            found.insert(part);
                        }
                    });
                }
            }
        }
        found.into_iter().take(EQUATIONS_TRIED).collect()
    }
    /// Replaces the left sides of equations in subterms that contain the variable.
    fn rewrite(&mut self, term: TermId, var: SymbolId, equations: &BTreeMap<TermId, TermId>) -> TermId {
        if !self.eval.memory.writer.tree.terms.is_free(var, term) {
            return term;
        }
        if let Some(other) = equations.get(&term) {
            return *other;
        }
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            match self.eval.memory.writer.tree.terms.kind(term).clone() {
                TermKind::App(symbol, args) => {
                    let args: Vec<TermId> = args.iter().map(|arg| self.rewrite(*arg, var, equations)).collect();
                    self.eval.memory.writer.terms().app(symbol, args)
                }
                TermKind::Op(op, args) => {
                    let args: Vec<TermId> = args.iter().map(|arg| self.rewrite(*arg, var, equations)).collect();
                    self.eval.memory.writer.terms().rebuild(op, &args)
                }
                _ => term,
            }
        })
    }
}
