//! Where in the program the values of a counterexample can be assumed, and which variables can be named there.

use super::{Failed, Insertion};
use echis_base::Span;
use echis_findings::diagnose::Place;
use echis_program::program::{Block, LocalId, Program, Stmt, StmtKind};
use std::collections::BTreeSet;

/// The place where the values hold just before the failure: before a statement, at the end of a method's or loop's
/// body, or after the last precondition of a function.
pub fn insertion(place: Place<'_>, failed: &Failed<'_>) -> Option<Insertion> {
    let (program, id) = (place.program, failed.id);
    let at = program.syntax.span(failed.at);
    if let Some(function) = program.functions.values().find(|function| *function.name == **place.member) {
        // What is not well-formed is reported at the function.
        let at = if failed.at == function.id { program.syntax.span(failed.offending) } else { at };
        let last = program.syntax.span(program.exprs[*function.pre.last()?].id);
        let is_inside = program.syntax.span(function.id).contains(at) && last.end <= at.start;
        return is_inside.then(|| Insertion::Contract(after(last)));
    }
    let body = program.methods.values().find(|method| *method.name == **place.member)?.body.as_ref()?;
    let end = |block: &Block| Some(after(program.syntax.span(block.stmts.last()?.id)));
    let mut around: Option<&Stmt> = None;
    body.visit_stmts(&mut |stmt| {
        let span = program.syntax.span(stmt.id);
        if span.contains(at) && around.is_none_or(|known| program.syntax.span(known.id).contains(span)) {
            around = Some(stmt);
        }
    });
    let Some(stmt) = around else {
        return end(body).filter(|_| id.starts_with("postcondition")).map(Insertion::Statement);
    };
    let before = program.syntax.span(stmt.id);
    let before = Span::new(before.file, before.start, before.start);
    match &stmt.kind {
        StmtKind::While { body, .. } if id.contains("not.preserved") => end(body).map(Insertion::Statement),
        StmtKind::While { .. } if id.starts_with("invariant.not.established") => Some(Insertion::Statement(before)),
        // The state is that of an arbitrary iteration.
        StmtKind::While { .. } | StmtKind::Label { .. } => None,
        _ if id.starts_with("package") => Some(Insertion::Package(before)),
        _ => Some(Insertion::Statement(before)),
    }
}

/// The parameters, results and local variables of a member that are in scope at a place in its text.
pub fn in_scope(place: Place<'_>, at: Span) -> BTreeSet<LocalId> {
    let program = place.program;
    let function = program.functions.values().find(|function| *function.name == **place.member);
    let Some(method) = program.methods.values().find(|method| *method.name == **place.member) else {
        return function.map_or_else(BTreeSet::new, |function| function.params.iter().copied().collect());
    };
    let mut found: BTreeSet<LocalId> = method.params.iter().chain(&method.returns).copied().collect();
    if let Some(body) = &method.body {
        found.extend(&body.locals);
        body.visit_stmts(&mut |stmt| {
            let around = stmt.kind.blocks().into_iter().filter(|block| surrounds(program, block, at));
            found.extend(around.flat_map(|block| &block.locals));
        });
    }
    found
}

fn surrounds(program: &Program, block: &Block, at: Span) -> bool {
    let span = |stmt: &Stmt| program.syntax.span(stmt.id);
    let Some((first, last)) = block.stmts.first().zip(block.stmts.last()) else { return false };
    let (first, last) = (span(first), span(last));
    [first.file, last.file] == [at.file; 2] && first.start <= at.start && at.start <= last.end
}

fn after(span: Span) -> Span {
    Span::new(span.file, span.end, span.end)
}
