//! Quantified permissions, with inverse functions as maps.

use crate::assertion::{Exhaling, is_literal, is_open, scaled};
use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result, St};
use crate::resource::Resource;
use crate::write::{Blame, and, implies};
use echis_base::{SyntaxId, mutation};
use echis_program::program::{ExprId, ExprKind, LocalId};
use echis_proof::{Property, Reason};

/// `forall vars :: condition ==> acc(place, amount)` as text.
struct AccessText {
    vars: Vec<LocalId>,
    binders: String,
    triggers: String,
    /// The facts about applications for these variables; they hold for all values.
    known: String,
    condition: String,
    place: ResourceInstance,
    /// As written; `None` for wildcards.
    amount: Option<String>,
    location_id: SyntaxId,
    amount_id: SyntaxId,
}

/// Whether a location with keys `k0', k1', …` is covered, and for which values of the variables.
struct Inverse {
    binders: String,
    keys: String,
    /// The coverage condition on the keys, and the facts about applications in it.
    within: String,
    known: String,
    /// The context in which the variables are those of the keys.
    cx: ExprContext,
}

impl Encoder<'_> {
    fn extent(&mut self, expr: ExprId, cx: &ExprContext, blame: Option<Blame>) -> Result<(AccessText, ExprContext)> {
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
                encoder.body.assume(&condition);
                encoder.all_defined(&location.parts(), inner, blame)?;
                if !wildcard {
                    encoder.defined(*amount, inner, blame)?;
                }
                Ok(())
            })?;
        }
        let facts = self.facts(expr, cx)?;
        self.body.assume(&facts);
        let (binders, inner) = self.bound(vars, cx);
        let triggers = self.triggers(vars, triggers, &inner)?;
        let place = self.place(location, &inner)?;
        let written = if wildcard { None } else { Some(self.expr(*amount, &inner)?) };
        let known = self.extent_facts(*condition, location, *amount, &inner)?;
        let condition = self.expr(*condition, &inner)?;
        let (location_id, amount_id) = (*location_id, self.id(*amount));
        let vars = vars.clone();
        Ok((
            AccessText { vars, binders, triggers, known, condition, place, amount: written, location_id, amount_id },
            inner,
        ))
    }
    /// The condition under which permission is granted.
    fn domain(extent: &AccessText) -> String {
        match &extent.amount {
            Some(amount) if amount != "1.0" => and([extent.condition.clone(), format!("({amount} > 0.0)")]),
            _ => extent.condition.clone(),
        }
    }
    fn check_extent(&mut self, extent: &AccessText, blame: Blame) {
        if let Some(amount) = extent.amount.as_ref().filter(|amount| !is_literal(amount)) {
            let fine = implies(&and([extent.known.clone(), extent.condition.clone()]), &format!("({amount} >= 0.0)"));
            let property = blame.property(Reason::NegativePermission, extent.amount_id);
            self.body.assert(&format!("(forall {} ::{} {fine})", extent.binders, extent.triggers), property);
        }
    }
    /// Asserts that different values of the variables give different locations.
    fn check_injective(
        &mut self,
        extent: &AccessText,
        expr: ExprId,
        cx: &ExprContext,
        property: Property,
    ) -> Result<()> {
        if self.is_direct(extent) {
            return Ok(());
        }
        let (other, binders) = self.second(extent, expr, cx)?;
        let same_place: Vec<String> =
            extent.place.args.iter().zip(&other.place.args).map(|(a, b)| format!("{a} == {b}")).collect();
        let same_vars: Vec<String> = extent
            .vars
            .iter()
            .map(|var| format!("{} == {}", self.bound_name(*var), second_name(&self.bound_name(*var))))
            .collect();
        let known = [extent.known.clone(), other.known.clone()];
        let domains = [Self::domain(extent), Self::domain(&other)];
        let premise = and(known.into_iter().chain(domains).chain(same_place));
        let goal = format!("(forall {}, {binders} :: {premise} ==> {})", extent.binders, same_vars.join(" && "));
        self.body.assert(&goal, property);
        Ok(())
    }
    /// The access for a second set of variables.
    fn second(&mut self, extent: &AccessText, expr: ExprId, cx: &ExprContext) -> Result<(AccessText, String)> {
        let program = self.program;
        let ExprKind::ForallAcc { condition, location, amount, .. } = program.kind(expr) else {
            return self.unknown(self.id(expr), "this assertion is not supported by verification conditions");
        };
        let mut inner = cx.clone();
        let mut binders = Vec::new();
        for var in &extent.vars {
            let (name, ty) = (second_name(&self.bound_name(*var)), self.local_type(*var, cx));
            binders.push(format!("{name}: {ty}"));
            inner.locals.insert(*var, name);
        }
        let place = self.place(location, &inner)?;
        let known = self.extent_facts(*condition, location, *amount, &inner)?;
        let condition = self.expr(*condition, &inner)?;
        let amount = match &extent.amount {
            Some(_) => Some(self.expr(*amount, &inner)?),
            None => None,
        };
        let (vars, triggers) = (extent.vars.clone(), String::new());
        let (location_id, amount_id) = (extent.location_id, extent.amount_id);
        let extent = AccessText {
            vars,
            binders: String::new(),
            triggers,
            known,
            condition,
            place,
            amount,
            location_id,
            amount_id,
        };
        Ok((extent, binders.join(", ")))
    }
    /// Whether the location's arguments are exactly the variables.
    fn is_direct(&self, extent: &AccessText) -> bool {
        let names: Vec<String> = extent.vars.iter().map(|var| self.bound_name(*var)).collect();
        let mut args = extent.place.args.clone();
        let mut sorted = names.clone();
        args.sort();
        sorted.sort();
        args == sorted
    }
    /// The values of the variables that a location belongs to.
    fn inverse(&mut self, extent: &AccessText, expr: ExprId, cx: &ExprContext, masks: &[&str]) -> Result<Inverse> {
        let program = self.program;
        let (key_binders, keys) = self.key_binders(extent.place.resource);
        let mut at_keys = cx.clone();
        if self.is_direct(extent) {
            for var in &extent.vars {
                let name = self.bound_name(*var);
                let position = extent.place.args.iter().position(|arg| *arg == name).unwrap_or(0);
                at_keys.locals.insert(*var, format!("k{position}'"));
            }
        } else {
            let key_types = self.key_types(extent.place.resource).join(",");
            let mut back = Vec::new();
            for var in &extent.vars {
                let ty = self.local_type(*var, cx);
                let map = self.fresh("inverse", &format!("[{key_types}]{ty}"));
                back.push(format!("{map}[{}] == {}", extent.place.args.join(", "), self.bound_name(*var)));
                at_keys.locals.insert(*var, format!("{map}[{keys}]"));
            }
            let told = implies(&Self::domain(extent), &format!("({})", back.join(" && ")));
            let told = and([extent.known.clone(), told]);
            let triggers = self.with_location(extent) + &self.looked_up(extent, cx, masks);
            self.body.assume(&format!("(forall {} ::{triggers} {told})", extent.binders));
        }
        let ExprKind::ForallAcc { condition, location, amount, .. } = program.kind(expr) else {
            return self.unknown(self.id(expr), "this assertion is not supported by verification conditions");
        };
        let mut within = vec![self.expr(*condition, &at_keys)?];
        if let Some(text) = &extent.amount
            && text != "1.0"
        {
            within.push(format!("({} > 0.0)", self.expr(*amount, &at_keys)?));
        }
        if !self.is_direct(extent) {
            let place = self.place(location, &at_keys)?;
            within.extend(place.args.iter().enumerate().map(|(index, arg)| format!("({arg} == k{index}')")));
        }
        let known = self.extent_facts(*condition, location, *amount, &at_keys)?;
        Ok(Inverse { binders: key_binders, keys, within: and(within), known, cx: at_keys })
    }
    /// Triggers on a location's value or amount, if the location determines the variables.
    fn looked_up(&mut self, extent: &AccessText, cx: &ExprContext, masks: &[&str]) -> String {
        let args = extent.place.args.join(", ");
        let covers = extent.vars.iter().all(|var| args.contains(&self.bound_name(*var)));
        let is_pattern = ![" == ", " && ", " || ", "forall", "if ", "!"].iter().any(|word| args.contains(word));
        if !covers || !is_pattern {
            return String::new();
        }
        let heap = self.heap(&cx.now, extent.place.resource);
        let maps = masks.iter().copied().chain([&*heap]);
        maps.map(|map| format!(" {{{map}[{args}]}}")).collect()
    }
    /// The triggers, and the location's arguments that apply a function to all variables.
    fn with_location(&self, extent: &AccessText) -> String {
        let covers = |text: &str| extent.vars.iter().all(|var| text.contains(&self.bound_name(*var)));
        let applies = |arg: &String| {
            let simple = arg.ends_with([')', ']']) && !arg.starts_with('(') && !arg.starts_with('!');
            simple && ![" == ", " && ", " || ", "forall", "if "].iter().any(|word| arg.contains(word))
        };
        let args: Vec<&String> = extent.place.args.iter().filter(|arg| applies(arg)).collect();
        let text = args.iter().map(|arg| arg.as_str()).collect::<Vec<_>>().join(", ");
        match !args.is_empty() && covers(&text) && !extent.triggers.contains(&text) {
            true => format!("{} {{{text}}}", extent.triggers),
            false => extent.triggers.clone(),
        }
    }

    pub fn inhale_all(
        &mut self,
        expr: ExprId,
        cx: &ExprContext,
        scale: Option<&str>,
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
            _ if cx.any => "1.0".into(),
            Some(_) => scaled(&self.amount_of(expr, &inverse.cx)?, scale),
            None => {
                let (_, ty) = self.map_types(extent.place.resource);
                let parts = self.fresh("parts", &ty);
                let Inverse { binders, keys, .. } = &inverse;
                self.body.assume(&format!("(forall {binders} :: {{{parts}[{keys}]}} {parts}[{keys}] > 0.0)"));
                format!("{parts}[{keys}]")
            }
        };
        if let Resource::Field(_) = extent.place.resource {
            // Evaluated before the mask changes, since amounts may depend on it.
            let nonnull = implies(&Self::domain(&extent), &format!("({} != null)", extent.place.args[0]));
            let triggers = self.with_location(&extent) + &self.looked_up(&extent, cx, &[&other]);
            if !triggers.is_empty() {
                self.body.assume(&format!("(forall {} ::{triggers} {nonnull})", extent.binders));
            }
        }
        if let Resource::Wand(_) = extent.place.resource {
            self.join_wands(&extent, &inverse, cx);
        }
        self.change(&extent, &inverse, (&cx.now.mask, &other), "+", &amount);
        if let Resource::Field(_) = extent.place.resource {
            let mask = self.mask(&cx.now.mask, extent.place.resource);
            let Inverse { binders, keys, .. } = &inverse;
            let bound = if cx.any { "true".into() } else { format!("{mask}[{keys}] <= 1.0") };
            let some = format!("({mask}[{keys}] > 0.0 ==> {keys} != null)");
            self.body.assume(&format!("(forall {binders} :: {{{mask}[{keys}]}} {})", and([bound, some])));
        }
        Ok(())
    }
    /// Instances that join others are no longer known by name.
    fn join_wands(&mut self, extent: &AccessText, inverse: &Inverse, cx: &ExprContext) {
        let (heap, mask) =
            (self.heap_var(&cx.now, extent.place.resource), self.mask_var(&cx.now.mask, extent.place.resource));
        let map = self.map_types(extent.place.resource).0;
        let names = self.unknown_value(&map);
        let Inverse { binders, keys, within, .. } = inverse;
        let kept = format!("!({mask}[{keys}] > 0.0 && {within}) ==> {names}[{keys}] == {heap}[{keys}]");
        self.body.assume(&format!("(forall {binders} :: {{{names}[{keys}]}} {kept})"));
        if !mutation::is_removed() {
            self.body.line(format!("{heap} := {names};"));
        }
    }
    /// Havocs names, because it is not determined which instances were given away.
    fn forget_names(&mut self, extent: &AccessText, st: &St) {
        let heap = self.heap_var(st, extent.place.resource);
        if !mutation::is_removed() {
            self.body.line(format!("havoc {heap};"));
        }
    }
    fn amount_of(&mut self, expr: ExprId, cx: &ExprContext) -> Result<String> {
        match self.program.kind(expr) {
            ExprKind::ForallAcc { amount, .. } => self.expr(*amount, cx),
            _ => Ok("0.0".into()),
        }
    }
    fn new_mask(&mut self, extent: &AccessText) -> String {
        let (_, ty) = self.map_types(extent.place.resource);
        self.fresh("mask", &ty)
    }
    /// Updates the mask at the locations.
    fn change(&mut self, extent: &AccessText, inverse: &Inverse, (mask, other): (&str, &str), op: &str, amount: &str) {
        let mask = self.mask_var(mask, extent.place.resource);
        let Inverse { binders, keys, within, known, .. } = inverse;
        let value = format!("{mask}[{keys}] {op} (if {within} then {amount} else 0.0)");
        let said = and([known.clone(), format!("{other}[{keys}] == {value}")]);
        self.body.assume(&format!("(forall {binders} :: {{{other}[{keys}]}} {said})"));
        self.body.line(format!("{mask} := {other};"));
    }

    pub fn take_all(&mut self, expr: ExprId, cx: &ExprContext, scale: Option<&str>, how: &mut Exhaling) -> Result<()> {
        let program = self.program;
        let (extent, _) = self.extent(expr, cx, how.defined.then_some(how.blame))?;
        self.check_extent(&extent, how.blame);
        let mask = self.mask(&how.from.mask, extent.place.resource);
        let held = format!("{mask}[{}]", extent.place.args.join(", "));
        let enough = match &extent.amount {
            Some(amount) if !cx.any && !is_open(scale) => {
                implies(&extent.condition, &format!("({held} >= {})", scaled(amount, scale)))
            }
            _ => implies(&Self::domain(&extent), &format!("({held} > 0.0)")),
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
        self.body.assert(&format!("(forall {} ::{} {enough})", extent.binders, extent.triggers), lacking);
        if cx.any {
            return Ok(());
        }
        let other = self.new_mask(&extent);
        let inverse = self.inverse(&extent, expr, cx, &[&mask, &other])?;
        let amount = match &extent.amount {
            Some(_) => {
                let amount = scaled(&self.amount_of(expr, &inverse.cx)?, scale);
                if is_open(scale) {
                    let Inverse { binders, keys, within, .. } = &inverse;
                    let small = implies(within, &format!("({amount} < {mask}[{keys}])"));
                    self.body.assume(&format!("(forall {binders} :: {{{mask}[{keys}]}} {small})"));
                }
                amount
            }
            None => {
                let (_, ty) = self.map_types(extent.place.resource);
                let parts = self.fresh("parts", &ty);
                let Inverse { binders, keys, .. } = &inverse;
                let part = format!("{parts}[{keys}]");
                let small = format!("{mask}[{keys}] > 0.0 ==> 0.0 < {part} && {part} < {mask}[{keys}]");
                self.body.assume(&format!("(forall {binders} :: {{{part}}} {small})"));
                part
            }
        };
        self.change(&extent, &inverse, (&how.from.mask, &other), "-", &amount);
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

fn second_name(name: &str) -> String {
    format!("{name}'")
}
