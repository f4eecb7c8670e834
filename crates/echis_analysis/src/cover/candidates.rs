//! Assumptions and statements that no proof seems to need, with the edit that takes them away.

use crate::cover::Edit;
use crate::depend::{Assumption, Construct, Nodes, Owner, UserId, UserNode};
use echis_base::{FileId, Name, SourceMap, Span, SyntaxId};
use echis_program::program::{LocalId, Program, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// What may be said about a node if the edited program verifies.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub node: UserId,
    pub id: &'static str,
    pub message: String,
    pub span: Span,
    pub edit: Edit,
    /// Whether the edit is one that a person would want: a havoc is not.
    pub is_fix: bool,
}

/// Nodes of the main file that are not covered and that an edit can take away.
pub fn candidates(
    program: &Program,
    sources: &SourceMap,
    main: FileId,
    nodes: &Nodes,
    covered: &BTreeSet<UserId>,
) -> Vec<Candidate> {
    // Text that several nodes share, as in a macro, is taken away for all of them.
    let mut needed: BTreeMap<Span, bool> = BTreeMap::new();
    for (id, node) in nodes.all.iter() {
        *needed.entry(node.span).or_default() |= covered.contains(&id);
    }
    let statements = statements(program);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (id, node) in nodes.all.iter() {
        if node.span.file != main || needed[&node.span] || !node.is_shown() || !seen.insert(node.span) {
            continue;
        }
        found.extend(candidate(program, sources, id, node, &statements));
    }
    found
}

fn candidate(
    program: &Program,
    sources: &SourceMap,
    id: UserId,
    node: &UserNode,
    statements: &BTreeMap<SyntaxId, &Stmt>,
) -> Option<Candidate> {
    let text = shortened(sources.text(node.span));
    let statement = node.statement.and_then(|statement| statements.get(&statement).copied());
    let unused = |what: &str| ("assumption.unused", format!("No proof needs the {what} {text}."), true);
    let (warning, message, is_fix) = match node.construct {
        Construct::Precondition => unused("precondition"),
        Construct::Invariant => unused("invariant"),
        Construct::Axiom => return None,
        Construct::Postcondition if node.assumption == Some(Assumption::Explicit) && is_called(program, node.owner) => {
            unused("promise")
        }
        Construct::Inhale => unused("assumption"),
        Construct::Assert if matches!(statement?.kind, StmtKind::Assert(_)) => {
            ("assertion.redundant", format!("No later proof needs {text} as a step."), true)
        }
        Construct::Assignment => {
            ("code.unconstrained", format!("No obligation constrains what {text} assigns."), false)
        }
        _ => return None,
    };
    let edit = match node.construct {
        Construct::Assignment => havoc(program, sources, statement?)?,
        _ => replace(node, program, "true"),
    };
    Some(Candidate { node: id, id: warning, message, span: node.span, edit, is_fix })
}

fn replace(node: &UserNode, program: &Program, text: &str) -> Edit {
    let span = node.expr.map_or(node.span, |expr| program.syntax.span(program.expr(expr).id));
    Edit { start: span.start as usize, end: span.end as usize, text: text.into() }
}

/// The statement with an arbitrary value instead of the one it assigns.
fn havoc(program: &Program, sources: &SourceMap, statement: &Stmt) -> Option<Edit> {
    let span = program.syntax.span(statement.id);
    let (start, end) = (span.start as usize, span.end as usize);
    let text = sources.text(span);
    let StmtKind::Assign { target, value } = &statement.kind else { return None };
    let value = program.syntax.span(program.expr(*value).id);
    if !span.contains(value) {
        return None;
    }
    let arrow = text.get(..(value.start - span.start) as usize)?.rfind(":=")?;
    if text.starts_with("var") {
        return Some(Edit { start: start + arrow, end: value.end as usize, text: String::new() });
    }
    let ty = written_type(program, sources, *target)?;
    let name = &program.locals[*target].name;
    let text = format!("{{ var {name}__any: {ty} {name} := {name}__any }}");
    Some(Edit { start, end, text })
}

/// The type of a variable as its declaration has it.
fn written_type<'a>(program: &Program, sources: &'a SourceMap, local: LocalId) -> Option<&'a str> {
    let text = sources.text(program.syntax.span(program.locals[local].id));
    let (name, ty) = text.split_once(':')?;
    let plain = |c: char| c.is_alphanumeric() || " _[],".contains(c);
    let fits = name.trim() == &*program.locals[local].name && !ty.trim().is_empty() && ty.chars().all(plain);
    fits.then_some(ty.trim())
}

fn is_called(program: &Program, owner: Owner) -> bool {
    let Owner::Method(id) = owner else { return matches!(owner, Owner::Function(_)) };
    let mut called = false;
    for method in program.methods.values() {
        if let Some(body) = &method.body {
            body.visit_stmts(&mut |stmt| called |= matches!(stmt.kind, StmtKind::Call { method, .. } if method == id));
        }
    }
    called
}

fn statements(program: &Program) -> BTreeMap<SyntaxId, &Stmt> {
    let mut found = BTreeMap::new();
    for method in program.methods.values() {
        if let Some(body) = &method.body {
            body.visit_stmts(&mut |stmt| {
                found.insert(stmt.id, stmt);
            });
        }
    }
    found
}

/// The nodes on which a silencer is written.
pub fn silencers(nodes: &Nodes, name: &str) -> Vec<UserId> {
    nodes.all.iter().filter(|(_, node)| node.annotation(name).is_some()).map(|(id, _)| id).collect()
}

fn shortened(text: &str) -> Name {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}
