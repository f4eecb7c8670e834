//! A message to the user, as plain data. `echis_report` renders it.

use crate::Span;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    Error,
    Warning,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    pub message: String,
    pub span: Span,
}

/// One finding. `id` is `kind:reason` (`assert.failed:assertion.false`) or, before verification, the bare
/// kind (`typechecker.error`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub id: String,
    pub message: String,
    /// The offending node; a few findings have none.
    pub span: Option<Span>,
    pub related: Vec<Related>,
    /// An edit that removes the cause.
    pub fix: Option<Fix>,
    /// Whether it follows from another reported error and adds no information.
    pub consequence: bool,
}

/// A set of text replacements, with a description of their effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    pub message: String,
    pub edits: Vec<(Span, String)>,
}

impl Diagnostic {
    pub fn error(id: impl Into<String>, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, id, Some(span), message)
    }
    pub fn warning(id: impl Into<String>, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, id, Some(span), message)
    }
    pub fn new(severity: Severity, id: impl Into<String>, span: Option<Span>, message: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            id: id.into(),
            message: message.into(),
            span,
            related: Vec::new(),
            fix: None,
            consequence: false,
        }
    }
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related { message: message.into(), span });
        self
    }
    /// Adds a fix that replaces the written name by the intended one, if there is one.
    pub fn meant(mut self, written: Span, name: Option<&str>) -> Self {
        if let Some(name) = name {
            self.message = format!("{}; did you mean `{name}`?", self.message);
            self.fix = Some(Fix { message: format!("Write `{name}`"), edits: vec![(written, name.to_string())] });
        }
        self
    }
    pub fn as_consequence(mut self) -> Self {
        self.consequence = true;
        self
    }
}
