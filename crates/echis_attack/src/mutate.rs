//! Mutants: programs with one random change. Executions determine which mutants are wrong.

use crate::random::Random;
use crate::tree::{change_stmts, parsed, reachable};
use echis_base::Name;
use echis_syntax::ast::{BinaryOp, Expr, ExprId, ExprKind, MemberKind, Program, UnaryOp};
use echis_syntax::print_program;

/// A mutant of the program, which may not be valid.
pub fn mutant(text: &str, random: &mut Random) -> String {
    let mut program = parsed(text);
    match random.below(8) {
        0 | 1 => drop_statement(&mut program, random),
        2 => drop_clause(&mut program, random),
        3 => negate(&mut program, random),
        _ => change_expr(&mut program, random),
    }
    print_program(&program)
}

fn drop_statement(program: &mut Program, random: &mut Random) {
    let mut count = 0;
    change_stmts(program, &mut |stmts| count += stmts.len());
    let mut site = random.below(count.max(1));
    change_stmts(program, &mut |stmts| {
        if site < stmts.len() {
            stmts.remove(site);
            site = usize::MAX;
        } else if site != usize::MAX {
            site -= stmts.len();
        }
    });
}

fn drop_clause(program: &mut Program, random: &mut Random) {
    let mut members: Vec<_> = program.members.iter_mut().collect();
    let mut contracts: Vec<_> = members
        .iter_mut()
        .filter_map(|member| match &mut member.kind {
            MemberKind::Method(method) => Some(&mut method.contract),
            MemberKind::Function(function) => Some(&mut function.contract),
            _ => None,
        })
        .filter(|contract| !contract.requires.is_empty())
        .collect();
    if contracts.is_empty() {
        return;
    }
    let which = random.below(contracts.len());
    let requires = &mut contracts[which].requires;
    requires.remove(random.below(requires.len()));
}

/// Negates a random claim.
fn negate(program: &mut Program, random: &mut Random) {
    let mut claims: Vec<ExprId> = Vec::new();
    for member in &program.members {
        match &member.kind {
            MemberKind::Method(method) => claims.extend(&method.contract.ensures),
            MemberKind::Function(function) => claims.extend(&function.contract.ensures),
            _ => {}
        }
    }
    change_stmts(program, &mut |stmts| {
        for stmt in stmts.iter() {
            match &stmt.kind {
                echis_syntax::ast::StmtKind::Assert(claim) => claims.push(*claim),
                echis_syntax::ast::StmtKind::While { invariants, .. } => claims.extend(&invariants.exprs),
                _ => {}
            }
        }
    });
    if claims.is_empty() {
        return;
    }
    let claim = *random.pick(&claims);
    let Expr { span, .. } = program.exprs[claim].clone();
    let operand = program.exprs.push(program.exprs[claim].clone());
    let kind = ExprKind::Unary { op: UnaryOp::Not, operand };
    program.exprs[claim] = Expr { kind, span, macro_span: None, annotations: Vec::new() };
}

fn change_expr(program: &mut Program, random: &mut Random) {
    let mut sites = reachable(program);
    let can_change = |kind: &ExprKind| match kind {
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Conditional { .. } => true,
        ExprKind::Binary { op, .. } => changed(*op).is_some(),
        _ => false,
    };
    sites.retain(|site| can_change(&program.exprs[*site].kind));
    if sites.is_empty() {
        return;
    }
    let site = *random.pick(&sites);
    let part = |expr: ExprId| program.exprs[expr].kind.clone();
    let kind = match &program.exprs[site].kind {
        ExprKind::Int(digits) => {
            let value: i64 = digits.parse().unwrap_or(0);
            ExprKind::Int(Name::from(format!("{}", if random.once_in(2) { value + 1 } else { (value - 1).max(0) })))
        }
        ExprKind::Bool(value) => ExprKind::Bool(!value),
        ExprKind::Conditional { then, otherwise, .. } => part(if random.once_in(2) { *then } else { *otherwise }),
        ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, left, right } if random.once_in(2) => {
            part(if random.once_in(2) { *left } else { *right })
        }
        ExprKind::Binary { op, left, right } => {
            ExprKind::Binary { op: changed(*op).unwrap_or(*op), left: *left, right: *right }
        }
        other => other.clone(),
    };
    program.exprs[site].kind = kind;
}

/// An operator that is easily confused with the given one.
fn changed(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Le,
        BinaryOp::Le => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Gt,
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::And => BinaryOp::Or,
        BinaryOp::Or => BinaryOp::And,
        BinaryOp::Implies => BinaryOp::And,
        BinaryOp::Add => BinaryOp::Sub,
        BinaryOp::Sub => BinaryOp::Add,
        BinaryOp::Union => BinaryOp::Intersection,
        BinaryOp::Intersection => BinaryOp::Setminus,
        BinaryOp::Setminus => BinaryOp::Union,
        _ => return None,
    })
}
