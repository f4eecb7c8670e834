//! Executes both cases of a condition, and joins them.

use super::{Run, greater, smaller};
use crate::encoder::{Encoder, ExprContext, Result, St};
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
        let text = self.expr(condition, cx)?;
        if fixed == "true" {
            return self.branch(&text, |encoder, taken| side(encoder, taken, run));
        }
        let [is_fixed, holds] = ["fixed", "holds"].map(|name| self.fresh(name, "bool"));
        self.body.line(format!("{is_fixed} := {fixed};"));
        self.body.line(format!("{holds} := {text};"));
        let before = std::mem::take(&mut run.changed);
        let start = self.body.mark();
        self.under(&format!("!{is_fixed} || {holds}"), |encoder| side(encoder, true, run))?;
        let middle = self.body.mark();
        self.under(&format!("!{is_fixed} || !{holds}"), |encoder| side(encoder, false, run))?;
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
            self.body.begin(&format!("if ({is_fixed} && {holds})"));
            self.body.line(format!("{heap} := {other_heap};"));
            for (mask, other) in masks.iter().zip(&others) {
                self.body.line(format!("{mask} := {other};"));
            }
            self.body.line(format!("{fixed} := {other_fixed};"));
            self.body.end();
            self.body.begin(&format!("if (!{is_fixed})"));
            for (position, (mask, other)) in masks.iter().zip(&others).enumerate() {
                // The last mask contains what is taken; what is held is joined in the opposite direction.
                let (one, two) = (format!("{mask}[{keys}]"), format!("{other}[{keys}]"));
                let larger = (position == 2) == run.most;
                let merged = if larger { greater(&one, &two) } else { smaller(&one, &two) };
                self.body.line(format!("{mask} := (lambda {binders} :: {merged});"));
            }
            self.body.line(format!("{fixed} := (lambda {binders} :: {fixed}[{keys}] && {other_fixed}[{keys}]);"));
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
            self.body.line(format!("{target} := {source};"));
            for (from, to) in [(&from.st.mask, &to.st.mask), (&from.vague, &to.vague), (&from.taken, &to.taken)] {
                let (source, target) = (self.mask_var(from, resource), self.mask_var(to, resource));
                self.body.line(format!("{target} := {source};"));
            }
            let (source, target) = (self.fixed_var(from, resource), self.fixed_var(to, resource));
            self.body.line(format!("{target} := {source};"));
        }
    }
}
