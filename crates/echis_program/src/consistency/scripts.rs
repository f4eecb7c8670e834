//! Proof scripts: they change nothing outside of the wand.

use super::Checks;
use crate::program::{Block, LocalId, Stmt, StmtKind};

impl Checks<'_> {
    /// Checks a script without the scripts inside of it, which are checked by themselves.
    pub(super) fn script(&mut self, script: &Block) {
        let program = self.program;
        let declares = |stmt: &Stmt| match stmt.kind {
            StmtKind::Declare(local) => Some(local),
            _ => None,
        };
        let own: Vec<LocalId> = script.stmts.iter().filter_map(declares).collect();
        let mut pending: Vec<&Stmt> = script.stmts.iter().rev().collect();
        while let Some(stmt) = pending.pop() {
            match &stmt.kind {
                StmtKind::AssignField { .. } => self.error(stmt.id, "A proof script cannot assign to fields."),
                StmtKind::New { .. } => self.error(stmt.id, "A proof script cannot make objects."),
                StmtKind::While { .. } => self.error(stmt.id, "A proof script cannot loop."),
                StmtKind::Assign { target, .. } if !own.contains(target) => {
                    let name = &program.locals[*target].name;
                    let message = format!(
                        "`{name}` is not declared at the top of the proof script, so it cannot be assigned in it."
                    );
                    self.error(stmt.id, message);
                }
                StmtKind::Package { .. } => {}
                kind => pending.extend(kind.blocks().into_iter().rev().flat_map(|block| block.stmts.iter().rev())),
            }
        }
    }
}
