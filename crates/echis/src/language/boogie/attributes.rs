//! Attributes of Boogie programs that affect messages, and warnings about unsupported ones.

use super::walk::statements;
use crate::checked::Checked;
use echis_base::{Diagnostic, Name, SyntaxId};
use echis_boogie::Program;
use echis_boogie::ast::Attribute;
use echis_boogie::attributes::{Known, text_attribute};
use echis_boogie::program::StmtKind;
use echis_findings::IF_VERIFIED;
use std::collections::BTreeSet;

/// The text of a given attribute of a statement or clause.
pub(super) fn text_of(program: &Program, id: SyntaxId, known: Known) -> Option<Name> {
    let (_, attributes) = all(program).into_iter().find(|(of, _)| *of == id)?;
    text_attribute(attributes, known).cloned()
}

/// The message for a verified procedure: `{:msg_if_verifies "…"}`.
pub(super) fn if_verified(program: &Program, member: SyntaxId) -> Option<Diagnostic> {
    let body = program.implementations.values().find(|body| body.id == member)?;
    let procedure = &program.procedures[body.procedure];
    let of = |attributes| text_attribute(attributes, Known::MessageIfVerified);
    let message = of(&body.attributes).or_else(|| of(&procedure.attributes))?;
    Some(Diagnostic::warning(IF_VERIFIED, program.syntax.span(member), message.to_string()))
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

/// One warning for each unsupported attribute, at its first use.
pub(super) fn ignored(program: &Program) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    let mut warnings = Vec::new();
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
