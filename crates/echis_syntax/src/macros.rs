//! Macro expansion, on the tree and before names are resolved. Names bound by a macro are renamed if they conflict
//! with a name in the member that uses it; free names have their meaning at the use.
//!
//! A node of an expanded expression has the range of the use and records its range in the macro; a statement keeps
//! its range in the macro and records the use. Arguments keep their ranges.

mod copy;
mod cycle;
mod expand;
mod names;

use crate::ast::{Block, Exprs, Ident, Macro, MacroBody, Member, MemberKind, Program, Stmt, StmtKind};
use crate::dump;
use crate::visit::{for_each_expr, for_each_stmt};
use echis_base::{Diagnostic, Name, Span};
use std::collections::{HashMap, HashSet};

/// Maximum number of nodes added by expansion. Macros that double their argument reach any limit quickly.
const MAX_NODES: usize = 500_000;
/// Maximum nesting depth of uses inside macro bodies.
const MAX_DEPTH: usize = 400;

/// A macro, with its position.
struct Definition {
    decl: Macro,
    span: Span,
}

/// The visible macros: local ones hide global ones.
#[derive(Clone, Copy)]
struct Scope<'a> {
    global: &'a HashMap<Name, Definition>,
    local: &'a HashMap<Name, Definition>,
}

impl<'a> Scope<'a> {
    fn get(self, name: &str) -> Option<&'a Definition> {
        self.local.get(name).or_else(|| self.global.get(name))
    }
}

/// Expands all macros and removes their definitions.
pub(crate) fn expand(program: &mut Program) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let global = take_global(program, &mut diagnostics);
    let globals = names::global_names(&program.members);
    let mut members = std::mem::take(&mut program.members);
    let mut shared = expand::Shared { exprs: &mut program.exprs, globals: &globals, nodes: 0 };
    let mut cyclic: HashSet<Span> = HashSet::new();
    let mut acyclic: HashSet<Name> = HashSet::new();
    for member in &mut members {
        let local = take_local(member, &shared, &mut diagnostics);
        let scope = Scope { global: &global, local: &local };
        if !local.is_empty() {
            acyclic.clear();
        }
        let uses = cycle::uses_of_member(scope, member, shared.exprs);
        if uses.is_empty() {
            diagnostics.extend(expand::without_uses(&mut shared, scope, member));
            continue;
        }
        let cycle = cycle::find(scope, &uses, shared.exprs, &mut acyclic);
        if !local.is_empty() {
            acyclic.clear();
        }
        match cycle {
            Some(definition) if cyclic.insert(definition.span) => {
                let message =
                    format!("the macro `{}` uses itself, so it cannot be expanded", definition.decl.name.name);
                diagnostics.push(Diagnostic::error("parser.error", definition.span, message));
            }
            Some(_) => {}
            None => diagnostics.extend(expand::member(&mut shared, scope, member)),
        }
    }
    program.members = members;
    diagnostics
}

/// Removes the top-level macros from the program.
fn take_global(program: &mut Program, diagnostics: &mut Vec<Diagnostic>) -> HashMap<Name, Definition> {
    let (defines, members): (Vec<Member>, Vec<Member>) = std::mem::take(&mut program.members)
        .into_iter()
        .partition(|member| matches!(member.kind, MemberKind::Define(_)));
    program.members = members;
    let mut definitions = HashMap::new();
    let taken = names::names_no_macro_may_have(&program.members);
    for member in defines {
        let MemberKind::Define(decl) = member.kind else { continue };
        if let Some(other) = taken.get(&decl.name.name) {
            let message = format!("the macro `{}` has the name of another declaration", decl.name.name);
            let diagnostic = Diagnostic::error("parser.error", member.span, message);
            diagnostics.push(diagnostic.related(*other, "declared here"));
        }
        let definition = Definition { decl, span: member.span };
        warn_unused(&definition, &program.exprs, diagnostics);
        insert(&mut definitions, definition, &program.exprs, diagnostics);
    }
    definitions
}

