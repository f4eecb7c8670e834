//! Traversal of the tree: the direct parts of each node, in source order. Callers use their own stack, because trees
//! are deep.

use crate::ast::{
    Block, Contract, Decreases, ExprId, ExprKind, Exprs, Ident, Member, MemberKind, Part, Parts, Stmt, Type, TypeKind,
};

impl ExprKind {
    pub fn for_each_part<'a>(&'a self, mut visit: impl FnMut(Part<'a>)) {
        self.each_field(&mut |_, field| field.each_part(&mut visit));
    }

    /// The direct subexpressions, triggers included.
    pub fn for_each_child(&self, mut visit: impl FnMut(ExprId)) {
        self.for_each_part(|part| {
            if let Part::Expr(expr) = part {
                visit(expr);
            }
        });
    }

    /// The variables that the node itself binds in its subexpressions.
    pub fn bound_variables(&self) -> Vec<&Ident> {
        let mut bound = Vec::new();
        self.for_each_part(|part| {
            if let Part::Declared(var) = part {
                bound.push(var);
            }
        });
        bound
    }
}

/// Visits `root` and its descendants in pre-order, left to right.
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
    pub fn for_each_part<'a>(&'a self, mut visit: impl FnMut(Part<'a>)) {
        self.kind.each_field(&mut |_, field| field.each_part(&mut visit));
    }

    /// The expressions directly in the statement, without those in nested statements.
    pub fn for_each_expr(&self, mut visit: impl FnMut(ExprId)) {
        self.for_each_part(|part| {
            if let Part::Expr(expr) = part {
                visit(expr);
            }
        });
    }

    /// The blocks directly in the statement.
    pub fn for_each_block<'a>(&'a self, mut visit: impl FnMut(&'a Block)) {
        self.for_each_part(|part| {
            if let Part::Block(block) = part {
                visit(block);
            }
        });
    }
    pub fn for_each_block_mut<'a>(&'a mut self, mut visit: impl FnMut(&'a mut Block)) {
        self.kind.each_field_mut(&mut |field| field.each_block(&mut visit));
    }
}

/// All statements of a block, nested ones after their parent.
pub fn for_each_stmt<'a>(block: &'a Block, mut visit: impl FnMut(&'a Stmt)) {
    let mut stack: Vec<&'a Stmt> = block.stmts.iter().rev().collect();
    while let Some(stmt) = stack.pop() {
        visit(stmt);
        let first = stack.len();
        stmt.for_each_block(|block| stack.extend(&block.stmts));
        stack[first..].reverse();
    }
}

impl Decreases {
    pub fn for_each_expr(&self, mut visit: impl FnMut(ExprId)) {
        self.each_part(&mut |part| {
            if let Part::Expr(expr) = part {
                visit(expr);
            }
        });
    }
}

impl Contract {
    pub fn for_each_expr(&self, mut visit: impl FnMut(ExprId)) {
        self.requires.iter().chain(&self.ensures).copied().for_each(&mut visit);
        self.decreases.iter().for_each(|clause| clause.for_each_expr(&mut visit));
    }
}

impl Member {
    /// The expressions directly in the member, without those in the statements of a body.
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
