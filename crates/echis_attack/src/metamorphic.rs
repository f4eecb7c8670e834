//! Semantics-preserving changes, which must not change verdicts.

use crate::inline::inlined;
use crate::random::Random;
use crate::tree::{change_stmts, parsed, reachable};
use echis_base::Name;
use echis_syntax::ast::{BinaryOp, ExprId, ExprKind, MemberKind, Program, Stmt, StmtKind};
use echis_syntax::{print_expr, print_program};

/// The names of the changes.
pub const CHANGES: [&str; 8] =
    ["renamed", "reordered", "split", "refolded", "inhaled", "called", "extended", "inlined"];

/// Members that are independent of the rest of the program.
const UNRELATED: &str = "\
field unrelated_field: Int
predicate unrelated_predicate(x: Ref) { acc(x.unrelated_field) }
predicate unrelated_token(i: Int)
function unrelated_function(i: Int): Int ensures result > i { i + 1 }
domain Unrelated { function unrelated(i: Int): Int axiom { forall i: Int :: { unrelated(i) } unrelated(i) > i } }
method unrelated_method(x: Ref) returns (r: Int)
  requires unrelated_predicate(x)
  ensures unrelated_predicate(x) && r > 0
{ r := 1 }
";

/// Applies a change to a program.
pub fn changed(text: &str, change: &str, random: &mut Random) -> String {
    let mut program = parsed(text);
    let mut more = String::new();
    match change {
        "renamed" => rename(&mut program),
        "reordered" => shuffle(&mut program, random),
        "split" => split(&mut program),
        "refolded" => refold(&mut program),
        "inlined" => return inlined(text),
        "inhaled" => {
            return inhaled(&print_program(&program), random) + UNRELATED;
        }
        "called" => {
            let text = print_program(&program);
            return insert(&text, "var unrelated_result: Int\n unrelated_result := unrelated_method_pure()")
                + "method unrelated_method_pure() returns (r: Int) { r := 1 }\n";
        }
        _ => more = UNRELATED.to_string(),
    }
    print_program(&program) + &more
}

/// Renames all variables, including bound ones. Members keep their names, so that verdicts can be compared.
fn rename(program: &mut Program) {
    let new = |name: &Name| Name::from(format!("zz_{name}"));
    let mut renamed: std::collections::BTreeSet<Name> = std::collections::BTreeSet::new();
    for member in &mut program.members {
        let formals: Vec<_> = match &mut member.kind {
            MemberKind::Method(method) => method.params.iter_mut().chain(&mut method.returns).collect(),
            MemberKind::Function(function) => function.params.iter_mut().collect(),
            MemberKind::Predicate(predicate) => predicate.params.iter_mut().collect(),
            _ => Vec::new(),
        };
        for formal in formals {
            renamed.insert(formal.name.name.clone());
            formal.name.name = new(&formal.name.name);
        }
    }
    change_stmts(program, &mut |stmts| {
        for stmt in stmts.iter_mut() {
            match &mut stmt.kind {
                StmtKind::Var { vars, .. } | StmtKind::QuasihavocAll { vars, .. } => {
                    for var in vars {
                        renamed.insert(var.name.name.clone());
                        var.name.name = new(&var.name.name);
                    }
                }
                _ => {}
            }
        }
    });
    for expr in reachable(program) {
        match &mut program.exprs[expr].kind {
            ExprKind::Let { var, .. } => {
                renamed.insert(var.name.clone());
                var.name = new(&var.name);
            }
            ExprKind::Forall(quantifier) | ExprKind::Exists(quantifier) => {
                for var in &mut quantifier.vars {
                    renamed.insert(var.name.name.clone());
                    var.name.name = new(&var.name.name);
                }
            }
            ExprKind::Forperm(forperm) => {
                for var in &mut forperm.vars {
                    renamed.insert(var.name.name.clone());
                    var.name.name = new(&var.name.name);
                }
            }
            _ => {}
        }
    }
    for expr in reachable(program) {
        if let ExprKind::Ident(name) = &mut program.exprs[expr].kind
            && renamed.contains(name)
        {
            *name = new(name);
        }
    }
}

fn shuffle(program: &mut Program, random: &mut Random) {
    for index in (1..program.members.len()).rev() {
        program.members.swap(index, random.below(index + 1));
    }
}

/// Splits conjunctions in contracts into separate clauses.
fn split(program: &mut Program) {
    let exprs = &program.exprs;
    let parts = |expr: ExprId| match exprs[expr].kind {
        ExprKind::Binary { op: BinaryOp::And, left, right } => vec![left, right],
        _ => vec![expr],
    };
    let mut members = std::mem::take(&mut program.members);
    for member in &mut members {
        let contract = match &mut member.kind {
            MemberKind::Method(method) => &mut method.contract,
            MemberKind::Function(function) => &mut function.contract,
            _ => continue,
        };
        for clauses in [&mut contract.requires, &mut contract.ensures] {
            *clauses = clauses.iter().flat_map(|clause| parts(*clause)).collect();
        }
    }
    program.members = members;
}

/// Unfolds and refolds every folded predicate.
fn refold(program: &mut Program) {
    let exprs = program.exprs.clone();
    // Expressions that depend on the permissions held change their meaning after the fold.
    let depends = |access: ExprId| {
        let text = print_expr(&exprs, access);
        text.contains("perm(") || text.contains("wildcard")
    };
    change_stmts(program, &mut |stmts| {
        let mut all: Vec<Stmt> = Vec::new();
        for stmt in stmts.drain(..) {
            let again = match &stmt.kind {
                StmtKind::Fold(access) if !depends(*access) => Some(*access),
                _ => None,
            };
            all.push(stmt.clone());
            if let Some(access) = again {
                all.push(Stmt { kind: StmtKind::Unfold(access), ..stmt.clone() });
                all.push(stmt);
            }
        }
        *stmts = all;
    });
}

/// Inhales and exhales an assertion.
fn inhaled(text: &str, random: &mut Random) -> String {
    let line = random.pick(&[
        "inhale unrelated_token(3)\n exhale unrelated_token(3)",
        "inhale unrelated_function(1) > 1\n exhale unrelated_function(1) > 1",
        "label unrelated_label",
    ]);
    insert(text, line)
}

/// Inserts a line at the start of each method body.
fn insert(text: &str, line: &str) -> String {
    let mut result = String::new();
    let mut in_method = false;
    for one in text.lines() {
        result += one;
        result.push('\n');
        if one.starts_with("method ") {
            in_method = true;
        }
        if in_method && (one == "{" || (one.starts_with("method ") && one.ends_with('{'))) {
            result += &format!("  {line}\n");
            in_method = false;
        } else if one.starts_with("function ") || one.starts_with("predicate ") {
            in_method = false;
        }
    }
    result
}
