//! Statements.

use crate::{Decreases, Expr, Param, Problem, ProgramBuilder, Type, untagged};
use echis_syntax::ast::{
    self, Block, Call, ExprId, ExprKind, Formal, IfArm, Invariants, LabelName, NewFields, StmtKind,
};

/// A statement of one builder.
#[derive(Clone, Debug)]
pub struct Stmt {
    builder: u32,
    node: ast::Stmt,
}

/// The specification of a loop.
#[derive(Clone, Debug, Default)]
pub struct Loop {
    /// The loop invariants.
    pub invariants: Vec<Expr>,
    /// The termination measures.
    pub decreases: Vec<Decreases>,
}

impl Loop {
    /// Nothing is maintained, and nothing is said about whether the loop ends.
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds an invariant.
    pub fn invariant(mut self, clause: Expr) -> Self {
        self.invariants.push(clause);
        self
    }
    /// Adds a measure.
    pub fn decreases(mut self, clause: Decreases) -> Self {
        self.decreases.push(clause);
        self
    }
}

impl<O> ProgramBuilder<O> {
    /// The statement with the given origin.
    pub fn stmt_at(&mut self, stmt: Stmt, origin: O) -> Stmt {
        let span = self.tag(Some(origin));
        Stmt { node: ast::Stmt { span, ..stmt.node }, ..stmt }
    }
    /// The statement with an annotation `@name("args", …)`.
    pub fn annotate_stmt<A: AsRef<str>>(
        &mut self,
        mut stmt: Stmt,
        name: &str,
        args: impl IntoIterator<Item = A>,
    ) -> Stmt {
        let annotation = self.annotation(name, args);
        stmt.node.annotations.push(annotation);
        stmt
    }

    fn stmt(&self, kind: StmtKind) -> Stmt {
        let node = ast::Stmt { kind, span: untagged(), macro_use: None, annotations: Vec::new() };
        Stmt { builder: self.number, node }
    }
    fn on_expr(&mut self, expr: Expr, kind: impl FnOnce(ExprId) -> StmtKind) -> Stmt {
        let expr = self.own(expr);
        self.stmt(kind(expr))
    }
    pub(crate) fn block_of(&mut self, stmts: impl IntoIterator<Item = Stmt>) -> Block {
        let mut own = |stmt: Stmt| {
            if stmt.builder != self.number {
                self.problems.push(Problem::Foreign);
            }
            stmt.node
        };
        Block { stmts: stmts.into_iter().map(&mut own).collect(), span: untagged() }
    }
    fn invariants(&mut self, spec: Loop) -> Invariants {
        let exprs = self.own_all(spec.invariants);
        Invariants { exprs, decreases: self.measures(spec.decreases) }
    }

