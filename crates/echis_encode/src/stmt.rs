//! Statements.

use crate::assertion::Exhaling;
use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result, St, keys};
use crate::names;
use crate::resource::{Resource, Resources};
use crate::write::{Blame, and, one, zero};
use echis_base::SyntaxId;
use echis_boogie::build::{self, Binder, Expr, call, conditional, exists, forall, var, yes};
use echis_program::program::{
    Block, Decreases, ExprId, ExprKind, FieldId, LabelId, LocalId, Location, MethodId, PredicateAccess, PredicateId,
    Stmt, StmtKind, Type,
};
use echis_program::reach::Member;
use echis_proof::{ErrorKind, Reason};
use std::collections::BTreeSet;

impl Encoder<'_> {
    pub fn block(&mut self, block: &Block, cx: &ExprContext) -> Result<()> {
        self.havoc(&block.locals, cx);
        block.stmts.iter().try_for_each(|stmt| stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.stmt(stmt, cx)))
    }
    pub fn stmt(&mut self, stmt: &Stmt, cx: &ExprContext) -> Result<()> {
        let id = stmt.id;
        match &stmt.kind {
            StmtKind::Declare(local) => {
                self.havoc(std::slice::from_ref(local), cx);
                Ok(())
            }
            StmtKind::Assign { target, value } => {
                let blame = Blame { error: ErrorKind::Assignment, at: id };
                let value = self.checked(*value, cx, blame)?;
                let target = self.local(*target, cx);
                self.body.assign(&target, value);
                Ok(())
            }
            StmtKind::AssignField { receiver, field, value } => self.assign_field(*receiver, *field, *value, id, cx),
            StmtKind::New { target, fields } => self.new_object(*target, fields, cx),
            StmtKind::Call { targets, method, args } => self.call(targets, *method, args, id, cx),
            StmtKind::Inhale(assertion) | StmtKind::Assume(assertion) => {
                let blame = Blame { error: ErrorKind::Inhale, at: self.id(*assertion) };
                self.inhale(*assertion, cx, None, Some(blame))
            }
            StmtKind::Exhale(assertion) => {
                let blame = Blame { error: ErrorKind::Exhale, at: self.id(*assertion) };
                self.exhale(&[(*assertion, blame)], cx, true, true)
            }
            StmtKind::Assert(assertion) => {
                let blame = Blame { error: ErrorKind::Assert, at: self.id(*assertion) };
                self.check(&[*assertion], cx, blame, true)
            }
            StmtKind::Refute(assertion) => self.refute(*assertion, cx),
            StmtKind::Fold(access) => self.fold(access, id, cx),
            StmtKind::Unfold(access) => self.unfold(access, id, cx),
            StmtKind::Package { wand, script } => self.package(*wand, script, id, cx),
            StmtKind::Apply { wand } => self.apply(*wand, id, cx),
            StmtKind::Quasihavoc { condition, location, location_id } => {
                self.quasihavoc(*condition, location, *location_id, cx)
            }
            StmtKind::QuasihavocAll { vars, condition, location, location_id } => {
                self.quasihavoc_all(vars, *condition, location, *location_id, id, cx)
            }
            StmtKind::If { condition, then, otherwise } => {
                let blame = Blame { error: ErrorKind::If, at: self.id(*condition) };
                let condition = self.checked(*condition, cx, blame)?;
                self.body.begin(condition);
                self.block(then, cx)?;
                self.body.otherwise();
                self.block(otherwise, cx)?;
                self.body.end();
                Ok(())
            }
            StmtKind::While { condition, invariants, decreases, body } => {
                self.while_loop(*condition, invariants, decreases, body, id, cx)
            }
            StmtKind::Label { label, .. } => {
                self.label(*label, cx);
                Ok(())
            }
            StmtKind::Goto(_) => self.unknown(id, "jumps are not supported here by verification conditions"),
            StmtKind::Block(block) => self.block(block, cx),
        }
    }

    /// The value of an expression, after checking that it is defined.
    pub fn checked(&mut self, expr: ExprId, cx: &ExprContext, blame: Blame) -> Result<Expr> {
        let cx = &self.prepared(expr, cx, Some(blame))?;
        self.defined(expr, cx, blame)?;
        self.expr(expr, cx)
    }

    // States.

    /// Copies everything that the member can read.
    pub fn copy(&mut self, from: &St, to: &St) {
        for resource in self.resources.clone() {
            let (from, to) = (self.heap_var(from, resource), self.heap_var(to, resource));
            self.body.assign(&to, from);
        }
        self.copy_masks(&from.mask, &to.mask);
    }
    pub fn copy_masks(&mut self, from: &str, to: &str) {
        for resource in self.resources.clone() {
            let (from, to) = (self.mask_var(from, resource), self.mask_var(to, resource));
            self.body.assign(&to, from);
        }
    }
    /// Removes all permission and havocs all values.
    pub fn empty(&mut self, st: &St) {
        for resource in self.resources.clone() {
            let (heap, mask) = (self.heap_var(st, resource), self.mask_var(&st.mask, resource));
            self.body.havoc(&[&heap, &mask]);
            let (binders, keys) = self.key_binders(resource);
            let amount = mask.at(&keys);
            self.body.assume(forall(&binders, vec![vec![amount.clone()]], amount.equals(zero())));
        }
    }
    pub fn reached(&mut self, label: LabelId) -> Expr {
        let name = format!("reached.{}", names::label(self.program, label));
        self.body.declare(&name.into(), &build::Type::Bool)
    }
    fn label(&mut self, label: LabelId, cx: &ExprContext) {
        self.passed.insert(label);
        let reached = self.reached(label);
        self.body.assign(&reached, yes());
        let st = self.label_state(label);
        self.copy(&cx.now, &st);
    }
    /// A variable for a value that would change with the heap.
    fn pin(&mut self, value: Expr, ty: &build::Type) -> Expr {
        if value.is_atom() {
            return value;
        }
        let name = self.fresh("arg", ty);
        self.body.assign(&name, value);
        name
    }

    // Fields and objects.

    fn assign_field(
        &mut self,
        receiver: ExprId,
        field: FieldId,
        value: ExprId,
        id: SyntaxId,
        cx: &ExprContext,
    ) -> Result<()> {
        let blame = Blame { error: ErrorKind::Assignment, at: id };
        self.defined(receiver, cx, blame)?;
        let value = self.checked(value, cx, blame)?;
        let place = ResourceInstance { resource: Resource::Field(field), args: vec![self.expr(receiver, cx)?] };
        let held = self.amount_at(&cx.now.mask, &place);
        self.body.assert(held.at_least(one()), blame.property(Reason::InsufficientPermission, id));
        let target = self.value_at(&cx.now, &place);
        self.body.assign(&target, value);
        Ok(())
    }
    fn new_object(&mut self, target: LocalId, fields: &[FieldId], cx: &ExprContext) -> Result<()> {
        let object = self.fresh("new", &names::reference());
        let mut known = vec![object.differs(var("null"))];
        for resource in self.resources.clone() {
            let Resource::Field(field) = resource else { continue };
            let (heap, mask) = (self.heap_var(&cx.now, resource), self.mask_var(&cx.now.mask, resource));
            if self.program.fields[field].ty == Type::Ref {
                let referring = [Binder::new("r'", names::reference())];
                let [value, held] = [heap, mask].map(|map| map.at(&[referring[0].var()]));
                let other = held.greater(zero()).implies(value.differs(&object));
                known.push(forall(&referring, vec![vec![value]], other));
            }
        }
        for local in self.scope.clone() {
            let name = self.local(local, cx);
            match &self.program.locals[local].ty {
                Type::Ref => known.push(name.differs(&object)),
                ty @ (Type::Set(item) | Type::Seq(item)) if **item == Type::Ref => {
                    let ty = self.ty(&ty.clone(), cx);
                    known.push(call(format!("in#{ty}"), [object.clone(), name]).not());
                }
                _ => {}
            }
        }
        known.into_iter().for_each(|fact| self.body.assume(fact));
        for field in fields {
            let place = ResourceInstance { resource: Resource::Field(*field), args: vec![object.clone()] };
            self.mask_var(&cx.now.mask, place.resource);
            let held = self.amount_at(&cx.now.mask, &place);
            self.body.assign(&held, held.plus(one()));
            self.body.assume(held.at_most(one()));
        }
        let target = self.local(target, cx);
        self.body.assign(&target, object);
        Ok(())
    }

    // Predicates.

    fn fold(&mut self, access: &PredicateAccess, id: SyntaxId, cx: &ExprContext) -> Result<()> {
        let program = self.program;
        let declared = &program.predicates[access.predicate];
        let blame = Blame { error: ErrorKind::Fold, at: id };
        let body = self.predicate_body(access.predicate, id)?;
        self.all_defined(&access.args, cx, blame)?;
        let args = self.pinned(access, cx)?;
        let amount = match program.kind(access.amount) {
            ExprKind::Wildcard => {
                let some = self.fresh_open();
                self.body.assume(zero().less(&some));
                some
            }
            _ => {
                self.defined(access.amount, cx, blame)?;
                let amount = self.expr(access.amount, cx)?;
                let amount = if amount.is_one() { amount } else { self.pin(amount, &build::Type::Real) };
                if !amount.is_one() {
                    let property = blame.property(Reason::PermissionNotPositive, self.id(access.amount));
                    self.body.assert(amount.greater(zero()), property);
                }
                amount
            }
        };
        let inner = ExprContext { assumed: false, ..cx.with(declared.params.iter().copied().zip(args.clone())) };
        let from = cx.now.clone();
        let mut how = Exhaling { blame, defined: false, from, forget: false, lost: Resources::new() };
        self.take(body, &inner, Some(&amount), &mut how)?;
        let snapshot = self.snapshot(body, &inner)?;
        let resource = Resource::Predicate(access.predicate);
        let place = ResourceInstance { resource, args: keys(args) };
        let (value, held) = (self.value_at(&cx.now, &place), self.amount_at(&cx.now.mask, &place));
        self.body.assume(held.greater(zero()).implies(value.equals(&snapshot)));
        self.body.assign(&value, snapshot);
        self.body.assign(&held, held.plus(&amount));
        let opened = self.opened(resource, &value, &place.args);
        self.body.assume(opened);
        Ok(())
    }
    /// The body of a predicate.
    pub fn predicate_body(&self, predicate: PredicateId, at: SyntaxId) -> Result<ExprId> {
        let Some(body) = self.program.predicates[predicate].body else {
            return self.unknown(at, "an abstract predicate cannot be folded or unfolded");
        };
        self.meaningful(Member::Predicate(predicate))?;
        Ok(body)
    }
    fn pinned(&mut self, access: &PredicateAccess, cx: &ExprContext) -> Result<Vec<Expr>> {
        let mut args = Vec::new();
        for arg in &access.args {
            let program = self.program;
            let (value, ty) = (self.expr(*arg, cx)?, self.ty(program.ty(*arg), cx));
            args.push(self.pin(value, &ty));
        }
        Ok(args)
    }
    fn unfold(&mut self, access: &PredicateAccess, id: SyntaxId, cx: &ExprContext) -> Result<()> {
        let program = self.program;
        let declared = &program.predicates[access.predicate];
        let blame = Blame { error: ErrorKind::Unfold, at: id };
        let body = self.predicate_body(access.predicate, id)?;
        let (_, amount) = self.instance_held(access, cx, blame)?;
        let amount = if amount.is_one() { amount } else { self.pin(amount, &build::Type::Real) };
        let args = self.pinned(access, cx)?;
        let inside = self.inside(access.predicate, &args, cx)?;
        self.body.assume(inside);
        self.assume_nesting(access.predicate, &args, cx)?;
        let place = ResourceInstance { resource: Resource::Predicate(access.predicate), args: keys(args.clone()) };
        let held = self.amount_at(&cx.now.mask, &place);
        self.body.assign(&held, held.minus(&amount));
        let params = declared.params.iter().copied().zip(args);
        let inner = ExprContext { assumed: true, amounts: Some(blame), ..cx.with(params) };
        self.inhale(body, &inner, Some(&amount), None)?;
        // The body may contain an instance with the same arguments.
        self.forget_one(&place, &cx.now);
        Ok(())
    }

    // Calls and loops.

    fn call(
        &mut self,
        targets: &[LocalId],
        method: MethodId,
        args: &[ExprId],
        id: SyntaxId,
        cx: &ExprContext,
    ) -> Result<()> {
        let program = self.program;
        let callee = &program.methods[method];
        self.all_defined(args, cx, Blame { error: ErrorKind::Call, at: id })?;
        let mut formals = Vec::new();
        for (param, arg) in callee.params.iter().zip(args) {
            let (value, ty) = (self.expr(*arg, cx)?, self.local_type(*param, cx));
            let name = self.fresh("arg", &ty);
            self.body.assign(&name, value);
            formals.push((*param, name));
        }
        self.check_termination_of_call(method, &formals, id, cx)?;
        let before = St::named(&format!("call{}.", self.number()));
        self.copy(&cx.now, &before);
        let amounts = Some(Blame { error: ErrorKind::Call, at: id });
        let mut inner =
            ExprContext { locals: formals.into_iter().collect(), old: before.clone(), amounts, ..cx.clone() };
        let blame = Blame { error: ErrorKind::CallPrecondition, at: id };
        let clauses: Vec<(ExprId, Blame)> = callee.pre.iter().map(|clause| (*clause, blame)).collect();
        let halves = self.have_halves(&callee.pre);
        self.exhale_from(&clauses, &inner, &before, true, halves)?;
        let mut results = Vec::new();
        for result in &callee.returns {
            let ty = self.local_type(*result, cx);
            let name = self.fresh("result", &ty);
            inner.locals.insert(*result, name.clone());
            results.push(name);
        }
        // The postcondition was found to be defined when the precondition was assumed, which may be stronger than
        // what was checked here.
        let careful = halves.then_some(Blame { error: ErrorKind::Call, at: id });
        for clause in &callee.post {
            self.inhale(*clause, &ExprContext { assumed: true, ..inner.clone() }, None, careful)?;
        }
        for (target, result) in targets.iter().zip(results) {
            let target = self.local(*target, cx);
            self.body.assign(&target, result);
        }
        Ok(())
    }
    /// One arbitrary iteration is executed separately, with only what the invariant provides; after the loop, there
    /// is what the invariant did not take, and what it provides.
    fn while_loop(
        &mut self,
        condition: ExprId,
        invariants: &[ExprId],
        decreases: &Decreases,
        body: &Block,
        id: SyntaxId,
        cx: &ExprContext,
    ) -> Result<()> {
        let mut assigned: BTreeSet<LocalId> = BTreeSet::new();
        body.visit_stmts(&mut |stmt: &Stmt| assigned.extend(stmt.kind.written()));
        let assigned: Vec<LocalId> = assigned.into_iter().collect();
        self.check_termination_of_loop(Some(condition), decreases, id, cx)?;
        self.establish(invariants, &assigned, cx)?;
        self.havoc(&assigned, cx);
        self.aside(|encoder| {
            encoder.arbitrary_iteration(invariants, cx)?;
            let holds = encoder.checked(condition, cx, Blame { error: ErrorKind::While, at: encoder.id(condition) })?;
            encoder.body.assume(holds);
            let start = encoder.start_iteration(decreases, cx)?;
            encoder.block(body, cx)?;
            encoder.finish_loop(Some(condition), invariants, decreases, start, cx)
        })?;
        let assumed = ExprContext { assumed: true, ..cx.clone() };
        for clause in invariants {
            self.inhale(*clause, &assumed, None, None)?;
        }
        self.known(condition, cx, None)?;
        let holds = self.expr(condition, cx)?;
        self.body.assume(holds.not());
        Ok(())
    }

    // Forgetting.

    fn quasihavoc(
        &mut self,
        condition: Option<ExprId>,
        location: &Location,
        location_id: SyntaxId,
        cx: &ExprContext,
    ) -> Result<()> {
        let blame = Blame { error: ErrorKind::Quasihavoc, at: location_id };
        let mut guard = yes();
        if let Some(condition) = condition {
            self.defined(condition, cx, blame)?;
            guard = self.expr(condition, cx)?;
        }
        self.all_defined(&location.parts(), cx, blame)?;
        let place = self.place(location, cx)?;
        let ty = self.value_type(place.resource);
        let other = self.fresh("lost", &ty);
        let (value, held) = (self.value_at(&cx.now, &place), self.amount_at(&cx.now.mask, &place));
        let forgotten = and([guard, held.greater(zero())]);
        self.body.assign(&value, conditional(forgotten, other, &value));
        self.forget_behind(place.resource, cx);
        Ok(())
    }
    /// Havocs the contents of instances whose snapshot is forgotten.
    fn forget_behind(&mut self, resource: Resource, cx: &ExprContext) {
        if let Resource::Predicate(predicate) = resource {
            let behind = self.behind.predicates[predicate].clone();
            self.forget_inside(&cx.now, &behind);
        }
    }
    fn quasihavoc_all(
        &mut self,
        vars: &[LocalId],
        condition: Option<ExprId>,
        location: &Location,
        location_id: SyntaxId,
        id: SyntaxId,
        cx: &ExprContext,
    ) -> Result<()> {
        let blame = Blame { error: ErrorKind::QuasihavocAll, at: location_id };
        self.arbitrary(vars, cx, |encoder, inner| {
            if let Some(condition) = condition {
                encoder.defined(condition, inner, blame)?;
                let condition = encoder.expr(condition, inner)?;
                encoder.body.assume(condition);
            }
            encoder.all_defined(&location.parts(), inner, blame)
        })?;
        let (binders, inner) = self.bound(vars, cx);
        let condition_at = |encoder: &mut Self, cx: &ExprContext| match condition {
            Some(condition) => encoder.expr(condition, cx),
            None => Ok(yes()),
        };
        let place = self.place(location, &inner)?;
        let guard = condition_at(self, &inner)?;
        // Different values of the variables give different locations.
        let mut second = cx.clone();
        let (mut others, mut same) = (Vec::new(), Vec::new());
        for var in vars {
            let name = self.bound_name(*var);
            let other = Binder::new(format!("{name}'"), self.local_type(*var, cx));
            same.push(build::var(name).equals(other.var()));
            second.locals.insert(*var, other.var());
            others.push(other);
        }
        let twin = self.place(location, &second)?;
        let twin_guard = condition_at(self, &second)?;
        let meet = place.args.iter().zip(&twin.args).map(|(one, two)| one.equals(two));
        let premise = and([guard.clone(), twin_guard].into_iter().chain(meet));
        let property = blame.property(Reason::QuasihavocAllNotInjective, id);
        let both: Vec<Binder> = binders.iter().cloned().chain(others).collect();
        self.body.assert(forall(&both, Vec::new(), premise.implies(Expr::all(same))), property);
        // Whatever is meant by some values is forgotten; the rest is as before.
        let (heap, mask) = (self.heap_var(&cx.now, place.resource), self.mask_var(&cx.now.mask, place.resource));
        let map = self.map_types(place.resource).0;
        let other = self.fresh("lost", &map);
        let (key_binders, keys) = self.key_binders(place.resource);
        let at_keys = place.args.iter().zip(&keys).map(|(arg, key)| arg.equals(key));
        let meant = exists(&binders, Vec::new(), and([guard].into_iter().chain(at_keys)));
        let [held, value, kept] = [mask, heap.clone(), other.clone()].map(|map| map.at(&keys));
        let forgotten = held.greater(zero()).and(meant);
        let said = forgotten.not().implies(kept.equals(value));
        self.body.assume(forall(&key_binders, vec![vec![kept]], said));
        self.body.assign(&heap, other);
        self.forget_behind(place.resource, cx);
        Ok(())
    }
}
