//! Legal code that is probably a mistake.

use crate::program::{DomainId, ExprId, ExprKind, Program, Type};
use echis_base::{Diagnostic, SyntaxId};
use std::collections::HashSet;

/// Warnings about a lowered program, independent of its errors.
pub(crate) fn warnings(program: &Program, generated: &HashSet<DomainId>) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for function in program.functions.keys() {
        for root in program.function_roots(function) {
            amounts(program, root, &mut warnings);
        }
    }
    for (key, domain) in program.domains.iter() {
        if !generated.contains(&key) {
            let unexpected =
                domain.axioms.iter().find_map(|axiom| misnamed_order(program, key, program.axioms[*axiom].body));
            warnings.extend(unexpected.map(|wanted| {
                let message = format!("A domain that orders this type should be named `{wanted}WellFoundedOrder`.");
                warning(program, domain.id, &message)
            }));
        }
    }
    warnings
}

fn warning(program: &Program, id: SyntaxId, message: &str) -> Diagnostic {
    Diagnostic::warning("typechecker.warning", program.syntax.span(id), message)
}

/// In a function, an amount only tells whether something is held.
fn amounts(program: &Program, root: ExprId, warnings: &mut Vec<Diagnostic>) {
    program.visit(root, |expr| {
        let amount = match program.kind(expr) {
            ExprKind::Acc { amount, .. } | ExprKind::ForallAcc { amount, .. } => Some(*amount),
            ExprKind::Unfolding { access, .. } => Some(access.amount),
            _ => None,
        };
        if let Some(amount) = amount.filter(|amount| is_specific(program, *amount)) {
            let message =
                "In a function every positive amount means the same: that the location may be read. Write `wildcard`.";
            warnings.push(warning(program, program.expr(amount).id, message));
        }
        true
    });
}

fn is_specific(program: &Program, amount: ExprId) -> bool {
    let written = program.syntax.node(program.expr(amount).id).cause.is_none();
    let is_wildcard = |kind: &ExprKind| matches!(kind, ExprKind::Wildcard);
    written && !matches!(program.kind(amount), ExprKind::NonePerm) && !program.any(amount, is_wildcard)
}

/// The name of the type that an axiom orders, if the domain has a different name.
fn misnamed_order(program: &Program, domain: DomainId, axiom: ExprId) -> Option<String> {
    let name = &program.domains[domain].name;
    let mut wanted = None;
    program.visit(axiom, |expr| {
        if let ExprKind::DomainApp { function, type_args, .. } = program.kind(expr)
            && let [ordered] = &type_args[..]
            && *program.domains[program.domain_functions[*function].domain].name == *"WellFoundedOrder"
        {
            let names = type_names(program, ordered);
            let fits = names.iter().any(|ty| **name == format!("{ty}WellFoundedOrder"));
            if !fits && wanted.is_none() {
                wanted = names.into_iter().next();
            }
        }
        wanted.is_none()
    });
    wanted
}

fn type_names(program: &Program, ty: &Type) -> Vec<String> {
    let names: &[&str] = match ty {
        Type::Int => &["Int"],
        Type::Bool => &["Bool"],
        Type::Perm => &["Perm", "Rational"],
        Type::Ref => &["Ref"],
        Type::Seq(_) => &["Seq"],
        Type::Set(_) => &["Set"],
        Type::Multiset(_) => &["MultiSet"],
        Type::Map(..) => &["Map"],
        Type::PredicateInstance => &["PredicateInstances"],
        Type::Domain(domain, _) => return vec![program.domains[*domain].name.to_string()],
        Type::Parameter(_) => &[],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}
