//! Statements, one on a line.

use super::Printer;
use crate::ast::{Block, Body, Call, ExprId, Step, Stmt, StmtKind, Target};

impl Printer<'_> {
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || stmts.iter().for_each(|stmt| self.stmt(stmt)));
    }
    fn stmt(&mut self, stmt: &Stmt) {
        self.indent();
        match &stmt.kind {
            StmtKind::Label(name) => {
                self.name(name);
                self.put(":");
            }
            StmtKind::If { condition, then, otherwise } => {
                self.put("if ");
                self.attributes(&stmt.attributes);
                self.guard(*condition);
                self.put(" ");
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.put(" else ");
                    self.block(otherwise);
                }
            }
            StmtKind::While { condition, invariants, measures, body } => {
                self.put("while ");
                self.guard(*condition);
                if invariants.is_empty() && measures.is_empty() {
                    self.put(" ");
                } else {
                    self.put("\n");
                    self.depth += 1;
                    self.clauses("invariant", invariants);
                    self.measures(measures);
                    self.depth -= 1;
                    self.indent();
                }
                self.block(body);
            }
            _ => {
                self.simple(stmt);
                self.put(";");
            }
        }
        if let Some(comment) = (self.comment)(stmt) {
            self.put(" // ");
            self.put(&comment);
        }
        self.put("\n");
    }
    fn simple(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assert(condition) => {
                self.word(stmt, "assert ");
                self.expr(*condition);
            }
            StmtKind::Assume(condition) => {
                self.word(stmt, "assume ");
                self.expr(*condition);
            }
            StmtKind::Measure(values) => {
                self.word(stmt, "measure ");
                self.exprs(values);
            }
            StmtKind::Yield(value) => {
                self.word(stmt, "return ");
                self.expr(*value);
            }
            StmtKind::Goto(labels) => {
                self.word(stmt, "goto ");
                self.idents(labels);
            }
            StmtKind::Return => {
                self.put("return");
                for attribute in &stmt.attributes {
                    self.put(" ");
                    self.attribute(attribute);
                }
            }
            StmtKind::Havoc(names) => {
                self.put("havoc ");
                self.idents(names);
            }
            StmtKind::Assign { targets, values } => {
                self.separated(targets, Self::target);
                self.put(" := ");
                self.attributes(&stmt.attributes);
                self.exprs(values);
            }
            StmtKind::Unpack { constructor, vars, value } => {
                self.name(&constructor.name);
                self.put("(");
                self.idents(vars);
                self.put(") := ");
                self.attributes(&stmt.attributes);
                self.expr(*value);
            }
            StmtKind::Call(call) => self.call(stmt, call),
            StmtKind::Hide(function) => self.hidden("hide ", function.as_ref().map(|function| &*function.name)),
            StmtKind::Reveal(function) => self.hidden("reveal ", function.as_ref().map(|function| &*function.name)),
            StmtKind::Push => self.put("push"),
            StmtKind::Pop => self.put("pop"),
            StmtKind::Break(label) => {
                self.put("break");
                if let Some(label) = label {
                    self.put(" ");
                    self.name(&label.name);
                }
            }
            StmtKind::Label(_) | StmtKind::If { .. } | StmtKind::While { .. } => {}
        }
    }
    fn word(&mut self, stmt: &Stmt, word: &str) {
        self.put(word);
        self.attributes(&stmt.attributes);
    }
    fn guard(&mut self, condition: Option<ExprId>) {
        self.put("(");
        match condition {
            Some(condition) => self.expr(condition),
            None => self.put("*"),
        }
        self.put(")");
    }
    fn block(&mut self, block: &Block) {
        self.put("{\n");
        self.depth += 1;
        self.stmts(&block.stmts);
        self.depth -= 1;
        self.indent();
        self.put("}");
    }
    fn target(&mut self, target: &Target) {
        self.name(&target.name.name);
        for (_, step) in &target.steps {
            match step {
                Step::Index(indices) => {
                    self.put("[");
                    self.exprs(indices);
                    self.put("]");
                }
                Step::Field(field) => {
                    self.put("->");
                    self.name(&field.name);
                }
            }
        }
    }
    fn call(&mut self, stmt: &Stmt, call: &Call) {
        self.put(if call.free { "free call " } else { "call " });
        self.attributes(&stmt.attributes);
        if !call.outs.is_empty() {
            self.idents(&call.outs);
            self.put(" := ");
        }
        self.name(&call.procedure.name);
        self.put("(");
        self.exprs(&call.args);
        self.put(")");
    }
    fn hidden(&mut self, word: &str, function: Option<&str>) {
        self.put(word);
        match function {
            Some(function) => self.name(function),
            None => self.put("*"),
        }
    }
    /// `|{ … }|`
    pub(super) fn code(&mut self, body: &Body) {
        self.put("|{\n");
        self.depth += 1;
        body.locals.iter().for_each(|var| self.declared(var));
        self.stmts(&body.stmts);
        self.depth -= 1;
        self.indent();
        self.put("}|");
    }
}
