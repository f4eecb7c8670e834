//! Checks that jumps have targets: `goto` any label of the body, `break` an enclosing statement.

use crate::ast::{Block, Stmt, StmtKind};
use crate::error::SYNTAX_ERROR;
use echis_base::{Diagnostic, Name};
use std::collections::BTreeSet;

/// Reports jumps without a target.
pub fn check(stmts: &[Stmt], errors: &mut Vec<Diagnostic>) {
    let mut labels = BTreeSet::new();
    collect(stmts, &mut labels);
    Checker { labels, errors }.stmts(stmts, &Around::default());
}

fn collect(stmts: &[Stmt], labels: &mut BTreeSet<Name>) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Label(name) => drop(labels.insert(name.clone())),
            kind => blocks(kind).for_each(|block| collect(&block.stmts, labels)),
        }
    }
}

fn blocks(kind: &StmtKind) -> impl Iterator<Item = &Block> {
    let (first, second) = match kind {
        StmtKind::If { then, otherwise, .. } => (Some(then), otherwise.as_ref()),
        StmtKind::While { body, .. } => (Some(body), None),
        _ => (None, None),
    };
    first.into_iter().chain(second)
}

/// The enclosing statements that a `break` can leave.
#[derive(Clone, Default)]
struct Around {
    in_loop: bool,
    labels: Vec<Name>,
}

struct Checker<'a> {
    labels: BTreeSet<Name>,
    errors: &'a mut Vec<Diagnostic>,
}

impl Checker<'_> {
    fn stmts(&mut self, stmts: &[Stmt], around: &Around) {
        let mut label: Option<&Name> = None;
        for stmt in stmts {
            if let StmtKind::Label(name) = &stmt.kind {
                label = Some(name);
                continue;
            }
            self.stmt(stmt, label, around);
            label = None;
        }
    }
    fn stmt(&mut self, stmt: &Stmt, label: Option<&Name>, around: &Around) {
        let message = match &stmt.kind {
            StmtKind::Goto(targets) => {
                let unknown = targets.iter().find(|target| !self.labels.contains(&target.name));
                unknown.map(|target| format!("Error: goto label '{}' is undefined", target.name))
            }
            StmtKind::Break(None) if !around.in_loop => Some("Error: break statement is not inside a loop".to_string()),
            StmtKind::Break(Some(target)) if !around.labels.contains(&target.name) => {
                Some(format!("Error: break label '{}' must designate an enclosing statement", target.name))
            }
            kind => {
                let mut inner = around.clone();
                inner.in_loop |= matches!(kind, StmtKind::While { .. });
                inner.labels.extend(label.cloned());
                blocks(kind).for_each(|block| self.stmts(&block.stmts, &inner));
                None
            }
        };
        if let Some(message) = message {
            self.errors.push(Diagnostic::error(SYNTAX_ERROR, stmt.span, message));
        }
    }
}