fn insert(
    definitions: &mut HashMap<Name, Definition>,
    definition: Definition,
    exprs: &Exprs,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let name = &definition.decl.name.name;
    if let Some(other) = definitions.get(name) {
        // A duplicate of the same macro, as when a file is copied into another, is harmless.
        if dump::macro_text(&other.decl, exprs) == dump::macro_text(&definition.decl, exprs) {
            return;
        }
        let message = format!("another macro is named `{name}` already");
        let diagnostic = Diagnostic::error("parser.error", definition.span, message);
        diagnostics.push(diagnostic.related(other.span, "declared here"));
        return;
    }
    definitions.insert(name.clone(), definition);
}

/// Removes the macros defined in a method's body.
fn take_local(
    member: &mut Member,
    shared: &expand::Shared<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> HashMap<Name, Definition> {
    let mut definitions = HashMap::new();
    let MemberKind::Method(method) = &mut member.kind else { return definitions };
    let Some(body) = &mut method.body else { return definitions };
    let mut has_define = false;
    for_each_stmt(body, |stmt| has_define |= matches!(stmt.kind, StmtKind::Define(_)));
    if has_define {
        let mut found = Vec::new();
        take_from_block(body, BlockKind::Body, &mut found, diagnostics);
        for definition in found {
            warn_unused(&definition, shared.exprs, diagnostics);
            insert(&mut definitions, definition, shared.exprs, diagnostics);
        }
    }
    definitions
}

#[derive(Clone, Copy, PartialEq)]
enum BlockKind {
    Body,
    ProofScript,
}

fn take_from_block(
    block: &mut Block,
    place: BlockKind,
    found: &mut Vec<Definition>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for mut stmt in std::mem::take(&mut block.stmts) {
        match stmt.kind {
            StmtKind::Define(_) if place == BlockKind::ProofScript => {
                let message = "expected no `define` here: macros cannot be defined in the proof script of a wand";
                diagnostics.push(Diagnostic::error("parser.error", stmt.span, message));
            }
            StmtKind::Define(decl) => found.push(Definition { decl, span: stmt.span }),
            _ => {
                take_from_parts(&mut stmt, place, found, diagnostics);
                block.stmts.push(stmt);
            }
        }
    }
}

fn take_from_parts(stmt: &mut Stmt, place: BlockKind, found: &mut Vec<Definition>, diagnostics: &mut Vec<Diagnostic>) {
    let place = if matches!(stmt.kind, StmtKind::Package { .. }) { BlockKind::ProofScript } else { place };
    stmt.for_each_block_mut(|block| take_from_block(block, place, found, diagnostics));
}

fn warn_unused(definition: &Definition, exprs: &Exprs, diagnostics: &mut Vec<Diagnostic>) {
    let Some(params) = &definition.decl.params else { return };
    if params.is_empty() {
        return;
    }
    let used = names::used_in_body(&definition.decl.body, exprs);
    let unused: Vec<&Ident> = params.iter().filter(|param| !used.contains(&param.name)).collect();
    if unused.is_empty() {
        return;
    }
    let list: Vec<String> = unused.iter().map(|param| format!("`{}`", param.name)).collect();
    let message = format!("the macro `{}` does not use its parameter {}", definition.decl.name.name, list.join(", "));
    diagnostics.push(Diagnostic::warning("parser.warning", definition.span, message));
}

/// All expressions and statements of a macro's body.
fn for_each_body_expr(body: &MacroBody, exprs: &Exprs, mut visit: impl FnMut(crate::ast::ExprId)) {
    match body {
        MacroBody::Expr(root) => for_each_expr(exprs, *root, visit),
        MacroBody::Stmt(block) => {
            for_each_stmt(block, |stmt| stmt.for_each_expr(|root| for_each_expr(exprs, root, &mut visit)));
        }
    }
}
