//! Copies a macro's body, replacing parameters by arguments and renaming bound names that would conflict.

use super::names::declared_by;
use super::{MAX_NODES, Scope};
use crate::ast::{self, Block, Expr, ExprId, ExprKind, Exprs, Ident, Stmt};
use crate::visit::for_each_stmt;
use echis_base::{Name, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Why a body cannot be copied; reported at the use.
pub(super) enum Problem {
    /// A parameter is used as a name, but its argument is not a name.
    NotAName(Name),
    TooLarge,
}

pub(super) type Copied<T> = Result<T, Problem>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Body,
    /// Nothing is replaced or renamed.
    Argument,
}

pub(super) struct Copier<'a> {
    pub mode: Mode,
    pub exprs: &'a mut Exprs,
    pub args: HashMap<Name, ExprId>,
    /// Parameters replaced so far. The first occurrence takes the argument itself; the others get copies.
    pub moved: HashSet<Name>,
    /// The range of all nodes; `None` keeps each node's own.
    pub place: Option<Span>,
    /// Names that bound names of the body must differ from, including those bound so far.
    pub taken: &'a mut HashSet<Name>,
    pub globals: &'a HashSet<Name>,
    /// Names in the arguments, which must not be captured.
    pub in_args: HashSet<Name>,
    /// The new names of bound names of the body, innermost last.
    pub renamed: Vec<(Name, Name)>,
    /// For a use inside another macro's body: the renamed bound names of that macro, which free names here refer to.
    pub outer: Renaming,
    /// The renamings for uses inside the copy.
    pub renamings: &'a mut HashMap<ExprId, Renaming>,
    pub scope: Scope<'a>,
    pub nodes: &'a mut usize,
}

/// Old names and new ones, innermost last.
pub(super) type Renaming = Rc<[(Name, Name)]>;

