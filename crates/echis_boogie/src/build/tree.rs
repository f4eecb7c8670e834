//! Declarations, with copies of their expressions.

use super::expr::{Binder, Expr, Kind, Quantified};
use super::{Stmt, Type};
use crate::ast::{self, Argument, Attribute, Binary, Decl, ExprId, ExprKind, File, Ident, Step, StmtKind, TypeKind};
use crate::attributes::Known;
use dashu::Integer;
use echis_base::{FileId, Key, Name, Span};

/// A tree that grows.
#[derive(Default)]
pub struct Builder {
    tree: File,
}

impl Builder {
    pub fn finish(self) -> File {
        self.tree
    }
    /// Adds the declarations of a text that is a part of the translation, with other names in place of some.
    pub fn library(&mut self, text: &str) {
        let (tree, errors) = crate::parse::parse(std::mem::take(&mut self.tree), FileId::new(0), text);
        debug_assert!(errors.is_empty(), "a library is a program: {errors:?}");
        self.tree = tree;
    }
    /// A type, which a solver may have under a name of its own.
    pub fn ty(&mut self, name: &str, builtin: Option<&str>) {
        let attributes = builtin_attributes(builtin);
        let decl = ast::TypeDecl { name: ident(name.into()), params: Vec::new(), synonym: None, attributes };
        self.tree.decls.push(Decl::Type(decl));
    }
    pub fn function(&mut self, name: &str, params: &[Binder], result: &Type, builtin: Option<&str>) {
        let param =
            |var: &Binder| ast::Param { name: Some(ident(var.name.clone())), ty: ty(&var.ty), attributes: Vec::new() };
        let function = ast::Function {
            name: ident(name.into()),
            type_params: Vec::new(),
            params: params.iter().map(param).collect(),
            result: ast::Param { name: None, ty: ty(result), attributes: Vec::new() },
            body: None,
            axioms: Vec::new(),
            attributes: builtin_attributes(builtin),
            revealed: false,
        };
        self.tree.decls.push(Decl::Function(function));
    }
    pub fn axiom(&mut self, condition: &Expr) {
        let condition = self.expr(condition);
        let (span, attributes) = (nowhere(), Vec::new());
        self.tree.decls.push(Decl::Axiom(ast::Axiom { span, whole: span, condition, attributes, hideable: false }));
    }
    /// A procedure without parameters.
    pub fn procedure(&mut self, name: &str, locals: &[Binder], stmts: &[Stmt]) {
        let locals = locals.iter().map(variable).collect();
        let stmts = stmts.iter().map(|stmt| self.stmt(stmt)).collect();
        let procedure = ast::Procedure {
            name: ident(name.into()),
            type_params: Vec::new(),
            ins: Vec::new(),
            outs: Vec::new(),
            pure: false,
            layer: None,
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            measures: Vec::new(),
            attributes: Vec::new(),
            body: Some(ast::Body { locals, stmts, end: nowhere() }),
        };
        self.tree.decls.push(Decl::Procedure(procedure));
    }

