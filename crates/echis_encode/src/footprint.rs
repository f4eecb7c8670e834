//! Proposes the footprint of a package. The package is checked with any proposal: one that is too small makes the
//! check fail, one that is too large takes more than needed.
//!
//! A dry run inhales the left side, executes the script and exhales the right side once, without assertions or
//! assumptions, using the current values of the heap. What is missing is taken from the outer state. The values of
//! the left side may differ when the wand is applied. For each location, it is therefore tracked whether its value is
//! *fixed*: because the footprint contains some of the location, or because the left side determines it. If a
//! condition is not fixed, both of its cases are executed, and the larger of the amounts is taken; if it is not fixed
//! which location is meant, and the left side does not provide it, everything held of the field, predicate or kind of
//! wand is taken.
//!
//! A later take may make something fixed. So if anything is not fixed, there are two runs: first with the smaller
//! amounts, which are taken in any case, and then with the corresponding locations known to be fixed.

mod cases;
mod fixed;
mod give;
mod many;
mod script;
mod take;

use crate::encoder::{Encoder, ExprContext, Result, St};
use crate::resource::{Resource, Resources};
use crate::wand::Footprint;
use echis_program::program::{Block, ExprId, ExprKind, LabelId, LocalId, Stmt, StmtKind, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

/// A dry run.
struct Run {
    st: St,
    outer: St,
    /// The permission held at locations whose identity is not fixed.
    vague: String,
    taken: String,
    /// The fixed values: maps to propositions.
    fixed: String,
    /// Whether the larger amounts are used.
    most: bool,
    /// Whether something may not be fixed.
    unsure: bool,
    /// The resources changed in the current case, and all resources taken from.
    changed: Resources,
    touched: Resources,
    /// Variables whose value is not known to be fixed from their name.
    locals: BTreeMap<LocalId, String>,
    /// Labels passed before.
    passed: BTreeSet<LabelId>,
}

/// How permission is given.
#[derive(Clone, Copy)]
struct Giving<'g> {
    scale: Option<&'g str>,
    /// Whether the values are fixed.
    fixed: &'g str,
    /// Whether it determines values, in all states to which the wand can be applied.
    tells: bool,
}

#[derive(Clone, Copy)]
struct Taking<'t> {
    scale: Option<&'t str>,
    /// Whether the permission is only checked, and stays.
    stays: bool,
    /// Whether the values may have changed when the permission is returned.
    changes: bool,
}

/// More than the available permission.
const ALL: &str = "1000000.0";
/// Less than any needed permission.
const LITTLE: &str = "0.000001";

