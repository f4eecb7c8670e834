//! `apply` and `applying`: exchange a wand and its left side for its right side.

use crate::eval::Evaluator;
use crate::eval::produce::Giving;
use crate::state::{Chunk, Cx, Mode, State, Step, Stop};
use echis_base::SyntaxId;
use echis_program::program::{ExprId, OldState};
use echis_proof::{Because, ErrorKind, Rule};
use echis_term::{Op, TermId};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Evaluator<'_> {
    pub fn exec_apply(&mut self, st: State, wand: ExprId, id: SyntaxId, mode: Mode) -> Step<Vec<State>> {
        self.apply_wand(st, wand, Because::Checked, &mode.cx(ErrorKind::Apply, id))
    }
    fn apply_wand(&mut self, mut st: State, wand: ExprId, because: Because, cx: &Cx) -> Step<Vec<State>> {
        let cx = &cx.within(cx.mode.held());
        let (left, right) = self.wand_sides(wand);
        let mark = self.memory.writer.mark();
        let map = self.take_wand(&mut st, wand, cx)?;
        let mut premises = self.memory.writer.since(mark);
        let outer = st.old.get(&OldState::Lhs).cloned();
        let heap = st.heap.clone();
        Rc::make_mut(&mut st.old).insert(OldState::Lhs, heap);
        let mut ends = Vec::new();
        let kept = Cx { purpose: cx.purpose.keeping_snapshots(), ..*cx };
        for mut consumed in self.consume_clauses(st, &[left], None, |_, _| kept)? {
            // In a package, what was taken from the surrounding heaps for the left side belongs to the state before.
            Rc::make_mut(&mut consumed.st.old).insert(OldState::Lhs, consumed.whole.clone());
            premises.extend(consumed.premises);
            let applied = self.applied_mark(map, consumed.snapshot);
            match self.memory.writer.assume_rule(&mut consumed.st, applied, Rule::Wand, cx) {
                Err(Stop::Infeasible) => continue,
                result => result?,
            }
            let snapshot = self.memory.writer.terms().op(Op::ApplyWand, [map, consumed.snapshot]);
            let giving = Giving { because: because.clone(), ..Giving::checked(premises.clone()) };
            for mut end in self.produce_from(consumed.st, &[right], snapshot, &giving, |_, _| *cx)? {
                match self.return_surplus(&mut end, map, consumed.snapshot, cx) {
                    Err(Stop::Infeasible) => {}
                    result => result.map(|()| ends.push(end))?,
                }
            }
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
    /// Returns what the wand's footprint holds beyond the right side.
    fn return_surplus(&mut self, st: &mut State, map: TermId, left: TermId, cx: &Cx) -> Step<()> {
        let Some(surplus) = self.memory.wands.surplus.get(&map).cloned() else { return Ok(()) };
        let actual = BTreeMap::from([(surplus.hypothesis, left)]);
        let mut chunks = Vec::new();
        for chunk in &surplus.chunks {
            let perm = self.memory.writer.terms().substitute(chunk.perm, &actual);
            if !self.memory.writer.tree.terms.is_zero(perm) {
                chunks.push(Chunk { perm, left: None, ..chunk.clone() });
            }
        }
        self.memory.add_chunks(st, &chunks, cx)
    }
    /// The value of `body` after applying the wand; the state is unchanged.
    pub fn eval_applying(&mut self, st: &mut State, wand: ExprId, body: ExprId, cx: &Cx) -> Step<TermId> {
        let mut values = Vec::new();
        for mut end in self.apply_wand(st.aside(), wand, Because::Rule(Rule::Kept), cx)? {
            match self.eval(&mut end, body, cx) {
                Ok(value) => values.push((end, value)),
                Err(Stop::Infeasible) => {}
                Err(stop) => return Err(stop),
            }
        }
        self.memory.join(st, values)
    }
}
