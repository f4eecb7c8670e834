//! Translates the whole program: members first, because they determine the needed types and domain instances.

use crate::encoder::{Encoder, ExprContext};
use crate::member::procedure;
use crate::resource::Resource;
use crate::snapshot::{box_name, unbox_name};
use crate::write::Output;
use crate::{Refusal, Translation, collections, names};
use echis_program::program::{AxiomId, DomainFunctionId, Program, Type};
use echis_program::reach::{Member, reach, substitute};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

pub fn translate(program: &Program) -> Translation {
    let mut encoder = Encoder::new(program);
    let mut output = Output::default();
    let (mut procedures, mut refused) = (BTreeMap::new(), Vec::new());
    let (mut axioms, mut functions): (BTreeSet<(AxiomId, Vec<Type>)>, BTreeSet<_>) = Default::default();
    for member in Member::all(program) {
        let reached = reach(program, member);
        match encoder.member(member) {
            Ok(()) => {
                let name = procedure(program, member);
                encoder.body.write(&name, &mut output);
                procedures.insert(name, member);
                axioms.extend(reached.axioms);
                functions.extend(reached.domain_functions);
                reached.types.iter().for_each(|ty| drop(encoder.ty(ty, &ExprContext::new())));
            }
            Err(unknown) => refused.push(Refusal { member, at: unknown.at, message: unknown.message }),
        }
    }
    encoder.domain_functions.extend(functions);
    let mut declarations = String::new();
    for function in program.functions.keys() {
        encoder.declare_function(function, &mut declarations);
    }
    declarations += &encoder.axioms(&axioms);
    let mut text = String::from(collections::BASE);
    text.push('\n');
    text += &encoder.predicates();
    text += &encoder.domains();
    text += &encoder.boxes();
    text += &collections::declare(program, &encoder.types);
    text += &declarations;
    let shift = text.len();
    text += &output.text;
    let goals = output.goals.into_iter().map(|(at, goal)| (at + shift, goal)).collect();
    Translation { text, goals, procedures, refused }
}

impl Encoder<'_> {
    fn axioms(&mut self, axioms: &BTreeSet<(AxiomId, Vec<Type>)>) -> String {
        let program = self.program;
        let mut text = String::new();
        for (axiom, types) in axioms {
            let declared = &program.axioms[*axiom];
            let cx = ExprContext { types: types.clone(), ..ExprContext::new() };
            // In axioms, all function applications are assumed to be defined.
            if let Ok(condition) = self.pure(declared.body, &cx) {
                let _ = writeln!(text, "axiom {condition};");
            }
        }
        text
    }
    fn predicates(&mut self) -> String {
        let program = self.program;
        let mut text = String::new();
        for predicate in program.predicates.keys() {
            let resource = Resource::Predicate(predicate);
            let name = names::resource(program, resource);
            let (binders, _) = self.key_binders(resource);
            let _ = writeln!(text, "function opened#{name}(s: Snap, {binders}): bool;");
            let _ = writeln!(text, "function instance#{name}(s: Snap, {binders}): Instance;");
        }
        text
    }
    fn domains(&mut self) -> String {
        let program = self.program;
        let mut text = String::new();
        for ty in &self.types {
            let Type::Domain(domain, _) = ty else { continue };
            let name = names::mangled(program, ty);
            let attribute = match &program.domains[*domain].interpretation {
                Some(sort) => format!("{{:builtin \"{sort}\"}} "),
                None => String::new(),
            };
            let _ = writeln!(text, "type {attribute}{name};");
        }
        let mut unique: BTreeMap<String, usize> = BTreeMap::new();
        for (function, types) in self.domain_functions.clone() {
            text += &self.domain_function(function, &types, &mut unique);
        }
        for ty in unique.keys() {
            let _ = writeln!(text, "function unique#{ty}(e: {ty}): int;");
        }
        text
    }
    fn domain_function(
        &mut self,
        function: DomainFunctionId,
        types: &[Type],
        unique: &mut BTreeMap<String, usize>,
    ) -> String {
        let program = self.program;
        let declared = &program.domain_functions[function];
        let name = names::domain_function(program, function, types);
        let ty = |ty: &Type| names::ty(program, &substitute(ty, types));
        let params: Vec<String> =
            declared.params.iter().enumerate().map(|(index, param)| format!("x{index}: {}", ty(param))).collect();
        let attribute = match &declared.interpretation {
            Some(operator) => format!("{{:builtin \"{operator}\"}} "),
            None => String::new(),
        };
        let result = ty(&declared.result);
        let mut text = format!("function {attribute}{name}({}): {result};\n", params.join(", "));
        if declared.unique && params.is_empty() {
            let number = unique.entry(result.clone()).or_default();
            *number += 1;
            let _ = writeln!(text, "axiom unique#{result}({name}()) == {number};");
        }
        text
    }
    fn boxes(&self) -> String {
        let mut text = String::new();
        for ty in &self.boxes {
            let (wrap, unwrap) = (box_name(ty), unbox_name(ty));
            let _ = writeln!(text, "function {wrap}(e: {ty}): Snap;");
            let _ = writeln!(text, "function {unwrap}(s: Snap): {ty};");
            let _ = writeln!(text, "axiom (forall e: {ty} :: {{{wrap}(e)}} {unwrap}({wrap}(e)) == e);");
        }
        text
    }
}
