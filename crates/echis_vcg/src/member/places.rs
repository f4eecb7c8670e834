//! Labels for elements without an id in programs printed by Dafny: their position in the Dafny program.

use super::Round;
use crate::labels::{Label, Use, label};
use echis_base::SyntaxId;
use echis_boogie::ast::Attribute;
use echis_boogie::program::{Clause, Stmt, StmtKind, VarId};

impl Round<'_> {
    pub(super) fn statement_label(&self, stmt: &Stmt, becomes: Use) -> Option<Label> {
        label(&stmt.attributes, None, becomes).or_else(|| {
            let place = self.program.places.of(self.program.syntax.span(stmt.id))?;
            let name = match &stmt.kind {
                StmtKind::Assert(_) => format!("{place} assertion"),
                StmtKind::Assign { targets, .. } if targets.iter().any(|target| self.is_theirs(target.var)) => {
                    place.to_string()
                }
                _ => return None,
            };
            Some(Label { name: name.into(), becomes })
        })
    }
    /// Whether a variable belongs to the Dafny program, rather than to its translation.
    fn is_theirs(&self, var: VarId) -> bool {
        let name = &self.program.vars[var].name;
        !name.starts_with('$') || name.starts_with("$rhs")
    }

    /// The label of a clause of the member's own contract, numbered among the non-free ones.
    pub(super) fn clause_label(&self, clauses: &[Clause], at: usize, what: &str, becomes: Use) -> Option<Label> {
        let clause = &clauses[at];
        label(&clause.attributes, None, becomes).or_else(|| {
            let place = self.program.places.body(self.program.syntax.span(self.member)).filter(|_| !clause.free)?;
            let number = clauses[..at].iter().filter(|other| !other.free).count() + 1;
            Some(Label { name: format!("{place} {what} {number}").into(), becomes })
        })
    }

    pub(super) fn invariant_label(&self, attributes: &[Attribute], id: SyntaxId, becomes: Use) -> Option<Label> {
        label(attributes, None, becomes).or_else(|| {
            let span = self.program.syntax.span(id);
            let place = self.program.places.of(span)?;
            let number = self.invariants.iter().position(|known| *known == id)? + 1;
            let suffix = becomes.suffix().unwrap_or_default();
            Some(Label { name: format!("{place} invariant {number}${suffix}").into(), becomes })
        })
    }
}
