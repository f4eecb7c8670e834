//! Lowers the syntax tree to the typed program, using the results of checking.
//!
//! A single traversal in declaration order. Declarations keep the keys that checking assigned; generated ones
//! (functions of ADTs, temporaries, copies of bound variables) come after them.

mod adt;
mod adt_order;
mod assume;
mod decreases;
mod exprs;
mod members;
mod operators;
mod orders;
mod quantified;
mod stmts;
mod triggers;

use crate::program::{DomainFunctionId, DomainId, Label, Local, LocalId, Program};
use crate::typed::Typed;
use echis_base::{Diagnostic, Key, Name, SideTable, Span, SyntaxId, SyntaxNode, similar};
use echis_syntax::ast;
use std::collections::{HashMap, HashSet};

/// The result of lowering.
#[derive(Debug, Default)]
pub(crate) struct Lowered {
    pub program: Program,
    /// Errors of the consistency phase about things that the program cannot represent, such as an unknown label.
    pub consistency: Vec<Diagnostic>,
    /// Likewise, errors of the phase after the consistency phase (extensions).
    pub extensions: Vec<Diagnostic>,
    /// The domains generated for ADTs, which extend the program only after the consistency phase.
    pub generated_domains: HashSet<DomainId>,
}

pub(crate) fn lower(ast: &ast::Program, typed: &Typed<'_>) -> Lowered {
    let mut lowering = Lowering {
        ast,
        typed,
        program: Program::default(),
        adts: SideTable::new(),
        domains_by_name: HashMap::new(),
        method_scope: Vec::new(),
        measures: false,
        consistency: Vec::new(),
        extensions: Vec::new(),
        generated_domains: HashSet::new(),
    };
    lowering.declare();
    lowering.members();
    Lowered {
        program: lowering.program,
        consistency: lowering.consistency,
        extensions: lowering.extensions,
        generated_domains: lowering.generated_domains,
    }
}

/// The state of the traversal.
struct Lowering<'a> {
    ast: &'a ast::Program,
    typed: &'a Typed<'a>,
    program: Program,
    adts: SideTable<DomainId, AdtKeys>,
    /// Domains by name, for declarations of the library or their replacements in the program.
    domains_by_name: HashMap<Name, DomainId>,
    /// Variables of the blocks around the current statement, innermost last; temporaries are added here.
    method_scope: Vec<Vec<LocalId>>,
    /// In the measures of a `decreases` tuple, a predicate denotes its instance.
    measures: bool,
    consistency: Vec<Diagnostic>,
    extensions: Vec<Diagnostic>,
    generated_domains: HashSet<DomainId>,
}

/// The domain functions for an ADT.
#[derive(Clone, Debug)]
struct AdtKeys {
    constructors: Vec<ConstructorKeys>,
    tag: DomainFunctionId,
}

#[derive(Clone, Debug)]
struct ConstructorKeys {
    function: DomainFunctionId,
    destructors: Vec<DomainFunctionId>,
    tag: u32,
}

impl Lowering<'_> {
    /// Copies the tables filled by checking, so that keys agree.
    fn declare(&mut self) {
        for local in self.typed.locals.values() {
            let id = self.program.syntax.add_span(local.span);
            self.program.locals.push(Local { name: local.name.clone(), ty: local.ty.clone(), id });
        }
        for label in self.typed.labels.values() {
            let id = self.program.syntax.add_span(label.span);
            self.program.labels.push(Label { name: label.name.clone(), id });
        }
        self.declare_fields();
        self.declare_domains();
    }

    fn node(&mut self, span: Span, annotations: &[ast::Annotation]) -> SyntaxId {
        let annotations = merged(annotations);
        self.program.syntax.add(SyntaxNode { span, macro_span: None, macro_use: None, cause: None, annotations })
    }

    fn expr_node(&mut self, expr: ast::ExprId) -> SyntaxId {
        let expr = &self.ast.exprs[expr];
        let annotations = merged(&expr.annotations);
        let macro_span = expr.macro_span;
        self.program.syntax.add(SyntaxNode { span: expr.span, macro_span, macro_use: None, cause: None, annotations })
    }

    fn stmt_node(&mut self, stmt: &ast::Stmt) -> SyntaxId {
        let annotations = merged(&stmt.annotations);
        let macro_use = stmt.macro_use;
        self.program.syntax.add(SyntaxNode { span: stmt.span, macro_span: None, macro_use, cause: None, annotations })
    }

    fn generated(&mut self, cause: SyntaxId) -> SyntaxId {
        self.program.syntax.add_generated(cause)
    }

    fn span(&self, expr: ast::ExprId) -> Span {
        self.ast.exprs[expr].span
    }

    fn no_label(&mut self, span: Span, name: &ast::Ident) {
        let message = format!("There is no label `{}` in this method.", name.name);
        let method = self.typed.methods.values().find(|method| method.member.span.contains(span));
        let labels = method.iter().flat_map(|method| &method.labels).map(|label| &*self.typed.labels[*label].name);
        let mut diagnostic = Diagnostic::error("consistency.error", span, message);
        if let Some(meant) = similar(&name.name, labels) {
            diagnostic.message = format!("{} Did you mean `{meant}`?", diagnostic.message);
        }
        self.consistency.push(diagnostic);
    }
    fn consistency_error(&mut self, span: Span, message: impl Into<String>) {
        self.consistency.push(Diagnostic::error("consistency.error", span, message));
    }
}

/// Merges annotations of the same name, concatenating their arguments.
fn merged(annotations: &[ast::Annotation]) -> Vec<(Name, Vec<Name>)> {
    let mut merged: Vec<(Name, Vec<Name>)> = Vec::new();
    for annotation in annotations {
        match merged.iter_mut().find(|(name, _)| *name == annotation.name) {
            Some((_, args)) => args.extend(annotation.args.iter().cloned()),
            None => merged.push((annotation.name.clone(), annotation.args.clone())),
        }
    }
    merged
}

fn has_annotation(annotations: &[ast::Annotation], name: &str) -> bool {
    annotations.iter().any(|annotation| &*annotation.name == name)
}

/// A key from its number; declarations of the tree and of the program are numbered identically.
fn key<K: Key>(index: usize) -> K {
    K::new(index)
}
