//! Quantified permissions, with inverse functions as maps.

use crate::assertion::{Exhaling, is_literal, scaled};
use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result, St};
use crate::resource::Resource;
use crate::write::{Blame, and, implies, one, zero};
use echis_base::{Name, SyntaxId, mutation};
use echis_boogie::build::{self, Binder, Expr, conditional, forall, var, yes};
use echis_program::program::{ExprId, ExprKind, LocalId};
use echis_proof::{Property, Reason};

/// `forall vars :: condition ==> acc(place, amount)`.
struct Access {
    vars: Vec<LocalId>,
    binders: Vec<Binder>,
    triggers: Vec<Vec<Expr>>,
    /// What is known of applications for these variables; it holds for all of them.
    known: Expr,
    condition: Expr,
    place: ResourceInstance,
    /// As written; nothing for wildcards.
    amount: Option<Expr>,
    location_id: SyntaxId,
    amount_id: SyntaxId,
}

/// Whether a location with keys `k0', k1', …` is covered, and for which values of the variables.
struct Inverse {
    binders: Vec<Binder>,
    keys: Vec<Expr>,
    /// Proposition about the keys, and what is known of applications in it.
    within: Expr,
    known: Expr,
    /// The context in which the variables are those of the keys.
    cx: ExprContext,
}

