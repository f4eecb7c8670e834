//! Names and types. The name of each declaration contains its key, so that nothing is declared twice.

use crate::resource::Resource;
use echis_base::Key;
use echis_boogie::build;
use echis_program::program::{DomainFunctionId, FieldId, FunctionId, LabelId, LocalId, PredicateId, Program, Type};

pub fn local(program: &Program, local: LocalId) -> String {
    format!("{}#{}", plain(&program.locals[local].name), local.index())
}
pub fn function(program: &Program, function: FunctionId) -> String {
    format!("{}#f{}", plain(&program.functions[function].name), function.index())
}
/// The resource's part of the names of heaps and masks.
pub fn resource(program: &Program, resource: Resource) -> String {
    match resource {
        Resource::Field(field) => field_name(program, field),
        Resource::Predicate(predicate) => predicate_name(program, predicate),
        Resource::Wand(kind) => format!("wand#w{kind}"),
    }
}
fn field_name(program: &Program, field: FieldId) -> String {
    format!("{}#v{}", plain(&program.fields[field].name), field.index())
}
fn predicate_name(program: &Program, predicate: PredicateId) -> String {
    format!("{}#p{}", plain(&program.predicates[predicate].name), predicate.index())
}
pub fn label(program: &Program, label: LabelId) -> String {
    format!("{}#l{}", plain(&program.labels[label].name), label.index())
}
pub fn domain_function(program: &Program, function: DomainFunctionId, types: &[Type]) -> String {
    let declared = &program.domain_functions[function];
    let mut name = format!("{}#d{}", plain(&declared.name), function.index());
    for ty in types {
        name.push('#');
        name += &mangled(program, ty);
    }
    name
}

/// Replaces characters that Boogie names cannot contain.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "_$'".contains(c) { c } else { '_' }).collect()
}

/// A type of Boogie. Types with arguments are types of their own.
pub fn ty(program: &Program, ty: &Type) -> build::Type {
    match ty {
        Type::Int => build::Type::Int,
        Type::Bool => build::Type::Bool,
        Type::Perm => build::Type::Real,
        _ => build::Type::named(&mangled(program, ty)),
    }
}
/// References, as keys of heaps.
pub fn reference() -> build::Type {
    build::Type::named("Ref")
}
pub fn snapshot() -> build::Type {
    build::Type::named("Snap")
}
pub fn mangled(program: &Program, ty: &Type) -> String {
    match ty {
        Type::Int => "int".into(),
        Type::Bool => "bool".into(),
        Type::Perm => "real".into(),
        Type::Ref => "Ref".into(),
        Type::Seq(item) => format!("Seq#{}", mangled(program, item)),
        Type::Set(item) => format!("Set#{}", mangled(program, item)),
        Type::Multiset(item) => format!("Multiset#{}", mangled(program, item)),
        Type::Map(from, to) => format!("Map#{}#{}", mangled(program, from), mangled(program, to)),
        Type::Domain(domain, args) => {
            let mut name = format!("{}#t{}", plain(&program.domains[*domain].name), domain.index());
            for arg in args {
                name.push('#');
                name += &mangled(program, arg);
            }
            name
        }
        Type::Parameter(index) => format!("T#{index}"),
        Type::PredicateInstance => "Instance".into(),
    }
}
