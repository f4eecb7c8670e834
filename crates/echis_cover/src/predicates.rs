//! Unneeded conjuncts of predicates.

use crate::{Candidate, Fix, Portion, Removal, one_line, parts};
use echis_base::{FileId, SourceMap};
use echis_program::program::{ExprId, ExprKind, FieldId, Location, PredicateId, Program, StmtKind};
use std::collections::BTreeSet;

/// The conjuncts of all predicates in the main file that are folded or unfolded somewhere.
pub fn parts(program: &Program, sources: &SourceMap, main: FileId) -> Vec<Candidate> {
    let source = &*sources.file(main).text;
    let (opened, read) = (opened(program), read(program));
    let mut found = Vec::new();
    for (id, predicate) in program.predicates.iter() {
        let scope = program.syntax.span(predicate.id);
        let Some(body) = predicate.body.filter(|_| scope.file == main && opened.contains(&id)) else { continue };
        for part in parts::believed_as_one(program, source, body) {
            // Permission to something that is read is usually needed to read it.
            if field(program, part.expr).is_some_and(|field| read.contains(&field)) {
                continue;
            }
            let span = program.syntax.span(program.expr(part.expr).id);
            let text = one_line(sources.text(span));
            let message = format!("No proof needs the part {text} of predicate {}.", predicate.name);
            let fix = Some(Fix { edits: part.edits.clone(), removal: Removal::InThisProgram });
            let whole = Candidate::new(predicate.name.clone(), part.id, message, span, part.edits);
            found.push(Candidate { portion: Portion::Part, fix, ..whole });
        }
    }
    found
}

/// Predicates that are folded or unfolded.
fn opened(program: &Program) -> BTreeSet<PredicateId> {
    let mut opened = BTreeSet::new();
    for body in program.methods.values().filter_map(|method| method.body.as_ref()) {
        body.visit_stmts(&mut |stmt| {
            if let StmtKind::Fold(access) | StmtKind::Unfold(access) = &stmt.kind {
                opened.insert(access.predicate);
            }
        });
    }
    for expr in program.exprs.values() {
        if let ExprKind::Unfolding { access, .. } = &expr.kind {
            opened.insert(access.predicate);
        }
    }
    opened
}

/// Fields that are read or assigned.
pub fn read(program: &Program) -> BTreeSet<FieldId> {
    let mut read = BTreeSet::new();
    for expr in program.exprs.values() {
        if let ExprKind::Field { field, .. } = &expr.kind {
            read.insert(*field);
        }
    }
    for body in program.methods.values().filter_map(|method| method.body.as_ref()) {
        body.visit_stmts(&mut |stmt| {
            if let StmtKind::AssignField { field, .. } = &stmt.kind {
                read.insert(*field);
            }
        });
    }
    read
}

/// The field to which an assertion gives permission.
pub fn field(program: &Program, expr: ExprId) -> Option<FieldId> {
    match program.kind(expr) {
        ExprKind::Acc { location: Location::Field { field, .. }, .. } => Some(*field),
        _ => None,
    }
}
