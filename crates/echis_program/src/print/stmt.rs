//! Statements as text.

use super::Out;
use crate::program::{Block, LocalId, Stmt, StmtKind};
use crate::walk::guarded;

impl Out<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        guarded(|| {
            self.indent += 1;
            if !block.locals.is_empty() {
                let locals = self.formals(&block.locals);
                self.line(&format!("// locals {locals}"));
            }
            block.stmts.iter().for_each(|stmt| self.stmt(stmt));
            self.indent -= 1;
        });
    }

    fn braces(&mut self, head: &str, block: &Block) {
        self.line(&format!("{head} {{"));
        self.block(block);
        self.line("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let text = match &stmt.kind {
            StmtKind::Declare(local) => format!("var {}", self.formals(std::slice::from_ref(local))),
            StmtKind::Assign { target, value } => format!("{} := {}", self.local(*target), self.expr(*value)),
            StmtKind::AssignField { receiver, field, value } => {
                let field = &self.p().fields[*field].name;
                format!("{}.{field} := {}", self.expr(*receiver), self.expr(*value))
            }
            StmtKind::New { target, fields } => {
                let fields: Vec<_> = fields.iter().map(|field| &*self.p().fields[*field].name).collect();
                format!("{} := new({})", self.local(*target), fields.join(", "))
            }
            StmtKind::Call { targets, method, args } => {
                let args: Vec<_> = args.iter().map(|arg| self.expr(*arg)).collect();
                format!("{}{}({})", self.targets(targets), self.p().methods[*method].name, args.join(", "))
            }
            StmtKind::Quasihavoc { condition, location, .. } => {
                let guard = condition.map(|condition| format!("{} ==> ", self.expr(condition))).unwrap_or_default();
                format!("quasihavoc {guard}{}", self.location_text(location))
            }
            StmtKind::QuasihavocAll { vars, condition, location, .. } => {
                let guard = condition.map(|condition| format!("{} ==> ", self.expr(condition))).unwrap_or_default();
                format!("quasihavocall {} :: {guard}{}", self.formals(vars), self.location_text(location))
            }
            StmtKind::If { condition, then, otherwise } => {
                let head = format!("if ({})", self.expr(*condition));
                self.braces(&head, then);
                if !otherwise.stmts.is_empty() || !otherwise.locals.is_empty() {
                    self.braces("else", otherwise);
                }
                return;
            }
            StmtKind::While { condition, invariants, decreases, body } => {
                let head = format!("while ({})", self.expr(*condition));
                self.line(&head);
                self.clauses("invariant", invariants);
                self.decreases(decreases);
                self.line("{");
                self.block(body);
                return self.line("}");
            }
            StmtKind::Label { label, invariants, decreases } => {
                let head = format!("label {}", self.p().labels[*label].name);
                self.line(&head);
                self.clauses("invariant", invariants);
                return self.decreases(decreases);
            }
            StmtKind::Goto(label) => format!("goto {}", self.p().labels[*label].name),
            StmtKind::Block(block) => {
                self.line("{");
                self.block(block);
                return self.line("}");
            }
            // A keyword and its operands.
            kind => {
                let mut operands: Vec<String> = Vec::new();
                kind.each_field(&mut |_, field| operands.extend(self.field_text(field)));
                let head = format!("{} {}", kind.word(), operands.join(", "));
                match kind.blocks()[..] {
                    [] => head,
                    ref blocks => return blocks.iter().for_each(|block| self.braces(&head, block)),
                }
            }
        };
        self.line(&text);
    }

    fn targets(&self, targets: &[LocalId]) -> String {
        let names: Vec<_> = targets.iter().map(|target| self.local(*target)).collect();
        match names.is_empty() {
            true => String::new(),
            false => format!("{} := ", names.join(", ")),
        }
    }
}
