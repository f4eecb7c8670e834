//! Syntax trees that are modified and printed again.

use echis_base::{SourceFile, SourceMap};
use echis_syntax::ast::{Block, ExprId, MemberKind, Program, Stmt};
use echis_syntax::{NoLoader, for_each_expr, for_each_stmt, parse_program};

/// Parses a text, without library declarations.
pub fn parsed(text: &str) -> Program {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("main.vpr", text));
    let (mut program, _) = parse_program(&mut sources, main, &NoLoader);
    program.members.retain(|member| member.span.file == main);
    program
}

/// All expressions in the members, parents first.
pub fn reachable(program: &Program) -> Vec<ExprId> {
    let mut roots = Vec::new();
    for member in &program.members {
        member.for_each_expr(|root| roots.push(root));
        if let MemberKind::Method(method) = &member.kind
            && let Some(body) = &method.body
        {
            for_each_stmt(body, |stmt| stmt.for_each_expr(|root| roots.push(root)));
        }
    }
    let mut found = Vec::new();
    for root in roots {
        for_each_expr(&program.exprs, root, |expr| found.push(expr));
    }
    found
}

/// The direct child blocks of a statement.
pub fn blocks(stmt: &mut Stmt) -> Vec<&mut Block> {
    let mut blocks = Vec::new();
    stmt.for_each_block_mut(|block| blocks.push(block));
    blocks
}

/// Applies a change to every statement list of every method, inner lists first.
pub fn change_stmts(program: &mut Program, change: &mut dyn FnMut(&mut Vec<Stmt>)) {
    for member in &mut program.members {
        if let MemberKind::Method(method) = &mut member.kind
            && let Some(body) = &mut method.body
        {
            change_block(body, change);
        }
    }
}

fn change_block(block: &mut Block, change: &mut dyn FnMut(&mut Vec<Stmt>)) {
    for stmt in &mut block.stmts {
        stmt.for_each_block_mut(|block| change_block(block, change));
    }
    change(&mut block.stmts);
}
