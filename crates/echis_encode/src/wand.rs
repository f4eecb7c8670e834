//! Magic wands.
//!
//! Wands of one shape (`echis_program::wand`) are a resource with its own mask. An instance is located by the values
//! of its heap-independent expressions; its value is a name.
//!
//! **Package.** A footprint is proposed (`footprint`), in any way: amounts that are fixed before the left side is
//! considered, and that do not exceed what is held. Then it is checked: an arbitrary state in which the left side
//! holds and that can be combined with the footprint is combined with it, the script is executed there, and the right
//! side is exhaled. Nothing can be taken from the surrounding state during the check, so one footprint serves all
//! left sides.
//!
//! **What is learned in the check** holds where the wand is applied, to the left side to which it is applied. Permission to
//! an instance is never duplicated, so it is applied once at most. Hence the name of an instance foretells its future:
//! `will(w)` says that it will be applied and `left(w)` to which values, and the check stands behind `will(w)`. Applying the
//! wand assumes both. For this no name may stand for two instances that are there at once: a name is forgotten when an
//! instance that it stands for is given away, when another instance joins it, and when it is put into a footprint. Where a
//! wand is only looked at (`applying`), nothing is assumed of its future.
//!
//! **A wand need not bring the permission to what its right side reads** if it is packaged here: `true --* acc(x.f.g)` is
//! accepted where `x.f` is held. The location is not fixed, so all that is held of `f` is in the footprint, and the check finds
//! `x.f` readable. That gives nothing away. While the wand is there, its footprint keeps what was taken of `x.f`, so `x.f` is
//! not written to. If all of it was taken, its value was forgotten with it, so the application gives access to some location
//! of which nothing is known, and the permission to `x.f` does not come back. If a part is held outside, the value outside is
//! that of the footprint, since neither has changed. What only the left side brings is forgotten when the left side is given.
//! Such a wand does not leave its member: where a wand is assumed, its framing is checked.

use crate::assertion::Exhaling;
use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result, St, keys};
use crate::names;
use crate::resource::{KnownWand, Resource, Resources};
use crate::write::{Blame, one, zero};
use echis_base::{SyntaxId, mutation};
use echis_boogie::build::{self, Expr, call, conditional, forall};
use echis_program::program::{Block, ExprId, ExprKind, LabelId, OldState, Stmt, StmtKind};
use echis_program::wand::shape;
use echis_proof::{ErrorKind, Reason};
use std::rc::Rc;

/// A wand that is packaged.
struct PackagedWand<'a> {
    known: &'a KnownWand,
    script: &'a Block,
    name: &'a Expr,
    /// What it takes from the outer state.
    footprint: &'a Footprint,
    outer: &'a St,
}

