//! Determines the types that a quantifier over types is instantiated with: those at which the program uses the
//! functions, maps and types of its body.

use crate::generic;
use crate::limits::{INSTANCES, TYPE_DEPTH};
use crate::sorts::{Met, Sorts};
use echis_boogie::Program;
use echis_boogie::ast::{Binary, ExprId, ExprKind};
use echis_boogie::program::{Meaning, Reference};
use echis_boogie::types::{Instance, Type, TypeVar};
use echis_boogie::walk;
use std::collections::BTreeSet;

/// The instantiations of a quantifier's type parameters. They are determined by its triggers; parameters that these
/// leave open, by its body; finally, by the types of its variables.
pub fn choices(program: &Program, sorts: &Sorts<'_>, expr: ExprId, outer: &Instance) -> Vec<Instance> {
    let other = sorts.other;
    let mut choices = all_choices(program, sorts.known, expr, outer);
    // For the generic type, only what may be stated there.
    let mentions = |choice: &Instance| choice.values().any(|ty| ty.mentions(other));
    if choices.iter().any(mentions) {
        let fits = generic::of_binder(program, expr, outer, other);
        choices.retain(|choice| !mentions(choice) || fits && choice.values().all(|ty| *ty == Type::Var(other)));
    }
    choices
}

fn all_choices(program: &Program, met: &Met, expr: ExprId, outer: &Instance) -> Vec<Instance> {
    let Some(binder) = program.binders.get(expr) else { return Vec::new() };
    let params = &binder.type_params;
    let kind = program.kind(expr);
    let mut found: BTreeSet<Instance> = BTreeSet::new();
    let is_open = |found: &BTreeSet<Instance>| {
        params.iter().any(|param| !found.iter().any(|instance| instance.contains_key(param)))
    };
    if let ExprKind::Quantified(quantified) = kind
        && !quantified.triggers.is_empty()
    {
        for trigger in &quantified.triggers {
            found.extend(matched(program, met, trigger, params, outer));
        }
        let is_whole = |instance: &Instance| params.iter().all(|param| instance.contains_key(param));
        if found.iter().all(is_whole) {
            return found.into_iter().filter(is_shallow).take(INSTANCES).collect();
        }
    }
    if is_open(&found) {
        for part in walk::children(kind) {
            applied(program, met, part, params, outer, &mut found);
        }
    }
    if is_open(&found) {
        let patterns: Vec<Type> =
            binder.vars.iter().map(|var| program.vars[*var].ty.canonical().replace(outer)).collect();
        // A variable of type parameter type provides no information if other types do.
        let telling = |pattern: &&Type| !matches!(pattern, Type::Var(_));
        let told = |param: &TypeVar| patterns.iter().filter(telling).any(|pattern| pattern.mentions(*param));
        for pattern in patterns.iter().filter(|pattern| telling(pattern) || !params.iter().all(told)) {
            let deepest = if telling(&pattern) { TYPE_DEPTH } else { 1 };
            for ty in met.types.iter().filter(|ty| depth(ty) <= deepest) {
                let mut instance = Instance::new();
                if matches(pattern, ty, params, &mut instance) && !instance.is_empty() {
                    found.insert(instance);
                }
            }
        }
    }
    combined(params, &found)
}

/// The instantiations at which the functions and maps in a trigger are applied elsewhere: other instances of the
/// trigger cannot match.
fn matched(
    program: &Program,
    met: &Met,
    trigger: &[ExprId],
    params: &[TypeVar],
    outer: &Instance,
) -> BTreeSet<Instance> {
    let mut found = BTreeSet::from([Instance::new()]);
    for (pattern, known) in trigger.iter().flat_map(|term| applications(program, met, *term, outer)) {
        let mut next = BTreeSet::new();
        for instance in &found {
            for types in &known {
                let mut instance = instance.clone();
                if fits(&pattern, types, params, &mut instance) {
                    next.insert(instance);
                }
            }
        }
        found = next;
    }
    found
}

fn fits(pattern: &[Type], types: &[Type], params: &[TypeVar], instance: &mut Instance) -> bool {
    pattern.len() == types.len()
        && pattern.iter().zip(types).all(|(pattern, ty)| matches(pattern, ty, params, instance))
}

fn is_shallow(instance: &Instance) -> bool {
    instance.values().all(|ty| depth(ty) <= TYPE_DEPTH)
}

/// The instances at which the functions and maps in a term are applied elsewhere.
fn applied(
    program: &Program,
    met: &Met,
    term: ExprId,
    params: &[TypeVar],
    outer: &Instance,
    found: &mut BTreeSet<Instance>,
) {
    for (pattern, known) in applications(program, met, term, outer) {
        for types in known {
            let mut instance = Instance::new();
            if fits(&pattern, &types, params, &mut instance) && !instance.is_empty() {
                found.insert(instance);
            }
        }
    }
}

