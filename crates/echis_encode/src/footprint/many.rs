//! Quantified permission in a dry run.

use super::{ALL, Giving, LITTLE, Run, Taking, greater, smaller};
use crate::assertion::scaled;
use crate::encoder::{Encoder, ExprContext, Result};
use crate::resource::Resource;
use crate::write::and;
use echis_program::program::{ExprId, ExprKind, Location};

impl Encoder<'_> {
    /// For keys of the resource: whether the assertion covers them, and the amount, or `None` if it depends on more.
    pub(super) fn meant(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Option<(Resource, String, String)>> {
        let program = self.program;
        let ExprKind::ForallAcc { vars, condition, location, amount, .. } = program.kind(expr) else {
            return Ok(None);
        };
        let (binders, inner) = self.bound(vars, cx);
        let place = self.place(location, &inner)?;
        let condition = self.expr(*condition, &inner)?;
        let same = place.args.iter().enumerate().map(|(index, arg)| format!("({arg} == k{index}')"));
        let within = format!("(exists {binders} :: {})", and([condition].into_iter().chain(same)));
        let amount = match program.kind(*amount) {
            ExprKind::Wildcard => LITTLE.to_string(),
            _ if program.free_locals(*amount).iter().any(|local| vars.contains(local)) => String::new(),
            _ => self.expr(*amount, cx)?,
        };
        Ok(Some((place.resource, within, amount)))
    }
    /// A proposition that a quantified access is fixed for all values of the variables.
    pub(super) fn extent_fixed(&mut self, expr: ExprId, cx: &ExprContext, run: &mut Run) -> Result<String> {
        let program = self.program;
        let ExprKind::ForallAcc { vars, condition, location, amount, .. } = program.kind(expr) else {
            return Ok("false".into());
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
                false => "true".into(),
                true if reads_bound => "false".into(),
                true => self.is_fixed(part, cx, run)?,
            });
        }
        let fixed = and(parts);
        run.unsure |= fixed != "true";
        Ok(fixed)
    }
    pub(super) fn put_all(&mut self, expr: ExprId, cx: &ExprContext, how: Giving<'_>, run: &mut Run) -> Result<()> {
        let fixed = self.extent_fixed(expr, cx, run)?;
        let Some((resource, within, amount)) = self.meant(expr, cx)? else { return Ok(()) };
        if amount.is_empty() || fixed == "false" {
            return Ok(());
        }
        run.changed.insert(resource);
        let amount = scaled(&amount, how.scale);
        let (binders, keys) = self.key_binders(resource);
        let (held, known) = (self.mask_var(&run.st.mask, resource), self.fixed_var(run, resource));
        self.body.begin(&format!("if ({fixed})"));
        let sum = format!("{held}[{keys}] + (if {within} then {amount} else 0.0)");
        self.body.line(format!("{held} := (lambda {binders} :: {sum});"));
        if how.fixed != "false" {
            let told = format!("{known}[{keys}] || ({within} && {})", how.fixed);
            self.body.line(format!("{known} := (lambda {binders} :: {told});"));
        }
        self.body.end();
        Ok(())
    }
    pub(super) fn get_all(&mut self, expr: ExprId, cx: &ExprContext, how: Taking<'_>, run: &mut Run) -> Result<()> {
        let program = self.program;
        let fixed = self.extent_fixed(expr, cx, run)?;
        let Some((resource, within, amount)) = self.meant(expr, cx)? else { return Ok(()) };
        run.changed.insert(resource);
        run.touched.insert(resource);
        let wildcard = matches!(program.kind(expr), ExprKind::ForallAcc { amount, .. }
            if matches!(program.kind(*amount), ExprKind::Wildcard));
        let amount = if amount.is_empty() { ALL.into() } else { scaled(&amount, how.scale) };
        let (binders, keys) = self.key_binders(resource);
        let [held, taken] = [&run.st.mask, &run.taken].map(|prefix| self.mask_var(prefix, resource));
        let (outer, known) = (self.mask_var(&run.outer.mask, resource), self.fixed_var(run, resource));
        let number = self.number();
        let got = self.mask_var(&format!("got{number}."), resource);
        let at = |map: &str| format!("{map}[{keys}]");
        let left = format!("({} - {})", at(&outer), at(&taken));
        let short = greater("0.0", &format!("({amount} - {})", at(&held)));
        let part = match wildcard {
            true => format!("(if {} > 0.0 then 0.0 else {left} / 2.0)", at(&held)),
            false => smaller(&short, &left),
        };
        if fixed != "false" {
            self.body.begin(&format!("if ({fixed})"));
            self.body.line(format!("{got} := (lambda {binders} :: (if {within} then {part} else 0.0));"));
            self.body.line(format!("{taken} := (lambda {binders} :: {} + {});", at(&taken), at(&got)));
            self.body.line(format!("{known} := (lambda {binders} :: {} || {} > 0.0);", at(&known), at(&got)));
            let gone = if how.stays { "0.0" } else { &*amount };
            let rest = greater("0.0", &format!("({} + {} - {gone})", at(&held), at(&got)));
            let rest = format!("(if {within} then {rest} else {})", at(&held));
            self.body.line(format!("{held} := (lambda {binders} :: {rest});"));
            self.body.end();
        }
        if fixed != "true" && run.most {
            self.body.begin(&format!("if (!({fixed}))"));
            self.body.line(format!("{taken} := {outer};"));
            self.body.end();
        }
        Ok(())
    }
}
