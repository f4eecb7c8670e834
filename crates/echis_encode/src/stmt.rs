//! Statements.

use crate::assertion::Exhaling;
use crate::defined::is_fixed;
use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result, St, keys};
use crate::names;
use crate::resource::{Resource, Resources};
use crate::write::{Blame, and, not};
use echis_base::SyntaxId;
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
                self.body.line(format!("{target} := {value};"));
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
                self.body.begin(&format!("if ({condition})"));
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
    pub fn checked(&mut self, expr: ExprId, cx: &ExprContext, blame: Blame) -> Result<String> {
        let cx = &self.prepared(expr, cx, Some(blame))?;
        self.defined(expr, cx, blame)?;
        self.expr(expr, cx)
    }

    // States.

    /// Copies everything that the member can read.
    pub fn copy(&mut self, from: &St, to: &St) {
        for resource in self.resources.clone() {
            let (from, to) = (self.heap_var(from, resource), self.heap_var(to, resource));
            self.body.line(format!("{to} := {from};"));
        }
        self.copy_masks(&from.mask, &to.mask);
    }
    pub fn copy_masks(&mut self, from: &str, to: &str) {
        for resource in self.resources.clone() {
            let (from, to) = (self.mask_var(from, resource), self.mask_var(to, resource));
            self.body.line(format!("{to} := {from};"));
        }
    }
    /// Removes all permission and havocs all values.
    pub fn empty(&mut self, st: &St) {
        for resource in self.resources.clone() {
            let (heap, mask) = (self.heap_var(st, resource), self.mask_var(&st.mask, resource));
            self.body.line(format!("havoc {heap}, {mask};"));
            let (binders, keys) = self.key_binders(resource);
            self.body.assume(&format!("(forall {binders} :: {{{mask}[{keys}]}} {mask}[{keys}] == 0.0)"));
        }
    }
    pub fn reached(&mut self, label: LabelId) -> String {
        let name = format!("reached.{}", names::label(self.program, label));
        self.body.declare(&name, "bool");
        name
    }
    fn label(&mut self, label: LabelId, cx: &ExprContext) {
        self.passed.insert(label);
        let reached = self.reached(label);
        self.body.line(format!("{reached} := true;"));
        let st = self.label_state(label);
        self.copy(&cx.now, &st);
    }
    /// Stores a value in a variable if it could change with the heap.
    fn pin(&mut self, text: String, ty: &str) -> String {
        if is_fixed(&text) {
            return text;
        }
        let name = self.fresh("arg", ty);
        self.body.line(format!("{name} := {text};"));
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
        self.body.assert(&format!("{held} >= 1.0"), blame.property(Reason::InsufficientPermission, id));
        let target = self.value_at(&cx.now, &place);
        self.body.line(format!("{target} := {value};"));
        Ok(())
    }
    fn new_object(&mut self, target: LocalId, fields: &[FieldId], cx: &ExprContext) -> Result<()> {
        let object = self.fresh("new", "Ref");
        let mut known = vec![format!("{object} != null")];
        for resource in self.resources.clone() {
            let Resource::Field(field) = resource else { continue };
            let (heap, mask) = (self.heap_var(&cx.now, resource), self.mask_var(&cx.now.mask, resource));
            if self.program.fields[field].ty == Type::Ref {
                let other = format!("({mask}[r'] > 0.0 ==> {heap}[r'] != {object})");
                known.push(format!("(forall r': Ref :: {{{heap}[r']}} {other})"));
            }
        }
        for local in self.scope.clone() {
            let name = self.local(local, cx);
            match &self.program.locals[local].ty {
                Type::Ref => known.push(format!("{name} != {object}")),
                ty @ (Type::Set(item) | Type::Seq(item)) if **item == Type::Ref => {
                    let ty = self.ty(&ty.clone(), cx);
                    known.push(format!("!in#{ty}({object}, {name})"));
                }
                _ => {}
            }
        }
        known.iter().for_each(|fact| self.body.assume(fact));
        for field in fields {
            let place = ResourceInstance { resource: Resource::Field(*field), args: vec![object.clone()] };
            self.mask_var(&cx.now.mask, place.resource);
            let held = self.amount_at(&cx.now.mask, &place);
            self.body.line(format!("{held} := {held} + 1.0;"));
            self.body.assume(&format!("{held} <= 1.0"));
        }
        let target = self.local(target, cx);
        self.body.line(format!("{target} := {object};"));
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
                let some = self.fresh("open", "real");
                self.body.assume(&format!("0.0 < {some}"));
                some
            }
            _ => {
                self.defined(access.amount, cx, blame)?;
                let amount = self.expr(access.amount, cx)?;
                let amount = if amount == "1.0" { amount } else { self.pin(amount, "real") };
                if amount != "1.0" {
                    let property = blame.property(Reason::PermissionNotPositive, self.id(access.amount));
                    self.body.assert(&format!("{amount} > 0.0"), property);
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
        self.body.assume(&format!("{held} > 0.0 ==> {value} == {snapshot}"));
        self.body.line(format!("{value} := {snapshot};"));
        self.body.line(format!("{held} := {held} + {amount};"));
        let name = names::resource(program, resource);
        self.body.assume(&format!("opened#{name}({value}, {})", place.args.join(", ")));
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
    fn pinned(&mut self, access: &PredicateAccess, cx: &ExprContext) -> Result<Vec<String>> {
        let mut args = Vec::new();
        for arg in &access.args {
            let program = self.program;
            let (text, ty) = (self.expr(*arg, cx)?, self.ty(program.ty(*arg), cx));
            args.push(self.pin(text, &ty));
        }
        Ok(args)
    }
    fn unfold(&mut self, access: &PredicateAccess, id: SyntaxId, cx: &ExprContext) -> Result<()> {
        let program = self.program;
        let declared = &program.predicates[access.predicate];
        let blame = Blame { error: ErrorKind::Unfold, at: id };
        let body = self.predicate_body(access.predicate, id)?;
        let (_, amount) = self.instance_held(access, cx, blame)?;
        let amount = if amount == "1.0" { amount } else { self.pin(amount, "real") };
        let args = self.pinned(access, cx)?;
        let inside = self.inside(access.predicate, &args, cx)?;
        self.body.assume(&inside);
        self.assume_nesting(access.predicate, &args, cx)?;
        let place = ResourceInstance { resource: Resource::Predicate(access.predicate), args: keys(args.clone()) };
        let held = self.amount_at(&cx.now.mask, &place);
        self.body.line(format!("{held} := {held} - {amount};"));
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
            let (text, ty) = (self.expr(*arg, cx)?, self.local_type(*param, cx));
            let name = self.fresh("arg", &ty);
            self.body.line(format!("{name} := {text};"));
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
            self.body.line(format!("{target} := {result};"));
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
            encoder.body.assume(&holds);
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
        self.body.assume(&not(&holds));
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
        let mut guard = "true".to_string();
        if let Some(condition) = condition {
            self.defined(condition, cx, blame)?;
            guard = self.expr(condition, cx)?;
        }
        self.all_defined(&location.parts(), cx, blame)?;
        let place = self.place(location, cx)?;
        let ty = self.value_type(place.resource);
        let other = self.fresh("lost", &ty);
        let (value, held) = (self.value_at(&cx.now, &place), self.amount_at(&cx.now.mask, &place));
        let forgotten = and([guard, format!("({held} > 0.0)")]);
        self.body.line(format!("{value} := (if {forgotten} then {other} else {value});"));
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
                encoder.body.assume(&condition);
            }
            encoder.all_defined(&location.parts(), inner, blame)
        })?;
        let (binders, inner) = self.bound(vars, cx);
        let condition_at = |encoder: &mut Self, cx: &ExprContext| match condition {
            Some(condition) => encoder.expr(condition, cx),
            None => Ok("true".to_string()),
        };
        let place = self.place(location, &inner)?;
        let guard = condition_at(self, &inner)?;
        // Different values of the variables give different locations.
        let mut second = cx.clone();
        let (mut others, mut same) = (Vec::new(), Vec::new());
        for var in vars {
            let (name, ty) = (self.bound_name(*var), self.local_type(*var, cx));
            others.push(format!("{name}': {ty}"));
            same.push(format!("{name} == {name}'"));
            second.locals.insert(*var, format!("{name}'"));
        }
        let twin = self.place(location, &second)?;
        let twin_guard = condition_at(self, &second)?;
        let meet = place.args.iter().zip(&twin.args).map(|(one, two)| format!("({one} == {two})"));
        let premise = and([guard.clone(), twin_guard].into_iter().chain(meet));
        let property = blame.property(Reason::QuasihavocAllNotInjective, id);
        let goal = format!("(forall {binders}, {} :: {premise} ==> {})", others.join(", "), same.join(" && "));
        self.body.assert(&goal, property);
        // Locations covered for some values are havocked; all others are unchanged.
        let (heap, mask) = (self.heap_var(&cx.now, place.resource), self.mask_var(&cx.now.mask, place.resource));
        let map = self.map_types(place.resource).0;
        let other = self.fresh("lost", &map);
        let (key_binders, keys) = self.key_binders(place.resource);
        let at_keys: Vec<String> =
            place.args.iter().enumerate().map(|(index, arg)| format!("({arg} == k{index}')")).collect();
        let meant = format!("(exists {binders} :: {})", and([guard].into_iter().chain(at_keys)));
        let kept = format!("!({mask}[{keys}] > 0.0 && {meant}) ==> {other}[{keys}] == {heap}[{keys}]");
        self.body.assume(&format!("(forall {key_binders} :: {{{other}[{keys}]}} {kept})"));
        self.body.line(format!("{heap} := {other};"));
        self.forget_behind(place.resource, cx);
        Ok(())
    }
}
