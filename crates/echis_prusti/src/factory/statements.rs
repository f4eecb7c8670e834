//! Statements.

use super::{AstFactory, exprs};
use crate::arena::{Declaration, Expr, Field, Position, Stmt, StmtData, push};
use echis_build::{self as build, Loop, ProgramBuilder};

/// Defines statements over one expression with a position. Comment arguments are ignored.
macro_rules! on_expr {
    ($($name:ident $(or $with_comment:ident)?;)*) => {
        impl<'a> AstFactory<'a> {
            $(
                pub fn $name(&self, expr: Expr, pos: Position) -> Stmt<'a> {
                    self.stmt(pos, |builder| builder.$name(expr.expr))
                }
                $(
                    /// The comment is ignored.
                    pub fn $with_comment(&self, expr: Expr, pos: Position, _comment: &str) -> Stmt<'a> {
                        self.$name(expr, pos)
                    }
                )?
            )*
        }
    };
}

on_expr! {
    exhale or exhale_with_comment;
    inhale or inhale_with_comment;
    assert or assert_with_comment;
    refute or refute_with_comment;
}

impl<'a> AstFactory<'a> {
    fn stmt(&self, pos: Position, make: impl FnOnce(&mut ProgramBuilder<usize>) -> build::Stmt) -> Stmt<'a> {
        let tables = &mut *self.tables();
        let mut stmt = make(&mut tables.builder);
        if tables.positions[pos.index].id.is_some() {
            stmt = tables.builder.stmt_at(stmt, pos.index);
        }
        Stmt::new(push(&mut tables.stmts, StmtData::One(stmt)))
    }
    fn unlocated_stmt(&self, make: impl FnOnce(&mut ProgramBuilder<usize>) -> build::Stmt) -> Stmt<'a> {
        self.stmt(self.no_position(), make)
    }
    fn body(&self, stmt: Stmt) -> Vec<build::Stmt> {
        self.tables().body_of(stmt.index)
    }

    pub fn new_stmt(&self, lhs: Expr, fields: &[Field]) -> Stmt<'a> {
        let names: Vec<String> = {
            let tables = self.tables();
            fields.iter().map(|field| tables.fields[field.index].name.clone()).collect()
        };
        self.unlocated_stmt(|builder| builder.new_object(lhs.expr, names.iter().map(|name| &**name)))
    }
    pub fn abstract_assign(&self, lhs: Expr, rhs: Expr) -> Stmt<'a> {
        self.unlocated_stmt(|builder| builder.assign(lhs.expr, rhs.expr))
    }
    pub fn local_var_assign(&self, lhs: Expr, rhs: Expr) -> Stmt<'a> {
        self.abstract_assign(lhs, rhs)
    }
    pub fn field_assign(&self, lhs: Expr, rhs: Expr) -> Stmt<'a> {
        self.abstract_assign(lhs, rhs)
    }
    pub fn method_call(&self, method_name: &str, args: &[Expr], targets: &[Expr]) -> Stmt<'a> {
        self.method_call_with_pos(method_name, args, targets, self.no_position())
    }
    pub fn method_call_with_pos(&self, method_name: &str, args: &[Expr], targets: &[Expr], pos: Position) -> Stmt<'a> {
        self.stmt(pos, |builder| builder.call(method_name, exprs(args), exprs(targets)))
    }
    pub fn fold(&self, acc: Expr) -> Stmt<'a> {
        self.fold_with_pos(acc, self.no_position())
    }
    pub fn fold_with_pos(&self, acc: Expr, pos: Position) -> Stmt<'a> {
        self.stmt(pos, |builder| builder.fold(acc.expr))
    }
    pub fn unfold(&self, acc: Expr) -> Stmt<'a> {
        self.unfold_with_pos(acc, self.no_position())
    }
    pub fn unfold_with_pos(&self, acc: Expr, pos: Position) -> Stmt<'a> {
        self.stmt(pos, |builder| builder.unfold(acc.expr))
    }
    pub fn package(&self, wand: Expr, proof_script: Stmt, pos: Position) -> Stmt<'a> {
        let script = self.body(proof_script);
        self.stmt(pos, |builder| builder.package(wand.expr, script))
    }
    pub fn apply(&self, wand: Expr, pos: Position) -> Stmt<'a> {
        self.stmt(pos, |builder| builder.apply_wand(wand.expr))
    }
    /// A sequence of statements, in its own scope if it declares variables.
    pub fn seqn(&self, stmts: &[Stmt], scoped_decls: &[Declaration]) -> Stmt<'a> {
        let tables = &mut *self.tables();
        let variable = |declaration: &Declaration| match declaration {
            Declaration::LocalVar(variable) => Some(tables.variables[variable.index].clone()),
            Declaration::Label(_) => None,
        };
        let variables = scoped_decls.iter().filter_map(variable).collect();
        let stmts = stmts.iter().map(|stmt| stmt.index).collect();
        Stmt::new(push(&mut tables.stmts, StmtData::Sequence { variables, stmts }))
    }
    /// An empty statement: comments are ignored.
    pub fn comment(&self, _comment: &str) -> Stmt<'a> {
        self.seqn(&[], &[])
    }
    pub fn if_stmt(&self, cond: Expr, then_body: Stmt, else_body: Stmt) -> Stmt<'a> {
        let (then, otherwise) = (self.body(then_body), self.body(else_body));
        self.unlocated_stmt(|builder| builder.if_else(cond.expr, then, otherwise))
    }
    pub fn while_stmt(&self, cond: Expr, invs: &[Expr], body: Stmt) -> Stmt<'a> {
        let body = self.body(body);
        let spec = Loop { invariants: exprs(invs), ..Loop::default() };
        self.unlocated_stmt(|builder| builder.while_loop(cond.expr, spec, body))
    }
    pub fn label(&self, name: &str, invs: &[Expr]) -> Stmt<'a> {
        let spec = Loop { invariants: exprs(invs), ..Loop::default() };
        self.unlocated_stmt(|builder| builder.label(name, spec))
    }
    pub fn goto(&self, target: &str) -> Stmt<'a> {
        self.unlocated_stmt(|builder| builder.goto(target))
    }
}
