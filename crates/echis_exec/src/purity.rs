//! Facts about expressions that hold before execution: which ones read the heap, and which variables they mention.
//!
//! [`Facts`] are computed once per program, for all expressions of its arena.

#[cfg(test)]
mod tests;

use echis_base::IndexVec;
use echis_program::program::{ExprId, ExprKind, FunctionId, Program};

#[derive(Debug)]
pub(crate) struct Facts {
    /// Whether the value of each expression depends on a heap.
    exprs: IndexVec<ExprId, bool>,
    /// Whether applications of each function depend on the heap.
    functions: IndexVec<FunctionId, bool>,
    /// Whether the program contains permission introspection.
    pub introspects: bool,
}

impl Facts {
    pub(crate) fn new(program: &Program) -> Facts {
        let order = children_first(program);
        let functions = program.functions.keys().map(|_| false).collect();
        let exprs = program.exprs.keys().map(|_| false).collect();
        let mut facts = Facts { exprs, functions, introspects: program.introspects() };
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

    /// Whether the value depends on a heap (the current one or, by `old`, an earlier one), or the expression asserts
    /// permission.
    pub(crate) fn mentions_heap(&self, expr: ExprId) -> bool {
        self.exprs[expr]
    }

    /// Whether applications of the function depend on the heap.
    pub(crate) fn reads_heap(&self, function: FunctionId) -> bool {
        self.functions[function]
    }

    fn of_node(&self, program: &Program, expr: ExprId) -> bool {
        let kind = program.kind(expr);
        self.node_mentions_heap(kind) || kind.children().iter().any(|&child| self.exprs[child])
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
