//! `apply` and `applying`: a wand and its left side for its right side.

use crate::executor::Executor;
use crate::produce::Giving;
use crate::state::{Cx, State, Step, Stop};
use echis_base::SyntaxId;
use echis_program::program::{ExprId, OldState};
use echis_proof::{ErrorKind, Rule};
use echis_term::{Op, TermId};
use std::rc::Rc;

impl Executor<'_> {
    pub fn exec_apply(&mut self, st: State, wand: ExprId, id: SyntaxId) -> Step<Vec<State>> {
        self.apply_wand(st, wand, &Cx::new(ErrorKind::Apply, id))
    }
    fn apply_wand(&mut self, mut st: State, wand: ExprId, cx: &Cx) -> Step<Vec<State>> {
        let (left, right) = self.wand_sides(wand);
        let mark = self.mark();
        let map = self.take_wand(&mut st, wand, cx)?;
        let mut premises = self.since(mark);
        let outer = st.old.get(&OldState::Lhs).cloned();
        let heap = st.heap.clone();
        Rc::make_mut(&mut st.old).insert(OldState::Lhs, heap);
        let mut ends = Vec::new();
        for mut consumed in self.consume_clauses(st, &[left], None, |_, _| *cx)? {
            // In a package, what was taken from around for the left side is part of the state before.
            Rc::make_mut(&mut consumed.st.old).insert(OldState::Lhs, consumed.whole.clone());
            premises.extend(consumed.premises);
            let applied = self.applied_mark(map, consumed.snapshot);
            match self.assume_rule(&mut consumed.st, applied, Rule::Wand, cx) {
                Err(Stop::Infeasible) => continue,
                result => result?,
            }
            let snapshot = self.terms().op(Op::ApplyWand, [map, consumed.snapshot]);
            let giving = Giving::checked(premises.clone());
            ends.extend(self.produce_from(consumed.st, &[right], snapshot, &giving, |_, _| *cx)?);
        }
        for end in &mut ends {
            let old = Rc::make_mut(&mut end.old);
            match &outer {
                Some(heap) => old.insert(OldState::Lhs, heap.clone()),
                None => old.remove(&OldState::Lhs),
            };
        }
        Ok(ends)
    }
    /// The value of `body` after the wand is applied; the state stays as it is.
    pub fn eval_applying(&mut self, st: &mut State, wand: ExprId, body: ExprId, cx: &Cx) -> Step<TermId> {
        let mut scratch = st.clone();
        scratch.rest = None;
        scratch.levels = Rc::default();
        let mut values = Vec::new();
        for mut end in self.apply_wand(scratch, wand, cx)? {
            match self.eval(&mut end, body, cx) {
                Ok(value) => values.push((end, value)),
                Err(Stop::Infeasible) => {}
                Err(stop) => return Err(stop),
            }
        }
        self.join(st, values)
    }
}
