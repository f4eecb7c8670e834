//! Functions: versions of their symbols, the axioms that relate these, contracts and definitions.

use crate::encoder::{Encoder, ExprContext, Result, keys};
use crate::names;
use crate::resource::Resource;
use crate::write::{and, implies};
use echis_program::program::{ExprKind, FunctionId, PredicateAccess};
use std::fmt::Write;

impl Encoder<'_> {
    /// The declarations and axioms of a function. Untranslatable parts are left out, which makes proofs weaker.
    pub fn declare_function(&mut self, id: FunctionId, out: &mut String) {
        let program = self.program;
        let function = &program.functions[id];
        let name = names::function(program, id);
        let resources: Vec<Resource> = self.behind.functions[id].iter().copied().collect();
        let base = ExprContext { limited: Some(function.height), any: true, assumed: false, ..ExprContext::new() };
        let mut heaps = Vec::new();
        for resource in &resources {
            let (heap, ty) = (self.heap(&base.now, *resource), self.map_types(*resource).0);
            heaps.push(format!("{heap}: {ty}"));
        }
        let (params, cx) = self.bound(&function.params, &base);
        let args: Vec<String> = function.params.iter().map(|param| self.bound_name(*param)).collect();
        let result = self.ty(&function.result, &cx);
        let all: Vec<String> = heaps.iter().cloned().chain((!params.is_empty()).then(|| params.clone())).collect();
        let all = all.join(", ");
        let _ = writeln!(out, "// function {}", function.name);
        let _ = writeln!(out, "function {name}({all}): {result};");
        let _ = writeln!(out, "function {name}'({all}): {result};");
        let _ = writeln!(out, "function {name}#pre({all}): bool;");
        let _ = writeln!(out, "function {name}#called({all}): bool;");
        if !params.is_empty() {
            let _ = writeln!(out, "function {name}#met({params}): bool;");
        }
        let full = self.application(id, "", &args, &cx);
        let limited = self.application(id, "'", &args, &cx);
        let known = self.application(id, "#pre", &args, &cx);
        let met = if args.is_empty() { "true".to_string() } else { format!("{name}#met({})", args.join(", ")) };
        let quantified = |triggers: &str, body: &str| match all.is_empty() {
            true => format!("axiom {body};\n"),
            false => format!("axiom (forall {all} :: {triggers} {body});\n"),
        };
        *out += &quantified(&format!("{{{full}}}"), &and([format!("{full} == {limited}"), met.clone()]));
        if !resources.is_empty() {
            if let Ok(snapshot) = self.snapshots(&function.pre, &cx) {
                let frame_params = if params.is_empty() { String::new() } else { format!(", {params}") };
                let _ = writeln!(out, "function {name}#frame(s: Snap{frame_params}): {result};");
                let frame = format!(
                    "{name}#frame({})",
                    [snapshot].into_iter().chain(args.clone()).collect::<Vec<_>>().join(", ")
                );
                *out += &quantified(&format!("{{{limited}}}"), &and([format!("{limited} == {frame}"), met]));
            }
        } else if met != "true" {
            *out += &quantified(&format!("{{{limited}}}"), &met);
        }
        let height = function.height;
        let called = self.application(id, "#called", &args, &cx);
        // The postcondition of a function without a body is trusted, like an axiom.
        let usable = match function.body {
            Some(_) => format!("(height < {height} || (height == {height} && {called}))"),
            None => format!("height <= {height}"),
        };
        let with_result = ExprContext { result: Some(limited.clone()), assumed: true, ..cx.clone() };
        for post in &function.post {
            if let Ok(said) = self.pure(*post, &with_result) {
                let body = implies(&format!("({usable} && {known})"), &said);
                *out += &quantified(&format!("{{{limited}}} {{{known}}}"), &body);
            }
        }
        if let Some(body) = function.body
            && let Ok(definition) = self.definition(id, &full, &known, &cx)
        {
            let mut triggers = format!("{{{full}}}");
            if function.recursive && !function.opaque {
                triggers += &self.unfold_triggers(body, &limited, &cx);
            }
            *out += &quantified(&triggers, &definition);
        }
        out.push('\n');
    }
    fn definition(&mut self, id: FunctionId, full: &str, known: &str, cx: &ExprContext) -> Result<String> {
        let program = self.program;
        let function = &program.functions[id];
        let Some(body) = function.body else { return Ok("true".into()) };
        let facts = self.facts(body, cx)?;
        let value = self.expr(body, cx)?;
        let meaning = and([facts, format!("({full} == {value})")]);
        Ok(implies(&format!("(height < {} && {known})", function.height), &meaning))
    }
    /// Folding or unfolding an instance that the body unfolds permits one more unrolling.
    fn unfold_triggers(&mut self, body: echis_program::program::ExprId, limited: &str, cx: &ExprContext) -> String {
        let program = self.program;
        let mut accesses: Vec<&PredicateAccess> = Vec::new();
        program.visit(body, |expr| {
            if let ExprKind::Unfolding { access, .. } = program.kind(expr) {
                accesses.push(access);
            }
            true
        });
        let mut text = String::new();
        for access in accesses {
            let plain = access.args.iter().all(|arg| match program.kind(*arg) {
                ExprKind::Local(local) => cx.locals.contains_key(local),
                _ => false,
            });
            let Ok(args) = self.exprs(&access.args, cx) else { continue };
            let resource = Resource::Predicate(access.predicate);
            let heap = self.heap(&cx.now, resource);
            let keys = keys(args).join(", ");
            let name = names::resource(program, resource);
            let trigger = format!(" {{{limited}, opened#{name}({heap}[{keys}], {keys})}}");
            if plain && !text.contains(&trigger) {
                text += &trigger;
            }
        }
        text
    }
}
