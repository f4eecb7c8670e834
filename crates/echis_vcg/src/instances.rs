//! Which types a quantifier over types is about: those at which the program uses the functions, maps and types of its
//! body.

use crate::sorts::Met;
use echis_boogie::Program;
use echis_boogie::ast::ExprId;
use echis_boogie::program::Reference;
use echis_boogie::types::{Instance, Type, TypeVar};
use echis_boogie::walk;
use std::collections::BTreeSet;

/// More are not tried.
const MOST: usize = 200;
/// Types that are nested deeper than this are not tried: axioms may lead from each type to a larger one.
const DEEPEST: usize = 5;

/// The choices for the type parameters of a quantifier, each with a type for every parameter. What its triggers speak of
/// decides; where they leave a parameter open, its body; at last the types of its variables.
pub fn choices(program: &Program, met: &Met, expr: ExprId, outer: &Instance) -> Vec<Instance> {
    let Some(binder) = program.binders.get(expr) else { return Vec::new() };
    let params = &binder.type_params;
    let kind = program.kind(expr);
    let mut found: BTreeSet<Instance> = BTreeSet::new();
    let is_open = |found: &BTreeSet<Instance>| {
        params.iter().any(|param| !found.iter().any(|instance| instance.contains_key(param)))
    };
    for term in walk::triggers(kind) {
        applied(program, met, term, params, outer, &mut found);
    }
    if is_open(&found) {
        for part in walk::children(kind) {
            applied(program, met, part, params, outer, &mut found);
        }
    }
    if is_open(&found) {
        for var in &binder.vars {
            let pattern = program.vars[*var].ty.canonical().replace(outer);
            for ty in &met.types {
                let mut instance = Instance::new();
                if matches(&pattern, ty, params, &mut instance) && !instance.is_empty() {
                    found.insert(instance);
                }
            }
        }
    }
    combined(params, &found)
}

/// What the functions and maps that a term applies are applied to elsewhere.
fn applied(
    program: &Program,
    met: &Met,
    term: ExprId,
    params: &[TypeVar],
    outer: &Instance,
    found: &mut BTreeSet<Instance>,
) {
    let mut tuples: Vec<(Vec<Type>, Vec<Vec<Type>>)> = Vec::new();
    walk::for_each(&program.tree, term, &mut |part| {
        let Some(instance) = program.instances.get(part) else { return };
        if let Some(Reference::Function(function)) = program.references.get(part) {
            let order = &program.functions[*function].type_params;
            let pattern = order.iter().filter_map(|param| instance.get(param)).map(|ty| ty.replace(outer)).collect();
            tuples.push((pattern, met.functions.get(function).into_iter().flatten().cloned().collect()));
        } else {
            let pattern: Vec<Type> = instance.values().map(|ty| ty.replace(outer)).collect();
            let known = met.maps.values().flatten().filter(|types| types.len() == pattern.len()).cloned().collect();
            tuples.push((pattern, known));
        }
    });
    for (pattern, known) in tuples {
        for types in known {
            let mut instance = Instance::new();
            let fits = pattern.len() == types.len()
                && pattern.iter().zip(&types).all(|(pattern, ty)| matches(pattern, ty, params, &mut instance));
            if fits && !instance.is_empty() {
                found.insert(instance);
            }
        }
    }
}

/// Whole choices made of partial ones.
fn combined(params: &[TypeVar], found: &BTreeSet<Instance>) -> Vec<Instance> {
    let mut whole: BTreeSet<Instance> = BTreeSet::new();
    whole.insert(Instance::new());
    for param in params {
        let types: BTreeSet<&Type> = found.iter().filter_map(|instance| instance.get(param)).collect();
        let mut next = BTreeSet::new();
        for choice in &whole {
            for ty in types.iter().filter(|ty| depth(ty) <= DEEPEST) {
                if next.len() < MOST {
                    let mut choice = choice.clone();
                    choice.insert(*param, (*ty).clone());
                    next.insert(choice);
                }
            }
        }
        whole = next;
    }
    whole.into_iter().collect()
}

fn depth(ty: &Type) -> usize {
    match ty {
        Type::Named(_, args) => 1 + args.iter().map(depth).max().unwrap_or(0),
        Type::Map(map) => 1 + map.args.iter().chain([&map.result]).map(depth).max().unwrap_or(0),
        Type::Synonym(_, _, meaning) => depth(meaning),
        _ => 0,
    }
}

/// Whether a type is an instance of a pattern, and of which.
pub fn matches(pattern: &Type, ty: &Type, params: &[TypeVar], instance: &mut Instance) -> bool {
    match (pattern, ty) {
        (Type::Synonym(_, _, meaning), _) => matches(meaning, ty, params, instance),
        (Type::Var(var), _) if params.contains(var) => match instance.get(var) {
            Some(known) => known == ty,
            None => {
                instance.insert(*var, ty.clone());
                true
            }
        },
        (Type::Named(a, left), Type::Named(b, right)) => {
            a == b && left.iter().zip(right.iter()).all(|(a, b)| matches(a, b, params, instance))
        }
        (Type::Map(left), Type::Map(right)) if left.params.is_empty() && right.params.is_empty() => {
            left.args.len() == right.args.len()
                && left.args.iter().zip(&right.args).all(|(a, b)| matches(a, b, params, instance))
                && matches(&left.result, &right.result, params, instance)
        }
        _ => pattern == ty,
    }
}
