//! Whether anything is checked after a node on the paths through it.

use super::Place;
use echis_base::{Span, SyntaxId};
use echis_program::program::{Block, ExprId, Method, Role, StmtKind};

/// Conservative: returns true if uncertain.
pub fn something_follows(place: Place<'_>, at: SyntaxId) -> bool {
    let method = place.program.methods.values().find(|method| method.name == *place.member);
    method.is_none_or(|method| follows(place, method, place.program.syntax.span(at)))
}

fn follows(place: Place<'_>, method: &Method, at: Span) -> bool {
    let span = |expr| place.program.syntax.span(place.program.expr(expr).id);
    if let Some(index) = method.post.iter().position(|post| span(*post).contains(at)) {
        return index + 1 < method.post.len() || span(method.post[index]) != at;
    }
    let Some(body) = &method.body else { return true };
    !method.post.is_empty() || jumps(body) || !is_last(place, body, at)
}

/// Whether control may leave a block before its end.
fn jumps(body: &Block) -> bool {
    let mut jumps = false;
    body.visit_stmts(&mut |stmt| jumps |= matches!(stmt.kind, StmtKind::Goto(_) | StmtKind::Label { .. }));
    jumps
}

/// Whether the node is in the last statement of the block, and nothing is checked after it.
fn is_last(place: Place<'_>, block: &Block, at: Span) -> bool {
    let mut block = block;
    loop {
        let inside = |id: SyntaxId| place.program.syntax.span(id).contains(at);
        let Some(index) = block.stmts.iter().position(|stmt| inside(stmt.id)) else { return false };
        let stmt = &block.stmts[index];
        if index + 1 < block.stmts.len() {
            return false;
        }
        let holds = |inner: &&Block| inner.stmts.iter().any(|stmt| inside(stmt.id));
        match &stmt.kind {
            StmtKind::If { then, otherwise, .. } => match [then, otherwise].into_iter().find(holds) {
                Some(inner) => block = inner,
                None => return false,
            },
            StmtKind::Block(inner) => block = inner,
            kind => {
                let span = |root: ExprId| place.program.syntax.span(place.program.expr(root).id);
                return match kind.role() {
                    Role::Assert | Role::Refute | Role::Exhale => {
                        kind.roots().last().is_some_and(|root| span(*root) == at)
                    }
                    Role::Control | Role::Assign | Role::Call | Role::Assume | Role::Rewrite | Role::Havoc => false,
                };
            }
        }
    }
}