impl Encoder<'_> {
    pub fn wand(&mut self, wand: ExprId) -> Rc<KnownWand> {
        if let Some(known) = self.wands.of.get(&wand) {
            return known.clone();
        }
        let program = self.program;
        let ExprKind::Wand { left, right } = program.kind(wand) else {
            unreachable!("the typed program has a wand here")
        };
        let shape = shape(program, wand, &|function| !self.behind.functions[function].is_empty());
        let olds: Vec<(OldState, Resources)> =
            shape.olds.iter().map(|(state, body)| (*state, self.behind.of_all(program, &[*body]))).collect();
        let next = self.wands.keys.len();
        let kind = *self.wands.kinds.entry(shape.text).or_insert(next);
        if kind == next {
            let cx = ExprContext::new();
            let mut types: Vec<build::Type> = shape.holes.iter().map(|hole| self.ty(program.ty(*hole), &cx)).collect();
            for resource in olds.iter().flat_map(|(_, resources)| resources) {
                types.push(self.map_types(*resource).0);
            }
            self.wands.keys.push(types);
        }
        let known = Rc::new(KnownWand { kind, left: *left, right: *right, holes: shape.holes, olds });
        self.wands.of.insert(wand, known.clone());
        known
    }
    pub fn wand_place(&mut self, wand: ExprId, cx: &ExprContext) -> Result<ResourceInstance> {
        let known = self.wand(wand);
        let mut args = self.exprs(&known.holes, cx)?;
        for (state, resources) in &known.olds {
            let st = self.old_state(*state, self.id(wand), cx)?;
            args.extend(resources.iter().map(|resource| self.heap(&st, *resource)));
        }
        Ok(ResourceInstance { resource: Resource::Wand(known.kind), args: keys(args) })
    }
    pub fn wand_defined(&mut self, wand: ExprId, cx: &ExprContext, blame: Blame) -> Result<()> {
        let known = self.wand(wand);
        for (state, _) in &known.olds {
            if let OldState::Label(label) = state {
                let reached = self.reached(*label);
                self.body.assert(reached, blame.property(Reason::LabelledStateNotReached, self.id(wand)));
            }
        }
        self.all_defined(&known.holes, cx, blame)
    }

    pub fn inhale_wand(&mut self, wand: ExprId, cx: &ExprContext, blame: Option<Blame>) -> Result<()> {
        if blame.is_some() {
            self.check_framing(wand, cx)?;
        }
        self.known(wand, cx, blame)?;
        let place = self.wand_place(wand, cx)?;
        self.join_wand(&place, cx, None);
        Ok(())
    }
    /// One more instance. If there is one already, neither is known by its name any more.
    fn join_wand(&mut self, place: &ResourceInstance, cx: &ExprContext, name: Option<&Expr>) {
        self.heap_var(&cx.now, place.resource);
        self.mask_var(&cx.now.mask, place.resource);
        let (value, held) = (self.value_at(&cx.now, place), self.amount_at(&cx.now.mask, place));
        let other = self.unknown_value(&names::snapshot());
        let name = name.unwrap_or(&value);
        if mutation::is_removed() {
            self.body.assign(&value, name);
        } else {
            self.body.assign(&value, conditional(held.greater(zero()), other, name));
        }
        self.body.assign(&held, held.plus(one()));
    }
    pub fn take_wand(&mut self, wand: ExprId, cx: &ExprContext, how: &mut Exhaling) -> Result<()> {
        self.known(wand, cx, how.defined.then_some(how.blame))?;
        let place = self.wand_place(wand, cx)?;
        let from = how.from.clone();
        self.remove_wand(wand, &place, &from, how.blame);
        if how.forget {
            self.forget_name(&place, &from);
        }
        Ok(())
    }
    fn remove_wand(&mut self, wand: ExprId, place: &ResourceInstance, from: &St, blame: Blame) {
        self.mask_var(&from.mask, place.resource);
        let held = self.amount_at(&from.mask, place);
        self.body.assert(held.at_least(one()), blame.property(Reason::WandNotFound, self.id(wand)));
        self.body.assign(&held, held.minus(one()));
    }
    fn forget_name(&mut self, place: &ResourceInstance, st: &St) {
        self.heap_var(st, place.resource);
        let (value, other) = (self.value_at(st, place), self.unknown_value(&names::snapshot()));
        if !mutation::is_removed() {
            self.body.assign(&value, other);
        }
    }
    /// A variable of which nothing is known, however often its place is passed.
    pub fn unknown_value(&mut self, ty: &build::Type) -> Expr {
        let name = self.fresh("any", ty);
        self.body.havoc(&[&name]);
        name
    }

    /// Checks that the left side provides permission for what it reads, and the right side reads only what both
    /// provide.
    pub fn check_framing(&mut self, wand: ExprId, cx: &ExprContext) -> Result<()> {
        let known = self.wand(wand);
        let blame = Blame { error: ErrorKind::WandNotWellformed, at: self.id(wand) };
        self.aside(|encoder| {
            let number = encoder.number();
            let [st, before] = ["frame", "lhs"].map(|name| St::named(&format!("{name}{number}.")));
            encoder.empty(&st);
            let cx = ExprContext { assumed: true, ..cx.at(&st) };
            encoder.inhale(known.left, &cx, None, Some(blame))?;
            encoder.copy(&st, &before);
            // Both at once may be more permission than there can be, which would prove anything.
            let cx = ExprContext { any: true, left_side: Some(before), ..cx };
            encoder.inhale(known.right, &cx, None, Some(blame))
        })
    }

    pub fn apply(&mut self, wand: ExprId, id: SyntaxId, cx: &ExprContext) -> Result<()> {
        self.apply_wand(wand, cx, Blame { error: ErrorKind::Apply, at: id }, true)
    }
    /// Exchanges the wand and its left side for its right side. The prophecy may be assumed only if the instance is
    /// really gone afterwards.
    pub fn apply_wand(&mut self, wand: ExprId, cx: &ExprContext, blame: Blame, really: bool) -> Result<()> {
        let known = self.wand(wand);
        self.wand_defined(wand, cx, blame)?;
        let place = self.wand_place(wand, cx)?;
        self.heap_var(&cx.now, place.resource);
        let name = self.unknown_value(&names::snapshot());
        let value = self.value_at(&cx.now, &place);
        self.body.assign(&name, value);
        self.remove_wand(wand, &place, &cx.now, blame);
        self.forget_name(&place, &cx.now);
        let before = St::named(&format!("lhs{}.", self.number()));
        self.copy(&cx.now, &before);
        self.exhale_from(&[(known.left, blame)], cx, &before, true, true)?;
        let given = self.snapshot(known.left, &ExprContext { assumed: false, ..cx.at(&before) })?;
        if really {
            self.body.assume(will(&name));
            self.body.assume(left(&name).equals(&given));
        }
        let cx = ExprContext { assumed: true, left_side: Some(before), ..cx.clone() };
        // Its definedness was proved where the wand came from.
        self.inhale(known.right, &cx, None, None)?;
        let gained = self.snapshot(known.right, &cx)?;
        self.body.assume(call("applied", [name, given]).equals(gained));
        Ok(())
    }

    pub fn package(&mut self, wand: ExprId, script: &Block, id: SyntaxId, cx: &ExprContext) -> Result<()> {
        let program = self.program;
        let known = self.wand(wand);
        if program.any(wand, |kind| matches!(kind, ExprKind::PermOf(_) | ExprKind::ForPerm { .. })) {
            return self.unknown(id, "a wand that asks for held permissions cannot be packaged");
        }
        let labels = self.labels_of(script)?;
        let blame = Blame { error: ErrorKind::Package, at: id };
        self.wand_defined(wand, cx, blame)?;
        let mut settled = cx.settled.clone();
        for hole in &known.holes {
            let (value, ty) = (self.expr(*hole, cx)?, self.ty(program.ty(*hole), cx));
            if value.is_atom() {
                settled.insert(*hole, value);
                continue;
            }
            let name = self.unknown_value(&ty);
            self.body.assign(&name, value);
            settled.insert(*hole, name);
        }
        let cx = &ExprContext { settled, ..cx.clone() };
        let place = self.wand_place(wand, cx)?;
        let outer = St::named(&format!("outer{}.", self.number()));
        self.copy(&cx.now, &outer);
        let footprint = self.footprint(wand, script, &outer, cx)?;
        let name = self.unknown_value(&names::snapshot());
        let mut before = Vec::new();
        for label in labels {
            let (reached, kept) = (self.reached(label), self.unknown_value(&build::Type::Bool));
            self.body.assign(&kept, &reached);
            before.push((reached, kept));
        }
        self.body.begin(will(&name));
        let package = PackagedWand { known: &known, script, name: &name, footprint: &footprint, outer: &outer };
        self.check_package(package, blame, cx)?;
        self.body.end();
        // Labels in the script were not passed outside it.
        for (reached, kept) in before {
            self.body.assign(&reached, kept);
        }
        self.remove_footprint(&footprint, cx);
        self.join_wand(&place, cx, Some(&name));
        Ok(())
    }
    /// The labels in a script, which must be straight-line code.
    fn labels_of(&mut self, script: &Block) -> Result<Vec<LabelId>> {
        let (mut labels, mut jump) = (Vec::new(), None);
        script.visit_stmts(&mut |stmt: &Stmt| match &stmt.kind {
            StmtKind::Label { label, .. } => labels.push(*label),
            StmtKind::Goto(_) | StmtKind::While { .. } => jump = Some(stmt.id),
            _ => {}
        });
        match jump {
            Some(at) => self.unknown(at, "jumps in proof scripts are not supported by verification conditions"),
            None => Ok(labels),
        }
    }
    fn check_package(&mut self, package: PackagedWand<'_>, blame: Blame, cx: &ExprContext) -> Result<()> {
        let PackagedWand { known, script, name, footprint, outer } = package;
        let number = self.number();
        let [st, before, end] = ["inner", "lhs", "end"].map(|base| St::named(&format!("{base}{number}.")));
        self.empty(&st);
        let cx = ExprContext { assumed: true, ..cx.at(&st) };
        self.inhale(known.left, &cx, None, Some(blame))?;
        self.copy(&st, &before);
        let given = self.snapshot(known.left, &cx)?;
        self.body.assume(left(name).equals(given));
        let taken = St { heap: outer.heap.clone(), mask: footprint.mask.clone() };
        self.combine(&st, &taken, &footprint.resources);
        let cx = ExprContext { left_side: Some(before), ..cx };
        self.block(script, &cx)?;
        self.copy(&st, &end);
        self.exhale_from(&[(known.right, blame)], &cx, &end, false, true)?;
        let gained = self.snapshot(known.right, &ExprContext { assumed: false, ..cx.at(&end) })?;
        self.body.assume(call("applied", [name.clone(), left(name)]).equals(gained));
        Ok(())
    }

    // Footprints.

    /// Removes the footprint and havocs the values of what is no longer held.
    fn remove_footprint(&mut self, footprint: &Footprint, cx: &ExprContext) {
        let mut lost = Resources::new();
        for resource in footprint.resources.clone() {
            let (binders, keys) = self.key_binders(resource);
            let taken = self.mask_var(&footprint.mask, resource);
            let (heap, mask) = (self.heap_var(&cx.now, resource), self.mask_var(&cx.now.mask, resource));
            let (map, amounts) = self.map_types(resource);
            let rest = self.unknown_value(&amounts);
            let [part, held, remaining] = [&taken, &mask, &rest].map(|map| map.at(&keys));
            let difference = remaining.equals(held.minus(&part));
            self.body.assume(forall(&binders, vec![vec![remaining]], difference));
            if !mutation::is_removed() {
                self.body.assign(&mask, rest);
            }
            match resource {
                Resource::Field(_) => drop(lost.insert(resource)),
                Resource::Predicate(predicate) => lost.extend(&self.behind.predicates[predicate]),
                Resource::Wand(_) => {
                    let names = self.unknown_value(&map);
                    let [name, known] = [&names, &heap].map(|map| map.at(&keys));
                    let kept = part.at_most(zero()).implies(name.equals(known));
                    self.body.assume(forall(&binders, vec![vec![name]], kept));
                    if !mutation::is_removed() {
                        self.body.assign(&heap, names);
                    }
                }
            }
        }
        if !mutation::is_removed() {
            self.forget_inside(&cx.now, &lost);
        }
    }
}

/// Whether the wand of this name will be applied.
fn will(name: &Expr) -> Expr {
    call("will", [name.clone()])
}
/// The values to which it will be applied.
fn left(name: &Expr) -> Expr {
    call("left", [name.clone()])
}

/// How much of what a package takes: masks, which are zero for all other resources.
pub struct Footprint {
    pub mask: String,
    pub resources: Resources,
}