impl Encoder<'_> {
    pub fn footprint(&mut self, wand: ExprId, script: &Block, outer: &St, cx: &ExprContext) -> Result<Footprint> {
        let resources = self.mentioned(wand, script);
        let mark = self.body.mark();
        let mut run = self.dry_run(wand, script, outer, &resources, true, None, cx)?;
        if run.unsure {
            self.body.rewind(mark);
            let least = self.dry_run(wand, script, outer, &resources, false, None, cx)?;
            run = self.dry_run(wand, script, outer, &resources, true, Some(&least.taken), cx)?;
        }
        let footprint = Footprint { mask: format!("footprint{}.", self.number()), resources: run.touched.clone() };
        for resource in run.touched.clone() {
            let (binders, keys) = self.key_binders(resource);
            let (taken, held) = (self.mask_var(&run.taken, resource), self.mask_var(&outer.mask, resource));
            let mask = self.mask_var(&footprint.mask, resource);
            // Capped at what is held, whatever was proposed.
            let (taken, held) = (format!("{taken}[{keys}]"), format!("{held}[{keys}]"));
            let part = format!("(if {taken} <= 0.0 then 0.0 else {})", smaller(&taken, &held));
            self.body.line(format!("{mask} := (lambda {binders} :: {part});"));
        }
        Ok(footprint)
    }
    /// The resources that a package can affect.
    fn mentioned(&mut self, wand: ExprId, script: &Block) -> Resources {
        let program = self.program;
        let (mut roots, mut found) = (vec![wand], Resources::new());
        script.visit_stmts(&mut |stmt: &Stmt| {
            roots.extend(stmt.kind.roots());
            match &stmt.kind {
                StmtKind::Fold(access) | StmtKind::Unfold(access) => {
                    found.extend(&self.behind.predicates[access.predicate]);
                }
                StmtKind::Call { method, .. } => {
                    roots.extend(program.methods[*method].pre.iter().chain(&program.methods[*method].post));
                }
                _ => {}
            }
        });
        found.extend(self.behind.of_all(program, &roots));
        let mut wands = Vec::new();
        for root in roots {
            program.visit_with_triggers(root, |expr, kind| {
                if matches!(kind, ExprKind::Wand { .. }) {
                    wands.push(expr);
                }
            });
        }
        found.extend(wands.into_iter().map(|wand| Resource::Wand(self.wand(wand).kind)));
        found
    }
    #[allow(clippy::too_many_arguments)]
    fn dry_run(
        &mut self,
        wand: ExprId,
        script: &Block,
        outer: &St,
        resources: &Resources,
        most: bool,
        common: Option<&str>,
        cx: &ExprContext,
    ) -> Result<Run> {
        let number = self.number();
        let prefix = |name: &str| format!("{name}{number}.");
        let mut run = Run {
            st: St::named(&prefix("dry")),
            outer: outer.clone(),
            vague: prefix("vague"),
            taken: prefix("taken"),
            fixed: prefix("fixed"),
            most,
            unsure: false,
            changed: Resources::new(),
            touched: Resources::new(),
            locals: BTreeMap::new(),
            passed: self.passed.clone(),
        };
        for resource in resources.clone() {
            let (binders, keys) = self.key_binders(resource);
            let (heap, held) = (self.heap_var(&run.st, resource), self.heap_var(outer, resource));
            self.body.line(format!("{heap} := {held};"));
            for prefix in [&run.st.mask, &run.vague, &run.taken] {
                let mask = self.mask_var(prefix, resource);
                self.body.line(format!("{mask} := (lambda {binders} :: 0.0);"));
            }
            let known = match common {
                Some(common) => format!("{}[{keys}] > 0.0", self.mask_var(common, resource)),
                None => "false".into(),
            };
            let fixed = self.fixed_var(&run, resource);
            self.body.line(format!("{fixed} := (lambda {binders} :: {known});"));
        }
        let known = self.wand(wand);
        let cx = ExprContext { assumed: true, ..cx.at(&run.st) };
        self.give(known.left, &cx, Giving { scale: None, fixed: "false", tells: true }, &mut run)?;
        let before = St::named(&prefix("drylhs"));
        for resource in resources.clone() {
            let (from, to) = (self.heap_var(&run.st, resource), self.heap_var(&before, resource));
            self.body.line(format!("{to} := {from};"));
        }
        let cx = ExprContext { left_side: Some(before), ..cx };
        self.dry_block(script, &cx, &mut run)?;
        let cx = ExprContext { assumed: false, ..cx };
        self.demand(known.right, &cx, Taking { scale: None, stays: false, changes: false }, &mut run)?;
        Ok(run)
    }
    fn fixed_var(&mut self, run: &Run, resource: Resource) -> String {
        let ty = format!("[{}]bool", self.key_types(resource).join(","));
        let name = self.mask(&run.fixed, resource);
        self.body.declare(&name, &ty);
        name
    }

    /// The minimum or maximum of an amount.
    fn amount(&mut self, amount: ExprId, most: bool, cx: &ExprContext, run: &mut Run) -> Result<String> {
        if let ExprKind::Wildcard = self.program.kind(amount) {
            return Ok(LITTLE.into());
        }
        let fixed = self.is_fixed(amount, cx, run)?;
        let bound = match self.program.kind(amount) {
            _ if fixed == "true" => return self.expr(amount, cx),
            ExprKind::Conditional(condition, then, otherwise) => {
                let (then, otherwise) = (self.amount(*then, most, cx, run)?, self.amount(*otherwise, most, cx, run)?);
                let (known, holds) = (self.is_fixed(*condition, cx, run)?, self.expr(*condition, cx)?);
                let bound = if most { greater(&then, &otherwise) } else { smaller(&then, &otherwise) };
                format!("(if {known} then (if {holds} then {then} else {otherwise}) else {bound})")
            }
            ExprKind::Unary(UnaryOp::Minus, inner) => format!("(-{})", self.amount(*inner, !most, cx, run)?),
            _ if most => ALL.into(),
            _ => "0.0".into(),
        };
        let value = self.expr(amount, cx)?;
        Ok(format!("(if {fixed} then {value} else {bound})"))
    }
}

fn smaller(one: &str, two: &str) -> String {
    format!("(if {one} < {two} then {one} else {two})")
}
fn greater(one: &str, two: &str) -> String {
    format!("(if {one} > {two} then {one} else {two})")
}
