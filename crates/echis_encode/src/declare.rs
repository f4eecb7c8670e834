//! Translates the whole program: members first, because they determine the needed types and domain instances.

use crate::encoder::{Encoder, ExprContext};
use crate::member::procedure;
use crate::resource::Resource;
use crate::snapshot::{box_name, unbox_name};
use crate::write::Body;
use crate::{Refusal, Translation, collections, names};
use echis_base::IndexVec;
use echis_boogie::build::{self, Binder, Builder, call, forall, int};
use echis_program::program::{AxiomId, DomainFunctionId, Program, Type};
use echis_program::reach::{Member, reach, substitute};
use std::collections::{BTreeMap, BTreeSet};

pub fn translate(program: &Program) -> Translation {
    let mut encoder = Encoder::new(program);
    let (mut goals, mut bodies) = (IndexVec::default(), Vec::new());
    let (mut procedures, mut refused) = (BTreeMap::new(), Vec::new());
    let (mut axioms, mut functions): (BTreeSet<(AxiomId, Vec<Type>)>, BTreeSet<_>) = Default::default();
    for member in Member::all(program) {
        let reached = reach(program, member);
        match encoder.member(member) {
            Ok(()) => {
                let name = procedure(program, member);
                let body = std::mem::replace(&mut encoder.body, Body::new());
                bodies.push((name.clone(), body.finish(&mut goals)));
                procedures.insert(name, member);
                axioms.extend(reached.axioms);
                functions.extend(reached.domain_functions);
                reached.types.iter().for_each(|ty| drop(encoder.ty(ty, &ExprContext::new())));
            }
            Err(unknown) => refused.push(Refusal { member, at: unknown.at, message: unknown.message }),
        }
    }
    encoder.domain_functions.extend(functions);
    // These tell more of the types and instances that are needed.
    let definitions: Vec<Declared> =
        program.functions.keys().flat_map(|id| encoder.function_declarations(id)).collect();
    let axioms = encoder.axioms(&axioms);
    let mut out = Builder::default();
    out.library(collections::BASE);
    encoder.predicates(&mut out);
    encoder.domains(&mut out);
    encoder.boxes(&mut out);
    collections::declare(program, &encoder.types, &mut out);
    for declared in definitions.iter().chain(&axioms) {
        match declared {
            Declared::Function { name, params, result } => out.function(name, params, result, None),
            Declared::Axiom(condition) => out.axiom(condition),
        }
    }
    bodies.iter().for_each(|(name, (locals, stmts))| out.procedure(name, locals, stmts));
    Translation { program: out.finish(), goals, procedures, refused }
}

/// A declaration that comes behind others of which it is not known yet which ones there are.
pub enum Declared {
    Function { name: String, params: Vec<Binder>, result: build::Type },
    Axiom(build::Expr),
}

impl Encoder<'_> {
    fn axioms(&mut self, axioms: &BTreeSet<(AxiomId, Vec<Type>)>) -> Vec<Declared> {
        let program = self.program;
        let mut found = Vec::new();
        for (axiom, types) in axioms {
            let declared = &program.axioms[*axiom];
            let cx = ExprContext { types: types.clone(), ..ExprContext::new() };
            // In axioms, all function applications are assumed to be defined.
            if let Ok(condition) = self.pure(declared.body, &cx) {
                found.push(Declared::Axiom(condition));
            }
        }
        found
    }
    fn predicates(&mut self, out: &mut Builder) {
        let program = self.program;
        for predicate in program.predicates.keys() {
            let resource = Resource::Predicate(predicate);
            let name = names::resource(program, resource);
            let mut params = vec![Binder::new("s", names::snapshot())];
            params.extend(self.key_binders(resource).0);
            out.function(&format!("opened#{name}"), &params, &build::Type::Bool, None);
            out.function(&format!("instance#{name}"), &params, &build::Type::named("Instance"), None);
        }
    }
    fn domains(&mut self, out: &mut Builder) {
        let program = self.program;
        for ty in &self.types {
            let Type::Domain(domain, _) = ty else { continue };
            out.ty(&names::mangled(program, ty), program.domains[*domain].interpretation.as_deref());
        }
        let mut unique: BTreeMap<String, (build::Type, usize)> = BTreeMap::new();
        for (function, types) in self.domain_functions.clone() {
            self.domain_function(function, &types, &mut unique, out);
        }
        for (text, (ty, _)) in unique {
            out.function(&format!("unique#{text}"), &[Binder::new("e", ty)], &build::Type::Int, None);
        }
    }
    fn domain_function(
        &mut self,
        function: DomainFunctionId,
        types: &[Type],
        unique: &mut BTreeMap<String, (build::Type, usize)>,
        out: &mut Builder,
    ) {
        let program = self.program;
        let declared = &program.domain_functions[function];
        let name = names::domain_function(program, function, types);
        let ty = |ty: &Type| names::ty(program, &substitute(ty, types));
        let params = declared.params.iter().enumerate();
        let params: Vec<Binder> = params.map(|(index, param)| Binder::new(format!("x{index}"), ty(param))).collect();
        let result = ty(&declared.result);
        out.function(&name, &params, &result, declared.interpretation.as_deref());
        if declared.unique && params.is_empty() {
            let text = result.to_string();
            let (_, number) = unique.entry(text.clone()).or_insert((result, 0));
            *number += 1;
            out.axiom(&call(format!("unique#{text}"), [call(name, [])]).equals(int(*number)));
        }
    }
    fn boxes(&self, out: &mut Builder) {
        let snapshot = names::snapshot();
        for (text, ty) in &self.boxes {
            let (wrap, unwrap) = (box_name(text), unbox_name(text));
            let value = [Binder::new("e", ty.clone())];
            out.function(&wrap, &value, &snapshot, None);
            out.function(&unwrap, &[Binder::new("s", snapshot.clone())], ty, None);
            let wrapped = call(wrap, [value[0].var()]);
            let unwrapped = call(unwrap, [wrapped.clone()]);
            out.axiom(&forall(&value, vec![vec![wrapped]], unwrapped.equals(value[0].var())));
        }
    }
}