impl Encoder<'_> {
    fn extent(&mut self, expr: ExprId, cx: &ExprContext, blame: Option<Blame>) -> Result<(Access, ExprContext)> {
        let program = self.program;
        let ExprKind::ForallAcc { vars, triggers, condition, location, location_id, amount, .. } = program.kind(expr)
        else {
            return self.unknown(self.id(expr), "this assertion is not supported by verification conditions");
        };
        let wildcard = matches!(program.kind(*amount), ExprKind::Wildcard);
        if let Some(blame) = blame {
            self.arbitrary(vars, cx, |encoder, inner| {
                encoder.defined(*condition, inner, blame)?;
                let condition = encoder.expr(*condition, inner)?;
                encoder.body.assume(condition);
                encoder.all_defined(&location.parts(), inner, blame)?;
                if !wildcard {
                    encoder.defined(*amount, inner, blame)?;
                }
                Ok(())
            })?;
        }
        let facts = self.facts(expr, cx)?;
        self.body.assume(facts);
        let (binders, inner) = self.bound(vars, cx);
        let triggers = self.triggers(vars, triggers, &inner)?;
        let place = self.place(location, &inner)?;
        let written = if wildcard { None } else { Some(self.expr(*amount, &inner)?) };
        let known = self.extent_facts(*condition, location, *amount, &inner)?;
        let condition = self.expr(*condition, &inner)?;
        let (location_id, amount_id) = (*location_id, self.id(*amount));
        let vars = vars.clone();
        Ok((
            Access { vars, binders, triggers, known, condition, place, amount: written, location_id, amount_id },
            inner,
        ))
    }
    /// Where there is something.
    fn domain(extent: &Access) -> Expr {
        match &extent.amount {
            Some(amount) if !amount.is_one() => and([extent.condition.clone(), amount.greater(zero())]),
            _ => extent.condition.clone(),
        }
    }
    fn check_extent(&mut self, extent: &Access, blame: Blame) {
        if let Some(amount) = extent.amount.as_ref().filter(|amount| !is_literal(amount)) {
            let fine = implies(&and([extent.known.clone(), extent.condition.clone()]), &amount.at_least(zero()));
            let property = blame.property(Reason::NegativePermission, extent.amount_id);
            self.body.assert(forall(&extent.binders, extent.triggers.clone(), fine), property);
        }
    }
    /// Demands that different values of the variables mean different locations.
    fn check_injective(&mut self, extent: &Access, expr: ExprId, cx: &ExprContext, property: Property) -> Result<()> {
        if self.is_direct(extent) {
            return Ok(());
        }
        let (other, binders) = self.second(extent, expr, cx)?;
        let same_place = extent.place.args.iter().zip(&other.place.args).map(|(one, two)| one.equals(two));
        let names = extent.vars.iter().map(|local| self.bound_name(*local));
        let same_vars = names.map(|name| var(name.clone()).equals(var(second_name(&name)))).collect();
        let known = [extent.known.clone(), other.known.clone()];
        let domains = [Self::domain(extent), Self::domain(&other)];
        let premise = and(known.into_iter().chain(domains).chain(same_place));
        let both: Vec<Binder> = extent.binders.iter().cloned().chain(binders).collect();
        self.body.assert(forall(&both, Vec::new(), premise.implies(Expr::all(same_vars))), property);
        Ok(())
    }
    /// The access for a second set of variables.
    fn second(&mut self, extent: &Access, expr: ExprId, cx: &ExprContext) -> Result<(Access, Vec<Binder>)> {
        let program = self.program;
        let ExprKind::ForallAcc { condition, location, amount, .. } = program.kind(expr) else {
            return self.unknown(self.id(expr), "this assertion is not supported by verification conditions");
        };
        let mut inner = cx.clone();
        let mut binders = Vec::new();
        for local in &extent.vars {
            let binder = Binder::new(second_name(&self.bound_name(*local)), self.local_type(*local, cx));
            inner.locals.insert(*local, binder.var());
            binders.push(binder);
        }
        let place = self.place(location, &inner)?;
        let known = self.extent_facts(*condition, location, *amount, &inner)?;
        let condition = self.expr(*condition, &inner)?;
        let amount = match &extent.amount {
            Some(_) => Some(self.expr(*amount, &inner)?),
            None => None,
        };
        let (vars, triggers) = (extent.vars.clone(), Vec::new());
        let (location_id, amount_id) = (extent.location_id, extent.amount_id);
        let extent =
            Access { vars, binders: Vec::new(), triggers, known, condition, place, amount, location_id, amount_id };
        Ok((extent, binders))
    }
    /// Whether each location is just the values of the variables.
    fn is_direct(&self, extent: &Access) -> bool {
        let mut names: Vec<Name> = extent.vars.iter().map(|local| self.bound_name(*local)).collect();
        let args: Option<Vec<Name>> = extent.place.args.iter().map(|arg| arg.name().cloned()).collect();
        let Some(mut args) = args else { return false };
        args.sort();
        names.sort();
        args == names
    }
    /// Which values of the variables a location belongs to.
    fn inverse(&mut self, extent: &Access, expr: ExprId, cx: &ExprContext, masks: &[&Expr]) -> Result<Inverse> {
        let program = self.program;
        let (key_binders, keys) = self.key_binders(extent.place.resource);
        let mut at_keys = cx.clone();
        if self.is_direct(extent) {
            for local in &extent.vars {
                let value = var(self.bound_name(*local));
                let position = extent.place.args.iter().position(|arg| *arg == value).unwrap_or(0);
                at_keys.locals.insert(*local, keys[position].clone());
            }
        } else {
            let key_types = self.key_types(extent.place.resource);
            let mut back = Vec::new();
            for local in &extent.vars {
                let ty = self.local_type(*local, cx);
                let map = self.fresh("inverse", &build::Type::map(key_types.clone(), ty));
                back.push(map.at(&extent.place.args).equals(var(self.bound_name(*local))));
                at_keys.locals.insert(*local, map.at(&keys));
            }
            let told = implies(&Self::domain(extent), &Expr::all(back));
            let told = and([extent.known.clone(), told]);
            let mut triggers = self.with_location(extent);
            triggers.extend(self.looked_up(extent, cx, masks));
            self.body.assume(forall(&extent.binders, triggers, told));
        }
        let ExprKind::ForallAcc { condition, location, amount, .. } = program.kind(expr) else {
            return self.unknown(self.id(expr), "this assertion is not supported by verification conditions");
        };
        let mut within = vec![self.expr(*condition, &at_keys)?];
        if extent.amount.as_ref().is_some_and(|amount| !amount.is_one()) {
            within.push(self.expr(*amount, &at_keys)?.greater(zero()));
        }
        if !self.is_direct(extent) {
            let place = self.place(location, &at_keys)?;
            within.extend(place.args.iter().zip(&keys).map(|(arg, key)| arg.equals(key)));
        }
        let known = self.extent_facts(*condition, location, *amount, &at_keys)?;
        Ok(Inverse { binders: key_binders, keys, within: and(within), known, cx: at_keys })
    }
    /// Triggers that look up a location's value or amount, where that determines the variables.
    fn looked_up(&mut self, extent: &Access, cx: &ExprContext, masks: &[&Expr]) -> Vec<Vec<Expr>> {
        let args = &extent.place.args;
        if !self.covers(extent, args) || !args.iter().all(Expr::fits_trigger) {
            return Vec::new();
        }
        let heap = self.heap(&cx.now, extent.place.resource);
        let maps = masks.iter().copied().chain([&heap]);
        maps.map(|map| vec![map.at(args)]).collect()
    }
    /// The triggers, and what locates, where that is an application of all variables.
    fn with_location(&self, extent: &Access) -> Vec<Vec<Expr>> {
        let applies = |arg: &&Expr| arg.is_application() && arg.fits_trigger();
        let args: Vec<Expr> = extent.place.args.iter().filter(applies).cloned().collect();
        let is_there = |trigger: &Vec<Expr>| {
            trigger.windows(args.len()).any(|terms| terms == args)
                || trigger.iter().any(|term| term.has_side_by_side(&args))
        };
        let mut triggers = extent.triggers.clone();
        if !args.is_empty() && self.covers(extent, &args) && !triggers.iter().any(is_there) {
            triggers.push(args);
        }
        triggers
    }
    /// Whether the terms mention all variables.
    fn covers(&self, extent: &Access, terms: &[Expr]) -> bool {
        extent.vars.iter().all(|local| {
            let name = self.bound_name(*local);
            terms.iter().any(|term| term.mentions(&name))
        })
    }

    pub fn inhale_all(
        &mut self,
        expr: ExprId,
        cx: &ExprContext,
        scale: Option<&Expr>,
        blame: Option<Blame>,
    ) -> Result<()> {
        let (extent, _) = self.extent(expr, cx, blame)?;
        if let Some(blame) = blame.or(cx.amounts) {
            self.check_extent(&extent, blame);
            self.check_injective(&extent, expr, cx, blame.property(Reason::NotInjective, extent.location_id))?;
        }
        let other = self.new_mask(&extent);
        let inverse = self.inverse(&extent, expr, cx, &[&other])?;
        let amount = match &extent.amount {
            _ if cx.any => one(),
            Some(_) => scaled(&self.amount_of(expr, &inverse.cx)?, scale),
            None => {
                let (_, ty) = self.map_types(extent.place.resource);
                let parts = self.fresh("parts", &ty);
                let Inverse { binders, keys, .. } = &inverse;
                let part = parts.at(keys);
                self.body.assume(forall(binders, vec![vec![part.clone()]], part.greater(zero())));
                part
            }
        };
        if let Resource::Field(_) = extent.place.resource {
            // Before the mask changes, which amounts may look at.
            let nonnull = implies(&Self::domain(&extent), &extent.place.args[0].differs(var("null")));
            let mut triggers = self.with_location(&extent);
            triggers.extend(self.looked_up(&extent, cx, &[&other]));
            if !triggers.is_empty() {
                self.body.assume(forall(&extent.binders, triggers, nonnull));
            }
        }
        if let Resource::Wand(_) = extent.place.resource {
            self.join_wands(&extent, &inverse, cx);
        }
        self.change(&extent, &inverse, (&cx.now.mask, &other), |held, amount| held.plus(amount), amount);
        if let Resource::Field(_) = extent.place.resource {
            let mask = self.mask(&cx.now.mask, extent.place.resource);
            let Inverse { binders, keys, .. } = &inverse;
            let held = mask.at(keys);
            let bound = if cx.any { yes() } else { held.at_most(one()) };
            let some = held.greater(zero()).implies(keys[0].differs(var("null")));
            self.body.assume(forall(binders, vec![vec![held]], and([bound, some])));
        }
        Ok(())
    }
    /// Instances join others, which then are not known by name any more.
    fn join_wands(&mut self, extent: &Access, inverse: &Inverse, cx: &ExprContext) {
        let (heap, mask) =
            (self.heap_var(&cx.now, extent.place.resource), self.mask_var(&cx.now.mask, extent.place.resource));
        let map = self.map_types(extent.place.resource).0;
        let names = self.unknown_value(&map);
        let Inverse { binders, keys, within, .. } = inverse;
        let [held, name, known] = [&mask, &names, &heap].map(|map| map.at(keys));
        let joined = held.greater(zero()).and(within);
        let kept = joined.not().implies(name.equals(known));
        self.body.assume(forall(binders, vec![vec![name]], kept));
        let forgets_joined = !mutation::is_removed();
        if forgets_joined {
            self.body.assign(&heap, names);
        }
    }
    /// Which instances were given away is not looked at.
    fn forget_names(&mut self, extent: &Access, st: &St) {
        let heap = self.heap_var(st, extent.place.resource);
        if !mutation::is_removed() {
            self.body.havoc(&[&heap]);
        }
    }
    fn amount_of(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Expr> {
        match self.program.kind(expr) {
            ExprKind::ForallAcc { amount, .. } => self.expr(*amount, cx),
            _ => Ok(zero()),
        }
    }
    fn new_mask(&mut self, extent: &Access) -> Expr {
        let (_, ty) = self.map_types(extent.place.resource);
        self.fresh("mask", &ty)
    }
    /// The mask with other amounts at the locations.
    fn change(
        &mut self,
        extent: &Access,
        inverse: &Inverse,
        (mask, other): (&str, &Expr),
        changed: impl FnOnce(&Expr, Expr) -> Expr,
        amount: Expr,
    ) {
        let mask = self.mask_var(mask, extent.place.resource);
        let Inverse { binders, keys, within, known, .. } = inverse;
        let value = changed(&mask.at(keys), conditional(within, amount, zero()));
        let held = other.at(keys);
        let said = and([known.clone(), held.equals(value)]);
        self.body.assume(forall(binders, vec![vec![held]], said));
        self.body.assign(&mask, other);
    }

    pub fn take_all(&mut self, expr: ExprId, cx: &ExprContext, scale: Option<&Expr>, how: &mut Exhaling) -> Result<()> {
        let program = self.program;
        let (extent, _) = self.extent(expr, cx, how.defined.then_some(how.blame))?;
        self.check_extent(&extent, how.blame);
        let mask = self.mask(&how.from.mask, extent.place.resource);
        let held = mask.at(&extent.place.args);
        let enough = match &extent.amount {
            Some(amount) if !cx.any && !self.is_open(scale) => {
                implies(&extent.condition, &held.at_least(scaled(amount, scale)))
            }
            _ => implies(&Self::domain(&extent), &held.greater(zero())),
        };
        let reason = match extent.place.resource {
            Resource::Wand(_) => Reason::WandNotFound,
            Resource::Field(_) | Resource::Predicate(_) => Reason::InsufficientPermission,
        };
        let lacking = how.blame.property(reason, extent.location_id);
        if !cx.any {
            let property = how.blame.property(Reason::NotInjective, extent.location_id);
            self.check_injective(&extent, expr, cx, property)?;
        }
        let enough = implies(&extent.known, &enough);
        self.body.assert(forall(&extent.binders, extent.triggers.clone(), enough), lacking);
        if cx.any {
            return Ok(());
        }
        let other = self.new_mask(&extent);
        let inverse = self.inverse(&extent, expr, cx, &[&mask, &other])?;
        let amount = match &extent.amount {
            Some(_) => {
                let amount = scaled(&self.amount_of(expr, &inverse.cx)?, scale);
                if self.is_open(scale) {
                    let Inverse { binders, keys, within, .. } = &inverse;
                    let held = mask.at(keys);
                    let small = implies(within, &amount.less(&held));
                    self.body.assume(forall(binders, vec![vec![held]], small));
                }
                amount
            }
            None => {
                let (_, ty) = self.map_types(extent.place.resource);
                let parts = self.fresh("parts", &ty);
                let Inverse { binders, keys, .. } = &inverse;
                let (part, held) = (parts.at(keys), mask.at(keys));
                let small = held.greater(zero()).implies(zero().less(&part).and(part.less(&held)));
                self.body.assume(forall(binders, vec![vec![part.clone()]], small));
                part
            }
        };
        self.change(&extent, &inverse, (&how.from.mask, &other), |held, amount| held.minus(amount), amount);
        match extent.place.resource {
            Resource::Wand(_) if how.forget => self.forget_names(&extent, &how.from),
            resource if how.forget => drop(how.lost.insert(resource)),
            _ => {}
        }
        if let ExprKind::ForallAcc { location, .. } = program.kind(expr) {
            self.lose(location, how);
        }
        Ok(())
    }
}

fn second_name(name: &str) -> Name {
    format!("{name}'").into()
}
