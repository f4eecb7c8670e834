//! Scripts in a dry run.

use super::{Giving, Run, Taking};
use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result, keys};
use crate::resource::Resource;
use crate::write::{and, implies, zero};
use echis_boogie::build::{self, Expr, no};
use echis_program::program::{Block, ExprKind, PredicateAccess, Stmt, StmtKind};

impl Encoder<'_> {
    pub(super) fn dry_block(&mut self, block: &Block, cx: &ExprContext, run: &mut Run) -> Result<()> {
        block
            .stmts
            .iter()
            .try_for_each(|stmt| stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.dry_stmt(stmt, cx, run)))
    }
    pub(super) fn dry_stmt(&mut self, stmt: &Stmt, cx: &ExprContext, run: &mut Run) -> Result<()> {
        let program = self.program;
        let plain = Taking { scale: None, stays: false, changes: true };
        let never = no();
        let unknown = Giving { scale: None, fixed: &never, tells: false };
        match &stmt.kind {
            StmtKind::Assign { target, value } => {
                let fixed = self.is_fixed(*value, cx, run)?;
                run.locals.insert(*target, fixed);
                let (target, value) = (self.local(*target, cx), self.expr(*value, cx)?);
                self.body.assign(&target, value);
                Ok(())
            }
            StmtKind::Declare(local) => {
                run.locals.insert(*local, no());
                Ok(())
            }
            StmtKind::Inhale(assertion) | StmtKind::Assume(assertion) => {
                self.give(*assertion, cx, Giving { tells: true, ..unknown }, run)
            }
            StmtKind::Exhale(assertion) => self.demand(*assertion, cx, plain, run),
            StmtKind::Assert(assertion) => {
                self.demand(*assertion, cx, Taking { stays: true, changes: false, ..plain }, run)
            }
            StmtKind::Fold(access) => self.dry_fold(access, cx, run),
            StmtKind::Unfold(access) => self.dry_unfold(access, cx, run),
            StmtKind::Apply { wand } => {
                let known = self.wand(*wand);
                let taken = Taking { changes: false, ..plain };
                self.demand(*wand, cx, taken, run)?;
                self.demand(known.left, cx, taken, run)?;
                self.give(known.right, cx, unknown, run)
            }
            // A nested package takes nothing from this state for its left side.
            StmtKind::Package { wand, script } => {
                let known = self.wand(*wand);
                self.give(known.left, cx, unknown, run)?;
                self.dry_block(script, cx, run)?;
                self.demand(known.right, cx, Taking { changes: false, ..plain }, run)?;
                self.give(*wand, cx, unknown, run)
            }
            StmtKind::If { condition, then, otherwise } => {
                let fixed = self.is_fixed(*condition, cx, run)?;
                self.cases(*condition, cx, run, |encoder, taken, run| {
                    encoder.dry_block(if taken { then } else { otherwise }, cx, run)
                })?;
                if !fixed.is_true() {
                    for block in [then, otherwise] {
                        block.visit_stmts(&mut |stmt: &Stmt| {
                            run.locals.extend(stmt.kind.written().iter().map(|local| (*local, no())));
                        });
                    }
                }
                Ok(())
            }
            StmtKind::Call { targets, method, args } => {
                let callee = &program.methods[*method];
                let mut inner = ExprContext { old: cx.now.clone(), ..cx.clone() };
                for (param, arg) in callee.params.iter().zip(args) {
                    let fixed = self.is_fixed(*arg, cx, run)?;
                    run.locals.insert(*param, fixed);
                    inner.locals.insert(*param, self.expr(*arg, cx)?);
                }
                for clause in &callee.pre {
                    self.demand(*clause, &ExprContext { assumed: false, ..inner.clone() }, plain, run)?;
                }
                for (result, target) in callee.returns.iter().zip(targets) {
                    run.locals.insert(*result, no());
                    run.locals.insert(*target, no());
                    let name = self.local(*target, cx);
                    inner.locals.insert(*result, name);
                }
                callee.post.iter().try_for_each(|clause| self.give(*clause, &inner, unknown, run))
            }
            StmtKind::Label { label, .. } => {
                let st = self.label_state(*label);
                for resource in run.touched.clone() {
                    let (from, to) = (self.heap_var(&run.st, resource), self.heap_var(&st, resource));
                    self.body.assign(&to, from);
                }
                Ok(())
            }
            StmtKind::Block(block) => self.dry_block(block, cx, run),
            // Statements without an effect on permission, or that are not allowed here.
            StmtKind::AssignField { .. }
            | StmtKind::New { .. }
            | StmtKind::Refute(_)
            | StmtKind::Quasihavoc { .. }
            | StmtKind::QuasihavocAll { .. }
            | StmtKind::While { .. }
            | StmtKind::Goto(_) => Ok(()),
        }
    }
    pub(super) fn dry_access(
        &mut self,
        access: &PredicateAccess,
        cx: &ExprContext,
        run: &mut Run,
    ) -> Result<DryAccess> {
        let program = self.program;
        let located = self.all_fixed(&access.args, cx, run)?;
        let mut args = Vec::new();
        for (param, arg) in program.predicates[access.predicate].params.iter().zip(&access.args) {
            let fixed = self.is_fixed(*arg, cx, run)?;
            run.locals.insert(*param, fixed);
            let (value, ty) = (self.expr(*arg, cx)?, self.ty(program.ty(*arg), cx));
            let name = self.fresh("arg", &ty);
            self.body.assign(&name, value);
            args.push(name);
        }
        let amount = self.amount(access.amount, run.most, cx, run)?;
        let params = program.predicates[access.predicate].params.iter().copied().zip(args.iter().cloned());
        let inner = cx.with(params);
        let place = ResourceInstance { resource: Resource::Predicate(access.predicate), args: keys(args.clone()) };
        Ok(DryAccess { place, args, located, amount, inner })
    }
    pub(super) fn dry_fold(&mut self, access: &PredicateAccess, cx: &ExprContext, run: &mut Run) -> Result<()> {
        let Some(body) = self.program.predicates[access.predicate].body else { return Ok(()) };
        let DryAccess { place, located, amount, inner, .. } = self.dry_access(access, cx, run)?;
        let inner = ExprContext { assumed: false, ..inner };
        self.demand(body, &inner, Taking { scale: Some(&amount), stays: false, changes: false }, run)?;
        let (value, snapshot) = (self.value_at(&run.st, &place), self.snapshot(body, &inner)?);
        run.changed.insert(place.resource);
        self.body.assign(&value, snapshot);
        self.put(&place, &amount, &located, &no(), run);
        Ok(())
    }
    pub(super) fn dry_unfold(&mut self, access: &PredicateAccess, cx: &ExprContext, run: &mut Run) -> Result<()> {
        let Some(body) = self.program.predicates[access.predicate].body else { return Ok(()) };
        let DryAccess { place, args, located, amount, inner } = self.dry_access(access, cx, run)?;
        let wildcard = matches!(self.program.kind(access.amount), ExprKind::Wildcard);
        let how = Taking { scale: None, stays: false, changes: false };
        self.get(&place, &amount, wildcard, &located, how, run);
        // An instance that is held outside determines these values.
        let outside = cx.at(&run.outer);
        let (held, inside) = (self.amount_at(&run.outer.mask, &place), self.inside(access.predicate, &args, &outside)?);
        self.body.assume(implies(&held.greater(zero()), &inside));
        let fixed = self.fresh("fixed", &build::Type::Bool);
        let known = self.value_fixed(&place, run);
        self.body.assign(&fixed, and([located, known]));
        let how = Giving { scale: Some(&amount), fixed: &fixed, tells: false };
        self.give(body, &ExprContext { assumed: true, ..inner }, how, run)
    }
}

/// An instance that is folded or unfolded, with the context of its body.
pub(super) struct DryAccess {
    place: ResourceInstance,
    args: Vec<Expr>,
    located: Expr,
    amount: Expr,
    inner: ExprContext,
}
