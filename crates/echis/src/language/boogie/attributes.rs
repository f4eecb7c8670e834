//! What attributes of Boogie programs say to people, and which ones Echis does not follow.

use super::walk::statements;
use crate::checked::Checked;
use echis_base::{Diagnostic, Name, SyntaxId};
use echis_boogie::Program;
use echis_boogie::ast::Attribute;
use echis_boogie::attributes::{Known, attribute, text_attribute};
use echis_boogie::program::StmtKind;
use std::collections::BTreeSet;

/// The text of an attribute of a statement or clause.
pub(super) fn text_of(program: &Program, id: SyntaxId, known: Known) -> Option<Name> {
    let (_, attributes) = all(program).into_iter().find(|(of, _)| *of == id)?;
    text_attribute(attributes, known).cloned()
}

impl Checked {
    /// Whether this is a Boogie program whose elements have names: `{:id "…"}`, or their places in a Dafny program.
    pub fn names_elements(&self) -> bool {
        self.boogie().is_some_and(|program| names_elements(program))
    }
}

/// Whether elements have names: `{:id "…"}`, or their places in a Dafny program.
fn names_elements(program: &Program) -> bool {
    let axioms = program.axioms.values().map(|axiom| &axiom.attributes[..]);
    let mut elements = all(program).into_iter().map(|(_, attributes)| attributes).chain(axioms);
    !program.places.is_empty() || elements.any(|attributes| text_attribute(attributes, Known::Id).is_some())
}

/// One warning for each attribute that is not followed, at its first use.
pub(super) fn ignored(program: &Program) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    let mut warnings: Vec<Diagnostic> = under_at_call(program).into_iter().collect();
    for attribute in all(program).into_iter().flat_map(|(_, attributes)| attributes) {
        let Some((known, meaning)) = attribute.known().and_then(|known| Some((known, known.ignored()?))) else {
            continue;
        };
        if seen.insert(known) {
            let message = format!("The attribute {{:{}}} is ignored: {meaning}.", known.name());
            warnings.push(Diagnostic::warning("typechecker.warning", attribute.span, message));
        }
    }
    warnings
}

/// The first call with `{:verified_under}`, which is followed only at assertions and invariants.
fn under_at_call(program: &Program) -> Option<Diagnostic> {
    let mut stmts = program.implementations.values().flat_map(|implementation| statements(&implementation.body));
    let found = stmts.find_map(|stmt| match &stmt.kind {
        StmtKind::Call { .. } => attribute(&stmt.attributes, Known::VerifiedUnder),
        _ => None,
    })?;
    let message = "The attribute {:verified_under} of a call is ignored: its preconditions are checked in any case.";
    Some(Diagnostic::warning("typechecker.warning", found.span, message))
}

/// The attributes of procedures, clauses and statements.
fn all(program: &Program) -> Vec<(SyntaxId, &[Attribute])> {
    let mut all: Vec<(SyntaxId, &[Attribute])> = Vec::new();
    for procedure in program.procedures.values() {
        all.push((procedure.id, &procedure.attributes));
        let clauses = procedure.requires.iter().chain(&procedure.ensures);
        all.extend(clauses.map(|clause| (clause.id, &clause.attributes[..])));
    }
    for stmt in program.implementations.values().flat_map(|implementation| statements(&implementation.body)) {
        all.push((stmt.id, &stmt.attributes));
        if let StmtKind::While { invariants, .. } = &stmt.kind {
            all.extend(invariants.iter().map(|clause| (clause.id, &clause.attributes[..])));
        }
    }
    all
}
