//! The bodies of procedures, with what each statement is for.

use crate::Goal;
use echis_base::{IndexVec, Name, SyntaxId, mutation};
use echis_boogie::ast::Mark;
use echis_boogie::build::{self, Binder, Expr, Stmt};
use echis_proof::{ErrorKind, Property, Reason};
use std::collections::BTreeMap;

/// The error kind and location to report for a failure.
#[derive(Clone, Copy, Debug)]
pub struct Blame {
    pub error: ErrorKind,
    pub at: SyntaxId,
}

impl Blame {
    pub fn property(self, reason: Reason, offending: SyntaxId) -> Property {
        Property { error: self.error, at: self.at, reason, offending }
    }
}

/// Blocks are not nested yet, so that what was written can be taken back and moved.
enum Line {
    Stmt(Stmt),
    Assert {
        condition: Expr,
        goal: Goal,
        known: bool,
    },
    /// Without a condition, either side may be taken.
    If(Option<Expr>),
    Otherwise,
    End,
}

/// The body of one procedure.
pub struct Body {
    vars: BTreeMap<Name, build::Type>,
    lines: Vec<Line>,
    /// Whether what is asserted was shown elsewhere.
    trusts: bool,
}

impl Body {
    pub fn new() -> Self {
        Body { vars: BTreeMap::new(), lines: Vec::new(), trusts: false }
    }
    pub fn declare(&mut self, name: &Name, ty: &build::Type) -> Expr {
        if !self.vars.contains_key(name) {
            self.vars.insert(name.clone(), ty.clone());
        }
        build::var(name.clone())
    }
    /// Sets whether subsequent assertions were proved elsewhere, so that they are assumed; returns the previous
    /// setting.
    pub fn trust(&mut self, trusts: bool) -> bool {
        std::mem::replace(&mut self.trusts, trusts)
    }
    pub fn stmt(&mut self, stmt: Stmt) {
        self.lines.push(Line::Stmt(stmt));
    }
    /// To a variable, or to a map in it.
    pub fn assign(&mut self, target: &Expr, value: impl Into<Expr>) {
        self.stmt(Stmt::Assign(target.clone(), value.into()));
    }
    pub fn havoc(&mut self, vars: &[&Expr]) {
        let name = |var: &&Expr| var.name().cloned().expect("only variables are forgotten");
        self.stmt(Stmt::Havoc(vars.iter().map(name).collect()));
    }
    pub fn label(&mut self, name: Name) {
        self.stmt(Stmt::Label(name));
    }
    pub fn goto(&mut self, label: Name) {
        self.stmt(Stmt::Goto(label));
    }
    pub fn assume(&mut self, condition: impl Into<Expr>) {
        let condition = condition.into();
        if !condition.is_true() {
            self.stmt(Stmt::Assume(condition));
        }
    }
    #[track_caller]
    pub fn assert(&mut self, condition: impl Into<Expr>, property: Property) {
        let condition = condition.into();
        if self.trusts {
            self.assume(condition);
        } else if !condition.is_true() && !mutation::is_removed() {
            self.goal(condition, Goal { property, refuted: false }, true);
        }
    }
    /// A goal that is not assumed afterwards.
    #[track_caller]
    pub fn demand(&mut self, condition: impl Into<Expr>, property: Property) {
        let condition = condition.into();
        if !self.trusts && !condition.is_true() && !mutation::is_removed() {
            self.goal(condition, Goal { property, refuted: false }, false);
        }
    }
    /// An error if it holds.
    pub fn refute(&mut self, condition: impl Into<Expr>, property: Property) {
        self.goal(condition.into(), Goal { property, refuted: true }, true);
    }
    fn goal(&mut self, condition: Expr, goal: Goal, known: bool) {
        self.lines.push(Line::Assert { condition, goal, known });
    }
    pub fn begin(&mut self, condition: impl Into<Expr>) {
        self.lines.push(Line::If(Some(condition.into())));
    }
    /// The begin of a block that is executed or not.
    pub fn begin_aside(&mut self) {
        self.lines.push(Line::If(None));
    }
    pub fn otherwise(&mut self) {
        self.lines.push(Line::Otherwise);
    }
    pub fn end(&mut self) {
        self.lines.push(Line::End);
    }
    /// The current position.
    pub fn mark(&self) -> usize {
        self.lines.len()
    }
    /// Deletes everything after a mark.
    pub fn rewind(&mut self, mark: usize) {
        self.lines.truncate(mark);
    }
    /// Moves everything after a mark to an earlier one.
    pub fn move_to(&mut self, from: usize, to: usize) {
        let moved = self.lines.split_off(from);
        self.lines.splice(to..to, moved);
    }
    /// Deletes everything after a mark if it is only the start of a block.
    pub fn end_unless_empty(&mut self, mark: usize) {
        if self.lines.len() == mark + 1 {
            self.lines.truncate(mark);
        } else {
            self.end();
        }
    }

    /// The variables and statements, with new marks for the goals.
    pub fn finish(self, goals: &mut IndexVec<Mark, Goal>) -> (Vec<Binder>, Vec<Stmt>) {
        let vars = self.vars.into_iter().map(|(name, ty)| Binder::new(name, ty)).collect();
        (vars, block(&mut self.lines.into_iter(), goals).0)
    }
}

/// The lines of a block, and whether another one follows for the case that its condition does not hold.
fn block(lines: &mut std::vec::IntoIter<Line>, goals: &mut IndexVec<Mark, Goal>) -> (Vec<Stmt>, bool) {
    let mut stmts = Vec::new();
    while let Some(line) = lines.next() {
        match line {
            Line::Stmt(stmt) => stmts.push(stmt),
            Line::Assert { condition, goal, known } => {
                stmts.push(Stmt::Assert { condition, mark: goals.push(goal), known });
            }
            Line::If(condition) => stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                let (then, follows) = block(lines, goals);
                let otherwise = follows.then(|| block(lines, goals).0);
                stmts.push(Stmt::If { condition, then, otherwise });
            }),
            Line::Otherwise => return (stmts, true),
            Line::End => break,
        }
    }
    (stmts, false)
}

pub fn and(parts: impl IntoIterator<Item = Expr>) -> Expr {
    let mut parts: Vec<Expr> = parts.into_iter().filter(|part| !part.is_true()).collect();
    parts.dedup();
    Expr::all(parts)
}
pub fn implies(left: &Expr, right: &Expr) -> Expr {
    if right.is_true() || left.is_false() {
        build::yes()
    } else if left.is_true() {
        right.clone()
    } else {
        left.implies(right)
    }
}
pub fn zero() -> Expr {
    build::decimal(0, 0)
}
pub fn one() -> Expr {
    build::decimal(1, 0)
}