    fn stmt(&mut self, stmt: &Stmt) -> ast::Stmt {
        let (mut attributes, mut marked) = (Vec::new(), None);
        let kind = match stmt {
            Stmt::Assume(condition) => StmtKind::Assume(self.expr(condition)),
            Stmt::Assert { condition, mark, known } => {
                marked = Some(*mark);
                if !known {
                    let value = self.add(ExprKind::Int(Integer::ZERO));
                    attributes.push(attribute(Known::Subsumption, Argument::Expr(value)));
                }
                StmtKind::Assert(self.expr(condition))
            }
            Stmt::Assign(target, value) => {
                let targets = vec![self.target(target)];
                StmtKind::Assign { targets, values: vec![self.expr(value)] }
            }
            Stmt::Havoc(names) => StmtKind::Havoc(names.iter().cloned().map(ident).collect()),
            Stmt::Label(name) => StmtKind::Label(name.clone()),
            Stmt::Goto(label) => StmtKind::Goto(vec![ident(label.clone())]),
            Stmt::If { condition, then, otherwise } => {
                let condition = condition.as_ref().map(|condition| self.expr(condition));
                let then = self.block(then);
                let otherwise = otherwise.as_ref().map(|otherwise| self.block(otherwise));
                StmtKind::If { condition, then, otherwise }
            }
        };
        ast::Stmt { span: nowhere(), whole: nowhere(), attributes, kind, mark: marked }
    }
    fn block(&mut self, stmts: &[Stmt]) -> ast::Block {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
            let stmts = stmts.iter().map(|stmt| self.stmt(stmt)).collect();
            ast::Block { stmts, end: nowhere() }
        })
    }
    fn target(&mut self, target: &Expr) -> ast::Target {
        let (mut base, mut steps) = (target, Vec::new());
        while let Kind::Select(map, keys) = base.kind() {
            let indices = self.exprs(keys);
            steps.push((nowhere(), Step::Index(indices)));
            base = map;
        }
        steps.reverse();
        let name = base.name().expect("what is assigned to is a variable or a map in one");
        ast::Target { name: ident(name.clone()), steps }
    }

    fn add(&mut self, kind: ExprKind) -> ExprId {
        self.tree.exprs.push(ast::Expr { span: nowhere(), kind })
    }
    fn exprs(&mut self, exprs: &[Expr]) -> Vec<ExprId> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }
    fn expr(&mut self, expr: &Expr) -> ExprId {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || {
            let kind = self.kind(expr);
            self.add(kind)
        })
    }
    fn kind(&mut self, expr: &Expr) -> ExprKind {
        match expr.kind() {
            Kind::Bool(value) => ExprKind::Bool(*value),
            Kind::Int(value) => ExprKind::Int(value.clone()),
            Kind::Real(value) => ExprKind::Real(value.clone()),
            Kind::Name(name) => ExprKind::Name(name.clone()),
            Kind::Call(name, args) => ExprKind::Call(name.clone(), self.exprs(args)),
            Kind::Unary(op, operand) => ExprKind::Unary(*op, self.expr(operand)),
            Kind::Binary(op, left, right) => ExprKind::Binary(*op, self.expr(left), self.expr(right)),
            Kind::All(parts) => self.conjunction(parts),
            Kind::ToReal(operand) => ExprKind::ToReal(self.expr(operand)),
            Kind::Select(base, args) => ExprKind::Select(self.expr(base), self.exprs(args)),
            Kind::If(condition, then, otherwise) => {
                ExprKind::If(self.expr(condition), self.expr(then), self.expr(otherwise))
            }
            Kind::Quantified(quantified) => self.quantified(quantified),
            Kind::Let(name, value, body) => {
                let (vars, attributes) = (vec![ident(name.clone())], Vec::new());
                let (values, body) = (vec![self.expr(value)], self.expr(body));
                ExprKind::Let(Box::new(ast::Let { vars, values, attributes, body }))
            }
        }
    }
    fn conjunction(&mut self, parts: &[Expr]) -> ExprKind {
        let (last, parts) = parts.split_last().expect("a conjunction has parts");
        let (first, parts) = parts.split_first().expect("a conjunction has at least two parts");
        let first = self.expr(first);
        let left = parts.iter().fold(first, |left, part| {
            let right = self.expr(part);
            self.add(ExprKind::Binary(Binary::And, left, right))
        });
        ExprKind::Binary(Binary::And, left, self.expr(last))
    }
    fn quantified(&mut self, quantified: &Quantified) -> ExprKind {
        let triggers: Vec<Vec<ExprId>> = quantified.triggers.iter().map(|trigger| self.exprs(trigger)).collect();
        ExprKind::Quantified(Box::new(ast::Quantified {
            quantifier: quantified.quantifier,
            type_params: Vec::new(),
            vars: quantified.vars.iter().map(variable).collect(),
            attributes: Vec::new(),
            trigger_spans: triggers.iter().map(|_| nowhere()).collect(),
            triggers,
            excluded: Vec::new(),
            body: self.expr(&quantified.body),
        }))
    }
}

/// What is built was never written.
fn nowhere() -> Span {
    Span::new(FileId::new(0), 0, 0)
}
fn ident(name: Name) -> Ident {
    Ident { name, span: nowhere() }
}
fn ty(built: &Type) -> ast::Type {
    let kind = match built {
        Type::Bool => TypeKind::Bool,
        Type::Int => TypeKind::Int,
        Type::Real => TypeKind::Real,
        Type::Named(name) => TypeKind::Named(name.clone(), Vec::new()),
        Type::Map(args, result) => {
            TypeKind::Map { params: Vec::new(), args: args.iter().map(ty).collect(), result: Box::new(ty(result)) }
        }
    };
    ast::Type { span: nowhere(), kind }
}
fn variable(var: &Binder) -> ast::Variable {
    ast::Variable { name: ident(var.name.clone()), ty: ty(&var.ty), constraint: None, attributes: Vec::new() }
}
fn attribute(known: Known, arg: Argument) -> Attribute {
    Attribute { span: nowhere(), name: known.name().into(), args: vec![arg] }
}
fn builtin_attributes(builtin: Option<&str>) -> Vec<Attribute> {
    builtin.iter().map(|text| attribute(Known::Builtin, Argument::Text((*text).into()))).collect()
}
