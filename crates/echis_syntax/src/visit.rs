//! Going over the tree: the direct parts of each node, in source order. Callers keep their own stack, because trees
//! are deep.

use crate::ast::{
    Block, Contract, Decreases, DecreasesKind, ExprId, ExprKind, Exprs, Formal, Ident, Invariants, Member, MemberKind,
    OldLabel, Stmt, StmtKind, Type, TypeKind,
};

impl ExprKind {
    /// The direct subexpressions.
    pub fn for_each_child(&self, mut visit: impl FnMut(ExprId)) {
        use ExprKind::*;
        match self {
            Bool(_) | Null | Int(_) | Perm(_) | Result | Ident(_) | New(_) => {}
            Call(call) | PredicateInstance(call) => call.args.iter().copied().for_each(visit),
            Field { receiver: one, .. } | Unary { operand: one, .. } | Old { body: one, .. } => visit(*one),
            CurrentPerm(one) | MapDomain(one) | MapRange(one) | Cardinality(one) => visit(*one),
            Binary { left: first, right: second, .. }
            | Let { value: first, body: second, .. }
            | Unfolding { access: first, body: second }
            | Applying { wand: first, body: second }
            | Asserting { assertion: first, body: second }
            | InhaleExhale { inhale: first, exhale: second }
            | Range { low: first, high: second }
            | Index { base: first, index: second }
            | Take { base: first, end: second }
            | Drop { base: first, start: second } => [*first, *second].into_iter().for_each(visit),
            Conditional { condition: first, then: second, otherwise: third }
            | Update { base: first, index: second, value: third }
            | Slice { base: first, start: second, end: third } => {
                [*first, *second, *third].into_iter().for_each(visit);
            }
            Chain { first, links } => {
                visit(*first);
                links.iter().for_each(|(_, operand)| visit(*operand));
            }
            Acc { location, amount } => {
                visit(*location);
                amount.iter().copied().for_each(visit);
            }
            Forall(quantifier) | Exists(quantifier) => {
                for trigger in &quantifier.triggers {
                    trigger.terms.iter().copied().for_each(&mut visit);
                }
                visit(quantifier.body);
            }
            Forperm(forperm) => [forperm.resource, forperm.body].into_iter().for_each(visit),
            Collection(collection) => collection.elements.iter().copied().for_each(visit),
            Map(map) => map.entries.iter().for_each(|(key, value)| {
                visit(*key);
                visit(*value);
            }),
        }
    }

    /// The variables that the node itself binds in its subexpressions.
    pub fn bound_variables(&self) -> Vec<&Ident> {
        match self {
            ExprKind::Let { var, .. } => vec![var],
            ExprKind::Forall(quantifier) | ExprKind::Exists(quantifier) => formal_names(&quantifier.vars),
            ExprKind::Forperm(forperm) => formal_names(&forperm.vars),
            _ => Vec::new(),
        }
    }

    /// The types that are written in the node itself.
    pub(crate) fn for_each_type(&self, mut visit: impl FnMut(&Type)) {
        match self {
            ExprKind::Call(call) | ExprKind::PredicateInstance(call) => call.ascription.iter().for_each(visit),
            ExprKind::Forall(quantifier) | ExprKind::Exists(quantifier) => {
                quantifier.vars.iter().for_each(|var| visit(&var.ty));
            }
            ExprKind::Forperm(forperm) => forperm.vars.iter().for_each(|var| visit(&var.ty)),
            ExprKind::Collection(collection) => collection.element.iter().for_each(visit),
            ExprKind::Map(map) => map.types.iter().for_each(|(key, value)| {
                visit(key);
                visit(value);
            }),
            _ => {}
        }
    }

    pub(crate) fn label(&self) -> Option<&Ident> {
        match self {
            ExprKind::Old { label: OldLabel::Label(label), .. } => Some(label),
            _ => None,
        }
    }
}

fn formal_names(formals: &[Formal]) -> Vec<&Ident> {
    formals.iter().map(|formal| &formal.name).collect()
}

/// `root` and everything below it, each before its parts, left to right.
pub fn for_each_expr(exprs: &Exprs, root: ExprId, mut visit: impl FnMut(ExprId)) {
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        visit(id);
        let first = stack.len();
        exprs[id].kind.for_each_child(|child| stack.push(child));
        stack[first..].reverse();
    }
}

