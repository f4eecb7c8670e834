//! Turns a failed obligation into a message for the user.

mod callee;
mod describe;
mod follows;
mod quote;
mod source;
mod text;

pub use describe::{Description, describe};
pub use follows::something_follows;
pub use source::{negated, source_text};

use crate::{Blamed, Condition, Finding, Named};
use echis_base::{Diagnostic, Name, Severity, SourceMap, Span, SyntaxId};
use echis_program::program::{Program, StmtKind};
use echis_program::reach::Member;
use echis_proof::{ErrorKind, Guard, Property};
use quote::Arguments;
use std::collections::BTreeMap;

/// The context of a failure: the program, and the member being verified.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub program: &'a Program,
    pub sources: &'a SourceMap,
    pub member: &'a Name,
}

impl Place<'_> {
    /// The text of a node. For a node from a macro expansion: its text in the macro, and the use.
    fn text(&self, node: SyntaxId) -> String {
        self.inner_text(node) + &self.macro_use(node)
    }
    fn inner_text(&self, node: SyntaxId) -> String {
        let syntax = self.program.syntax.node(node);
        source_text(self.sources, syntax.macro_span.unwrap_or(syntax.span))
    }
    /// " (in INV(x))" for a node from that use of a macro.
    fn macro_use(&self, node: SyntaxId) -> String {
        self.usage(node).map_or_else(String::new, |usage| format!(" (in {usage})"))
    }
    /// `INV(x)` for a node from that use of a macro.
    fn usage(&self, node: SyntaxId) -> Option<String> {
        let syntax = self.program.syntax.node(node);
        syntax.macro_span.map(|_| source_text(self.sources, syntax.span))
    }
}

/// A message with one sentence for what went wrong and one for the reason, at the node of the error, with the node of
/// the reason as a related range.
pub fn finding(place: Place<'_>, property: &Property, paths: &[Vec<Guard>]) -> Finding {
    let syntax = &place.program.syntax;
    let reason = text::reason(place, property);
    let message = format!("{} {reason}", text::error(place, property));
    let id = format!("{}:{}", property.error.id(), property.reason.id());
    let span = syntax.span(property.at);
    let mut diagnostic = Diagnostic::new(Severity::Error, id, Some(span), message);
    let about = quote::assigned_field(place, property.offending).unwrap_or(syntax.span(property.offending));
    diagnostic = diagnostic.related(about, text::label(property.reason));
    let expanded = [property.offending, property.at].into_iter().find(|node| syntax.node(*node).macro_span.is_some());
    diagnostic = in_macro(place, expanded.unwrap_or(property.at), diagnostic);
    // Paths share most of their conditions, and each lookup searches the whole program.
    let mut known: BTreeMap<Guard, Condition> = BTreeMap::new();
    let mut shown = |guard: &Guard| known.entry(*guard).or_insert_with(|| condition(place, *guard)).clone();
    Finding {
        happens: happens(place, property),
        member: Some(place.member.clone()),
        reason: Some(reason),
        subject: Some(text::subject(place, property)),
        nodes: Some(Blamed {
            offending: Named { span, annotations: syntax.node(property.at).annotations.clone() },
            reason: Named { span: about, annotations: syntax.node(property.offending).annotations.clone() },
        }),
        paths: paths.iter().map(|path| path.iter().map(&mut shown).collect()).collect(),
        ..Finding::new(diagnostic)
    }
}

/// The end of the body or of the loop, for properties that should hold there.
fn happens(place: Place<'_>, property: &Property) -> Option<Span> {
    let program = place.program;
    let at = program.syntax.span(property.at);
    let around = match property.error {
        ErrorKind::PostconditionViolated => {
            let member = Member::all(program).find(|member| member.name(program) == place.member)?;
            program.syntax.span(member.id(program))
        }
        ErrorKind::InvariantNotPreserved => {
            let method = program.methods.values().find(|method| method.name == *place.member)?;
            let mut around: Option<Span> = None;
            method.body.as_ref()?.visit_stmts(&mut |stmt| {
                let span = program.syntax.span(stmt.id);
                if matches!(stmt.kind, StmtKind::While { .. })
                    && span.contains(at)
                    && around.is_none_or(|known| known.contains(span))
                {
                    around = Some(span);
                }
            });
            around?
        }
        _ => return None,
    };
    Some(Span::new(around.file, around.end, around.end))
}

/// An error in a macro expansion is reported at one of its two places; the other one is a related range.
fn in_macro(place: Place<'_>, at: SyntaxId, diagnostic: Diagnostic) -> Diagnostic {
    let node = place.program.syntax.node(at);
    match (node.macro_span, node.macro_use) {
        (Some(inside), _) => diagnostic.related(inside, "in the macro that is expanded here"),
        (None, Some(usage)) => diagnostic.related(usage, "in the expansion of this macro"),
        (None, None) => diagnostic,
    }
}

/// A branch condition, as it evaluated.
pub fn condition(place: Place<'_>, guard: Guard) -> Condition {
    let site = guard.site.or_else(|| quote::only_fold(place, guard.condition));
    let arguments = site.and_then(|site| Arguments::at(place, site));
    let text = match arguments {
        Some(arguments) => arguments.put_into(place, guard.condition),
        None => place.inner_text(guard.condition),
    };
    let text = if guard.negated { negated(&text) } else { text };
    let text = text + &place.macro_use(guard.condition);
    Condition { text, span: place.program.syntax.span(guard.condition), negated: guard.negated, when: None }
}
