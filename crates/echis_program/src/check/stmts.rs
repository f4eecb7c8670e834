//! Statements.

use super::Checker;
use super::assign::{Target, TargetType};
use super::infer::{Inference, Inferred};
use super::restrictions::ContractKind;
use crate::program::MethodId;
use crate::typed::{Address, Label, LocalKind};
use echis_syntax::ast::{self, ExprId, ExprKind, StmtKind};

impl<'a> Checker<'a> {
    pub(super) fn check_block(&mut self, block: &'a ast::Block) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            self.scopes.open();
            block.stmts.iter().for_each(|stmt| self.check_stmt(stmt));
            self.scopes.close();
        });
    }

    fn check_stmt(&mut self, stmt: &'a ast::Stmt) {
        let (bool, assertion) = (self.types.bool(), self.types.assertion());
        match &stmt.kind {
            StmtKind::Fold(access) | StmtKind::Unfold(access) => self.check_whole(*access, Self::infer_foldable),
            StmtKind::Inhale(body) | StmtKind::Exhale(body) | StmtKind::Assert(body) | StmtKind::Assume(body) => {
                self.check_top(*body, Some(assertion));
            }
            StmtKind::Refute(body) => self.check_top(*body, Some(bool)),
            StmtKind::If { arms, otherwise } => {
                for arm in arms {
                    self.check_top(arm.condition, Some(bool));
                    self.check_block(&arm.body);
                }
                otherwise.iter().for_each(|block| self.check_block(block));
            }
            StmtKind::While { condition, invariants, body } => {
                self.check_top(*condition, Some(bool));
                self.check_invariants(invariants);
                invariants.exprs.iter().for_each(|invariant| self.restrict(*invariant, ContractKind::Contract));
                self.restrict_decreases(&invariants.decreases, ContractKind::Contract);
                self.check_block(body);
            }
            StmtKind::Var { vars, init } => self.check_var(stmt, vars, *init),
            StmtKind::Goto(label) => self.use_label(label),
            StmtKind::Label { name, invariants } => {
                self.check_label_name(name);
                self.check_invariants(invariants);
            }
            StmtKind::Package { wand, script } => {
                self.check_whole(*wand, Self::infer_wand);
                script.iter().for_each(|script| self.check_block(script));
            }
            StmtKind::Apply(wand) => self.check_whole(*wand, Self::infer_wand),
            StmtKind::Quasihavoc { condition, resource } => self.check_havoc(stmt, *condition, *resource),
            StmtKind::QuasihavocAll { vars, condition, resource } => {
                self.scopes.open();
                self.declare_bound(vars);
                self.check_havoc(stmt, *condition, *resource);
                self.scopes.close();
            }
            StmtKind::Block(block) => self.check_block(block),
            StmtKind::Assign { targets, value } => self.check_assignment(stmt.span, targets, *value),
            StmtKind::Call(call) => self.check_call_statement(stmt.span, *call),
            StmtKind::Define(_) => {}
        }
    }

    /// Checks an expression that must have a particular form.
    fn check_whole(&mut self, expr: ExprId, infer: impl Fn(&mut Self, ExprId) -> Inferred) {
        self.inference = Inference::default();
        if infer(self, expr) != Inferred::Error {
            self.finish(expr);
        }
    }

    fn check_invariants(&mut self, invariants: &'a ast::Invariants) {
        for invariant in &invariants.exprs {
            self.check_top(*invariant, Some(self.types.assertion()));
        }
        self.check_decreases(&invariants.decreases);
    }

    /// The initial value may mention the variables, which are arbitrary at that point.
    fn check_var(&mut self, stmt: &'a ast::Stmt, vars: &'a [ast::Formal], init: Option<ExprId>) {
        let mut targets = Vec::new();
        for var in vars {
            let ty = self.resolve_type(&var.ty);
            self.declare(&var.name, ty, LocalKind::Variable);
            let ty = ty.map_or(TargetType::Unknown, TargetType::Known);
            targets.push(Target { span: var.name.span, ty });
        }
        if let Some(value) = init {
            self.check_value(stmt.span, &targets, value);
        }
    }

    fn check_havoc(&mut self, stmt: &ast::Stmt, condition: Option<ExprId>, resource: ExprId) {
        if let Some(condition) = condition {
            self.check_top(condition, Some(self.types.bool()));
        }
        if self.looks_like_resource(resource) {
            self.check_whole(resource, Self::infer_resource);
        } else {
            self.error(
                stmt.span,
                "expected a field access, predicate access or wand to havoc, found another expression",
            );
            if let ExprKind::Call(_) = self.expr(resource).kind {
                self.check_top(resource, Some(self.types.assertion()));
            }
        }
    }

    /// Labels are visible before their statement. Iterative, since blocks may be deeply nested.
    pub(super) fn collect_labels(&mut self, method: MethodId, body: &'a ast::Block) {
        let mut open = vec![body.stmts.iter()];
        while let Some(stmts) = open.last_mut() {
            let Some(stmt) = stmts.next() else {
                open.pop();
                continue;
            };
            if let StmtKind::Label { name, .. } = &stmt.kind {
                let label = Label { name: name.name.clone(), span: name.span, method };
                let label = self.typed.labels.push(label);
                self.typed.declared_labels.insert(Address::of(name), label);
                self.typed.methods[method].labels.push(label);
                self.scopes.labels.entry(name.name.clone()).or_insert(label);
            }
            let first = open.len();
            stmt.for_each_block(|block| open.push(block.stmts.iter()));
            open[first..].reverse();
        }
    }
}
