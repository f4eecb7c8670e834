//! Determines which axioms are needed, and at which type arguments.
//!
//! An axiom may mention its domain, or others, at larger types than its own (`List[T]` in terms of `List[List[T]]`),
//! so there may be infinitely many instances. Axioms are left out, which only makes proofs weaker, if their type
//! arguments are nested deeper than those in the program text plus a margin, or if there are too many.

use super::substitute_all;
use super::text::Closure;
use crate::limits::{INSTANCE_DEPTH, INSTANCES};
use crate::program::{DomainFunctionId, DomainId, ExprKind, Program, Type};
use std::collections::BTreeSet;
use std::rc::Rc;

/// An application in an axiom: if it matches one that occurs, the domain of the axiom is needed.
pub(super) struct Pattern {
    domain: DomainId,
    function: DomainFunctionId,
    type_args: Vec<Type>,
}

/// Adds the axioms of domains, and everything they mention, transitively. The text was processed before.
pub(super) fn close(closure: &mut Closure, patterns: &[Pattern]) {
    let depth = closure.reach.types.iter().map(depth).max().unwrap_or(0) + INSTANCE_DEPTH;
    for (key, domain) in closure.program.domains.iter() {
        if domain.parameters.is_empty() && !domain.functions.is_empty() {
            closure.domain(key, Vec::new());
        }
    }
    let mut axioms = BTreeSet::new();
    let mut instances = 0;
    while !closure.new_domains.is_empty() || !closure.new_functions.is_empty() {
        for (domain, args) in std::mem::take(&mut closure.new_domains) {
            let is_generic = !args.is_empty();
            if is_generic && (instances == INSTANCES || args.iter().any(|ty| self::depth(ty) > depth)) {
                continue;
            }
            instances += usize::from(is_generic);
            let shared: Rc<[Type]> = Rc::from(args.clone());
            for &axiom in &closure.program.domains[domain].axioms {
                axioms.insert((axiom, args.clone()));
                closure.push(closure.program.axioms[axiom].body, shared.clone());
            }
        }
        for (function, args) in std::mem::take(&mut closure.new_functions) {
            for pattern in patterns.iter().filter(|pattern| pattern.function == function) {
                if let Some(args) = pattern.matches(closure.program, &args) {
                    closure.domain(pattern.domain, args);
                }
            }
        }
        closure.exprs();
    }
    closure.reach.axioms = axioms.into_iter().collect();
}

fn depth(ty: &Type) -> usize {
    match ty {
        Type::Seq(item) | Type::Set(item) | Type::Multiset(item) => 1 + depth(item),
        Type::Map(from, to) => 1 + depth(from).max(depth(to)),
        Type::Domain(_, args) => 1 + args.iter().map(depth).max().unwrap_or(0),
        Type::Int | Type::Bool | Type::Perm | Type::Ref | Type::Parameter(_) | Type::PredicateInstance => 1,
    }
}

/// The applications in axioms of functions from other domains.
pub(super) fn patterns(program: &Program) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for axiom in program.axioms.values() {
        program.visit_with_triggers(axiom.body, |_, kind| {
            let ExprKind::DomainApp { function, type_args, .. } = kind else { return };
            if program.domain_functions[*function].domain != axiom.domain {
                let type_args = type_args.clone();
                patterns.push(Pattern { domain: axiom.domain, function: *function, type_args });
            }
        });
    }
    patterns
}

impl Pattern {
    /// The arguments for all parameters of the axiom's domain at which the application is the given instance.
    fn matches(&self, program: &Program, instance: &[Type]) -> Option<Vec<Type>> {
        let mut bound = vec![None; program.domains[self.domain].parameters.len()];
        for (pattern, ty) in self.type_args.iter().zip(instance) {
            bind(pattern, ty, &mut bound);
        }
        // An axiom holds for all type arguments; any type works for those the application leaves open.
        let args: Vec<Type> = bound.into_iter().map(|ty| ty.unwrap_or(Type::Int)).collect();
        (substitute_all(&self.type_args, &args) == instance).then_some(args)
    }
}

/// Matches parameters; the caller checks the result.
fn bind(pattern: &Type, ty: &Type, bound: &mut [Option<Type>]) {
    match (pattern, ty) {
        (Type::Parameter(index), ty) => {
            if let Some(slot) = bound.get_mut(*index as usize) {
                *slot = Some(ty.clone());
            }
        }
        (Type::Seq(pattern), Type::Seq(ty))
        | (Type::Set(pattern), Type::Set(ty))
        | (Type::Multiset(pattern), Type::Multiset(ty)) => bind(pattern, ty, bound),
        (Type::Map(from, to), Type::Map(ty_from, ty_to)) => {
            bind(from, ty_from, bound);
            bind(to, ty_to, bound);
        }
        (Type::Domain(_, patterns), Type::Domain(_, types)) => {
            patterns.iter().zip(types).for_each(|(pattern, ty)| bind(pattern, ty, bound));
        }
        _ => {}
    }
}
