//! What is known of expressions before any execution: which have a value, which can fail, which read the heap.
//!
//! [`Facts`] are computed once for a program, for all expressions of its arena at once.

#[cfg(test)]
mod tests;

use echis_base::IndexVec;
use echis_program::program::{BinaryOp, ExprId, ExprKind, FunctionId, LocalId, OldState, Program};
use std::collections::BTreeSet;

#[derive(Debug)]
pub(crate) struct Facts {
    exprs: IndexVec<ExprId, ExprFacts>,
    /// Whether the value of an application depends on the heap.
    functions: IndexVec<FunctionId, bool>,
}

#[derive(Clone, Copy, Default, Debug)]
struct ExprFacts {
    partial: bool,
    heap: bool,
}

impl Facts {
    pub(crate) fn new(program: &Program) -> Facts {
        let order = children_first(program);
        let functions = program.functions.keys().map(|_| false).collect();
        let exprs = program.exprs.keys().map(|_| ExprFacts::default()).collect();
        let mut facts = Facts { exprs, functions };
        // A function reads the heap if its precondition does, which may depend on other functions.
        loop {
            for &expr in &order {
                facts.exprs[expr] = facts.of_node(program, expr);
            }
            if !facts.mark_functions(program) {
                return facts;
            }
        }
    }

    /// Whether evaluating the expression can raise an obligation of definedness, reads the heap, or has a value that
    /// is not settled by the values of its variables (`wildcard`, `epsilon`, a labelled state). What is not partial can be
    /// evaluated anywhere, once.
    pub(crate) fn is_partial(&self, expr: ExprId) -> bool {
        self.exprs[expr].partial
    }

    /// Whether the value depends on a heap, the one in which the expression is evaluated or (by `old`) an earlier one,
    /// or the expression asserts permission.
    pub(crate) fn mentions_heap(&self, expr: ExprId) -> bool {
        self.exprs[expr].heap
    }

    /// Whether applications of the function depend on the heap.
    pub(crate) fn reads_heap(&self, function: FunctionId) -> bool {
        self.functions[function]
    }

    fn of_node(&self, program: &Program, expr: ExprId) -> ExprFacts {
        let kind = program.kind(expr);
        let children = kind.children();
        let heap = self.node_mentions_heap(kind) || children.iter().any(|&child| self.exprs[child].heap);
        let partial = heap || node_is_partial(program, kind) || children.iter().any(|&child| self.exprs[child].partial);
        ExprFacts { partial, heap }
    }

    fn node_mentions_heap(&self, kind: &ExprKind) -> bool {
        match kind {
            ExprKind::Field { .. }
            | ExprKind::PredicateInstance { .. }
            | ExprKind::Unfolding { .. }
            | ExprKind::Applying { .. }
            | ExprKind::PermOf(_)
            | ExprKind::ForPerm { .. }
            | ExprKind::Acc { .. }
            | ExprKind::Wand { .. }
            | ExprKind::ForallAcc { .. }
            | ExprKind::TriggerLocation(_) => true,
            ExprKind::FunctionApp { function, .. } => self.functions[*function],
            _ => false,
        }
    }

    fn mark_functions(&mut self, program: &Program) -> bool {
        let mut changed = false;
        for (key, function) in program.functions.iter() {
            let reads = function.pre.iter().any(|&pre| self.mentions_heap(pre));
            changed |= reads && !self.functions[key];
            self.functions[key] |= reads;
        }
        changed
    }
}

/// The direct sub-expressions, triggers included (before the rest).
pub(crate) fn children(program: &Program, expr: ExprId) -> Vec<ExprId> {
    let kind = program.kind(expr);
    let mut children: Vec<ExprId> = kind.triggers().iter().flatten().copied().collect();
    children.extend(kind.children());
    children
}

/// Visits an expression and everything below, triggers included, parents first. Uses no stack of its own.
pub(crate) fn visit(program: &Program, root: ExprId, mut visitor: impl FnMut(ExprId, &ExprKind)) {
    let mut pending = vec![root];
    while let Some(expr) = pending.pop() {
        visitor(expr, program.kind(expr));
        pending.extend(children(program, expr).into_iter().rev());
    }
}

/// The variables that the expression mentions and does not bind. A variable has one binder in the whole program, so
/// the order in which binders and uses are met does not matter.
pub(crate) fn free_locals(program: &Program, root: ExprId) -> BTreeSet<LocalId> {
    let mut used = BTreeSet::new();
    let mut bound: BTreeSet<LocalId> = BTreeSet::new();
    visit(program, root, |_, kind| {
        if let ExprKind::Local(local) = kind {
            used.insert(*local);
        }
        bound.extend(kind.bound());
    });
    used.retain(|local| !bound.contains(local));
    used
}

/// Of the node alone, where the heap is not concerned.
fn node_is_partial(program: &Program, kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Wildcard | ExprKind::Epsilon | ExprKind::Asserting { .. } | ExprKind::SeqUpdate(..) => true,
        ExprKind::Old { state, .. } => *state != OldState::Pre,
        ExprKind::FunctionApp { function, .. } => !program.functions[*function].pre.is_empty(),
        ExprKind::Binary(BinaryOp::SeqIndex | BinaryOp::MapLookup, ..) => true,
        ExprKind::Binary(op, _, divisor) if is_division(*op) => !is_literal_not_zero(program, *divisor),
        _ => false,
    }
}

fn is_division(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::IntDiv | BinaryOp::Mod | BinaryOp::Fraction | BinaryOp::PermDivInt | BinaryOp::PermDivPerm)
}

fn is_literal_not_zero(program: &Program, expr: ExprId) -> bool {
    match program.kind(expr) {
        ExprKind::Int(value) => !value.is_zero(),
        ExprKind::Write => true,
        _ => false,
    }
}

/// All expressions of the arena, each after its parts.
fn children_first(program: &Program) -> Vec<ExprId> {
    let mut seen: IndexVec<ExprId, bool> = program.exprs.keys().map(|_| false).collect();
    let mut order = Vec::with_capacity(program.exprs.len());
    for root in program.exprs.keys() {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut open = vec![(root, program.kind(root).children())];
        while let Some((expr, rest)) = open.last_mut() {
            match rest.pop() {
                Some(child) if seen[child] => {}
                Some(child) => {
                    seen[child] = true;
                    open.push((child, program.kind(child).children()));
                }
                None => {
                    order.push(*expr);
                    open.pop();
                }
            }
        }
    }
    order
}
