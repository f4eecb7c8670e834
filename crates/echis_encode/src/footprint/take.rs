//! Taking permission in a dry run, from the outer state if necessary.

use super::{Run, Taking, greater, smaller};
use crate::assertion::scaled;
use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result};
use crate::write::{one, zero};
use echis_boogie::build::{self, Expr, conditional};
use echis_program::program::{BinaryOp, ExprId, ExprKind};

impl Encoder<'_> {
    pub(super) fn demand(&mut self, expr: ExprId, cx: &ExprContext, how: Taking<'_>, run: &mut Run) -> Result<()> {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.demand_kind(expr, cx, how, run))
    }
    pub(super) fn demand_kind(&mut self, expr: ExprId, cx: &ExprContext, how: Taking<'_>, run: &mut Run) -> Result<()> {
        let program = self.program;
        if program.is_pure(expr) {
            return Ok(());
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.demand(*left, cx, how, run)?;
                self.demand(*right, cx, how, run)
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                self.cases(*condition, cx, run, |encoder, taken, run| match taken {
                    true => encoder.demand(*body, cx, how, run),
                    false => Ok(()),
                })
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.cases(*condition, cx, run, |encoder, taken, run| {
                    encoder.demand(if taken { *then } else { *otherwise }, cx, how, run)
                })
            }
            ExprKind::InhaleExhale(assumed, checked) => {
                self.demand(if cx.assumed { *assumed } else { *checked }, cx, how, run)
            }
            ExprKind::Let { var, value, body } => {
                let fixed = self.is_fixed(*value, cx, run)?;
                run.locals.insert(*var, fixed);
                let inner = self.bind(*var, *value, cx)?;
                self.demand(*body, &inner, how, run)
            }
            ExprKind::Acc { location, amount, .. } => {
                let located = self.all_fixed(&location.parts(), cx, run)?;
                let place = self.place(location, cx)?;
                let wildcard = matches!(program.kind(*amount), ExprKind::Wildcard);
                let amount = self.amount(*amount, run.most, cx, run)?;
                let amount = scaled(&amount, how.scale);
                self.get(&place, &amount, wildcard, &located, how, run);
                Ok(())
            }
            ExprKind::Wand { .. } => {
                let holes = self.wand(expr).holes.clone();
                let located = self.all_fixed(&holes, cx, run)?;
                let place = self.wand_place(expr, cx)?;
                self.get(&place, &one(), false, &located, how, run);
                Ok(())
            }
            ExprKind::ForallAcc { .. } => self.get_all(expr, cx, how, run),
            _ => Ok(()),
        }
    }
    pub(super) fn get(
        &mut self,
        place: &ResourceInstance,
        amount: &Expr,
        wildcard: bool,
        located: &Expr,
        how: Taking<'_>,
        run: &mut Run,
    ) {
        run.changed.insert(place.resource);
        run.touched.insert(place.resource);
        let [held, vague, taken, outer] =
            [&run.st.mask, &run.vague, &run.taken, &run.outer.mask].map(|mask| self.amount_at(mask, place));
        self.mask_var(&run.taken, place.resource);
        let known = self.value_fixed(place, run);
        let [needed, got] = ["needed", "got"].map(|name| self.fresh(name, &build::Type::Real));
        let missing = self.fresh("missing", &build::Type::Real);
        self.body.assign(&needed, amount);
        if !located.is_true() {
            self.body.begin(located);
        }
        let (short, left) = (needed.minus(&held), outer.minus(&taken));
        self.body.assign(&missing, greater(&zero(), &short));
        let part = match wildcard {
            // Half of what is there is some, and never all.
            true => conditional(held.greater(zero()), zero(), left.halved()),
            false => smaller(&missing, &left),
        };
        self.body.assign(&got, part);
        self.body.assign(&taken, taken.plus(&got));
        self.body.assign(&known, known.or(got.greater(zero())));
        let gone = if how.stays { zero() } else { needed.clone() };
        self.body.assign(&held, greater(&zero(), &held.plus(got).minus(gone)));
        if how.changes {
            self.body.assign(&known, known.and(held.greater(zero())));
        }
        if !located.is_true() {
            self.body.otherwise();
            self.body.begin(vague.at_least(&needed));
            if !how.stays {
                self.body.assign(&vague, vague.minus(&needed));
            }
            if run.most {
                self.body.otherwise();
                let (all, held) = (self.mask(&run.taken, place.resource), self.mask(&run.outer.mask, place.resource));
                self.body.assign(&all, held);
            }
            self.body.end();
            self.body.end();
        }
    }
}
