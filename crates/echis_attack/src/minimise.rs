//! Minimises a finding: removes members, clauses, statements and subexpressions as long as the finding persists.

use crate::tree::{blocks, parsed, reachable};
use echis_base::Name;
use echis_syntax::ast::{Block, ExprKind, MemberKind, PermLiteral, Program, Stmt};
use echis_syntax::print_program;
use std::time::{Duration, Instant};

/// The smallest program found within the time limit, printed. `still` decides whether a text still has the finding.
pub fn minimise(text: &str, time: Duration, mut still: impl FnMut(&str) -> bool) -> String {
    let start = Instant::now();
    let mut program = parsed(text);
    let mut best = text.to_string();
    let mut changed = true;
    while changed {
        changed = false;
        for pass in [Pass::Members, Pass::Clauses, Pass::Statements, Pass::Expressions] {
            let mut site = 0;
            while start.elapsed() < time {
                let mut smaller = program.clone();
                if !pass.reduce(&mut smaller, site) {
                    break;
                }
                let printed = print_program(&smaller);
                if printed.len() < best.len() && still(&printed) {
                    // Reparsing drops expressions that are no longer referenced.
                    program = parsed(&printed);
                    best = printed;
                    changed = true;
                } else {
                    site += 1;
                }
            }
        }
        changed &= start.elapsed() < time;
    }
    best
}

/// A kind of reduction. Candidate sites are numbered; a nonexistent site ends the pass.
#[derive(Clone, Copy)]
enum Pass {
    Members,
    Clauses,
    Statements,
    Expressions,
}

impl Pass {
    fn reduce(self, program: &mut Program, site: usize) -> bool {
        match self {
            Pass::Members => {
                if site < program.members.len() {
                    // Start from the end: later members tend to use earlier ones.
                    let index = program.members.len() - 1 - site;
                    program.members.remove(index);
                    return true;
                }
                false
            }
            Pass::Clauses => drop_clause(program, site),
            Pass::Statements => drop_stmt(program, site),
            Pass::Expressions => shrink_expr(program, site),
        }
    }
}

fn drop_clause(program: &mut Program, mut site: usize) -> bool {
    for member in &mut program.members {
        let contract = match &mut member.kind {
            MemberKind::Method(method) => &mut method.contract,
            MemberKind::Function(function) => &mut function.contract,
            _ => continue,
        };
        for clauses in [&mut contract.ensures, &mut contract.requires] {
            if site < clauses.len() {
                clauses.remove(site);
                return true;
            }
            site -= clauses.len();
        }
    }
    false
}

fn drop_stmt(program: &mut Program, mut site: usize) -> bool {
    program.members.iter_mut().any(|member| match &mut member.kind {
        MemberKind::Method(method) => method.body.as_mut().is_some_and(|body| drop_in(body, &mut site)),
        _ => false,
    })
}

fn drop_in(block: &mut Block, site: &mut usize) -> bool {
    for index in 0..block.stmts.len() {
        if *site == 0 {
            block.stmts.remove(index);
            return true;
        }
        *site -= 1;
        // A compound statement may also be replaced by its body.
        if !blocks(&mut block.stmts[index]).is_empty() {
            if *site == 0 {
                let stmt = block.stmts.remove(index);
                block.stmts.splice(index..index, inside(stmt));
                return true;
            }
            *site -= 1;
        }
        if blocks(&mut block.stmts[index]).into_iter().any(|block| drop_in(block, site)) {
            return true;
        }
    }
    false
}

fn inside(mut stmt: Stmt) -> Vec<Stmt> {
    blocks(&mut stmt).into_iter().flat_map(|block| std::mem::take(&mut block.stmts)).collect()
}

/// Replaces an expression by a subexpression or a literal.
fn shrink_expr(program: &mut Program, mut site: usize) -> bool {
    for expr in reachable(program) {
        let kind = &program.exprs[expr].kind;
        let mut smaller: Vec<ExprKind> = Vec::new();
        kind.for_each_child(|child| smaller.push(program.exprs[child].kind.clone()));
        if !matches!(kind, ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Perm(_) | ExprKind::Null) {
            smaller.extend([
                ExprKind::Bool(true),
                ExprKind::Bool(false),
                ExprKind::Int(Name::from("0")),
                ExprKind::Int(Name::from("1")),
                ExprKind::Perm(PermLiteral::Write),
            ]);
        }
        if site < smaller.len() {
            program.exprs[expr].kind = smaller.swap_remove(site);
            return true;
        }
        site -= smaller.len();
    }
    false
}
