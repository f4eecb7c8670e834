//! Collects names: those that a renamed variable must differ from, and those that a macro uses.

use super::for_each_body_expr;
use crate::ast::{Block, ExprId, ExprKind, Exprs, Formal, MacroBody, Member, MemberKind, Part, Stmt, StmtKind};
use crate::visit::{for_each_expr, for_each_stmt};
use echis_base::{Name, Span};
use std::collections::{HashMap, HashSet};

/// All names that members declare globally.
pub(super) fn global_names(members: &[Member]) -> HashSet<Name> {
    let mut names = HashSet::new();
    for member in members {
        match &member.kind {
            MemberKind::Fields(fields) => names.extend(fields.iter().map(|field| field.name.name.clone())),
            MemberKind::Domain(domain) => {
                names.insert(domain.name.name.clone());
                names.extend(domain.functions.iter().map(|function| function.name.name.clone()));
            }
            MemberKind::Adt(adt) => {
                names.insert(adt.name.name.clone());
                names.extend(adt.constructors.iter().map(|constructor| constructor.name.name.clone()));
            }
            MemberKind::Method(method) => names.extend([method.name.name.clone()]),
            MemberKind::Function(function) => names.extend([function.name.name.clone()]),
            MemberKind::Predicate(predicate) => names.extend([predicate.name.name.clone()]),
            MemberKind::Import(_) | MemberKind::Define(_) => {}
        }
    }
    names
}

/// Domains, functions, predicates and methods; fields may share their name with a macro.
pub(super) fn names_no_macro_may_have(members: &[Member]) -> HashMap<Name, Span> {
    let mut names = HashMap::new();
    for member in members {
        let ident = match &member.kind {
            MemberKind::Domain(domain) => &domain.name,
            MemberKind::Method(method) => &method.name,
            MemberKind::Function(function) => &function.name,
            MemberKind::Predicate(predicate) => &predicate.name,
            _ => continue,
        };
        names.entry(ident.name.clone()).or_insert(ident.span);
    }
    names
}

/// All names declared anywhere inside a member.
pub(super) fn declared_in(member: &Member, exprs: &Exprs) -> HashSet<Name> {
    let mut names = HashSet::new();
    let mut add_formals = |formals: &[Formal]| names.extend(formals.iter().map(|formal| formal.name.name.clone()));
    match &member.kind {
        MemberKind::Method(method) => {
            add_formals(&method.params);
            add_formals(&method.returns);
        }
        MemberKind::Function(function) => add_formals(&function.params),
        MemberKind::Predicate(predicate) => add_formals(&predicate.params),
        MemberKind::Domain(domain) => names.extend(domain.params.iter().map(|param| param.name.clone())),
        _ => {}
    }
    member.for_each_expr(|root| bound_in_expr(exprs, root, &mut names));
    if let MemberKind::Method(method) = &member.kind {
        method.body.iter().for_each(|body| bound_in_block(exprs, body, &mut names));
    }
    names
}

fn bound_in_block(exprs: &Exprs, block: &Block, names: &mut HashSet<Name>) {
    for_each_stmt(block, |stmt| {
        names.extend(declared_by(stmt));
        stmt.for_each_expr(|root| bound_in_expr(exprs, root, names));
    });
}

fn bound_in_expr(exprs: &Exprs, root: ExprId, names: &mut HashSet<Name>) {
    for_each_expr(exprs, root, |id| {
        names.extend(exprs[id].kind.bound_variables().into_iter().map(|var| var.name.clone()));
    });
}

/// Variables and labels that the statement itself declares.
pub(super) fn declared_by(stmt: &Stmt) -> Vec<Name> {
    let mut declared = Vec::new();
    if let StmtKind::Label { name, .. } = &stmt.kind {
        declared.push(name.name.clone());
    }
    stmt.for_each_part(|part| {
        if let Part::Declared(name) = part {
            declared.push(name.name.clone());
        }
    });
    declared
}

/// Every name in an expression, used or bound.
pub(super) fn names_in_expr(exprs: &Exprs, root: ExprId, names: &mut HashSet<Name>) {
    for_each_expr(exprs, root, |id| {
        let kind = &exprs[id].kind;
        if let ExprKind::Ident(name) = kind {
            names.insert(name.clone());
        }
        names.extend(kind.bound_variables().into_iter().map(|var| var.name.clone()));
    });
}

/// The names used in a macro's body at positions where a parameter may be replaced.
pub(super) fn used_in_body(body: &MacroBody, exprs: &Exprs) -> HashSet<Name> {
    let mut names = HashSet::new();
    let add = |names: &mut HashSet<Name>, part: Part<'_>| match part {
        Part::Declared(name) | Part::Named(name) => names.extend([name.name.clone()]),
        Part::Type(ty) => ty.for_each_name(&mut |name, _| names.extend([name.name.clone()])),
        Part::Expr(_) | Part::Block(_) | Part::Decreases(_) | Part::Define(_) | Part::Text(_) => {}
    };
    for_each_body_expr(body, exprs, |id| match &exprs[id].kind {
        ExprKind::Ident(name) => names.extend([name.clone()]),
        // Names bound by an expression are local to it.
        kind => kind.for_each_part(|part| match part {
            Part::Declared(_) => {}
            part => add(&mut names, part),
        }),
    });
    if let MacroBody::Stmt(block) = body {
        for_each_stmt(block, |stmt| stmt.for_each_part(|part| add(&mut names, part)));
    }
    names
}
