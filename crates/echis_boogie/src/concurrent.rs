//! Concurrent programs (CIVL). Declarations about other threads are omitted, with a warning; the rest is a program.

use crate::ast::{Concurrent, Decl, File};
use crate::parse::UNSUPPORTED;
use echis_base::Diagnostic;

impl File {
    /// If actions and invariants are omitted, so are yield procedures, which may mention them.
    pub(crate) fn leave_out_yield_procedures(&mut self) {
        if !self.decls.iter().any(|decl| matches!(decl, Decl::Concurrent(_))) {
            return;
        }
        for decl in &mut self.decls {
            if let Decl::Procedure(procedure) = decl
                && procedure.layer.is_some()
            {
                let (name, span) = (procedure.name.name.clone(), procedure.name.span);
                *decl = Decl::Concurrent(Concurrent { name, span });
            }
        }
    }
    /// Reports the parts that are not verified, and why.
    pub(crate) fn concurrent(&self) -> impl Iterator<Item = Diagnostic> {
        self.decls.iter().filter_map(|decl| {
            let (name, span) = match decl {
                Decl::Concurrent(concurrent) => (&concurrent.name, concurrent.span),
                Decl::Procedure(procedure) => (&procedure.name.name, procedure.layer?.span),
                _ => return None,
            };
            let message = format!("{name} is not verified: concurrent programs (CIVL) are not supported");
            Some(Diagnostic::error(UNSUPPORTED, span, message))
        })
    }
}
