//! Walking typed programs: the parts of an expression, and every expression that a member holds.

use crate::program::{
    Block, Decreases, ExprId, ExprKind, FunctionId, LocalId, Location, MethodId, PredicateAccess, PredicateId, Program,
    Stmt, StmtKind,
};
use std::collections::BTreeSet;

/// Room kept and taken when an expression or statement is deeper than the stack: a guard of every recursion here.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(96 * 1024, 2 * 1024 * 1024, work)
}

impl Location {
    /// The expressions that a resource instance is made of, in evaluation order.
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

impl ExprKind {
    /// The direct sub-expressions in evaluation order; triggers are not among them.
    pub fn children(&self) -> Vec<ExprId> {
        match self {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Null
            | ExprKind::Write
            | ExprKind::NonePerm
            | ExprKind::Wildcard
            | ExprKind::Epsilon
            | ExprKind::Local(_)
            | ExprKind::Result => Vec::new(),
            ExprKind::Unary(_, operand) => vec![*operand],
            ExprKind::Binary(_, left, right) | ExprKind::InhaleExhale(left, right) => vec![*left, *right],
            ExprKind::Wand { left, right } => vec![*left, *right],
            ExprKind::Conditional(first, second, third)
            | ExprKind::SeqUpdate(first, second, third)
            | ExprKind::MapUpdate(first, second, third) => vec![*first, *second, *third],
            ExprKind::Let { value, body, .. } => vec![*value, *body],
            ExprKind::Quantified { body, .. } | ExprKind::Old { body, .. } => vec![*body],
            ExprKind::Field { receiver, .. } => vec![*receiver],
            ExprKind::FunctionApp { args, .. }
            | ExprKind::DomainApp { args, .. }
            | ExprKind::PredicateInstance { args, .. } => args.clone(),
            ExprKind::Unfolding { access, body } => {
                let mut parts = access.parts();
                parts.push(*body);
                parts
            }
            ExprKind::Applying { wand, body } => vec![*wand, *body],
            ExprKind::Asserting { assertion, body } => vec![*assertion, *body],
            ExprKind::PermOf(location) | ExprKind::TriggerLocation(location) => location.parts(),
            ExprKind::ForPerm { location, body, .. } => {
                let mut parts = location.parts();
                parts.push(*body);
                parts
            }
            ExprKind::SeqLiteral(items) | ExprKind::SetLiteral(items) | ExprKind::MultisetLiteral(items) => {
                items.clone()
            }
            ExprKind::MapLiteral(entries) => entries.iter().flat_map(|(key, value)| [*key, *value]).collect(),
            ExprKind::Acc { location, amount, .. } => {
                let mut parts = location.parts();
                parts.push(*amount);
                parts
            }
            ExprKind::ForallAcc { condition, location, amount, .. } => {
                let mut parts = vec![*condition];
                parts.extend(location.parts());
                parts.push(*amount);
                parts
            }
        }
    }

    /// The variables that the expression binds.
    pub fn bound(&self) -> &[LocalId] {
        match self {
            ExprKind::Let { var, .. } => std::slice::from_ref(var),
            ExprKind::Quantified { vars, .. } | ExprKind::ForPerm { vars, .. } | ExprKind::ForallAcc { vars, .. } => {
                vars
            }
            _ => &[],
        }
    }

    /// The direct sub-expressions, triggers included (before the rest).
    pub fn children_with_triggers(&self) -> Vec<ExprId> {
        let mut children: Vec<ExprId> = self.triggers().iter().flatten().copied().collect();
        children.extend(self.children());
        children
    }

    pub fn triggers(&self) -> &[Vec<ExprId>] {
        match self {
            ExprKind::Quantified { triggers, .. } | ExprKind::ForallAcc { triggers, .. } => triggers,
            _ => &[],
        }
    }
}

impl Program {
    /// Visits an expression and all below it, parents first, left to right; triggers are left out. The visitor says
    /// whether to go below a node. Uses no stack of its own.
    pub fn visit(&self, root: ExprId, mut visitor: impl FnMut(ExprId) -> bool) {
        let mut pending = vec![root];
        while let Some(expr) = pending.pop() {
            if visitor(expr) {
                let children = self.kind(expr).children();
                pending.extend(children.into_iter().rev());
            }
        }
    }

