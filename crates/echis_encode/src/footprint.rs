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
use crate::write::zero;
use echis_boogie::build::{self, Expr, conditional, lambda, no};
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
    /// Variables whose value is not known to be fixed by their name alone.
    locals: BTreeMap<LocalId, Expr>,
    /// Labels that were passed before.
    passed: BTreeSet<LabelId>,
}

/// The amounts that a dry run takes where they are not fixed.
#[derive(Clone, Copy)]
enum DryAmounts<'a> {
    Most,
    Least,
    /// The largest, where the locations are fixed from which a run with the smallest took something: its mask.
    MostBeyond(&'a str),
}

/// How permission is given.
#[derive(Clone, Copy)]
struct Giving<'g> {
    scale: Option<&'g Expr>,
    /// Whether the values are fixed.
    fixed: &'g Expr,
    /// Whether it says what values are, for all states to which the wand can be applied.
    tells: bool,
}

#[derive(Clone, Copy)]
struct Taking<'t> {
    scale: Option<&'t Expr>,
    /// It is only looked whether it is there.
    stays: bool,
    /// Whether the values may have changed when the permission is returned.
    changes: bool,
}

/// More than there is of anything.
fn more_than_all() -> Expr {
    build::decimal(1_000_000, 0)
}
/// Less than anybody needs.
fn little() -> Expr {
    build::decimal(1, 6)
}

impl Encoder<'_> {
    pub fn footprint(&mut self, wand: ExprId, script: &Block, outer: &St, cx: &ExprContext) -> Result<Footprint> {
        let resources = self.mentioned(wand, script);
        let mark = self.body.mark();
        let mut run = self.dry_run(wand, script, outer, &resources, DryAmounts::Most, cx)?;
        if run.unsure {
            self.body.rewind(mark);
            let least = self.dry_run(wand, script, outer, &resources, DryAmounts::Least, cx)?;
            run = self.dry_run(wand, script, outer, &resources, DryAmounts::MostBeyond(&least.taken), cx)?;
        }
        let footprint = Footprint { mask: format!("footprint{}.", self.number()), resources: run.touched.clone() };
        for resource in run.touched.clone() {
            let (binders, keys) = self.key_binders(resource);
            let (taken, held) = (self.mask_var(&run.taken, resource), self.mask_var(&outer.mask, resource));
            let mask = self.mask_var(&footprint.mask, resource);
            // It is not more than what is held, whatever was proposed.
            let (taken, held) = (taken.at(&keys), held.at(&keys));
            let part = conditional(taken.at_most(zero()), zero(), smaller(&taken, &held));
            self.body.assign(&mask, lambda(&binders, part));
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
    fn dry_run(
        &mut self,
        wand: ExprId,
        script: &Block,
        outer: &St,
        resources: &Resources,
        amounts: DryAmounts<'_>,
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
            most: !matches!(amounts, DryAmounts::Least),
            unsure: false,
            changed: Resources::new(),
            touched: Resources::new(),
            locals: BTreeMap::new(),
            passed: self.passed.clone(),
        };
        for resource in resources.clone() {
            let (binders, keys) = self.key_binders(resource);
            let (heap, held) = (self.heap_var(&run.st, resource), self.heap_var(outer, resource));
            self.body.assign(&heap, held);
            for prefix in [&run.st.mask, &run.vague, &run.taken] {
                let mask = self.mask_var(prefix, resource);
                self.body.assign(&mask, lambda(&binders, zero()));
            }
            let known = match amounts {
                DryAmounts::MostBeyond(least) => self.mask_var(least, resource).at(&keys).greater(zero()),
                DryAmounts::Most | DryAmounts::Least => no(),
            };
            let fixed = self.fixed_var(&run, resource);
            self.body.assign(&fixed, lambda(&binders, known));
        }
        let known = self.wand(wand);
        let cx = ExprContext { assumed: true, ..cx.at(&run.st) };
        self.give(known.left, &cx, Giving { scale: None, fixed: &no(), tells: true }, &mut run)?;
        let before = St::named(&prefix("drylhs"));
        for resource in resources.clone() {
            let (from, to) = (self.heap_var(&run.st, resource), self.heap_var(&before, resource));
            self.body.assign(&to, from);
        }
        let cx = ExprContext { left_side: Some(before), ..cx };
        self.dry_block(script, &cx, &mut run)?;
        let cx = ExprContext { assumed: false, ..cx };
        self.demand(known.right, &cx, Taking { scale: None, stays: false, changes: false }, &mut run)?;
        Ok(run)
    }
    fn fixed_var(&mut self, run: &Run, resource: Resource) -> Expr {
        let ty = build::Type::map(self.key_types(resource), build::Type::Bool);
        self.state_var(&run.fixed, resource, &ty)
    }

    /// The smallest or largest value that an amount may have.
    fn amount(&mut self, amount: ExprId, most: bool, cx: &ExprContext, run: &mut Run) -> Result<Expr> {
        if let ExprKind::Wildcard = self.program.kind(amount) {
            return Ok(little());
        }
        let fixed = self.is_fixed(amount, cx, run)?;
        let bound = match self.program.kind(amount) {
            _ if fixed.is_true() => return self.expr(amount, cx),
            ExprKind::Conditional(condition, then, otherwise) => {
                let (then, otherwise) = (self.amount(*then, most, cx, run)?, self.amount(*otherwise, most, cx, run)?);
                let (known, holds) = (self.is_fixed(*condition, cx, run)?, self.expr(*condition, cx)?);
                let bound = if most { greater(&then, &otherwise) } else { smaller(&then, &otherwise) };
                conditional(known, conditional(holds, then, otherwise), bound)
            }
            ExprKind::Unary(UnaryOp::Minus, inner) => self.amount(*inner, !most, cx, run)?.negated(),
            _ if most => more_than_all(),
            _ => zero(),
        };
        let value = self.expr(amount, cx)?;
        Ok(conditional(fixed, value, bound))
    }
}

fn smaller(one: &Expr, two: &Expr) -> Expr {
    conditional(one.less(two), one, two)
}
fn greater(one: &Expr, two: &Expr) -> Expr {
    conditional(one.greater(two), one, two)
}