    /// `fold access`; the access is `acc(P(…), p)` or an instance `P(…)`.
    pub fn fold(&mut self, access: Expr) -> Stmt {
        self.on_expr(access, StmtKind::Fold)
    }
    /// `unfold access`.
    pub fn unfold(&mut self, access: Expr) -> Stmt {
        self.on_expr(access, StmtKind::Unfold)
    }
    /// `inhale assertion`.
    pub fn inhale(&mut self, assertion: Expr) -> Stmt {
        self.on_expr(assertion, StmtKind::Inhale)
    }
    /// `exhale assertion`.
    pub fn exhale(&mut self, assertion: Expr) -> Stmt {
        self.on_expr(assertion, StmtKind::Exhale)
    }
    /// `assert assertion`.
    pub fn assert(&mut self, assertion: Expr) -> Stmt {
        self.on_expr(assertion, StmtKind::Assert)
    }
    /// `assume assertion`.
    pub fn assume(&mut self, assertion: Expr) -> Stmt {
        self.on_expr(assertion, StmtKind::Assume)
    }
    /// `refute assertion`.
    pub fn refute(&mut self, assertion: Expr) -> Stmt {
        self.on_expr(assertion, StmtKind::Refute)
    }
    /// `apply wand`.
    pub fn apply_wand(&mut self, wand: Expr) -> Stmt {
        self.on_expr(wand, StmtKind::Apply)
    }
    /// `package wand { script }`.
    pub fn package(&mut self, wand: Expr, script: impl IntoIterator<Item = Stmt>) -> Stmt {
        let (wand, script) = (self.own(wand), self.block_of(script));
        self.stmt(StmtKind::Package { wand, script: (!script.stmts.is_empty()).then_some(script) })
    }
    /// `if (condition) { then } else { otherwise }`; an empty `otherwise` is left out.
    pub fn if_else(
        &mut self,
        condition: Expr,
        then: impl IntoIterator<Item = Stmt>,
        otherwise: impl IntoIterator<Item = Stmt>,
    ) -> Stmt {
        let (condition, body, otherwise) = (self.own(condition), self.block_of(then), self.block_of(otherwise));
        let otherwise = (!otherwise.stmts.is_empty()).then_some(otherwise);
        self.stmt(StmtKind::If { arms: vec![IfArm { condition, body, span: untagged() }], otherwise })
    }
    /// `while (condition) { body }`.
    pub fn while_loop(&mut self, condition: Expr, spec: Loop, body: impl IntoIterator<Item = Stmt>) -> Stmt {
        let (condition, invariants, body) = (self.own(condition), self.invariants(spec), self.block_of(body));
        self.stmt(StmtKind::While { condition, invariants, body })
    }
    /// `var name: ty`.
    pub fn declare(&mut self, name: &str, ty: &Type) -> Stmt {
        self.declaration(name, ty, None)
    }
    /// `var name: ty := value`.
    pub fn declare_as(&mut self, name: &str, ty: &Type, value: Expr) -> Stmt {
        let value = self.own(value);
        self.declaration(name, ty, Some(value))
    }
    fn declaration(&mut self, name: &str, ty: &Type, init: Option<ExprId>) -> Stmt {
        let var = Formal { name: self.ident(name), ty: self.ty(ty), span: untagged() };
        self.stmt(StmtKind::Var { vars: vec![var], init })
    }
    /// `target := value`; the target is a variable or a field access.
    pub fn assign(&mut self, target: Expr, value: Expr) -> Stmt {
        let (targets, value) = (vec![self.own(target)], self.own(value));
        self.stmt(StmtKind::Assign { targets, value })
    }
    /// `target := new(fields)`.
    pub fn new_object<'a>(&mut self, target: Expr, fields: impl IntoIterator<Item = &'a str>) -> Stmt {
        let fields = fields.into_iter().map(|field| self.ident(field)).collect();
        let object = self.expr(ExprKind::New(NewFields::Fields(fields)));
        self.assign(target, object)
    }
    /// `target := new(*)`.
    pub fn new_object_with_all_fields(&mut self, target: Expr) -> Stmt {
        let object = self.expr(ExprKind::New(NewFields::All));
        self.assign(target, object)
    }
    /// `targets := method(args)`.
    pub fn call(
        &mut self,
        method: &str,
        args: impl IntoIterator<Item = Expr>,
        targets: impl IntoIterator<Item = Expr>,
    ) -> Stmt {
        let (callee, args, targets) = (self.ident(method), self.own_all(args), self.own_all(targets));
        let call = self.expr(ExprKind::Call(Box::new(Call { callee, args, ascription: None })));
        let kind = match targets.is_empty() {
            true => StmtKind::Call(call.id),
            false => StmtKind::Assign { targets, value: call.id },
        };
        self.stmt(kind)
    }
    /// `goto label`.
    pub fn goto(&mut self, label: &str) -> Stmt {
        let label = LabelName(self.ident(label));
        self.stmt(StmtKind::Goto(label))
    }
    /// A label, with the invariants of its loop, if it is a loop head.
    pub fn label(&mut self, name: &str, spec: Loop) -> Stmt {
        let (name, invariants) = (LabelName(self.ident(name)), self.invariants(spec));
        self.stmt(StmtKind::Label { name, invariants })
    }
    /// `quasihavoc condition ==> resource`.
    pub fn quasihavoc(&mut self, condition: Option<Expr>, resource: Expr) -> Stmt {
        let (condition, resource) = (condition.map(|expr| self.own(expr)), self.own(resource));
        self.stmt(StmtKind::Quasihavoc { condition, resource })
    }
    /// `quasihavocall vars :: condition ==> resource`.
    pub fn quasihavoc_all(
        &mut self,
        vars: impl IntoIterator<Item = Param>,
        condition: Option<Expr>,
        resource: Expr,
    ) -> Stmt {
        let vars = self.formals(vars);
        let (condition, resource) = (condition.map(|expr| self.own(expr)), self.own(resource));
        self.stmt(StmtKind::QuasihavocAll { vars, condition, resource })
    }
    /// A block with its own scope.
    pub fn block(&mut self, stmts: impl IntoIterator<Item = Stmt>) -> Stmt {
        let block = self.block_of(stmts);
        self.stmt(StmtKind::Block(block))
    }
}