impl Copier<'_> {
    fn count(&mut self) -> Copied<()> {
        *self.nodes += 1;
        if *self.nodes > MAX_NODES { Err(Problem::TooLarge) } else { Ok(()) }
    }
    fn place(&self, own: Span) -> Span {
        self.place.unwrap_or(own)
    }
    fn new_name(&self, name: &Name) -> Option<&Name> {
        self.renamed.iter().rev().find(|(old, _)| old == name).map(|(_, new)| new)
    }
    /// The name of a variable or label that is neither bound by the body nor replaced by an argument.
    fn outer_name(&self, name: &Name) -> Name {
        let found = self.outer.iter().rev().find(|(old, _)| old == name);
        found.map_or(name, |(_, new)| new).clone()
    }
    /// Records the renaming for `copy`, if `original` is a macro use, which is expanded later.
    fn note_renaming(&mut self, original: ExprId, copy: ExprId) {
        if self.mode == Mode::Argument {
            if let Some(renaming) = self.renamings.get(&original).cloned() {
                self.renamings.insert(copy, renaming);
            }
            return;
        }
        let name = match &self.exprs[copy].kind {
            ExprKind::Ident(name) => name,
            ExprKind::Call(call) => &call.callee.name,
            _ => return,
        };
        if self.scope.get(name).is_some() && !(self.outer.is_empty() && self.renamed.is_empty()) {
            let renaming = self.outer.iter().chain(&self.renamed).cloned().collect();
            self.renamings.insert(copy, renaming);
        }
    }

    /// Chooses a new name for a bound name of the body.
    fn rename(&mut self, name: &Name) {
        if self.mode == Mode::Argument {
            return;
        }
        let clashes = |copier: &Self, name: &str| {
            copier.taken.contains(name) || copier.globals.contains(name) || copier.in_args.contains(name)
        };
        let mut new = name.clone();
        let mut number = 0;
        while clashes(self, &new) {
            new = format!("{name}${number}").into();
            number += 1;
        }
        self.taken.insert(new.clone());
        self.renamed.push((name.clone(), new));
    }

    // -------------------------------------------------------------------------------------------------------------
    // Expressions

    pub(super) fn copy(&mut self, id: ExprId) -> Copied<ExprId> {
        self.count()?;
        stacker::maybe_grow(32 << 10, 2 << 20, || self.expr_here(id))
    }

    fn expr_here(&mut self, id: ExprId) -> Copied<ExprId> {
        if let ExprKind::Ident(name) = &self.exprs[id].kind
            && self.new_name(name).is_none()
            && let Some(arg) = self.args.get(name)
        {
            let arg = *arg;
            let first = self.moved.insert(name.clone());
            return self.argument(arg, id, first);
        }
        let Expr { kind, span, macro_span, annotations } = self.exprs[id].clone();
        let kind = match kind {
            ExprKind::Ident(name) => {
                ExprKind::Ident(self.new_name(&name).cloned().unwrap_or_else(|| self.outer_name(&name)))
            }
            kind => {
                let depth = self.renamed.len();
                let kind = kind.copied(self)?;
                self.renamed.truncate(depth);
                kind
            }
        };
        let macro_span = self.place.map(|_| span).or(macro_span);
        let span = self.place(span);
        let copy = self.exprs.push(Expr { kind, span, macro_span, annotations });
        self.note_renaming(id, copy);
        Ok(copy)
    }

    /// The argument or a copy of it, for the parameter at `param`.
    fn argument(&mut self, arg: ExprId, param: ExprId, first: bool) -> Copied<ExprId> {
        let copy = if first { arg } else { self.copy_argument(arg)? };
        let annotations = self.exprs[param].annotations.clone();
        self.exprs[copy].annotations.splice(0..0, annotations);
        Ok(copy)
    }

    fn copy_argument(&mut self, arg: ExprId) -> Copied<ExprId> {
        let args = std::mem::take(&mut self.args);
        let renamed = std::mem::take(&mut self.renamed);
        let outer = std::mem::replace(&mut self.outer, Rc::new([]));
        let place = self.place.take();
        let mode = std::mem::replace(&mut self.mode, Mode::Argument);
        let copy = self.copy(arg);
        (self.args, self.renamed, self.outer, self.place, self.mode) = (args, renamed, outer, place, mode);
        copy
    }

    // -------------------------------------------------------------------------------------------------------------
    // Statements

    /// The body of a statement macro. Its variables and labels are visible in all of it.
    pub(super) fn body(&mut self, block: &Block) -> Copied<Vec<Stmt>> {
        let mut declared: Vec<Name> = Vec::new();
        for_each_stmt(block, |stmt| declared.extend(declared_by(stmt)));
        let mut seen = HashSet::new();
        for name in declared {
            if !self.args.contains_key(&name) && seen.insert(name.clone()) {
                self.rename(&name);
            }
        }
        self.stmts(&block.stmts)
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Copied<Vec<Stmt>> {
        stmts.iter().map(|stmt| self.stmt(stmt)).collect()
    }
    fn stmt(&mut self, stmt: &Stmt) -> Copied<Stmt> {
        self.count()?;
        let kind = stacker::maybe_grow(32 << 10, 2 << 20, || stmt.kind.copied(self))?;
        Ok(Stmt { kind, span: stmt.span, macro_use: None, annotations: stmt.annotations.clone() })
    }
}

/// How names and nested nodes are copied.
impl ast::Copier for Copier<'_> {
    type Problem = Problem;
    fn expr(&mut self, id: ExprId) -> Copied<ExprId> {
        self.copy(id)
    }
    fn block(&mut self, block: &Block) -> Copied<Block> {
        Ok(Block { stmts: self.stmts(&block.stmts)?, span: self.place(block.span) })
    }
    fn declared(&mut self, ident: &Ident) -> Copied<Ident> {
        match self.new_name(&ident.name) {
            Some(new) => Ok(Ident { name: new.clone(), span: self.place(ident.span) }),
            None if self.args.contains_key(&ident.name) => self.free(ident),
            None => Ok(Ident { name: self.outer_name(&ident.name), span: self.place(ident.span) }),
        }
    }
    fn free(&mut self, ident: &Ident) -> Copied<Ident> {
        let span = self.place(ident.span);
        match self.args.get(&ident.name) {
            Some(arg) if self.new_name(&ident.name).is_none() => match &self.exprs[*arg].kind {
                ExprKind::Ident(name) => Ok(Ident { name: name.clone(), span }),
                _ => Err(Problem::NotAName(ident.name.clone())),
            },
            _ => Ok(Ident { name: ident.name.clone(), span }),
        }
    }
    fn bind(&mut self, ident: &Ident) -> Copied<Ident> {
        self.rename(&ident.name);
        let name = self.new_name(&ident.name).unwrap_or(&ident.name).clone();
        Ok(Ident { name, span: self.place(ident.span) })
    }
    fn span(&self, own: Span) -> Span {
        self.place(own)
    }
}
