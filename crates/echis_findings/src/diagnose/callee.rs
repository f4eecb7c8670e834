//! Finds the callee of a call or an application. Needed only for error messages, so scanning the program is fast
//! enough.

use echis_base::{Name, SyntaxId};
use echis_program::program::{Block, ExprKind, Program, StmtKind};

pub(super) fn function(program: &Program, at: SyntaxId) -> Option<Name> {
    program.exprs.values().filter(|expr| expr.id == at).find_map(|expr| match &expr.kind {
        ExprKind::FunctionApp { function, .. } => Some(program.functions[*function].name.clone()),
        _ => None,
    })
}

pub(super) fn method(program: &Program, at: SyntaxId) -> Option<Name> {
    let mut blocks: Vec<&Block> = program.methods.values().filter_map(|method| method.body.as_ref()).collect();
    while let Some(block) = blocks.pop() {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Call { method, .. } if stmt.id == at => return Some(program.methods[*method].name.clone()),
                StmtKind::If { then, otherwise, .. } => blocks.extend([then, otherwise]),
                StmtKind::While { body, .. } => blocks.push(body),
                StmtKind::Package { script, .. } => blocks.push(script),
                StmtKind::Block(inner) => blocks.push(inner),
                _ => {}
            }
        }
    }
    None
}
