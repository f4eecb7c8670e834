//! Checks that wands are self-framing: the left side must provide permission for what it reads, and the right side
//! may read what both provide. `old[lhs]` reads the left side's heap. A package needs no such check: its exploration
//! shows it, and a proof script may make more readable.

use crate::eval::Evaluator;
use crate::eval::produce::Giving;
use crate::heap::Layer;
use crate::state::{Heap, Mode, State, Step};
use echis_program::program::{ExprId, OldState};
use echis_proof::ErrorKind;
use std::rc::Rc;

impl Evaluator<'_> {
    /// Checks both sides in an empty heap, and reports what is wrong.
    pub fn check_framing(&mut self, st: &State, wand: ExprId, mode: Mode) -> Step<()> {
        let mark = self.memory.writer.mark();
        // The right side alone, or what is left of the left side with it. Both at once may be more permission than
        // there can be, which would prove anything.
        let alone = self.tentatively(mode, |executor, mode| executor.produce_sides(st, wand, false, mode)).is_some();
        let fine =
            alone || self.tentatively(mode, |executor, mode| executor.produce_sides(st, wand, true, mode)).is_some();
        if !fine {
            self.produce_sides(st, wand, true, mode)?;
        }
        self.memory.writer.release(mark);
        Ok(())
    }
    fn produce_sides(&mut self, st: &State, wand: ExprId, together: bool, mode: Mode) -> Step<()> {
        let (left, right) = self.wand_sides(wand);
        let cx = mode.cx(ErrorKind::WandNotWellformed, self.context.syntax(wand));
        let empty = st.aside_with(Heap::aside());
        for mut start in self.produce_clauses(empty, &[left], &Giving::written(), |_, _| cx)? {
            let heap = start.heap.clone();
            Rc::make_mut(&mut start.old).insert(OldState::Lhs, heap);
            if !together {
                start.heap = Heap::aside();
                start.stated.version = None;
            }
            self.produce_clauses(start, &[right], &Giving::written(), |_, _| cx)?;
        }
        Ok(())
    }
}
