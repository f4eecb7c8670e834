//! Proof scripts must not change anything outside the wand.

use super::Checks;
use crate::program::{Block, LocalId, Stmt, StmtKind};

impl Checks<'_> {
    /// Checks a script, except for nested scripts, which are checked separately. It may write the variables declared
    /// at its top level; temporaries of a statement are not declared.
    pub(super) fn script(&mut self, script: &Block) {
        let mut stmts: Vec<&Stmt> = Vec::new();
        let mut own: Vec<LocalId> = script.locals.clone();
        let mut pending: Vec<&Stmt> = script.stmts.iter().rev().collect();
        while let Some(stmt) = pending.pop() {
            stmts.push(stmt);
            if matches!(stmt.kind, StmtKind::Package { .. } | StmtKind::While { .. }) {
                continue;
            }
            for block in stmt.kind.blocks().into_iter().rev() {
                let is_declared = |local: &LocalId| {
                    block
                        .stmts
                        .iter()
                        .any(|stmt| matches!(stmt.kind, StmtKind::Declare(declared) if declared == *local))
                };
                own.extend(block.locals.iter().filter(|local| !is_declared(local)));
                pending.extend(block.stmts.iter().rev());
            }
        }
        stmts.into_iter().for_each(|stmt| self.script_stmt(stmt, &own));
    }

    fn script_stmt(&mut self, stmt: &Stmt, own: &[LocalId]) {
        match &stmt.kind {
            StmtKind::Declare(_) => return,
            StmtKind::AssignField { .. } => return self.error(stmt.id, "A proof script cannot assign to fields."),
            StmtKind::New { .. } => return self.error(stmt.id, "A proof script cannot make objects."),
            StmtKind::While { .. } => return self.error(stmt.id, "A proof script cannot loop."),
            _ => {}
        }
        for target in stmt.kind.written().iter().filter(|target| !own.contains(target)) {
            let name = &self.program.locals[*target].name;
            let message =
                format!("`{name}` is not declared at the top of the proof script, so it cannot be assigned in it.");
            self.error(stmt.id, message);
        }
    }
}
