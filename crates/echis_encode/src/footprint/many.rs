//! Quantified permission in a dry run.

use super::{Giving, Run, Taking, greater, little, more_than_all, smaller};
use crate::assertion::scaled;
use crate::encoder::{Encoder, ExprContext, Result};
use crate::resource::Resource;
use crate::write::{and, zero};
use echis_boogie::build::{Expr, conditional, exists, lambda, no, var, yes};
use echis_program::program::{ExprId, ExprKind, Location};

/// Which locations an assertion means.
pub(super) struct Meant {
    resource: Resource,
    /// Whether keys of the resource are meant.
    within: Expr,
    /// Nothing if it depends on more than the keys.
    amount: Option<Expr>,
}

impl Encoder<'_> {
    pub(super) fn meant(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Option<Meant>> {
        let program = self.program;
        let ExprKind::ForallAcc { vars, condition, location, amount, .. } = program.kind(expr) else {
            return Ok(None);
        };
        let (binders, inner) = self.bound(vars, cx);
        let place = self.place(location, &inner)?;
        let condition = self.expr(*condition, &inner)?;
        let same = place.args.iter().enumerate().map(|(index, arg)| arg.equals(var(format!("k{index}'"))));
        let within = exists(&binders, Vec::new(), and([condition].into_iter().chain(same)));
        let amount = match program.kind(*amount) {
            ExprKind::Wildcard => Some(little()),
            _ if program.free_locals(*amount).iter().any(|local| vars.contains(local)) => None,
            _ => Some(self.expr(*amount, cx)?),
        };
        Ok(Some(Meant { resource: place.resource, within, amount }))
    }
    /// Whether what is quantified over is fixed for all values of the variables.
    pub(super) fn extent_fixed(&mut self, expr: ExprId, cx: &ExprContext, run: &mut Run) -> Result<Expr> {
        let program = self.program;
        let ExprKind::ForallAcc { vars, condition, location, amount, .. } = program.kind(expr) else {
            return Ok(no());
        };
        let wand = match location {
            Location::Wand(wand) => self.wand(*wand).holes.clone(),
            _ => location.parts(),
        };
        let mut parts = Vec::new();
        for part in [*condition, *amount].into_iter().chain(wand) {
            let mut reads_bound = false;
            program.visit(part, |inner| {
                let bound = program.free_locals(inner).iter().any(|local| vars.contains(local));
                reads_bound |= bound && inner != part && self.looks(inner);
                true
            });
            parts.push(match self.looks(part) {
                false => yes(),
                true if reads_bound => no(),
                true => self.is_fixed(part, cx, run)?,
            });
        }
        let fixed = and(parts);
        run.unsure |= !fixed.is_true();
        Ok(fixed)
    }
    pub(super) fn put_all(&mut self, expr: ExprId, cx: &ExprContext, how: Giving<'_>, run: &mut Run) -> Result<()> {
        let fixed = self.extent_fixed(expr, cx, run)?;
        let Some(Meant { resource, within, amount: Some(amount) }) = self.meant(expr, cx)? else { return Ok(()) };
        if fixed.is_false() {
            return Ok(());
        }
        run.changed.insert(resource);
        let amount = scaled(&amount, how.scale);
        let (binders, keys) = self.key_binders(resource);
        let (held, known) = (self.mask_var(&run.st.mask, resource), self.fixed_var(run, resource));
        self.body.begin(fixed);
        let sum = held.at(&keys).plus(conditional(&within, amount, zero()));
        self.body.assign(&held, lambda(&binders, sum));
        if !how.fixed.is_false() {
            let told = known.at(&keys).or(within.and(how.fixed));
            self.body.assign(&known, lambda(&binders, told));
        }
        self.body.end();
        Ok(())
    }
    pub(super) fn get_all(&mut self, expr: ExprId, cx: &ExprContext, how: Taking<'_>, run: &mut Run) -> Result<()> {
        let program = self.program;
        let fixed = self.extent_fixed(expr, cx, run)?;
        let Some(Meant { resource, within, amount }) = self.meant(expr, cx)? else { return Ok(()) };
        run.changed.insert(resource);
        run.touched.insert(resource);
        let wildcard = matches!(program.kind(expr), ExprKind::ForallAcc { amount, .. }
            if matches!(program.kind(*amount), ExprKind::Wildcard));
        let amount = amount.map_or_else(more_than_all, |amount| scaled(&amount, how.scale));
        let (binders, keys) = self.key_binders(resource);
        let [held, taken] = [&run.st.mask, &run.taken].map(|prefix| self.mask_var(prefix, resource));
        let (outer, known) = (self.mask_var(&run.outer.mask, resource), self.fixed_var(run, resource));
        let number = self.number();
        let got = self.mask_var(&format!("got{number}."), resource);
        let at = |map: &Expr| map.at(&keys);
        let left = at(&outer).minus(at(&taken));
        let short = greater(&zero(), &amount.minus(at(&held)));
        let part = match wildcard {
            true => conditional(at(&held).greater(zero()), zero(), left.halved()),
            false => smaller(&short, &left),
        };
        if !fixed.is_false() {
            self.body.begin(&fixed);
            self.body.assign(&got, lambda(&binders, conditional(&within, part, zero())));
            self.body.assign(&taken, lambda(&binders, at(&taken).plus(at(&got))));
            self.body.assign(&known, lambda(&binders, at(&known).or(at(&got).greater(zero()))));
            let gone = if how.stays { zero() } else { amount };
            let rest = greater(&zero(), &at(&held).plus(at(&got)).minus(gone));
            self.body.assign(&held, lambda(&binders, conditional(within, rest, at(&held))));
            self.body.end();
        }
        if !fixed.is_true() && run.most {
            self.body.begin(fixed.not());
            self.body.assign(&taken, outer);
            self.body.end();
        }
        Ok(())
    }
}
