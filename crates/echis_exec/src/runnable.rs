//! Determines which calls can execute the callee's body instead of using its contract, to see whether a failure after
//! the call can happen or the contract is too weak.

use crate::limits::{RUN_BRANCHES, RUN_STATEMENTS};
use echis_program::program::{ExprId, ExprKind, Location, Method, MethodId, Program, Stmt, StmtKind};
use echis_program::reach::{Member, Reach, Reaches};
use std::collections::BTreeSet;

/// The methods whose bodies can be run at their calls.
#[derive(Default)]
pub struct Runnable {
    pub bodies: BTreeSet<MethodId>,
    /// Whether one of them is recursive. Only runs without a second activation of a method are then executed.
    pub is_recursive: bool,
}

/// The methods that a method calls, directly or through other runnable methods, and that can be run there.
pub(crate) fn callees(program: &Program, caller: MethodId, seen: &Reach) -> Runnable {
    let reaches = Reaches::new(program);
    let mut found = BTreeSet::new();
    let mut is_recursive = false;
    let mut pending = called(&program.methods[caller]);
    while let Some(id) = pending.pop() {
        let callee = &program.methods[id];
        if found.contains(&id) || !is_simple(callee) || !keeps_footprint(program, callee) {
            continue;
        }
        let reach = reaches.of(Member::Method(id));
        if is_within(&reach, seen) {
            is_recursive |= calls_itself(program, id);
            found.insert(id);
            pending.extend(called(callee));
        }
    }
    Runnable { bodies: found, is_recursive }
}

fn statements(method: &Method) -> Vec<&Stmt> {
    let mut statements = Vec::new();
    if let Some(body) = &method.body {
        body.visit_stmts(&mut |stmt| statements.push(stmt));
    }
    statements
}

fn called(method: &Method) -> Vec<MethodId> {
    let of = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Call { method, .. } => Some(*method),
        _ => None,
    };
    statements(method).into_iter().filter_map(of).collect()
}

/// Whether a run of the method ends soon and invents no values.
fn is_simple(method: &Method) -> bool {
    let statements = statements(method);
    let allowed = |stmt: &&Stmt| {
        matches!(
            stmt.kind,
            StmtKind::Declare(_)
                | StmtKind::Assign { .. }
                | StmtKind::AssignField { .. }
                | StmtKind::New { .. }
                | StmtKind::Call { .. }
                | StmtKind::Assert(_)
                | StmtKind::Fold(_)
                | StmtKind::Unfold(_)
                | StmtKind::If { .. }
                | StmtKind::Block(_)
        )
    };
    let branches = statements.iter().filter(|stmt| matches!(stmt.kind, StmtKind::If { .. })).count();
    method.body.is_some()
        && statements.len() <= RUN_STATEMENTS
        && branches <= RUN_BRANCHES
        && statements.iter().all(allowed)
}

fn calls_itself(program: &Program, method: MethodId) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = called(&program.methods[method]);
    while let Some(id) = pending.pop() {
        if id == method {
            return true;
        }
        if seen.insert(id) {
            pending.extend(called(&program.methods[id]));
        }
    }
    false
}

fn is_within(inner: &Reach, outer: &Reach) -> bool {
    inner.functions.is_subset(&outer.functions)
        && inner.predicates.is_subset(&outer.predicates)
        && inner.fields.is_subset(&outer.fields)
        && inner.types.is_subset(&outer.types)
        && inner.domain_functions.is_subset(&outer.domain_functions)
        && inner.quantified.is_subset(&outer.quantified)
        && inner.triggered.is_subset(&outer.triggered)
        && inner.quantified_wands == outer.quantified_wands
        && inner.axioms.iter().all(|axiom| outer.axioms.contains(axiom))
}

/// Whether the text shows that a call returns exactly the permission it takes. If so, running the body leaves the
/// caller's heap with the same permission as the call.
fn keeps_footprint(program: &Program, method: &Method) -> bool {
    let accesses = |clauses: &[ExprId]| {
        let conjuncts = clauses.iter().flat_map(|clause| program.conjuncts(*clause)).map(|(conjunct, _)| conjunct);
        let impure = conjuncts.filter(|conjunct| !program.is_pure(*conjunct));
        let mut accesses: Vec<String> = impure.map(|conjunct| access(program, conjunct)).collect::<Option<_>>()?;
        accesses.sort();
        Some(accesses)
    };
    accesses(&method.pre).is_some_and(|before| Some(before) == accesses(&method.post))
}

/// An access whose location depends on nothing but variables.
fn access(program: &Program, conjunct: ExprId) -> Option<String> {
    let ExprKind::Acc { location, amount, .. } = program.kind(conjunct) else { return None };
    let (name, args) = match location {
        Location::Field { receiver, field } => (format!("{field:?}"), vec![*receiver]),
        Location::Predicate { predicate, args } => (format!("{predicate:?}"), args.clone()),
        Location::Wand(_) => return None,
    };
    let args: Vec<String> = args.into_iter().chain([*amount]).map(|arg| plain(program, arg)).collect::<Option<_>>()?;
    Some(format!("{name}({})", args.join(", ")))
}

fn plain(program: &Program, expr: ExprId) -> Option<String> {
    match program.kind(expr) {
        ExprKind::Local(local) => Some(format!("{local:?}")),
        ExprKind::Int(value) => Some(value.to_string()),
        kind @ (ExprKind::Null | ExprKind::Write | ExprKind::Bool(_)) => Some(format!("{kind:?}")),
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (atom(program, *left)?, atom(program, *right)?);
            Some(format!("{op:?}({left}, {right})"))
        }
        _ => None,
    }
}

fn atom(program: &Program, expr: ExprId) -> Option<String> {
    match program.kind(expr) {
        ExprKind::Binary(..) => None,
        _ => plain(program, expr),
    }
}
