//! Traversals of typed programs: the parts of an expression, and every expression of a member.

use crate::program::{
    Block, Decreases, ExprId, ExprKind, FunctionId, LocalId, Location, MethodId, PredicateAccess, PredicateId, Program,
    Stmt,
};
use std::collections::BTreeSet;

/// The stack reserved and allocated for expressions or statements that are deeper than the stack; guards every
/// recursion here.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(96 * 1024, 2 * 1024 * 1024, work)
}

impl Location {
    /// The expressions of a location, in evaluation order.
    pub fn parts(&self) -> Vec<ExprId> {
        match self {
            Location::Field { receiver, .. } => vec![*receiver],
            Location::Predicate { args, .. } => args.clone(),
            Location::Wand(wand) => vec![*wand],
        }
    }
}

impl PredicateAccess {
    pub fn parts(&self) -> Vec<ExprId> {
        self.args.iter().copied().chain([self.amount]).collect()
    }
}

impl Program {
    /// Visits an expression and its descendants in pre-order, without triggers. The visitor decides whether to
    /// descend into a node. Iterative.
    pub fn visit(&self, root: ExprId, mut visitor: impl FnMut(ExprId) -> bool) {
        let mut pending = vec![root];
        while let Some(expr) = pending.pop() {
            if visitor(expr) {
                let children = self.kind(expr).children();
                pending.extend(children.into_iter().rev());
            }
        }
    }

    /// Visits an expression and its descendants in pre-order, including triggers. Iterative.
    pub fn visit_with_triggers<'a>(&'a self, root: ExprId, mut visitor: impl FnMut(ExprId, &'a ExprKind)) {
        let mut pending = vec![root];
        while let Some(expr) = pending.pop() {
            visitor(expr, self.kind(expr));
            pending.extend(self.kind(expr).children_with_triggers().into_iter().rev());
        }
    }

    /// The free variables of the expression. A variable has one binder in the whole program, so the order of binders
    /// and uses does not matter.
    pub fn free_locals(&self, root: ExprId) -> BTreeSet<LocalId> {
        let mut used = BTreeSet::new();
        let mut bound: BTreeSet<LocalId> = BTreeSet::new();
        self.visit_with_triggers(root, |_, kind| {
            if let ExprKind::Local(local) = kind {
                used.insert(*local);
            }
            bound.extend(kind.bound());
        });
        used.retain(|local| !bound.contains(local));
        used
    }

    /// Whether the program contains permission introspection.
    pub fn introspects(&self) -> bool {
        self.exprs.values().any(|expr| matches!(expr.kind, ExprKind::PermOf(_) | ExprKind::ForPerm { .. }))
    }

    /// Whether some node of the expression (itself included) satisfies the test.
    pub fn any(&self, root: ExprId, mut test: impl FnMut(&ExprKind) -> bool) -> bool {
        let mut found = false;
        self.visit(root, |expr| {
            found = found || test(self.kind(expr));
            !found
        });
        found
    }

    /// Every top-level expression of a clause, body, axiom or statement, in declaration order.
    pub fn roots(&self) -> Vec<ExprId> {
        let mut roots: Vec<ExprId> = self.axioms.values().map(|axiom| axiom.body).collect();
        for function in self.functions.keys() {
            roots.extend(self.function_roots(function));
        }
        for predicate in self.predicates.keys() {
            roots.extend(self.predicate_roots(predicate));
        }
        for method in self.methods.keys() {
            roots.extend(self.method_roots(method));
        }
        roots
    }

    pub fn function_roots(&self, function: FunctionId) -> Vec<ExprId> {
        let function = &self.functions[function];
        let mut roots = function.pre.clone();
        roots.extend(&function.post);
        roots.extend(function.decreases.roots());
        roots.extend(function.body);
        roots
    }

    pub fn predicate_roots(&self, predicate: PredicateId) -> Vec<ExprId> {
        self.predicates[predicate].body.into_iter().collect()
    }

    pub fn method_roots(&self, method: MethodId) -> Vec<ExprId> {
        let method = &self.methods[method];
        let mut roots = method.pre.clone();
        roots.extend(&method.post);
        roots.extend(method.decreases.roots());
        if let Some(body) = &method.body {
            body.visit_stmts(&mut |stmt| roots.extend(stmt.kind.roots()));
        }
        roots
    }
}

impl Decreases {
    pub fn roots(&self) -> Vec<ExprId> {
        let mut roots = Vec::new();
        if let Some(tuple) = &self.tuple {
            roots.extend(&tuple.measures);
            roots.extend(tuple.condition);
        }
        roots.extend(self.wildcard.as_ref().and_then(|wildcard| wildcard.condition));
        roots
    }
}

impl Block {
    /// Visits all statements in pre-order.
    pub fn visit_stmts<'a>(&'a self, visitor: &mut impl FnMut(&'a Stmt)) {
        for stmt in &self.stmts {
            visitor(stmt);
            guarded(|| stmt.kind.blocks().into_iter().for_each(|block| block.visit_stmts(visitor)));
        }
    }
}
