//! Names that only documentation uses, labels, and the shape of domains.

use super::Checks;
use crate::program::{Block, DomainId, Stmt, StmtKind};
use std::collections::HashSet;

impl Checks<'_> {
    /// Axiom names must differ from each other and from all names of members and domain functions. Axioms come before
    /// functions, so for an axiom and a function of one domain, the function is reported.
    pub(super) fn names(&mut self, generated: &HashSet<DomainId>) {
        let program = self.program;
        let mut taken: HashSet<&str> = HashSet::new();
        taken.extend(program.fields.values().map(|field| &*field.name));
        taken.extend(program.domains.values().map(|domain| &*domain.name));
        taken.extend(program.functions.values().map(|function| &*function.name));
        taken.extend(program.predicates.values().map(|predicate| &*predicate.name));
        taken.extend(program.methods.values().map(|method| &*method.name));
        for (key, domain) in program.domains.iter() {
            if generated.contains(&key) {
                continue;
            }
            for axiom in &domain.axioms {
                let axiom = &program.axioms[*axiom];
                let Some(name) = &axiom.name else { continue };
                if !taken.insert(name) {
                    self.error(axiom.id, format!("The name `{name}` is used twice."));
                }
            }
            for function in &domain.functions {
                let function = &program.domain_functions[*function];
                if !taken.insert(&function.name) {
                    self.error(function.id, format!("The name `{}` is used twice.", function.name));
                }
                if function.unique && !function.params.is_empty() {
                    self.error(function.id, "A unique function has no parameters.");
                }
                self.function_interpretation(function);
            }
            self.sort_interpretation(domain);
            if domain.interpretation.is_some() && !domain.parameters.is_empty() {
                self.error(domain.id, "A domain with an interpretation has no type parameters.");
            }
        }
    }

    /// Labels are unique in a method.
    pub(super) fn labels(&mut self, body: &Block) {
        let program = self.program;
        let mut seen = HashSet::new();
        body.visit_stmts(&mut |stmt| {
            if let StmtKind::Label { label, .. } = &stmt.kind {
                let name = &program.labels[*label].name;
                if !seen.insert(name) {
                    self.error(stmt.id, format!("The label `{name}` is declared twice."));
                }
            }
        });
    }

    /// A call has no duplicate targets.
    pub(super) fn targets(&mut self, stmt: &Stmt) {
        let mut seen = HashSet::new();
        if let Some(twice) = stmt.kind.written().iter().find(|target| !seen.insert(**target)) {
            let name = &self.program.locals[*twice].name;
            self.error(stmt.id, format!("The variable `{name}` is a target twice."));
        }
    }
}
