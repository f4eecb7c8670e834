//! Functions: versions of their symbols, the axioms that relate these, contracts and definitions.

use crate::declare::Declared;
use crate::encoder::{Encoder, ExprContext, Result, keys};
use crate::names;
use crate::resource::Resource;
use crate::write::{and, implies};
use echis_boogie::build::{self, Binder, Expr, call, forall, int, var};
use echis_program::program::{ExprId, ExprKind, FunctionId, PredicateAccess};

impl Encoder<'_> {
    /// The declarations and axioms of a function. What cannot be translated is left out, which makes proofs weaker.
    pub fn function_declarations(&mut self, id: FunctionId) -> Vec<Declared> {
        let program = self.program;
        let function = &program.functions[id];
        let name = names::function(program, id);
        let resources: Vec<Resource> = self.behind.functions[id].iter().copied().collect();
        let base = ExprContext { limited: Some(function.height), any: true, assumed: false, ..ExprContext::new() };
        let mut all = Vec::new();
        for resource in &resources {
            let ty = self.map_types(*resource).0;
            all.extend(self.heap(&base.now, *resource).name().map(|name| Binder::new(name.clone(), ty)));
        }
        let (params, cx) = self.bound(&function.params, &base);
        let args: Vec<Expr> = params.iter().map(Binder::var).collect();
        let result = self.ty(&function.result, &cx);
        all.extend(params.iter().cloned());
        let mut out = Vec::new();
        let declared = |version: &str, params: &[Binder], result: &build::Type| Declared::Function {
            name: format!("{name}{version}"),
            params: params.to_vec(),
            result: result.clone(),
        };
        out.push(declared("", &all, &result));
        out.push(declared("'", &all, &result));
        out.push(declared("#pre", &all, &build::Type::Bool));
        out.push(declared("#called", &all, &build::Type::Bool));
        if !params.is_empty() {
            out.push(declared("#met", &params, &build::Type::Bool));
        }
        let full = self.application(id, "", &args, &cx);
        let limited = self.application(id, "'", &args, &cx);
        let known = self.application(id, "#pre", &args, &cx);
        let met = if args.is_empty() { build::yes() } else { call(format!("{name}#met"), args.clone()) };
        let quantified = |triggers: Vec<Vec<Expr>>, body: Expr| Declared::Axiom(forall(&all, triggers, body));
        out.push(quantified(vec![vec![full.clone()]], and([full.equals(&limited), met.clone()])));
        if !resources.is_empty() {
            if let Ok(snapshot) = self.snapshots(&function.pre, &cx) {
                let mut frame_params = vec![Binder::new("s", names::snapshot())];
                frame_params.extend(params.iter().cloned());
                out.push(declared("#frame", &frame_params, &result));
                let frame = call(format!("{name}#frame"), [snapshot].into_iter().chain(args.clone()));
                out.push(quantified(vec![vec![limited.clone()]], and([limited.equals(frame), met])));
            }
        } else if !met.is_true() {
            out.push(quantified(vec![vec![limited.clone()]], met));
        }
        let height = int(function.height);
        let called = self.application(id, "#called", &args, &cx);
        // The postcondition of a function without a body is trusted, like an axiom.
        let usable = match function.body {
            Some(_) => var("height").less(&height).or(var("height").equals(&height).and(called)),
            None => var("height").at_most(&height),
        };
        let with_result = ExprContext { result: Some(limited.clone()), assumed: true, ..cx.clone() };
        for post in &function.post {
            if let Ok(said) = self.pure(*post, &with_result) {
                let body = implies(&usable.and(&known), &said);
                out.push(quantified(vec![vec![limited.clone()], vec![known.clone()]], body));
            }
        }
        if let Some(body) = function.body
            && let Ok(definition) = self.definition(id, &full, &known, &cx)
        {
            let mut triggers = vec![vec![full]];
            if function.recursive && !function.opaque {
                triggers.extend(self.unfold_triggers(body, &limited, &cx));
            }
            out.push(quantified(triggers, definition));
        }
        out
    }
    fn definition(&mut self, id: FunctionId, full: &Expr, known: &Expr, cx: &ExprContext) -> Result<Expr> {
        let program = self.program;
        let function = &program.functions[id];
        let Some(body) = function.body else { return Ok(build::yes()) };
        let facts = self.facts(body, cx)?;
        let value = self.expr(body, cx)?;
        let meaning = and([facts, full.equals(value)]);
        Ok(implies(&var("height").less(int(function.height)).and(known), &meaning))
    }
    /// Folding or unfolding an instance that the body opens permits one more unrolling.
    fn unfold_triggers(&mut self, body: ExprId, limited: &Expr, cx: &ExprContext) -> Vec<Vec<Expr>> {
        let program = self.program;
        let mut accesses: Vec<&PredicateAccess> = Vec::new();
        program.visit(body, |expr| {
            if let ExprKind::Unfolding { access, .. } = program.kind(expr) {
                accesses.push(access);
            }
            true
        });
        let mut triggers = Vec::new();
        for access in accesses {
            let plain = access.args.iter().all(|arg| match program.kind(*arg) {
                ExprKind::Local(local) => cx.locals.contains_key(local),
                _ => false,
            });
            let Ok(args) = self.exprs(&access.args, cx) else { continue };
            let resource = Resource::Predicate(access.predicate);
            let opened = self.opened(resource, &self.heap(&cx.now, resource).at(&keys(args.clone())), &keys(args));
            let trigger = vec![limited.clone(), opened];
            if plain && !triggers.contains(&trigger) {
                triggers.push(trigger);
            }
        }
        triggers
    }
    /// That an instance with a snapshot is opened or closed.
    pub fn opened(&self, resource: Resource, snapshot: &Expr, keys: &[Expr]) -> Expr {
        let args = std::iter::once(snapshot).chain(keys).cloned();
        call(format!("opened#{}", names::resource(self.program, resource)), args)
    }
}