/// The type arguments of the functions and maps in a term, each with those of its other applications.
fn applications(program: &Program, met: &Met, term: ExprId, outer: &Instance) -> Vec<(Vec<Type>, Vec<Vec<Type>>)> {
    let mut tuples: Vec<(Vec<Type>, Vec<Vec<Type>>)> = Vec::new();
    walk::for_each(&program.tree, term, &mut |part| {
        let Some(instance) = program.instances.get(part).filter(|instance| !instance.is_empty()) else { return };
        if let Some(Reference::Function(function)) = program.references.get(part) {
            let declared = &program.functions[*function];
            if let (Some(body), Meaning::Inline | Meaning::Define) = (declared.body, declared.meaning) {
                // Its expansion; the checker has ensured termination.
                let inner: Instance = instance.iter().map(|(param, ty)| (*param, ty.replace(outer))).collect();
                tuples.extend(applications(program, met, body, &inner));
                return;
            }
            if declared.datatype.is_some() {
                // Not a symbol that occurs only at some types.
                return;
            }
            let order = &declared.type_params;
            let pattern = order.iter().filter_map(|param| instance.get(param)).map(|ty| ty.replace(outer)).collect();
            tuples.push((pattern, met.functions.get(function).into_iter().flatten().cloned().collect()));
        } else {
            let pattern: Vec<Type> = instance.values().map(|ty| ty.replace(outer)).collect();
            let known = met.maps.values().flatten().filter(|types| types.len() == pattern.len()).cloned().collect();
            tuples.push((pattern, known));
        }
    });
    tuples
}

/// All types that may affect the meaning of a quantifier, for each parameter: those at which something it applies is
/// known, and those whose values it compares with values of a parameter's type. At all other types it has the same
/// meaning, since nothing known distinguishes them. `None` if there are too many.
pub fn relevant(program: &Program, met: &Met, expr: ExprId, outer: &Instance) -> Option<Vec<BTreeSet<Type>>> {
    let binder = program.binders.get(expr)?;
    let params = &binder.type_params;
    let mut found: BTreeSet<Instance> = BTreeSet::new();
    for part in walk::children(program.kind(expr)) {
        applied(program, met, part, params, outer, &mut found);
        compared(program, part, params, outer, &mut found);
    }
    let of = |param: &TypeVar| found.iter().filter_map(|instance| instance.get(param)).cloned().collect();
    let types: Vec<BTreeSet<Type>> = params.iter().map(of).collect();
    let is_shallow = |types: &BTreeSet<Type>| types.iter().all(|ty| depth(ty) <= TYPE_DEPTH);
    types.iter().all(is_shallow).then_some(types)
}

/// The types whose values are compared with values of a parameter's type.
fn compared(program: &Program, expr: ExprId, params: &[TypeVar], outer: &Instance, found: &mut BTreeSet<Instance>) {
    walk::for_each(&program.tree, expr, &mut |part| {
        if let ExprKind::Binary(Binary::Eq | Binary::Ne, left, right) = program.kind(part) {
            let of = |side: ExprId| program.type_of(side).replace(outer).canonical();
            for (pattern, ty) in [(of(*left), of(*right)), (of(*right), of(*left))] {
                let mut instance = Instance::new();
                if pattern != ty && matches(&pattern, &ty, params, &mut instance) {
                    found.insert(instance);
                }
            }
        }
        if let Some(Reference::Function(function)) = program.references.get(part)
            && let declared = &program.functions[*function]
            && let (Some(body), Meaning::Inline | Meaning::Define) = (declared.body, declared.meaning)
        {
            let instance = program.instances.get(part);
            let inner: Instance =
                instance.into_iter().flatten().map(|(param, ty)| (*param, ty.replace(outer))).collect();
            compared(program, body, params, &inner, found);
        }
    });
}

/// Combines partial instantiations to complete ones.
fn combined(params: &[TypeVar], found: &BTreeSet<Instance>) -> Vec<Instance> {
    let mut whole: BTreeSet<Instance> = BTreeSet::new();
    whole.insert(Instance::new());
    for param in params {
        let types: BTreeSet<&Type> = found.iter().filter_map(|instance| instance.get(param)).collect();
        let mut next = BTreeSet::new();
        for choice in &whole {
            for ty in types.iter().filter(|ty| depth(ty) <= TYPE_DEPTH) {
                if next.len() < INSTANCES {
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

/// Matches a type against a pattern.
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
