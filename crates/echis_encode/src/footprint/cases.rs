//! Executes both cases of a condition, and joins them.

use super::{Run, greater, smaller};
use crate::encoder::{Encoder, ExprContext, Result, St};
use echis_boogie::build::{self, lambda};
use echis_program::program::ExprId;

impl Encoder<'_> {
    /// Executes both cases of a condition, or only the right one if the condition is fixed.
    pub(super) fn cases(
        &mut self,
        condition: ExprId,
        cx: &ExprContext,
        run: &mut Run,
        mut side: impl FnMut(&mut Self, bool, &mut Run) -> Result<()>,
    ) -> Result<()> {
        let fixed = self.is_fixed(condition, cx, run)?;
        let value = self.expr(condition, cx)?;
        if fixed.is_true() {
            return self.branch(&value, |encoder, taken| side(encoder, taken, run));
        }
        let [is_fixed, holds] = ["fixed", "holds"].map(|name| self.fresh(name, &build::Type::Bool));
        self.body.assign(&is_fixed, fixed);
        self.body.assign(&holds, value);
        let before = std::mem::take(&mut run.changed);
        let start = self.body.mark();
        self.under(&is_fixed.not().or(&holds), |encoder| side(encoder, true, run))?;
        let middle = self.body.mark();
        self.under(&is_fixed.not().or(holds.not()), |encoder| side(encoder, false, run))?;
        let end = self.body.mark();
        let number = self.number();
        let [saved, other] = ["saved", "other"].map(|name| self.like(run, &format!("{name}{number}.")));
        self.copy_run(run, &other);
        self.copy_run(&saved, run);
        self.body.move_to(end, middle);
        let end = self.body.mark();
        self.copy_run(run, &saved);
        self.body.move_to(end, start);
        for resource in run.changed.clone() {
            let (binders, keys) = self.key_binders(resource);
            let maps = |encoder: &mut Self, run: &Run| {
                let masks = [&run.st.mask, &run.vague, &run.taken].map(|prefix| encoder.mask(prefix, resource));
                (encoder.heap(&run.st, resource), masks, encoder.fixed_var(run, resource))
            };
            let (heap, masks, fixed) = maps(self, run);
            let (other_heap, others, other_fixed) = maps(self, &other);
            self.body.begin(is_fixed.and(&holds));
            self.body.assign(&heap, other_heap);
            for (mask, other) in masks.iter().zip(&others) {
                self.body.assign(mask, other);
            }
            self.body.assign(&fixed, &other_fixed);
            self.body.end();
            self.body.begin(is_fixed.not());
            for (position, (mask, other)) in masks.iter().zip(&others).enumerate() {
                // What is taken is the last of the masks; what is held counts the other way round.
                let (one, two) = (mask.at(&keys), other.at(&keys));
                let larger = (position == 2) == run.most;
                let merged = if larger { greater(&one, &two) } else { smaller(&one, &two) };
                self.body.assign(mask, lambda(&binders, merged));
            }
            let both = fixed.at(&keys).and(other_fixed.at(&keys));
            self.body.assign(&fixed, lambda(&binders, both));
            self.body.end();
        }
        run.changed.extend(before);
        Ok(())
    }
    /// A copy of a run with separate variables.
    pub(super) fn like(&self, run: &Run, name: &str) -> Run {
        Run {
            st: St::named(&format!("{name}dry")),
            outer: run.outer.clone(),
            vague: format!("{name}vague."),
            taken: format!("{name}taken."),
            fixed: format!("{name}fixed."),
            most: run.most,
            unsure: run.unsure,
            changed: run.changed.clone(),
            touched: run.touched.clone(),
            locals: run.locals.clone(),
            passed: run.passed.clone(),
        }
    }
    pub(super) fn copy_run(&mut self, from: &Run, to: &Run) {
        for resource in from.changed.clone() {
            let (source, target) = (self.heap_var(&from.st, resource), self.heap_var(&to.st, resource));
            self.body.assign(&target, source);
            for (from, to) in [(&from.st.mask, &to.st.mask), (&from.vague, &to.vague), (&from.taken, &to.taken)] {
                let (source, target) = (self.mask_var(from, resource), self.mask_var(to, resource));
                self.body.assign(&target, source);
            }
            let (source, target) = (self.fixed_var(from, resource), self.fixed_var(to, resource));
            self.body.assign(&target, source);
        }
    }
}
