//! Finds the predicates that need their bodies in the pruned program.

use crate::ask::dependencies::Dependencies;
use echis_base::SyntaxId;
use echis_depend::{UserId, UserNode};
use echis_program::program::{ExprId, ExprKind, PredicateId, Program, StmtKind};
use std::collections::BTreeSet;

/// The predicates that the kept part folds or unfolds. The body of any other could be anything, and keeping it would
/// require it to be well-formed, which may need removed nodes.
pub fn opened(found: &Dependencies, kept: &BTreeSet<UserId>) -> BTreeSet<PredicateId> {
    let program = &found.program;
    let (mut exprs, mut opened) = staying(found, kept);
    exprs.extend(program.predicates.keys().flat_map(|predicate| program.predicate_roots(predicate)));
    exprs.into_iter().for_each(|expr| unfolded(program, expr, &mut opened));
    opened
}

/// The remaining expressions, and the predicates that remaining statements fold or unfold.
pub fn staying(found: &Dependencies, kept: &BTreeSet<UserId>) -> (Vec<ExprId>, BTreeSet<PredicateId>) {
    let program = &found.program;
    let provided = |node: &UserNode| found.result.sources.file(node.span.file).is_provided();
    let stays = |(id, node): &(UserId, &UserNode)| kept.contains(id) || !node.is_shown() || provided(node);
    let mut exprs: Vec<ExprId> = Vec::new();
    let mut statements: BTreeSet<SyntaxId> = BTreeSet::new();
    for (_, node) in found.nodes.all.iter().filter(stays) {
        exprs.extend(node.expr);
        statements.extend(node.statement);
    }
    let mut opened = BTreeSet::new();
    for body in program.methods.values().filter_map(|method| method.body.as_ref()) {
        body.visit_stmts(&mut |stmt| {
            if statements.contains(&stmt.id) {
                exprs.extend(stmt.kind.roots());
                if let StmtKind::Fold(access) | StmtKind::Unfold(access) = &stmt.kind {
                    opened.insert(access.predicate);
                }
            }
        });
    }
    (exprs, opened)
}

fn unfolded(program: &Program, root: ExprId, found: &mut BTreeSet<PredicateId>) {
    program.visit(root, |expr| {
        if let ExprKind::Unfolding { access, .. } = program.kind(expr) {
            found.insert(access.predicate);
        }
        true
    });
}