impl Stmt {
    /// The expressions that stand directly in the statement, not those in nested statements.
    pub fn for_each_expr(&self, mut visit: impl FnMut(ExprId)) {
        use StmtKind::*;
        match &self.kind {
            Fold(expr) | Unfold(expr) | Inhale(expr) | Exhale(expr) | Assert(expr) | Assume(expr) | Refute(expr)
            | Apply(expr) | Call(expr) => visit(*expr),
            If { arms, .. } => arms.iter().for_each(|arm| visit(arm.condition)),
            While { condition, invariants, .. } => {
                visit(*condition);
                invariants.for_each_expr(visit);
            }
            Var { init, .. } => init.iter().copied().for_each(visit),
            Label { invariants, .. } => invariants.for_each_expr(visit),
            Package { wand, .. } => visit(*wand),
            Quasihavoc { condition, resource } | QuasihavocAll { condition, resource, .. } => {
                condition.iter().copied().for_each(&mut visit);
                visit(*resource);
            }
            Assign { targets, value } => {
                targets.iter().copied().for_each(&mut visit);
                visit(*value);
            }
            Goto(_) | Block(_) | Define(_) => {}
        }
    }

    /// The blocks that stand directly in the statement.
    pub fn for_each_block<'a>(&'a self, mut visit: impl FnMut(&'a Block)) {
        match &self.kind {
            StmtKind::If { arms, otherwise } => {
                arms.iter().for_each(|arm| visit(&arm.body));
                otherwise.iter().for_each(visit);
            }
            StmtKind::While { body, .. } | StmtKind::Block(body) => visit(body),
            StmtKind::Package { script: Some(script), .. } => visit(script),
            _ => {}
        }
    }
}

/// All statements of a block, nested ones behind the statement that contains them.
pub fn for_each_stmt<'a>(block: &'a Block, mut visit: impl FnMut(&'a Stmt)) {
    let mut stack: Vec<&'a Stmt> = block.stmts.iter().rev().collect();
    while let Some(stmt) = stack.pop() {
        visit(stmt);
        let first = stack.len();
        stmt.for_each_block(|block| stack.extend(&block.stmts));
        stack[first..].reverse();
    }
}

impl Invariants {
    pub fn for_each_expr(&self, mut visit: impl FnMut(ExprId)) {
        self.exprs.iter().copied().for_each(&mut visit);
        self.decreases.iter().for_each(|clause| clause.for_each_expr(&mut visit));
    }
}

impl Decreases {
    pub fn for_each_expr(&self, mut visit: impl FnMut(ExprId)) {
        if let DecreasesKind::Tuple(tuple) = &self.kind {
            tuple.iter().copied().for_each(&mut visit);
        }
        self.condition.iter().copied().for_each(visit);
    }
}

impl Contract {
    pub fn for_each_expr(&self, mut visit: impl FnMut(ExprId)) {
        self.requires.iter().chain(&self.ensures).copied().for_each(&mut visit);
        self.decreases.iter().for_each(|clause| clause.for_each_expr(&mut visit));
    }
}

impl Member {
    /// The expressions that stand directly in the member, not those in the statements of a body.
    pub fn for_each_expr(&self, mut visit: impl FnMut(ExprId)) {
        match &self.kind {
            MemberKind::Method(method) => method.contract.for_each_expr(visit),
            MemberKind::Function(function) => {
                function.contract.for_each_expr(&mut visit);
                function.body.iter().copied().for_each(visit);
            }
            MemberKind::Predicate(predicate) => predicate.body.iter().copied().for_each(visit),
            MemberKind::Domain(domain) => domain.axioms.iter().for_each(|axiom| visit(axiom.body)),
            MemberKind::Import(_) | MemberKind::Define(_) | MemberKind::Fields(_) | MemberKind::Adt(_) => {}
        }
    }
}

impl Type {
    /// The names in the type.
    pub(crate) fn for_each_name(&self, visit: &mut impl FnMut(&Ident, usize)) {
        match &self.kind {
            TypeKind::Int | TypeKind::Bool | TypeKind::Perm | TypeKind::Ref | TypeKind::Rational => {}
            TypeKind::Seq(element) | TypeKind::Set(element) | TypeKind::Multiset(element) => {
                element.for_each_name(visit);
            }
            TypeKind::Map(key, value) => {
                key.for_each_name(visit);
                value.for_each_name(visit);
            }
            TypeKind::Named(name, args) => {
                visit(name, args.len());
                args.iter().for_each(|arg| arg.for_each_name(visit));
            }
        }
    }
}
