//! One procedure per member.

use crate::encoder::{Encoder, ExprContext, Induction, Promise, Result, St};
use crate::names;
use crate::resource::Resource;
use crate::write::{Blame, Body};
use echis_base::SyntaxId;
use echis_boogie::build::{Expr, int, no, var};
use echis_program::program::{
    DomainFunctionId, ExprId, ExprKind, FunctionId, MethodId, PredicateId, Stmt, StmtKind, Type,
};
use echis_program::reach::{Member, Reach, reach};
use echis_proof::ErrorKind;
use std::collections::BTreeSet;

impl Encoder<'_> {
    /// Translates a member into [`Encoder::body`].
    pub fn member(&mut self, member: Member) -> Result<()> {
        let program = self.program;
        let reached = reach(program, member);
        self.resources = reached.fields.iter().map(|field| Resource::Field(*field)).collect();
        self.resources.extend(reached.predicates.iter().map(|predicate| Resource::Predicate(*predicate)));
        for wand in self.wands_of(member, &reached) {
            let kind = self.wand(wand).kind;
            self.resources.insert(Resource::Wand(kind));
        }
        self.meaningful(member)?;
        self.spliced(&reached.domain_functions, member.id(program))?;
        self.body = Body::new();
        self.passed.clear();
        self.scope.clear();
        self.promise = None;
        self.in_function = false;
        match member {
            Member::Function(function) => self.function(function),
            Member::Predicate(predicate) => self.predicate(predicate),
            Member::Method(method) => self.method(method),
        }
    }
    /// The wands that the member mentions, directly or through what it calls.
    fn wands_of(&self, member: Member, reached: &Reach) -> Vec<ExprId> {
        let program = self.program;
        let mut roots = match member {
            Member::Method(method) => program.method_roots(method),
            Member::Function(_) | Member::Predicate(_) => Vec::new(),
        };
        for method in &reached.methods {
            let method = &program.methods[*method];
            roots.extend(method.pre.iter().chain(&method.post));
        }
        for function in &reached.functions {
            roots.extend(program.function_roots(*function));
        }
        let mut wands = Vec::new();
        for root in roots {
            program.visit_with_triggers(root, |expr, kind| {
                if matches!(kind, ExprKind::Wand { .. }) {
                    wands.push(expr);
                }
            });
        }
        wands
    }
    /// Checks that a member has no misplaced inhale-exhale assertion.
    pub fn meaningful(&self, member: Member) -> Result<()> {
        match self.program.misplaced(member).first() {
            Some(found) => self.unknown(self.id(found.expr), found.place.note()),
            None => Ok(()),
        }
    }
    /// Rejects interpreted operators with embedded arguments, which are not Boogie functions.
    fn spliced(&self, functions: &BTreeSet<(DomainFunctionId, Vec<Type>)>, at: SyntaxId) -> Result<()> {
        let is_spliced = |text: &str| text.contains(' ') && !text.starts_with('(');
        let operators =
            functions.iter().filter_map(|(id, _)| self.program.domain_functions[*id].interpretation.as_ref());
        match operators.into_iter().any(|text| is_spliced(text)) {
            true => self.unknown(at, "interpreted operators with arguments of their own are not supported"),
            false => Ok(()),
        }
    }
    fn contract(&mut self, clauses: &[ExprId], cx: &ExprContext) -> Result<()> {
        for clause in clauses {
            let blame = Blame { error: ErrorKind::ContractNotWellformed, at: self.id(*clause) };
            self.inhale(*clause, cx, None, Some(blame))?;
        }
        Ok(())
    }

    fn method(&mut self, id: MethodId) -> Result<()> {
        let program = self.program;
        let method = &program.methods[id];
        let cx = ExprContext::new();
        self.body.assume(var("height").equals(int(-1)));
        self.scope.extend(method.params.iter().chain(&method.returns));
        if let Some(body) = &method.body {
            let mut labels = Vec::new();
            body.visit_stmts(&mut |stmt: &Stmt| {
                self.scope.extend(stmt.kind.written());
                if let StmtKind::Label { label, .. } = &stmt.kind {
                    labels.push(*label);
                }
            });
            for label in labels {
                let reached = self.reached(label);
                self.body.assign(&reached, no());
            }
        }
        self.empty(&cx.now);
        self.contract(&method.pre, &cx)?;
        self.copy(&cx.now, &cx.old);
        let after = St::named("after.");
        self.aside(|encoder| {
            encoder.empty(&after);
            encoder.contract(&method.post, &cx.at(&after))
        })?;
        let Some(body) = &method.body else { return Ok(()) };
        self.promise =
            method.decreases.tuple.clone().map(|tuple| Promise { tuple, start: cx.old.clone(), cycle: method.cycle });
        self.code(body, &cx)?;
        let clauses = self.blamed(&method.post, ErrorKind::PostconditionViolated);
        self.exhale(&clauses, &cx, false, self.have_halves(&method.post))
    }

    fn predicate(&mut self, id: PredicateId) -> Result<()> {
        let program = self.program;
        let predicate = &program.predicates[id];
        if predicate.body.is_none() {
            return Ok(());
        }
        let body = self.predicate_body(id, predicate.id)?;
        self.body.assume(var("height").equals(int(-1)));
        let cx = ExprContext::new();
        self.empty(&cx.now);
        let blame = Blame { error: ErrorKind::PredicateNotWellformed, at: predicate.id };
        self.inhale(body, &cx, None, Some(blame))
    }

    fn function(&mut self, id: FunctionId) -> Result<()> {
        let program = self.program;
        let function = &program.functions[id];
        let cx = ExprContext { any: true, ..ExprContext::new() };
        self.body.assume(var("height").equals(int(function.height)));
        self.empty(&cx.now);
        // A contract must not rely on itself.
        let careful = ExprContext { unknown: Some(function.height), ..cx.clone() };
        self.in_function = true;
        let promise = function.decreases.tuple.clone().map(|tuple| Promise {
            tuple,
            start: cx.now.clone(),
            cycle: function.height,
        });
        self.promise = promise.clone();
        self.contract(&function.pre, &careful)?;
        let ty = self.ty(&function.result, &cx);
        self.aside(|encoder| {
            let result = encoder.fresh("result", &ty);
            encoder.contract(&function.post, &ExprContext { result: Some(result), ..careful.clone() })
        })?;
        let Some(body) = function.body else { return Ok(()) };
        let induction = match &function.decreases.tuple {
            Some(tuple) if tuple.condition.is_none() => Induction::Measured(function.height),
            _ => Induction::Calls(function.height),
        };
        let cx = ExprContext { induction, ..cx };
        self.defined(body, &cx, Blame { error: ErrorKind::FunctionNotWellformed, at: function.id })?;
        self.promise = None;
        let value = self.expr(body, &cx)?;
        let result = self.fresh("result", &ty);
        self.body.assign(&result, value);
        let is_own = |kind: &ExprKind| matches!(kind, ExprKind::FunctionApp { function, .. } if *function == id);
        if function.post.iter().any(|post| program.any(*post, is_own)) {
            let args: Vec<Expr> = function.params.iter().map(|param| self.local(*param, &cx)).collect();
            let applied = self.application(id, "'", &args, &cx);
            self.body.assume(applied.equals(&result));
        }
        for clause in &function.post {
            let blame = Blame { error: ErrorKind::PostconditionViolated, at: self.id(*clause) };
            // The half of `[a, b]` that is checked is not the one that was shown to terminate.
            let halves = self.have_halves(&function.post);
            let cx = if halves { cx.foreign() } else { cx.unevaluated() };
            self.check(&[*clause], &ExprContext { result: Some(result.clone()), ..cx }, blame, halves)?;
        }
        Ok(())
    }
}

/// The procedure of a member.
pub fn procedure(program: &echis_program::program::Program, member: Member) -> String {
    use echis_base::Key;
    match member {
        Member::Function(function) => format!("check#{}", names::function(program, function)),
        Member::Predicate(predicate) => format!("check#{}", names::resource(program, Resource::Predicate(predicate))),
        Member::Method(method) => {
            let name = &program.methods[method].name;
            let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            format!("{plain}#m{}", method.index())
        }
    }
}
