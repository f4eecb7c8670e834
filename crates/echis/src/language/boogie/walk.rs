//! The statements of a Boogie program, in text order.

use echis_boogie::program::{Block, Stmt, StmtKind};

/// All statements of a block and of nested blocks. Iterative, since blocks may be nested too deeply for recursion.
pub(super) fn statements(block: &Block) -> impl Iterator<Item = &Stmt> {
    let mut open = vec![block.stmts.iter()];
    std::iter::from_fn(move || {
        loop {
            let Some(stmt) = open.last_mut()?.next() else {
                open.pop();
                continue;
            };
            match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => {
                    open.extend(otherwise.iter().map(|block| block.stmts.iter()));
                    open.push(then.stmts.iter());
                }
                StmtKind::While { body, .. } => open.push(body.stmts.iter()),
                _ => {}
            }
            return Some(stmt);
        }
    })
}