    /// Visits an expression and everything below, triggers included, parents first. Uses no stack of its own.
    pub fn visit_with_triggers<'a>(&'a self, root: ExprId, mut visitor: impl FnMut(ExprId, &'a ExprKind)) {
        let mut pending = vec![root];
        while let Some(expr) = pending.pop() {
            visitor(expr, self.kind(expr));
            pending.extend(self.kind(expr).children_with_triggers().into_iter().rev());
        }
    }

    /// The variables that the expression mentions and does not bind. A variable has one binder in the whole program, so
    /// the order in which binders and uses are met does not matter.
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

    /// Whether anything looks at permission.
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

    /// Every expression that stands directly in a clause, body, axiom or statement, in the order of declarations.
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
    /// Visits all statements, parents first, in textual order.
    pub fn visit_stmts<'a>(&'a self, visitor: &mut impl FnMut(&'a Stmt)) {
        for stmt in &self.stmts {
            visitor(stmt);
            guarded(|| stmt.kind.blocks().into_iter().for_each(|block| block.visit_stmts(visitor)));
        }
    }
}

impl StmtKind {
    /// The blocks directly inside.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
            StmtKind::While { body, .. } | StmtKind::Block(body) | StmtKind::Package { script: body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The variables that the statement itself writes, without those that statements in its blocks do. Whoever forbids
    /// or forgets writes asks here; a new kind of statement has to answer.
    pub fn written(&self) -> &[LocalId] {
        match self {
            StmtKind::Declare(target) | StmtKind::Assign { target, .. } | StmtKind::New { target, .. } => {
                std::slice::from_ref(target)
            }
            StmtKind::Call { targets, .. } => targets,
            StmtKind::AssignField { .. }
            | StmtKind::Inhale(_)
            | StmtKind::Exhale(_)
            | StmtKind::Assert(_)
            | StmtKind::Assume(_)
            | StmtKind::Refute(_)
            | StmtKind::Fold(_)
            | StmtKind::Unfold(_)
            | StmtKind::Package { .. }
            | StmtKind::Apply { .. }
            | StmtKind::Quasihavoc { .. }
            | StmtKind::QuasihavocAll { .. }
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::Label { .. }
            | StmtKind::Goto(_)
            | StmtKind::Block(_) => &[],
        }
    }

    /// The expressions directly in the statement, without those of the blocks inside.
    pub fn roots(&self) -> Vec<ExprId> {
        match self {
            StmtKind::Declare(_) | StmtKind::New { .. } | StmtKind::Goto(_) | StmtKind::Block(_) => Vec::new(),
            StmtKind::Assign { value, .. } => vec![*value],
            StmtKind::AssignField { receiver, value, .. } => vec![*receiver, *value],
            StmtKind::Call { args, .. } => args.clone(),
            StmtKind::Inhale(expr)
            | StmtKind::Exhale(expr)
            | StmtKind::Assert(expr)
            | StmtKind::Assume(expr)
            | StmtKind::Refute(expr) => vec![*expr],
            StmtKind::Fold(access) | StmtKind::Unfold(access) => access.parts(),
            StmtKind::Package { wand, .. } | StmtKind::Apply { wand } => vec![*wand],
            StmtKind::Quasihavoc { condition, location, .. } | StmtKind::QuasihavocAll { condition, location, .. } => {
                condition.iter().copied().chain(location.parts()).collect()
            }
            StmtKind::If { condition, .. } => vec![*condition],
            StmtKind::While { condition, invariants, decreases, .. } => {
                let mut roots = vec![*condition];
                roots.extend(invariants);
                roots.extend(decreases.roots());
                roots
            }
            StmtKind::Label { invariants, decreases, .. } => {
                let mut roots = invariants.clone();
                roots.extend(decreases.roots());
                roots
            }
        }
    }
}
